//! The values of terms, from those of their variables.

use crate::term::{Node, Term, Terms, mask};
use rustc_hash::FxHashMap;

/// Computes terms from the values of variables.
pub(crate) struct Model<'a, F> {
    terms: &'a Terms,
    variable: F,
    known: FxHashMap<Term, u128>,
}

impl<'a, F: FnMut(Term) -> u128> Model<'a, F> {
    /// A model in which variables have the values that `variable` says.
    pub(crate) fn new(terms: &'a Terms, variable: F) -> Self {
        Self { terms, variable, known: FxHashMap::default() }
    }

    /// The value of `term`.
    pub(crate) fn value(&mut self, term: Term) -> u128 {
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            if self.known.contains_key(&top) {
                work.pop();
                continue;
            }
            let node = self.terms.node(top);
            let ready = work.len();
            node.for_each_operand(|operand| {
                if !self.known.contains_key(&operand) {
                    work.push(operand);
                }
            });
            if work.len() == ready {
                let value = self.compute(top, node) & mask(self.terms.width(top));
                self.known.insert(top, value);
                work.pop();
            }
        }
        self.known[&term]
    }

    fn compute(&mut self, term: Term, node: Node) -> u128 {
        let of = |operand: Term| self.known[&operand];
        let width = self.terms.width(term);
        let signed = |operand: Term| {
            let shift = 128 - self.terms.width(operand);
            ((of(operand) << shift) as i128) >> shift
        };
        // The distance of a shift, if it leaves anything.
        let distance = |by: Term| u32::try_from(of(by)).ok().filter(|by| *by < width);
        match node {
            Node::Const(bits) => bits,
            Node::Variable(_) => (self.variable)(term),
            Node::Not(a) => !of(a),
            Node::And(a, b) => of(a) & of(b),
            Node::Or(a, b) => of(a) | of(b),
            Node::Xor(a, b) => of(a) ^ of(b),
            Node::Add(a, b) => of(a).wrapping_add(of(b)),
            Node::Sub(a, b) => of(a).wrapping_sub(of(b)),
            Node::Mul(a, b) => of(a).wrapping_mul(of(b)),
            Node::Divide(a, b) => of(a).checked_div(of(b)).unwrap_or(u128::MAX),
            Node::Remainder(a, b) => of(a).checked_rem(of(b)).unwrap_or(of(a)),
            Node::ShiftLeft(a, b) => distance(b).map_or(0, |by| of(a) << by),
            Node::ShiftRight(a, b) => distance(b).map_or(0, |by| of(a) >> by),
            Node::ShiftRightSigned(a, b) => (signed(a) >> distance(b).unwrap_or(width - 1)) as u128,
            Node::Equal(a, b) => u128::from(of(a) == of(b)),
            Node::Less(a, b) => u128::from(of(a) < of(b)),
            Node::LessSigned(a, b) => u128::from(signed(a) < signed(b)),
            Node::Choose(c, a, b) => of(if of(c) == 1 { a } else { b }),
            Node::Concat(high, low) => of(high) << self.terms.width(low) | of(low),
            Node::Extract(a, from) => of(a) >> from,
            Node::Extend(a) => signed(a) as u128,
        }
    }
}
