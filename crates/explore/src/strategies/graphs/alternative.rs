//! The remaining work: alternatives, each of which says what to do differently, and where.
//!
//! An alternative belongs to a graph, which is a prefix of the current one whenever it is on top of the stack. So the
//! list of that graph's events together with the alternative is a subtree that any worker can explore: nothing that is
//! found in it matters to any other.

use super::event::{Event, Position};
use everyway_runtime::ThreadId;

/// What to do, in the graph of the first `depth` events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alternative {
    pub(super) depth: usize,
    pub(super) kind: AlternativeKind,
}

impl Alternative {
    /// The event that it has of what is read, if it has one.
    pub(super) fn event_mut(&mut self) -> Option<&mut Event> {
        match &mut self.kind {
            AlternativeKind::Add(event) | AlternativeKind::Replace { event, .. } => Some(event),
            AlternativeKind::Place { .. } | AlternativeKind::Revisit(_) | AlternativeKind::Choose { .. } => None,
        }
    }

    /// Whether it is something to explore, and not only to be put back.
    pub(super) fn is_subtree(&self) -> bool {
        !matches!(self.kind, AlternativeKind::Replace { .. })
    }

    /// How many of the first `depth` events of the current graph are still the same when it is the turn of this
    /// alternative, which changes one of them.
    pub(super) fn kept_at(&self, depth: usize) -> usize {
        match self.kind {
            AlternativeKind::Choose { position, .. } | AlternativeKind::Replace { position, .. }
                if depth < self.depth =>
            {
                depth.min(position.index())
            }
            _ => depth,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum AlternativeKind {
    /// Add this event: a read with its source, or one of several choices.
    Add(Event),
    /// Add this write right after another one in modification order, or first.
    Place { write: Event, after: Option<Position> },
    /// Let an earlier read read a new write. What was added after the read is left out, as far as the write does not
    /// depend on it.
    Revisit(Revisit),
    /// Let the step that ends with this event take this alternative.
    Choose { position: Position, choice: u32 },
    /// Put back an event: what came of another one in its place was explored.
    Replace { position: Position, event: Event },
}

/// A revisit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Revisit {
    pub(super) by: Revisiting,
    pub(super) read: Position,
    /// What it finds.
    pub(super) found: u64,
}

/// The write that a read is to read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Revisiting {
    /// A write that reads nothing, right after another one, or first.
    Write { write: Event, after: Option<Position> },
    /// The write of this access of a thread, whose reads are there.
    Step { thread: ThreadId, access: u32 },
}
