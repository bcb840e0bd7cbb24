//! A closure as a program that the engine explores. It rewinds by running again from the start.

use super::again::Order;
use super::carry_out::Finding;
use super::coroutine::Stacks;
use super::detail::Detail;
use super::races::Told;
use super::resume::Astray;
use super::run_out::RunningOut;
use super::suspended::{Announcement, Suspended};
use super::thread::NONE;
use super::told::ToldStep;
use super::trial::Trials;
use super::turns::Turn;
use super::watchdog::Pulse;
use super::wording::Leftovers;
use super::{Ended, Label, MAIN, Model, Outcome, Pending};
use everyway_runtime::{Class, EventId, Halt, ModificationOrders, Performed, Step, ThreadId, ThreadSet, Visit};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// A step that was taken, for people to read and to be compared when it is taken again.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    pub(crate) step: Step,
    pub(crate) label: Label,
    /// What its thread was told of it.
    pub(super) outcome: Outcome,
    /// What its accesses did, and what came with them.
    pub(super) visits: SmallVec<[Visit; 1]>,
    /// Whether there are any; otherwise all came with it.
    has_accesses: bool,
    /// Whether it is known by this what it does when it is taken again: it is nothing but its accesses.
    pub(super) repeated: bool,
    /// Whether something failed in it, and the execution went on.
    pub(super) fails: bool,
    /// The turns of the visits.
    pub(super) turns: SmallVec<[Turn; 1]>,
    /// The position of the next step of its thread, once that has been taken.
    pub(super) next: u32,
}

impl Logged {
    /// A step that has not been taken.
    pub(super) fn announced(step: Step, label: Label) -> Self {
        Self {
            step,
            label,
            outcome: Outcome::default(),
            visits: SmallVec::new(),
            has_accesses: false,
            repeated: false,
            fails: false,
            turns: SmallVec::new(),
            next: NONE,
        }
    }

    /// A step that has just been taken.
    #[inline(always)]
    fn taken(step: Step, pending: &Pending, outcome: Outcome, visits: &[Visit], turns: SmallVec<[Turn; 1]>) -> Self {
        let visits = match *visits {
            // Mostly.
            [visit] => SmallVec::from_buf([visit]),
            _ => SmallVec::from_slice(visits),
        };
        Self {
            step,
            label: pending.label,
            outcome,
            visits,
            has_accesses: !pending.operation.accesses.is_empty(),
            repeated: pending.is_only_accesses(),
            fails: false,
            turns,
            next: NONE,
        }
    }

    /// What the access did that ended the operation, if it had any.
    pub(crate) fn ended_by(&self) -> Option<&Visit> {
        self.visits.get(self.last()).filter(|_| self.has_accesses)
    }

    /// The position of that one among the accesses.
    pub(crate) fn last(&self) -> usize {
        self.outcome.last as usize
    }
}

/// A closure under exploration.
pub(crate) struct Program<'f> {
    /// Shared with the threads, which use it while this is borrowed mutably: it must not be part of this.
    pub(super) model: Rc<Model>,
    pub(super) body: &'f dyn Fn(),
    pub(super) stacks: Stacks,
    pub(super) pulse: Arc<Pulse>,
    pub(super) log: Vec<Logged>,
    /// The steps of the execution before this one from where this one branched off,
    pub(super) before: Vec<Logged>,
    /// which was after so many steps.
    pub(super) branched_at: usize,
    /// Beside the log; empty if reads are not told their sources.
    pub(super) told: Vec<ToldStep>,
    /// The order of the writes, once it is known.
    pub(super) orders: Option<ModificationOrders>,
    /// By thread.
    pub(super) threads: Vec<Suspended>,
    /// The threads that have not ended.
    pub(super) alive: ThreadSet,
    /// Those whose announcements have been compared with what they were.
    pub(super) compared: ThreadSet,
    pub(super) trials: Trials,
    pub(super) scratch: Performed,
    pub(super) leftovers: Leftovers,
    /// What ended the program before any thread did something that others could notice, until the engine is told.
    pub(super) at_start: Option<Box<Ended>>,
    /// Failures that the execution goes on after, until the engine is told.
    pub(super) failures: VecDeque<Box<Ended>>,
    /// Whether the execution has ended for a reason that the program need not know of: it can go on to its end.
    pub(super) can_run_out: bool,
    /// Whether steps are taken again in the order in which they were taken.
    pub(super) is_fixed: bool,
}

