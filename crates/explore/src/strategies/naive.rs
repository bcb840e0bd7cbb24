//! No reduction: every interleaving. For comparison, and for programs where nothing is independent.

use super::{Choice, Continue, Order, Picker, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::trace::Trace;
use everyway_runtime::{State, Step, ready};

/// The steps from one state.
#[derive(Debug, Default)]
struct Node {
    todo: Vec<Step>,
    started: usize,
}

/// Depth-first search over all interleavings.
#[derive(Debug)]
pub(super) struct Naive {
    nodes: Vec<Node>,
    picker: Picker,
    finished: u64,
}

impl Naive {
    /// A search that tries threads in this order.
    pub(super) fn new(order: Order) -> Self {
        Self { nodes: Vec::new(), picker: Picker::new(order), finished: 0 }
    }
}

impl Strategy for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn needs_order(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        if self.nodes.len() == trace.len() {
            let first = self.picker.pick(state, |_| true).expect("some thread is ready");
            let others = ready(state).filter(|&thread| thread != first);
            let steps = |thread| (0..state.choices(thread)).rev().map(move |choice| Step { thread, choice });
            let todo = others.chain([first]).flat_map(steps).collect();
            self.nodes.push(Node { todo, started: 0 });
        }
        Choice::Take(*self.nodes[trace.len()].todo.last().expect("gone back to for a reason"))
    }

    fn taken(&mut self, trace: &Trace, _: &dyn State) {
        let node = &mut self.nodes[trace.len() - 1];
        node.todo.pop();
        node.started += 1;
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {
        self.finished += 1;
    }

    fn backtrack(&mut self, _: &Trace) -> Continue {
        while let Some(node) = self.nodes.last() {
            if !node.todo.is_empty() {
                return Continue::From(self.nodes.len() - 1);
            }
            self.nodes.pop();
        }
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate::from_branches(self.finished, self.nodes.iter().map(|node| (node.started, node.todo.len())))
    }
}
