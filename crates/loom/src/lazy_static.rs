//! What [`lazy_static!`](crate::lazy_static!) is made of: statics that are computed when they are first used, once in each
//! execution.

pub use crate::thread::{AccessError, panicking, yield_now};

use everyway::sync::LazyLock;
use std::fmt;

/// A value that is computed when it is first used, once in each execution.
pub struct Lazy<T: 'static> {
    value: LazyLock<T>,
}

// SAFETY: the value is reached in models only (`Lazy::get`), whose threads are all on one thread of the operating system. As
// in loom, values that are not `Sync` can be tried in models.
unsafe impl<T> Sync for Lazy<T> {}

impl<T> Lazy<T> {
    #[doc(hidden)]
    pub const fn new(init: fn() -> T) -> Self {
        Self { value: LazyLock::new(init) }
    }

    /// The value. It lasts until the end of the execution.
    ///
    /// # Panics
    /// Outside of models.
    #[track_caller]
    pub fn get(&'static self) -> &'static T {
        crate::model::assert_inside("a static of `lazy_static!`");
        LazyLock::force(&self.value)
    }
}

impl<T> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").finish_non_exhaustive()
    }
}

/// `lazy_static::lazy_static!` for models: the statics are fresh in each execution.
///
/// ```
/// loom::lazy_static! {
///     /// The numbers.
///     static ref NUMBERS: Vec<u32> = vec![1, 2, 3];
/// }
///
/// loom::model(|| assert_eq!(NUMBERS.len(), 3));
/// ```
#[macro_export]
macro_rules! lazy_static {
    () => {};
    ($(#[$attribute:meta])* static ref $($rest:tt)*) => {
        $crate::lazy_static!(@one [$(#[$attribute])*] [] $($rest)*);
    };
    ($(#[$attribute:meta])* pub static ref $($rest:tt)*) => {
        $crate::lazy_static!(@one [$(#[$attribute])*] [pub] $($rest)*);
    };
    ($(#[$attribute:meta])* pub ($($scope:tt)+) static ref $($rest:tt)*) => {
        $crate::lazy_static!(@one [$(#[$attribute])*] [pub ($($scope)+)] $($rest)*);
    };
    (@one [$($attribute:tt)*] [$($visibility:tt)*] $name:ident : $type:ty = $init:expr; $($rest:tt)*) => {
        $($attribute)*
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
        $($visibility)* struct $name {
            hidden: (),
        }

        #[doc(hidden)]
        $($visibility)* static $name: $name = $name { hidden: () };

        impl ::core::ops::Deref for $name {
            type Target = $type;

            fn deref(&self) -> &$type {
                static VALUE: $crate::lazy_static::Lazy<$type> = $crate::lazy_static::Lazy::new(|| $init);
                VALUE.get()
            }
        }

        $crate::lazy_static!($($rest)*);
    };
}
