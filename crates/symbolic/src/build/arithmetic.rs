//! Operations on scalars as terms.

use super::Builder;
use crate::system::{OBJECT_BITS, OFFSET_BITS, POINTER_BITS};
use crate::term::{Node, Term};
use everyway_ir::{BinaryOp, CastOp, IntPredicate, OverflowOp, RmwOp, UnaryOp};

impl Builder<'_> {
    fn zero_like(&mut self, term: Term) -> Term {
        self.terms.constant(self.terms.width(term), 0)
    }

    fn is_negative(&mut self, term: Term) -> Term {
        let sign = self.terms.width(term) - 1;
        self.terms.extract(term, sign, 1)
    }

    fn negated(&mut self, term: Term) -> Term {
        let zero = self.zero_like(term);
        self.terms.sub(zero, term)
    }

    fn absolute(&mut self, term: Term) -> Term {
        let (negative, negated) = (self.is_negative(term), self.negated(term));
        self.terms.choose(negative, negated, term)
    }

    /// The result of a binary operation; `None` if it is not supported.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.terms;
        Some(match op {
            BinaryOp::Add => terms.add(a, b),
            BinaryOp::Sub => terms.sub(a, b),
            BinaryOp::Mul => terms.mul(a, b),
            BinaryOp::UDiv => terms.divide(a, b),
            BinaryOp::URem => terms.remainder(a, b),
            BinaryOp::SDiv => {
                let (x, y) = (self.absolute(a), self.absolute(b));
                let (signs, quotient) = (self.terms.xor(a, b), self.terms.divide(x, y));
                let (negative, negated) = (self.is_negative(signs), self.negated(quotient));
                self.terms.choose(negative, negated, quotient)
            }
            BinaryOp::SRem => {
                let (x, y) = (self.absolute(a), self.absolute(b));
                let rest = self.terms.remainder(x, y);
                let (negative, negated) = (self.is_negative(a), self.negated(rest));
                self.terms.choose(negative, negated, rest)
            }
            BinaryOp::Shl => terms.shift_left(a, b),
            BinaryOp::LShr => terms.shift_right(a, b),
            BinaryOp::AShr => terms.shift_right_signed(a, b),
            BinaryOp::And => terms.and(a, b),
            BinaryOp::Or => terms.or(a, b),
            BinaryOp::Xor => terms.xor(a, b),
            BinaryOp::SMin | BinaryOp::SMax => {
                let less = terms.less_signed(a, b);
                if op == BinaryOp::SMin { terms.choose(less, a, b) } else { terms.choose(less, b, a) }
            }
            BinaryOp::UMin | BinaryOp::UMax => {
                let less = terms.less(a, b);
                if op == BinaryOp::UMin { terms.choose(less, a, b) } else { terms.choose(less, b, a) }
            }
            _ => return None,
        })
    }

    /// When a binary operation fails: a division by zero, or the least value by -1.
    pub(super) fn binary_fails(&mut self, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
        let zero = self.zero_like(b);
        let by_zero = self.terms.equal(b, zero);
        match op {
            BinaryOp::UDiv | BinaryOp::URem => Some(by_zero),
            BinaryOp::SDiv | BinaryOp::SRem => {
                let width = self.terms.width(a);
                let least = self.terms.constant(width, 1 << (width - 1));
                let minus_one = self.terms.constant(width, u128::MAX);
                let (x, y) = (self.terms.equal(a, least), self.terms.equal(b, minus_one));
                let overflows = self.terms.and(x, y);
                Some(self.terms.or(by_zero, overflows))
            }
            _ => None,
        }
    }

    /// When the result of a shift is undefined.
    pub(super) fn shift_is_undefined(&mut self, op: BinaryOp, b: Term) -> Option<Term> {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
        is_shift.then(|| {
            let width = self.terms.width(b);
            let limit = self.terms.constant(width, width.into());
            let within = self.terms.less(b, limit);
            // A narrow type cannot even say its own width.
            let within = if u128::from(width) > crate::term::mask(width) { self.terms.bool(true) } else { within };
            self.terms.not(within)
        })
    }

    /// The wrapped result, and whether it wrapped.
    pub(super) fn overflow(&mut self, op: OverflowOp, a: Term, b: Term) -> Option<(Term, Term)> {
        let width = self.terms.width(a);
        let is_product = matches!(op, OverflowOp::SMul | OverflowOp::UMul);
        let wide = if is_product { 2 * width } else { width + 1 };
        if wide > 128 {
            return None;
        }
        let is_signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
        let extend = |builder: &mut Self, term: Term| match is_signed {
            true => builder.terms.extend_sign(term, wide),
            false => builder.terms.extend_zero(term, wide),
        };
        let (x, y) = (extend(self, a), extend(self, b));
        let whole = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => self.terms.add(x, y),
            OverflowOp::SSub | OverflowOp::USub => self.terms.sub(x, y),
            OverflowOp::SMul | OverflowOp::UMul => self.terms.mul(x, y),
        };
        let result = self.terms.extract(whole, 0, width);
        let back = extend(self, result);
        let same = self.terms.equal(whole, back);
        Some((result, self.terms.not(same)))
    }

    /// The result of a unary operation; `None` if it is not supported.
    pub(super) fn unary(&mut self, op: UnaryOp, a: Term) -> Option<Term> {
        let width = self.terms.width(a);
        let bits =
            |builder: &mut Self| -> Vec<Term> { (0..width).map(|bit| builder.terms.extract(a, bit, 1)).collect() };
        Some(match op {
            UnaryOp::Freeze => a,
            UnaryOp::Abs => self.absolute(a),
            UnaryOp::CountOnes => {
                let start = self.zero_like(a);
                bits(self).into_iter().fold(start, |sum, bit| {
                    let bit = self.terms.extend_zero(bit, width);
                    self.terms.add(sum, bit)
                })
            }
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let mut bits = bits(self);
                // What is chosen last is looked at first.
                let leading = op == UnaryOp::LeadingZeros;
                if !leading {
                    bits.reverse();
                }
                let start = self.terms.constant(width, width.into());
                bits.into_iter().enumerate().fold(start, |rest, (position, bit)| {
                    let zeros = self.terms.constant(width, u128::from(width) - 1 - position as u128);
                    self.terms.choose(bit, zeros, rest)
                })
            }
            UnaryOp::ByteSwap => {
                let bytes: Vec<Term> = (0..width / 8).map(|byte| self.terms.extract(a, 8 * byte, 8)).collect();
                bytes.into_iter().reduce(|high, low| self.terms.concat(high, low))?
            }
            _ => return None,
        })
    }

    pub(super) fn compare(&mut self, predicate: IntPredicate, a: Term, b: Term) -> Term {
        let terms = &mut self.terms;
        match predicate {
            IntPredicate::Eq => terms.equal(a, b),
            IntPredicate::Ne => {
                let same = terms.equal(a, b);
                terms.not(same)
            }
            IntPredicate::Ult => terms.less(a, b),
            IntPredicate::Ugt => terms.less(b, a),
            IntPredicate::Slt => terms.less_signed(a, b),
            IntPredicate::Sgt => terms.less_signed(b, a),
            IntPredicate::Ule => self.not_compare(IntPredicate::Ugt, a, b),
            IntPredicate::Uge => self.not_compare(IntPredicate::Ult, a, b),
            IntPredicate::Sle => self.not_compare(IntPredicate::Sgt, a, b),
            IntPredicate::Sge => self.not_compare(IntPredicate::Slt, a, b),
        }
    }

    fn not_compare(&mut self, predicate: IntPredicate, a: Term, b: Term) -> Term {
        let opposite = self.compare(predicate, a, b);
        self.terms.not(opposite)
    }

    /// A conversion to this many bits; `None` if it is not supported.
    pub(super) fn cast(&mut self, op: CastOp, a: Term, width: u32) -> Option<Term> {
        Some(match op {
            CastOp::Trunc => self.terms.extract(a, 0, width),
            CastOp::ZExt => self.terms.extend_zero(a, width),
            CastOp::SExt => self.terms.extend_sign(a, width),
            CastOp::PtrToInt | CastOp::IntToPtr => a,
            CastOp::Bitcast if self.terms.width(a) == width => a,
            _ => return None,
        })
    }

    /// What an atomic read-modify-write writes; `None` if it is not supported.
    pub(super) fn modified(&mut self, op: RmwOp, old: Term, value: Term) -> Option<Term> {
        Some(match op {
            RmwOp::Xchg => value,
            RmwOp::Add => self.terms.add(old, value),
            RmwOp::Sub => self.terms.sub(old, value),
            RmwOp::And => self.terms.and(old, value),
            RmwOp::Nand => {
                let both = self.terms.and(old, value);
                self.terms.not(both)
            }
            RmwOp::Or => self.terms.or(old, value),
            RmwOp::Xor => self.terms.xor(old, value),
            RmwOp::Max => self.binary(BinaryOp::SMax, old, value)?,
            RmwOp::Min => self.binary(BinaryOp::SMin, old, value)?,
            RmwOp::UMax => self.binary(BinaryOp::UMax, old, value)?,
            RmwOp::UMin => self.binary(BinaryOp::UMin, old, value)?,
            _ => return None,
        })
    }

    /// The pointer `base + offset + index * stride`; with it, when the index is too large for that.
    pub(super) fn offset(&mut self, base: Term, offset: i64, index: Option<(Term, i64)>) -> (Term, Option<Term>) {
        let (object, mut low) = (self.terms.extract(base, OFFSET_BITS, OBJECT_BITS), {
            let low = self.terms.extract(base, 0, OFFSET_BITS);
            let by = self.terms.constant(OFFSET_BITS, offset as u128);
            self.terms.add(low, by)
        });
        let mut too_large = None;
        if let Some((index, stride)) = index {
            // The width that it has without its signs.
            let narrow = match self.terms.node(index) {
                Node::Extend(inner) => self.terms.width(inner),
                Node::Concat(high, low) if self.terms.value(high) == Some(0) => self.terms.width(low) + 1,
                _ => POINTER_BITS,
            };
            if narrow > 33 && self.terms.value(index).is_none() {
                let short = self.terms.extract(index, 0, 32);
                let back = self.terms.extend_sign(short, POINTER_BITS);
                let same = self.terms.equal(index, back);
                too_large = Some(self.terms.not(same));
            }
            let index = self.terms.extract(index, 0, OFFSET_BITS);
            let stride = self.terms.constant(OFFSET_BITS, stride as u128);
            let product = self.terms.mul(index, stride);
            low = self.terms.add(low, product);
        }
        (self.terms.concat(object, low), too_large)
    }
}
