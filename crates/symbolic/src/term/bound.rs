//! How large a term can be: bits above that are never set, which the solver would have to find out by itself.
//!
//! A loop counter that starts at 0 and is at most one more after each step is at most as large as the number of steps;
//! an adder does not show that.

use super::{Node, Term, Terms, mask};

/// The largest value of every term that was looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds(Vec<u128>);

impl Bounds {
    /// The largest value that this term can have, as far as is known. Its operands were looked at before.
    pub(crate) fn of(&mut self, terms: &Terms, term: Term) -> u128 {
        if self.0.len() <= term.index() {
            self.0.resize(terms.len(), u128::MAX);
        }
        let most = self.compute(terms, term).min(mask(terms.width(term)));
        self.0[term.index()] = most;
        most
    }

    fn compute(&self, terms: &Terms, term: Term) -> u128 {
        let of =
            |operand: Term| self.0.get(operand.index()).copied().unwrap_or(u128::MAX).min(mask(terms.width(operand)));
        // Wrapping around, a value can be anything.
        let fits = |value: Option<u128>| value.filter(|value| *value <= mask(terms.width(term))).unwrap_or(u128::MAX);
        match terms.node(term) {
            Node::Const(bits) => bits,
            Node::And(a, b) => of(a).min(of(b)),
            Node::Or(a, b) | Node::Xor(a, b) => all_ones(of(a).max(of(b))),
            Node::Add(a, b) => fits(of(a).checked_add(of(b))),
            Node::Mul(a, b) => fits(of(a).checked_mul(of(b))),
            Node::Choose(_, a, b) => of(a).max(of(b)),
            Node::Concat(high, low) => {
                let shift = terms.width(low);
                fits(of(high).checked_shl(shift).and_then(|high| high.checked_add(of(low))))
            }
            Node::Extract(a, 0) => of(a),
            Node::Extract(a, from) => of(a) >> from,
            Node::ShiftRight(a, _) => of(a),
            // By zero, the remainder is the dividend.
            Node::Remainder(a, b) => {
                terms.value(b).and_then(|b| b.checked_sub(1)).map_or(of(a), |most| most.min(of(a)))
            }
            _ => u128::MAX,
        }
    }
}

/// The least number with all bits set that is not less.
fn all_ones(value: u128) -> u128 {
    u128::MAX.checked_shr(value.leading_zeros()).unwrap_or(0)
}
