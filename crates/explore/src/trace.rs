//! The current execution: what happened in it, and what happened before what.
//!
//! Steps are recorded first ([`Record`]) and put in order later, with every conflict counted: step by step if the strategy
//! looks at races, otherwise when the order is asked for.
//!
//! This module knows no strategy.

mod history;
mod record;

pub(crate) use history::Search;
pub use record::{Event, Record};

use record::Planned;

use crate::happens_before::{Conflicts, HappensBefore, Ordered};
use crate::ids::EventId;
use everyway_runtime::{Access, Class, Condition, Footprint, Matching, Operation, Performed, Step};
use std::ops::Deref;

/// The current execution.
#[derive(Debug, Default)]
pub struct Trace {
    record: Record,
    /// The order of the first events.
    order: HappensBefore,
    unobserved: Vec<EventId>,
    hiding: Vec<EventId>,
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
    pub(crate) fn order(&self) -> &HappensBefore {
        &self.order
    }

    /// The events whose order among others may be observed by none, in order: those with a store that comes after
    /// another thread's store to the same bytes, and nothing has read in between, or with a send that comes after
    /// another thread's to the same mailbox. If there are none, happens-before is the same with and without observers.
    pub(crate) fn unobserved(&self) -> &[EventId] {
        &self.unobserved
    }

    /// Whether something independent of one event may decide that another does not even meet it: a message hides that a
    /// receive would have looked for senders, and a write to other bytes makes a compare-exchange a read. That is
    /// against Property 7 of JACM, Definition 3.2. There are such events only where operations look at more than one
    /// location, or where different bytes of a location are accessed.
    pub(crate) fn may_hide_conflicts(&self) -> bool {
        !self.hiding.is_empty()
    }

    /// Takes note of an operation that is about to be carried out.
    pub(crate) fn plan(&mut self, operation: &Operation, choices: u32) -> Planned {
        self.record.plan(operation, choices)
    }

    /// Appends what `step`, which was to do `planned`, did.
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
    pub(crate) fn put_in_order(&mut self, matching: &dyn Matching) {
        self.record.file();
        for id in self.record.events_from(self.order.len()) {
            self.order.push(&self.record, &Conflicts(matching));
            if self.may_be_unobserved(id) {
                self.unobserved.push(id);
            }
            if self.may_hide(id) {
                self.hiding.push(id);
            }
        }
    }

    /// Forgets the events that have not been put in order.
    pub(crate) fn forget_unordered(&mut self) {
        self.record.truncate(self.order.len());
    }

    /// Forgets all but the first `depth` events.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.order.truncate(depth);
        for events in [&mut self.unobserved, &mut self.hiding] {
            events.truncate(events.partition_point(|event| event.index() < depth));
        }
        self.record.truncate(depth);
    }

    fn may_hide(&self, id: EventId) -> bool {
        let is_tried = |access: &Access| access.when != Condition::Always && !access.may_block();
        let declared = self.declared(id);
        let accesses_other_bytes = |footprint: &Footprint| {
            let first = self.first_footprint(id, footprint.location);
            first.is_some_and(|first| first.bytes != footprint.bytes)
        };
        declared.len() > 1 && declared.iter().any(is_tried) || self.footprints(id).iter().any(accesses_other_bytes)
    }

    fn may_be_unobserved(&self, id: EventId) -> bool {
        self.footprints(id).iter().any(|footprint| match footprint.class {
            Class::Store => {
                let mut earlier = self.footprints_before(id, footprint.location);
                let last = earlier.find(|(_, earlier)| earlier.overlaps(footprint));
                let is_alike = |earlier: &Footprint| earlier.class == Class::Store && earlier.bytes == footprint.bytes;
                last.is_some_and(|(event, earlier)| {
                    is_alike(earlier) && self.event(event).step.thread != self.event(id).step.thread
                })
            }
            Class::Send(_) => self.follows_send_of_another(id, footprint.location),
            _ => false,
        })
    }
}
