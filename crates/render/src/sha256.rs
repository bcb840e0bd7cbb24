//! SHA-256 (FIPS 180-4), by which a Content-Security-Policy names a script, and a witness the files that it is about.
//!
//! These are some tens of kilobytes: this is small rather than fast.

/// The digest of `bytes` in hexadecimal digits.
pub fn hex_digest(bytes: &[u8]) -> String {
    digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of `bytes` in base64.
pub(crate) fn base64_digest(bytes: &[u8]) -> String {
    base64(&digest(bytes))
}

/// The first 32 bits of the fractional parts of the `root`-th roots of the first `N` primes (sections 4.2.2 and 5.3.3).
fn fractions<const N: usize>(root: impl Fn(f64) -> f64, power: u32) -> [u32; N] {
    let mut primes = (2_u64..).filter(|&n| (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0));
    std::array::from_fn(|_| {
        let prime = primes.next().unwrap_or(2);
        // The root to 32 binary places: the greatest number whose power, over 2^32 each, is at most the prime.
        let target = u128::from(prime) << (32 * power);
        let mut scaled = (root(prime as f64) * 4_294_967_296.0) as u128;
        while scaled.pow(power) > target {
            scaled -= 1;
        }
        while (scaled + 1).pow(power) <= target {
            scaled += 1;
        }
        scaled as u32
    })
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    let constants: [u32; 64] = fractions(f64::cbrt, 3);
    let mut state: [u32; 8] = fractions(f64::sqrt, 2);
    let mut message = bytes.to_vec();
    message.push(0x80);
    message.resize(message.len().next_multiple_of(64), 0);
    if message.len() - bytes.len() < 9 {
        message.resize(message.len() + 64, 0);
    }
    let end = message.len() - 8;
    message[end..].copy_from_slice(&(8 * bytes.len() as u64).to_be_bytes());
    for block in message.chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    let mut result = [0; 32];
    for (bytes, word) in result.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    result
}

/// Section 6.2.2.
fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
    }
    for t in 16..64 {
        let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
        let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (&constant, &word) in constants.iter().zip(&w) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    for (word, change) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(change);
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().chain([&0, &0]).take(3).fold(0_usize, |bits, &byte| bits << 8 | usize::from(byte));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            text.push(if is_there { char::from(DIGITS[bits >> (18 - 6 * digit) & 63]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> String {
        hex_digest(text.as_bytes())
    }

    /// The examples of NIST, and the lengths at which padding takes another block.
    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(two_blocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        assert_eq!(hex(&"a".repeat(55)), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
        assert_eq!(hex(&"a".repeat(56)), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
        assert_eq!(hex(&"a".repeat(64)), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
        assert_eq!(hex(&"a".repeat(1_000_000)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    /// The examples of RFC 4648.
    #[test]
    fn base64_is_padded() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
