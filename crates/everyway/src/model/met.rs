//! The order in which objects and threads were first met.
//!
//! Reports number them in this order, which must not depend on the order in which steps were taken again: it is the
//! order in which the steps were taken first. Objects that one step meets are in the order of the step, and followed by
//! those of the threads that it has spawned.

use super::Inner;
use everyway_runtime::{Location, ThreadId, ThreadPath};

/// That an object was met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    location: Location,
    by: ThreadId,
    /// How many steps the execution had.
    at: u32,
}

/// When something was done, besides other things that its thread did in the same step.
type When<'a> = (u32, usize, &'a ThreadPath);

impl Inner {
    /// Takes note of an object that was not met before.
    #[inline]
    pub(super) fn note_met(&mut self, location: Location) {
        let by = self.running;
        let at = self.threads.get(by.index()).map_or(0, |thread| thread.at);
        self.met.push(Met { location, by, at });
    }

    /// The objects of the execution.
    pub(super) fn objects_met(&self) -> impl Iterator<Item = Location> + '_ {
        self.met.iter().map(|met| met.location)
    }

    fn when(&self, thread: ThreadId, at: u32) -> When<'_> {
        let path = self.paths.path(thread);
        // Those that one thread spawns begin before those that these spawn.
        (at, path.depth(), path)
    }

    /// The objects of the execution, in the order in which they were met first.
    pub(super) fn objects_in_order(&self) -> Vec<Location> {
        let mut met = self.met.clone();
        met.sort_by(|one, other| self.when(one.by, one.at).cmp(&self.when(other.by, other.at)));
        met.into_iter().map(|met| met.location).collect()
    }

    /// How many objects for which `counts` holds were met up to this one; none if it was not met.
    pub(super) fn count_met(&self, location: Location, counts: impl Fn(Location) -> bool) -> Option<usize> {
        let when = |(position, met): (usize, &Met)| (self.when(met.by, met.at), position);
        let this = self.met.iter().enumerate().find(|(_, met)| met.location == location).map(when)?;
        let up_to = self.met.iter().enumerate().filter(|(_, met)| counts(met.location));
        Some(up_to.filter(|&met| when(met) <= this).count())
    }

    /// How many threads were born before this one.
    pub(super) fn count_born_before(&self, thread: ThreadId) -> Option<usize> {
        let when = |thread: ThreadId| self.when(thread, self.threads[thread.index()].born_at);
        let is_born = self.born.contains(&thread);
        is_born.then(|| self.born.iter().filter(|&&other| when(other) < when(thread)).count())
    }
}
