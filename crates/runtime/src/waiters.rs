//! Those who wait to be woken.

use crate::ids::ThreadId;
use crate::names::Threads;

/// Threads that wait, in the order of their names: which alternative of a notification wakes whom depends neither on the
/// order in which they came, which is not explored, nor on that in which this process has met them.
///
/// ```
/// use everyway_runtime::{ThreadId, Threads, Waiters};
///
/// let mut names = Threads::new();
/// let second = names.child(Threads::FIRST, 1);
/// let first = names.child(Threads::FIRST, 0);
/// let mut waiters = Waiters::default();
/// waiters.insert(second, &names);
/// waiters.insert(first, &names);
/// assert_eq!(waiters.as_slice(), [first, second]);
/// assert!(waiters.remove(second) && !waiters.remove(second));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Waiters(Vec<ThreadId>);

impl Waiters {
    /// All of them.
    pub fn as_slice(&self) -> &[ThreadId] {
        &self.0
    }

    /// Adds a thread.
    pub fn insert(&mut self, thread: ThreadId, names: &Threads) {
        let path = names.path(thread);
        let position = self.0.partition_point(|&other| names.path(other) < path);
        self.0.insert(position, thread);
    }

    /// Takes a thread out; whether it was there.
    pub fn remove(&mut self, thread: ThreadId) -> bool {
        let position = self.0.iter().position(|&other| other == thread);
        position.is_some_and(|position| {
            self.0.remove(position);
            true
        })
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
