//! Operations that commute, where an exploration assumes that threads have none in common.

use crate::failure::Failure;
use crate::machine::Machine;
use everyway_driver::Commuting;
use everyway_runtime::{Effect, ThreadId, Verb};

impl Machine {
    /// Ends the execution if what a thread has announced commutes with what another one has, and should not. Waits on
    /// condition variables add, too, but never without a lock that orders them.
    #[inline]
    pub(crate) fn meet_commuting(&mut self, thread: ThreadId) {
        use Verb::{FetchAdd, FetchSub, ReadLock, SemPost, TimedReadLock, TryReadLock};
        let verb = self.threads[thread].operation.verb;
        if self.assumes_nothing_commutes()
            && matches!(verb, FetchAdd | FetchSub | ReadLock | SemPost | TimedReadLock | TryReadLock)
        {
            self.note_commuting(thread);
        }
    }

    fn note_commuting(&mut self, thread: ThreadId) {
        let accesses = &self.threads[thread].operation.accesses;
        let adds = accesses.iter().filter(|access| matches!(access.effect, Effect::Add(_)));
        let locations = adds.map(|access| access.location.index());
        let first = &mut self.first_commuting;
        let mut is_shared = false;
        for location in locations {
            if first.len() <= location {
                first.resize(location + 1, None);
            }
            is_shared |= *first[location].get_or_insert(thread) != thread;
        }
        if is_shared {
            let failure = self.refute_commuting();
            self.failures.push(failure);
        }
    }

    /// Whether it is assumed that nothing commutes.
    pub(crate) fn assumes_nothing_commutes(&self) -> bool {
        self.settings.rules.commuting == Commuting::AssumedNone
    }

    /// Threads have operations in common that commute.
    pub(crate) fn refute_commuting(&mut self) -> Failure {
        self.has_commuting = true;
        Failure::unsupported("operations that commute, where there should be none")
    }
}
