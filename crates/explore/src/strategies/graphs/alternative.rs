//! What is left to explore: alternatives, each of which says what to do differently where.
//!
//! An alternative belongs to a graph, which is the beginning of the current one whenever it is on top of the stack. So
//! the list of that graph's events and the alternative are a subtree that whoever has them can explore: nothing
//! that is found in it matters to any other.

use super::event::{Event, Position};

/// What to do, in the graph of the first `depth` events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alternative {
    pub(super) depth: usize,
    pub(super) kind: AlternativeKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum AlternativeKind {
    /// Add this event: a read with its source, or one of several choices.
    Add(Event),
    /// Add this write right after another one in modification order, or first.
    Place { write: Event, after: Option<Position> },
    /// Add this write right after another one, and let an earlier read read it. What was added after the read is left
    /// out, as far as the write does not depend on it.
    Revisit { write: Event, after: Option<Position>, read: Position },
    /// Put back the events from this position of the saved ones on: a revisit was explored.
    Restore { saved: usize },
}
