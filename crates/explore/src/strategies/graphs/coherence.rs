//! What every model asks of the accesses to one cell.
//!
//! What comes before the last event - in its thread, or by RC11's happens-before - may not be later than it in
//! modification order: a write, or the source of a read. This is `hb ; eco` of RC11, and coherence of the
//! others. Nothing comes between a read-modify-write and its source.

use super::event::{Event, Position};
use super::graph::Graph;
use super::model::MemoryModel;

impl Graph {
    /// Whether an event comes before the last one, `last`.
    #[inline]
    fn is_known(&self, earlier: &Event, last: Position) -> bool {
        match self.model {
            MemoryModel::Rc11 => self.hb.get(last, earlier.thread) >= earlier.index,
            _ => self.event(last).thread == earlier.thread,
        }
    }

    /// Whether the last event is coherent.
    pub(super) fn is_coherent(&self, last: Position) -> bool {
        let event = self.event(last);
        let Some(cell) = event.cell() else { return true };
        let place = self.place(last);
        let accesses = self.accesses(cell);
        let is_overtaken =
            |&other: &Position| other != last && self.place(other) > place && self.is_known(self.event(other), last);
        let later = accesses.writes.iter().rev().take_while(|&&write| self.place(write) > place);
        if later.copied().any(|write| is_overtaken(&write)) || accesses.reads.iter().any(is_overtaken) {
            return false;
        }
        // A read-modify-write comes right after its source, which only its own write may do.
        !event.is_write() || self.first_after(cell, place).is_none_or(|next| !self.event(next).modifies())
    }
}
