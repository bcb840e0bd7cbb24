//! What branches constraint of the sources of later events, so that no two branches of a node lead to the same trace.

use super::linearization::{Linearization, Name};
use everyway_runtime::ThreadId;
use smallvec::SmallVec;

/// A constraint on the source of an event, if that comes at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    /// The event whose source it is about.
    pub(super) of: Name,
    /// What the source is to be.
    pub(super) source: Required,
}

/// What a source is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Required {
    /// This event, or one that happens after it.
    Since(Name),
    /// At this position of the linearization or later.
    From(usize),
}

impl Required {
    /// Whether the source may be the event at `position`.
    pub(super) fn allows(self, trace: &Linearization, position: usize) -> bool {
        match self {
            Required::Since(first) => trace.happens_before(first, position),
            Required::From(start) => position >= start,
        }
    }
}

/// The constraints of the branches under way, each with the position of its node on the stack.
#[derive(Debug, Default)]
pub(super) struct Constraints {
    /// By the thread of the event that they are about.
    made: Vec<Vec<(usize, Constraint)>>,
    /// Of all of them in order, the node and the thread.
    order: Vec<(usize, ThreadId)>,
}

impl Constraints {
    /// Adds a constraint of the branch under way of the node at `node`, the last one on the stack.
    pub(super) fn make(&mut self, node: usize, constraint: Constraint) {
        let thread = constraint.of.thread;
        if self.made.len() <= thread.index() {
            self.made.resize_with(thread.index() + 1, Vec::new);
        }
        self.made[thread.index()].push((node, constraint));
        self.order.push((node, thread));
    }

    /// Drops the constraints of the node at `node`, and of all after it.
    pub(super) fn drop_from(&mut self, node: usize) {
        while let Some(&(at, thread)) = self.order.last()
            && at >= node
        {
            self.order.pop();
            self.made[thread.index()].pop();
        }
    }

    /// What the nodes before that at `node` require of the source of `name`. If there is something, that is not the initial
    /// value.
    pub(super) fn on(&self, name: Name, node: usize) -> SmallVec<[Required; 4]> {
        let made = self.made.get(name.thread.index()).map_or(&[][..], |made| made);
        let concerns = |(at, constraint): &&(usize, Constraint)| *at < node && constraint.of == name;
        made.iter().filter(concerns).map(|(_, constraint)| constraint.source).collect()
    }
}
