//! The graph as others see it.

use super::event::{Kind, Outcome, Position};
use super::graph::Graph;
use everyway_runtime::{EventId, Location, Source};

/// The sources of reads and the order of writes in the current execution.
#[derive(Clone, Copy, Debug)]
pub struct GraphView<'a> {
    graph: &'a Graph,
}

impl<'a> GraphView<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        Self { graph }
    }

    fn source(&self, source: Option<Position>) -> Source {
        source.map_or(Source::Initial, |write| Source::Event(self.graph.step_of(write)))
    }

    /// Each event that reads, and where it gets its value.
    pub fn sources(&self) -> impl Iterator<Item = (EventId, Source)> + '_ {
        (0..self.graph.len()).map(Position::new).filter_map(|position| match self.graph.event(position).kind {
            Kind::Read { outcome: Outcome::Waits, .. } => None,
            Kind::Read { source, .. } => Some((self.graph.step_of(position), self.source(source))),
            _ => None,
        })
    }

    /// The order of the writes to each cell: bytes of locations that are accessed together. Each write with its location.
    pub fn modification_orders(&self, location: impl Fn(EventId) -> Location) -> Vec<(Location, Vec<EventId>)> {
        let written = self.graph.cells.iter().filter(|accesses| !accesses.writes.is_empty());
        let events = written.map(|accesses| accesses.writes.iter().map(|&w| self.graph.step_of(w)).collect::<Vec<_>>());
        events.map(|writes| (location(writes[0]), writes)).collect()
    }
}
