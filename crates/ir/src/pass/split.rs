//! Variables of structure type become one variable for each member, where only their own function sees them.
//!
//! What a lock guard is - a pointer to a mutex, and whether it is locked - is a structure in memory until the functions
//! that it is given to have been put in the place of their calls. Then its members can be registers, like other variables.

use crate::function::{Body, Function, Instruction, Slot};
use crate::ids::{Reg, SlotId};
use crate::operation::Operation;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use std::collections::BTreeMap;

/// Splits the slots of `function` that are only loaded and stored, each piece always as a whole.
pub(super) fn split(function: &mut Function) {
    let Some(body) = &mut function.body else { return };
    let origins = origins(body);
    let pieces = find_pieces(body, &origins);
    if !pieces.is_empty() {
        let parts = make_parts(body, &pieces);
        use_parts(body, &origins, &parts);
    }
}

/// Where registers point that are computed from an `alloca` of the entry: to which, and how far behind its start.
type Origins = FxHashMap<Reg, (Reg, i64)>;
/// The slots that replace the one of an `alloca`, by their offsets.
type Parts = FxHashMap<Reg, BTreeMap<i64, Reg>>;

/// The pieces of the slot of an `alloca`.
#[derive(Debug, Default)]
struct Pieces {
    /// The size in bytes of the piece at each offset.
    sizes: BTreeMap<i64, u64>,
    must_stay: bool,
}

impl Pieces {
    fn add(&mut self, offset: i64, size: u64) {
        let known = *self.sizes.entry(offset).or_insert(size);
        self.must_stay |= known != size;
    }

    fn can_be_split(&self, slot: &Slot) -> bool {
        let all: Vec<(i64, i64)> =
            self.sizes.iter().map(|(&start, &size)| (start, start.saturating_add_unsigned(size))).collect();
        let is_inside = |&(start, end): &(i64, i64)| start >= 0 && end.unsigned_abs() <= slot.size;
        !self.must_stay
            && !all.is_empty()
            && (all.len() > 1 || all[0].1.unsigned_abs() < slot.size)
            && all.iter().all(is_inside)
            && all.windows(2).all(|pair| pair[0].1 <= pair[1].0)
    }
}

fn origins(body: &Body) -> Origins {
    let mut origins = Origins::default();
    for instruction in &body.block(Body::ENTRY).instructions {
        if let Operation::Alloca { count: None, .. } = instruction.operation {
            origins.insert(instruction.results[0], (instruction.results[0], 0));
        }
    }
    // What is computed from a register comes after it, but for blocks in another order than that.
    let mut has_changed = !origins.is_empty();
    while std::mem::take(&mut has_changed) {
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            if let Operation::Offset { base: Value::Reg(base), offset, index: None } = instruction.operation
                && let Some(&(root, start)) = origins.get(&base)
            {
                let to = (root, start.saturating_add(offset));
                has_changed |= origins.insert(instruction.results[0], to).is_none();
            }
        }
    }
    origins
}

/// What an instruction loads or stores without more ado: the address, and the type.
fn access(body: &Body, instruction: &Instruction) -> Option<(Value, Type)> {
    match &instruction.operation {
        Operation::Load { address, volatile: false, ordering: None, .. } => {
            Some((*address, body.register(instruction.results[0]).ty))
        }
        Operation::Store { address, value, volatile: false, ordering: None, .. } => {
            value.ty(body).map(|ty| (*address, ty))
        }
        _ => None,
    }
}

