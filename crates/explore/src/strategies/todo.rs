//! The steps still to be taken from a state, for strategies that enumerate interleavings one by one.

use everyway_runtime::{State, Step, ThreadId};

/// The steps from one state.
#[derive(Debug, Default)]
pub(super) struct Todo {
    /// The next one is the last.
    left: Vec<Step>,
    started: usize,
}

impl Todo {
    /// All steps of `first`, and then those of `others`.
    pub(super) fn new(first: ThreadId, others: impl Iterator<Item = ThreadId>, state: &dyn State) -> Self {
        let steps = |thread| (0..state.choices(thread)).rev().map(move |choice| Step { thread, choice });
        Self { left: others.chain([first]).flat_map(steps).collect(), started: 0 }
    }

    /// The step that is next.
    pub(super) fn next(&self) -> Option<Step> {
        self.left.last().copied()
    }

    /// Takes it.
    pub(super) fn take(&mut self) -> Option<Step> {
        self.started += 1;
        self.left.pop()
    }

    /// Gives away the step that would be taken last.
    pub(super) fn give(&mut self) -> Option<Step> {
        (!self.left.is_empty()).then(|| self.left.remove(0))
    }

    /// How many are left.
    pub(super) fn len(&self) -> usize {
        self.left.len()
    }

    /// Those that are left, the next one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = Step> + '_ {
        self.left.iter().rev().copied()
    }

    /// How many were taken, and how many are left.
    pub(super) fn branches(&self) -> (usize, usize) {
        (self.started, self.left.len())
    }
}
