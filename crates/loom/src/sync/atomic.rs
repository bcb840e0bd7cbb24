//! [`std::sync::atomic`], as models see it: everyway's types, with what loom adds to std's.

#[doc(hidden)]
#[allow(deprecated)]
pub use everyway::sync::atomic::spin_loop_hint;
pub use everyway::sync::atomic::{Ordering, fence};

use everyway::sync::atomic as inner;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// An atomic type, which has all that everyway's has, and what loom adds.
macro_rules! atomic {
    ($($name:ident $(<$t:ident>)?, $value:ty;)*) => {
        $(
            #[doc = concat!("As [`std::sync::atomic::", stringify!($name), "`].")]
            pub struct $name $(<$t>)? (inner::$name $(<$t>)?);

            impl $(<$t>)? $name $(<$t>)? {
                /// An atomic with this value.
                pub const fn new(value: $value) -> Self {
                    Self(inner::$name::new(value))
                }

                /// Calls `f` with the value: the borrow is exclusive.
                #[track_caller]
                pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut $value) -> R) -> R {
                    f(self.0.get_mut())
                }

                /// The value, read as if it were not atomic: a relaxed load. One that races with a store is not reported
                /// as such; it is tried with every value that it may see.
                ///
                /// # Safety
                /// No other thread may write it at the same time: without loom, that is undefined behaviour.
                #[track_caller]
                pub unsafe fn unsync_load(&self) -> $value {
                    self.0.load(Ordering::Relaxed)
                }

                /// The value.
                #[track_caller]
                pub fn into_inner(self) -> $value {
                    self.0.into_inner()
                }
            }

            impl $(<$t>)? Deref for $name $(<$t>)? {
                type Target = inner::$name $(<$t>)?;

                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            impl $(<$t>)? DerefMut for $name $(<$t>)? {
                fn deref_mut(&mut self) -> &mut Self::Target {
                    &mut self.0
                }
            }

            impl $(<$t>)? Default for $name $(<$t>)? {
                fn default() -> Self {
                    Self(Default::default())
                }
            }

            impl $(<$t>)? From<$value> for $name $(<$t>)? {
                fn from(value: $value) -> Self {
                    Self::new(value)
                }
            }

            impl $(<$t>)? fmt::Debug for $name $(<$t>)? {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

atomic! {
    AtomicBool, bool;
    AtomicI8, i8;
    AtomicI16, i16;
    AtomicI32, i32;
    AtomicI64, i64;
    AtomicIsize, isize;
    AtomicU8, u8;
    AtomicU16, u16;
    AtomicU32, u32;
    AtomicU64, u64;
    AtomicUsize, usize;
    AtomicPtr<T>, *mut T;
}
