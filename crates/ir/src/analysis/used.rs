//! Which registers somebody looks at.

use super::definitions::Definitions;
use crate::function::Body;
use crate::ids::Reg;
use crate::value::Value;

/// For every register, whether what is in it matters: to an operation with effects, to where control goes, or to
/// another register that matters. Phis count as if they did.
pub fn used_registers(body: &Body) -> Vec<bool> {
    let definitions = Definitions::new(body);
    let mut work: Vec<Reg> = Vec::new();
    for block in &body.blocks {
        let incoming = block.phis.iter().flat_map(|phi| phi.incoming.iter().map(|incoming| incoming.1));
        work.extend(incoming.chain(block.terminator.kind.values()).filter_map(Value::reg));
        let effects = block.instructions.iter().filter(|instruction| instruction.operation.has_effects());
        work.extend(effects.flat_map(|instruction| instruction.operation.values()).filter_map(Value::reg));
    }
    let mut used = vec![false; body.registers.len()];
    while let Some(reg) = work.pop() {
        if std::mem::replace(&mut used[reg.index()], true) {
            continue;
        }
        if let Some((block, position)) = definitions.instruction(reg) {
            let operation = &body.block(block).instructions[position].operation;
            if !operation.has_effects() {
                work.extend(operation.values().into_iter().filter_map(Value::reg));
            }
        }
    }
    used
}
