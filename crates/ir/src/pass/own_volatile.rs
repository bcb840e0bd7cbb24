//! Variables that are volatile though only their function sees them: a counter that a loop wastes time with.
//!
//! What is volatile is accessed as the program says because others may look, or because it is to survive a
//! `longjmp`. Where neither can be, it is a variable like others, and may become registers.

use crate::function::Body;
use crate::ids::Reg;
use crate::module::Module;
use crate::operation::Operation;
use crate::value::Value;

/// Lets variables be like others that nothing but their function sees, whose accesses are volatile.
pub(super) fn adopt_own_volatile(module: &mut Module) {
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        if !module.returns_twice_in(&body) {
            adopt(&mut body);
        }
        module.functions[index].body = Some(body);
    }
}

fn adopt(body: &mut Body) {
    let is_own = own_variables(body);
    let instructions = body.blocks.iter_mut().flat_map(|block| &mut block.instructions);
    for operation in instructions.map(|instruction| &mut instruction.operation) {
        if let Operation::Load { address, volatile, ordering: None, .. }
        | Operation::Store { address, volatile, ordering: None, .. } = operation
            && address.reg().is_some_and(|reg| is_own[reg.index()])
        {
            *volatile = false;
        }
    }
}

/// For every register, whether it is the address of a variable, and used for nothing but accesses to it.
fn own_variables(body: &Body) -> Vec<bool> {
    let mut is_own = vec![false; body.registers.len()];
    for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
        if let Operation::Alloca { count: None, .. } = instruction.operation {
            is_own[instruction.results[0].index()] = true;
        }
    }
    let mut escapes = |value: Value| value.reg().into_iter().for_each(|reg: Reg| is_own[reg.index()] = false);
    for block in &body.blocks {
        block.values_at_ends().for_each(&mut escapes);
        for instruction in &block.instructions {
            match &instruction.operation {
                Operation::Load { ordering: None, .. } | Operation::Scope { .. } => {}
                Operation::Store { value, ordering: None, .. } => escapes(*value),
                operation => operation.values().into_iter().for_each(&mut escapes),
            }
        }
    }
    is_own
}
