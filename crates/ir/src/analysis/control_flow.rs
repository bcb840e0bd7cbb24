//! Predecessors, and an order of the blocks.

use crate::function::Body;
use crate::ids::BlockId;
use smallvec::SmallVec;

/// The control flow graph of a body.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    /// The distinct predecessors of each block, in order of their ids, unreachable ones included.
    predecessors: Vec<SmallVec<[BlockId; 2]>>,
    /// The distinct successors of each block, in the order in which its terminator names them.
    successors: Vec<SmallVec<[BlockId; 2]>>,
    reverse_postorder: Vec<BlockId>,
    position: Vec<Option<u32>>,
}

impl ControlFlow {
    /// The control flow graph of `body`, whose terminators must only name blocks that exist.
    pub fn new(body: &Body) -> Self {
        let count = body.blocks.len();
        let mut predecessors = vec![SmallVec::<[BlockId; 2]>::new(); count];
        let mut successors = vec![SmallVec::<[BlockId; 2]>::new(); count];
        for from in body.block_ids() {
            body.block(from).terminator.kind.for_each_successor(|to| {
                if !successors[from.index()].contains(&to) {
                    successors[from.index()].push(to);
                    predecessors[to.index()].push(from);
                }
            });
        }
        let reverse_postorder = reverse_postorder(&successors);
        let mut position = vec![None; count];
        for (index, block) in reverse_postorder.iter().enumerate() {
            position[block.index()] = Some(index as u32);
        }
        Self { predecessors, successors, reverse_postorder, position }
    }

    /// The distinct blocks that can go to `block`.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// The distinct blocks that `block` can go to.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.index()]
    }

    /// The blocks that can be reached from the entry, each before its successors except along edges that go
    /// back.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// Where `block` is in the reverse postorder; `None` if it cannot be reached.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        self.position[block.index()]
    }

    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }
}

fn reverse_postorder(successors: &[SmallVec<[BlockId; 2]>]) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(successors.len());
    if successors.is_empty() {
        return order;
    }
    let mut seen = vec![false; successors.len()];
    seen[Body::ENTRY.index()] = true;
    // Explicit, because functions read from a file can be deep.
    let mut stack = vec![(Body::ENTRY, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match successors[block.index()].get(*next) {
            Some(&successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor.index()], true) {
                    stack.push((successor, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
