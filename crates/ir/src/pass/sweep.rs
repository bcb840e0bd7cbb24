//! Removal of computations that nobody looks at.

use super::compact::compact;
use crate::analysis::{is_repeatable, used_registers};
use crate::function::Function;

/// Removes the instructions of `function` that have no effects, cannot fail, and whose results are not used.
pub fn sweep(function: &mut Function) {
    let Some(body) = &mut function.body else { return };
    let used = used_registers(body);
    for block in &mut body.blocks {
        block.instructions.retain(|instruction| {
            !is_repeatable(&instruction.operation) || instruction.results.iter().any(|result| used[result.index()])
        });
    }
    compact(body, function.signature.parameters.len());
}