/// After so many steps each, a look is taken at whether a thread is in a loop without a hint,
const LOOP_LOOK_OUT: usize = 64;

/// which it may be when so many of its steps were reads.
const READS_IN_VAIN: usize = 48;

/// What cannot be done where reads are told their sources.
const UNWINDS: &str = "what is done while a panic unwinds, after a step";

impl<'f> Program<'f> {
    /// The program in its initial state.
    pub(crate) fn new(model: Model, body: &'f dyn Fn()) -> Self {
        let stacks = Stacks::new(model.settings.stack_size, model.has(Detail::Rounds));
        let mut program = Self {
            model: Rc::new(model),
            body,
            stacks,
            pulse: Pulse::current(),
            log: Vec::new(),
            before: Vec::new(),
            branched_at: 0,
            told: Vec::new(),
            orders: None,
            threads: Vec::new(),
            alive: ThreadSet::default(),
            compared: ThreadSet::default(),
            trials: Trials::default(),
            scratch: Performed::default(),
            leftovers: Leftovers::default(),
            at_start: None,
            failures: VecDeque::new(),
            can_run_out: false,
            is_fixed: false,
        };
        if let Err(Halt::Failure(ended) | Halt::Diverged(ended)) = program.start() {
            program.can_run_out = ended.is_found_right();
            program.at_start = Some(ended);
        }
        program.is_fixed = program.at_start.is_some() || !program.failures.is_empty();
        program
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// What was never received, in all executions; to be asked for when they have been explored.
    pub(crate) fn leftovers(&mut self) -> &Leftovers {
        self.look_for_leftovers();
        &self.leftovers
    }

    pub(super) fn look_for_leftovers(&mut self) {
        let mut leftovers = std::mem::take(&mut self.leftovers);
        self.find_leftovers(&mut leftovers);
        self.leftovers = leftovers;
    }

    /// The steps of the current execution.
    pub(crate) fn log(&self) -> &[Logged] {
        &self.log
    }

    /// Runs the closure up to its first visible operation.
    pub(super) fn start(&mut self) -> Result<(), Halt<Box<Ended>>> {
        let epoch = self.model.memory.number();
        self.model.state().reset(epoch);
        self.model.memory.begin(epoch);
        for thread in &mut self.threads {
            thread.status = Announcement::Ended;
        }
        self.alive.clear();
        let body: *const dyn Fn() = self.body;
        // SAFETY: the closure outlives the program, and its coroutine is gone before the program is.
        let run: Box<dyn FnOnce() + '_> = Box::new(move || unsafe { (*body)() });
        // SAFETY: as above; only the lifetime is changed.
        let run: Box<dyn FnOnce()> = unsafe { std::mem::transmute(run) };
        self.model.spawn_main(run);
        let mut spawned = std::mem::take(&mut self.scratch.spawned);
        let result = self.run_newborn(&mut spawned);
        debug_assert!(result.is_ok(), "a thread that has done nothing yet knows no values to go round on trial with");
        let result = result.unwrap_or(Ok(()));
        self.scratch.spawned = spawned;
        // What was done before the first step is the initial state.
        self.model.state().extra.clear();
        // A closure without any step may have left something behind, too.
        result.and_then(|()| self.check_memory())
    }

    /// Takes a step, and logs it as the one at `depth`.
    #[inline(always)]
    pub(super) fn advance(
        &mut self,
        depth: usize,
        step: Step,
        performed: &mut Performed,
    ) -> Result<(), Halt<Box<Ended>>> {
        loop {
            match self.try_to_advance(depth, step, performed) {
                Ok(result) => {
                    self.can_run_out = matches!(&result, Err(Halt::Failure(ended)) if ended.is_found_right());
                    return result;
                }
                Err(Astray) => {
                    performed.clear();
                    self.finish();
                    self.run_again(depth, Order::Same)?;
                }
            }
        }
    }

    #[inline(always)]
    fn try_to_advance(
        &mut self,
        depth: usize,
        step: Step,
        performed: &mut Performed,
    ) -> Result<Result<(), Halt<Box<Ended>>>, Astray> {
        self.trials.begin_step(depth);
        self.model.memory.at_step(depth + 1);
        let values = if self.told.is_empty() { SmallVec::new() } else { self.values(depth, step.thread) };
        let pending = &*self.threads[step.thread.index()].pending;
        self.pulse.beat(pending.label.caller);
        let mut state = self.model.state();
        let told = self.told.get(depth).map(|ToldStep { sources, .. }| Told { sources, event: EventId::new(depth) });
        let finding = told.map(|told| Finding { told, values: &values });
        let outcome = state.carry_out(step.thread, pending, step.choice, &mut performed.visits, finding);
        // A step that is taken again, and has not failed, has been looked at.
        let looks = self.log.get(depth).is_none_or(|logged| logged.fails);
        let dangles = if looks { state.dangles(step.thread, pending) } else { None };
        let turns = match &performed.visits[..] {
            // Mostly.
            [visit] => SmallVec::from_buf([state.take_turn(visit)]),
            visits => visits.iter().map(|visit| state.take_turn(visit)).collect(),
        };
        let thread = state.thread(step.thread);
        thread.set_outcome(outcome);
        let previous = (thread.steps > 0).then(|| thread.at as usize - 1);
        thread.steps += 1;
        thread.at = depth as u32 + 1;
        // What is taken again does what is logged: it has been compared.
        if self.log.len() == depth {
            match previous {
                None => thread.first = depth as u32,
                Some(previous) => self.log[previous].next = depth as u32,
            }
            self.log.push(Logged::taken(step, pending, outcome, &performed.visits, turns));
        }
        drop(state);
        if depth % LOOP_LOOK_OUT == LOOP_LOOK_OUT - 1 && !self.model.has(Detail::Rounds) && self.reads_in_vain(depth) {
            return Ok(Err(Halt::Failure(Box::new(Ended::Wants(Detail::Rounds)))));
        }
        if let Some(told) = self.told.get_mut(depth) {
            told.left.clear();
            // It may have read other bytes of a location that it wrote to.
            let written = performed.visits.iter().filter(|visit| visit.class.changes());
            told.left.extend(written.map(|visit| (visit.access.location, visit.after)));
        }
        let is_quiet = match dangles {
            None => self.resume(step.thread)?,
            Some(failure) => {
                if let Err(halt) = self.fail(Some(step.thread), Box::new(Ended::Failed(failure))) {
                    return Ok(Err(halt));
                }
                false
            }
        };
        let result = self.look_at_step(depth, is_quiet, performed)?;
        if !self.model.state().ahead.contains(depth) {
            self.log[depth].fails = result.is_err();
        }
        Ok(result)
    }

    /// Lets the thread go on whose step at `depth` has been taken again.
    pub(super) fn go_on_with(&mut self, depth: usize, performed: &mut Performed) -> Result<(), Halt<Box<Ended>>> {
        let thread = self.log[depth].step.thread;
        let result = self.resume(thread).and_then(|is_quiet| self.look_at_step(depth, is_quiet, performed));
        debug_assert!(result.is_ok(), "only a thread that comes to hints goes astray");
        result.unwrap_or(Ok(()))
    }

    /// The thread that takes the step at `depth` has gone on: lets those begin that it has spawned, and looks at what
    /// else came of it, unless there is nothing to be looked at in the state.
    #[inline]
    fn look_at_step(
        &mut self,
        depth: usize,
        is_quiet: bool,
        performed: &mut Performed,
    ) -> Result<Result<(), Halt<Box<Ended>>>, Astray> {
        // Mostly.
        if is_quiet && self.model.has_quiet_memory() && self.failures.is_empty() {
            return Ok(Ok(()));
        }
        self.look_closely_at_step(depth, performed)
    }

    #[inline(never)]
    fn look_closely_at_step(
        &mut self,
        depth: usize,
        performed: &mut Performed,
    ) -> Result<Result<(), Halt<Box<Ended>>>, Astray> {
        let mut result = self.run_newborn(&mut performed.spawned)?;
        result = result.and_then(|()| self.check_memory());
        let mut state = self.model.state();
        if self.told.len() > depth && result.is_ok() && state.extra.iter().any(|visit| visit.class.changes()) {
            // No read could be told of it.
            result = Err(Halt::Failure(Box::new(Ended::Refused(UNWINDS, self.log[depth].label.caller))));
        }
        if !state.extra.is_empty() {
            state.extra.drain(..).for_each(|visit| add_visit(&mut performed.visits, visit));
        }
        drop(state);
        Ok(result.and_then(|()| self.failed()))
    }

    /// Whether the thread that takes the step at `depth` has only read, and found the same, for so long that it may be in
    /// a loop without a hint.
    fn reads_in_vain(&self, depth: usize) -> bool {
        let thread = self.log[depth].step.thread;
        let mut steps = self.log[..=depth].iter().rev().filter(|logged| logged.step.thread == thread);
        let mut reads = steps.by_ref().take(READS_IN_VAIN).filter_map(|logged| {
            let visit = logged.ended_by().filter(|visit| visit.before == visit.after);
            visit.map(|visit| (logged.label.caller, visit.before))
        });
        let Some(last) = reads.next() else { return false };
        let reads: Vec<_> = reads.collect();
        reads.len() == READS_IN_VAIN - 1 && reads.iter().filter(|&&read| read == last).count() >= READS_IN_VAIN / 8
    }

    /// Carries out what `thread` has announced, in an execution that is given up.
    pub(super) fn carry_out_unseen(&mut self, thread: ThreadId, performed: &mut Performed) {
        let pending = &*self.threads[thread.index()].pending;
        let mut state = self.model.state();
        let outcome = state.carry_out(thread, pending, 0, &mut performed.visits, None);
        state.thread(thread).set_outcome(outcome);
    }

    /// Lets `thread` go on, and those that it spawns begin, in an execution that is given up.
    pub(super) fn go_on(&mut self, thread: ThreadId, performed: &mut Performed) -> RunningOut {
        let result = self.resume(thread).and_then(|_| self.run_newborn(&mut performed.spawned));
        self.model.state().extra.clear();
        match result {
            Ok(Err(Halt::Failure(ended))) if ended.is_failure() => RunningOut::Fails,
            Ok(_) => RunningOut::GoesOn,
            Err(Astray) => RunningOut::Stuck,
        }
    }

    /// Ends the current execution: threads that are suspended run to their ends, or are unwound if they cannot.
    pub(super) fn finish(&mut self) {
        let are_some_left = self.threads.iter().any(|thread| thread.coroutine.is_some());
        if are_some_left {
            match self.run_out() {
                RunningOut::Fails => self.abandon_all(),
                RunningOut::GoesOn | RunningOut::Stuck => self.abandon_failed(),
            }
        }
        let mut state = self.model.state();
        state.tearing_down = true;
        if !are_some_left && state.begun == state.born.len() {
            // Mostly: all have ended.
            state.born.clear();
        }
        // Children first: they may borrow from their parents' stacks.
        while let Some(thread) = state.born.pop() {
            if let Some(unborn) = state.thread(thread).take_unborn() {
                drop(state);
                self.model.enter(thread, || drop_quietly(unborn));
            } else if let Some(suspended) = self.threads.get_mut(thread.index())
                && let Some(coroutine) = &mut suspended.coroutine
            {
                drop(state);
                self.model.enter(thread, || coroutine.tear_down());
                suspended.rest(&mut self.stacks);
            } else {
                continue;
            }
            state = self.model.state();
        }
        drop(state);
        self.drop_statics();
    }

    /// Drops what the statics of the execution hold.
    pub(super) fn drop_statics(&self) {
        let mut copies = std::mem::take(&mut self.model.state().copies);
        self.model.enter(MAIN, || copies.drop_all(|contents| drop_quietly(contents)));
        let mut state = self.model.state();
        // What came into being by dropping the others.
        state.copies.leak();
        state.copies = copies;
    }

    /// What `thread` has announced, unless it has ended or does not exist.
    pub(crate) fn pending(&self, thread: ThreadId) -> Option<&Pending> {
        let thread = self.threads.get(thread.index())?;
        (!matches!(thread.status, Announcement::Ended | Announcement::Failed)).then_some(&thread.pending)
    }
}

/// Drops something of an execution that is over. What goes wrong in that is not reported.
fn drop_quietly<T>(value: T) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
}

/// Adds something that a step did besides its operation: the engine wants each location once, mailboxes apart.
fn add_visit(visits: &mut Vec<Visit>, visit: Visit) {
    let is_message = |visit: &Visit| matches!(visit.class, Class::Send(_) | Class::Receive { .. } | Class::Miss { .. });
    let same = |known: &&mut Visit| known.access.location == visit.access.location && !is_message(&visit);
    let Some(known) = visits.iter_mut().find(same) else {
        visits.push(visit);
        return;
    };
    if (known.class, visit.class) != (Class::Read, Class::Read) {
        known.class = Class::Write;
    }
    known.after = visit.after;
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        self.finish();
        self.threads.iter_mut().for_each(|thread| thread.give_back(&mut self.stacks));
        self.model.state().reset(0);
    }
}
