//! Data races by RC11's happens-before.

use super::accesses::AccessesOfThread;
use super::event::{Kind, Position};
use super::graph::Graph;
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
    /// The race of a step, which ends with the event `end`, with an earlier one; asked under RC11 only.
    pub(super) fn race_of(&self, end: Position) -> Option<DataRace> {
        let last = self.event(end);
        if last.first == last.index {
            return self.race_of_access(end, end);
        }
        self.step(last).take_while(|&access| access <= end).find_map(|access| self.race_of_access(access, end))
    }

    /// The race of an access. A read-modify-write is looked at as a whole with its read.
    fn race_of_access(&self, access: Position, end: Position) -> Option<DataRace> {
        let event = self.event(access);
        let accesses = self.accesses(event.cell()?);
        if event.ordering.is_atomic() && accesses.plain == 0 {
            return None;
        }
        let is_known = |of: &AccessesOfThread| of.last().is_none_or(|last| self.hb.get(access, of.thread) >= last);
        if accesses.of_threads.iter().all(|of| of.thread == event.thread || is_known(of)) {
            return None;
        }
        let modifies = matches!(event.kind, Kind::Read { outcome, .. } if outcome.written().is_some());
        let reads = accesses.reads().filter(|_| event.is_write() || modifies);
        let races = |&&other: &&Position| {
            let before = self.event(other);
            let are_atomic = before.ordering.is_atomic() && event.ordering.is_atomic();
            other < end
                && before.thread != event.thread
                && !before.waits()
                && !are_atomic
                && !self.happens_before(other, access)
        };
        let other = accesses.writes.iter().find(races).or_else(|| reads.filter(races).min())?;
        Some(DataRace { earlier: self.step_of(*other), later: self.step_of(end) })
    }
}
