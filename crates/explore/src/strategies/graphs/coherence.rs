//! The rules of every model for the accesses to one cell.
//!
//! No write, and no source of a read, that comes before the last event - in its thread, or by RC11's happens-before -
//! may be later than it in modification order. This is `hb ; eco` of RC11, and coherence of the other models. Nothing
//! comes between a read-modify-write and its source.

use super::event::{Cell, Event, Label, Position};
use super::graph::Graph;
use super::model::MemoryModel;
use everyway_runtime::ThreadId;

impl Graph {
    /// Whether an event comes before the last one, `last`.
    #[inline]
    fn is_known(&self, earlier: &Event, last: Position) -> bool {
        match self.model {
            MemoryModel::Rc11 => self.hb.get(last, earlier.thread) >= earlier.index,
            _ => self.event(last).thread == earlier.thread,
        }
    }

    /// Whether a write is known to a thread where it stands, after `base`.
    #[inline]
    fn is_known_to(&self, write: Position, thread: ThreadId, base: Option<Position>) -> bool {
        // Mostly it is its own.
        self.event(write).thread == thread || self.is_of_other_known(write, base)
    }

    /// The same, of a write of another thread.
    #[inline(never)]
    fn is_of_other_known(&self, write: Position, base: Option<Position>) -> bool {
        let event = self.event(write);
        match (self.model, base) {
            // What is read is known, too: reads need not be looked at.
            (MemoryModel::Sc, _) => self.is_porf_before(event, base),
            // Writes that others have come to know have left their buffers in order; but of several of one step, some
            // may have left while others have not.
            (MemoryModel::Tso, _) => event.is_alone() && self.is_porf_before(event, base),
            (MemoryModel::Rc11, Some(base)) => self.hb.get(base, event.thread) >= event.index,
            (MemoryModel::Rc11, None) => false,
            (MemoryModel::Pso, _) => false,
        }
    }

    /// Whether the next access of a thread to a cell, after `base`, can only come after the newest write.
    #[inline]
    pub(super) fn knows_newest(&self, cell: Cell, thread: ThreadId, base: Option<Position>) -> bool {
        let newest = self.newest(cell);
        // Mostly this is so, or the write is what has to be known.
        newest.is_none_or(|newest| self.is_known_to(newest, thread, base))
            || self.model != MemoryModel::Sc && self.floor(cell, thread, base) >= self.label(newest)
    }

    /// The place that the next access of a thread to a cell cannot come before: what is known of the cell where the thread
    /// stands, after `base`.
    pub(super) fn floor(&self, cell: Cell, thread: ThreadId, base: Option<Position>) -> Label {
        let accesses = self.accesses(cell);
        let written = accesses.writes.iter().rev().copied().find(|&write| self.is_known_to(write, thread, base));
        let floor = self.label(written);
        if self.model == MemoryModel::Sc {
            return floor;
        }
        let known = |of: ThreadId| match (self.model, base) {
            (MemoryModel::Rc11, Some(base)) => self.hb.get(base, of),
            (MemoryModel::Rc11, None) => 0,
            _ if of == thread => u32::MAX,
            _ => 0,
        };
        let reads = accesses.of_threads.iter().filter_map(|of| of.last_read(known(of.thread)));
        reads.map(|read| self.place(read)).fold(floor, Label::max)
    }

    /// The writes to a cell from a place in modification order on; none for the initial value, if that is among them.
    pub(super) fn sources_from(&self, cell: Cell, floor: Label) -> impl Iterator<Item = Option<Position>> {
        let initial = (floor == 0).then_some(None);
        let later = self.writes_after(cell, floor.saturating_sub(1));
        initial.into_iter().chain(later.iter().copied().map(Some))
    }

    /// Whether something that comes before the last event, an access to a cell, is later than its place in modification
    /// order.
    fn comes_too_late(&self, last: Position, cell: Cell, place: Label) -> bool {
        let mut later = self.writes_after(cell, place).iter();
        if later.any(|&write| self.is_known(self.event(write), last)) {
            return true;
        }
        let own = self.event(last);
        let known = |thread: ThreadId| match self.model {
            _ if thread == own.thread => own.index - 1,
            MemoryModel::Rc11 => self.hb.get(last, thread),
            _ => 0,
        };
        let reads = self.accesses(cell).of_threads.iter().filter_map(|of| of.last_read(known(of.thread)));
        reads.into_iter().any(|read| self.place(read) > place)
    }

    /// Whether the last event is a write that comes between a read-modify-write and its source; `next` is the write that comes
    /// after its place in modification order.
    #[inline]
    pub(super) fn comes_between(&self, last: Position, next: Position) -> bool {
        self.event(last).is_write() && self.event(next).modifies()
    }

    /// Whether the last event is coherent. Under `sc`, whatever is not coherent is on a cycle.
    pub(super) fn is_coherent(&self, last: Position) -> bool {
        let is_late = |cell| self.comes_too_late(last, cell, self.place(last));
        self.model == MemoryModel::Sc || !self.event(last).cell().is_some_and(is_late)
    }
}
