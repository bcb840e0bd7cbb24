//! Removal of computations that do not matter.

use super::compact::compact;
use crate::analysis::{is_repeatable, used_registers};
use crate::function::Function;

/// Removes the instructions of `function` that have no effects, cannot fail, and whose results are not used, and the
/// phis that are not: a variable that counts the rounds of a loop, and is not looked at, keeps no round from being pure.
pub fn sweep(function: &mut Function) {
    let Some(body) = &mut function.body else { return };
    let used = used_registers(body);
    for block in &mut body.blocks {
        block.phis.retain(|phi| used[phi.result.index()]);
        block.instructions.retain(|instruction| {
            !is_repeatable(&instruction.operation) || instruction.results.iter().any(|result| used[result.index()])
        });
    }
    compact(body, function.signature.parameters.len());
}
