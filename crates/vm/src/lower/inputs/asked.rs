//! What a program asks about a value: nothing, how it compares with constants, or everything.
//!
//! Of values that compare alike with all these constants, one stands for the others. The values of a type with `w` bits, as
//! unsigned numbers, are cut into intervals, inside of each of which all comparisons of order have one outcome, and apart from
//! them are the values that the program compares with for equality.

use everyway_ir::IntPredicate;
use std::collections::BTreeSet;

/// With more comparisons than this, everything is asked.
const CUTS: usize = 24;
/// With more classes than this, not all of them are tried.
const CLASSES: usize = 16;

/// What tells values apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    /// Whether they are this one.
    At(u64),
    /// Whether they are smaller than this one, as unsigned numbers.
    From(u64),
}

/// What is asked about a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// How it compares with constants.
    Compared(BTreeSet<Cut>),
    /// Everything.
    Everything,
}

impl Asked {
    /// How a value of so many bits compares with a constant.
    pub(super) fn comparison(predicate: IntPredicate, constant: u64, width: u32) -> Self {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let next = constant.wrapping_add(1) & mask(width);
        let cuts = match predicate {
            Eq | Ne => vec![Cut::At(constant)],
            Ult | Uge => vec![Cut::From(constant)],
            Ugt | Ule => vec![Cut::From(next)],
            // Those that are negative come last as unsigned numbers.
            Slt | Sge => vec![Cut::From(constant), Cut::From(half(width))],
            Sgt | Sle => vec![Cut::From(next), Cut::From(half(width))],
        };
        Asked::Compared(cuts.into_iter().collect())
    }

    /// Which of these a value is.
    pub(super) fn cases(constants: impl Iterator<Item = u64>) -> Self {
        let mut asked = Asked::Nothing;
        constants.for_each(|constant| _ = asked.add(&Asked::Compared(BTreeSet::from([Cut::At(constant)]))));
        asked
    }

    pub(super) fn is_nothing(&self) -> bool {
        *self == Asked::Nothing
    }

    /// Asks this, too; whether that is more.
    pub(super) fn add(&mut self, more: &Asked) -> bool {
        match (&mut *self, more) {
            (Asked::Everything, _) | (_, Asked::Nothing) => return false,
            (Asked::Compared(known), Asked::Compared(cuts)) => {
                let before = known.len();
                known.extend(cuts);
                if known.len() == before {
                    return false;
                }
                if known.len() <= CUTS {
                    return true;
                }
                *self = Asked::Everything;
            }
            (_, more) => *self = more.clone(),
        }
        true
    }

    /// What is asked about a value of so many bits by what is asked about its extension, with or without its sign.
    ///
    /// Extended, its values are one interval, or two that begin with 0 and with the least negative one. What cuts them there cuts
    /// the shorter values at the same low bits; what does not cut them makes no difference, and to cut more is to tell more apart.
    pub(super) fn of_extended(&self, width: u32) -> Self {
        let Asked::Compared(cuts) = self else { return self.clone() };
        let shorter = cuts.iter().map(|cut| match cut {
            Cut::At(value) => Cut::At(value & mask(width)),
            Cut::From(value) => Cut::From(value & mask(width)),
        });
        Asked::Compared(shorter.chain([Cut::From(half(width))]).collect())
    }

