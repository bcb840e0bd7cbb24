//! What operations on constants come to.

use crate::operation::Operation;
use crate::operators::{BinaryOp, CastOp};
use crate::ranges::Ranges;
use crate::types::Type;
use crate::value::Value;

/// The bits of a constant integer.
pub(crate) fn integer(value: Value) -> Option<(Type, u128)> {
    match value {
        Value::Const { ty: ty @ Type::Int(1..=64), bits } => Some((ty, bits)),
        _ => None,
    }
}

/// What an operation on constants computes, if it is a simple one.
pub(crate) fn evaluate(operation: &Operation, ty: Type) -> Option<Value> {
    match *operation {
        Operation::Binary { op, lhs, rhs } => {
            let ((_, a), (_, b)) = (integer(lhs)?, integer(rhs)?);
            let bits = match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                _ => return None,
            };
            Some(Value::constant(ty, bits))
        }
        Operation::Compare { predicate, lhs, rhs } => {
            let ((of, a), (_, b)) = (integer(lhs)?, integer(rhs)?);
            Some(Value::bool(Ranges::of(predicate, b as u64, of.bits()).contains(a as u64)))
        }
        Operation::Cast { op, value } if ty.is_int() && ty.bits() <= 64 => {
            let (from, bits) = integer(value)?;
            match op {
                CastOp::Trunc | CastOp::ZExt => Some(Value::constant(ty, bits)),
                CastOp::SExt => {
                    let unused = 128 - from.bits();
                    Some(Value::constant(ty, ((bits << unused) as i128 >> unused) as u128))
                }
                _ => None,
            }
        }
        Operation::Select { condition, then, otherwise } => {
            let (_, condition) = integer(condition)?;
            let chosen = if condition == 1 { then } else { otherwise };
            matches!(chosen, Value::Const { .. }).then_some(chosen)
        }
        _ => None,
    }
}
