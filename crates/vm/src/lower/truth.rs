//! Registers of which a function wants to know nothing but whether they are 0.

use everyway_ir::{Body, IntPredicate, Operation, Value};

/// By register, whether every use of it compares it with 0.
pub(super) fn only_compared_with_zero(body: &Body) -> Vec<bool> {
    let mut only = vec![true; body.registers.len()];
    let mut note = |value: Value| {
        if let Some(register) = value.reg() {
            only[register.index()] = false;
        }
    };
    for block in &body.blocks {
        block.values_at_ends().for_each(&mut note);
        for instruction in &block.instructions {
            if !compares_with_zero(&instruction.operation) {
                instruction.operation.values().into_iter().for_each(&mut note);
            }
        }
    }
    only
}

fn compares_with_zero(operation: &Operation) -> bool {
    let is_zero = |value: &Value| matches!(value, Value::Const { bits: 0, .. });
    match operation {
        Operation::Compare { predicate: IntPredicate::Eq | IntPredicate::Ne, lhs, rhs } => is_zero(lhs) || is_zero(rhs),
        _ => false,
    }
}
