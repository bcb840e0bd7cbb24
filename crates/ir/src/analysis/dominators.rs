//! The dominator tree.
//!
//! The algorithm is that of Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001), Fig. 3, and
//! Fig. 5 for the frontiers.

use super::control_flow::ControlFlow;
use crate::function::Body;
use crate::ids::BlockId;

/// Which blocks every path from the entry to a block goes through.
#[derive(Clone, Debug)]
pub struct Dominators {
    immediate: Vec<Option<BlockId>>,
    children: Vec<Vec<BlockId>>,
    /// When a walk of the tree enters and leaves a block.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    /// The dominator tree of the reachable blocks.
    pub fn new(flow: &ControlFlow, blocks: usize) -> Self {
        let immediate = immediate_dominators(flow, blocks);
        let mut children = vec![Vec::new(); blocks];
        for &block in flow.reverse_postorder() {
            if let Some(parent) = immediate[block.index()] {
                children[parent.index()].push(block);
            }
        }
        let interval = intervals(&children, blocks);
        Self { immediate, children, interval }
    }

    /// The closest block that dominates `block` and is not `block`; `None` for the entry and for what cannot
    /// be reached.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block.index()]
    }

    /// The blocks that `block` is the immediate dominator of.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block.index()]
    }

    /// Whether every path from the entry to `below` goes through `above`. A block dominates itself; a block
    /// that cannot be reached dominates nothing else and is dominated by nothing else.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let (outer, inner) = (self.interval[above.index()], self.interval[below.index()]);
        above == below || (outer.0 < inner.0 && inner.1 < outer.1)
    }

    /// For every block, the blocks where its dominance ends.
    pub fn frontiers(&self, flow: &ControlFlow) -> Vec<Vec<BlockId>> {
        let mut frontiers = vec![Vec::new(); self.immediate.len()];
        for &block in flow.reverse_postorder() {
            let stop = self.immediate(block);
            for &predecessor in flow.predecessors(block).iter().filter(|&&block| flow.is_reachable(block)) {
                let mut runner = Some(predecessor);
                while let Some(at) = runner.filter(|_| runner != stop) {
                    if !frontiers[at.index()].contains(&block) {
                        frontiers[at.index()].push(block);
                    }
                    runner = self.immediate(at);
                }
            }
        }
        frontiers
    }
}

fn immediate_dominators(flow: &ControlFlow, blocks: usize) -> Vec<Option<BlockId>> {
    let mut immediate: Vec<Option<BlockId>> = vec![None; blocks];
    let Some((&entry, rest)) = flow.reverse_postorder().split_first() else { return immediate };
    debug_assert_eq!(entry, Body::ENTRY);
    immediate[entry.index()] = Some(entry);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in rest {
            let mut new = None;
            for &predecessor in flow.predecessors(block) {
                if immediate[predecessor.index()].is_some() {
                    new = Some(new.map_or(predecessor, |other| intersect(flow, &immediate, predecessor, other)));
                }
            }
            if new != immediate[block.index()] {
                immediate[block.index()] = new;
                changed = true;
            }
        }
    }
    immediate[entry.index()] = None;
    immediate
}

/// The closest common dominator of two blocks that have been reached.
fn intersect(flow: &ControlFlow, immediate: &[Option<BlockId>], mut a: BlockId, mut b: BlockId) -> BlockId {
    while a != b {
        // The one that comes later in the order has its dominator further up.
        let later = if flow.position(a) > flow.position(b) { &mut a } else { &mut b };
        *later = immediate[later.index()].unwrap_or(Body::ENTRY);
    }
    a
}

fn intervals(children: &[Vec<BlockId>], blocks: usize) -> Vec<(u32, u32)> {
    let mut interval = vec![(u32::MAX, 0); blocks];
    let mut clock = 0;
    let mut stack = if blocks > 0 { vec![(Body::ENTRY, 0)] } else { Vec::new() };
    while let Some((block, next)) = stack.last_mut() {
        if *next == 0 {
            interval[block.index()].0 = clock;
            clock += 1;
        }
        match children[block.index()].get(*next) {
            Some(&child) => {
                *next += 1;
                stack.push((child, 0));
            }
            None => {
                interval[block.index()].1 = clock;
                clock += 1;
                stack.pop();
            }
        }
    }
    interval
}
