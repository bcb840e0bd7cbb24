//! Floating point numbers as LLVM spells them.

use crate::error::{Error, Result};
use everyway_ir::Type;

/// The bits of a number of type `ty`, spelled in decimal or as the hexadecimal bits of a double or, after `K`
/// or `L`, of a `long double`.
pub(super) fn float_bits(spelling: &str, ty: Type, line: u32) -> Result<u128> {
    let double = match spelling.strip_prefix("0x") {
        Some(digits) => hexadecimal(digits),
        None => spelling.parse().ok(),
    };
    match (double, ty) {
        (Some(double), Type::F64) => Ok(u128::from(double.to_bits())),
        // LLVM spells singles as the double of the same value.
        (Some(double), Type::F32) => Ok(u128::from(narrow(double).to_bits())),
        _ => Err(Error::new(line, format!("`{spelling}` is no number of type {ty}"))),
    }
}

fn hexadecimal(digits: &str) -> Option<f64> {
    if let Some(digits) = digits.strip_prefix('K') {
        // 80 bits: the mantissa has 64 and spells out its leading one.
        let bits = u128::from_str_radix(digits, 16).ok()?;
        return Some(rounded((bits >> 64) as u32, bits & u128::from(u64::MAX), 63));
    }
    if let Some(digits) = digits.strip_prefix('L') {
        // 128 bits, the lower half first: the mantissa has 112 and an implied leading one.
        let (low, high) = digits.split_at_checked(16)?;
        let bits = u128::from_str_radix(high, 16).ok()? << 64 | u128::from_str_radix(low, 16).ok()?;
        let exponent = (bits >> 112) as u32;
        let leading = if exponent & 0x7fff == 0 { 0 } else { 1 << 112 };
        return Some(rounded(exponent, bits & ((1 << 112) - 1) | leading, 112));
    }
    u64::from_str_radix(digits, 16).ok().map(f64::from_bits)
}

/// The double closest to a number with this sign and exponent (16 bits together), whose mantissa has its
/// point `point` bits from the right.
fn rounded(exponent: u32, mantissa: u128, point: i32) -> f64 {
    let sign = if exponent >> 15 & 1 == 1 { -1.0 } else { 1.0 };
    let fraction = mantissa & ((1 << point) - 1);
    match exponent & 0x7fff {
        0x7fff if fraction == 0 => sign * f64::INFINITY,
        0x7fff => f64::NAN,
        exponent => {
            // In two steps, because the power may be out of the range of a double where the product is not.
            let power = exponent.max(1) as i32 - 16383 - point;
            sign * mantissa as f64 * f64::powi(2.0, power / 2) * f64::powi(2.0, power - power / 2)
        }
    }
}

/// The single of the same value. A conversion by the processor would make signalling NaNs quiet.
fn narrow(double: f64) -> f32 {
    if !double.is_nan() {
        return double as f32;
    }
    let bits = double.to_bits();
    let sign = (bits >> 63) as u32;
    let mantissa = (bits >> 29) as u32 & 0x007f_ffff;
    f32::from_bits(sign << 31 | 0x7f80_0000 | mantissa.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_doubles_become_doubles() {
        for (spelling, expected) in [
            ("0xK3FFF8000000000000000", 1.0),
            ("0xKC000A000000000000000", -2.5),
            ("0xK00000000000000000000", 0.0),
            ("0xK7FFF8000000000000000", f64::INFINITY),
            ("0xL00000000000000004000400000000000", 2.5),
            ("1.500000e+00", 1.5),
            ("0x4059000000000000", 100.0),
        ] {
            let bits = float_bits(spelling, Type::F64, 1).expect(spelling);
            assert_eq!(bits, u128::from(f64::to_bits(expected)), "{spelling}");
        }
        assert!(float_bits("0xH3C00", Type::F64, 1).is_err());
        assert_eq!(float_bits("0x7FF0000020000000", Type::F32, 1), Ok(0x7f80_0001));
    }
}
