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
use super::sweep::sweep;
use crate::analysis::{
    ControlFlow, Definitions, Dominators, Limits, Loop, LoopId, Loops, Point, Subject, count_uses, locks_are_silent,
    relevant_registers,
};
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
        while let Some(rotated) = rotated(module, FunctionId::new(index), environment) {
            module.functions[index] = rotated;
        }
    }
}

/// The function with one more loop of which some rounds do nothing.
fn rotated(module: &mut Module, id: FunctionId, environment: Environment) -> Option<Function> {
    let cuts = cuts(module, module.function(id).body.as_ref()?, environment);
    if cuts.is_empty() {
        return None;
    }
    let parts = cuts.iter().any(|cut| cut.wait.is_some()).then(|| parts(module, environment)).flatten();
    let before = busy_loops(module, module.function(id).body.as_ref()?, environment).len();
    cuts.into_iter().find_map(|cut| {
        let mut function = module.function(id).clone();
        rotate(function.body.as_mut()?, &cut, parts)?;
        promote(&mut function);
        sweep(&mut function);
        (busy_loops(module, function.body.as_ref()?, environment).len() < before).then_some(function)
    })
}

/// The functions that begin and end a wait.
fn parts(module: &mut Module, environment: Environment) -> Option<[FunctionId; 2]> {
    let [begin, end] = environment.timed_wait_parts;
    let begin = declared(module, begin, &[Type::Ptr, Type::Ptr, Type::Ptr, Type::I32], &[Type::I32]);
    Some([begin, declared(module, end, &[Type::Ptr], &[Type::I32])])
}

/// Where a loop may be let begin.
struct Cut {
    found: Loop,
    /// The call after which it begins.
    call: Point,
    /// What the call is, if it is a wait.
    wait: Option<TimedWait>,
}

/// The loops without rounds that do nothing.
fn busy_loops(module: &Module, body: &Body, environment: Environment) -> Vec<LoopId> {
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let definitions = Definitions::new(body);
    let relevant = relevant_registers(body, &flow, &definitions);
    let uses = count_uses(body);
    let loops = Loops::new(&flow, &dominators);
    let is_busy = |found: &Loop| {
        let subject = Subject {
            module,
            body,
            flow: &flow,
            dominators: &dominators,
            definitions: &definitions,
            found,
            environment,
            locks_are_silent: true,
            relevant: &relevant,
            limits: &Limits::of((module, body, &flow), &environment, found),
            uses: &uses,
            dead: &[],
        };
        subject.analyse().condition.disjuncts.is_empty()
    };
    loops.iter().filter(|(_, found)| is_busy(found)).map(|(id, _)| id).collect()
}

fn cuts(module: &Module, body: &Body, environment: Environment) -> Vec<Cut> {
    let what = |instruction: &Instruction| match &instruction.operation {
        Operation::Call { callee: Callee::Direct(id), .. } => {
            let function = module.function(*id);
            let wait = (environment.timed_wait)(&function.name).filter(|_| function.body.is_none());
            let role = environment.lock_role_of(module, &instruction.operation);
            (wait.is_some() || role == Some(LockRole::Unlocks)).then_some(wait)
        }
        _ => None,
    };
    let calls = body.block_ids().flat_map(|block| {
        let instructions = body.block(block).instructions.iter().enumerate();
        instructions.filter_map(move |(position, it)| Some((Point { block, position }, what(it)?)))
    });
    let calls: Vec<(Point, Option<TimedWait>)> = calls.collect();
    if calls.is_empty() || module.returns_twice_in(body) {
        return Vec::new();
    }
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let loops = Loops::new(&flow, &dominators);
    let mut cuts = Vec::new();
    for id in busy_loops(module, body, environment) {
        let found = loops.get(id);
        for &(call, wait) in &calls {
            let is_in_every_round = loops.innermost(call.block) == Some(id)
                && found.latches.iter().all(|&latch| dominators.dominates(call.block, latch));
            if is_in_every_round {
                cuts.push(Cut { found: found.clone(), call, wait });
            }
        }
    }
    cuts
}

/// Lets the loop begin after the call.
fn rotate(body: &mut Body, cut: &Cut, parts: Option<[FunctionId; 2]>) -> Option<()> {
    let header = cut.found.header;
    let flow = ControlFlow::new(body);
    if let Some(wait) = cut.wait {
        take_apart(body, cut.call, wait, parts?)?;
    }
    let second = split_after(body, cut.call);
    let way = way(body, cut, second, &flow).filter(|_| header != Body::ENTRY)?;
    demote(body, &way.iter().copied().collect::<FxHashSet<_>>());
    let originals = body.blocks.len();
    let copies: FxHashMap<BlockId, BlockId> =
        way.iter().enumerate().map(|(index, &block)| (block, BlockId::new(originals + index))).collect();
    for &block in &way {
        let copy = copy(body, block, &copies);
        body.blocks.push(copy);
    }
    for block in (0..originals).map(BlockId::new).filter(|&block| !cut.found.contains(block) && block != second) {
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
    body.blocks.push(Block { label: None, phis: Vec::new(), instructions, terminator });
    second
}

/// The blocks on the ways from the header to where the loop is to begin, if they can be copied.
fn way(body: &Body, cut: &Cut, second: BlockId, flow: &ControlFlow) -> Option<Vec<BlockId>> {
    let mut way = vec![cut.found.header];
    let mut next = 0;
    while let Some(&block) = way.get(next) {
        next += 1;
        let makes_variable = |it: &Instruction| matches!(it.operation, Operation::Alloca { .. });
        if body.block(block).instructions.iter().any(makes_variable) {
            return None;
        }
        if block == cut.call.block {
            continue;
        }
        for &to in flow.successors(block).iter().filter(|&&to| cut.found.contains(to)) {
            if flow.position(to) <= flow.position(block) {
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
