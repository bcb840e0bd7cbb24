//! An optional number in the space of a number.

use std::fmt;
use std::num::NonZeroU32;

/// An `Option<u32>` of four bytes; there are many of them where they are kept. `u32::MAX` is not among the numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(Option<NonZeroU32>);

impl Packed {
    pub(crate) const NONE: Self = Self(None);

    #[inline]
    pub(crate) const fn some(number: u32) -> Self {
        // One more than the number; for `u32::MAX`, none.
        Self(NonZeroU32::new(number.wrapping_add(1)))
    }

    #[inline]
    pub(crate) fn get(self) -> Option<u32> {
        self.0.map(|more| more.get() - 1)
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self.0.is_none()
    }
}

impl From<Option<u32>> for Packed {
    fn from(number: Option<u32>) -> Self {
        number.map_or(Self::NONE, Self::some)
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_as_they_went_in() {
        for number in [0, 1, u32::MAX - 1] {
            assert_eq!(Packed::some(number).get(), Some(number));
            assert!(!Packed::from(Some(number)).is_none());
        }
        assert_eq!(Packed::some(u32::MAX), Packed::NONE);
        assert_eq!(Packed::from(None).get(), None);
        assert_eq!(size_of::<Packed>(), size_of::<u32>());
    }
}
