//! Threads that wait to be woken, and what they wait for.

use crate::ids::ThreadId;
use crate::names::Threads;

/// For which of 32 reasons a thread waits to be woken, or is woken. A wake-up reaches a thread if they have one in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasons(pub u32);

impl Reasons {
    /// Whatever the reason is.
    pub const ALL: Self = Self(u32::MAX);

    /// Whether one of these is one of those.
    pub fn meet(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// Threads that wait, in the order of their names: which alternative of a notification wakes whom depends neither on the
/// order in which they came, which is not explored, nor on that in which this process has met them.
///
/// ```
/// use everyway_runtime::{Reasons, ThreadId, Threads, Waiters};
///
/// let mut names = Threads::new();
/// let second = names.child(Threads::FIRST, 1);
/// let first = names.child(Threads::FIRST, 0);
/// let mut waiters = Waiters::default();
/// waiters.insert(second, Reasons(0b01), &names);
/// waiters.insert(first, Reasons(0b11), &names);
/// assert!(waiters.reached_by(Reasons::ALL).eq([first, second]));
/// assert!(waiters.reached_by(Reasons(0b10)).eq([first]));
/// assert_eq!(waiters.remove(second), Some(Reasons(0b01)));
/// assert_eq!(waiters.remove(second), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Waiters(Vec<(ThreadId, Reasons)>);

impl Waiters {
    /// Those that a wake-up for these reasons reaches.
    pub fn reached_by(&self, reasons: Reasons) -> impl Iterator<Item = ThreadId> + '_ {
        self.0.iter().filter(move |(_, own)| own.meet(reasons)).map(|&(thread, _)| thread)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the thread is one of them.
    pub fn contains(&self, thread: ThreadId) -> bool {
        self.0.iter().any(|&(other, _)| other == thread)
    }

    /// Adds a thread that waits for these reasons.
    pub fn insert(&mut self, thread: ThreadId, reasons: Reasons, names: &Threads) {
        let path = names.path(thread);
        let position = self.0.partition_point(|&(other, _)| names.path(other) < path);
        self.0.insert(position, (thread, reasons));
    }

    /// Takes a thread out; for which reasons it waited, if it was there.
    pub fn remove(&mut self, thread: ThreadId) -> Option<Reasons> {
        let position = self.0.iter().position(|&(other, _)| other == thread)?;
        Some(self.0.remove(position).1)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
