//! The consequences of a step beyond its operation: waking others.
//!
//! They are known once the program has taken the step. Each such access is a read-modify-write of the same step.

use super::event::{Event, FIRST, Kind, Object, Part, Position};
use super::unsupported::Unsupported;
use super::{Added, Graphs};
use everyway_runtime::{Access, State, Visit};

/// What came with a step.
#[derive(Clone, Debug)]
pub(super) struct Aftermath {
    /// The event that the step ends with.
    end: Position,
    accesses: Vec<Access>,
}

impl Graphs {
    /// Takes note of what came with the step just taken.
    #[inline]
    pub(super) fn note_aftermath(&mut self, visits: &[Visit]) {
        let end = Position::new(self.known - 1);
        let event = self.graph.event(end);
        // Mostly there is the access that was announced, or none.
        if visits.is_empty() || visits.len() == 1 && event.cell().is_some() {
            return;
        }
        self.note_further_accesses(visits, end);
    }

    #[inline(never)]
    fn note_further_accesses(&mut self, visits: &[Visit], end: Position) {
        let event = self.graph.event(end);
        let announced = self.graph.operation(event).map(|position| self.graph.event(position));
        let reached = announced.filter(|event| event.cell().is_some());
        let announced = reached.map(|event| event.access as usize + 1).max().unwrap_or(0);
        if visits.len() > announced {
            let accesses = visits[announced..].iter().map(|visit| visit.access).collect();
            self.aftermaths.push(Aftermath { end, accesses });
        }
    }

    /// Forgets what came with steps that the program will take again.
    pub(super) fn forget_aftermaths(&mut self) {
        while self.aftermaths.last().is_some_and(|last| last.end.index() >= self.known) {
            self.aftermaths.pop();
        }
    }

    /// The read of the next access that came with the last step that something came with, if it is not yet in the graph.
    pub(super) fn aftermath_event(&mut self, state: &dyn State) -> Option<Result<Event, Unsupported>> {
        let last = self.aftermaths.last()?;
        let end = *self.graph.event(last.end);
        let there = self.graph.step(&end).filter(|&event| self.graph.event(event).part == Part::Aftermath).count() / 2;
        let access = *last.accesses.get(there)?;
        let position = last.end;
        let step = Event {
            index: self.graph.threads[end.thread.index()].events.len() as u32 + 1,
            stamp: self.graph.next_stamp(),
            kind: Kind::Local,
            choice: FIRST,
            origin: None,
            access: there as u32,
            // Each is complete by itself.
            accesses: there as u32 + 1,
            writes_before: 0,
            part: Part::Aftermath,
            ..end
        };
        Some(self.access_event(step, &access, Object::Chained, state).map(|event| {
            let Kind::Read { touch, .. } = event.kind else { return event };
            // What the step has read shows that the woken thread waits.
            let writes = self.graph.accesses(touch.cell).writes.iter().rev().copied();
            let source =
                writes.into_iter().find(|&write| self.graph.is_porf_before(self.graph.event(write), Some(position)));
            self.graph.read_event(step, touch, source, self.graph.value(self.graph.touches.initial(touch), source))
        }))
    }

    /// Adds what came with a step.
    pub(super) fn add_aftermath(&mut self, read: Event, state: &dyn State) -> Added {
        if !self.add(&read) {
            return Added::Inconsistent;
        }
        self.add_writes(read.thread, state)
    }
}
