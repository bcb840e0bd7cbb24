//! Guarded independence (Sect. 2.2): when two steps of different threads can be swapped.
//!
//! A guard is a term over the variables of both threads, computed once for a pair of places. It means that, if both
//! steps can be taken in a state where it holds, they can be taken in either order with the same result
//! (Definition 2). The rules 1 to 4 are applied to accesses instead of statements: an access reads a location, writes
//! it, or both, and the rest of its step is a function of the value it found. So
//!
//! - rule 1: nothing is touched by both, or both only read;
//! - rules 2 and 3: `a[i]` and `a[j]`, `*p` and `*q` are pointers here, and are compared as such;
//! - rule 4: the location is the same, and each step does the same after the other's write as before it. For a read
//!   and a write of `e` this is `x = e` (a), for two writes `e1 = e2` (b), and for a read whose value only decides
//!   where to go on it is that it goes there either way (c). Compare-exchange and the other read-modify-writes, which
//!   the paper does not have, are covered by the same condition.
//!
//! A join can only be taken when its thread has ended, and then nothing changes that: it is independent of
//! everything that can be taken as well.

use crate::layout::Layout;
use crate::system::{Access, AccessKind, Choice, OFFSET_BITS, Place, Section, Settling};
use crate::term::{Instantiation, Term, Terms};
use rustc_hash::FxHashSet;

/// Which guarded independence is made use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// None: all interleavings.
    None,
    /// What is independent in all states.
    Static,
    /// Rules 1 to 3.
    Simple,
    /// Rules 1 to 4.
    Full,
}

impl Reduction {
    /// All of them, the least first.
    pub const ALL: [Reduction; 4] = [Reduction::None, Reduction::Static, Reduction::Simple, Reduction::Full];

    /// How users call it.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::None => "none",
            Reduction::Static => "static",
            Reduction::Simple => "simple",
            Reduction::Full => "full",
        }
    }
}

/// When two steps are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    /// In all states.
    Always,
    /// In states where this holds.
    When(Term),
    /// In no state, as far as is known.
    Never,
}

/// When the steps from two places of different threads are independent.
pub(crate) fn guard(terms: &mut Terms, layout: &Layout, reduction: Reduction, one: &Place, other: &Place) -> Guard {
    if reduction == Reduction::None || one.keeps_others_out() || other.keeps_others_out() {
        return Guard::Never;
    }
    // The states in between differ in what the invariant reads.
    if one.is_observed && other.is_observed {
        return Guard::Never;
    }
    let mut apart = vec![about_other_threads(terms, one, other)];
    let mut pairs = Vec::new();
    for a in &one.action.accesses {
        for b in &other.action.accesses {
            if a.kind != b.kind || (a.new.is_none() && b.new.is_none()) {
                continue;
            }
            let these = are_apart(terms, layout, a, b);
            if !terms.is_true(these) {
                apart.push(these);
                pairs.push((a, b));
            }
        }
    }
    let apart = terms.all(apart);
    if terms.is_true(apart) {
        return Guard::Always;
    }
    let condition = match (reduction, &pairs[..]) {
        (Reduction::None | Reduction::Static, _) => return Guard::Never,
        // Which thread is woken is known only when the step is taken.
        (Reduction::Full, [(a, b)]) if !one.wakes() && !other.wakes() => {
            let same = terms.equal(a.address, b.address);
            let mut swapped = swap(terms, (one, a), (other, b));
            if terms.not(same) != apart {
                swapped = terms.and(same, swapped);
            }
            terms.or(apart, swapped)
        }
        _ => apart,
    };
    match terms.value(condition) {
        Some(0) => Guard::Never,
        Some(_) => Guard::Always,
        None => Guard::When(condition),
    }
}

impl Place {
    /// Whether other threads may not be able to move after the step because it begins an atomic section. Within one
    /// they cannot before it either.
    fn keeps_others_out(&self) -> bool {
        self.section == Section::Enters && self.effect.goes_inside
    }

    fn wakes(&self) -> bool {
        matches!(self.action.choice, Choice::Waiter { .. })
    }
}

/// When two steps are not about the end of the same thread. Two that wait for it are independent: one of them fails,
/// whatever the order is.
fn about_other_threads(terms: &mut Terms, one: &Place, other: &Place) -> Term {
    match (one.action.settles, other.action.settles) {
        (Some(a), Some(b)) if a.how == Settling::Detach || b.how == Settling::Detach => {
            let same = terms.equal(a.handle, b.handle);
            terms.not(same)
        }
        _ => terms.bool(true),
    }
}