/// The pieces of each slot that can be split, by the register of its `alloca`.
fn find_pieces(body: &Body, origins: &Origins) -> FxHashMap<Reg, Pieces> {
    let mut found: FxHashMap<Reg, Pieces> = origins.values().map(|(root, _)| (*root, Pieces::default())).collect();
    let keep = |found: &mut FxHashMap<Reg, Pieces>, value: Value| {
        let root = value.reg().and_then(|reg| origins.get(&reg)).map(|it| it.0);
        if let Some(pieces) = root.and_then(|root| found.get_mut(&root)) {
            pieces.must_stay = true;
        }
    };
    for block in &body.blocks {
        block.values_at_ends().for_each(|value| keep(&mut found, value));
        for instruction in &block.instructions {
            let (operation, access) = (&instruction.operation, access(body, instruction));
            if let Some((root, offset)) = access.and_then(|it| it.0.reg()).and_then(|reg| origins.get(&reg)) {
                let size = access.map_or(0, |it| it.1.bytes());
                found.entry(*root).or_default().add(*offset, size.into());
            }
            match operation {
                Operation::Scope { .. } | Operation::Offset { index: None, .. } => {}
                Operation::Store { value, .. } if access.is_some() => keep(&mut found, *value),
                _ if access.is_some() => {}
                _ => operation.values().into_iter().for_each(|value| keep(&mut found, value)),
            }
        }
    }
    for instruction in &body.block(Body::ENTRY).instructions {
        if let Operation::Alloca { slot, .. } = instruction.operation {
            let root = instruction.results[0];
            if found.get(&root).is_some_and(|pieces| !pieces.can_be_split(body.slot(slot))) {
                found.remove(&root);
            }
        }
    }
    found
}

/// Puts an `alloca` for each piece in the place of the one for all of them.
fn make_parts(body: &mut Body, pieces: &FxHashMap<Reg, Pieces>) -> Parts {
    let mut parts = Parts::default();
    for instruction in std::mem::take(&mut body.blocks[Body::ENTRY.index()].instructions) {
        let (Operation::Alloca { slot, .. }, Some(root)) = (&instruction.operation, instruction.results.first()) else {
            body.blocks[Body::ENTRY.index()].instructions.push(instruction);
            continue;
        };
        let Some(own) = pieces.get(root) else {
            body.blocks[Body::ENTRY.index()].instructions.push(instruction);
            continue;
        };
        for (&offset, &size) in &own.sizes {
            let part =
                Slot { size, align: size.next_power_of_two() as u32, debug_type: None, ..body.slot(*slot).clone() };
            body.slots.push(part);
            let result = body.add_register(Type::Ptr, None);
            parts.entry(*root).or_default().insert(offset, result);
            let operation = Operation::Alloca { slot: SlotId::new(body.slots.len() - 1), count: None };
            let new = Instruction { results: smallvec![result], operation, location: instruction.location };
            body.blocks[Body::ENTRY.index()].instructions.push(new);
        }
    }
    parts
}

/// Lets everything that was about a part of a slot be about the slot of that part.
fn use_parts(body: &mut Body, origins: &Origins, parts: &Parts) {
    let parts_of = |value: Value| {
        let (root, offset) = value.reg().and_then(|reg| origins.get(&reg))?;
        Some((parts.get(root)?, *offset))
    };
    for block in &mut body.blocks {
        for mut instruction in std::mem::take(&mut block.instructions) {
            match &mut instruction.operation {
                Operation::Load { address, .. } | Operation::Store { address, .. } => {
                    if let Some(&part) = parts_of(*address).and_then(|(parts, offset)| parts.get(&offset)) {
                        *address = Value::Reg(part);
                    }
                }
                Operation::Scope { address, mark } => {
                    if let Some((parts, _)) = parts_of(*address) {
                        let location = instruction.location;
                        let mark = |&part: &Reg| Operation::Scope { address: Value::Reg(part), mark: *mark };
                        let marks = parts.values().map(mark);
                        let marks = marks.map(|operation| Instruction { results: smallvec![], operation, location });
                        block.instructions.extend(marks);
                        continue;
                    }
                }
                // Nothing uses these any more.
                Operation::Offset { base, .. } if parts_of(*base).is_some() => continue,
                _ => {}
            }
            block.instructions.push(instruction);
        }
    }
}
