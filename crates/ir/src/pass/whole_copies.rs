//! A copy of a whole variable that is otherwise loaded and stored becomes a load and a store, so that the variable can be a
//! register: what `std::chrono` computes with are structures of one number, which functions return by copying them.

use crate::function::{Body, Instruction};
use crate::ids::{Reg, SlotId};
use crate::operation::Operation;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// Makes loads and stores of the copies of variables that nothing else keeps in memory.
pub(super) fn load_and_store_copies(body: &mut Body) {
    let has_copy = |block: &crate::function::Block| {
        block.instructions.iter().any(|instruction| matches!(instruction.operation, Operation::CopyMemory { .. }))
    };
    // What a copy becomes can tell the type of another variable.
    while body.blocks.iter().any(has_copy) {
        let variables = variables(body);
        if !replace_copies(body, &variables) {
            return;
        }
    }
}

/// The registers with the addresses of variables that are loaded, stored and copied as one value; with the type, if one is known.
fn variables(body: &Body) -> FxHashMap<Reg, Option<Type>> {
    let mut slots: FxHashMap<Reg, SlotId> = FxHashMap::default();
    for instruction in &body.block(Body::ENTRY).instructions {
        if let Operation::Alloca { slot, count: None } = instruction.operation {
            slots.insert(instruction.results[0], slot);
        }
    }
    let mut found: FxHashMap<Reg, Option<Type>> = slots.keys().map(|&reg| (reg, None)).collect();
    let leave_out = |values: &mut dyn Iterator<Item = Value>, found: &mut FxHashMap<Reg, Option<Type>>| {
        values.filter_map(Value::reg).for_each(|reg| _ = found.remove(&reg));
    };
    for block in &body.blocks {
        leave_out(&mut block.values_at_ends(), &mut found);
        for instruction in &block.instructions {
            let access = match &instruction.operation {
                Operation::Load { address, volatile: false, ordering: None, .. } => {
                    Some((*address, body.register(instruction.results[0]).ty))
                }
                Operation::Store { address, value, volatile: false, ordering: None, .. } => {
                    leave_out(&mut [*value].into_iter(), &mut found);
                    value.ty(body).map(|ty| (*address, ty))
                }
                Operation::Scope { .. } => None,
                Operation::CopyMemory { to, from, length, volatile: false, .. } => {
                    for address in [*to, *from] {
                        let slot = address.reg().and_then(|reg| slots.get(&reg));
                        let is_whole = |slot: &SlotId| matches!(length, Value::Const { bits, .. } if *bits == body.slot(*slot).size.into());
                        if !slot.is_some_and(is_whole) {
                            leave_out(&mut [address].into_iter(), &mut found);
                        }
                    }
                    None
                }
                operation => {
                    leave_out(&mut operation.values().into_iter(), &mut found);
                    None
                }
            };
            let Some((address, ty)) = access else { continue };
            let Some((reg, known)) = address.reg().and_then(|reg| Some((reg, found.get_mut(&reg)?))) else { continue };
            let is_whole = slots.get(&reg).is_some_and(|&slot| u64::from(ty.bytes()) == body.slot(slot).size);
            if !is_whole || ty.is_float() || known.is_some_and(|known| known != ty) {
                found.remove(&reg);
            } else {
                *known = Some(ty);
            }
        }
    }
    found
}

/// Whether there were any.
fn replace_copies(body: &mut Body, variables: &FxHashMap<Reg, Option<Type>>) -> bool {
    let mut has_any = false;
    for block in body.block_ids() {
        let before = std::mem::take(&mut body.blocks[block.index()].instructions);
        let mut after = Vec::with_capacity(before.len());
        for instruction in before {
            let ty = match &instruction.operation {
                Operation::CopyMemory { to, from, volatile: false, .. } => {
                    let known = |address: &Value| address.reg().and_then(|reg| variables.get(&reg)).copied().flatten();
                    known(to).or_else(|| known(from)).map(|ty| (*to, *from, ty))
                }
                _ => None,
            };
            let Some((to, from, ty)) = ty else {
                after.push(instruction);
                continue;
            };
            has_any = true;
            let (value, location) = (body.add_register(ty, None), instruction.location);
            let load = Operation::Load { address: from, align: 1, volatile: false, ordering: None };
            after.push(Instruction { results: smallvec![value], operation: load, location });
            let store =
                Operation::Store { address: to, value: Value::Reg(value), align: 1, volatile: false, ordering: None };
            after.push(Instruction { results: smallvec![], operation: store, location });
        }
        body.blocks[block.index()].instructions = after;
    }
    has_any
}
