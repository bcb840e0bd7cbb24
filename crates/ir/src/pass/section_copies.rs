//! Atomic sections work on copies of variables: a section loads them when it begins, and stores them when it ends.
//!
//! Nobody else touches a variable in between, so nobody can tell. The copies become registers, and what a section
//! writes and reads again, or leaves as it was, is seen by those who look at registers.
//!
//! Where the execution ends inside of the section, nothing is stored: others may go on, as if the section had not begun.
//!
//! Where accesses of different threads are steps in one order, and nothing else.

use crate::analysis::{Extent, Place, is_inside, named};
use crate::function::{Body, Instruction, Slot};
use crate::ids::{BlockId, GlobalId, Reg, SlotId};
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::AtomicOrdering;
use crate::types::Type;
use crate::value::{Symbol, Value};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use std::collections::BTreeMap;

/// A part of a global variable that is accessed as a whole: the variable, where in it, and how.
type Part = (GlobalId, i64, Type);

/// Lets sections, each of which has its extent, work on copies; whether any does.
pub(super) fn copy_in_sections(module: &Module, body: &mut Body, extents: &[Extent]) -> bool {
    let mut inserted: FxHashMap<BlockId, Vec<(usize, Instruction)>> = FxHashMap::default();
    let mut copies = Vec::new();
    for extent in extents {
        for (part, accesses) in worth_a_copy(module, body, extent) {
            let copy = new_copy(module, body, part, &mut copies);
            let first = body.block(accesses[0].0).instructions[accesses[0].1].clone();
            let is_stored = accesses.iter().any(|&at| matches!(operation(body, at), Operation::Store { .. }));
            for (block, position) in accesses {
                replace_address(&mut body.blocks[block.index()].instructions[position].operation, copy);
            }
            let mut insert = |(block, position): Place, instructions: [Instruction; 2]| {
                inserted.entry(block).or_default().extend(instructions.into_iter().map(|it| (position, it)));
            };
            insert((extent.begin.0, extent.begin.1 + 1), moved(body, (&first, part.2), address_of(part), copy));
            for &end in extent.ends.iter().filter(|_| is_stored) {
                insert(end, moved(body, (&first, part.2), copy, address_of(part)));
            }
        }
    }
    let has_copies = !copies.is_empty();
    for (block, mut new) in inserted {
        new.sort_by_key(|(position, _)| *position);
        let old = std::mem::take(&mut body.blocks[block.index()].instructions);
        let mut new = new.into_iter().peekable();
        let all = &mut body.blocks[block.index()].instructions;
        for (position, instruction) in old.into_iter().enumerate() {
            while let Some((_, earlier)) = new.next_if(|it| it.0 == position) {
                all.push(earlier);
            }
            all.push(instruction);
        }
        all.extend(new.map(|it| it.1));
    }
    body.blocks[Body::ENTRY.index()].instructions.splice(0..0, copies);
    has_copies
}

fn operation(body: &Body, (block, position): Place) -> &Operation {
    &body.block(block).instructions[position].operation
}

fn address_of((global, offset, _): Part) -> Value {
    Value::Address { symbol: Symbol::Global(global), offset }
}

/// What a section accesses more than once, and always in the same way; and where it does.
fn worth_a_copy(module: &Module, body: &Body, extent: &Extent) -> BTreeMap<Part, Vec<Place>> {
    let mut parts: BTreeMap<Part, Vec<Place>> = BTreeMap::new();
    for place in extent.places() {
        let Some((address, ty)) = body.block(place.0).instructions[place.1].accessed(body) else { continue };
        if let Some((global, offset)) = named(address) {
            parts.entry((global, offset, ty)).or_default().push(place);
        }
    }
    let all: Vec<Part> = parts.keys().copied().collect();
    let end = |(_, offset, ty): Part| offset.saturating_add(ty.bytes().into());
    let is_apart = |one: Part, other: Part| one.0 != other.0 || end(one) <= other.1 || end(other) <= one.1;
    parts.retain(|&part, places| {
        let may_copy = is_inside(module, address_of(part), part.2) && !module.global(part.0).constant;
        may_copy && places.len() > 1 && all.iter().all(|&other| other == part || is_apart(part, other))
    });
    parts
}

/// The address of a new variable for what is in a part of a global one.
fn new_copy(module: &Module, body: &mut Body, (global, _, ty): Part, copies: &mut Vec<Instruction>) -> Value {
    let global = module.global(global);
    let name = global.source_name.as_ref().unwrap_or(&global.name);
    let (size, align) = (ty.bytes(), ty.bytes().next_power_of_two());
    let name = Some(name.as_str().into());
    body.slots.push(Slot { name, size: size.into(), align, debug_type: None, location: None });
    let address = body.add_register(Type::Ptr, None);
    let operation = Operation::Alloca { slot: SlotId::new(body.slots.len() - 1), count: None };
    copies.push(Instruction { results: smallvec![address], operation, location: None });
    Value::Reg(address)
}

/// Lets an access be to the copy, which is like any other variable.
fn replace_address(operation: &mut Operation, copy: Value) {
    if let Operation::Load { address, volatile, ordering, .. } | Operation::Store { address, volatile, ordering, .. } =
        operation
    {
        (*address, *volatile, *ordering) = (copy, false, None);
    }
}

/// What moves a value of this type from one address to another; a global variable is accessed there as it is by `like`.
fn moved(body: &mut Body, (like, ty): (&Instruction, Type), from: Value, to: Value) -> [Instruction; 2] {
    let (align, ordering) = match like.operation {
        Operation::Load { align, ordering, .. } | Operation::Store { align, ordering, .. } => (align, ordering),
        _ => (1, None),
    };
    let of = |address: Value| ordering.filter(|_| named(address).is_some()).map(|_| AtomicOrdering::SeqCst);
    let loaded: Reg = body.add_register(ty, None);
    let load = Operation::Load { address: from, align, volatile: false, ordering: of(from) };
    let store = Operation::Store { address: to, value: Value::Reg(loaded), align, volatile: false, ordering: of(to) };
    let location = like.location;
    [
        Instruction { results: smallvec![loaded], operation: load, location },
        Instruction { results: smallvec![], operation: store, location },
    ]
}
