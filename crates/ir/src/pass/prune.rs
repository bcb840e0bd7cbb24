//! Removal of blocks that cannot be reached.

use crate::analysis::ControlFlow;
use crate::function::Body;
use crate::ids::BlockId;

/// Removes the blocks of `body` that the entry does not reach. Registers assigned there stay in the table:
/// [`compact`](super::compact()) removes them.
pub fn prune(body: &mut Body) {
    let flow = ControlFlow::new(body);
    if flow.reverse_postorder().len() == body.blocks.len() {
        return;
    }
    let mut new_ids = Vec::with_capacity(body.blocks.len());
    let mut next = 0;
    for block in body.block_ids() {
        let reachable = flow.is_reachable(block);
        new_ids.push(reachable.then_some(BlockId(next)));
        next += u32::from(reachable);
    }
    let mut index = 0;
    body.blocks.retain(|_| {
        index += 1;
        new_ids[index - 1].is_some()
    });
    for block in &mut body.blocks {
        block.terminator.kind.for_each_successor_mut(|target| *target = new_ids[target.index()].unwrap_or(*target));
        for phi in &mut block.phis {
            let incoming = std::mem::take(&mut phi.incoming).into_iter();
            phi.incoming = incoming.filter_map(|(from, value)| Some((new_ids[from.index()]?, value))).collect();
        }
    }
}
