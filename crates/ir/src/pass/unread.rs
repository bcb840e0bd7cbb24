//! Removal of variables that nothing reads any more: the `timespec` of a pause that has been removed.

use crate::function::{Body, Instruction};
use crate::ids::{Reg, SlotId};
use crate::module::Global;
use crate::operation::Operation;
use crate::value::{Symbol, Value};
use rustc_hash::FxHashMap;

/// Removes those of the variables with these addresses that are only written, within their bounds, with all that is done with them.
pub(super) fn remove_unread(body: &mut Body, globals: &[Global], addresses: &[Reg]) {
    if addresses.is_empty() {
        return;
    }
    let (mut variables, mut inside) = addresses_of_variables(body);
    variables
        .retain(|variable, _| addresses.iter().any(|address| inside.get(address).is_some_and(|it| it.0 == *variable)));
    for block in &body.blocks {
        block.values_at_ends().for_each(|value| escapes(&mut variables, &inside, value));
        for instruction in &block.instructions {
            let written = written(body, globals, instruction);
            for value in instruction.operation.values() {
                let fits = |(address, size): (Value, u64)| {
                    let (variable, offset) = value.reg().and_then(|reg| inside.get(&reg))?;
                    let slot = body.slot(*variables.get(variable)?);
                    let end = u64::try_from(*offset).ok()?.checked_add(size)?;
                    (address == value && end <= slot.size).then_some(())
                };
                if written.and_then(fits).is_none() && !is_for_others(instruction, &inside) {
                    escapes(&mut variables, &inside, value);
                }
            }
        }
    }
    inside.retain(|_, (variable, _)| variables.contains_key(variable));
    for block in &mut body.blocks {
        block.instructions.retain(|instruction| {
            let is_it = |value: Value| value.reg().is_some_and(|reg| inside.contains_key(&reg));
            let makes_it = instruction.results.iter().any(|result| inside.contains_key(result));
            !makes_it && !instruction.operation.values().into_iter().any(is_it)
        });
    }
}

/// The variables, by the register that has the address; and for each register with an address in one of them, at a fixed place,
/// which variable and how far inside.
type Variables = (FxHashMap<Reg, SlotId>, FxHashMap<Reg, (Reg, i64)>);

fn addresses_of_variables(body: &Body) -> Variables {
    let (mut variables, mut inside): Variables = Variables::default();
    // What dominates comes first as a rule; a variable of which an address is met before it stays.
    for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
        match instruction.operation {
            Operation::Alloca { slot, count: None } => {
                variables.insert(instruction.results[0], slot);
                inside.insert(instruction.results[0], (instruction.results[0], 0));
            }
            Operation::Offset { base: Value::Reg(base), offset, index: None } => {
                if let Some(&(variable, start)) = inside.get(&base) {
                    inside.insert(instruction.results[0], (variable, start.saturating_add(offset)));
                }
            }
            _ => {}
        }
    }
    (variables, inside)
}

/// The address that an instruction writes to, if that is all it does, and how many bytes. (What it reads besides is constant.)
fn written(body: &Body, globals: &[Global], instruction: &Instruction) -> Option<(Value, u64)> {
    match instruction.operation {
        Operation::Store { address, value, ordering: None, .. } if address != value => {
            Some((address, value.ty(body)?.bytes().into()))
        }
        Operation::SetMemory { to, length: Value::Const { bits, .. }, .. } => Some((to, bits.try_into().ok()?)),
        Operation::CopyMemory { to, from, length: Value::Const { bits, .. }, volatile: false, .. } => {
            let length = bits.try_into().ok()?;
            is_constant(globals, from, length).then_some((to, length))
        }
        _ => None,
    }
}

/// Whether so many bytes from an address on are those of a constant, which no access to them can miss.
fn is_constant(globals: &[Global], address: Value, length: u64) -> bool {
    let Value::Address { symbol: Symbol::Global(id), offset } = address else { return false };
    let end = u64::try_from(offset).ok().and_then(|offset| offset.checked_add(length));
    let fits =
        |global: &Global| global.constant && global.initialiser.is_some() && end.is_some_and(|end| end <= global.size);
    globals.get(id.index()).is_some_and(fits)
}

/// Whether an instruction only says where a variable begins and ends, or computes another address in it that is known.
fn is_for_others(instruction: &Instruction, inside: &FxHashMap<Reg, (Reg, i64)>) -> bool {
    let is_known = instruction.results.iter().all(|result| inside.contains_key(result));
    matches!(instruction.operation, Operation::Scope { .. } | Operation::Offset { index: None, .. } if is_known)
}

fn escapes(variables: &mut FxHashMap<Reg, SlotId>, inside: &FxHashMap<Reg, (Reg, i64)>, value: Value) {
    if let Some((variable, _)) = value.reg().and_then(|reg| inside.get(&reg)) {
        variables.remove(variable);
    }
}
