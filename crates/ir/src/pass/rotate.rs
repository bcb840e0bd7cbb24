//! Rounds that begin in the middle of a loop: `while (!ready) { unlock(&m); pause(); lock(&m); }`.
//!
//! A thread that comes to the header of this loop holds the mutex, so that it cannot be stopped there, and others cannot
//! do anything before it goes on. But from one `unlock` to the next it locks the mutex, looks, and unlocks it again, which is a
//! round that does nothing. So the loop is rewritten to begin after the `unlock`: the way there from the header is
//! copied, for the first time that it is taken. Nothing is done about loops of which no round becomes one that does nothing.
//!
//! A wait that gives up after some time is an `unlock` and a `lock`, too, and is told apart into the two
//! ([`TimedWait`](crate::TimedWait)): a thread that has given up waits no more, so that to wait again and give up again changes
//! nothing. One that was notified has made a difference: another thread could have been.

use super::demote::demote;
use super::inline::rename_predecessor;
use super::lock_all::declared;
use super::promote::promote;
use super::prune::prune;
use super::sweep::sweep;
use super::thread_jumps::thread_jumps;
use crate::analysis::{ControlFlow, Facts, Limits, Loop, LoopId, Point, locks_are_silent};
use crate::environment::{Environment, LockRole, TimedWait};
use crate::function::{Block, Body, Function, Instruction, Terminator, TerminatorKind};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::types::Type;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// Lets loops begin where a mutex is unlocked, if that makes rounds of them do nothing.
pub(super) fn rotate_loops(module: &mut Module, environment: Environment) {
    if !locks_are_silent(module, environment) {
        return;
    }
    for index in 0..module.functions.len() {
        decide_early(module, index, environment);
        let mut attempts = ATTEMPTS;
        while let Some(rotated) = rotated(module, FunctionId::new(index), environment, &mut attempts) {
            module.functions[index] = rotated;
        }
    }
}

/// What a function that waits for some time returns decides at once on the way from where that is known.
fn decide_early(module: &mut Module, index: usize, environment: Environment) {
    let Some(body) = &module.functions[index].body else { return };
    if calls(module, body, environment).0.iter().all(|call| call.1.is_none()) {
        return;
    }
    let function = &mut module.functions[index];
    if let Some(body) = &mut function.body {
        while thread_jumps(body) {
            prune(body);
        }
    }
}

/// How many loops of a function are tried: each time, all of it is looked at.
const ATTEMPTS: usize = 32;

/// The function with one more loop of which some rounds do nothing.
fn rotated(module: &mut Module, id: FunctionId, environment: Environment, attempts: &mut usize) -> Option<Function> {
    let (facts, cuts) = cuts(module, module.function(id).body.as_ref()?, environment, *attempts)?;
    let parts = cuts.iter().any(|cut| cut.wait.is_some()).then(|| parts(module, environment)).flatten();
    cuts.iter().find_map(|cut| {
        *attempts -= 1;
        let function = module.function(id);
        let busy = is_busy(module, function.body.as_ref()?, environment, (&facts, cut.found));
        let (rotated, beginning) = busy.then(|| rotated_at(function, &facts, cut, parts)).flatten()?;
        let body = rotated.body.as_ref()?;
        let facts = Facts::of(body);
        let found = facts.loops.innermost(beginning)?;
        let is_busy = is_busy(module, body, environment, (&facts, found));
        (!is_busy).then_some(rotated)
    })
}

/// The function with a loop that begins after the call, and the block in which it does.
fn rotated_at(
    function: &Function,
    facts: &Facts,
    cut: &Cut,
    parts: Option<[FunctionId; 2]>,
) -> Option<(Function, BlockId)> {
    let mut function = function.clone();
    rotate(function.body.as_mut()?, facts, cut, parts)?;
    promote(&mut function);
    sweep(&mut function);
    let blocks = &mut function.body.as_mut()?.blocks;
    let beginning = blocks.iter_mut().position(|it| it.label.take_if(|label| **label == *BEGINNING).is_some())?;
    Some((function, BlockId::new(beginning)))
}

/// Whether no round of a loop does nothing.
fn is_busy(module: &Module, body: &Body, environment: Environment, (facts, found): (&Facts, LoopId)) -> bool {
    let found = facts.loops.get(found);
    let limits = Limits::of((module, body, &facts.flow), &environment, found);
    facts.subject((module, body), environment, (found, &limits)).analyse().condition.disjuncts.is_empty()
}

