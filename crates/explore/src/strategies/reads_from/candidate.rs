//! Schedules under test: events of the current trace, and some that are altered.
//!
//! The copies of a schedule are all events that come before a choice, and all that the altered ones depend on. So they
//! are a [`Cut`], and need not be written down before it is known that the schedule is new and consistent.

use super::linearization::{Entry, Linearization};
use smallvec::SmallVec;

/// A set of events that is closed under what they depend on: of each thread, the first so many.
pub(super) type Cut = SmallVec<[u32; 16]>;

/// A schedule, as what is different from the current trace.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Where in the trace it starts: what comes before is common to all schedules of a choice.
    pub(super) depth: usize,
    /// The events that are as they are in the trace.
    pub(super) cut: Cut,
    /// The others. The last one is the target.
    pub(super) altered: SmallVec<[Entry; 2]>,
}

impl Candidate {
    /// The copies from where it starts on, in the order of `trace`.
    pub(super) fn copies<'a>(&'a self, trace: &'a Linearization) -> impl Iterator<Item = &'a Entry> {
        trace.known_from(self.depth, &self.cut)
    }

    /// How many there are of them.
    pub(super) fn count_copies(&self) -> usize {
        self.cut.iter().sum::<u32>() as usize - self.depth
    }

    /// A number that is the same for candidates with the same events after the same ones, and hardly for others.
    pub(super) fn hash(&self, trace: &Linearization) -> u64 {
        self.altered.iter().map(Entry::hash).fold(trace.hash(&self.cut), u64::wrapping_add)
    }

    /// Its events.
    pub(super) fn entries<'a>(&'a self, trace: &'a Linearization) -> impl Iterator<Item = &'a Entry> {
        self.copies(trace).chain(&self.altered)
    }

    /// Its events, written down.
    pub(super) fn to_entries(&self, trace: &Linearization) -> Box<[Entry]> {
        let mut entries = Vec::with_capacity(self.count_copies() + self.altered.len());
        entries.extend(self.copies(trace).cloned());
        entries.extend_from_slice(&self.altered);
        entries.into_boxed_slice()
    }
}
