//! The order in which the writes to each location took effect, where that is not the order of the events.

use crate::execution::Source;
use crate::ids::{EventId, Location};

/// The modification orders of an execution whose reads are told their sources.
///
/// ```
/// use everyway_runtime::{EventId, Location, ModificationOrders, Source};
///
/// // The second event wrote before the first one did.
/// let orders = ModificationOrders::new(vec![(Location(0), vec![EventId(1), EventId(0)])]);
/// assert_eq!(orders.newest_before(Location(0), EventId(5), |_| true), Some(EventId(0)));
/// assert_eq!(orders.place(EventId(1)), Some(Source::Initial));
/// assert_eq!(orders.place(EventId(0)), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModificationOrders {
    /// Bytes of a location that are accessed apart have orders of their own.
    orders: Vec<(Location, Vec<EventId>)>,
}

impl ModificationOrders {
    /// These orders.
    pub fn new(orders: Vec<(Location, Vec<EventId>)>) -> Self {
        Self { orders }
    }

    /// The writes to each location, or to bytes of it that are accessed apart, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Location, &[EventId])> {
        self.orders.iter().map(|(location, writes)| (*location, &writes[..]))
    }

    /// The last write to each location, or to bytes of it that are accessed apart.
    pub fn newest(&self) -> impl Iterator<Item = (Location, EventId)> + '_ {
        self.orders.iter().filter_map(|(location, writes)| Some((*location, *writes.last()?)))
    }

    /// The newest of the writes to a location that come before an event in the execution, among those that are `meant`.
    pub fn newest_before(
        &self,
        location: Location,
        event: EventId,
        meant: impl Fn(EventId) -> bool,
    ) -> Option<EventId> {
        let orders = self.orders.iter().filter(|(other, _)| *other == location);
        orders
            .filter_map(|(_, writes)| writes.iter().rev().copied().find(|&write| write < event && meant(write)))
            .last()
    }

    /// What the write of an event comes right after among the writes of earlier events, if that is not the newest of them.
    pub fn place(&self, event: EventId) -> Option<Source> {
        self.orders.iter().find_map(|(_, writes)| {
            let position = writes.iter().position(|&write| write == event)?;
            let is_overtaken = writes[position..].iter().any(|&write| write < event);
            let before = || writes[..position].iter().rev().copied().find(|&write| write < event);
            is_overtaken.then(|| before().map_or(Source::Initial, Source::Event))
        })
    }
}
