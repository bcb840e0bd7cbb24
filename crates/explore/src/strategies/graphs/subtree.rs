//! Subtrees: what is left to explore, as data that any worker can go on from.
//!
//! A subtree is a list of choices: for each event of a graph its thread, the alternative it took, its source or its
//! place, and when it was added; and what to do there. The program is run along the list, so that nothing else of an
//! exploration has to travel. Labels and stamps matter by their order only.

use super::Graphs;
use super::alternative::{Alternative, AlternativeKind, Revisit, Revisiting};
use super::event::{Event, Follows, Kind, Label, Outcome, Part, Position, Stamp};
use super::step::read_event;
use super::unsupported::Unsupported;
use everyway_runtime::{State, ThreadId};
use std::collections::VecDeque;

/// What an event of a subtree's graph does, as far as there was a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    /// It reads the write at this position of the list, or the initial value.
    Read(Option<Position>),
    /// The same, and its step waits.
    Wait(Option<Position>),
    /// It waits no more: the write at this position of the list has overtaken it.
    Overtaken(Position),
    /// It writes, at this place in modification order.
    Write(Label),
    /// Nothing.
    Other,
}

/// An event of a subtree's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    thread: ThreadId,
    choice: u32,
    stamp: Stamp,
    chosen: Chosen,
    part: Part,
}

/// What to do in the graph of a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Go on.
    Here,
    /// Add this event.
    Add(Entry),
    /// Add this write right after another one, or first.
    Place { write: Entry, after: Option<Position> },
    /// Add this write right after another one, or first, and let a read read it.
    RevisitByWrite { write: Entry, after: Option<Position>, read: Position, found: u64 },
    /// Add the writes of the step of a thread, and let a read read that of this access.
    RevisitByStep { thread: ThreadId, access: u32, read: Position, found: u64 },
}

/// A part of an exploration that nothing else depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtree {
    graph: Vec<Entry>,
    start: Start,
}

/// A subtree on its way into the graph.
#[derive(Clone, Debug)]
pub(super) struct Arriving {
    graph: VecDeque<Entry>,
    start: Start,
}

impl From<Subtree> for Arriving {
    fn from(subtree: Subtree) -> Self {
        Self { graph: subtree.graph.into(), start: subtree.start }
    }
}

impl From<&Event> for Entry {
    fn from(event: &Event) -> Self {
        let chosen = match event.kind {
            Kind::Read { source, outcome: Outcome::Waits, .. } => Chosen::Wait(source),
            Kind::Read { source, .. } => Chosen::Read(source),
            Kind::Write { label, .. } => Chosen::Write(label),
            Kind::Overtaken { by, .. } => Chosen::Overtaken(by),
            Kind::Fence | Kind::Join(_) | Kind::Local => Chosen::Other,
        };
        Self { thread: event.thread, choice: event.choice, stamp: event.stamp, chosen, part: event.part }
    }
}

impl Graphs {
    /// Everything that is left to explore, the current graph included; the strategy has nothing left then.
    pub(super) fn take_subtrees(&mut self) -> Vec<Subtree> {
        let entries = |events: &[Event]| events.iter().map(Entry::from).collect();
        let mut events = self.graph.events.clone();
        let mut subtrees = vec![Subtree { graph: entries(&events), start: Start::Here }];
        while let Some(Alternative { depth, kind }) = self.alternatives.pop() {
            let start = match kind {
                AlternativeKind::Restore { saved } => {
                    events.truncate(depth);
                    events.extend(self.saved.drain(saved..));
                    continue;
                }
                AlternativeKind::Replace { position, event } => {
                    events.truncate(depth);
                    events[position.index()] = event;
                    continue;
                }
                AlternativeKind::Add(event) => Start::Add(Entry::from(&event)),
                AlternativeKind::Place { write, after } => Start::Place { write: Entry::from(&write), after },
                AlternativeKind::Revisit(Revisit { by: Revisiting::Write { write, after }, read, found }) => {
                    Start::RevisitByWrite { write: Entry::from(&write), after, read, found }
                }
                AlternativeKind::Revisit(Revisit { by: Revisiting::Step { thread, access }, read, found }) => {
                    Start::RevisitByStep { thread, access, read, found }
                }
                AlternativeKind::Choose { position, choice } => {
                    events[position.index()].choice = choice;
                    Start::Here
                }
            };
            events.truncate(depth);
            subtrees.push(Subtree { graph: entries(&events), start });
        }
        subtrees
    }

    /// The event that an entry stands for, in the state that the graph leads to.
    fn event_of(&mut self, entry: Entry, state: &dyn State) -> Result<Event, Unsupported> {
        let last = self.graph.threads[entry.thread.index()].events.last();
        let follows = last.map_or(Follows::Nothing, |&last| self.graph.event(last).follows);
        if let Chosen::Overtaken(by) = entry.chosen {
            let event = Event { stamp: entry.stamp, ..self.plain_event(entry.thread, state)? };
            return event.cell().map(|cell| event.overtaken(cell, by)).ok_or(Unsupported::Sources);
        }
        let mut event = match (follows, entry.part) {
            (Follows::Writes, _) => self.next_write(entry.thread).ok_or(Unsupported::Sources)?,
            (_, Part::Aftermath) => self.aftermath_event(state).ok_or(Unsupported::Sources)??,
            (_, Part::Operation) => self.plain_event(entry.thread, state)?,
        };
        if let (Kind::Read { touch, .. }, Chosen::Read(source) | Chosen::Wait(source)) = (event.kind, entry.chosen) {
            event = read_event(event, touch, source, self.found(touch, source, state));
        }
        if let Chosen::Wait(_) = entry.chosen {
            event = event.waiting();
        }
        if let (Kind::Write { label, .. }, Chosen::Write(at)) = (&mut event.kind, entry.chosen) {
            *label = at;
        }
        Ok(Event { stamp: entry.stamp, choice: entry.choice, ..event })
    }

    /// Adds the next event of a subtree to the graph, if the program has run all that is there; at its end, plans what
    /// to do. Tells whether there is still something to add.
    pub(super) fn arrive(&mut self, state: &dyn State) -> Result<bool, Unsupported> {
        let Some(arriving) = &mut self.arriving else { return Ok(false) };
        if let Some(entry) = arriving.graph.pop_front() {
            let event = self.event_of(entry, state)?;
            self.graph.push(event);
            return Ok(true);
        }
        let start = arriving.start;
        self.arriving = None;
        let kind = match start {
            Start::Here => return Ok(false),
            Start::Add(entry) => AlternativeKind::Add(self.event_of(entry, state)?),
            Start::Place { write, after } => AlternativeKind::Place { write: self.event_of(write, state)?, after },
            Start::RevisitByWrite { write, after, read, found } => {
                let by = Revisiting::Write { write: self.event_of(write, state)?, after };
                AlternativeKind::Revisit(Revisit { by, read, found })
            }
            Start::RevisitByStep { thread, access, read, found } => {
                AlternativeKind::Revisit(Revisit { by: Revisiting::Step { thread, access }, read, found })
            }
        };
        self.alternatives.push(Alternative { depth: self.graph.len(), kind });
        Ok(false)
    }
}
