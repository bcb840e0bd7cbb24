//! A view of the graph for reports and replays.

use super::event::{Kind, Position};
use super::graph::Graph;
use everyway_runtime::{EventId, Location, Source};

/// The sources of reads and the order of writes in the current execution.
#[derive(Clone, Copy, Debug)]
pub struct GraphView<'a> {
    pub(super) graph: &'a Graph,
}

impl<'a> GraphView<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        Self { graph }
    }

    fn source(&self, source: Option<Position>) -> Source {
        source.map_or(Source::Initial, |write| Source::Event(self.graph.step_of(write)))
    }

    /// Each event that reads, what, and where it gets its value. Accesses to locks and the like read what the last
    /// access left, also if that changed nothing.
    pub fn sources(&self) -> impl Iterator<Item = (EventId, Location, Source)> + '_ {
        let events = (0..self.graph.len()).map(Position::new);
        events.filter(|&position| !self.waits(position)).filter_map(|position| match self.graph.event(position).kind {
            Kind::Read { touch, source, .. } => {
                Some((self.graph.step_of(position), self.graph.touches.access(touch).location, self.source(source)))
            }
            _ => None,
        })
    }

    /// Whether an event belongs to a step that waits.
    fn waits(&self, position: Position) -> bool {
        let mut step = self.graph.step(self.graph.event(position));
        step.any(|other| self.graph.event(other).waits())
    }

    /// The order of the writes to each cell: bytes of a location that are accessed together.
    pub fn modification_orders(&self) -> impl Iterator<Item = (Location, Vec<EventId>)> + '_ {
        let cells = self.graph.cells.iter().filter(|accesses| !accesses.writes.is_empty());
        let event = |&write: &Position| self.graph.step_of(write);
        cells.filter_map(move |cell| Some((cell.location?, cell.writes.iter().map(event).collect())))
    }
}
