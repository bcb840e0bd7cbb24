//! Atomic sections that are a single access are just that: an access is a step anyway. One that loads a variable, adds a constant
//! and stores it again is an addition, which commutes with others.
//!
//! A section that may still rule out its execution when it has stored something stays one: nobody sees what it has stored then.

use crate::analysis::{ControlFlow, Extent, Place, count_uses, named};
use crate::environment::Environment;
use crate::function::{Body, Instruction};
use crate::ids::BlockId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{AtomicOrdering, BinaryOp, RmwOp};
use crate::types::Type;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// Removes the marks of sections with no more than one access.
pub(super) fn open_single_accesses(module: &Module, environment: &Environment, body: &mut Body, extents: &[Extent]) {
    let mut gone: FxHashSet<Place> = FxHashSet::default();
    let mut replaced: FxHashMap<Place, Instruction> = FxHashMap::default();
    let uses = count_uses(body);
    let flow = ControlFlow::new(body);
    for extent in extents {
        let operation = |(block, at): Place| &body.block(block).instructions[at].operation;
        let accesses: Vec<Place> = extent.places().filter(|&place| operation(place).address().is_some()).collect();
        let is_store = |&place: &Place| matches!(operation(place), Operation::Store { .. });
        if let Some(store) = accesses.iter().copied().find(is_store)
            && later(&flow, extent, store).any(|place| may_stop(module, environment, operation(place)))
        {
            continue;
        }
        match accesses[..] {
            [] => {}
            [only] if is_step(body, only) => {}
            [load, store] => {
                let Some(addition) = addition(body, &uses, load, store) else { continue };
                gone.insert(load);
                replaced.insert(store, addition);
            }
            _ => continue,
        }
        gone.insert(extent.begin);
        gone.extend(&extent.ends);
    }
    // The result of an addition that nobody uses needs a register.
    for id in body.block_ids() {
        let old = std::mem::take(&mut body.blocks[id.index()].instructions);
        let new = old.into_iter().enumerate().filter_map(|(at, it)| match replaced.remove(&(id, at)) {
            Some(mut addition) => {
                if let Operation::AtomicRmw { value, .. } = addition.operation {
                    let ty = value.ty(body)?;
                    addition.results = smallvec![body.add_register(ty, None)];
                }
                Some(addition)
            }
            None => (!gone.contains(&(id, at))).then_some(it),
        });
        let new = new.collect();
        body.blocks[id.index()].instructions = new;
    }
}

/// What may come after a place of a section in it, which goes round in no loop.
fn later<'a>(flow: &ControlFlow, extent: &'a Extent, place: Place) -> impl Iterator<Item = Place> + 'a {
    let goes_on = |block: BlockId| !extent.ends.iter().any(|end| end.0 == block);
    let (mut met, mut work) = (FxHashSet::default(), vec![place.0]);
    while let Some(block) = work.pop() {
        let next = flow.successors(block).iter().filter(|_| goes_on(block));
        work.extend(next.filter(|&&next| met.insert(next)));
    }
    extent.places().filter(move |it| met.contains(&it.0) || it.0 == place.0 && it.1 > place.1)
}

/// Whether an operation in a section may be the last one of its execution.
fn may_stop(module: &Module, environment: &Environment, operation: &Operation) -> bool {
    match operation {
        Operation::Assume { .. } => true,
        Operation::Call { callee: Callee::Direct(function), .. } => {
            !(environment.gives_input)(&module.function(*function).name)
        }
        _ => false,
    }
}

/// Whether an access is one step.
fn is_step(body: &Body, (block, at): Place) -> bool {
    let instruction = &body.block(block).instructions[at];
    let is_whole = |(address, ty): (Value, Type)| match instruction.operation {
        Operation::Load { align, .. } | Operation::Store { align, .. } => {
            named(address).is_some() && is_whole(ty.bytes(), align)
        }
        _ => false,
    };
    instruction.accessed(body).is_some_and(is_whole)
}

/// Whether so many bytes, at an address that is a multiple of `align`, are in one word.
fn is_whole(bytes: u32, align: u32) -> bool {
    bytes.is_power_of_two() && bytes <= 8 && align >= bytes
}

/// The addition that a load and a store of the same variable come to, if the one is used for the other only.
fn addition(body: &Body, uses: &[u32], load: Place, store: Place) -> Option<Instruction> {
    if !is_step(body, load) || !is_step(body, store) || load.0 != store.0 || load.1 > store.1 {
        return None;
    }
    let instruction = |(block, at): (BlockId, usize)| &body.block(block).instructions[at];
    let Operation::Load { address, .. } = instruction(load).operation else { return None };
    let Operation::Store { address: to, value: sum, .. } = instruction(store).operation else { return None };
    let (loaded, sum) = (instruction(load).results[0], sum.reg().filter(|_| to == address)?);
    let adds = body.block(load.0).instructions[load.1..store.1].iter().find(|it| it.results[..] == [sum])?;
    let Operation::Binary { op, lhs, rhs: value @ Value::Const { .. } } = adds.operation else { return None };
    let is_own = lhs == Value::Reg(loaded) && uses[loaded.index()] == 1 && uses[sum.index()] == 1;
    let op = match op {
        BinaryOp::Add => RmwOp::Add,
        BinaryOp::Sub => RmwOp::Sub,
        _ => return None,
    };
    let ordering = AtomicOrdering::SeqCst;
    let operation = Operation::AtomicRmw { op, address, value, ordering, volatile: false };
    is_own.then(|| Instruction { results: smallvec![], operation, location: instruction(store).location })
}
