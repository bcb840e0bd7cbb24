//! Which registers decide anything: the others may change from round to round.
//!
//! A thread that counts how often it has tried, in order to call `sched_yield` every now and then, is in the same state
//! whatever the number: it decides only between ways that do nothing and come together again at once. Such a number
//! keeps no round from being pure (FMCAD 2022, Sect. III, has "any local variable that may be used after the end of the
//! iteration": this is a closer look at what using is).
//!
//! Relevant is what an operation uses that does more than compute; what decides on where control goes, unless the ways
//! do nothing and differ in no phi that is relevant where they meet; and what such a register is computed from.

use super::definitions::{Definition, Definitions};
use super::expression::is_repeatable;
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::value::Value;

/// For every register, whether it is relevant. `is_idle` accepts instructions that do nothing.
pub(crate) fn relevant_registers(
    body: &Body,
    definitions: &Definitions,
    is_idle: &dyn Fn(&Instruction) -> bool,
) -> Vec<bool> {
    let mut work: Vec<Reg> = Vec::new();
    // Branches that matter only if a phi does: by the block of the phi.
    let mut pending: Vec<Vec<(BlockId, [BlockId; 2])>> = vec![Vec::new(); body.blocks.len()];
    for id in body.block_ids() {
        let block = body.block(id);
        let effects = block.instructions.iter().filter(|it| !is_repeatable(&it.operation) && !is_idle(it));
        work.extend(effects.flat_map(|instruction| instruction.operation.values()).filter_map(Value::reg));
        match idle_ways(body, id, is_idle) {
            Some((join, from)) => pending[join.index()].push((id, from)),
            None => work.extend(block.terminator.kind.values().into_iter().filter_map(Value::reg)),
        }
    }
    let mut relevant = vec![false; body.registers.len()];
    while let Some(reg) = work.pop() {
        if std::mem::replace(&mut relevant[reg.index()], true) {
            continue;
        }
        match definitions.of(reg) {
            Definition::Parameter => {}
            Definition::Phi(block) => {
                for phi in body.block(block).phis.iter().filter(|phi| phi.result == reg) {
                    work.extend(phi.incoming.iter().filter_map(|incoming| incoming.1.reg()));
                    let at = |from: BlockId| phi.incoming.iter().find(|incoming| incoming.0 == from).map(|it| it.1);
                    let decided = pending[block.index()].iter().filter(|(_, [a, b])| at(*a) != at(*b));
                    let decided = decided.flat_map(|(id, _)| body.block(*id).terminator.kind.values());
                    work.extend(decided.filter_map(Value::reg));
                }
            }
            Definition::Instruction(block, position) => {
                let instruction = &body.block(block).instructions[position];
                work.extend(instruction.operation.values().into_iter().filter_map(Value::reg));
            }
        }
    }
    relevant
}

/// Where the two ways out of a block meet, and the blocks that they come from there, if they do nothing before.
fn idle_ways(body: &Body, id: BlockId, is_idle: &dyn Fn(&Instruction) -> bool) -> Option<(BlockId, [BlockId; 2])> {
    let TerminatorKind::Branch { then, otherwise, .. } = body.block(id).terminator.kind else { return None };
    let beyond = |way: BlockId| match body.block(way).terminator.kind {
        TerminatorKind::Jump(next) => {
            let block = body.block(way);
            let does_nothing = block.instructions.iter().all(|it| is_repeatable(&it.operation) || is_idle(it));
            (does_nothing && block.phis.is_empty()).then_some(next)
        }
        _ => None,
    };
    let (after_then, after_otherwise) = (beyond(then), beyond(otherwise));
    if after_then == Some(otherwise) {
        Some((otherwise, [then, id]))
    } else if after_otherwise == Some(then) {
        Some((then, [id, otherwise]))
    } else {
        let join = after_then.filter(|_| after_then == after_otherwise)?;
        Some((join, [then, otherwise]))
    }
}
