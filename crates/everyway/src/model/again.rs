//! Steps that are taken again, when an execution begins as the previous one did.
//!
//! The result of such a step is known: if its thread makes the same announcement and finds the same values, it leaves
//! the same values. So the step is not carried out anew. The steps that follow are known, too: a thread continues
//! without yielding as long as it takes these, in their order or in an equivalent one ([`super::turns`]).

use super::object::Named;
use super::program::{Logged, Program};
use super::races::Told;
use super::repetition::{DID_NOT_DO_AGAIN, Repetition};
use super::suspended::Announcement;
use super::thread::Thread;
use super::told::ToldStep;
use super::turns::Turn;
use super::{Ended, Inner, Label, Leaks, Model, Outcome, Settings};
use everyway_runtime::{Access, Bytes, Effect, EventId, Halt, Performed, Source, Step, ThreadId, Visit};
use std::{ptr, slice};

/// Steps of the current execution's log that are to be taken again.
#[derive(Debug)]
pub(super) struct Ahead {
    steps: *const Logged,
    /// Null if reads are not told their sources.
    told: *const ToldStep,
    /// The one that comes next, if they are taken in their order,
    next: usize,
    /// How many there are.
    end: usize,
    order: Order,
}

/// In which order steps are taken again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In that in which they were taken.
    Same,
    /// In one that is equivalent: a thread goes on for as long as it is its [turn](super::turns).
    Equivalent,
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
    pub(super) const NOTHING: Self =
        Self { steps: ptr::null(), told: ptr::null(), next: 0, end: 0, order: Order::Same };

    /// Whether the step at this position is one of them.
    #[inline]
    pub(super) fn contains(&self, position: usize) -> bool {
        position < self.end
    }

    /// The next one of a thread, if it may follow those that have been taken again, and its position.
    #[inline]
    fn following<'a>(&self, id: ThreadId, thread: &Thread) -> Option<(usize, Before<'a>)> {
        if self.end == 0 {
            return None;
        }
        let position = match thread.steps {
            0 => thread.first,
            // SAFETY: as long as there are steps ahead, the log has them, those that have been taken again included; and while
            // a thread runs, nothing is written to it.
            _ => unsafe { (*self.steps.add(thread.at as usize - 1)).next },
        };
        let position = position as usize;
        if position >= self.end || self.order == Order::Same && position != self.next {
            return None;
        }
        // SAFETY: as above, and so with what they did and were told.
        let before = unsafe {
            let logged = &*self.steps.add(position);
            let told = (!self.told.is_null()).then(|| slice::from_raw_parts(self.told, position + 1));
            Before { logged, told }
        };
        // One that failed has to fail again before any other is taken.
        (before.logged.step.thread == id && !before.logged.fails).then_some((position, before))
    }
}

