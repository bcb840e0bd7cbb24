//! Natural loops.

use super::control_flow::ControlFlow;
use super::dominators::Dominators;
use crate::ids::BlockId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A loop of a body, in order of their headers in the reverse postorder: a loop comes before those inside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

impl LoopId {
    /// The id as an index into a dense vector.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for LoopId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loop{}", self.0)
    }
}

/// The natural loop of a header: all back edges to it together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block that every path into the loop enters it by.
    pub header: BlockId,
    /// The blocks from which an edge goes back to the header.
    pub latches: Vec<BlockId>,
    /// The blocks of the loop, by id; header and latches included, and those of inner loops.
    pub body: Vec<BlockId>,
    /// The closest loop around this one.
    pub parent: Option<LoopId>,
}

impl Loop {
    /// Whether `block` is in the loop.
    pub fn contains(&self, block: BlockId) -> bool {
        self.body.binary_search(&block).is_ok()
    }

    /// The edges that leave the loop.
    pub fn exits(&self, flow: &ControlFlow) -> Vec<(BlockId, BlockId)> {
        let edges = self.body.iter().flat_map(|&from| flow.successors(from).iter().map(move |&to| (from, to)));
        edges.filter(|edge| !self.contains(edge.1)).collect()
    }
}

/// All loops of a body.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    loops: Vec<Loop>,
    /// Edges that go back to a block that does not dominate them: they enter a cycle with several entries.
    irreducible: Vec<(BlockId, BlockId)>,
}

impl Loops {
    /// The natural loops of the reachable blocks.
    pub fn new(flow: &ControlFlow, dominators: &Dominators) -> Self {
        let mut found = Self::default();
        // The innermost loop of each block so far: outer loops come first.
        let mut innermost: FxHashMap<BlockId, LoopId> = FxHashMap::default();
        for &header in flow.reverse_postorder() {
            let mut latches = Vec::new();
            for &from in flow.predecessors(header) {
                if dominators.dominates(header, from) {
                    latches.push(from);
                } else if flow.position(from) > flow.position(header) {
                    found.irreducible.push((from, header));
                }
            }
            if !latches.is_empty() {
                let body = natural_loop(flow, header, &latches);
                let parent = innermost.get(&header).copied();
                let id = LoopId(found.loops.len() as u32);
                innermost.extend(body.iter().map(|&block| (block, id)));
                found.loops.push(Loop { header, latches, body, parent });
            }
        }
        found
    }

    /// The loops, outer before inner.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (LoopId, &Loop)> {
        self.loops.iter().enumerate().map(|(index, it)| (LoopId(index as u32), it))
    }

    /// The loop with this id.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }

    /// The innermost loop that `block` is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.iter().rev().find(|(_, it)| it.contains(block)).map(|(id, _)| id)
    }

    /// The edges that go back to a block that does not dominate them. No natural loop covers such a cycle.
    pub fn irreducible(&self) -> &[(BlockId, BlockId)] {
        &self.irreducible
    }
}

/// The blocks from which a latch can be reached without going through the header, by id.
fn natural_loop(flow: &ControlFlow, header: BlockId, latches: &[BlockId]) -> Vec<BlockId> {
    let mut seen = FxHashSet::from_iter([header]);
    let mut body = vec![header];
    let mut work = latches.to_vec();
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            body.push(block);
            work.extend(flow.predecessors(block).iter().filter(|&&block| flow.is_reachable(block)));
        }
    }
    body.sort_unstable();
    body
}
