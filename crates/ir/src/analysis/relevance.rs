//! Which registers decide anything: the others may change from round to round.
//!
//! A thread that counts how often it has tried, in order to call `sched_yield` every now and then, is in the same state
//! whatever the number: it decides only between ways that do nothing and come together again. Such a number
//! keeps no round from being pure (FMCAD 2022, Sect. III, has "any local variable that may be used after the end of the
//! iteration": this is a closer look at what using is).
//!
//! Relevant is what an operation uses that does more than compute; what decides on where control goes, unless the ways
//! do nothing and differ in no phi that is relevant where they meet; and what such a register is computed from.

use super::control_flow::ControlFlow;
use super::definitions::{Definition, Definitions};
use super::expression::{is_repeatable, only_computes};
use crate::function::{Body, Phi};
use crate::ids::{BlockId, Reg};
use crate::value::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// For every register, whether it is relevant.
pub(crate) fn relevant_registers(body: &Body, flow: &ControlFlow, definitions: &Definitions) -> Vec<bool> {
    let does_nothing =
        |id: BlockId| body.block(id).instructions.iter().all(|instruction| only_computes(&instruction.operation));
    let mut work: Vec<Reg> = Vec::new();
    // Branches that matter only if a phi does: by the block of the phi.
    let mut pending: Vec<Vec<Rc<IdleWays>>> = vec![Vec::new(); body.blocks.len()];
    for id in body.block_ids() {
        let block = body.block(id);
        let effects = block.instructions.iter().filter(|it| !is_repeatable(&it.operation));
        work.extend(effects.flat_map(|instruction| instruction.operation.values()).filter_map(Value::reg));
        match IdleWays::from(id, flow, &does_nothing).map(Rc::new) {
            Some(ways) => ways.blocks().for_each(|block| pending[block.index()].push(Rc::clone(&ways))),
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
                    let decided = pending[block.index()].iter().filter(|ways| ways.decide(phi));
                    let decided = decided.flat_map(|ways| body.block(ways.start).terminator.kind.values());
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

/// The ways out of a block, all of which do nothing until they meet again, and come there after finitely many steps.
struct IdleWays {
    start: BlockId,
    /// The blocks on the ways.
    between: Vec<BlockId>,
    /// Where they meet.
    join: BlockId,
}

impl IdleWays {
    /// Ways with more blocks are not looked at.
    const LONGEST: usize = 32;

    fn from(start: BlockId, flow: &ControlFlow, does_nothing: &dyn Fn(BlockId) -> bool) -> Option<Self> {
        // Where the ways have come to, each block once: those that come first in the control flow are gone on from first, so
        // that a block is gone on from when all ways to it are there.
        let mut ends: BTreeSet<(u32, BlockId)> = BTreeSet::new();
        let mut between = Vec::new();
        let mut at = start;
        loop {
            for &next in flow.successors(at) {
                let is_ahead = flow.position(next) > flow.position(at);
                // From where an edge goes back to, nothing is gone on: others may come there as well, and meet it.
                let rank = if is_ahead { flow.position(next)? } else { u32::MAX };
                ends.insert((rank, next));
            }
            let first = ends.pop_first()?;
            if ends.is_empty() {
                let join = first.1;
                return (join != start && !between.contains(&join)).then_some(Self { start, between, join });
            }
            // A way that does not go on never meets the others.
            let goes_on = first.0 != u32::MAX && !flow.successors(first.1).is_empty();
            if !goes_on || between.len() == Self::LONGEST || !does_nothing(first.1) {
                return None;
            }
            between.push(first.1);
            at = first.1;
        }
    }

    /// The blocks with phis that may depend on the way.
    fn blocks(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.between.iter().copied().chain([self.join])
    }

    /// Whether a phi of one of the blocks is not the same on all ways.
    fn decide(&self, phi: &Phi) -> bool {
        let is_on_a_way = |from: BlockId| from == self.start || self.between.contains(&from);
        let mut values = phi.incoming.iter().filter(|incoming| is_on_a_way(incoming.0)).map(|incoming| incoming.1);
        values.next().is_some_and(|first| values.any(|other| other != first))
    }
}
