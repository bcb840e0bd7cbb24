//! The current execution: its events, and their happens-before order.
//!
//! Steps are recorded first ([`Record`]) and put in order later, with every conflict counted: step by step if the
//! strategy analyses races, otherwise when the order is requested.
//!
//! This module knows no strategy.

mod history;
mod record;

pub(crate) use history::Search;
pub(crate) use record::Planned;
pub use record::{Event, Record};

use crate::happens_before::{Conflicts, HappensBefore, Ordered};
use crate::ids::EventId;
use everyway_runtime::{Matching, Operation, Performed, Step};
use std::ops::Deref;

/// The current execution.
#[derive(Debug, Default)]
pub struct Trace {
    record: Record,
    /// The order of the first events.
    order: HappensBefore,
}

impl Deref for Trace {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.record
    }
}

impl Trace {
    /// An empty execution.
    pub fn new() -> Self {
        Self::default()
    }

    /// The events of other threads that the event races with: those that happen before it with no event in
    /// between (JACM, Sect. 3.3), except through a join. Not known before the event is put in order, as with
    /// [`Trace::happens_before`].
    pub fn races(&self, id: EventId) -> &[EventId] {
        if id.index() < self.order.len() { self.order.races(id) } else { &[] }
    }

    /// Whether `earlier` happens before `later`, or is it. Not known of executions that were not put in order: see
    /// [`Explorer::with_order`](crate::Explorer::with_order).
    pub fn happens_before(&self, earlier: EventId, later: EventId) -> bool {
        later.index() < self.order.len() && Ordered::by_conflicts(self).happens_before(earlier, later)
    }

    /// Which events happen before which, every conflict counted.
    #[inline]
    pub(crate) fn order(&self) -> &HappensBefore {
        &self.order
    }

    /// Takes note of an operation that is about to be carried out.
    #[inline]
    pub(crate) fn plan(&mut self, operation: &Operation, choices: u32) -> Planned {
        self.record.plan(operation, choices)
    }

    /// Appends what `step`, which was to do `planned`, did.
    #[inline]
    pub(crate) fn push(&mut self, step: Step, planned: Planned, performed: &Performed) {
        self.record.push(step, planned, performed);
        self.record.file();
    }

    /// Appends what a step did that was told what to read: where it belongs is for its strategy to know, and is found out
    /// here only when the execution is put in order.
    pub(crate) fn push_told(&mut self, step: Step, planned: Planned, performed: &Performed) {
        self.record.push(step, planned, performed);
    }

    /// Puts all events in order that are not yet.
    #[inline]
    pub(crate) fn put_in_order(&mut self, matching: &dyn Matching) {
        self.record.file();
        self.order.complete(&self.record, self.record.len(), &Conflicts(matching));
    }

    /// Forgets the events that have not been put in order.
    pub(crate) fn forget_unordered(&mut self) {
        self.record.truncate(self.order.len());
    }

    /// Forgets all but the first `depth` events.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.order.truncate(depth);
        self.record.truncate(depth);
    }
}
