//! How events are appended to the graph.
//!
//! Mostly nothing comes after what is appended, or after what it reads, in modification order. Then it is known without a look at
//! anything else that the graph is consistent, and where the event is filed.

use super::event::{Cell, Event, Follows, Kind, Position, Reached};
use super::graph::{Graph, Sums};
use super::model::MemoryModel;
use smallvec::SmallVec;

/// An event that was appended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Appended {
    pub(super) position: Position,
    /// The write that comes right after it, or after what it reads, in modification order.
    pub(super) next: Option<Position>,
}

impl Graph {
    /// Appends an event.
    pub(super) fn push(&mut self, event: &Event) -> Appended {
        let next = self.next_after(event);
        Appended { position: self.append(event, next), next }
    }

    /// Appends an event that is the newest write to its cell, reads from the newest or from none, or accesses nothing.
    #[inline(never)]
    pub(super) fn push_newest(&mut self, event: &Event) {
        debug_assert_eq!(self.next_after(event), None, "what is newest comes before nothing");
        self.append(event, None);
    }

    #[inline(always)]
    fn append(&mut self, event: &Event, next: Option<Position>) -> Position {
        let position = Position::new(self.events.len());
        let before = self.sums.last().copied().unwrap_or_default();
        self.sums.push(Sums {
            steps: before.steps + u32::from(event.ends_step()),
            stamp: before.stamp.max(event.stamp),
            seq_cst: if self.model == MemoryModel::Rc11 { before.seq_cst + u32::from(event.is_seq_cst()) } else { 0 },
            moment: self.next_moment(event, next),
        });
        if self.readers.len() == position.index() {
            self.readers.push(SmallVec::new());
        }
        if event.stamp <= before.stamp && position.index() > 0 {
            self.push_by_stamp(position, event.stamp);
        }
        if let Kind::Overtaken { touch, .. } = event.kind {
            self.push_mark(event, touch.cell);
            return position;
        }
        if event.index == 1 {
            self.enter(event);
        }
        if self.unfinished > 0 {
            self.unfinished -= u32::from(self.is_unfinished(event.thread));
        }
        self.unfinished += u32::from(event.follows != Follows::Nothing);
        self.push_clocks(event);
        self.threads[event.thread.index()].events.push(position);
        if self.model == MemoryModel::Rc11 {
            self.push_barriers(event, position);
        }
        match event.kind {
            Kind::Read { touch, source, .. } => {
                self.waiting += u32::from(event.waits());
                self.cells[touch.cell.index()].push_read(event, position);
                if let Some(source) = source {
                    self.readers[source.index()].push(position);
                }
            }
            Kind::Write { cell, label, .. } => {
                let later = if next.is_none() { 0 } else { self.writes_after(cell, label).len() };
                let cell = &mut self.cells[cell.index()];
                cell.push_write(event, position);
                match later {
                    0 => cell.writes.push(position),
                    _ => cell.writes.insert(cell.writes.len() - later, position),
                }
            }
            Kind::Join(Some(Reached { thread, index })) => self.threads[thread.index()].joins.push((position, index)),
            Kind::Join(None) | Kind::Fence | Kind::Local | Kind::Overtaken { .. } => {}
        }
        self.events.push(*event);
        position
    }

    /// Takes note of the first event of a thread.
    #[inline(never)]
    fn enter(&mut self, first: &Event) {
        self.threads[first.thread.index()].origin = first.origin;
        if let Some(Reached { thread, index }) = first.origin {
            self.threads[thread.index()].children.push((first.thread, index));
        }
    }

    /// Takes note of an event, which is about to be appended, as one of those that RC11 asks for by thread.
    #[inline(never)]
    fn push_barriers(&mut self, event: &Event, position: Position) {
        let thread = &mut self.threads[event.thread.index()];
        if event.is_seq_cst() {
            thread.seq_cst.push(position);
            thread.fences.extend(event.is_fence().then_some(position));
        }
        let releases = event.is_fence() && event.ordering.releases();
        thread.release_fences.extend(releases.then_some(position));
    }

    /// Appends the mark of a wait for a cell that was overtaken.
    #[cold]
    fn push_mark(&mut self, mark: &Event, cell: Cell) {
        self.porf.push(None);
        if self.model == MemoryModel::Rc11 {
            self.hb.push(None);
            self.released.push(None);
        }
        let position = Position::new(self.events.len());
        let marks = &self.threads[mark.thread.index()].overtaken;
        let is_sorted = marks.last().is_none_or(|&last| self.event(last).index <= mark.index);
        debug_assert!(is_sorted, "the marks of a thread are in the order of their places");
        self.threads[mark.thread.index()].overtaken.push(position);
        self.cells[cell.index()].overtaken.push(position);
        self.events.push(*mark);
    }
}