/// What the block is called where a loop is let begin, until that is done; no block of a program is called so.
const BEGINNING: &str = "<beginning>";

/// The functions that begin and end a wait.
fn parts(module: &mut Module, environment: Environment) -> Option<[FunctionId; 2]> {
    let [begin, end] = environment.timed_wait_parts;
    let begin = declared(module, begin, &[Type::Ptr, Type::Ptr, Type::Ptr, Type::I32], &[Type::I32]);
    Some([begin, declared(module, end, &[Type::Ptr], &[Type::I32])])
}

/// Where a loop may be let begin.
struct Cut {
    found: LoopId,
    /// The call after which it begins.
    call: Point,
    /// What the call is, if it is a wait.
    wait: Option<TimedWait>,
    /// Whether all rounds come to it. Those that do not become rounds of a loop inside.
    is_in_every_round: bool,
}

/// So many places at most where loops may be let begin, the best first: where a mutex is unlocked that is locked later in the same
/// round.
fn cuts(module: &Module, body: &Body, environment: Environment, most: usize) -> Option<(Facts, Vec<Cut>)> {
    let (calls, locks) = calls(module, body, environment);
    if calls.is_empty() || module.returns_twice_in(body) {
        return None;
    }
    let facts = Facts::of(body);
    let Facts { dominators, loops, .. } = &facts;
    let cut = &|id: LoopId, (call, wait): (Point, Option<TimedWait>)| {
        let found = loops.get(id);
        let comes_later = |lock: &Point| match lock.block == call.block {
            true => lock.position > call.position,
            false => found.contains(lock.block) && dominators.dominates(call.block, lock.block),
        };
        let is_in_every_round = found.latches.iter().all(|&latch| dominators.dominates(call.block, latch));
        let locks_again = wait.is_some() || locks.iter().any(comes_later);
        ((is_in_every_round || wait.is_some()) && locks_again).then_some(Cut {
            found: id,
            call,
            wait,
            is_in_every_round,
        })
    };
    // What a wait returns may end a loop and begin another round of the one around it: together, they are one that waits.
    let around = |&call: &(Point, Option<TimedWait>)| {
        let innermost = loops.innermost(call.0.block);
        let all = std::iter::successors(innermost, move |&id| loops.get(id).parent.filter(|_| call.1.is_some()));
        all.filter_map(move |id| cut(id, call))
    };
    let mut cuts: Vec<Cut> = calls.iter().flat_map(around).collect();
    cuts.sort_by_key(|cut| !cut.is_in_every_round);
    cuts.truncate(most);
    (!cuts.is_empty()).then_some((facts, cuts))
}

/// The calls that unlock mutexes, with the waits among them, and those that lock some.
fn calls(module: &Module, body: &Body, environment: Environment) -> (Vec<(Point, Option<TimedWait>)>, Vec<Point>) {
    let (mut calls, mut locks) = (Vec::new(), Vec::new());
    for block in body.block_ids() {
        for (position, instruction) in body.block(block).instructions.iter().enumerate() {
            let Operation::Call { callee: Callee::Direct(id), .. } = &instruction.operation else { continue };
            let (function, point) = (module.function(*id), Point { block, position });
            let wait = (environment.timed_wait)(&function.name).filter(|_| function.body.is_none());
            match environment.lock_role_of(module, &instruction.operation) {
                Some(LockRole::Locks | LockRole::Tries) => locks.push(point),
                Some(LockRole::Unlocks) => calls.push((point, None)),
                _ if wait.is_some() => calls.push((point, wait)),
                _ => {}
            }
        }
    }
    (calls, locks)
}

