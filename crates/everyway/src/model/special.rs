//! Condition variables: who waits, and who is woken; and the poisoning of locks.
//!
//! That is more than accesses to a location can say. A notification is an access to the condition variable, and
//! writes the token of each thread that it wakes; the thread waits for its token.

use super::Inner;
use super::object::Named;
use everyway_runtime::{Access, Effect, Location, ThreadId, Visit};

/// What an operation does beyond its accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    /// Nothing.
    None,
    /// The thread joins those that wait on this condition variable.
    Enqueue(Location),
    /// The thread leaves those that wait on this condition variable, if the operation ends there.
    Dequeue(Location),
    /// One of those that wait on this condition variable is woken: each is an alternative.
    WakeOne(Location),
    /// All that wait on this condition variable are woken.
    WakeAll(Location),
    /// This lock is poisoned: a panic unwound past a guard of it.
    Poison(Location),
}

impl Special {
    /// The condition variable that the operation is one of. It puts no memory accesses in an order.
    pub(super) fn condvar(self) -> Option<Location> {
        match self {
            Special::None | Special::Poison(_) => None,
            Special::Enqueue(condvar)
            | Special::Dequeue(condvar)
            | Special::WakeOne(condvar)
            | Special::WakeAll(condvar) => Some(condvar),
        }
    }
}

impl Inner {
    /// Carries out what an operation of `thread` does beyond its accesses, the last of which was `last`.
    pub(super) fn carry_out_special(
        &mut self,
        thread: ThreadId,
        special: Special,
        choice: u32,
        last: usize,
        visits: &mut Vec<Visit>,
    ) {
        match special {
            Special::None => {}
            Special::Poison(lock) => self.object_mut(lock).poisoned = true,
            Special::Enqueue(condvar) => {
                // In the order of ids: which alternative of a notification wakes whom must not depend on the
                // order in which they came, which is not explored.
                let waiters = &mut self.object_mut(condvar).waiters;
                let position = waiters.partition_point(|&t| t < thread);
                waiters.insert(position, thread);
            }
            // The last access is the one that changes the condition variable.
            Special::Dequeue(condvar) if last > 0 => self.object_mut(condvar).waiters.retain(|&t| t != thread),
            Special::Dequeue(_) => {}
            Special::WakeOne(condvar) => {
                let waiters = &mut self.object_mut(condvar).waiters;
                if !waiters.is_empty() {
                    let woken = waiters.remove(choice as usize % waiters.len());
                    self.wake(woken, visits);
                }
            }
            Special::WakeAll(condvar) => {
                for woken in std::mem::take(&mut self.object_mut(condvar).waiters) {
                    self.wake(woken, visits);
                }
            }
        }
    }

    /// Gives a waiting thread its token.
    fn wake(&mut self, woken: ThreadId, visits: &mut Vec<Visit>) {
        let token = Named::Token(woken).location();
        let write = Access::new(token, Effect::Write(1));
        visits.push(Visit::carry_out(write, self.value(token)).0);
        self.set_value(token, 1);
    }
}
