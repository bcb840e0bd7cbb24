//! What a register holds: bits, and which of them are undefined.
//!
//! Definedness is kept for each bit, so that a bit field in an uninitialised word can be set and read, and a
//! structure with padding can be copied. Only a decision that depends on an undefined bit is an error.

/// Up to 64 bits of a value. Bits above the width of the type are zero, and defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The bits; undefined ones are zero or arbitrary.
    pub(crate) bits: u64,
    /// Which of the bits have no value.
    pub(crate) undef: u64,
}

impl Cell {
    #[inline(always)]
    pub(crate) fn new(bits: u64) -> Self {
        Self { bits, undef: 0 }
    }

    /// No value at all, `width` bits wide.
    #[inline]
    pub(crate) fn undefined(width: u32) -> Self {
        Self { bits: 0, undef: mask(width) }
    }

    #[inline(always)]
    pub(crate) fn is_defined(self) -> bool {
        self.undef == 0
    }
}

/// The low `width` bits; all 64 for a greater width.
#[inline(always)]
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of `value`, with the highest of them repeated above.
#[inline(always)]
pub(crate) fn sign_extend(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}
