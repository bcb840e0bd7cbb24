//! What is known before the program runs: computations of constants, and branches that they decide.
//!
//! A function that is put where it is called with constants - the memory order of an atomic access, which unoptimised
//! C++ decides on by a switch - becomes the part of it that is left.

use super::inline::replace_registers;
use super::merge::merge_blocks;
use crate::analysis::{ControlFlow, evaluate, integer};
use crate::function::{Body, Phi, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::operation::Operation;
use crate::value::Value;

/// Replaces what is known, and merges blocks, until nothing changes.
pub fn fold(body: &mut Body) {
    merge_blocks(body);
    loop {
        let replacements = constants(body);
        replace_registers(body, &replacements);
        remove(body, &replacements);
        let mut decided = false;
        for block in body.block_ids() {
            decided |= decide(body, block);
        }
        if replacements.is_empty() && !decided {
            return;
        }
        merge_blocks(body);
    }
}

/// Removes the assignments of registers that were replaced.
fn remove(body: &mut Body, replaced: &[(Reg, Value)]) {
    let mut is_gone = vec![false; body.registers.len()];
    replaced.iter().for_each(|(reg, _)| is_gone[reg.index()] = true);
    for block in &mut body.blocks {
        block.phis.retain(|phi| !is_gone[phi.result.index()]);
        block.instructions.retain(|instruction| !instruction.results.iter().any(|result| is_gone[result.index()]));
    }
}

/// The registers whose values are constants. What was found to be one counts at once for what comes later.
fn constants(body: &Body) -> Vec<(Reg, Value)> {
    let mut known: Vec<Option<Value>> = vec![None; body.registers.len()];
    let mut found = Vec::new();
    let flow = ControlFlow::new(body);
    for &id in flow.reverse_postorder() {
        let block = body.block(id);
        for phi in &block.phis {
            if let Some(value) = same_constant(phi, &known) {
                known[phi.result.index()] = Some(value);
                found.push((phi.result, value));
            }
        }
        for instruction in &block.instructions {
            let [result] = instruction.results[..] else { continue };
            if !is_simple(&instruction.operation) {
                continue;
            }
            let mut operation = instruction.operation.clone();
            operation.for_each_value_mut(|value| *value = resolved(*value, &known));
            if let Some(value) = evaluate(&operation, body.register(result).ty) {
                known[result.index()] = Some(value);
                found.push((result, value));
            }
        }
    }
    found
}

fn resolved(value: Value, known: &[Option<Value>]) -> Value {
    value.reg().and_then(|reg| known[reg.index()]).unwrap_or(value)
}

/// Whether the operation is one that may be [evaluated](evaluate).
fn is_simple(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Binary { .. } | Operation::Compare { .. } | Operation::Cast { .. } | Operation::Select { .. }
    )
}

/// The constant that a phi has wherever control comes from.
fn same_constant(phi: &Phi, known: &[Option<Value>]) -> Option<Value> {
    let mut values = phi.incoming.iter().map(|incoming| resolved(incoming.1, known));
    let first = values.next()?;
    let is_same = matches!(first, Value::Const { .. }) && values.all(|value| value == first);
    is_same.then_some(first)
}

/// Makes a terminator that goes one way only a jump; whether it did.
fn decide(body: &mut Body, id: BlockId) -> bool {
    let kind = &body.block(id).terminator.kind;
    let target = match kind {
        TerminatorKind::Branch { condition, then, otherwise } => {
            integer(*condition).map(|(_, bits)| if bits == 1 { *then } else { *otherwise })
        }
        TerminatorKind::Switch { value, cases, default } => integer(*value)
            .map(|(_, bits)| cases.iter().find(|(case, _)| *case == bits).map_or(*default, |&(_, target)| target)),
        _ => None,
    };
    let Some(target) = target else { return false };
    let mut left = Vec::new();
    kind.for_each_successor(|successor| left.extend((successor != target).then_some(successor)));
    body.blocks[id.index()].terminator.kind = TerminatorKind::Jump(target);
    for block in left {
        for phi in &mut body.blocks[block.index()].phis {
            phi.incoming.retain(|incoming| incoming.0 != id);
        }
        // A block that is not reached any more is removed; until then, its phis have no values.
    }
    true
}
