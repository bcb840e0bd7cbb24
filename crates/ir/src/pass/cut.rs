//! Back edges that cannot be taken any more are cut.
//!
//! Where every round of a loop is pure, and so blocked by an assume, the loop is none any more. Without its back edges
//! the blocks before it and in it become one, and an assume stands right after the load that it is about, which can
//! wait then.

use super::merge::merge_blocks;
use super::purity::TreatedLoop;
use crate::function::{Block, Instruction, Terminator, TerminatorKind};
use crate::ids::BlockId;
use crate::module::Module;
use crate::operation::Operation;
use crate::value::Value;
use smallvec::smallvec;

/// Cuts the back edges of the loops in which every round is blocked, and merges blocks where that was done.
pub fn cut_dead_edges(module: &mut Module, treated: &[TreatedLoop]) {
    for one in treated.iter().filter(|one| one.is_complete && !one.pure_if.is_empty()) {
        let Some(body) = &mut module.functions[one.function.index()].body else { continue };
        let end = BlockId::new(body.blocks.len());
        let operation = Operation::Assume { condition: Value::bool(false), round: None };
        body.blocks.push(Block {
            label: None,
            phis: Vec::new(),
            instructions: vec![Instruction { results: smallvec![], operation, location: one.location }],
            terminator: Terminator { kind: TerminatorKind::Unreachable, location: one.location },
        });
        for latch in &one.latches {
            body.blocks[latch.index()].terminator.kind.for_each_successor_mut(|target| {
                if *target == one.header {
                    *target = end;
                }
            });
        }
        for phi in &mut body.blocks[one.header.index()].phis {
            phi.incoming.retain(|incoming| !one.latches.contains(&incoming.0));
        }
    }
    let mut changed: Vec<_> = treated.iter().filter(|one| one.is_complete).map(|one| one.function).collect();
    changed.dedup();
    for function in changed {
        let function = &mut module.functions[function.index()];
        if let Some(body) = &mut function.body {
            merge_blocks(body);
        }
    }
}
