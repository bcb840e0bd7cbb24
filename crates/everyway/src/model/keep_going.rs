//! Continuing after a failure (`Builder::keep_going`).
//!
//! A thread that fails does not continue, and a thread that joins it waits; the others continue, so that everything that can be
//! the first failure of an execution is found. When such an execution is over, the thread is abandoned where it stands, and what
//! it owns is leaked.

use super::program::Program;
use super::suspended::Announcement;
use super::{Ended, Pending, Waiting};
use everyway_report::BugKind;
use everyway_runtime::{Halt, ThreadId};

impl Ended {
    /// Whether the other threads can go on: nothing but the program has failed.
    pub(crate) fn can_go_on(&self) -> bool {
        matches!(self, Ended::Failed(failure)
            if !matches!(failure.kind, BugKind::Nondeterminism | BugKind::Unsupported | BugKind::Misuse))
    }
}

impl Program<'_> {
    /// `thread` has failed, or the execution as a whole; ends the execution unless it is to go on.
    ///
    /// # Errors
    /// The failure, if the execution ends with it.
    pub(super) fn fail(&mut self, thread: Option<ThreadId>, ended: Box<Ended>) -> Result<(), Halt<Box<Ended>>> {
        if !self.model.settings.keeps_going || !ended.can_go_on() {
            return Err(Halt::Failure(ended));
        }
        if let Some(thread) = thread {
            let mut state = self.model.state();
            state.stopped = None;
            state.thread(thread).has_failed = true;
            drop(state);
            let suspended = &mut self.threads[thread.index()];
            suspended.status = Announcement::Failed;
            // Nothing that others do lets it go on.
            *suspended.pending = Pending::nothing().waiting(Waiting::Assumption);
            self.alive.insert(thread);
        }
        self.failures.push_back(ended);
        Ok(())
    }

    /// What is wrong with the memory of the execution after a step, or at its start.
    ///
    /// # Errors
    /// The failure, if the execution ends with it.
    pub(super) fn check_memory(&mut self) -> Result<(), Halt<Box<Ended>>> {
        let Some(ended) = self.look_at_memory() else { return Ok(()) };
        let thread = match &ended {
            Ended::Failed(failure) => failure.thread,
            _ => None,
        };
        self.fail(thread, Box::new(ended))
    }

    /// The first failure of the last step, if there was one; the engine asks for the others.
    pub(super) fn failed(&mut self) -> Result<(), Halt<Box<Ended>>> {
        self.failures.pop_front().map_or(Ok(()), |first| Err(Halt::Failure(first)))
    }

    /// Runs the step at `depth` again, and has it fail if it failed before. Whether it did the same.
    pub(super) fn fails_again(&mut self, result: Result<(), Halt<Box<Ended>>>, failed: bool) -> bool {
        self.forget_failures();
        match result {
            Ok(()) => !failed,
            Err(Halt::Failure(_)) => failed,
            Err(Halt::Diverged(_)) => false,
        }
    }

    /// Of which there are mostly none.
    #[inline]
    pub(super) fn forget_failures(&mut self) {
        if !self.failures.is_empty() {
            self.failures.clear();
        }
    }

    /// Gets rid of the threads that have failed, without running anything of them.
    pub(super) fn abandon_failed(&mut self) {
        let failed = self.threads.iter_mut().filter(|thread| thread.status == Announcement::Failed);
        let coroutines: Vec<_> = failed.filter_map(|thread| thread.coroutine.take()).collect();
        if coroutines.is_empty() {
            return;
        }
        self.model.memory.burn();
        let mut state = self.model.state();
        state.threads.iter_mut().filter(|thread| thread.has_failed).for_each(super::thread::Thread::leak);
        drop(state);
        coroutines.into_iter().for_each(|coroutine| self.stacks.give_back(*coroutine));
    }
}
