//! Random numbers by the names that the crate `rand` has for them, all of which are explored.
//!
//! For code and tests that ask for random numbers: `everyway::rand` in the place of `rand` turns each into a choice
//! ([`any`](crate::any)), and every value is explored. So a range should be as small as will do: each value of it is another
//! execution, or many. Under [`Algorithm::Random`](crate::Algorithm::Random) the choices are random again.
//!
//! The methods go by the names of `rand` 0.8 and by those of 0.9 and later. Outside of models, every choice is the first one.
//!
//! ```
//! use everyway::rand::seq::SliceRandom;
//! use everyway::rand::{Rng, thread_rng};
//!
//! let report = everyway::explore(|| {
//!     let mut rng = thread_rng();
//!     let dice = (rng.gen_range(1..=6), rng.random_range(1..=6));
//!     assert!(dice.0 + dice.1 <= 12);
//! });
//! assert_eq!(report.executions.complete, 36);
//!
//! let report = everyway::explore(|| {
//!     let mut cards = ["ace", "king", "queen"];
//!     cards.shuffle(&mut thread_rng());
//! });
//! assert_eq!(report.executions.complete, 6);
//! ```

use crate::nondeterminism::{Any, any, any_bool};
use std::ops::RangeBounds;

/// What choices are made with. It has no state: what it chooses is up to the exploration.
#[derive(Clone, Debug, Default)]
pub struct ThreadRng(());

/// What choices are made with.
pub fn thread_rng() -> ThreadRng {
    ThreadRng(())
}

/// [`thread_rng`], under its newer name.
pub fn rng() -> ThreadRng {
    ThreadRng(())
}

/// A value of any of the types that have few enough.
#[track_caller]
pub fn random<T: Random>() -> T {
    T::random()
}

/// Types with so few values that all of them can be explored.
pub trait Random: Sized {
    #[doc(hidden)]
    fn random() -> Self;
}

impl Random for bool {
    #[track_caller]
    fn random() -> Self {
        any_bool()
    }
}

macro_rules! random_integer {
    ($($t:ty),*) => {
        $(impl Random for $t {
            #[track_caller]
            fn random() -> Self {
                any(..)
            }
        })*
    };
}

random_integer!(u8, i8, u16, i16);

/// Choices.
pub trait Rng {
    /// Any value of the range.
    ///
    /// # Panics
    /// If the range is empty.
    #[track_caller]
    fn gen_range<T: Any>(&mut self, range: impl RangeBounds<T>) -> T {
        any(range)
    }

    /// [`Rng::gen_range`], under its newer name.
    ///
    /// # Panics
    /// If the range is empty.
    #[track_caller]
    fn random_range<T: Any>(&mut self, range: impl RangeBounds<T>) -> T {
        any(range)
    }

    /// Either truth value, unless the probability of one of them is 0.
    ///
    /// # Panics
    /// If it is no probability.
    #[track_caller]
    fn gen_bool(&mut self, probability: f64) -> bool {
        assert!((0.0..=1.0).contains(&probability), "{probability} is not a probability");
        probability == 1.0 || probability != 0.0 && any_bool()
    }

    /// [`Rng::gen_bool`], under its newer name.
    ///
    /// # Panics
    /// If it is no probability.
    #[track_caller]
    fn random_bool(&mut self, probability: f64) -> bool {
        self.gen_bool(probability)
    }

    /// Either truth value, unless `numerator` is 0, or is `denominator`.
    ///
    /// # Panics
    /// If `denominator` is 0, or `numerator` greater.
    #[track_caller]
    fn gen_ratio(&mut self, numerator: u32, denominator: u32) -> bool {
        assert!(denominator > 0 && numerator <= denominator, "{numerator}/{denominator} is not a probability");
        numerator == denominator || numerator != 0 && any_bool()
    }

    /// [`Rng::gen_ratio`], under its newer name.
    ///
    /// # Panics
    /// If `denominator` is 0, or `numerator` greater.
    #[track_caller]
    fn random_ratio(&mut self, numerator: u32, denominator: u32) -> bool {
        self.gen_ratio(numerator, denominator)
    }

    /// A value of any of the types that have few enough.
    #[track_caller]
    fn r#gen<T: Random>(&mut self) -> T {
        T::random()
    }

    /// `Rng::gen`, under its newer name.
    #[track_caller]
    fn random<T: Random>(&mut self) -> T {
        T::random()
    }
}

impl Rng for ThreadRng {}

pub mod seq {
    //! Choices among the items of slices.

    use super::Rng;
    use crate::nondeterminism::any;

    /// Choices among the items of slices.
    pub trait SliceRandom {
        /// What is in the slice.
        type Item;

        /// Any of the items; `None` if there are none.
        fn choose<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<&Self::Item>;

        /// Any of the items, to be changed; `None` if there are none.
        fn choose_mut<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Option<&mut Self::Item>;

        /// Puts the items into any order.
        fn shuffle<R: Rng + ?Sized>(&mut self, rng: &mut R);
    }

    impl<T> SliceRandom for [T] {
        type Item = T;

        #[track_caller]
        fn choose<R: Rng + ?Sized>(&self, _: &mut R) -> Option<&T> {
            (!self.is_empty()).then(|| crate::choose(self))
        }

        #[track_caller]
        fn choose_mut<R: Rng + ?Sized>(&mut self, _: &mut R) -> Option<&mut T> {
            if self.is_empty() { None } else { Some(&mut self[any(0..self.len())]) }
        }

        #[track_caller]
        fn shuffle<R: Rng + ?Sized>(&mut self, _: &mut R) {
            for last in (1..self.len()).rev() {
                self.swap(last, any(0..=last));
            }
        }
    }
}
