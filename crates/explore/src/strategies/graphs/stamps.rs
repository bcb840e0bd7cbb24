//! The events in the order in which they were added to the graph for the first time.

use super::event::{Position, Stamp};
use super::graph::Graph;

impl Graph {
    /// All events, those that were added last first.
    pub(super) fn latest_first(&self) -> impl Iterator<Item = Position> + '_ {
        let in_order = (self.by_stamp.len()..self.len()).rev().map(Position::new);
        in_order.chain(self.by_stamp.iter().rev().copied())
    }

    /// Where an event with this stamp is, or belongs, among those that are kept in the order of stamps.
    fn place_by_stamp(&self, stamp: Stamp) -> usize {
        self.by_stamp.partition_point(|&other| self.event(other).stamp < stamp)
    }

    /// Takes note of an event, about to be appended, which others have come after before.
    #[inline(never)]
    pub(super) fn push_by_stamp(&mut self, position: Position, stamp: Stamp) {
        self.by_stamp.extend((self.by_stamp.len()..position.index()).map(Position::new));
        self.by_stamp.insert(self.place_by_stamp(stamp), position);
    }

    /// Forgets the last event, which others may have come after before.
    #[inline(never)]
    pub(super) fn pop_by_stamp(&mut self, position: Position) {
        if self.by_stamp.pop_if(|last| *last == position).is_none() {
            self.by_stamp.remove(self.place_by_stamp(self.event(position).stamp));
        }
    }
}
