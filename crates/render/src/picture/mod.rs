//! An execution as a picture has it: what each step did to locks, threads and values; arrows between steps; spans in
//! which a lock is held or something is waited for.
//!
//! It is the same whatever draws it. Coordinates and colours are not known here.

mod edges;
mod spans;
#[cfg(test)]
mod tests;

pub(crate) use edges::{Edge, EdgeKind};
pub(crate) use spans::{Span, SpanKind};

use everyway_report::{Bug, Effect, Execution, Wait};

/// What is drawn of an execution.
pub(crate) struct Picture {
    /// What each event did.
    pub(crate) effects: Vec<Vec<Effect>>,
    /// Arrows, by the event they lead to.
    pub(crate) edges: Vec<Edge>,
    /// Spans, by where they start.
    pub(crate) spans: Vec<Span>,
}

impl Picture {
    /// The picture of the execution that shows `bug`.
    pub(crate) fn of_bug(bug: &Bug) -> Self {
        Self::new(&bug.execution, &bug.waits)
    }

    /// The picture of an execution at whose end these threads wait.
    pub(crate) fn new(execution: &Execution, waits: &[Wait]) -> Self {
        let effects: Vec<_> = execution.events.iter().map(|event| event.effects.clone()).collect();
        let edges = edges::edges(execution, &effects);
        let spans = spans::spans(execution, &effects, waits);
        Self { effects, edges, spans }
    }
}
