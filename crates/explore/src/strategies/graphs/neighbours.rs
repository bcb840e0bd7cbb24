//! The executions that begin with given steps: the steps are followed first, and explored from there.
//!
//! Executions that begin with the steps have their events, with the same sources and in the same modification order, so
//! no read among them is ever revisited. Nothing is missed by that: a graph that contains the events of the steps is
//! reached by adding them first, each with its source, which comes before it; and the steps by which TruSt gets from
//! there to the graph change no event that is in both.

use super::event::{Cell, Event, Follows, Kind, Object, Position};
use super::subtree::{Arriving, thread_at};
use super::touches::Touch;
use super::{Graphs, MemoryModel, Unsupported};
use crate::packed::Packed;
use crate::strategies::told::ToldStep;
use crate::strategies::{Divisible, Order, TellsSources};
use everyway_runtime::{EventId, Source, State, ThreadId};

/// The strategy that explores the executions under `model` which begin with `steps`. A subtree that it is given
/// ([`Divisible::adopt`]) is to be one that was left of such an exploration.
pub fn neighbours(model: MemoryModel, steps: Vec<ToldStep>) -> impl Divisible + TellsSources {
    let mut graphs = Graphs::new(model, Order::Lowest);
    graphs.fixed_steps = steps.len();
    graphs.arriving = Some(Arriving::Steps(steps));
    graphs
}

impl Graphs {
    /// Adds the next event of the steps that are followed to the graph, if the program has run all that is there. Tells
    /// whether there is still something to add.
    pub(super) fn follow(&mut self, state: &dyn State) -> Result<bool, Unsupported> {
        let consistent = |is_consistent: bool| if is_consistent { Ok(true) } else { Err(Unsupported::Subtree) };
        if let Some(read) = self.aftermath_event(state) {
            let read = read?;
            return consistent(self.add(&read) && self.push_writes(read.thread));
        }
        let Some(Arriving::Steps(steps)) = &self.arriving else { return Ok(false) };
        let Some(step) = steps.get(self.graph.steps(self.graph.len())).cloned() else {
            self.arriving = None;
            return Ok(false);
        };
        let thread = thread_at(step.thread.as_ref().ok_or(Unsupported::Subtree)?, state)?;
        let choice = Packed::some(step.choice);
        match self.graph.unfinished() {
            Some((unfinished, _)) if unfinished != thread => Err(Unsupported::Subtree),
            Some((_, Follows::Writes)) => consistent(self.push_told_writes(thread, choice)),
            None if !self.can_go_on(thread, state) => Err(Unsupported::Subtree),
            _ => {
                let event = Event { choice, ..self.plain_event(thread, state)? };
                match event.kind {
                    Kind::Read { touch, .. } => {
                        let source = self.told_source(&step, event.access, touch)?;
                        let read = self.graph.read_event(event, touch, source, self.found(touch, source, state));
                        let read = Event { choice, ..read };
                        consistent(!read.waits() && self.add(&read))
                    }
                    Kind::Write { cell, .. } => {
                        let after = self.told_place(&step, cell)?;
                        consistent(self.place(&mut { event }, after))
                    }
                    _ => consistent(self.add(&event)),
                }
            }
        }
    }

    /// Adds the writes that follow the reads of a step that takes this alternative; whether the graph is consistent then.
    fn push_told_writes(&mut self, thread: ThreadId, choice: Packed) -> bool {
        while let Some(write) = self.next_write(thread) {
            let source = self.graph.source_of(&write);
            if !self.place(&mut Event { choice, ..write }, source) {
                return false;
            }
        }
        self.graph.last_of(thread).is_none_or(|last| self.store_order.is_atomic(&self.graph, last))
    }

    /// What an access of a step reads. Locks and the like are found as the last access has left them, which need not be
    /// the last one that changed them, and that is all that steps are told.
    fn told_source(&self, step: &ToldStep, access: u32, touch: Touch) -> Result<Option<Position>, Unsupported> {
        if touch.object != Object::Memory {
            return Ok(self.graph.newest(touch.cell));
        }
        match step.sources.get(access as usize) {
            None => Err(Unsupported::Subtree),
            Some(Source::Initial) => Ok(None),
            Some(&Source::Event(event)) => self.write_of(event, touch.cell).map(Some),
        }
    }

    fn told_place(&self, step: &ToldStep, cell: Cell) -> Result<Option<Position>, Unsupported> {
        match step.place {
            None => Ok(self.graph.newest(cell)),
            Some(Source::Initial) => Ok(None),
            Some(Source::Event(event)) => self.write_of(event, cell).map(Some),
        }
    }

    /// The write of a step to a cell.
    fn write_of(&self, event: EventId, cell: Cell) -> Result<Position, Unsupported> {
        let mut writes = self.graph.accesses(cell).writes.iter().rev().copied();
        writes.find(|&write| self.graph.step_of(write) == event).ok_or(Unsupported::Subtree)
    }
}
