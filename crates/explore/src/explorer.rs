//! The main loop: run an execution, learn from it, go back, until nothing is left.

mod outcome;
mod watcher;

pub use outcome::{Counts, Cut, End, Ending, Limits};
pub use watcher::{AfterFailure, Progress, Watcher};

use crate::budget::Budget;
use crate::frontier::{Exchange, Left, Subtree};
use crate::strategies::{Choice, Continue, Strategy, Unsupported};
use crate::trace::Trace;
use crate::verify::{self, Verification};
use everyway_runtime::{Execution, Halt, Performed, State, Status, Step, ThreadId, blocked, ready};
use std::ops::ControlFlow;
use std::sync::Arc;
use watcher::{Failing, First};

/// After so many further steps each, it is looked at how many of an execution count.
const LOOK_AT_LENGTH: usize = 512;

/// Explores a program.
pub struct Explorer<'a, X: Execution> {
    program: &'a mut X,
    strategy: &'a mut dyn Strategy,
    limits: Limits,
    trace: Trace,
    performed: Performed,
    failures: Vec<Failing>,
    counts: Counts,
    budget: Budget,
    verification: Verification,
    /// Whether what happens before what is found out step by step.
    in_order: bool,
    /// Whether it is found out for those that are shown an execution.
    shows_order: bool,
    exchange: Option<&'a mut dyn Exchange>,
    /// Whether the watcher has had enough.
    interrupted: bool,
    /// Whether there is something that the strategy has not explored.
    has_left: bool,
}

impl<'a, X: Execution> Explorer<'a, X> {
    /// An exploration of `program`, which is in its initial state.
    pub fn new(program: &'a mut X, strategy: &'a mut dyn Strategy, limits: Limits) -> Self {
        let in_order = strategy.needs_order();
        let budget = Budget::new(limits.time, Arc::clone(&limits.cancelled));
        Self {
            program,
            strategy,
            limits,
            trace: Trace::new(),
            performed: Performed::default(),
            failures: Vec::new(),
            counts: Counts::default(),
            budget,
            verification: Verification::Off,
            in_order,
            shows_order: false,
            exchange: None,
            interrupted: false,
            has_left: true,
        }
    }

    /// The same exploration, of which every execution is shown with what happens before what in it, and in which order
    /// its writes took effect. Those that fail are anyway.
    pub fn with_order(self) -> Self {
        Self { shows_order: true, ..self }
    }

    /// The same exploration with its invariants checked, or not.
    pub fn verified(self, verification: Verification) -> Self {
        let in_order = verification == Verification::Full || self.strategy.needs_order();
        Self { verification, in_order, ..self }
    }

    /// The same exploration of the subtrees that `exchange` has, and of nothing else.
    pub fn shared_with(self, exchange: &'a mut dyn Exchange) -> Self {
        Self { exchange: Some(exchange), ..self }
    }

    /// What is left to explore after [`Explorer::run`], if it was stopped by a limit; none if the strategy cannot tell.
    pub fn left(&self) -> Option<Vec<Subtree>> {
        if self.has_left { self.strategy.frontier(self.program) } else { Some(Vec::new()) }
    }

