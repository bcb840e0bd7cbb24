//! Conditions over registers in disjunctive normal form: what purity conditions are (FMCAD 2022, Definition 1).
//!
//! A disjunct is a condition on a path through a loop, with the place before which it must not be tested. Leaving a
//! disjunct out makes a condition weaker than it could be, never wrong, and is what happens when there are too many.

use super::expression::Expression;
use crate::function::Body;
use crate::ids::BlockId;
use crate::operators::{BinaryOp, CastOp, IntPredicate};
use crate::ranges::Ranges;
use crate::value::Value;

/// More disjuncts, and longer ones, are left out.
const DISJUNCTS: usize = 32;
const LITERALS: usize = 24;

/// An expression of type `i1`, and what it has to be. Relations of integers are turned so that they have to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Literal {
    pub(crate) test: Expression,
    pub(crate) is: bool,
}

/// A place in a body: before the instruction at this position of the block, after its phis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) block: BlockId,
    pub(crate) position: usize,
}

/// Literals that all have to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Conjunction {
    pub(crate) literals: Vec<Literal>,
    /// Where it may be tested at the earliest, because something before may fail.
    pub(crate) after: Option<Point>,
    /// The mutexes that are unlocked on the way from here and not locked before.
    pub(crate) held: Vec<Expression>,
}

/// Conjunctions of which one has to hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Condition {
    pub(crate) disjuncts: Vec<Conjunction>,
    /// Whether disjuncts were left out.
    pub(crate) is_truncated: bool,
}

impl Condition {
    /// Never.
    pub(crate) fn never() -> Self {
        Self::default()
    }

    /// Always.
    pub(crate) fn always() -> Self {
        Self { disjuncts: vec![Conjunction::default()], is_truncated: false }
    }

    /// If all of these hold.
    pub(crate) fn all(literals: Vec<Literal>) -> Self {
        Self { disjuncts: vec![Conjunction { literals, ..Conjunction::default() }], is_truncated: false }
    }

    /// If the expression, an `i1`, is so.
    pub(crate) fn when(body: &Body, test: &Expression, is: bool) -> Self {
        match test {
            Expression::Leaf(Value::Const { bits, .. }) if (*bits == 1) == is => Self::always(),
            Expression::Leaf(Value::Const { .. }) => Self::never(),
            Expression::Leaf(_) => Self::literal(Literal { test: test.clone(), is }),
            Expression::Node(node) => {
                if let Some((op, a, b)) = node.binary() {
                    match (op, b.as_constant()) {
                        (BinaryOp::Xor, Some(1)) => return Self::when(body, a, !is),
                        (BinaryOp::And, _) => return Self::both(body, (a, is), (b, is), is),
                        (BinaryOp::Or, _) => return Self::both(body, (a, is), (b, is), !is),
                        _ => {}
                    }
                }
                if let Some((condition, then, otherwise)) = node.select() {
                    let pick = |chosen: &Expression, first: bool| {
                        Self::when(body, condition, first).and(&Self::when(body, chosen, is))
                    };
                    return pick(then, true).or(pick(otherwise, false));
                }
                if let Some((CastOp::Trunc, value)) = node.cast() {
                    return Self::lowest_bit(body, value, is);
                }
                match node.compare() {
                    Some((predicate, a, b)) => Self::relation(body, predicate, a, b, is),
                    None => Self::literal(Literal { test: test.clone(), is }),
                }
            }
        }
    }

    /// Whether all of two parts, or one of them, is so.
    fn both(body: &Body, a: (&Expression, bool), b: (&Expression, bool), all: bool) -> Self {
        let (a, b) = (Self::when(body, a.0, a.1), Self::when(body, b.0, b.1));
        if all { a.and(&b) } else { a.or(b) }
    }

    fn lowest_bit(body: &Body, value: &Expression, is: bool) -> Self {
        if let Some(condition) = value.as_condition(body) {
            return Self::when(body, condition, is);
        }
        let ty = value.ty(body);
        let constant = |bits| Expression::Leaf(Value::constant(ty, bits));
        let bit = Expression::binary(ty, BinaryOp::And, value.clone(), constant(1));
        Self::relation(body, IntPredicate::Ne, &bit, &constant(0), is)
    }

