//! The order in which the writes to each location took effect, where that is not the order of the events.

use crate::execution::Source;
use crate::ids::{EventId, Location};
use std::collections::HashMap;

/// The modification orders of an execution whose reads are told their sources.
///
/// ```
/// use everyway_runtime::{EventId, Location, ModificationOrders, Source};
///
/// // The second event wrote before the first one did.
/// let orders = ModificationOrders::new(vec![(Location(0), vec![EventId(1), EventId(0)])]);
/// assert_eq!(orders.newest_before(Location(0), EventId(5), |_| true), Some(EventId(0)));
/// assert_eq!(orders.places(), [(EventId(1), Source::Initial)].into());
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

    /// By write that does not come last among the writes of earlier events: which of these it comes right after. Of the
    /// places of a write to several locations, it is one.
    pub fn places(&self) -> HashMap<EventId, Source> {
        let mut places = HashMap::new();
        for (_, writes) in self.orders.iter().filter(|(_, writes)| !writes.is_sorted()) {
            let mut overtaken = Vec::with_capacity(writes.len());
            let mut earliest: Option<EventId> = None;
            for &write in writes.iter().rev() {
                overtaken.push(earliest.is_some_and(|earliest| earliest < write));
                earliest = Some(earliest.map_or(write, |earliest| earliest.min(write)));
            }
            // The writes so far, without those that one of an earlier event follows: in the order of their events, too.
            let mut earlier: Vec<EventId> = Vec::new();
            for (&write, is_overtaken) in writes.iter().zip(overtaken.into_iter().rev()) {
                while earlier.last().is_some_and(|&last| last > write) {
                    earlier.pop();
                }
                if is_overtaken {
                    let before = earlier.last().map_or(Source::Initial, |&before| Source::Event(before));
                    places.entry(write).or_insert(before);
                }
                earlier.push(write);
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of a write by the words of [`ModificationOrders::places`].
    fn place(writes: &[EventId], position: usize) -> Option<Source> {
        let write = writes[position];
        let before = writes[..position].iter().rev().find(|&&other| other < write);
        let is_overtaken = writes[position..].iter().any(|&other| other < write);
        is_overtaken.then(|| before.map_or(Source::Initial, |&before| Source::Event(before)))
    }

    #[test]
    fn places_are_those_among_the_writes_of_earlier_events() {
        let mut seed = 1_u64;
        let mut below = |limit: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % limit
        };
        for length in [0, 1, 2, 3, 5, 8, 13, 40].repeat(20) {
            let mut writes: Vec<EventId> = (0..length).map(EventId::new).collect();
            for position in (1..length).rev() {
                writes.swap(position, below(position + 1));
            }
            let places = ModificationOrders::new(vec![(Location(0), writes.clone())]).places();
            for (position, write) in writes.iter().enumerate() {
                assert_eq!(places.get(write).copied(), place(&writes, position), "{write:?} in {writes:?}");
            }
        }
    }
}