/// When two accesses touch nothing in common (rules 1 to 3).
pub(crate) fn are_apart(terms: &mut Terms, layout: &Layout, a: &Access, b: &Access) -> Term {
    let (one, other) = (layout.candidates(terms, a.address), layout.candidates(terms, b.address));
    if !one.iter().any(|object| other.contains(object)) {
        return terms.bool(true);
    }
    let is_same_kind = a.kind != AccessKind::Memory || (a.bytes == b.bytes && is_whole(a) && is_whole(b));
    if is_same_kind {
        let same = terms.equal(a.address, b.address);
        return terms.not(same);
    }
    let object = |terms: &mut Terms, access: &Access| {
        let width = terms.width(access.address) - OFFSET_BITS;
        terms.extract(access.address, OFFSET_BITS, width)
    };
    let (x, y) = (object(terms, a), object(terms, b));
    let same_object = terms.equal(x, y);
    let before = |terms: &mut Terms, a: &Access, b: &Access| {
        let (x, y) = (terms.extract(a.address, 0, OFFSET_BITS), terms.extract(b.address, 0, OFFSET_BITS));
        let length = terms.constant(OFFSET_BITS, b.bytes.into());
        let end = terms.add(y, length);
        terms.less(x, end)
    };
    let (first, second) = (before(terms, a, b), before(terms, b, a));
    let overlap = terms.all([same_object, first, second]);
    terms.not(overlap)
}

/// Whether an access starts at a multiple of its size: two such of one size overlap only if they are the same.
fn is_whole(access: &Access) -> bool {
    access.divisor.is_multiple_of(access.bytes)
}

/// What a step does with the value it finds: what it leaves, and what it learns of it. Everything else that it does is
/// the same if it learns the same.
struct Reaction {
    old: Term,
    new: Term,
    enabled: Option<Term>,
    observed: Vec<Term>,
}

impl Reaction {
    fn of(terms: &Terms, place: &Place, access: &Access) -> Self {
        let effect = &place.effect;
        let assigned = effect.assigned.iter().map(|(_, value)| *value);
        let others = effect.fails.iter().copied().chain(effect.unsupported.iter().map(|(when, _)| *when));
        let published = effect.published.iter().map(|one| one.when);
        let written =
            place.action.accesses.iter().filter(|other| other.old != access.old).filter_map(|other| other.new);
        let outcomes = assigned.chain(others).chain(published).chain(written);
        Self {
            old: access.old,
            new: access.new.unwrap_or(access.old),
            enabled: access.enabled,
            observed: observations(terms, access.old, outcomes),
        }
    }

    /// The reaction to another value.
    fn to(&self, terms: &mut Terms, value: Term) -> Self {
        let mut instead = Instantiation::default();
        instead.bind(self.old, value);
        Self {
            old: value,
            new: instead.apply(terms, self.new),
            enabled: self.enabled.map(|enabled| instead.apply(terms, enabled)),
            observed: self.observed.iter().map(|&outcome| instead.apply(terms, outcome)).collect(),
        }
    }
}

/// The conditions on `old` through which alone the outcomes depend on it; or `old` itself, if they need all of it. This
/// is rule 4 (c): what is compared is the condition, and not all that follows from it.
fn observations(terms: &Terms, old: Term, outcomes: impl Iterator<Item = Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut observed = Vec::new();
    let mut work: Vec<Term> = outcomes.collect();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        if term == old {
            return vec![old];
        }
        if terms.width(term) == 1 {
            if terms.support(term).contains(&old) {
                observed.push(term);
            }
            continue;
        }
        terms.node(term).for_each_operand(|operand| work.push(operand));
    }
    observed
}

/// When two compare-exchanges or the like leave what they find, so that their order makes no difference: this is a
/// condition on each of them, and not on the pair. If one of them changes what it finds and both look at that, they can
/// be swapped only where the values happen to allow it.
fn both_idle(terms: &mut Terms, a: &Access, b: &Access) -> Option<Term> {
    let mut idle = Vec::new();
    for access in [a, b] {
        let (changes, _) = access.changes(terms, access.new?);
        if terms.value(changes).is_some() {
            return None;
        }
        idle.push(terms.not(changes));
    }
    Some(terms.all(idle))
}

/// When two accesses to one location can be swapped (rule 4): the value found is the first one's `old`.
fn swap(terms: &mut Terms, (one, a): (&Place, &Access), (other, b): (&Place, &Access)) -> Term {
    if a.bytes != b.bytes {
        return terms.bool(false);
    }
    if let Some(idle) = both_idle(terms, a, b) {
        return idle;
    }
    let first = Reaction::of(terms, one, a);
    let found = first.old;
    let second = Reaction::of(terms, other, b).to(terms, found);
    // Each one after the other.
    let first_late = first.to(terms, second.new);
    let second_late = Reaction::of(terms, other, b).to(terms, first.new);
    let mut conditions = vec![terms.equal(first_late.new, second_late.new)];
    for (early, late) in [(&first, &first_late), (&second, &second_late)] {
        conditions.extend(late.enabled);
        for (&early, &late) in early.observed.iter().zip(&late.observed) {
            conditions.push(terms.equal(early, late));
        }
    }
    terms.all(conditions)
}