    /// The current execution; after [`Explorer::run`], the last one.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The program, in the state that the current execution leads to.
    pub fn program(&self) -> &X {
        self.program
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Explores all executions, as far as the limits and `observe` allow, up to the first failure; `observe` is
    /// shown every execution.
    pub fn run(&mut self, observe: impl FnMut(&Progress<'_>) -> ControlFlow<()>) -> End<X::Failure> {
        self.run_watched(&mut First(observe))
    }

    /// Explores all executions, as far as the limits and `watcher` allow.
    pub fn run_watched(&mut self, watcher: &mut dyn Watcher<X>) -> End<X::Failure> {
        let end = self.explore(watcher).map_or_else(|end| end, |()| End::Finished);
        self.trace.put_in_order(self.program);
        end
    }

    fn explore(&mut self, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.further_failures(watcher)?;
        if self.exchange.is_some() && !self.next_subtree(watcher)? {
            return Ok(());
        }
        loop {
            if let Some(ending) = self.execute(watcher)? {
                self.finish(ending, watcher)?;
            }
            let depth = match self.strategy.backtrack(&self.trace, self.program) {
                Continue::From(depth) => depth,
                Continue::StartOver => {
                    self.counts = Counts::default();
                    watcher.started_over();
                    0
                }
                Continue::Finished if self.next_subtree(watcher)? => 0,
                Continue::Finished => return Ok(()),
            };
            self.meet(watcher)?;
            if let Some(cut) = self.exhausted() {
                return Err(End::Stopped(cut));
            }
            self.go_back(depth)?;
        }
    }

    /// Has the strategy go on with the next subtree, when it has nothing left; whether there is one.
    fn next_subtree(&mut self, watcher: &mut dyn Watcher<X>) -> Result<bool, End<X::Failure>> {
        self.has_left = false;
        if self.interrupted {
            return Err(End::Stopped(Cut::Interrupted));
        }
        let Some(exchange) = &mut self.exchange else { return Ok(false) };
        watcher.between(self.program);
        let Some(subtree) = exchange.take(self.counts) else { return Ok(false) };
        self.has_left = true;
        self.strategy.adopt(subtree).map_err(|unsupported| End::Stopped(Cut::Unsupported(unsupported)))?;
        self.meet(watcher)?;
        Ok(true)
    }

    /// Looks up from the work, between two executions.
    fn meet(&mut self, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        if self.interrupted {
            return Err(End::Stopped(Cut::Interrupted));
        }
        let Self { exchange: Some(exchange), strategy, program, counts, .. } = self else { return Ok(()) };
        watcher.between(program);
        let mut left = Left { strategy: &mut **strategy, state: &**program, counts: *counts };
        match exchange.meet(&mut left) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(cut) => Err(End::Stopped(cut)),
        }
    }

    fn finish(&mut self, ending: Ending, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.count(ending);
        let in_steps = self.failures.len();
        if ending == Ending::Blocked {
            self.settle();
        }
        if ending == Ending::Blocked
            && let Some(failure) = self.program.blocked()
        {
            self.fail(failure, watcher)?;
        }
        self.strategy.learn(&self.trace, self.program, &self.budget);
        if self.verification == Verification::Full {
            self.strategy.verify_execution(&self.trace, self.program);
        }
        // What is left is known when the strategy has gone back.
        self.interrupted |= self.show(ending, watcher).is_break();
        if let Some(cut) = self.budget.said_to_stop() {
            // The strategy has not learnt all it could.
            return Err(End::Stopped(cut));
        }
        self.failures.truncate(in_steps);
        Ok(())
    }

    fn go_back(&mut self, depth: usize) -> Result<(), End<X::Failure>> {
        self.trace.truncate(depth);
        self.failures.retain(|failing| failing.depth <= depth);
        let went_back = self.program.rewind(depth);
        if went_back.is_err() {
            // The program may know nothing of them now, so that they cannot be put in order.
            self.trace.forget_unordered();
        }
        went_back.map_err(End::from)
    }

    /// Takes steps until no thread can move, or all that can need not. There is no ending if the strategy turns back.
    fn execute(&mut self, watcher: &mut dyn Watcher<X>) -> Result<Option<Ending>, End<X::Failure>> {
        let is_told = self.strategy.tells_sources();
        if is_told && !self.program.can_be_told() {
            return Err(End::Stopped(Cut::Unsupported(Unsupported::Sources)));
        }
        while is_told || ready(self.program).next().is_some() {
            if self.trace.len() >= self.limits.steps && self.is_too_long() {
                // An exploration of everything would come to this time and again.
                return match self.strategy.is_exhaustive() {
                    true => Err(End::Stopped(Cut::Steps(self.limits.steps))),
                    false => self.too_long(watcher).map(Some),
                };
            }
            if self.budget.is_exhausted()
                && let Some(cut) = self.budget.said_to_stop()
            {
                return Err(End::Stopped(cut));
            }
            match self.strategy.choose(&self.trace, self.program) {
                Choice::Take(step) => self.step(step, watcher)?,
                Choice::TakeTold(step) => self.step_told(step, watcher)?,
                Choice::End(Ending::Redundant) | Choice::Redundant => return Ok(Some(Ending::Redundant)),
                Choice::Contradiction => {
                    let failure = self.program.contradicts_itself();
                    debug_assert!(failure.is_some(), "a sleep set without a wakeup tree at {}", self.trace.len());
                    return failure.map_or(Ok(Some(Ending::Redundant)), |failure| Err(End::Diverged(failure)));
                }
                Choice::End(ending) => return Ok(Some(self.ending(ending == Ending::Blocked))),
                Choice::Abandon => return Ok(None),
                Choice::Refuse(unsupported) => return Err(End::Stopped(Cut::Unsupported(unsupported))),
            }
        }
        if self.strategy.has_explored(&self.trace) {
            return Ok(Some(Ending::Redundant));
        }
        let is_blocked = blocked(self.program).next().is_some();
        Ok(Some(self.ending(is_blocked)))
    }

    /// Gives up the current execution, which has as many steps as it may have.
    fn too_long(&mut self, watcher: &mut dyn Watcher<X>) -> Result<Ending, End<X::Failure>> {
        match watcher.too_long(self.program, &self.trace) {
            ControlFlow::Continue(()) => Ok(Ending::TooLong),
            ControlFlow::Break(()) => Err(End::Stopped(Cut::Steps(self.limits.steps))),
        }
    }

    /// Whether the current execution, which has more steps than the limit, has so many that count: what a thread does
    /// while there is no other is not interleaved with anything, and just long. It is not for ever, though.
    fn is_too_long(&self) -> bool {
        let steps = self.trace.len();
        // Looked at from time to time, as it takes as long as the execution.
        let is_due = (steps - self.limits.steps).is_multiple_of(LOOK_AT_LENGTH);
        steps >= self.limits.alone.saturating_mul(self.limits.steps)
            || is_due && self.trace.steps_in_company() >= self.limits.steps
    }

    fn ending(&self, is_blocked: bool) -> Ending {
        match (self.failures.is_empty(), is_blocked && !self.program.has_ended()) {
            (false, _) => Ending::Failed,
            (true, true) => Ending::Blocked,
            (true, false) => Ending::Complete,
        }
    }

    /// Takes a step whose reads are told their sources.
    fn step_told(&mut self, step: Step, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.performed.clear();
        let planned = self.trace.plan(self.program.operation(step.thread), self.program.choices(step.thread));
        let result = self.program.step_reading(step, self.strategy.sources(), &mut self.performed);
        if let Err(halt @ Halt::Diverged(_)) = result {
            return Err(halt.into());
        }
        self.trace.push_told(step, planned, &self.performed);
        self.counts.steps += 1;
        self.strategy.taken(&self.trace, self.program);
        if result.is_ok() {
            let unsupported = |unsupported| End::Stopped(Cut::Unsupported(unsupported));
            self.strategy.confirm(&self.trace).map_err(unsupported)?;
        }
        if let Some(race) = self.strategy.data_race() {
            self.trace.put_in_order(self.program);
            self.settle();
            match watcher.raced(race, self.program, &self.trace) {
                AfterFailure::Stop => {
                    self.count(Ending::Failed);
                    return Err(End::Stopped(Cut::DataRace(race)));
                }
                AfterFailure::GoOn(name) => self.failures.push(Failing { depth: self.trace.len(), name }),
            }
        }
        match result {
            Err(Halt::Failure(failure)) => {
                self.fail_in_step(failure, watcher)?;
                self.further_failures(watcher)
            }
            _ => Ok(()),
        }
    }

    fn step(&mut self, step: Step, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.performed.clear();
        if step.thread.index() >= self.program.threads() {
            // Not what it was when the step was planned; the program says so, as it does if the thread is not ready.
            return self.program.step(step, &mut self.performed).map_err(End::from);
        }
        let planned = self.trace.plan(self.program.operation(step.thread), self.program.choices(step.thread));
        let result = self.program.step(step, &mut self.performed);
        if let Err(halt @ Halt::Diverged(_)) = result {
            return Err(halt.into());
        }
        self.trace.push(step, planned, &self.performed);
        if self.in_order {
            self.trace.put_in_order(self.program);
        }
        self.counts.steps += 1;
        self.strategy.taken(&self.trace, self.program);
        if self.verification == Verification::Full {
            verify::last_event(&self.trace, self.program);
            self.strategy.verify_step(&self.trace, self.program);
        }
        match result {
            Err(Halt::Failure(failure)) => {
                self.fail_in_step(failure, watcher)?;
                self.further_failures(watcher)
            }
            _ => Ok(()),
        }
    }

    /// Takes note of failures besides the one that the last step, or the initial state, was known for.
    fn further_failures(&mut self, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        while let Some(failure) = self.program.further_failure() {
            self.fail_in_step(failure, watcher)?;
        }
        Ok(())
    }

    fn fail_in_step(&mut self, failure: X::Failure, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        let end = self.fail(failure, watcher);
        if end.is_err() {
            self.count(Ending::Failed);
        }
        end
    }

    /// Tells the program in which order its writes took effect, if that is not the order of its steps.
    fn settle(&mut self) {
        if let Some(orders) = self.strategy.modification_orders(&self.trace) {
            self.program.settle(orders);
        }
    }

    /// Goes on after a failure, or does not.
    fn fail(&mut self, failure: X::Failure, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.trace.put_in_order(self.program);
        self.settle();
        match watcher.failed(&failure, self.program, &self.trace) {
            AfterFailure::Stop => Err(End::Failed(failure)),
            AfterFailure::GoOn(name) => {
                self.failures.push(Failing { depth: self.trace.len(), name });
                Ok(())
            }
        }
    }

    fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Complete => self.counts.complete += 1,
            Ending::Blocked => self.counts.blocked += 1,
            Ending::Failed => self.counts.failed += 1,
            Ending::TooLong => self.counts.too_long += 1,
            Ending::Redundant => {
                self.counts.redundant += 1;
                // Theorem 7.13 of the JACM paper.
                debug_assert!(!self.strategy.is_optimal(), "{} started a redundant execution", self.strategy.name());
            }
        }
    }

    fn show(&mut self, ending: Ending, watcher: &mut dyn Watcher<X>) -> ControlFlow<()> {
        if self.shows_order {
            self.trace.put_in_order(self.program);
            self.settle();
        }
        watcher.ended(self.program, &self.trace);
        let Self { trace, counts, failures, strategy, .. } = self;
        watcher.executed(&Progress { trace, ending, counts: *counts, failures, strategy: &**strategy })
    }

    fn exhausted(&self) -> Option<Cut> {
        match self.limits.executions {
            Some(limit) if self.counts.executions() >= limit => Some(Cut::Executions(limit)),
            _ => self.budget.look(),
        }
    }
}
/// The threads of `state` that have not ended.
pub fn alive(state: &dyn State) -> impl Iterator<Item = ThreadId> + '_ {
    (0..state.threads()).map(ThreadId::new).filter(|&thread| state.status(thread) != Status::Ended)
}
