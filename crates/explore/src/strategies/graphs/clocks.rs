//! Vector clocks, one for each event, in one flat vector.
//!
//! A clock has an entry per thread: how many of its events come before. So only relations that contain program order
//! can be kept like this.

use super::event::Position;
use everyway_runtime::ThreadId;

/// To have so many entries copied by a function costs more than to copy them.
const FEW: usize = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    /// How many threads there is room for.
    width: usize,
    entries: Vec<u32>,
}

impl Clocks {
    /// Makes room for so many threads.
    pub(super) fn widen(&mut self, threads: usize) {
        if threads <= self.width {
            return;
        }
        let width = threads.next_power_of_two();
        let mut entries = Vec::with_capacity(self.entries.len() / self.width.max(1) * width);
        for clock in self.entries.chunks(self.width.max(1)) {
            entries.extend_from_slice(clock);
            entries.resize(entries.len() + width - clock.len(), 0);
        }
        (self.width, self.entries) = (width, entries);
    }

    /// Appends a clock like that of an earlier event, or an empty one.
    pub(super) fn push(&mut self, like: Option<Position>) {
        match like {
            Some(event) => match <[u32; FEW]>::try_from(self.of(event)) {
                Ok(few) => self.entries.extend_from_slice(&few),
                Err(_) => self.entries.extend_from_within(self.range(event)),
            },
            None => self.entries.resize(self.entries.len() + self.width, 0),
        }
    }

    fn range(&self, event: Position) -> std::ops::Range<usize> {
        event.index() * self.width..(event.index() + 1) * self.width
    }

    /// Adds what another event knows, in these or other clocks, to the last clock.
    pub(super) fn join_from(&mut self, other: &[u32]) {
        let start = self.entries.len() - self.width;
        for (entry, other) in self.entries[start..].iter_mut().zip(other) {
            *entry = (*entry).max(*other);
        }
    }

    /// Adds what an earlier event knows to the last clock.
    pub(super) fn join(&mut self, other: Position) {
        let start = self.entries.len() - self.width;
        let (earlier, last) = self.entries.split_at_mut(start);
        let other = &earlier[other.index() * self.width..];
        for (entry, other) in last.iter_mut().zip(other) {
            *entry = (*entry).max(*other);
        }
    }

    /// Sets an entry of the last clock.
    pub(super) fn set(&mut self, thread: ThreadId, index: u32) {
        let start = self.entries.len() - self.width;
        self.entries[start + thread.index()] = index;
    }

    #[inline]
    pub(super) fn get(&self, event: Position, thread: ThreadId) -> u32 {
        self.entries[event.index() * self.width + thread.index()]
    }

    pub(super) fn of(&self, event: Position) -> &[u32] {
        &self.entries[self.range(event)]
    }

    pub(super) fn truncate(&mut self, events: usize) {
        self.entries.truncate(events * self.width);
    }
}
