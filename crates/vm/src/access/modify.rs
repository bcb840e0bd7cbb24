//! What an atomic read-modify-write writes, as functions that the engine can call in other contexts.

use crate::cell::{mask, sign_extend};
use everyway_ir::RmwOp;
use everyway_runtime::Verb;

type Modification = fn(u64, u64) -> u64;

fn float<const W: u32>(a: u64, b: u64, f: fn(f64, f64) -> f64) -> u64 {
    if W == 32 {
        let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        u64::from((f(x.into(), y.into()) as f32).to_bits())
    } else {
        f(f64::from_bits(a), f64::from_bits(b)).to_bits()
    }
}

fn of_width<const W: u32>(op: RmwOp) -> Modification {
    match op {
        RmwOp::Xchg => |_, b| b & mask(W),
        RmwOp::Add => |a, b| a.wrapping_add(b) & mask(W),
        RmwOp::Sub => |a, b| a.wrapping_sub(b) & mask(W),
        RmwOp::And => |a, b| a & b,
        RmwOp::Nand => |a, b| !(a & b) & mask(W),
        RmwOp::Or => |a, b| a | b,
        RmwOp::Xor => |a, b| a ^ b,
        RmwOp::Max => |a, b| if sign_extend(a, W) >= sign_extend(b, W) { a } else { b },
        RmwOp::Min => |a, b| if sign_extend(a, W) <= sign_extend(b, W) { a } else { b },
        RmwOp::UMax => |a, b| a.max(b),
        RmwOp::UMin => |a, b| a.min(b),
        RmwOp::FAdd => |a, b| float::<W>(a, b, |x, y| x + y),
        RmwOp::FSub => |a, b| float::<W>(a, b, |x, y| x - y),
        RmwOp::FMax => |a, b| float::<W>(a, b, f64::max),
        RmwOp::FMin => |a, b| float::<W>(a, b, f64::min),
        RmwOp::UIncWrap => |a, b| if a >= b { 0 } else { a + 1 },
        RmwOp::UDecWrap => |a, b| if a == 0 || a > b { b } else { a - 1 },
    }
}

/// What `op` is called.
pub(super) fn verb(op: RmwOp) -> Verb {
    match op {
        RmwOp::Xchg => Verb::Swap,
        RmwOp::Add => Verb::FetchAdd,
        RmwOp::Sub => Verb::FetchSub,
        RmwOp::And => Verb::FetchAnd,
        RmwOp::Nand => Verb::FetchNand,
        RmwOp::Or => Verb::FetchOr,
        RmwOp::Xor => Verb::FetchXor,
        RmwOp::Max => Verb::FetchMax,
        RmwOp::Min => Verb::FetchMin,
        RmwOp::UMax => Verb::FetchMaxUnsigned,
        RmwOp::UMin => Verb::FetchMinUnsigned,
        RmwOp::FAdd => Verb::FetchAddFloat,
        RmwOp::FSub => Verb::FetchSubFloat,
        RmwOp::FMax => Verb::FetchMaxFloat,
        RmwOp::FMin => Verb::FetchMinFloat,
        RmwOp::UIncWrap => Verb::FetchIncrementWrap,
        RmwOp::UDecWrap => Verb::FetchDecrementWrap,
    }
}

/// What `op` writes to memory of `width` bits, from the old value and the operand.
pub(crate) fn modification(op: RmwOp, width: u8) -> Option<Modification> {
    match width {
        1..=8 => Some(of_width::<8>(op)),
        16 => Some(of_width::<16>(op)),
        32 => Some(of_width::<32>(op)),
        64 => Some(of_width::<64>(op)),
        _ => None,
    }
}
