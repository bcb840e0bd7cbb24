//! A hash of 128 bits: enough for what does not happen by accident. To do harm, those who may write to the folder need no
//! collisions.

use std::fmt;

/// Odd, so that multiplying by it can be undone: no step loses anything.
const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// A hash of a list of byte strings. It prints in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Digest(u128);

impl Default for Digest {
    fn default() -> Self {
        Self(FACTOR)
    }
}

impl Digest {
    /// The same list with one more.
    pub(super) fn and(self, bytes: &[u8]) -> Self {
        let (chunks, rest) = bytes.as_chunks::<16>();
        let digest = chunks.iter().fold(self, |digest, chunk| digest.mix(u128::from_le_bytes(*chunk)));
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        // The length tells where one ends and the next begins.
        digest.mix(u128::from_le_bytes(last)).mix(bytes.len() as u128)
    }

    fn mix(self, word: u128) -> Self {
        let mixed = (self.0 ^ word).wrapping_mul(FACTOR);
        Self(mixed ^ (mixed >> 61))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.mix(1).mix(2).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn lists_that_differ_have_different_digests() {
        let mut seen = HashSet::new();
        for length in 0..70_usize {
            for bit in 0..length * 8 {
                let mut bytes = vec![0; length];
                bytes[bit / 8] = 1 << (bit % 8);
                assert!(seen.insert(Digest::default().and(&bytes).to_string()), "{length} {bit}");
            }
            assert!(seen.insert(Digest::default().and(&vec![0; length]).to_string()), "{length}");
        }
        let of = |parts: &[&str]| parts.iter().fold(Digest::default(), |digest, part| digest.and(part.as_bytes()));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["a", ""]), of(&["a"]));
    }
}
