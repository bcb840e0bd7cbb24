//! The other writes that a read could have seen: the sources that the memory model allows if everything that does not
//! depend on the read stays the same.

use super::Graphs;
use super::event::{Event, Follows, Kind, Object, Position};
use super::graph::Graph;
use super::shape::GraphView;
use crate::strategies::Order;
use everyway_runtime::{EventId, Source};

impl GraphView<'_> {
    /// The sources that the read of an event does not have, and could have. None if it does not read memory, or does
    /// more than that and writing what comes of it.
    pub fn could_read(&self, event: EventId) -> Vec<Source> {
        let reads = (0..self.graph.len()).map(Position::new);
        let mut reads = reads.filter(|&read| self.graph.step_of(read) == event);
        let is_meant = |read: Position| match self.graph.event(read).kind {
            Kind::Read { touch, .. } => touch.object == Object::Memory && self.graph.event(read).is_alone(),
            _ => false,
        };
        reads.find(|&read| is_meant(read)).map_or(Vec::new(), |read| Without::new(self.graph, read).sources())
    }
}

/// A graph without a read, and without what depends on it.
struct Without<'a> {
    whole: &'a Graph,
    read: Event,
    /// Where the read has its value from, in the whole graph.
    source: Option<Position>,
    rest: Graphs,
    /// By position in the rest: the position in the whole graph.
    origin: Vec<Position>,
}

impl<'a> Without<'a> {
    fn new(whole: &'a Graph, read: Position) -> Self {
        let event = *whole.event(read);
        let source = match event.kind {
            Kind::Read { source, .. } => source,
            _ => None,
        };
        let mut graph = whole.clone();
        graph.truncate(read.index());
        let mut origin: Vec<Position> = (0..read.index()).map(Position::new).collect();
        let mut moved: Vec<Option<Position>> = origin.iter().copied().map(Some).collect();
        for position in (read.index()..whole.len()).map(Position::new) {
            let mut later = *whole.event(position);
            let stays = !later.waits() && !later.is_overtaken() && !whole.is_porf_before(&event, Some(position));
            moved.push(stays.then(|| Position::new(origin.len())));
            if !stays {
                continue;
            }
            if let Kind::Read { source, .. } = &mut later.kind {
                // What it reads does not depend on the read either.
                *source = source.and_then(|source| moved[source.index()]);
            }
            graph.push(&later);
            origin.push(position);
        }
        let rest = Graphs { graph, ..Graphs::new(whole.model, Order::Lowest) };
        Self { whole, read: event, source, rest, origin }
    }

    fn sources(mut self) -> Vec<Source> {
        let Kind::Read { touch, .. } = self.read.kind else { return Vec::new() };
        let thread = self.read.thread;
        let floor = self.rest.graph.floor(touch.cell, thread, self.rest.graph.last_of(thread));
        let candidates: Vec<Option<Position>> = self.rest.graph.sources_from(touch.cell, floor).collect();
        let depth = self.rest.graph.len();
        let mut sources = Vec::new();
        for candidate in candidates {
            let origin = candidate.map(|write| self.origin[write.index()]);
            if origin == self.source {
                continue;
            }
            let value = self.rest.graph.value(self.rest.graph.touches.initial(touch), candidate);
            let read = self.rest.graph.read_event(self.read, touch, candidate, value);
            let read = Event { stamp: self.rest.graph.next_stamp(), choice: self.read.choice, ..read };
            if !read.waits()
                && self.rest.add(&read)
                && (read.follows != Follows::Writes || self.rest.push_writes(thread))
            {
                sources.push(origin.map_or(Source::Initial, |write| Source::Event(self.whole.step_of(write))));
            }
            self.rest.truncate(depth);
        }
        sources
    }
}
