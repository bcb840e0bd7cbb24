//! Removal of loops that only pass the time: `for (i = 0; i < n; i++) pause();`.
//!
//! A thread that backs off goes round such a loop between two tries. It does nothing and ends by itself, and nobody looks
//! at what it has computed; so it may as well not be there, and the number of its rounds, which grows from try to try,
//! decides nothing.

use super::prune::prune;
use crate::analysis::{ControlFlow, Definitions, Dominators, Loop, Loops, is_counted, is_repeatable};
use crate::environment::Environment;
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::IntPredicate;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Removes the loops of the program that only pass the time.
pub(super) fn remove_idle_loops(module: &mut Module, environment: &Environment) {
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[FunctionId::new(index).index()].body.take() else { continue };
        let is_idle = |instruction: &Instruction| {
            is_repeatable(&instruction.operation) || environment.is_idle_call(module, instruction)
        };
        while remove_one(&mut body, &is_idle) {}
        module.functions[index].body = Some(body);
    }
}

fn remove_one(body: &mut Body, is_idle: &dyn Fn(&Instruction) -> bool) -> bool {
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let loops = Loops::new(&flow, &dominators);
    let definitions = Definitions::new(body);
    let is_one = |found: &Loop| {
        let does_nothing = |&block: &BlockId| body.block(block).instructions.iter().all(is_idle);
        found.body.iter().all(does_nothing)
            && is_counted(body, &definitions, &dominators, found)
            && found.exits(&flow).iter().all(|exit| compares_sizes(body, exit.0))
    };
    let bypass = loops.iter().rev().filter(|(_, found)| is_one(found)).find_map(|(_, found)| {
        let beyond = beyond(body, found, &flow)?;
        Some((found.clone(), beyond))
    });
    let Some((found, beyond)) = bypass else { return false };
    skip(body, &found, &flow, beyond);
    prune(body);
    true
}

/// Whether a block decides by which of two numbers is the larger one. A count can miss a number for ever, but not pass it.
fn compares_sizes(body: &Body, id: BlockId) -> bool {
    let block = body.block(id);
    let TerminatorKind::Branch { condition, .. } = block.terminator.kind else { return false };
    let decides = |it: &&Instruction| it.results.first().is_some_and(|&result| condition == Value::Reg(result));
    let compare = block.instructions.iter().find(decides).map(|it| &it.operation);
    matches!(compare, Some(Operation::Compare { predicate, .. }) if !matches!(predicate, IntPredicate::Eq | IntPredicate::Ne))
}

/// Where a loop always leads, if nothing that it computes is used there or later, and those who come to the loop do not come
/// there in another way.
fn beyond(body: &Body, found: &Loop, flow: &ControlFlow) -> Option<BlockId> {
    let mut exits = found.exits(flow).into_iter();
    let (from, beyond) = exits.next()?;
    if exits.any(|exit| exit.1 != beyond) {
        return None;
    }
    let own: FxHashSet<Reg> = found.body.iter().flat_map(|&block| assigned(body, block)).collect();
    let is_own = |value: Value| value.reg().is_some_and(|reg| own.contains(&reg));
    let uses_own = |id: BlockId| {
        let block = body.block(id);
        let incoming = block.phis.iter().flat_map(|phi| &phi.incoming).map(|incoming| incoming.1);
        let operands = block.instructions.iter().flat_map(|instruction| instruction.operation.values());
        incoming.chain(operands).chain(block.terminator.kind.values()).any(is_own)
    };
    let others = body.block_ids().filter(|&id| !found.contains(id) && flow.is_reachable(id));
    let mut before = flow.predecessors(found.header).iter().filter(|&&id| !found.contains(id));
    let comes_both_ways = before.any(|id| flow.predecessors(beyond).contains(id));
    let value_from = |phi: &crate::function::Phi, from: BlockId| {
        phi.incoming.iter().find(|incoming| incoming.0 == from).map(|incoming| incoming.1)
    };
    let is_same = body.block(beyond).phis.iter().all(|phi| {
        let mut values = phi.incoming.iter().filter(|incoming| found.contains(incoming.0));
        values.all(|incoming| Some(incoming.1) == value_from(phi, from))
    });
    (!comes_both_ways && is_same && !others.into_iter().any(uses_own)).then_some(beyond)
}

fn assigned(body: &Body, block: BlockId) -> impl Iterator<Item = Reg> + '_ {
    let block = body.block(block);
    let results = block.instructions.iter().flat_map(|instruction| instruction.results.iter().copied());
    block.phis.iter().map(|phi| phi.result).chain(results)
}

/// Leads those who come to the loop past it.
fn skip(body: &mut Body, found: &Loop, flow: &ControlFlow, beyond: BlockId) {
    let before: Vec<BlockId> =
        flow.predecessors(found.header).iter().copied().filter(|&id| !found.contains(id)).collect();
    for &id in &before {
        let kind = &mut body.blocks[id.index()].terminator.kind;
        kind.for_each_successor_mut(|target| {
            if *target == found.header {
                *target = beyond;
            }
        });
    }
    for phi in &mut body.blocks[beyond.index()].phis {
        let Some(value) = phi.incoming.iter().find(|incoming| found.contains(incoming.0)).map(|it| it.1) else {
            continue;
        };
        phi.incoming.retain(|incoming| !found.contains(incoming.0));
        phi.incoming.extend(before.iter().map(|&id| (id, value)));
        phi.incoming.sort_by_key(|incoming| incoming.0);
    }
}
