//! Steps that are taken again, when an execution begins as the one before it did.
//!
//! What such a step does is known: if its thread announces what it announced before, and finds what it found, it leaves what
//! it left. So it is not carried out anew. And whose turn it is next is known, too: a thread whose step comes after one of its
//! own goes on without giving way.

use super::program::{Logged, Program};
use super::races::Told;
use super::repetition::{DID_NOT_DO_AGAIN, Repetition};
use super::suspended::Announcement;
use super::told::ToldStep;
use super::{Ended, Inner, Label, Leaks, Model, Outcome};
use everyway_runtime::{Access, Effect, EventId, Halt, Performed, ThreadId, Visit};
use std::{ptr, slice};

/// Steps of the current execution's log that are to be taken again.
#[derive(Debug)]
pub(super) struct Ahead {
    steps: *const Logged,
    /// Null if reads are not told their sources.
    told: *const ToldStep,
    /// The one that comes next.
    next: usize,
    /// How many there are.
    end: usize,
}

/// A step, as it was taken before.
#[derive(Clone, Copy)]
struct Before<'a> {
    logged: &'a Logged,
    /// The steps before it and itself, if reads are told their sources.
    told: Option<&'a [ToldStep]>,
}

impl Ahead {
    /// There are none.
    pub(super) const NOTHING: Self = Self { steps: ptr::null(), told: ptr::null(), next: 0, end: 0 };

    /// Whether the step at this position is one of them.
    #[inline]
    pub(super) fn contains(&self, position: usize) -> bool {
        position < self.end
    }

    /// The next one, if it may follow the one before it at once, and this thread takes it.
    #[inline]
    fn following<'a>(&self, thread: ThreadId) -> Option<Before<'a>> {
        if self.next >= self.end {
            return None;
        }
        // SAFETY: as long as there are steps ahead, the log has them, and what they did and were told; and while a thread
        // runs, nothing is written to it.
        let before = unsafe {
            let logged = &*self.steps.add(self.next);
            let told = (!self.told.is_null()).then(|| slice::from_raw_parts(self.told, self.next + 1));
            Before { logged, told }
        };
        // One that failed has to fail again before any other is taken.
        (before.logged.step.thread == thread && !before.logged.fails).then_some(before)
    }
}

impl Inner {
    /// Takes a step of `thread` again, if these are the accesses that it announces, and they do what they did before. What
    /// it synchronises with is for the caller to take note of.
    #[inline]
    fn repeat(&mut self, thread: ThreadId, before: Before<'_>, accesses: &[Access], label: &Label) -> Option<Outcome> {
        let Before { logged, told } = before;
        let (known, visits) = (&logged.label, &logged.visits[..]);
        let is_same = ptr::eq(label.caller, known.caller) && label.verb == known.verb && label.object == known.object;
        if !is_same || !logged.repeated || self.rounds || accesses.len() < visits.len() {
            return None;
        }
        // Where an operation ends depends on nothing but its accesses, and what they find.
        match (visits, accesses) {
            // Mostly.
            ([visit], [access]) => {
                if !self.finds_again(0, visit, access, told) {
                    return None;
                }
                self.leave(visit);
            }
            _ => {
                let mut pairs = visits.iter().zip(accesses).enumerate();
                if !pairs.all(|(position, (visit, access))| self.finds_again(position, visit, access, told)) {
                    return None;
                }
                visits.iter().for_each(|visit| self.leave(visit));
            }
        }
        self.thread(thread).steps += 1;
        Some(logged.outcome)
    }

    /// Whether an access, the one at this position, is what it was before, and finds what it found.
    #[inline]
    fn finds_again(&self, position: usize, visit: &Visit, access: &Access, told: Option<&[ToldStep]>) -> bool {
        if *access != visit.access {
            return false;
        }
        let found = match (access.effect, told) {
            (Effect::Send(_), _) => return true,
            (_, None) => self.found(access),
            (_, Some(told)) => {
                let source = told.last().and_then(|step| step.sources.get(position));
                self.found_told(access, source, told)
            }
        };
        found == visit.before
    }

    /// Whether the current step has left nothing to be looked at.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        self.ended.is_none()
            && self.begun == self.born.len()
            && self.extra.is_empty()
            && self.tracked.is_empty()
            && self.owed.is_empty()
    }
}

impl Model {
    /// Whether nothing is the matter with the memory of the execution, as far as is known without looking.
    #[inline]
    pub(super) fn has_quiet_memory(&self) -> bool {
        self.settings.leaks != Leaks::Everything && !self.memory.has_double_free()
    }

