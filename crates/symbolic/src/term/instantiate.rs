//! Terms with terms for their variables: how the program's terms become those of a time frame.

use super::{Node, Term, Terms};
use rustc_hash::FxHashMap;

/// What variables stand for, and the terms that were instantiated already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instantiation {
    known: FxHashMap<Term, Term>,
}

impl Instantiation {
    /// Lets a variable stand for a term. Nothing that has it may have been instantiated before.
    pub(crate) fn bind(&mut self, variable: Term, term: Term) {
        let before = self.known.insert(variable, term);
        debug_assert!(before.is_none_or(|before| before == term), "a variable stands for one term");
    }

    /// `term`, with what its variables stand for; variables that stand for nothing stay.
    pub(crate) fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            if self.known.contains_key(&top) {
                work.pop();
                continue;
            }
            let node = terms.node(top);
            let ready = work.len();
            node.for_each_operand(|operand| {
                if !self.known.contains_key(&operand) {
                    work.push(operand);
                }
            });
            if work.len() == ready {
                let made = self.rebuild(terms, top, node);
                self.known.insert(top, made);
                work.pop();
            }
        }
        self.known[&term]
    }

    fn rebuild(&self, terms: &mut Terms, term: Term, node: Node) -> Term {
        let width = terms.width(term);
        let of = |operand: Term| self.known[&operand];
        match node {
            Node::Const(_) | Node::Variable(_) => term,
            Node::Not(a) => terms.not(of(a)),
            Node::And(a, b) => terms.and(of(a), of(b)),
            Node::Or(a, b) => terms.or(of(a), of(b)),
            Node::Xor(a, b) => terms.xor(of(a), of(b)),
            Node::Add(a, b) => terms.add(of(a), of(b)),
            Node::Sub(a, b) => terms.sub(of(a), of(b)),
            Node::Mul(a, b) => terms.mul(of(a), of(b)),
            Node::Divide(a, b) => terms.divide(of(a), of(b)),
            Node::Remainder(a, b) => terms.remainder(of(a), of(b)),
            Node::ShiftLeft(a, b) => terms.shift_left(of(a), of(b)),
            Node::ShiftRight(a, b) => terms.shift_right(of(a), of(b)),
            Node::ShiftRightSigned(a, b) => terms.shift_right_signed(of(a), of(b)),
            Node::Equal(a, b) => terms.equal(of(a), of(b)),
            Node::Less(a, b) => terms.less(of(a), of(b)),
            Node::LessSigned(a, b) => terms.less_signed(of(a), of(b)),
            Node::Choose(a, b, c) => terms.choose(of(a), of(b), of(c)),
            Node::Concat(a, b) => terms.concat(of(a), of(b)),
            Node::Extract(a, from) => terms.extract(of(a), from.into(), width),
            Node::Extend(a) => terms.extend_sign(of(a), width),
        }
    }
}