    /// A value of so many bits for each class of those that compare alike, if there are few.
    pub(super) fn representatives(&self, width: u32) -> Option<Vec<u64>> {
        let cuts = match self {
            Asked::Nothing => return Some(vec![0]),
            Asked::Compared(cuts) => cuts,
            Asked::Everything => return None,
        };
        // An interval that has a value besides those compared with for equality has one among its first.
        let equal = cuts.iter().filter_map(|cut| if let Cut::At(value) = cut { Some(*value) } else { None });
        let begins = cuts.iter().filter_map(|cut| if let Cut::From(value) = cut { Some(*value) } else { None });
        let count = equal.clone().count() as u64;
        let first = begins.chain([0]).flat_map(|begin| (0..=count).map(move |by| begin.wrapping_add(by)));
        let mut found: Vec<(Vec<bool>, u64)> = Vec::new();
        for value in [0, 1].into_iter().chain(first).chain(equal).map(|value| value & mask(width)) {
            let class: Vec<bool> = cuts.iter().map(|cut| cut.is_met(value)).collect();
            if found.iter().all(|(known, _)| *known != class) {
                found.push((class, value));
            }
        }
        (found.len() <= CLASSES).then(|| found.into_iter().map(|(_, value)| value).collect())
    }
}

impl Cut {
    fn is_met(self, value: u64) -> bool {
        match self {
            Cut::At(this) => value == this,
            Cut::From(this) => value < this,
        }
    }
}

fn mask(width: u32) -> u64 {
    crate::cell::mask(width)
}

fn half(width: u32) -> u64 {
    1 << (width.clamp(1, 64) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [IntPredicate; 10] = [
        IntPredicate::Eq,
        IntPredicate::Ne,
        IntPredicate::Ult,
        IntPredicate::Ule,
        IntPredicate::Ugt,
        IntPredicate::Uge,
        IntPredicate::Slt,
        IntPredicate::Sle,
        IntPredicate::Sgt,
        IntPredicate::Sge,
    ];

    fn holds(predicate: IntPredicate, a: u64, b: u64, width: u32) -> bool {
        let signed = |bits: u64| crate::cell::sign_extend(bits, width);
        match predicate {
            IntPredicate::Eq => a == b,
            IntPredicate::Ne => a != b,
            IntPredicate::Ult => a < b,
            IntPredicate::Ule => a <= b,
            IntPredicate::Ugt => a > b,
            IntPredicate::Uge => a >= b,
            IntPredicate::Slt => signed(a) < signed(b),
            IntPredicate::Sle => signed(a) <= signed(b),
            IntPredicate::Sgt => signed(a) > signed(b),
            IntPredicate::Sge => signed(a) >= signed(b),
        }
    }

    /// Every value of five bits compares as one of the representatives does, with any two constants by any two predicates,
    /// as it is and extended to eight bits.
    #[test]
    fn representatives_stand_for_all_values() {
        let all = |width: u32| 0..1u64 << width;
        let extend = |value: u64, is_signed: bool| {
            if is_signed { crate::cell::sign_extend(value, 5) as u64 & 0xff } else { value }
        };
        let mut asked_in_all = 0;
        for (p, q) in ALL.iter().flat_map(|&p| ALL.map(|q| (p, q))) {
            for (a, b) in all(5).flat_map(|a| all(8).step_by(3).map(move |b| (a, b))) {
                for is_signed in [false, true] {
                    let mut asked = Asked::comparison(p, a, 5);
                    asked.add(&Asked::comparison(q, b, 8).of_extended(5));
                    let found = asked.representatives(5).expect("there are few");
                    let class = |value: u64| (holds(p, value, a, 5), holds(q, extend(value, is_signed), b, 8));
                    let classes: BTreeSet<_> = found.iter().map(|&value| class(value)).collect();
                    assert!(all(5).all(|value| classes.contains(&class(value))), "{p:?} {a} {q:?} {b}: {found:?}");
                    asked_in_all += 1;
                }
            }
        }
        assert!(asked_in_all > 500_000);
    }

    #[test]
    fn few_values_are_enough() {
        let zero = Asked::comparison(IntPredicate::Eq, 0, 32);
        assert_eq!(zero.representatives(32), Some(vec![0, 1]));
        let cases = Asked::cases([4, 17].into_iter());
        assert_eq!(cases.representatives(32), Some(vec![0, 4, 17]));
        assert_eq!(Asked::cases(0..20).representatives(32), None, "there are too many");
        assert_eq!(Asked::cases(0..30).representatives(32), None);
    }
}
