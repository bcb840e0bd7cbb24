//! Blocks that only follow each other become one.

use super::idle_loops::has_value;
use super::inline::replace_registers;
use super::prune::prune;
use crate::analysis::{ControlFlow, Definitions};
use crate::function::{Body, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Merges blocks with the only block that they come from, if that goes nowhere else; looks through blocks that do
/// nothing but go on. Registers whose assignments are gone stay in the table: [`compact`](super::compact()) removes them.
pub fn merge_blocks(body: &mut Body) {
    skip_empty_blocks(body);
    prune(body);
    let flow = ControlFlow::new(body);
    // What blocks are called after they have become part of another one.
    let mut names: Vec<BlockId> = body.block_ids().collect();
    let mut replacements = Vec::new();
    for head in body.block_ids() {
        if follows_only(body, &flow, head) {
            continue;
        }
        let mut last = head;
        while let TerminatorKind::Jump(next) = body.block(head).terminator.kind
            && next != head
            && flow.predecessors(next) == [last]
        {
            absorb(body, head, next, &mut replacements);
            names[next.index()] = head;
            last = next;
        }
    }
    if names.iter().enumerate().all(|(index, name)| index == name.index()) {
        return;
    }
    for phi in body.blocks.iter_mut().flat_map(|block| &mut block.phis) {
        phi.incoming.iter_mut().for_each(|incoming| incoming.0 = names[incoming.0.index()]);
        phi.incoming.sort_by_key(|incoming| incoming.0);
    }
    replace_registers(body, &replacements);
    prune(body);
}

/// Whether a block can become part of the only block that it follows.
fn follows_only(body: &Body, flow: &ControlFlow, block: BlockId) -> bool {
    let [before] = flow.predecessors(block)[..] else { return false };
    before != block && block != Body::ENTRY && body.block(before).terminator.kind == TerminatorKind::Jump(block)
}

/// Moves what is in `next` to the end of `block`.
fn absorb(body: &mut Body, block: BlockId, next: BlockId, replacements: &mut Vec<(Reg, Value)>) {
    let taken = &mut body.blocks[next.index()];
    let instructions = std::mem::take(&mut taken.instructions);
    let phis = std::mem::take(&mut taken.phis);
    let terminator = taken.terminator.clone();
    taken.terminator.kind = TerminatorKind::Unreachable;
    replacements.extend(phis.iter().filter_map(|phi| Some((phi.result, phi.incoming.first()?.1))));
    let this = &mut body.blocks[block.index()];
    this.instructions.extend(instructions);
    this.terminator = terminator;
    name_after_phis(body, &phis);
}

/// A register that takes the place of a phi takes its name, if it has none.
fn name_after_phis(body: &mut Body, phis: &[crate::function::Phi]) {
    for phi in phis {
        let name = body.register(phi.result).name.clone();
        if let Some(reg) = phi.incoming.first().and_then(|incoming| incoming.1.reg())
            && body.register(reg).name.is_none()
        {
            body.registers[reg.index()].name = name;
        }
    }
}

/// Redirects branches to a block that does nothing to its target, unless a phi there tells the difference. The
/// header of a loop stays, so that an outer and an inner loop stay two: where rounds begin is what analyses look at.
fn skip_empty_blocks(body: &mut Body) {
    let flow = ControlFlow::new(body);
    let is_header = |id: BlockId| flow.predecessors(id).iter().any(|&from| flow.position(from) >= flow.position(id));
    let targets = body.block_ids().map(|id| passes_on(body, id).filter(|_| !is_header(id)));
    let targets: Vec<Option<BlockId>> = targets.collect();
    let mut alike = Vec::new();
    for (index, block) in body.blocks.iter_mut().enumerate() {
        block.terminator.kind.for_each_successor_mut(|target| {
            // No further than there are blocks: empty ones may go round in a circle.
            for _ in 0..targets.len() {
                let Some(next) = targets[target.index()] else { break };
                *target = next;
            }
        });
        if let TerminatorKind::Branch { condition, then, otherwise } = block.terminator.kind
            && then == otherwise
        {
            alike.push((BlockId(index as u32), condition, then));
        }
    }
    if alike.is_empty() {
        return;
    }
    // Whether what decides has a value at all is found out where it does.
    let definitions = Definitions::new(body);
    for (block, condition, target) in alike {
        if has_value(body, &definitions, condition, &mut FxHashSet::default()) {
            body.blocks[block.index()].terminator.kind = TerminatorKind::Jump(target);
        }
    }
}

/// Where a block that does nothing goes.
fn passes_on(body: &Body, id: BlockId) -> Option<BlockId> {
    let block = body.block(id);
    let TerminatorKind::Jump(next) = block.terminator.kind else { return None };
    let is_empty = block.phis.is_empty() && block.instructions.is_empty();
    (is_empty && next != id && body.block(next).phis.is_empty()).then_some(next)
}
