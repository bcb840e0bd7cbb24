//! Sets of integers as unions of intervals: what comparisons with known numbers say about a value.

use crate::operators::IntPredicate;
use smallvec::SmallVec;

/// A set of unsigned integers of a width of up to 64 bits: disjoint intervals, ends included, by increasing value,
/// with something missing between any two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// The greatest integer of the width.
    max: u64,
    intervals: SmallVec<[(u64, u64); 2]>,
}

impl Ranges {
    /// All integers of `width` bits, 1 to 64.
    pub fn all(width: u32) -> Self {
        let max = u64::MAX >> (64 - width.clamp(1, 64));
        Self { max, intervals: smallvec::smallvec![(0, max)] }
    }

    /// No integer.
    pub fn none(width: u32) -> Self {
        Self { intervals: SmallVec::new(), ..Self::all(width) }
    }

    /// The integers that stand in a relation to `operand`, whose bits above the width are ignored.
    pub fn of(predicate: IntPredicate, operand: u64, width: u32) -> Self {
        let Self { max, .. } = Self::all(width);
        let operand = operand & max;
        match predicate {
            IntPredicate::Eq => Self::between(max, Some(operand), Some(operand)),
            IntPredicate::Ne => Self::of(IntPredicate::Eq, operand, width).complement(),
            IntPredicate::Ugt => Self::between(max, operand.checked_add(1), Some(max)),
            IntPredicate::Uge => Self::between(max, Some(operand), Some(max)),
            IntPredicate::Ult => Self::between(max, Some(0), operand.checked_sub(1)),
            IntPredicate::Ule => Self::between(max, Some(0), Some(operand)),
            // Signed integers are in order from half of the unsigned ones on, and around.
            IntPredicate::Sgt => Self::of(IntPredicate::Sle, operand, width).complement(),
            IntPredicate::Slt => Self::of(IntPredicate::Sge, operand, width).complement(),
            IntPredicate::Sge if operand > max / 2 => {
                Self::between(max, Some(operand), Some(max)).union(&Self::between(max, Some(0), Some(max / 2)))
            }
            IntPredicate::Sge => Self::between(max, Some(operand), Some(max / 2)),
            IntPredicate::Sle if operand > max / 2 => Self::between(max, Some(max / 2 + 1), Some(operand)),
            IntPredicate::Sle => {
                Self::between(max, Some(0), Some(operand)).union(&Self::between(max, Some(max / 2 + 1), Some(max)))
            }
        }
    }

    fn between(max: u64, low: Option<u64>, high: Option<u64>) -> Self {
        let found = low.zip(high).filter(|(low, high)| low <= high && *low <= max);
        Self { max, intervals: found.into_iter().collect() }
    }

    /// The integers that are not in the set.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut intervals = SmallVec::new();
        let mut next = Some(0);
        for &(low, high) in &self.intervals {
            if let (Some(start), Some(end)) = (next, low.checked_sub(1))
                && start <= end
            {
                intervals.push((start, end));
            }
            next = high.checked_add(1);
        }
        if let Some(start) = next.filter(|&start| start <= self.max) {
            intervals.push((start, self.max));
        }
        Self { max: self.max, intervals }
    }

    /// The integers that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut intervals = SmallVec::new();
        for &(low, high) in &self.intervals {
            for &(other_low, other_high) in &other.intervals {
                let (low, high) = (low.max(other_low), high.min(other_high));
                if low <= high {
                    intervals.push((low, high));
                }
            }
        }
        Self { max: self.max, intervals }
    }

    /// The integers that are in one of the sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.complement().intersection(&other.complement()).complement()
    }

    /// The intervals, ends included.
    pub fn intervals(&self) -> &[(u64, u64)] {
        &self.intervals
    }

    /// Whether no integer is in the set.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Whether every integer of the width is in the set.
    pub fn is_all(&self) -> bool {
        self.intervals[..] == [(0, self.max)]
    }

    /// Whether `value` is in the set.
    pub fn contains(&self, value: u64) -> bool {
        self.intervals.iter().any(|&(low, high)| (low..=high).contains(&value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relation as it is defined, on four bits.
    fn holds(predicate: IntPredicate, a: u64, b: u64) -> bool {
        let signed = |x: u64| if x >= 8 { x as i64 - 16 } else { x as i64 };
        match predicate {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Sgt => signed(a) > signed(b),
            IntPredicate::Sge => signed(a) >= signed(b),
            IntPredicate::Slt => signed(a) < signed(b),
            IntPredicate::Sle => signed(a) <= signed(b),
        }
    }

    #[test]
    fn sets_are_those_of_the_relations() {
        for &predicate in IntPredicate::ALL {
            for operand in 0..16 {
                let set = Ranges::of(predicate, operand, 4);
                for value in 0..16 {
                    assert_eq!(set.contains(value), holds(predicate, value, operand), "{value} {predicate} {operand}");
                }
                for &other in IntPredicate::ALL {
                    let (more, both) = (Ranges::of(other, 5, 4), Ranges::of(other, 5, 4).intersection(&set));
                    let either = more.union(&set);
                    for value in 0..16 {
                        assert_eq!(both.contains(value), more.contains(value) && set.contains(value));
                        assert_eq!(either.contains(value), more.contains(value) || set.contains(value));
                        assert_eq!(set.complement().contains(value), !set.contains(value));
                    }
                    assert_eq!(either.is_all(), (0..16).all(|value| either.contains(value)));
                    assert_eq!(both.is_empty(), (0..16).all(|value| !both.contains(value)));
                }
            }
        }
    }

    #[test]
    fn the_widest_integers_do_not_overflow() {
        assert!(Ranges::of(IntPredicate::Ule, u64::MAX, 64).is_all());
        assert!(Ranges::of(IntPredicate::Ugt, u64::MAX, 64).is_empty());
        assert_eq!(Ranges::of(IntPredicate::Slt, 0, 64).intervals(), [(1 << 63, u64::MAX)]);
    }
}
