//! No reduction: every interleaving. For comparison, and for programs where nothing is independent.

use super::graphs::Unsupported;
use super::todo::Todo;
use super::{Choice, Continue, Divisible, Guarantee, Guidance, Order, Picker, Schedules, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::frontier::{Shape, Subtree};
use crate::trace::Trace;
use everyway_runtime::{State, Status, Step, ThreadId, ThreadPath, ready};

/// The steps from one state.
#[derive(Debug, Default)]
struct Node {
    /// The step under way; none before it is taken.
    taken: Option<Step>,
    todo: Todo,
}

/// Depth-first search over all interleavings.
#[derive(Debug)]
pub(super) struct Naive {
    /// The steps to the root of what is explored.
    prefix: Vec<(ThreadPath, u32)>,
    /// The states below that, from the root on.
    nodes: Vec<Node>,
    picker: Picker,
    finished: u64,
}

impl Naive {
    /// A search that tries threads in this order.
    pub(super) fn new(order: Order) -> Self {
        Self { prefix: Vec::new(), nodes: Vec::new(), picker: Picker::new(order), finished: 0 }
    }

    /// The state that the last step has led to.
    fn arrived(&mut self, state: &dyn State) -> Node {
        let first = self.picker.pick(state, |_| true).expect("some thread is ready");
        let others = ready(state).filter(|&thread| thread != first);
        Node { taken: None, todo: Todo::new(first, others, state) }
    }

    /// The step to the root that comes after `depth` others.
    fn arrive(&self, depth: usize, state: &dyn State) -> Choice {
        let (path, choice) = &self.prefix[depth];
        let threads = (0..state.threads()).map(ThreadId::new);
        let mut ready = threads.filter(|&thread| state.status(thread) == Status::Ready);
        match ready.find(|&thread| state.path(thread) == *path) {
            Some(thread) if *choice < state.choices(thread) => Choice::Take(Step { thread, choice: *choice }),
            _ => Choice::Refuse(Unsupported::Subtree),
        }
    }

    /// The subtree of a step from the state of a node.
    fn subtree(&self, node: usize, step: Option<Step>, state: &dyn State) -> Subtree {
        let above = self.nodes[..node].iter().filter_map(|node| node.taken);
        let below = above.chain(step).map(|step| (state.path(step.thread), step.choice));
        Subtree::steps(self.prefix.iter().cloned().chain(below).collect())
    }
}

impl Strategy for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Sound
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn divisible(&mut self) -> Option<&mut dyn Divisible> {
        Some(self)
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {
        self.finished += 1;
    }

    fn backtrack(&mut self, _: &Trace, _: &dyn State) -> Continue {
        while let Some(node) = self.nodes.last_mut() {
            node.taken = None;
            if node.todo.next().is_some() {
                return Continue::From(self.prefix.len() + self.nodes.len() - 1);
            }
            self.nodes.pop();
        }
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate::from_branches(self.finished, self.nodes.iter().map(|node| node.todo.branches()))
    }
}

impl Schedules for Naive {
    fn needs_order(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        let Some(depth) = trace.len().checked_sub(self.prefix.len()) else {
            return self.arrive(trace.len(), state);
        };
        if self.nodes.len() == depth {
            let node = self.arrived(state);
            self.nodes.push(node);
        }
        Choice::Take(self.nodes[depth].todo.next().expect("gone back to for a reason"))
    }

    fn taken(&mut self, trace: &Trace, _: &dyn State) {
        let Some(depth) = (trace.len() - 1).checked_sub(self.prefix.len()) else { return };
        let node = &mut self.nodes[depth];
        node.taken = node.todo.take();
    }
}

impl Divisible for Naive {
    fn frontier(&self, state: &dyn State) -> Option<Vec<Subtree>> {
        if self.nodes.is_empty() {
            return Some(vec![self.subtree(0, None, state)]);
        }
        // The path under way comes to no end of its own, unless its last step is yet to be taken.
        let last = self.nodes.len() - 1;
        let under_way = self.nodes[last].taken.map(|step| self.subtree(last, Some(step), state));
        let todo = |node: usize| self.nodes[node].todo.iter().map(move |step| (node, step));
        let left = (0..self.nodes.len()).rev().flat_map(todo);
        let left = left.map(|(node, step)| self.subtree(node, Some(step), state));
        Some(under_way.into_iter().chain(left).collect())
    }

    fn give(&mut self, state: &dyn State) -> Option<Subtree> {
        // What the last node is about to do, it does itself.
        let last = self.nodes.len().checked_sub(1)?;
        let spare = |node: usize, this: &Self| {
            this.nodes[node].todo.len() > usize::from(node == last && this.nodes[node].taken.is_none())
        };
        let node = (0..=last).find(|&node| spare(node, self))?;
        let step = self.nodes[node].todo.give()?;
        Some(self.subtree(node, Some(step), state))
    }

    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported> {
        let Shape::Steps(steps) = subtree.shape else { return Err(Unsupported::Subtree) };
        (self.prefix, self.nodes) = (steps, Vec::new());
        Ok(())
    }
}
