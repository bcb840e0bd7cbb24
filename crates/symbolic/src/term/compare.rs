//! Comparisons of terms, simplified as they are made.

use super::simplify::signed;
use super::{Node, Term, Terms, mask};

impl Terms {
    /// Whether both are the same.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b), "only what has one width is compared");
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.bool(true);
        }
        if let Some((x, y)) = self.constants(a, b) {
            return self.bool(x == y);
        }
        if self.width(a) == 1 {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        if let Some(y) = self.value(b) {
            if let Some(&known) = self.compared.get(&(a, b)) {
                return known;
            }
            if self.ways(a).is_some() {
                return self.equal_chosen(a, b);
            }
            if let Node::Concat(high, low) = self.node(a) {
                let width = self.width(low);
                let (x, y) = (self.constant(self.width(high), y >> width), self.constant(width, y));
                let (high, low) = (self.equal(high, x), self.equal(low, y));
                return self.and(high, low);
            }
        } else if let (Node::Concat(a1, a0), Node::Concat(b1, b0)) = (self.node(a), self.node(b))
            && self.width(a0) == self.width(b0)
        {
            let (high, low) = (self.equal(a1, b1), self.equal(a0, b0));
            return self.and(high, low);
        }
        self.make(Node::Equal(a, b), 1)
    }

    /// Whether a comparison with a constant comes to less than a comparison of all bits.
    fn is_decided(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Const(_) | Node::Choose(..))
    }

    /// The ways of a choice between what [is decided](Self::is_decided) and something else.
    fn ways(&self, term: Term) -> Option<[Term; 2]> {
        match self.node(term) {
            Node::Choose(_, then, otherwise) if self.is_decided(then) || self.is_decided(otherwise) => {
                Some([then, otherwise])
            }
            _ => None,
        }
    }

    /// Whether what is chosen is the constant `b`: a choice between answers, each of one bit. Choices may be as deep as a program
    /// is long, so that those inside come first, and nothing is asked again from within.
    fn equal_chosen(&mut self, a: Term, b: Term) -> Term {
        let mut work = vec![a];
        while let Some(&next) = work.last() {
            let Node::Choose(condition, then, otherwise) = self.node(next) else { break };
            let is_open = |way: &Term| self.ways(*way).is_some() && !self.compared.contains_key(&(*way, b));
            let open = [then, otherwise].into_iter().filter(is_open);
            let before = work.len();
            work.extend(open);
            if work.len() == before {
                let (then, otherwise) = (self.equal(then, b), self.equal(otherwise, b));
                let result = self.choose(condition, then, otherwise);
                self.compared.insert((next, b), result);
                work.pop();
            }
        }
        self.compared[&(a, b)]
    }

    /// Whether the first is less, unsigned.
    pub fn less(&mut self, a: Term, b: Term) -> Term {
        if let Some((x, y)) = self.constants(a, b) {
            return self.bool(x < y);
        }
        if a == b || self.is_zero(b) {
            return self.bool(false);
        }
        // The higher bits of an extended value need not be compared.
        if let (Node::Concat(high, low), Some(y)) = (self.node(a), self.value(b))
            && self.is_zero(high)
        {
            let width = self.width(low);
            if y > mask(width) {
                return self.bool(true);
            }
            let y = self.constant(width, y);
            return self.less(low, y);
        }
        self.make(Node::Less(a, b), 1)
    }

    /// Whether the first is less, signed.
    pub fn less_signed(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some((x, y)) = self.constants(a, b) {
            return self.bool(signed(x, width) < signed(y, width));
        }
        if a == b {
            return self.bool(false);
        }
        self.make(Node::LessSigned(a, b), 1)
    }
}
