//! The names of things: dense `u32`s, printed as the text form spells them.

use std::fmt;

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

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    };
}

id!(
    /// A register of a function body: assigned once, by an instruction, a phi, or the call that entered the
    /// function. The first registers of a body are the function's parameters.
    Reg,
    "%"
);

id!(
    /// A block of a function body. Block 0 is the entry.
    BlockId,
    "b"
);

id!(
    /// A stack slot of a function body.
    SlotId,
    "s"
);

id!(
    /// A function of a module, defined or only declared. The text form calls it by its name instead.
    FunctionId,
    "fn"
);

id!(
    /// A global variable of a module, defined or only declared. The text form calls it by its name instead.
    GlobalId,
    "g"
);

id!(
    /// A source file of a module.
    FileId,
    "f"
);

id!(
    /// A debug type of a module.
    DebugTypeId,
    "t"
);
