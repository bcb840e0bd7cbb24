//! Operations that commute, where an exploration assumes that threads have none in common.

use crate::failure::Failure;
use crate::machine::Machine;
use everyway_driver::Commuting;
use everyway_runtime::{ThreadId, Verb};

impl Machine {
    /// Ends the execution if what a thread has announced commutes with what another one has, and should not.
    #[inline]
    pub(crate) fn meet_commuting(&mut self, thread: ThreadId) {
        let verb = self.threads[thread].operation.verb;
        let is_add = matches!(verb, Verb::FetchAdd | Verb::FetchSub);
        if self.assumes_nothing_commutes() && (is_add || !verb.is_memory_access()) {
            self.note_commuting(thread);
        }
    }

    fn note_commuting(&mut self, thread: ThreadId) {
        let operation = &self.threads[thread].operation;
        let commuting = operation.accesses.iter().filter(|access| access.may_commute(operation.verb));
        let locations = commuting.map(|access| access.location.index());
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
