//! Operations over up to 128 bits, floats, and all that is too rare for a path of its own.

use super::Fault;
use crate::cell::{Cell, mask};
use crate::code::{General, Operand};
use everyway_ir::{BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, TernaryOp, UnaryOp};

/// The registers that an operation reads and writes.
pub(crate) trait Lanes {
    fn get(&self, operand: Operand) -> Cell;
    fn set(&mut self, lane: u32, cell: Cell);
}

/// Reads a value; `None` if some of its bits have no value.
fn read(lanes: &impl Lanes, operand: Operand, width: u32) -> Option<u128> {
    let low = lanes.get(operand);
    let high = if width > 64 { lanes.get(operand.high()) } else { Cell::default() };
    (low.is_defined() && high.is_defined()).then(|| u128::from(low.bits) | u128::from(high.bits) << 64)
}

fn write(lanes: &mut impl Lanes, to: u32, width: u32, value: Option<u128>) {
    let low = value.map_or(Cell::undefined(width), |v| Cell::new(v as u64 & mask(width)));
    lanes.set(to, low);
    if width > 64 {
        let high = value.map_or(Cell::undefined(width - 64), |v| Cell::new((v >> 64) as u64 & mask(width - 64)));
        lanes.set(to + 1, high);
    }
}

fn wide_mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((value << unused) as i128) >> unused
}

/// Carries out `operation` on `lanes`.
pub(crate) fn general(operation: General, lanes: &mut impl Lanes) -> Result<(), Fault> {
    match operation {
        General::Binary { op, float, width, to, a, b } => {
            let divides = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
            let result = match (read(lanes, a, width), read(lanes, b, width)) {
                (Some(x), Some(y)) if float => float_binary(op, width, x, y),
                (Some(x), Some(y)) => integer_binary(op, width, x, y)?,
                (_, None) if divides => return Err(Fault::UndefinedDivisor),
                _ if width > 64 => return bytewise(op, width, to, a, b, lanes),
                _ => None,
            };
            write(lanes, to, width, result);
        }
        General::Unary { op: UnaryOp::Freeze, width, to, a } => {
            let cells = [Some(a), (width > 64).then(|| a.high())].into_iter().flatten();
            for (lane, operand) in (to..).zip(cells) {
                let bits = lanes.get(operand).bits;
                lanes.set(lane, Cell::new(bits));
            }
        }
        General::Unary { op, width, to, a } => {
            let result = read(lanes, a, width).map(|x| unary(op, width, x));
            write(lanes, to, width, result);
        }
        General::Ternary { op, float, width, to, values } => {
            let [a, b, c] = values.map(|value| read(lanes, value, width));
            let result = a.zip(b).zip(c).map(|((a, b), c)| ternary(op, float, width, a, b, c));
            write(lanes, to, width, result);
        }
        General::Overflow { op, width, to, flag, a, b } => {
            let result = read(lanes, a, width).zip(read(lanes, b, width)).map(|(x, y)| overflow(op, width, x, y));
            write(lanes, to, width, result.map(|r| r.0));
            write(lanes, flag, 1, result.map(|r| u128::from(r.1)));
        }
        General::Compare { predicate, width, to, a, b } => {
            let result = read(lanes, a, width).zip(read(lanes, b, width));
            write(lanes, to, 1, result.map(|(x, y)| u128::from(compare(predicate, width, x, y))));
        }
        General::FloatCompare { predicate, width, to, a, b } => {
            let result = read(lanes, a, width).zip(read(lanes, b, width));
            let result = result.map(|(x, y)| float_compare(predicate, to_f64(x, width), to_f64(y, width)));
            write(lanes, to, 1, result.map(u128::from));
        }
        General::Cast { op, from, width, to, a } => match read(lanes, a, from) {
            None if matches!(op, CastOp::Trunc | CastOp::ZExt) => {
                let low = lanes.get(a);
                let high = if from > 64 { lanes.get(a.high()) } else { Cell::default() };
                lanes.set(to, Cell { bits: low.bits & mask(width), undef: low.undef & mask(width) });
                if width > 64 {
                    lanes.set(to + 1, high);
                }
            }
            value => write(lanes, to, width, value.map(|x| cast(op, from, width, x))),
        },
    }
    Ok(())
}

