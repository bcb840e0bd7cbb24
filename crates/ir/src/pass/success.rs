//! Comparisons of what a compare-exchange has found with what it looked for, as those have to do it that are told only
//! the former (`__sync_val_compare_and_swap`, `cmpxchg` in assembly): they become whether it has succeeded, which is the same
//! unless it may fail spuriously. So a loop around one is the same loop however it asks.
//!
//! That the two are of the same round holds because what is compared is not computed again in between: the definition of what is
//! looked for dominates the compare-exchange, which uses it, and that dominates the comparison. If there were a way from the
//! definition to the comparison other than through the compare-exchange, there would be one from the entry.

use super::inline::replace_registers;
use crate::analysis::Definitions;
use crate::function::{Body, Function};
use crate::ids::Reg;
use crate::operation::Operation;
use crate::operators::{BinaryOp, CastOp, IntPredicate};
use crate::value::Value;

/// Makes comparisons that tell whether a compare-exchange has succeeded tell so.
pub(super) fn tell_success(function: &mut Function) {
    let Some(body) = &mut function.body else { return };
    let definitions = Definitions::new(body);
    let mut equal = Vec::new();
    for block in body.block_ids() {
        for position in 0..body.block(block).instructions.len() {
            let instruction = &body.block(block).instructions[position];
            let Operation::Compare { predicate, lhs, rhs } = instruction.operation else { continue };
            let Some(flag) = success(body, &definitions, lhs, rhs) else { continue };
            match predicate {
                IntPredicate::Eq => equal.push((instruction.results[0], Value::Reg(flag))),
                IntPredicate::Ne => {
                    let not = Operation::Binary { op: BinaryOp::Xor, lhs: Value::Reg(flag), rhs: Value::bool(true) };
                    body.blocks[block.index()].instructions[position].operation = not;
                }
                _ => {}
            }
        }
    }
    replace_registers(body, &equal);
}

/// What tells whether a compare-exchange has succeeded, if that is whether these values are the same.
fn success(body: &Body, definitions: &Definitions, lhs: Value, rhs: Value) -> Option<Reg> {
    let look = Look { body, definitions };
    let (lhs, rhs) = look.before_widening(lhs, rhs);
    let (lhs, rhs) = (look.bits(lhs), look.bits(rhs));
    look.flag(lhs, rhs).or_else(|| look.flag(rhs, lhs))
}

struct Look<'a> {
    body: &'a Body,
    definitions: &'a Definitions,
}

impl Look<'_> {
    fn operation(&self, value: Value) -> Option<&Operation> {
        let (block, position) = self.definitions.instruction(value.reg()?)?;
        Some(&self.body.block(block).instructions[position].operation)
    }

    /// Two values that are widened in the same way, as they are before; numbers that are the same then are the same now.
    fn before_widening(&self, lhs: Value, rhs: Value) -> (Value, Value) {
        match (self.operation(lhs), self.operation(rhs)) {
            (Some(&Operation::Cast { op, value: a }), Some(&Operation::Cast { op: other, value: b }))
                if op == other && matches!(op, CastOp::ZExt | CastOp::SExt) && a.ty(self.body) == b.ty(self.body) =>
            {
                (a, b)
            }
            _ => (lhs, rhs),
        }
    }

    /// What has the same bits as a value, before it became a pointer or a number.
    fn bits(&self, mut value: Value) -> Value {
        while let Some(&Operation::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, value: before }) =
            self.operation(value)
        {
            value = before;
        }
        value
    }

    /// Whether the compare-exchange has succeeded that has found `found` and looked for `expected`.
    fn flag(&self, found: Value, expected: Value) -> Option<Reg> {
        let Operation::CompareExchange { expected: wanted, weak: false, .. } = *self.operation(found)? else {
            return None;
        };
        let (block, position) = self.definitions.instruction(found.reg()?)?;
        let results = &self.body.block(block).instructions[position].results;
        let (old, flag) = (*results.first()?, *results.get(1)?);
        (found == Value::Reg(old) && self.bits(wanted) == expected).then_some(flag)
    }
}
