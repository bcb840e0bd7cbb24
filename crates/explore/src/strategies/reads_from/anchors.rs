//! What is known of ordered locations whose numbers do not last from one execution to the next.
//!
//! Threads and events have names that last, so an ordered unit is remembered by the events that have accessed it: in
//! every trace that has one of them, whatever it accesses is ordered, as one with what the others access. An event
//! may access something else where its thread has taken another course; then more is ordered than need be.

use super::linearization::Name;

const NONE: u32 = u32::MAX;

/// Sets of events that access ordered units, one set for each unit.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// By thread and index, a set.
    of: Vec<Vec<u32>>,
    /// By set, another one that it has become part of; itself if it has not.
    merged: Vec<u32>,
}

/// A set of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anchor(u32);

impl Anchor {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Anchors {
    /// The number of sets there ever were.
    pub(super) fn len(&self) -> usize {
        self.merged.len()
    }

    /// The set that `name` is in.
    pub(super) fn get(&self, name: Name) -> Option<Anchor> {
        let set = *self.of.get(name.thread.index())?.get(name.index as usize - 1)?;
        (set != NONE).then(|| self.root(set))
    }

    fn root(&self, mut set: u32) -> Anchor {
        while self.merged[set as usize] != set {
            set = self.merged[set as usize];
        }
        Anchor(set)
    }

    /// A new set.
    pub(super) fn create(&mut self) -> Anchor {
        self.merged.push(self.merged.len() as u32);
        Anchor(self.merged.len() as u32 - 1)
    }

    /// Puts `name`, which is in none, into a set.
    pub(super) fn put(&mut self, name: Name, set: Anchor) {
        if self.of.len() <= name.thread.index() {
            self.of.resize_with(name.thread.index() + 1, Vec::new);
        }
        let events = &mut self.of[name.thread.index()];
        if events.len() < name.index as usize {
            events.resize(name.index as usize, NONE);
        }
        events[name.index as usize - 1] = set.0;
    }

    /// Makes two sets one; whether they were not.
    pub(super) fn merge(&mut self, one: Anchor, other: Anchor) -> bool {
        let (one, other) = (self.root(one.0), self.root(other.0));
        self.merged[one.0.max(other.0) as usize] = one.0.min(other.0);
        one != other
    }
}
