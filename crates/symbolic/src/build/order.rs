//! An order of the blocks of a function in which what comes after a loop comes after all of it.
//!
//! It is no more than a good guess for those who follow several ways at once: the ways meet sooner if those that are
//! behind go on first.

use everyway_ir::{BlockId, Body, ControlFlow, Dominators, LoopId, Loops};

/// Blocks by their positions.
#[derive(Debug)]
pub(super) struct Order {
    positions: Vec<usize>,
}

impl Order {
    pub(super) fn of(body: &Body) -> Self {
        let flow = ControlFlow::new(body);
        let loops = Loops::new(&flow, &Dominators::new(&flow, body.blocks.len()));
        let mut positions = vec![usize::MAX; body.blocks.len()];
        let mut seen = vec![false; body.blocks.len()];
        seen[Body::ENTRY.index()] = true;
        let mut next = body.blocks.len();
        let mut stack = vec![(Body::ENTRY, successors(&flow, &loops, Body::ENTRY))];
        while let Some((block, work)) = stack.last_mut() {
            match work.pop() {
                Some(to) if std::mem::replace(&mut seen[to.index()], true) => {}
                Some(to) => stack.push((to, successors(&flow, &loops, to))),
                // The block that is left first is the last one.
                None => {
                    next -= 1;
                    positions[block.index()] = next;
                    stack.pop();
                }
            }
        }
        Self { positions }
    }

    pub(super) fn position(&self, block: BlockId) -> usize {
        self.positions[block.index()]
    }
}

/// The blocks that a block can go to, those last that leave the most loops: they are visited first, and so left first.
fn successors(flow: &ControlFlow, loops: &Loops, block: BlockId) -> Vec<BlockId> {
    let depth = |mut inner: Option<LoopId>| {
        std::iter::from_fn(|| {
            let id = inner?;
            inner = loops.get(id).parent;
            Some(id)
        })
        .count()
    };
    let mut successors = flow.successors(block).to_vec();
    successors.sort_by_key(|&to| std::cmp::Reverse(depth(loops.innermost(to))));
    successors
}
