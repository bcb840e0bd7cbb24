//! Which registers matter.

use super::definitions::{Definition, Definitions};
use super::expression::is_repeatable;
use crate::function::Body;
use crate::ids::Reg;
use crate::value::Value;

/// For every register, whether what is in it matters: to an operation with effects, to where control goes, or to
/// another register that matters. A variable that only counts for itself does not.
pub fn used_registers(body: &Body) -> Vec<bool> {
    let definitions = Definitions::new(body);
    let mut work: Vec<Reg> = Vec::new();
    for block in &body.blocks {
        work.extend(block.terminator.kind.values().into_iter().filter_map(Value::reg));
        // What can fail matters as much as what has effects.
        let effects = block.instructions.iter().filter(|instruction| !is_repeatable(&instruction.operation));
        work.extend(effects.flat_map(|instruction| instruction.operation.values()).filter_map(Value::reg));
    }
    let mut used = vec![false; body.registers.len()];
    while let Some(reg) = work.pop() {
        if std::mem::replace(&mut used[reg.index()], true) {
            continue;
        }
        match definitions.of(reg) {
            Definition::Parameter => {}
            Definition::Phi(block) => {
                let phis = body.block(block).phis.iter().filter(|phi| phi.result == reg);
                work.extend(phis.flat_map(|phi| &phi.incoming).filter_map(|incoming| incoming.1.reg()));
            }
            Definition::Instruction(block, position) => {
                let operation = &body.block(block).instructions[position].operation;
                if is_repeatable(operation) {
                    work.extend(operation.values().into_iter().filter_map(Value::reg));
                }
            }
        }
    }
    used
}

/// How often every register is used.
pub(crate) fn count_uses(body: &Body) -> Vec<u32> {
    let mut uses = vec![0; body.registers.len()];
    let mut count = |value: Value| value.reg().into_iter().for_each(|reg| uses[reg.index()] += 1);
    for block in &body.blocks {
        block.values().for_each(&mut count);
    }
    uses
}