impl Inner {
    /// Takes a step of `thread` again, if these are the accesses that it announces, and they do what they did before. What
    /// it synchronises with is for the caller to take note of.
    #[inline]
    fn repeat(
        &mut self,
        thread: ThreadId,
        (position, before): (usize, Before<'_>),
        accesses: &[Access],
        label: &Label,
    ) -> bool {
        let Before { logged, told } = before;
        let (known, visits) = (&logged.label, &logged.visits[..]);
        let is_same = ptr::eq(label.caller, known.caller) && label.verb == known.verb && label.object == known.object;
        if !is_same || !logged.repeated || self.rounds || accesses.len() < visits.len() {
            return false;
        }
        // Where an operation ends depends on nothing but its accesses, and what they find.
        match (visits, accesses) {
            // Mostly.
            ([visit], [access]) => {
                if !self.repeat_access(visit, access, logged.turns[0], told) {
                    return false;
                }
            }
            _ => {
                let mut pairs = visits.iter().zip(accesses).enumerate();
                let mut turns = visits.iter().zip(&logged.turns);
                if !turns.all(|(visit, &turn)| self.is_turn_of(visit, turn))
                    || !pairs.all(|(position, (visit, access))| self.finds_again(position, visit, access, told))
                {
                    return false;
                }
                for visit in visits {
                    self.leave(visit);
                    self.take_turn(visit);
                }
            }
        }
        let thread = self.thread(thread);
        thread.steps += 1;
        thread.at = position as u32 + 1;
        true
    }

    /// Does again what the only access of a step did, if it is what it was before, comes in its turn, and finds what it found.
    #[inline]
    fn repeat_access(&mut self, visit: &Visit, access: &Access, turn: Turn, told: Option<&[ToldStep]>) -> bool {
        let is_plain = access.bytes == Bytes::ALL && !visit.class.is_message();
        if let (true, Named::Object(index)) = (is_plain, Named::of(access.location)) {
            let object = &mut self.objects[index];
            let found = match told.map(|told| told.last().and_then(|step| step.sources.first())) {
                None => object.value,
                // What another step has left there, it left when this one found it first.
                Some(Some(Source::Event(_))) => visit.before,
                Some(_) => object.initial,
            };
            if *access != visit.access || found != visit.before || !object.turn.admits(turn, visit.class) {
                return false;
            }
            object.turn.pass(visit.class);
            if visit.class.changes() {
                object.value = visit.after;
            }
            return true;
        }
        if !self.is_turn_of(visit, turn) || !self.finds_again(0, visit, access, told) {
            return false;
        }
        self.leave(visit);
        self.take_turn(visit);
        true
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

    /// Whether `thread` has taken the step at `position`, which is one of its own.
    #[inline]
    fn has_taken(&mut self, thread: ThreadId, position: usize) -> bool {
        let Some(Thread { steps, at, .. }) = self.threads.get(thread.index()) else { return false };
        *steps > 0 && *at as usize > position
    }

    /// Whether the current step has left nothing to be looked at.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        self.begun == self.born.len() && self.is_quiet_but_for_births()
    }

    #[inline]
    fn is_quiet_but_for_births(&self) -> bool {
        self.ended.is_none() && self.extra.is_empty() && self.tracked.is_empty() && self.owed.is_empty()
    }

    /// Whether a thread that takes steps again may go on before anything is looked at. In an equivalent order, threads that it
    /// has spawned begin later.
    #[inline]
    fn may_go_on(&self) -> bool {
        self.is_quiet_but_for_births() && (self.begun == self.born.len() || self.ahead.order == Order::Equivalent)
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
    pub(super) fn go_on_again<'a>(
        &'a self,
        state: &mut Inner,
        accesses: &[Access],
        joins: Option<ThreadId>,
        label: &Label,
    ) -> Option<&'a Outcome> {
        let thread = state.running;
        let (position, before) = state.ahead.following(thread, &state.threads[thread.index()])?;
        // What is more than one access is for others to take note of.
        let is_noted = state.synchronisation && (before.told.is_some() || accesses.len() != 1);
        let waits = joins.is_some_and(|joined| !state.thread(joined).has_ended());
        if is_noted || waits || !state.may_go_on() || !self.has_quiet_memory() {
            return None;
        }
        if !state.repeat(thread, (position, before), accesses, label) {
            return None;
        }
        if state.synchronisation {
            before.logged.visits.iter().for_each(|visit| state.note_one(thread, label.verb, label.caller, visit));
        }
        state.ahead.next = position + 1;
        self.memory.at_step(position + 1);
        Some(&before.logged.outcome)
    }
}

