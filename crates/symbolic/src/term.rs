//! Bit-vector terms: hash-consed, and folded as they are made.
//!
//! Widths are 1 to 128 bits; a condition is a term of width 1. The meaning of every node is that of the operation of
//! the same name in the SMT-LIB theory of fixed-size bit-vectors. Two terms that are built alike are the same
//! [`Term`], so that what a step does not change is not there twice.
//!
//! Nothing here knows of programs or solvers.

mod bound;
mod compare;
mod instantiate;
mod leaves;
mod simplify;

pub(crate) use bound::Bounds;
pub(crate) use instantiate::Instantiation;

use rustc_hash::FxHashMap;

/// A term, by its position in [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// The position among all terms; operands come before what is made of them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is made of. All operands of arithmetic have the width of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// These bits.
    Const(u128),
    /// The free variable with this number.
    Variable(u32),
    /// Every bit inverted.
    Not(Term),
    /// Bitwise and.
    And(Term, Term),
    /// Bitwise or.
    Or(Term, Term),
    /// Bitwise exclusive or.
    Xor(Term, Term),
    /// The sum.
    Add(Term, Term),
    /// The difference.
    Sub(Term, Term),
    /// The product.
    Mul(Term, Term),
    /// The unsigned quotient; all ones for a division by zero.
    Divide(Term, Term),
    /// The unsigned remainder; the dividend for a division by zero.
    Remainder(Term, Term),
    /// Shifted left by the value of the second operand.
    ShiftLeft(Term, Term),
    /// Shifted right, zeros coming in.
    ShiftRight(Term, Term),
    /// Shifted right, copies of the sign coming in.
    ShiftRightSigned(Term, Term),
    /// Whether both are the same; of width 1.
    Equal(Term, Term),
    /// Whether the first is less, unsigned; of width 1.
    Less(Term, Term),
    /// Whether the first is less, signed; of width 1.
    LessSigned(Term, Term),
    /// The second operand if the first, of width 1, holds, and else the third.
    Choose(Term, Term, Term),
    /// The first operand as the higher bits, the second as the lower ones.
    Concat(Term, Term),
    /// As many bits as the result is wide, from this one on.
    Extract(Term, u8),
    /// Widened by copies of the sign.
    Extend(Term),
}

impl Node {
    /// Calls `visit` with every operand.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Term)) {
        match *self {
            Node::Const(_) | Node::Variable(_) => {}
            Node::Not(a) | Node::Extract(a, _) | Node::Extend(a) => visit(a),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Xor(a, b)
            | Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Divide(a, b)
            | Node::Remainder(a, b)
            | Node::ShiftLeft(a, b)
            | Node::ShiftRight(a, b)
            | Node::ShiftRightSigned(a, b)
            | Node::Equal(a, b)
            | Node::Less(a, b)
            | Node::LessSigned(a, b)
            | Node::Concat(a, b) => {
                visit(a);
                visit(b);
            }
            Node::Choose(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }
}

/// All terms that were made.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<(Node, u8)>,
    known: FxHashMap<(Node, u8), Term>,
    /// What became of comparisons of choices with constants.
    compared: FxHashMap<(Term, Term), Term>,
    /// The names of the free variables, for people.
    variables: Vec<String>,
}

/// The bits that a value of this width can have set.
pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Terms {
    /// What the term is made of.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()].0
    }

    /// How many bits the term has.
    pub fn width(&self, term: Term) -> u32 {
        u32::from(self.nodes[term.index()].1)
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A new free variable.
    pub fn variable(&mut self, name: impl Into<String>, width: u32) -> Term {
        self.variables.push(name.into());
        let node = Node::Variable(self.variables.len() as u32 - 1);
        self.make(node, width)
    }

    /// What the free variable with this number is called.
    pub fn name(&self, variable: u32) -> &str {
        &self.variables[variable as usize]
    }

    /// The value of a term that is a constant.
    pub fn value(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether the term is the condition that always holds.
    pub fn is_true(&self, term: Term) -> bool {
        self.width(term) == 1 && self.value(term) == Some(1)
    }

    /// Whether the term is the condition that never holds.
    pub fn is_false(&self, term: Term) -> bool {
        self.width(term) == 1 && self.value(term) == Some(0)
    }

    fn make(&mut self, node: Node, width: u32) -> Term {
        debug_assert!((1..=128).contains(&width), "a term has 1 to 128 bits, not {width}");
        let key = (node, width as u8);
        if let Some(&term) = self.known.get(&key) {
            return term;
        }
        self.nodes.push(key);
        let term = Term(self.nodes.len() as u32 - 1);
        self.known.insert(key, term);
        term
    }

    /// The free variables that `term` depends on.
    pub(crate) fn support(&self, term: Term) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let (mut work, mut found) = (vec![term], Vec::new());
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = self.node(term);
            if matches!(node, Node::Variable(_)) {
                found.push(term);
            }
            node.for_each_operand(|operand| work.push(operand));
        }
        found
    }
}