/// Wide values of which only some bytes are defined: small structures that are passed in pieces.
fn bytewise(op: BinaryOp, width: u32, to: u32, a: Operand, b: Operand, lanes: &mut impl Lanes) -> Result<(), Fault> {
    let shift = read(lanes, b, width).filter(|&by| by % 64 == 0 && by < u128::from(width));
    let halves = |lanes: &dyn Fn(Operand) -> Cell, operand: Operand| (lanes(operand), lanes(operand.high()));
    let get = |operand| lanes.get(operand);
    let ((al, ah), (bl, bh)) = (halves(&get, a), halves(&get, b));
    let (low, high) = match (op, shift) {
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _) => {
            (super::binary(op, 64, al, bl)?, super::binary(op, width - 64, ah, bh)?)
        }
        (_, Some(0)) => (al, ah),
        (BinaryOp::Shl, Some(_)) => (Cell::new(0), al),
        (BinaryOp::LShr, Some(_)) => (ah, Cell::new(0)),
        _ => (Cell::undefined(64), Cell::undefined(width - 64)),
    };
    lanes.set(to, low);
    lanes.set(to + 1, high);
    Ok(())
}

/// An integer operation; `None` if the result is undefined.
pub(super) fn integer_binary(op: BinaryOp, width: u32, x: u128, y: u128) -> Result<Option<u128>, Fault> {
    let (a, b) = (signed(x, width), signed(y, width));
    let (least, greatest) = (signed(1 << (width - 1), width), (wide_mask(width) >> 1) as i128);
    let amount = u32::try_from(y).ok().filter(|&amount| amount < width);
    let divides = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
    if divides && y == 0 {
        return Err(Fault::ZeroDivisor);
    }
    if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && a == least && b == -1 {
        return Err(Fault::DivisionOverflow);
    }
    let saturate = |exact: Option<i128>, down: bool| {
        exact.map_or(if down { least } else { greatest }, |value| value.clamp(least, greatest)) as u128
    };
    let result = match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::UDiv => x / y,
        BinaryOp::URem => x % y,
        BinaryOp::SDiv => (a / b) as u128,
        BinaryOp::SRem => (a % b) as u128,
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::SMin => a.min(b) as u128,
        BinaryOp::SMax => a.max(b) as u128,
        BinaryOp::UMin => x.min(y),
        BinaryOp::UMax => x.max(y),
        BinaryOp::SAddSat => saturate(a.checked_add(b), b < 0),
        BinaryOp::SSubSat => saturate(a.checked_sub(b), b > 0),
        BinaryOp::UAddSat => x.checked_add(y).map_or(wide_mask(width), |sum| sum.min(wide_mask(width))),
        BinaryOp::USubSat => x.saturating_sub(y),
        _ => match (op, amount) {
            (BinaryOp::Shl, Some(amount)) => x << amount,
            (BinaryOp::LShr, Some(amount)) => x >> amount,
            (BinaryOp::AShr, Some(amount)) => (a >> amount) as u128,
            _ => return Ok(None),
        },
    };
    Ok(Some(result & wide_mask(width)))
}

fn to_f64(bits: u128, width: u32) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn from_f64(value: f64, width: u32) -> u128 {
    if width == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
}

// Single precision is computed in double: for one operation of these kinds the double rounding is exact.
fn float_binary(op: BinaryOp, width: u32, x: u128, y: u128) -> Option<u128> {
    let (a, b) = (to_f64(x, width), to_f64(y, width));
    let result = match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        BinaryOp::FRem => a % b,
        BinaryOp::FMin => a.min(b),
        BinaryOp::FMax => a.max(b),
        BinaryOp::CopySign => a.copysign(b),
        _ => return None,
    };
    Some(from_f64(result, width))
}

fn unary(op: UnaryOp, width: u32, x: u128) -> u128 {
    let float = |f: fn(f64) -> f64| from_f64(f(to_f64(x, width)), width);
    let result = match op {
        UnaryOp::Freeze => x,
        UnaryOp::Abs => signed(x, width).wrapping_abs() as u128,
        UnaryOp::CountOnes => x.count_ones().into(),
        UnaryOp::LeadingZeros => (x.leading_zeros() - (128 - width)).into(),
        UnaryOp::TrailingZeros => x.trailing_zeros().min(width).into(),
        UnaryOp::ByteSwap => x.swap_bytes() >> (128 - width),
        UnaryOp::BitReverse => x.reverse_bits() >> (128 - width),
        UnaryOp::FNeg => x ^ 1 << (width - 1),
        UnaryOp::FAbs => x & !(1 << (width - 1)),
        UnaryOp::Sqrt => float(f64::sqrt),
        UnaryOp::Floor => float(f64::floor),
        UnaryOp::Ceil => float(f64::ceil),
        UnaryOp::Trunc => float(f64::trunc),
        UnaryOp::Round => float(f64::round),
        UnaryOp::RoundEven => float(f64::round_ties_even),
    };
    result & wide_mask(width)
}