/// Lets the loop begin after the call.
fn rotate(body: &mut Body, facts: &Facts, cut: &Cut, parts: Option<[FunctionId; 2]>) -> Option<()> {
    let (found, flow) = (facts.loops.get(cut.found), &facts.flow);
    let header = found.header;
    if let Some(wait) = cut.wait {
        take_apart(body, cut.call, wait, parts?)?;
    }
    let second = split_after(body, cut.call);
    let way = way(body, (found, cut.call), second, flow).filter(|_| header != Body::ENTRY)?;
    demote(body, &way.iter().copied().collect::<FxHashSet<_>>());
    let originals = body.blocks.len();
    let copies: FxHashMap<BlockId, BlockId> =
        way.iter().enumerate().map(|(index, &block)| (block, BlockId::new(originals + index))).collect();
    for &block in &way {
        let copy = copy(body, block, &copies);
        body.blocks.push(copy);
    }
    for block in (0..originals).map(BlockId::new).filter(|&block| !found.contains(block) && block != second) {
        body.blocks[block.index()].terminator.kind.for_each_successor_mut(|successor| {
            if *successor == header {
                *successor = copies[&header];
            }
        });
    }
    Some(())
}

/// Puts two calls in the place of that of a wait: one that waits, and one that locks the mutex again.
fn take_apart(body: &mut Body, call: Point, wait: TimedWait, [begin, end]: [FunctionId; 2]) -> Option<()> {
    let result = body.add_register(Type::I32, None);
    let instructions = &mut body.blocks[call.block.index()].instructions;
    let Operation::Call { callee, arguments, fixed } = &mut instructions[call.position].operation else { return None };
    let (condition, mutex, limit) = (*arguments.first()?, *arguments.get(1)?, *arguments.get(wait.limit)?);
    *callee = Callee::Direct(begin);
    *arguments = vec![mutex, condition, limit, Value::constant(Type::I32, wait.gives.into())];
    *fixed = 4;
    let location = instructions[call.position].location;
    let operation = Operation::Call { callee: Callee::Direct(end), arguments: vec![mutex], fixed: 1 };
    instructions.insert(call.position + 1, Instruction { results: smallvec![result], operation, location });
    Some(())
}

/// Makes a block of its own of what comes after the call.
fn split_after(body: &mut Body, call: Point) -> BlockId {
    let second = BlockId::new(body.blocks.len());
    let block = &mut body.blocks[call.block.index()];
    let instructions = block.instructions.split_off(call.position + 1);
    let location = instructions.first().map_or(block.terminator.location, |instruction| instruction.location);
    let jump = Terminator { kind: TerminatorKind::Jump(second), location };
    let terminator = std::mem::replace(&mut block.terminator, jump);
    rename_predecessor(body, &terminator.kind, call.block, second);
    let label = Some(BEGINNING.into());
    body.blocks.push(Block { label, phis: Vec::new(), instructions, terminator });
    second
}

/// The blocks on the ways from the header to where the loop is to begin, and of rounds that do not come there, if they can be copied.
fn way(body: &Body, (found, call): (&Loop, Point), second: BlockId, flow: &ControlFlow) -> Option<Vec<BlockId>> {
    let mut way = vec![found.header];
    let mut next = 0;
    while let Some(&block) = way.get(next) {
        next += 1;
        let makes_variable = |it: &Instruction| matches!(it.operation, Operation::Alloca { .. });
        if body.block(block).instructions.iter().any(makes_variable) {
            return None;
        }
        if block == call.block {
            continue;
        }
        for &to in flow.successors(block).iter().filter(|&&to| found.contains(to)) {
            if flow.position(to) <= flow.position(block) && to != found.header {
                return None;
            }
            if !way.contains(&to) {
                way.push(to);
            }
        }
    }
    debug_assert!(!way.contains(&second));
    Some(way)
}

/// A block that does the same, with registers of its own.
fn copy(body: &mut Body, block: BlockId, copies: &FxHashMap<BlockId, BlockId>) -> Block {
    let mut copy = body.block(block).clone();
    let mut registers: FxHashMap<Reg, Reg> = FxHashMap::default();
    let rename = |registers: &FxHashMap<Reg, Reg>, value: &mut Value| {
        if let Some(&new) = value.reg().and_then(|reg| registers.get(&reg)) {
            *value = Value::Reg(new);
        }
    };
    for instruction in &mut copy.instructions {
        instruction.operation.for_each_value_mut(|value| rename(&registers, value));
        for result in &mut instruction.results {
            let register = body.register(*result).clone();
            let new = body.add_register(register.ty, register.name);
            registers.insert(*result, new);
            *result = new;
        }
    }
    copy.terminator.kind.for_each_value_mut(|value| rename(&registers, value));
    copy.terminator.kind.for_each_successor_mut(|successor| {
        if let Some(&copied) = copies.get(successor) {
            *successor = copied;
        }
    });
    copy
}
