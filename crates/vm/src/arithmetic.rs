//! Computing with integers of up to 64 bits, and with what is undefined in them.
//!
//! Undefined bits spread as they must: an `and` with a defined zero is defined, a sum is defined below the
//! lowest undefined bit, everything else is undefined as a whole.

mod general;

pub(crate) use general::{Lanes, general};

use crate::cell::{Cell, mask, sign_extend};
use everyway_ir::{BinaryOp, CastOp, IntPredicate};

/// Why something cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Division by zero.
    ZeroDivisor,
    /// The least integer was divided by -1.
    DivisionOverflow,
    /// The divisor has no value.
    UndefinedDivisor,
}

/// An integer operation on `width` bits, 64 at most.
#[inline(always)]
pub(crate) fn binary(op: BinaryOp, width: u32, a: Cell, b: Cell) -> Result<Cell, Fault> {
    if a.undef | b.undef != 0 {
        return binary_undefined(op, width, a, b);
    }
    let (x, y) = (a.bits, b.bits);
    let bits = match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        _ => return binary_rare(op, width, x, y),
    };
    Ok(Cell::new(bits & mask(width)))
}

fn binary_rare(op: BinaryOp, width: u32, x: u64, y: u64) -> Result<Cell, Fault> {
    let shift = |result: u64| {
        if y >= u64::from(width) { Cell::undefined(width) } else { Cell::new(result & mask(width)) }
    };
    let amount = (y & 63) as u32;
    match op {
        BinaryOp::Shl => Ok(shift(x.wrapping_shl(amount))),
        BinaryOp::LShr => Ok(shift(x.wrapping_shr(amount))),
        BinaryOp::AShr => Ok(shift((sign_extend(x, width).wrapping_shr(amount)) as u64)),
        BinaryOp::UDiv => x.checked_div(y).map(Cell::new).ok_or(Fault::ZeroDivisor),
        BinaryOp::URem => x.checked_rem(y).map(Cell::new).ok_or(Fault::ZeroDivisor),
        BinaryOp::SMin | BinaryOp::SMax => {
            let (a, b) = (sign_extend(x, width), sign_extend(y, width));
            let result = if op == BinaryOp::SMin { a.min(b) } else { a.max(b) };
            Ok(Cell::new(result as u64 & mask(width)))
        }
        BinaryOp::UMin => Ok(Cell::new(x.min(y))),
        BinaryOp::UMax => Ok(Cell::new(x.max(y))),
        _ => general::integer_binary(op, width, x.into(), y.into())
            .map(|result| result.map_or(Cell::undefined(width), |bits| Cell::new(bits as u64))),
    }
}

#[cold]
fn binary_undefined(op: BinaryOp, width: u32, a: Cell, b: Cell) -> Result<Cell, Fault> {
    let either = a.undef | b.undef;
    let undef = match op {
        // A defined zero on either side decides.
        BinaryOp::And => either & (a.bits | a.undef) & (b.bits | b.undef),
        BinaryOp::Or => either & (!a.bits | a.undef) & (!b.bits | b.undef),
        BinaryOp::Xor => either,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => u64::MAX << either.trailing_zeros(),
        BinaryOp::Shl if b.is_defined() && b.bits < u64::from(width) => a.undef << b.bits,
        BinaryOp::LShr if b.is_defined() && b.bits < u64::from(width) => a.undef >> b.bits,
        BinaryOp::AShr if b.is_defined() && b.bits < u64::from(width) => (sign_extend(a.undef, width) >> b.bits) as u64,
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem if !b.is_defined() => {
            return Err(Fault::UndefinedDivisor);
        }
        _ => u64::MAX,
    };
    let defined = |cell: Cell| Cell::new(cell.bits);
    let bits = match op {
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => 0,
        _ => binary(op, width, defined(a), defined(b))?.bits,
    };
    Ok(Cell { bits, undef: undef & mask(width) })
}

/// A comparison of integers of `width` bits, 64 at most.
#[inline(always)]
pub(crate) fn compare(predicate: IntPredicate, width: u32, a: Cell, b: Cell) -> Cell {
    let undef = a.undef | b.undef;
    if undef != 0 {
        // Two values that differ in a bit that both have are different.
        let different = (a.bits ^ b.bits) & !undef != 0;
        return match predicate {
            IntPredicate::Eq if different => Cell::new(0),
            IntPredicate::Ne if different => Cell::new(1),
            _ => Cell::undefined(1),
        };
    }
    let (x, y) = (a.bits, b.bits);
    let signed = || (sign_extend(x, width), sign_extend(y, width));
    let holds = match predicate {
        IntPredicate::Eq => x == y,
        IntPredicate::Ne => x != y,
        IntPredicate::Ugt => x > y,
        IntPredicate::Uge => x >= y,
        IntPredicate::Ult => x < y,
        IntPredicate::Ule => x <= y,
        IntPredicate::Sgt => signed().0 > signed().1,
        IntPredicate::Sge => signed().0 >= signed().1,
        IntPredicate::Slt => signed().0 < signed().1,
        IntPredicate::Sle => signed().0 <= signed().1,
    };
    Cell::new(u64::from(holds))
}

/// A conversion between integers of at most 64 bits, or of a pointer, or of nothing but the type.
#[inline(always)]
pub(crate) fn cast(op: CastOp, from: u32, width: u32, a: Cell) -> Cell {
    match op {
        CastOp::SExt => Cell {
            bits: sign_extend(a.bits, from) as u64 & mask(width),
            undef: sign_extend(a.undef, from) as u64 & mask(width),
        },
        _ => Cell { bits: a.bits & mask(width), undef: a.undef & mask(width) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_field_in_an_uninitialised_byte_can_be_set_and_read() {
        let byte = Cell::undefined(8);
        let cleared = binary(BinaryOp::And, 8, byte, Cell::new(0xf8)).unwrap();
        let set = binary(BinaryOp::Or, 8, cleared, Cell::new(5)).unwrap();
        assert_eq!(set.undef, 0xf8);
        let up = binary(BinaryOp::Shl, 8, set, Cell::new(5)).unwrap();
        let down = binary(BinaryOp::LShr, 8, up, Cell::new(5)).unwrap();
        assert_eq!(down, Cell::new(5));
    }

    #[test]
    fn signed_operations_respect_the_width() {
        let minus_one = Cell::new(0xff);
        assert_eq!(compare(IntPredicate::Slt, 8, minus_one, Cell::new(0)), Cell::new(1));
        assert_eq!(binary(BinaryOp::AShr, 8, minus_one, Cell::new(3)), Ok(minus_one));
        assert_eq!(binary(BinaryOp::SDiv, 8, Cell::new(0xf8), Cell::new(2)), Ok(Cell::new(0xfc)));
        assert_eq!(binary(BinaryOp::SDiv, 8, Cell::new(0x80), minus_one), Err(Fault::DivisionOverflow));
    }
}