    fn relation(body: &Body, predicate: IntPredicate, a: &Expression, b: &Expression, is: bool) -> Self {
        let predicate = if is { predicate } else { predicate.inverse() };
        if let (Some(_), None) = (a.as_constant(), b.as_constant()) {
            return Self::relation(body, predicate.swapped(), b, a, true);
        }
        if let (Some(condition), Some(bits)) = (a.as_condition(body), b.as_constant()) {
            match predicate {
                IntPredicate::Eq if bits < 2 => return Self::when(body, condition, bits == 1),
                IntPredicate::Ne if bits < 2 => return Self::when(body, condition, bits == 0),
                _ => {}
            }
        }
        if let (Some((condition, then, otherwise)), Some(_)) =
            (a.as_node().and_then(|node| node.select()), b.as_constant())
            && then.as_constant().is_some()
            && otherwise.as_constant().is_some()
        {
            let pick = |chosen: &Expression, first: bool| {
                Self::when(body, condition, first).and(&Self::relation(body, predicate, chosen, b, true))
            };
            return pick(then, true).or(pick(otherwise, false));
        }
        let ty = a.ty(body);
        if let (Some(a), Some(b), true) = (a.as_constant(), b.as_constant(), ty.bits() <= 64) {
            let holds = Ranges::of(predicate, b as u64, ty.bits()).contains(a as u64);
            return if holds { Self::always() } else { Self::never() };
        }
        if a == b && matches!(predicate, IntPredicate::Eq | IntPredicate::Ne) {
            return if predicate == IntPredicate::Eq { Self::always() } else { Self::never() };
        }
        // A variable that counts does not stay what it is.
        if a.differs_by_constant(b) || b.differs_by_constant(a) {
            match predicate {
                IntPredicate::Eq => return Self::never(),
                IntPredicate::Ne => return Self::always(),
                _ => {}
            }
        }
        Self::literal(Literal { test: Expression::compare(predicate, a.clone(), b.clone()), is: true })
    }

    fn literal(literal: Literal) -> Self {
        Self { disjuncts: vec![Conjunction { literals: vec![literal], ..Conjunction::default() }], is_truncated: false }
    }

    /// Both conditions.
    #[must_use]
    pub(crate) fn and(&self, other: &Self) -> Self {
        let is_truncated = self.is_truncated || other.is_truncated;
        let mut result = Self { is_truncated, ..Self::never() };
        for one in &self.disjuncts {
            for other in &other.disjuncts {
                result.add(one.and(other));
            }
        }
        result
    }

    /// One of the conditions.
    #[must_use]
    pub(crate) fn or(mut self, other: Self) -> Self {
        self.is_truncated |= other.is_truncated;
        other.disjuncts.into_iter().for_each(|disjunct| self.add(Some(disjunct)));
        self
    }

    /// The condition, not to be tested before this point. Points that come later on the way are there already.
    #[must_use]
    pub(crate) fn after(mut self, point: Point) -> Self {
        self.disjuncts.iter_mut().for_each(|disjunct| _ = disjunct.after.get_or_insert(point));
        self
    }

    /// The condition before a mutex is unlocked: it has to be locked, and the condition is not tested before this point.
    #[must_use]
    pub(crate) fn before_unlock(self, mutex: &Expression, point: Point) -> Self {
        let mut result = self.after(point);
        result.disjuncts.iter_mut().for_each(|disjunct| disjunct.held.push(mutex.clone()));
        result
    }

    /// The condition before a mutex is locked: it has to be one of those that are unlocked later.
    #[must_use]
    pub(crate) fn before_lock(mut self, mutex: &Expression) -> Self {
        self.disjuncts.retain_mut(|disjunct| {
            let position = disjunct.held.iter().position(|held| held == mutex);
            position.map(|position| disjunct.held.remove(position)).is_some()
        });
        self
    }

    /// The condition, as far as every mutex that is unlocked is locked before.
    #[must_use]
    pub(crate) fn balanced(mut self) -> Self {
        self.disjuncts.retain(|disjunct| disjunct.held.is_empty());
        self
    }

    /// The condition without some of its disjuncts.
    #[must_use]
    pub(crate) fn without(mut self, leaves_out: &dyn Fn(&Conjunction) -> bool) -> Self {
        self.disjuncts.retain(|disjunct| !leaves_out(disjunct));
        self
    }

