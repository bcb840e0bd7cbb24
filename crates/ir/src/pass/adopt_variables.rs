//! Variables of functions that are put where they are called become variables of the caller.
//!
//! There they still begin and end with the call, which the caller has to say, so that this is done for those functions only of which
//! something is gained: those that ask what time it is, or wait for some time. These need a variable for a time, and are called by
//! loops that wait again and again: `std::condition_variable::wait_for`.

use crate::analysis::{called, is_about_time};
use crate::environment::Environment;
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{Reg, SlotId};
use crate::module::Module;
use crate::operation::{Operation, ScopeMark};
use crate::value::Value;
use rustc_hash::FxHashSet;
use smallvec::smallvec;

/// Whether all variables are made once in each call.
pub(super) fn can_be_adopted(body: &Body) -> bool {
    body.blocks.iter().enumerate().all(|(index, block)| {
        block.instructions.iter().all(|instruction| match instruction.operation {
            Operation::Alloca { count, .. } => count.is_none() && index == Body::ENTRY.index(),
            _ => true,
        })
    })
}

/// Whether the function asks what time it is, or waits for some time.
pub(super) fn asks_the_time(module: &Module, body: &Body, environment: &Environment) -> bool {
    let operations = body.blocks.iter().flat_map(|block| &block.instructions).map(|instruction| &instruction.operation);
    operations.filter_map(|operation| called(module, operation)).any(|name| is_about_time(environment, name))
}

/// Makes variables of the body of those that are made in what was put into it, the blocks of `source` from `first` on.
pub(super) fn adopt_variables(body: &mut Body, source: &Body, first: usize) {
    let entry = first + Body::ENTRY.index();
    let instructions = std::mem::take(&mut body.blocks[entry].instructions);
    let is_made = |it: &Instruction| matches!(it.operation, Operation::Alloca { .. });
    let (mut made, rest): (Vec<Instruction>, Vec<Instruction>) = instructions.into_iter().partition(is_made);
    for instruction in &mut made {
        if let Operation::Alloca { slot, .. } = &mut instruction.operation {
            body.slots.push(source.slots[slot.index()].clone());
            *slot = SlotId::new(body.slots.len() - 1);
        }
    }
    // Those of inner blocks, and those that were adopted before, are known to begin and end.
    let known = in_scopes(body, (first, source.blocks.len()));
    let marks = |mark: ScopeMark| {
        let own = made.iter().filter(|it| !known.contains(&it.results[0]));
        own.map(move |it| {
            let operation = Operation::Scope { address: Value::Reg(it.results[0]), mark };
            Instruction { results: smallvec![], operation, location: it.location }
        })
    };
    body.blocks[entry].instructions = marks(ScopeMark::Begins).chain(rest).collect();
    for (index, block) in source.blocks.iter().enumerate() {
        if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
            body.blocks[first + index].instructions.extend(marks(ScopeMark::Ends));
        }
    }
    body.blocks[Body::ENTRY.index()].instructions.splice(0..0, made);
}

/// The registers with the addresses of variables that begin in one of so many blocks from `first` on.
fn in_scopes(body: &Body, (first, count): (usize, usize)) -> FxHashSet<Reg> {
    let instructions = body.blocks[first..first + count].iter().flat_map(|block| &block.instructions);
    let begun = instructions.filter_map(|instruction| match instruction.operation {
        Operation::Scope { address, mark: ScopeMark::Begins } => address.reg(),
        _ => None,
    });
    begun.collect()
}
