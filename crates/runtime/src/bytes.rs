//! Parts of locations: C programs access as bytes what they wrote as words.

/// Which of the eight bytes of a location an access touches, a bit per byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bytes(pub u8);

impl Bytes {
    /// The whole location.
    pub const ALL: Self = Self(0xff);

    /// Whether some byte is among both.
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of the other bytes are among these.
    #[inline]
    pub fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// As many bits as these (adjacent) bytes have, and where in the location they start.
    #[inline]
    fn bits(self) -> (u64, u32) {
        debug_assert!(self.0 != 0, "some bytes are accessed");
        // They are adjacent: those that are not among them are above and below.
        let others = self.0.leading_zeros() + self.0.trailing_zeros();
        (u64::MAX >> (8 * others), 8 * self.0.trailing_zeros())
    }

    /// The value of these (adjacent) bytes within a location that holds `whole`.
    #[inline]
    pub fn get(self, whole: u64) -> u64 {
        let (bits, start) = self.bits();
        whole >> start & bits
    }

    /// `whole` with these (adjacent) bytes replaced by `part`.
    #[inline]
    pub fn set(self, whole: u64, part: u64) -> u64 {
        let (bits, start) = self.bits();
        whole & !(bits << start) | (part & bits) << start
    }
}
