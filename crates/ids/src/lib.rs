//! How ids are made: newtypes over `u32`, so that what is known of a thing lives in a plain vector and the id of one
//! kind of thing is never taken for that of another.
//!
//! This crate knows the form of ids only; what they name is for the crate that makes them.

/// Makes an id: its documentation, its name, and the prefix with which it is printed.
///
/// ```
/// everyway_ids::id!(
///     /// A train of the timetable.
///     Train,
///     "train"
/// );
///
/// let names = ["night mail", "express"];
/// let express = Train::new(1);
/// assert_eq!(names[express.index()], "express");
/// assert_eq!(express.to_string(), "train1");
/// ```
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into a dense vector.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the thing at `index` of a dense vector.
            #[inline]
            pub fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok(), "an id is 32 bits wide");
                Self(index as u32)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::write!(f, ::std::concat!($prefix, "{}"), self.0)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(self, f)
            }
        }
    };
}
