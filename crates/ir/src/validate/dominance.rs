//! The rule that every use comes after its assignment.

use super::{Broken, require};
use crate::analysis::{ControlFlow, Dominators};
use crate::function::Body;
use crate::ids::{BlockId, Reg};
use crate::value::Value;

/// Where a register is assigned: the block, and the position in it. Phis are at 0, instructions from 1.
type Place = (BlockId, usize);

pub(super) fn check(body: &Body, flow: &ControlFlow) -> Result<(), Broken> {
    let dominators = Dominators::new(flow, body.blocks.len());
    let places = places(body);
    let available = |value: Value, at: Place| {
        let Some(reg) = value.reg() else { return Ok(()) };
        let place = places[reg.index()];
        let before = if place.0 == at.0 { place.1 < at.1 } else { dominators.dominates(place.0, at.0) };
        require(before, || format!("{reg} is used where its assignment in {} does not reach", place.0))
    };
    for &id in flow.reverse_postorder() {
        let block = body.block(id);
        let check_block = || {
            for (position, instruction) in block.instructions.iter().enumerate() {
                let values = instruction.operation.values();
                values.into_iter().try_for_each(|value| available(value, (id, position + 1)))?;
            }
            block.terminator.kind.values().into_iter().try_for_each(|value| available(value, (id, usize::MAX)))?;
            for &(from, value) in block.phis.iter().flat_map(|phi| &phi.incoming) {
                if flow.is_reachable(from) {
                    available(value, (from, usize::MAX))?;
                }
            }
            Ok(())
        };
        check_block().map_err(|message| (Some(id), message))?;
    }
    Ok(())
}

fn places(body: &Body) -> Vec<Place> {
    // Parameters are assigned before anything else: the entry has no phis, so that its position 0 is free.
    let mut places = vec![(Body::ENTRY, 0); body.registers.len()];
    let mut assign = |reg: Reg, place| places[reg.index()] = place;
    for id in body.block_ids() {
        let block = body.block(id);
        block.phis.iter().for_each(|phi| assign(phi.result, (id, 0)));
        for (position, instruction) in block.instructions.iter().enumerate() {
            instruction.results.iter().for_each(|&result| assign(result, (id, position + 1)));
        }
    }
    places
}
