//! How terms are made: what can be computed is, and what has one form has only that.

use super::{Node, Term, Terms, mask};

/// The value as a signed number of this width.
pub(super) fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((bits << shift) as i128) >> shift
}

impl Terms {
    /// A constant: the low bits of `bits`.
    pub fn constant(&mut self, width: u32, bits: u128) -> Term {
        self.make(Node::Const(bits & mask(width)), width)
    }

    /// A condition that always or never holds.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(1, u128::from(value))
    }

    pub(super) fn constants(&self, a: Term, b: Term) -> Option<(u128, u128)> {
        Some((self.value(a)?, self.value(b)?))
    }

    /// Operands of what does not care for their order, constants last.
    pub(super) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let is_later = |term: Term| (self.value(term).is_some(), term);
        if is_later(a) <= is_later(b) { (a, b) } else { (b, a) }
    }

    pub(super) fn is_zero(&self, term: Term) -> bool {
        self.value(term) == Some(0)
    }

    fn is_ones(&self, term: Term) -> bool {
        self.value(term) == Some(mask(self.width(term)))
    }

    /// Every bit inverted.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::Const(bits) => self.constant(width, !bits),
            Node::Not(inner) => inner,
            _ => self.make(Node::Not(a), width),
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands have one width");
        let (a, b) = self.ordered(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x & y);
        }
        if self.is_zero(b) || a == b || self.is_ones(b) {
            return if self.is_zero(b) { b } else { a };
        }
        if self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a) {
            return self.constant(width, 0);
        }
        self.make(Node::And(a, b), width)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands have one width");
        let (a, b) = self.ordered(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x | y);
        }
        if self.is_ones(b) || a == b || self.is_zero(b) {
            return if self.is_ones(b) { b } else { a };
        }
        if self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a) {
            return self.constant(width, u128::MAX);
        }
        self.make(Node::Or(a, b), width)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x ^ y);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) {
            return self.not(a);
        }
        if a == b {
            return self.constant(width, 0);
        }
        self.make(Node::Xor(a, b), width)
    }

    /// All of these conditions.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = Term>) -> Term {
        let start = self.bool(true);
        conditions.into_iter().fold(start, |all, condition| self.and(all, condition))
    }

    /// Any of these conditions.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = Term>) -> Term {
        let start = self.bool(false);
        conditions.into_iter().fold(start, |any, condition| self.or(any, condition))
    }

    /// Whether the second condition holds if the first does.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }

    /// The sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands have one width");
        let (a, b) = self.ordered(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.wrapping_add(y));
        }
        if self.is_zero(b) {
            return a;
        }
        // Offsets are added one after the other.
        if let (Node::Add(c, d), Some(y)) = (self.node(a), self.value(b))
            && let Some(x) = self.value(d)
        {
            let sum = self.constant(width, x.wrapping_add(y));
            return self.add(c, sum);
        }
        self.make(Node::Add(a, b), width)
    }

    /// The difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.wrapping_sub(y));
        }
        if a == b {
            return self.constant(width, 0);
        }
        if let Some(y) = self.value(b) {
            let negated = self.constant(width, y.wrapping_neg());
            return self.add(a, negated);
        }
        self.make(Node::Sub(a, b), width)
    }

    /// The product.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some((x, y)) = self.constants(a, b) {
            return self.constant(width, x.wrapping_mul(y));
        }
        match self.value(b) {
            Some(0) => b,
            Some(1) => a,
            Some(y) if y.is_power_of_two() => {
                let zeros = y.trailing_zeros();
                let (low, high) = (self.constant(zeros, 0), self.extract(a, 0, width - zeros));
                self.concat(high, low)
            }
            _ => self.make(Node::Mul(a, b), width),
        }
    }

    /// The unsigned quotient.
    pub fn divide(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(width, x.checked_div(y).unwrap_or(u128::MAX)),
            (_, Some(1)) => a,
            (_, Some(y)) if y.is_power_of_two() => {
                let high = self.extract(a, y.trailing_zeros(), width - y.trailing_zeros());
                self.extend_zero(high, width)
            }
            _ => self.make(Node::Divide(a, b), width),
        }
    }

    /// The unsigned remainder.
    pub fn remainder(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.constant(width, x.checked_rem(y).unwrap_or(x)),
            (_, Some(1)) => self.constant(width, 0),
            (_, Some(y)) if y.is_power_of_two() => {
                let low = self.extract(a, 0, y.trailing_zeros());
                self.extend_zero(low, width)
            }
            _ => self.make(Node::Remainder(a, b), width),
        }
    }

    /// Shifted by a term: `kind` makes the node, `apply` shifts a constant by fewer bits than it has.
    fn shift(&mut self, kind: fn(Term, Term) -> Node, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let Some(by) = self.value(b) else { return self.make(kind(a, b), width) };
        let by = by.min(u128::from(width)) as u32;
        if by == 0 {
            return a;
        }
        match kind(a, b) {
            Node::ShiftLeft(..) if by == width => self.constant(width, 0),
            Node::ShiftLeft(..) => {
                let (high, low) = (self.extract(a, 0, width - by), self.constant(by, 0));
                self.concat(high, low)
            }
            Node::ShiftRight(..) if by == width => self.constant(width, 0),
            Node::ShiftRight(..) => {
                let high = self.extract(a, by, width - by);
                self.extend_zero(high, width)
            }
            _ => {
                let from = by.min(width - 1);
                let high = self.extract(a, from, width - from);
                self.extend_sign(high, width)
            }
        }
    }

    /// Shifted left; zero if by the width or more.
    pub fn shift_left(&mut self, a: Term, b: Term) -> Term {
        self.shift(Node::ShiftLeft, a, b)
    }

    /// Shifted right, zeros coming in.
    pub fn shift_right(&mut self, a: Term, b: Term) -> Term {
        self.shift(Node::ShiftRight, a, b)
    }

    /// Shifted right, copies of the sign coming in.
    pub fn shift_right_signed(&mut self, a: Term, b: Term) -> Term {
        self.shift(Node::ShiftRightSigned, a, b)
    }

    /// One of two, by a condition.
    pub fn choose(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        debug_assert_eq!(self.width(then), self.width(otherwise), "alternatives have one width");
        if then == otherwise {
            return then;
        }
        if let Some(bits) = self.value(condition) {
            return if bits == 1 { then } else { otherwise };
        }
        if let Node::Not(inner) = self.node(condition) {
            return self.choose(inner, otherwise, then);
        }
        let width = self.width(then);
        if width == 1 {
            match (self.value(then), self.value(otherwise)) {
                (Some(1), _) => return self.or(condition, otherwise),
                (Some(_), _) => {
                    let not = self.not(condition);
                    return self.and(not, otherwise);
                }
                (_, Some(0)) => return self.and(condition, then),
                (_, Some(_)) => {
                    let not = self.not(condition);
                    return self.or(not, then);
                }
                _ => {}
            }
        }
        // The structure of pointers and of extended values stays in sight.
        if let (Node::Concat(t1, t0), Some((o1, o0))) = (self.node(then), self.split_like(otherwise, then)) {
            let (high, low) = (self.choose(condition, t1, o1), self.choose(condition, t0, o0));
            return self.concat(high, low);
        }
        if let (Node::Concat(o1, o0), Some((t1, t0))) = (self.node(otherwise), self.split_like(then, otherwise)) {
            let (high, low) = (self.choose(condition, t1, o1), self.choose(condition, t0, o0));
            return self.concat(high, low);
        }
        self.make(Node::Choose(condition, then, otherwise), width)
    }

    /// A constant or concatenation in the two parts of the concatenation `like`.
    fn split_like(&mut self, term: Term, like: Term) -> Option<(Term, Term)> {
        let Node::Concat(high, low) = self.node(like) else { return None };
        let (high, low) = (self.width(high), self.width(low));
        match self.node(term) {
            Node::Const(bits) => Some((self.constant(high, bits >> low), self.constant(low, bits))),
            Node::Concat(a, b) if self.width(b) == low => Some((a, b)),
            // Constants that stand side by side are one.
            Node::Concat(a, b) if self.width(b) < low && self.value(a).is_some() => {
                let rest = self.extract(a, 0, low - self.width(b));
                let top = self.extract(a, low - self.width(b), high);
                Some((top, self.concat(rest, b)))
            }
            _ => None,
        }
    }

    /// Higher and lower bits together.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (above, below) = (self.width(high), self.width(low));
        if let Some((x, y)) = self.constants(high, low) {
            return self.constant(above + below, x << below | y);
        }
        // Neighbouring bits of one term.
        if let (Node::Extract(a, from), Node::Extract(b, start)) = (self.node(high), self.node(low))
            && a == b
            && u32::from(from) == u32::from(start) + below
        {
            return self.extract(a, start.into(), above + below);
        }
        if let (Some(x), Node::Concat(middle, rest)) = (self.value(high), self.node(low))
            && let Some(y) = self.value(middle)
        {
            let middle = self.width(middle);
            let merged = self.constant(above + middle, x << middle | y);
            return self.make(Node::Concat(merged, rest), above + below);
        }
        // To the right, so that what is put together in another order is the same.
        if let Node::Concat(first, second) = self.node(high) {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        self.make(Node::Concat(high, low), above + below)
    }

    /// `width` bits from the bit `from` on.
    pub fn extract(&mut self, a: Term, from: u32, width: u32) -> Term {
        let whole = self.width(a);
        debug_assert!(width >= 1 && from + width <= whole, "only what is there can be taken out");
        if width == whole {
            return a;
        }
        match self.node(a) {
            Node::Const(bits) => self.constant(width, bits >> from),
            Node::Extract(inner, start) => self.extract(inner, u32::from(start) + from, width),
            Node::Concat(high, low) => {
                let below = self.width(low);
                if from >= below {
                    self.extract(high, from - below, width)
                } else if from + width <= below {
                    self.extract(low, from, width)
                } else {
                    let upper = self.extract(high, 0, from + width - below);
                    let lower = self.extract(low, from, below - from);
                    self.concat(upper, lower)
                }
            }
            Node::Extend(inner) if from + width <= self.width(inner) => self.extract(inner, from, width),
            Node::Extend(inner) if from == 0 => self.extend_sign(inner, width),
            Node::Choose(condition, then, otherwise)
                if self.value(then).is_some() || self.value(otherwise).is_some() =>
            {
                let (then, otherwise) = (self.extract(then, from, width), self.extract(otherwise, from, width));
                self.choose(condition, then, otherwise)
            }
            // The low bits of sums and products only depend on low bits.
            Node::Add(x, y) if from == 0 => {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.add(x, y)
            }
            Node::Sub(x, y) if from == 0 => {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.sub(x, y)
            }
            Node::Mul(x, y) if from == 0 => {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.mul(x, y)
            }
            _ => self.make(Node::Extract(a, from as u8), width),
        }
    }

    /// Widened by zeros; the same if it is as wide already.
    pub fn extend_zero(&mut self, a: Term, width: u32) -> Term {
        match width - self.width(a) {
            0 => a,
            more => {
                let zeros = self.constant(more, 0);
                self.concat(zeros, a)
            }
        }
    }

    /// Widened by copies of the sign; the same if it is as wide already.
    pub fn extend_sign(&mut self, a: Term, width: u32) -> Term {
        let narrow = self.width(a);
        match self.node(a) {
            _ if narrow == width => a,
            Node::Const(bits) => self.constant(width, signed(bits, narrow) as u128),
            Node::Extend(inner) => self.extend_sign(inner, width),
            // A value that was widened by zeros has no sign.
            Node::Concat(high, _) if self.is_zero(high) => self.extend_zero(a, width),
            _ => self.make(Node::Extend(a), width),
        }
    }
}
