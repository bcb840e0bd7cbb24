//! Nondeterministic data: every value is explored.

use crate::model::wording;
use crate::model::{self, Label, Pending, Show};
use everyway_runtime::{Operation, Verb};
use std::ops::RangeBounds;
use std::panic::Location;

/// Chooses one of `count` alternatives: all of them in turn in a model, the first one outside of models.
#[track_caller]
fn alternative(verb: Verb, count: u32) -> u32 {
    let caller = Location::caller();
    assert!(count > 0, "everyway: `{}` has nothing to choose from", wording::word(verb));
    model::with(|model| {
        let label = Label { verb, object: None, show: Show::Choice, caller };
        model.perform_pending(Pending::new(Operation::local(), label).choosing(count)).choice
    })
    .unwrap_or(0)
}

/// `false` and `true`: both are explored. Outside of models, `false`.
///
/// ```
/// let report = everyway::explore(|| {
///     let one = everyway::any_bool();
///     let two = everyway::any_bool();
///     assert!(!(one && two) || one == two);
/// });
/// assert_eq!(report.executions.complete, 4);
/// ```
#[track_caller]
pub fn any_bool() -> bool {
    alternative(Verb::InputBool, 2) == 1
}

/// Types of which [`any`] can choose a value from a range.
pub trait Any: Copy {
    #[doc(hidden)]
    fn to_i128(self) -> i128;
    #[doc(hidden)]
    fn from_i128(value: i128) -> Self;
    #[doc(hidden)]
    const FIRST: i128;
    #[doc(hidden)]
    const LAST: i128;
}

macro_rules! any_integer {
    ($($t:ty),*) => {
        $(impl Any for $t {
            fn to_i128(self) -> i128 {
                self as i128
            }

            fn from_i128(value: i128) -> Self {
                value as $t
            }

            const FIRST: i128 = <$t>::MIN as i128;
            const LAST: i128 = <$t>::MAX as i128;
        })*
    };
}

any_integer!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

/// Any value of the range: all of them are explored. Outside of models, the first one.
///
/// # Panics
/// If the range is empty, or has more than 2^32 values.
///
/// ```
/// let report = everyway::explore(|| {
///     let n = everyway::any(1..=6);
///     assert!(n * n <= 36);
/// });
/// assert_eq!(report.executions.complete, 6);
/// ```
#[track_caller]
pub fn any<T: Any>(range: impl RangeBounds<T>) -> T {
    use std::ops::Bound::*;
    let first = match range.start_bound() {
        Included(value) => value.to_i128(),
        Excluded(value) => value.to_i128() + 1,
        Unbounded => T::FIRST,
    };
    let last = match range.end_bound() {
        Included(value) => value.to_i128(),
        Excluded(value) => value.to_i128() - 1,
        Unbounded => T::LAST,
    };
    assert!(first <= last, "everyway: `any` has nothing to choose from: the range is empty");
    let count = u32::try_from(last - first + 1).expect("everyway: `any` has more than 2^32 values to choose from");
    T::from_i128(first + i128::from(alternative(Verb::Input, count)))
}

/// Any of the items: all of them are explored. Outside of models, the first one.
///
/// # Panics
/// If there are none.
#[track_caller]
pub fn choose<T>(items: &[T]) -> &T {
    let count = u32::try_from(items.len()).expect("everyway: `choose` has more than 2^32 items to choose from");
    &items[alternative(Verb::Choose, count) as usize]
}

/// Goes on only if `condition` holds. An execution in which it does not is counted as blocked, and is not a
/// failure.
///
/// # Panics
/// Outside of models, if the condition does not hold.
#[track_caller]
pub fn assume(condition: bool) {
    if condition {
        return;
    }
    let caller = Location::caller();
    if model::with(|model| model.give_up(caller)).is_none() {
        panic!("everyway: an assumption does not hold");
    }
}
