//! Parts of locations: C programs access as bytes what they wrote as words.

/// Which of the eight bytes of a location an access touches, a bit per byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u8);

impl Bytes {
    /// The whole location.
    pub const ALL: Self = Self(0xff);

    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    fn bits(self) -> u64 {
        (0..8).filter(|byte| self.0 >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte))
    }

    /// The value of these (adjacent) bytes within a location that holds `whole`.
    #[inline]
    pub fn get(self, whole: u64) -> u64 {
        if self == Self::ALL { whole } else { (whole & self.bits()) >> (8 * self.0.trailing_zeros()) }
    }

    /// `whole` with these (adjacent) bytes replaced by `part`.
    #[inline]
    pub fn set(self, whole: u64, part: u64) -> u64 {
        if self == Self::ALL {
            return part;
        }
        let bits = self.bits();
        whole & !bits | part << (8 * self.0.trailing_zeros()) & bits
    }
}
