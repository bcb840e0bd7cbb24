//! Removal of registers and slots that nothing defines any more.

use crate::function::Body;
use crate::ids::{Reg, SlotId};
use crate::operation::Operation;
use crate::value::Value;

/// Renumbers the registers of `body`, of which the first `parameters` stay, so that every one is assigned,
/// and its slots so that every one is used.
pub fn compact(body: &mut Body, parameters: usize) {
    let mut registers = vec![false; body.registers.len()];
    let mut slots = vec![false; body.slots.len()];
    registers[..parameters].fill(true);
    for block in &body.blocks {
        block.phis.iter().for_each(|phi| registers[phi.result.index()] = true);
        for instruction in &block.instructions {
            instruction.results.iter().for_each(|result| registers[result.index()] = true);
            if let Operation::Alloca { slot, .. } = instruction.operation {
                slots[slot.index()] = true;
            }
        }
    }
    let registers = keep(&mut body.registers, &registers);
    let slots = keep(&mut body.slots, &slots);
    let rename = |value: &mut Value| {
        if let Value::Reg(reg) = value {
            *reg = Reg(registers[reg.index()]);
        }
    };
    for block in &mut body.blocks {
        for phi in &mut block.phis {
            phi.result = Reg(registers[phi.result.index()]);
            phi.incoming.iter_mut().for_each(|incoming| rename(&mut incoming.1));
        }
        for instruction in &mut block.instructions {
            instruction.results.iter_mut().for_each(|result| *result = Reg(registers[result.index()]));
            instruction.operation.for_each_value_mut(rename);
            if let Operation::Alloca { slot, .. } = &mut instruction.operation {
                *slot = SlotId(slots[slot.index()]);
            }
        }
        block.terminator.kind.for_each_value_mut(rename);
    }
}

/// Keeps the items that are `wanted`; answers with the new index of each old one.
fn keep<T>(items: &mut Vec<T>, wanted: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let new_indices = wanted.iter().map(|&wanted| {
        next += u32::from(wanted);
        next.wrapping_sub(1)
    });
    let new_indices = new_indices.collect();
    let mut index = 0;
    items.retain(|_| {
        index += 1;
        wanted[index - 1]
    });
    new_indices
}
