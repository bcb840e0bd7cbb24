//! The state of a machine as data, to be compared with others.

use super::{Machine, Phase, Thread};
use crate::program::REGISTERS;
use crate::spin::Outcome;
use everyway_runtime::ThreadId;

impl Machine {
    /// The values of shared locations, the waiting threads, and the messages.
    pub(crate) fn shared(&self) -> Vec<u64> {
        let waiters = self.waiters.iter().flat_map(|w| w.iter().map(|&thread| thread as u64).chain([u64::MAX]));
        let messages = self.mailboxes.iter().flat_map(|mailbox| {
            let sent = mailbox.sent.iter().flat_map(|sent| [sent.content, u64::from(sent.taken_by.is_some())]);
            sent.chain([u64::MAX])
        });
        let ended = self.ended.iter().map(|&ends| ends.into());
        self.values.iter().copied().chain(waiters).chain(messages).chain(ended).collect()
    }

    /// Where a thread is, and what its registers hold.
    pub(crate) fn local(&self, thread: ThreadId) -> Vec<u64> {
        let Thread { phase, position, registers, .. } = &self.threads[thread.index()];
        [*phase as u64, *position as u64].into_iter().chain(*registers).collect()
    }

    /// All that the future depends on but the state of one thread.
    pub(crate) fn without(&self, thread: ThreadId) -> Vec<u64> {
        let others = (0..self.threads.len()).map(ThreadId::new).filter(|&other| other != thread);
        others.flat_map(|other| self.local(other)).chain(self.shared()).collect()
    }

    /// All that the future depends on.
    pub(crate) fn whole_state(&self) -> Vec<u64> {
        let locals = (0..self.threads.len()).flat_map(|thread| self.local(ThreadId::new(thread)));
        locals.chain(self.shared()).collect()
    }

    /// What the execution comes to, given that no thread can move, or all that can spin for ever.
    pub(crate) fn outcome(&self) -> Outcome {
        let ended = |thread: &Thread| {
            let has_ended = matches!(thread.phase, Phase::Ended | Phase::Unborn);
            // The last register belongs to loops.
            has_ended.then(|| thread.registers[..REGISTERS - 1].to_vec())
        };
        Outcome { ended: self.threads.iter().map(ended).collect(), shared: self.shared() }
    }
}
