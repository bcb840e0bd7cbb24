//! Vector clocks, and epochs: one entry of one.

use crate::ids::ThreadId;
use smallvec::SmallVec;

/// A moment of one thread, by its own count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Epoch {
    /// The thread.
    pub thread: ThreadId,
    /// Its own count.
    pub time: u32,
}

/// How far each thread is known; entries that are missing are 0.
///
/// ```
/// use everyway_runtime::{Clock, Epoch, ThreadId};
///
/// let (mut one, mut two) = (Clock::default(), Clock::default());
/// one.tick(ThreadId(0));
/// let moment = Epoch { thread: ThreadId(0), time: one.get(ThreadId(0)) };
/// assert!(!two.knows(moment));
/// two.join(&one);
/// assert!(two.knows(moment) && one.is_known_to(&two));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    /// The entry of a thread.
    #[inline]
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    /// Sets the entry of a thread.
    pub fn set(&mut self, thread: ThreadId, time: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] = time;
    }

    /// Moves the entry of a thread on.
    pub fn tick(&mut self, thread: ThreadId) {
        self.set(thread, self.get(thread) + 1);
    }

    /// Whether the moment is known.
    #[inline]
    pub fn knows(&self, epoch: Epoch) -> bool {
        epoch.time <= self.get(epoch.thread)
    }

    /// Whether nothing is known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&time| time == 0)
    }

    /// Whether all that is known here is known there.
    #[inline]
    pub fn is_known_to(&self, other: &Self) -> bool {
        let theirs = other.0.iter().copied().chain(std::iter::repeat(0));
        self.0.iter().zip(theirs).all(|(&time, known)| time <= known)
    }

    /// Learns all that the other knows.
    pub fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (entry, &theirs) in self.0.iter_mut().zip(&other.0) {
            *entry = (*entry).max(theirs);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
