//! Operations that commute, where an exploration assumes that threads have none in common: readers of a lock, attempts to
//! take it that fail, arrivals at a barrier, senders that come and go. Their orders are one execution under `optimal`, and many as execution graphs.

use super::detail::Detail;
use super::{Model, Pending};
use everyway_driver::Commuting;

impl Model {
    /// Ends the execution if what the running thread announces commutes with what another one does, and should not.
    #[inline]
    pub(super) fn meet_commuting(&self, pending: &Pending) {
        if self.settings.rules.commuting == Commuting::AssumedNone
            && pending.operation.accesses.iter().any(|access| access.may_commute(pending.label.verb))
        {
            self.note_commuting(pending);
        }
    }

    #[cold]
    fn note_commuting(&self, pending: &Pending) {
        let mut is_shared = false;
        {
            let mut state = self.state();
            let thread = state.running;
            let verb = pending.label.verb;
            for access in pending.operation.accesses.iter().filter(|access| access.may_commute(verb)) {
                is_shared |= *state.adders.entry(access.location).or_insert(thread) != thread;
            }
        }
        if is_shared {
            self.needs(Detail::Commuting);
        }
    }
}
