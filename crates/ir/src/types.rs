//! The types of registers: scalars only.

use std::fmt;

/// What a register holds.
///
/// There are no aggregates: the reader splits structures, arrays and vectors in registers into their scalars,
/// in order of their offset. Memory has no types at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An integer of 1 to 128 bits. Bits above the width do not exist; signedness is in the operations.
    Int(u8),
    /// An IEEE single.
    F32,
    /// An IEEE double.
    F64,
    /// A pointer: 8 bytes.
    Ptr,
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Self = Type::Int(1);
    /// A byte.
    pub const I8: Self = Type::Int(8);
    /// A 32-bit integer.
    pub const I32: Self = Type::Int(32);
    /// A 64-bit integer: what pointers are offset by.
    pub const I64: Self = Type::Int(64);

    /// The number of bytes that a load or store of this type touches. Integers whose width is no multiple of
    /// eight are stored with zero bits above.
    #[inline]
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// The number of bits of a value.
    #[inline]
    pub fn bits(self) -> u32 {
        match self {
            Type::Int(bits) => u32::from(bits),
            Type::F32 => 32,
            Type::F64 | Type::Ptr => 64,
        }
    }

    /// The bits that a value of this type can have set.
    #[inline]
    pub fn mask(self) -> u128 {
        match self.bits() {
            bits @ 0..=127 => (1 << bits) - 1,
            _ => u128::MAX,
        }
    }

    /// Whether this is an integer type.
    pub fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Whether this is a floating point type.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::F32 => f.write_str("f32"),
            Type::F64 => f.write_str("f64"),
            Type::Ptr => f.write_str("ptr"),
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
