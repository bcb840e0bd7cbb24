//! The relations of an event to others that reports show.

use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Class, Visit};

impl Trace {
    /// The events that happen before `event` with no other in between.
    pub fn predecessors(&self, event: EventId) -> Vec<EventId> {
        let thread = self.event(event).step.thread;
        let own = self.events_of(thread);
        let previous = own[..own.partition_point(|&e| e < event)].last().copied();
        let joined = self.event(event).joins.and_then(|joined| self.end_of(joined));
        let candidates = previous.or(self.origin(thread)).into_iter().chain(joined);
        let candidates: Vec<EventId> = candidates.chain(self.races(event).iter().copied()).collect();
        let covered = |earlier| candidates.iter().any(|&later| later != earlier && self.happens_before(earlier, later));
        let mut direct: Vec<EventId> = candidates.iter().copied().filter(|&earlier| !covered(earlier)).collect();
        direct.sort_unstable();
        direct.dedup();
        direct
    }

    /// The events whose writes `event` read.
    pub fn reads_from(&self, event: EventId) -> Vec<EventId> {
        let reads = self.visits(event).iter().filter(|visit| !visit.access.is_blind());
        let mut writers: Vec<EventId> = reads.filter_map(|visit| self.writer_before(event, visit)).collect();
        writers.dedup();
        writers
    }

    /// The last event before `event` that changed what `visit` accesses; for a receive, the one that sent the
    /// message.
    fn writer_before(&self, event: EventId, visit: &Visit) -> Option<EventId> {
        match visit.class {
            Class::Receive { message, .. } => self.sending(message).filter(|&sent| sent < event),
            Class::Miss { .. } => None,
            _ => {
                let read = visit.footprint().bytes;
                self.last_change(visit.access.location, event.index(), |written| written.overlaps(read))
            }
        }
    }
}