    /// Whether this holds wherever `other` does, as far as one can tell from what they are made of.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        !other.is_truncated
            && other.disjuncts.iter().all(|wanted| self.disjuncts.iter().any(|one| one.is_part_of(wanted)))
    }

    /// The condition with expressions replaced.
    #[must_use]
    pub(crate) fn map(&self, body: &Body, with: &dyn Fn(&Expression) -> Expression) -> Self {
        let mut result = Self { is_truncated: self.is_truncated, ..Self::never() };
        for disjunct in &self.disjuncts {
            let start = Conjunction { literals: Vec::new(), ..disjunct.clone() };
            let start = Self { disjuncts: vec![start], is_truncated: false };
            let literals = disjunct.literals.iter();
            let mapped =
                literals.fold(start, |all, literal| all.and(&Self::when(body, &with(&literal.test), literal.is)));
            result = result.or(mapped);
        }
        result
    }

    /// Adds a disjunct, and merges those that differ in one literal only (FMCAD 2022, Appendix A).
    fn add(&mut self, disjunct: Option<Conjunction>) {
        let Some(mut disjunct) = disjunct else { return };
        loop {
            if self.disjuncts.iter().any(|other| other.is_alike(&disjunct) && other.is_part_of(&disjunct)) {
                return;
            }
            let merged = self.disjuncts.iter().enumerate().find_map(|(i, other)| Some((i, other.merge(&disjunct)?)));
            match merged {
                Some((index, merged)) => {
                    self.disjuncts.remove(index);
                    disjunct = merged;
                }
                None => break,
            }
        }
        self.disjuncts.retain(|other| !other.is_alike(&disjunct) || !disjunct.is_part_of(other));
        if self.disjuncts.len() < DISJUNCTS && disjunct.literals.len() <= LITERALS {
            self.disjuncts.push(disjunct);
        } else {
            self.is_truncated = true;
        }
    }
}

impl Conjunction {
    /// Both; `None` if that can never hold.
    fn and(&self, other: &Self) -> Option<Self> {
        let mut result = self.clone();
        // The one that has a point has it from further on.
        result.after = self.after.or(other.after);
        if result.held.is_empty() {
            result.held.clone_from(&other.held);
        }
        for literal in &other.literals {
            if result.literals.iter().any(|it| it.contradicts(literal)) {
                return None;
            }
            if !result.literals.contains(literal) {
                result.literals.push(literal.clone());
            }
        }
        result.is_possible().then_some(result)
    }

    /// Whether no comparisons of one expression with constants, or of two that are equal, exclude each other.
    fn is_possible(&self) -> bool {
        let values = |of: &Expression| {
            let sets = self.literals.iter().filter_map(Literal::values).filter(|it| it.0 == of).map(|it| it.1);
            sets.reduce(|all, set| all.intersection(&set))
        };
        self.literals.iter().all(|literal| match (literal.values(), literal.equals()) {
            (Some((expression, _)), _) => values(expression).is_none_or(|set| !set.is_empty()),
            (None, Some((a, b))) => match (values(a), values(b)) {
                (Some(a), Some(b)) => !a.intersection(&b).is_empty(),
                _ => true,
            },
            (None, None) => true,
        })
    }

    /// Whether the two differ in nothing but their literals.
    fn is_alike(&self, other: &Self) -> bool {
        self.after == other.after && self.held == other.held
    }

    fn is_part_of(&self, other: &Self) -> bool {
        self.literals.iter().all(|literal| other.literals.contains(literal))
    }

    /// `a` for `a and p`, `a and not p`.
    fn merge(&self, other: &Self) -> Option<Self> {
        if !self.is_alike(other) || self.literals.len() != other.literals.len() {
            return None;
        }
        let mut different = self.literals.iter().enumerate().filter(|(_, literal)| !other.literals.contains(literal));
        let (index, one) = different.next()?;
        if different.next().is_some() || !other.literals.iter().any(|literal| literal.is_opposite_of(one)) {
            return None;
        }
        let mut merged = self.clone();
        merged.literals.remove(index);
        Some(merged)
    }
}

impl Literal {
    /// The opposite.
    pub(crate) fn negated(&self) -> Self {
        match self.test.as_node().and_then(|node| node.compare()) {
            Some((predicate, a, b)) => {
                Self { test: Expression::compare(predicate.inverse(), a.clone(), b.clone()), is: self.is }
            }
            None => Self { test: self.test.clone(), is: !self.is },
        }
    }

    fn is_opposite_of(&self, other: &Self) -> bool {
        *self == other.negated()
    }

    fn contradicts(&self, other: &Self) -> bool {
        self.is_opposite_of(other)
    }

    /// What is equal here.
    fn equals(&self) -> Option<(&Expression, &Expression)> {
        let (predicate, a, b) = self.test.as_node()?.compare()?;
        (self.is && predicate == IntPredicate::Eq).then_some((a, b))
    }

    /// What is compared with a constant here, and the values that it can have.
    fn values(&self) -> Option<(&Expression, Ranges)> {
        let (predicate, a, b) = self.test.as_node()?.compare()?;
        let Expression::Leaf(Value::Const { ty, bits }) = b else { return None };
        (ty.bits() <= 64).then(|| (a, Ranges::of(predicate, *bits as u64, ty.bits())))
    }
}