fn ternary(op: TernaryOp, float: bool, width: u32, a: u128, b: u128, c: u128) -> u128 {
    if float {
        let (x, y, z) = (to_f64(a, width), to_f64(b, width), to_f64(c, width));
        return match (op, width) {
            (TernaryOp::Fma, 32) => u128::from((x as f32).mul_add(y as f32, z as f32).to_bits()),
            (TernaryOp::Fma, _) => from_f64(x.mul_add(y, z), width),
            (_, 32) => u128::from(((x as f32) * (y as f32) + z as f32).to_bits()),
            _ => from_f64(x * y + z, width),
        };
    }
    let amount = (c % u128::from(width)) as u32;
    if amount == 0 {
        return if op == TernaryOp::FunnelShiftLeft { a } else { b };
    }
    let result = match op {
        TernaryOp::FunnelShiftRight => b >> amount | a << (width - amount),
        _ => a << amount | b >> (width - amount),
    };
    result & wide_mask(width)
}

fn overflow(op: OverflowOp, width: u32, x: u128, y: u128) -> (u128, bool) {
    let (a, b) = (signed(x, width), signed(y, width));
    let (least, greatest) = (signed(1 << (width - 1), width), (wide_mask(width) >> 1) as i128);
    let (wrapped, exact, in_range) = match op {
        OverflowOp::SAdd => (x.wrapping_add(y), a.checked_add(b), true),
        OverflowOp::SSub => (x.wrapping_sub(y), a.checked_sub(b), true),
        OverflowOp::SMul => (x.wrapping_mul(y), a.checked_mul(b), true),
        OverflowOp::UAdd => (x.wrapping_add(y), None, x.checked_add(y).is_some_and(|r| r <= wide_mask(width))),
        OverflowOp::USub => (x.wrapping_sub(y), None, x >= y),
        OverflowOp::UMul => (x.wrapping_mul(y), None, x.checked_mul(y).is_some_and(|r| r <= wide_mask(width))),
    };
    let fits = match op {
        OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => {
            exact.is_some_and(|value| (least..=greatest).contains(&value))
        }
        _ => in_range,
    };
    (wrapped & wide_mask(width), !fits)
}

fn compare(predicate: IntPredicate, width: u32, x: u128, y: u128) -> bool {
    let (a, b) = (signed(x, width), signed(y, width));
    match predicate {
        IntPredicate::Eq => x == y,
        IntPredicate::Ne => x != y,
        IntPredicate::Ugt => x > y,
        IntPredicate::Uge => x >= y,
        IntPredicate::Ult => x < y,
        IntPredicate::Ule => x <= y,
        IntPredicate::Sgt => a > b,
        IntPredicate::Sge => a >= b,
        IntPredicate::Slt => a < b,
        IntPredicate::Sle => a <= b,
    }
}

fn float_compare(predicate: FloatPredicate, a: f64, b: f64) -> bool {
    use FloatPredicate::*;
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        False => false,
        Oeq => a == b,
        Ogt => a > b,
        Oge => a >= b,
        Olt => a < b,
        Ole => a <= b,
        One => !unordered && a != b,
        Ord => !unordered,
        Ueq => unordered || a == b,
        Ugt => unordered || a > b,
        Uge => unordered || a >= b,
        Ult => unordered || a < b,
        Ule => unordered || a <= b,
        Une => a != b,
        Uno => unordered,
        True => true,
    }
}

fn cast(op: CastOp, from: u32, width: u32, x: u128) -> u128 {
    let result = match op {
        CastOp::SExt => signed(x, from) as u128,
        CastOp::FpToUi => to_f64(x, from) as u128,
        CastOp::FpToSi => (to_f64(x, from) as i128) as u128,
        CastOp::UiToFp if width == 32 => u128::from((x as f32).to_bits()),
        CastOp::UiToFp => u128::from((x as f64).to_bits()),
        CastOp::SiToFp if width == 32 => u128::from((signed(x, from) as f32).to_bits()),
        CastOp::SiToFp => u128::from((signed(x, from) as f64).to_bits()),
        CastOp::FpTrunc | CastOp::FpExt => from_f64(to_f64(x, from), width),
        _ => x,
    };
    result & wide_mask(width)
}
