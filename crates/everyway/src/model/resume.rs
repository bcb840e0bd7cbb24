//! Running threads up to the point where each announces its next operation.

use super::coroutine::Resumed;
use super::program::Program;
use super::rounds::Hint;
use super::suspended::Announcement;
use super::thread::Life;
use super::trial::AtHint;
use super::{Ended, crash};
use everyway_runtime::{Halt, ThreadId};

/// A thread went round a loop on trial, and did not come back: the execution has to be run again.
pub(super) struct Astray;

impl Program<'_> {
    /// Lets `thread` go on until it gives way.
    ///
    /// Inlined, as are its callers: each return after a switch goes to where the processor does not expect it.
    #[inline(always)]
    pub(super) fn resume_once(&mut self, thread: ThreadId) -> Resumed {
        crash::enter(&raw const *self);
        let suspended = &mut self.threads[thread.index()];
        let coroutine = suspended.coroutine.as_mut().expect("a thread that has not ended");
        self.pulse.runs(Some(thread));
        let resumed = self.model.enter(thread, || coroutine.resume());
        self.pulse.runs(None);
        crash::leave();
        if resumed == Resumed::Ended {
            suspended.rest(&mut self.stacks);
            suspended.status = Announcement::Ended;
            self.alive.remove(thread);
        }
        resumed
    }

    /// Lets `thread` go on until it has announced its next operation; whether that has left nothing to be looked at in the
    /// state.
    #[inline(always)]
    pub(super) fn resume(&mut self, thread: ThreadId) -> Result<bool, Astray> {
        if self.resume_once(thread) == Resumed::GaveWay
            && let Some(hint) = self.take_over(thread)
        {
            return self.resume_at(thread, hint);
        }
        Ok(self.model.state().is_quiet())
    }

    /// Takes over what `thread` has announced, if it has not come to a hint.
    #[inline(always)]
    fn take_over(&mut self, thread: ThreadId) -> Option<Hint> {
        let mut state = self.model.state();
        let (running, suspended) = (state.thread(thread), &mut self.threads[thread.index()]);
        std::mem::swap(&mut suspended.pending, &mut running.pending);
        let hint = running.hint.take();
        if hint.is_none() {
            suspended.has_announced();
        }
        hint
    }

    /// [`Program::resume`] of a thread that has come to a hint.
    #[cold]
    fn resume_at(&mut self, thread: ThreadId, mut hint: Hint) -> Result<bool, Astray> {
        loop {
            match self.at_hint(thread, hint) {
                AtHint::GoOn if self.model.state().ended.is_none() => {}
                AtHint::GoOn => break,
                AtHint::Wait(pending) => {
                    self.threads[thread.index()].pending = pending;
                    break;
                }
                AtHint::Astray => return Err(Astray),
            }
            if self.resume_once(thread) == Resumed::Ended {
                return Ok(self.model.state().is_quiet());
            }
            match self.take_over(thread) {
                Some(next) => hint = next,
                None => return Ok(self.model.state().is_quiet()),
            }
        }
        self.threads[thread.index()].has_announced();
        Ok(self.model.state().is_quiet())
    }

    /// Runs every thread that has been spawned up to its first visible operation.
    pub(super) fn run_newborn(&mut self, spawned: &mut Vec<ThreadId>) -> Result<Result<(), Halt<Box<Ended>>>, Astray> {
        loop {
            let mut state = self.model.state();
            if let Some(ended) = state.ended.take() {
                let thread = state.running;
                drop(state);
                if let Err(halt) = self.fail(Some(thread), ended) {
                    return Ok(Err(halt));
                }
                continue;
            }
            let Some(&thread) = state.born.get(state.begun) else { return Ok(Ok(())) };
            state.begun += 1;
            self.model.memory.at_step(state.thread(thread).at as usize);
            let is_unborn = matches!(state.thread(thread).life, Life::Unborn(_));
            drop(state);
            if is_unborn {
                self.suspend_newborn(thread);
            }
            spawned.push(thread);
            self.resume(thread)?;
        }
    }
}
