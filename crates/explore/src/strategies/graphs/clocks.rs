//! Vector clocks, one for each event, in one flat vector.
//!
//! A clock has an entry per thread: how many of its events come before. So only relations that contain program order
//! can be kept in this form: what a thread can know, and RC11's happens-before.

use super::event::{Event, Kind, Object, Outcome, Position};
use super::graph::Graph;
use super::model::MemoryModel;
use super::touches::Touch;
use crate::happens_before::wide_enough;
use everyway_runtime::{Effect, ThreadId};

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
        let width = wide_enough(self.width, threads);
        let mut entries = Vec::with_capacity(self.entries.len() / self.width.max(1) * width);
        for clock in self.entries.chunks(self.width.max(1)) {
            entries.extend_from_slice(clock);
            entries.resize(entries.len() + width - clock.len(), 0);
        }
        (self.width, self.entries) = (width, entries);
    }

    /// Appends a clock like that of an earlier event, or an empty one.
    #[inline(always)]
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
        let start = event.index() * self.width;
        start..start + self.width
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
    #[inline]
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

impl Graph {
    /// How much of each thread comes before what is next after `base`, by program order, spawns, joins and reads-from.
    #[inline]
    pub(super) fn known_to(&self, base: Option<Position>) -> &[u32] {
        base.map_or(&[], |base| self.porf.of(base))
    }

    /// Appends the clocks of an event that is about to be appended.
    #[inline(always)]
    pub(super) fn push_clocks(&mut self, event: &Event) {
        let before = self.last_of(event.thread);
        self.porf.push(before);
        self.porf.set(event.thread, event.index);
        match event.kind {
            // What its own thread has written it knows.
            Kind::Read { source: Some(source), .. } if self.event(source).thread != event.thread => {
                // A step is one: what depends on some of it comes after all of it.
                let end = self.end_of_step(source);
                if !self.is_porf_before(self.event(end), before) {
                    self.porf.join(end);
                }
            }
            Kind::Join(Some(last)) => self.porf.join(self.at(last)),
            _ => {}
        }
        if self.model == MemoryModel::Rc11 {
            self.push_happens_before(event, before);
        }
    }

    // Out of the way of models that do not have it.
    #[inline(never)]
    fn push_happens_before(&mut self, event: &Event, before: Option<Position>) {
        self.hb.push(before);
        self.hb.set(event.thread, event.index);
        match event.kind {
            Kind::Read { touch, outcome: Outcome::Modifies { value }, .. } if touch.object == Object::Mailbox => {
                if let Some(sent) = self.send_of(touch.cell, value) {
                    self.hb.join(sent);
                }
            }
            Kind::Read { source: Some(source), touch, .. } if event.ordering.acquires() => {
                let releases = if self.comes_and_goes(touch) { self.before_readers(source) } else { Some(source) };
                if let Some(releases) = releases {
                    self.hb.join_from(self.released.of(releases));
                }
            }
            Kind::Fence if event.ordering.acquires() => {
                // What was read before another such fence is known by that.
                for &earlier in self.threads[event.thread.index()].events.iter().rev() {
                    let earlier = &self.events[earlier.index()];
                    match earlier.kind {
                        Kind::Read { source: Some(source), .. } => self.hb.join_from(self.released.of(source)),
                        Kind::Fence if earlier.ordering.acquires() => break,
                        _ => {}
                    }
                }
            }
            Kind::Join(Some(last)) => self.hb.join(self.at(last)),
            _ => {}
        }
        self.released.push(None);
        if let Kind::Write { modifies, .. } = event.kind {
            let own = Position::new(self.events.len());
            let fence = self.threads[event.thread.index()].release_fences.last().copied();
            let released = if event.ordering.releases() { Some(own) } else { fence };
            if let Some(from) = released {
                self.released.join_from(self.hb.of(from));
            }
            if modifies && let Some(source) = self.source_of(event) {
                self.released.join(source);
            }
        }
    }
    /// Whether an access is that of a reader of a lock, which adds. Those do not synchronise with each other.
    fn comes_and_goes(&self, touch: Touch) -> bool {
        touch.object == Object::Chained && matches!(self.touches.access(touch).effect, Effect::Add(_))
    }

    /// The last write to a lock up to `write` that is not a reader's.
    fn before_readers(&self, mut write: Position) -> Option<Position> {
        while let Kind::Read { touch, source, .. } = self.event(self.read_of(self.event(write))).kind
            && self.comes_and_goes(touch)
        {
            write = source?;
        }
        Some(write)
    }
}
