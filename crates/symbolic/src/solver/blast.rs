//! Terms as gates, bit by bit, the lowest first.

use super::gates::{Clauses, FALSE, Gates, Literal, TRUE};
use crate::limit::{Limit, Reached};
use crate::term::{Bounds, Node, Term, Terms};

/// The bits of a term.
type Bits = Vec<Literal>;

/// Turns terms into gates; each term once.
#[derive(Debug)]
pub(super) struct Blaster<C> {
    pub(super) gates: Gates<C>,
    /// By term; empty if it was not met yet.
    bits: Vec<Bits>,
    bounds: Bounds,
    /// How many terms were turned into gates.
    made: u64,
}

/// After how many terms the limit is looked at.
const PERIOD: u64 = 1024;

impl<C: Clauses> Blaster<C> {
    pub(super) fn new(clauses: C) -> Self {
        Self { gates: Gates::new(clauses), bits: Vec::new(), bounds: Bounds::default(), made: 0 }
    }

    /// The literal of a condition.
    pub(super) fn literal(&mut self, terms: &Terms, condition: Term, limit: &Limit) -> Result<Literal, Reached> {
        debug_assert_eq!(terms.width(condition), 1, "a condition has one bit");
        Ok(self.bits(terms, condition, limit)?[0])
    }

    /// The bits of a term that was blasted, if it was.
    pub(super) fn known(&self, term: Term) -> Option<&[Literal]> {
        self.bits.get(term.index()).map(Vec::as_slice).filter(|bits| !bits.is_empty())
    }

