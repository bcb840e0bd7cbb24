//! Data races by RC11's happens-before.

use super::event::Position;
use super::graph::Graph;
use super::model::MemoryModel;
use everyway_runtime::EventId;

/// Two conflicting accesses of different threads, not both atomic, neither of which happens before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRace {
    /// The event that comes first in the current execution.
    pub earlier: EventId,
    /// The other one.
    pub later: EventId,
}

impl Graph {
    /// The race of the last event with an earlier one.
    pub(super) fn race_of(&self, last: Position) -> Option<DataRace> {
        let event = self.event(last);
        if self.model != MemoryModel::Rc11 || event.waits() {
            return None;
        }
        let accesses = self.accesses(event.cell()?);
        let reads = accesses.reads.iter().filter(|_| event.is_write());
        let races = |&&other: &&Position| {
            let before = self.event(other);
            before.thread != event.thread
                && !before.waits()
                && !(before.ordering.is_atomic() && event.ordering.is_atomic())
                && !self.happens_before(other, last)
        };
        let other = accesses.writes.iter().chain(reads).find(races)?;
        Some(DataRace { earlier: self.step_of(*other), later: self.step_of(last) })
    }
}
