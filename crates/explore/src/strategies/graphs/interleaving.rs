//! An interleaving that has the current graph, as long as one is at hand.
//!
//! Each event has a *moment* in it, which is later than those of all that comes before it by program order, spawns, joins,
//! reads-from, modification order or from-read. An event that is added comes after all others, unless there is a write
//! that comes after it in modification order, or after what it reads: then it takes place halfway between that and the last of
//! what comes before it. If there is nothing between them, no interleaving is at hand from there on, though there may be one;
//! the same holds where a step consists of several accesses, which would have to take place at once.
//!
//! As long as there is one, the graph is possible under `sc`, and so under all other models: they need not be asked. It is
//! kept from event to event, so that it is known again when the graph goes back.

use super::event::{Event, Kind, Position};
use super::graph::Graph;

/// When an event takes place; 0 where that is not known.
pub(super) type Moment = u64;

/// What lies between events that are added one after the other, for others to come in between.
const GAP: Moment = 1 << 32;

impl Graph {
    /// Whether an interleaving of all events is at hand.
    #[inline]
    pub(super) fn has_interleaving(&self) -> bool {
        self.sums.last().is_none_or(|sums| sums.moment > 0)
    }

    /// When an event takes place that is about to be appended, where `next` comes after it, or after what it reads, in
    /// modification order.
    #[inline]
    pub(super) fn next_moment(&self, event: &Event, next: Option<Position>) -> Moment {
        if !self.has_interleaving() || event.has_others() {
            return 0;
        }
        match next {
            // None is later: what was appended before takes place then or earlier.
            None => (self.events.len() as Moment + 1) * GAP,
            Some(next) => self.moment_before(event, next),
        }
    }

    fn moment(&self, position: Option<Position>) -> Moment {
        position.map_or(0, |position| self.sums[position.index()].moment)
    }

    #[inline(never)]
    fn moment_before(&self, event: &Event, next: Position) -> Moment {
        let before = self.moment(self.base_of(event));
        let low = match event.kind {
            Kind::Read { source, .. } => before.max(self.moment(source)),
            Kind::Write { cell, .. } => {
                let writes = &self.accesses(cell).writes;
                let place = writes.iter().rposition(|&write| write == next).unwrap_or(0);
                let previous = place.checked_sub(1).map(|place| writes[place]);
                let readers = match previous {
                    Some(previous) => self.last_moment(self.readers(previous).iter().copied()),
                    None => self.last_moment(self.accesses(cell).initial_reads(|&read| self.reads_initial(read))),
                };
                before.max(self.moment(previous)).max(readers)
            }
            _ => before,
        };
        let high = self.moment(Some(next));
        if high > low + 1 { low + (high - low) / 2 } else { 0 }
    }

    fn last_moment(&self, events: impl Iterator<Item = Position>) -> Moment {
        events.map(|event| self.moment(Some(event))).max().unwrap_or(0)
    }

    fn reads_initial(&self, read: Position) -> bool {
        matches!(self.event(read).kind, Kind::Read { source: None, .. })
    }
}