    /// The bits of a term, unless the limit is reached before they are made.
    fn bits(&mut self, terms: &Terms, term: Term, limit: &Limit) -> Result<&[Literal], Reached> {
        if self.bits.len() < terms.len() {
            self.bits.resize(terms.len(), Vec::new());
        }
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            if !self.bits[top.index()].is_empty() {
                work.pop();
                continue;
            }
            let node = terms.node(top);
            let ready = work.len();
            node.for_each_operand(|operand| {
                if self.bits[operand.index()].is_empty() {
                    work.push(operand);
                }
            });
            if work.len() == ready {
                let most = self.bounds.of(terms, top);
                let mut bits = self.blast(terms, top, node);
                for bit in bits.iter_mut().skip((u128::BITS - most.leading_zeros()) as usize) {
                    *bit = FALSE;
                }
                self.bits[top.index()] = bits;
                work.pop();
                self.made += 1;
                if self.made.is_multiple_of(PERIOD) {
                    limit.check()?;
                }
            }
        }
        Ok(&self.bits[term.index()])
    }

    fn of(&self, term: Term) -> Bits {
        self.bits[term.index()].clone()
    }

    fn blast(&mut self, terms: &Terms, term: Term, node: Node) -> Bits {
        let width = terms.width(term) as usize;
        match node {
            Node::Const(bits) => (0..width).map(|bit| if bits >> bit & 1 == 1 { TRUE } else { FALSE }).collect(),
            Node::Variable(_) => (0..width).map(|_| self.gates.variable()).collect(),
            Node::Not(a) => self.of(a).into_iter().map(|bit| -bit).collect(),
            Node::And(a, b) => self.zip(a, b, Gates::and),
            Node::Or(a, b) => self.zip(a, b, Gates::or),
            Node::Xor(a, b) => self.zip(a, b, Gates::xor),
            Node::Add(a, b) => self.sum(&self.of(a), &self.of(b), FALSE).0,
            Node::Sub(a, b) => self.difference(&self.of(a), &self.of(b)).0,
            Node::Mul(a, b) => self.product(&self.of(a), &self.of(b)),
            Node::Divide(a, b) => self.division(&self.of(a), &self.of(b)).0,
            Node::Remainder(a, b) => self.division(&self.of(a), &self.of(b)).1,
            Node::ShiftLeft(a, b) => self.shift(&self.of(a), &self.of(b), FALSE, true),
            Node::ShiftRight(a, b) => self.shift(&self.of(a), &self.of(b), FALSE, false),
            Node::ShiftRightSigned(a, b) => {
                let a = self.of(a);
                self.shift(&a, &self.of(b), a[width - 1], false)
            }
            Node::Equal(a, b) => {
                let differing = self.zip(a, b, Gates::xor);
                vec![-self.gates.any(differing)]
            }
            Node::Less(a, b) => vec![-self.difference(&self.of(a), &self.of(b)).1],
            Node::LessSigned(a, b) => {
                let (mut a, mut b) = (self.of(a), self.of(b));
                // With the signs inverted, the order is that of unsigned numbers.
                for bits in [&mut a, &mut b] {
                    if let Some(sign) = bits.last_mut() {
                        *sign = -*sign;
                    }
                }
                vec![-self.difference(&a, &b).1]
            }
            Node::Choose(c, a, b) => {
                let c = self.bits[c.index()][0];
                self.zip(a, b, |gates, a, b| gates.choose(c, a, b))
            }
            Node::Concat(high, low) => [self.of(low), self.of(high)].concat(),
            Node::Extract(a, from) => self.bits[a.index()][from as usize..from as usize + width].to_vec(),
            Node::Extend(a) => {
                let mut bits = self.of(a);
                bits.resize(width, bits[bits.len() - 1]);
                bits
            }
        }
    }

    fn zip(&mut self, a: Term, b: Term, gate: impl Fn(&mut Gates<C>, Literal, Literal) -> Literal) -> Bits {
        let (a, b) = (self.of(a), self.of(b));
        a.iter().zip(&b).map(|(&a, &b)| gate(&mut self.gates, a, b)).collect()
    }

    /// The sum, and the carry out of it.
    fn sum(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> (Bits, Literal) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let (bit, out) = self.gates.add(a, b, carry);
            sum.push(bit);
            carry = out;
        }
        (sum, carry)
    }

    /// The difference, and whether the second is not greater.
    fn difference(&mut self, a: &[Literal], b: &[Literal]) -> (Bits, Literal) {
        let negated: Bits = b.iter().map(|bit| -bit).collect();
        self.sum(a, &negated, TRUE)
    }

    fn product(&mut self, a: &[Literal], b: &[Literal]) -> Bits {
        let width = a.len();
        let mut sum = vec![FALSE; width];
        for (position, &bit) in b.iter().enumerate().filter(|(_, bit)| **bit != FALSE) {
            let mut shifted = vec![FALSE; position];
            for &other in &a[..width - position] {
                shifted.push(self.gates.and(bit, other));
            }
            sum = self.sum(&sum, &shifted, FALSE).0;
        }
        sum
    }

    /// Quotient and remainder, as by hand: from the highest bit on, the divisor is taken off where it fits.
    fn division(&mut self, a: &[Literal], b: &[Literal]) -> (Bits, Bits) {
        let width = a.len();
        let mut quotient = vec![FALSE; width];
        // One bit more, for what is shifted out.
        let mut rest = vec![FALSE; width + 1];
        let mut divisor = b.to_vec();
        divisor.push(FALSE);
        for position in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[position]);
            let (less, fits) = self.difference(&rest, &divisor);
            quotient[position] = fits;
            rest = rest.iter().zip(&less).map(|(&kept, &less)| self.gates.choose(fits, less, kept)).collect();
        }
        rest.pop();
        (quotient, rest)
    }

    /// A shift by 1, 2, 4 and so on, as the bits of the distance say; all bits go if a higher one is set.
    fn shift(&mut self, a: &[Literal], by: &[Literal], fill: Literal, left: bool) -> Bits {
        let width = a.len();
        let mut bits = a.to_vec();
        let mut far = Vec::new();
        for (stage, &bit) in by.iter().enumerate() {
            let Some(distance) = 1usize.checked_shl(stage as u32).filter(|distance| *distance < width) else {
                far.push(bit);
                continue;
            };
            let moved = |position: usize| match left {
                true => position.checked_sub(distance),
                false => Some(position + distance).filter(|from| *from < width),
            };
            let source = bits.clone();
            for (position, bit_here) in bits.iter_mut().enumerate() {
                let from = moved(position).map_or(fill, |from| source[from]);
                *bit_here = self.gates.choose(bit, from, source[position]);
            }
        }
        let far = self.gates.any(far);
        bits.iter().map(|&bit| self.gates.choose(far, fill, bit)).collect()
    }

    /// All of these bits are literals of the model; what it says of a term.
    pub(super) fn read(bits: &[Literal], mut holds: impl FnMut(Literal) -> bool) -> u128 {
        bits.iter().enumerate().fold(0, |value, (position, &bit)| value | u128::from(holds(bit)) << position)
    }
}