    /// Takes the next step again, if it is this one of the running thread: these accesses, or a join.
    #[inline]
    pub(super) fn go_on_again(
        &self,
        state: &mut Inner,
        accesses: &[Access],
        joins: Option<ThreadId>,
        label: &Label,
    ) -> Option<Outcome> {
        let thread = state.running;
        let before = state.ahead.following(thread)?;
        // What is more than one access is for others to take note of.
        let is_noted = state.synchronisation && (before.told.is_some() || accesses.len() != 1);
        let waits = joins.is_some_and(|joined| !state.thread(joined).has_ended());
        if is_noted || waits || !state.is_quiet() || !self.has_quiet_memory() {
            return None;
        }
        let outcome = state.repeat(thread, before, accesses, label)?;
        if state.synchronisation {
            before.logged.visits.iter().for_each(|visit| state.note_one(thread, label.verb, label.caller, visit));
        }
        state.ahead.next += 1;
        self.memory.at_step(state.ahead.next);
        Some(outcome)
    }
}

impl Program<'_> {
    /// Runs the first `depth` steps of the log again.
    pub(super) fn run_again(&mut self, depth: usize) -> Result<(), Halt<Box<Ended>>> {
        self.start()?;
        self.forget_failures();
        let mut performed = std::mem::take(&mut self.scratch);
        let result = self.take_again(depth, &mut performed);
        self.model.state().ahead = Ahead::NOTHING;
        self.scratch = performed;
        result
    }

    fn take_again(&mut self, depth: usize, performed: &mut Performed) -> Result<(), Halt<Box<Ended>>> {
        let told = if self.told.len() < depth { ptr::null() } else { self.told.as_ptr() };
        let steps = self.log.as_ptr();
        let mut position = 0;
        while position < depth {
            // One that failed has to fail again before any other is taken.
            let is_alone = self.log[position].fails || !self.model.settings.repeats;
            let end = if is_alone { position + 1 } else { depth };
            let ahead = Ahead { steps, told, next: position + 1, end };
            performed.clear();
            let result = if self.repeat(position, ahead) {
                self.go_on_with(position, performed)
            } else {
                self.compare_again(position)?;
                self.advance(position, self.log[position].step, performed)
            };
            let last = self.model.state().ahead.next.max(position + 1) - 1;
            let failed = self.log[last].fails;
            if (failed || result.is_err() || !self.failures.is_empty()) && !self.fails_again(result, failed) {
                let how = if failed { "does not fail that failed before" } else { "fails that did not fail before" };
                return Err(self.diverged(format!("a step {how}"), last));
            }
            position = last + 1;
        }
        Ok(())
    }

    /// Takes the step at `position` again, if it is known what it does; its thread has not gone on then. Those that are
    /// ahead may be taken by the thread itself.
    #[inline]
    fn repeat(&mut self, position: usize, ahead: Ahead) -> bool {
        let logged = &self.log[position];
        let mut state = self.model.state();
        state.ahead = ahead;
        let thread = logged.step.thread;
        let Some(suspended) = self.threads.get(thread.index()) else { return false };
        let can_go = match suspended.status {
            Announcement::Ended | Announcement::Failed => false,
            Announcement::Ready => true,
            // Whether it waits at its accesses is told by what they find.
            Announcement::Waits => suspended.pending.waits_at_accesses() || state.can_go(&suspended.pending),
        };
        if !can_go || !self.model.settings.repeats {
            return false;
        }
        let pending = &*suspended.pending;
        let before = Before { logged, told: self.told.get(..=position) };
        let outcome = state.repeat(thread, before, &pending.operation.accesses, &pending.label);
        let Some(outcome) = outcome else { return false };
        if state.synchronisation {
            let told = self.told.get(position);
            let told = told.map(|step| Told { sources: &step.sources, event: EventId::new(position) });
            state.note_synchronisation(thread, pending, &logged.visits, told);
        }
        state.thread(thread).set_outcome(outcome);
        drop(state);
        self.model.memory.at_step(position + 1);
        self.pulse.beat(pending.label.caller);
        self.can_run_out = false;
        true
    }

    /// Compares the step that is about to be taken again with what it was.
    fn compare_again(&self, position: usize) -> Result<(), Halt<Box<Ended>>> {
        match self.compare(position) {
            Repetition::Same => Ok(()),
            Repetition::Differs => Err(self.diverged(DID_NOT_DO_AGAIN.to_owned(), position)),
            Repetition::Waits => Err(self.diverged("a thread waits where it did not wait before".to_owned(), position)),
        }
    }
}