impl Program<'_> {
    /// Goes back to the state after the first `depth` steps of the log.
    pub(super) fn go_back(&mut self, depth: usize) -> Result<(), Halt<Box<Ended>>> {
        if self.may_change_order(depth) {
            if self.run_again(depth, Order::Equivalent).is_ok() && self.elsewhere(depth).is_none() {
                return Ok(());
            }
            // Something that is not seen may connect the threads. In the same order, that need not show.
            self.is_fixed = true;
            self.finish();
        }
        self.run_again(depth, Order::Same)?;
        self.compare_announced(depth)
    }

    /// Whether the first `depth` steps can be taken again in another order. Not so if that is told by what is no access of a
    /// step: what synchronises, what is written through pointers, what has failed.
    fn may_change_order(&mut self, depth: usize) -> bool {
        let state = self.model.state();
        self.is_fixed |= !state.exposure.is_empty();
        let looks = state.synchronisation || state.rounds;
        drop(state);
        let Settings { repeats, leaks, .. } = self.model.settings;
        repeats
            && !self.is_fixed
            && !looks
            && leaks == Leaks::Nothing
            && !self.log[..depth].iter().any(|logged| logged.fails)
    }

    /// Runs the first `depth` steps of the log again.
    pub(super) fn run_again(&mut self, depth: usize, order: Order) -> Result<(), Halt<Box<Ended>>> {
        let mut result = self.start_again(depth, order);
        let mut performed = std::mem::take(&mut self.scratch);
        result = result.and_then(|()| self.take_again(depth, order, &mut performed));
        self.scratch = performed;
        self.model.state().ahead = Ahead::NOTHING;
        result
    }

    /// Runs the closure up to its first step, or, if steps may come in another order, as far as each thread gets.
    fn start_again(&mut self, depth: usize, order: Order) -> Result<(), Halt<Box<Ended>>> {
        if order == Order::Equivalent {
            self.model.state().ahead = self.ahead(0, depth, order);
        }
        // Those of the execution before.
        self.forget_failures();
        self.start()?;
        if order == Order::Equivalent {
            // There was nothing that failed.
            self.failed()?;
        }
        self.forget_failures();
        Ok(())
    }

    /// The steps from `next` on and before `end`.
    fn ahead(&self, next: usize, end: usize, order: Order) -> Ahead {
        let told = if self.told.len() < end { ptr::null() } else { self.told.as_ptr() };
        Ahead { steps: self.log.as_ptr(), told, next, end, order }
    }

    fn take_again(&mut self, depth: usize, order: Order, performed: &mut Performed) -> Result<(), Halt<Box<Ended>>> {
        for position in 0..depth {
            let step = self.log[position].step;
            if self.model.state().has_taken(step.thread, position) {
                continue;
            }
            // One that failed has to fail again before any other is taken.
            let is_alone = self.log[position].fails || !self.model.settings.repeats;
            let end = if is_alone { position + 1 } else { depth };
            performed.clear();
            let result = if self.repeat(position, self.ahead(position + 1, end, order)) {
                self.go_on_with(position, performed)
            } else {
                self.compare_again(position)?;
                self.carry_out_again(position, step, performed)
            };
            let last = self.model.state().thread(step.thread).at as usize - 1;
            let failed = self.log[last].fails;
            if (failed || result.is_err() || !self.failures.is_empty()) && !self.fails_again(result, failed) {
                let how = if failed { "does not fail that failed before" } else { "fails that did not fail before" };
                return Err(self.diverged(format!("a step {how}"), last));
            }
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
        if !state.repeat(thread, (position, before), &pending.operation.accesses, &pending.label) {
            return false;
        }
        if state.synchronisation {
            let told = self.told.get(position);
            let told = told.map(|step| Told { sources: &step.sources, event: EventId::new(position) });
            state.note_synchronisation(thread, pending, &logged.visits, told);
        }
        state.thread(thread).set_outcome(logged.outcome);
        drop(state);
        self.model.memory.at_step(position + 1);
        self.pulse.beat(pending.label.caller);
        self.can_run_out = false;
        true
    }

    /// Takes the step at `position`, which has been compared, again by carrying it out anew.
    #[inline(never)]
    fn carry_out_again(
        &mut self,
        position: usize,
        step: Step,
        performed: &mut Performed,
    ) -> Result<(), Halt<Box<Ended>>> {
        self.advance(position, step, performed)
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
