//! The main loop of an exploration: run an execution, learn from it, go back, until nothing is left.
//!
//! It counts executions, enforces the limits and reports failures to a [`Watcher`]. It does not know how a strategy
//! decides what comes next, nor how the program rewinds.

mod outcome;
mod told;
mod watcher;

pub use outcome::{Counts, Cut, End, Ending, Limits};
pub use watcher::{AfterFailure, Progress, Watcher};

use crate::budget::Budget;
use crate::frontier::{Exchange, Left, Subtree};
use crate::strategies::{Choice, Continue, Guarantee, Guidance, Strategy, Unsupported};
use crate::trace::Trace;
use crate::verify::{self, Verification};
use everyway_runtime::{Execution, Halt, Performed, State, Status, Step, ThreadId, blocked, ready};
use std::ops::ControlFlow;
use std::sync::Arc;
use watcher::{Failing, First};

/// Beyond the limit on steps, the steps that count are counted once every so many steps.
const LOOK_AT_LENGTH: usize = 512;

/// Whether an execution continues; if not, how it has ended, unless it does not count.
type Turn = ControlFlow<Option<Ending>>;

/// Explores a program.
pub struct Explorer<'a, X: Execution> {
    program: &'a mut X,
    strategy: Guidance<'a>,
    limits: Limits,
    trace: Trace,
    performed: Performed,
    failures: Vec<Failing>,
    counts: Counts,
    budget: Budget,
    verification: Verification,
    /// Whether happens-before is computed step by step.
    in_order: bool,
    /// Whether it is computed for every execution that is shown.
    shows_order: bool,
    exchange: Option<&'a mut dyn Exchange>,
    /// Whether the watcher has asked to stop.
    interrupted: bool,
    /// Whether the strategy has work left.
    has_left: bool,
}

impl<'a, X: Execution> Explorer<'a, X> {
    /// An exploration of `program`, which is in its initial state.
    pub fn new(program: &'a mut X, strategy: &'a mut dyn Strategy, limits: Limits) -> Self {
        let strategy = strategy.guidance();
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

    /// The same exploration, with every execution shown with its happens-before and modification orders. Those that fail
    /// are in any case.
    pub fn with_order(self) -> Self {
        Self { shows_order: true, ..self }
    }

    /// The same exploration with its invariants checked, or not.
    pub fn verified(self, verification: Verification) -> Self {
        let in_order = verification == Verification::Full || self.strategy.needs_order();
        Self { verification, in_order, ..self }
    }

    /// The same exploration, limited to the subtrees that `exchange` provides.
    pub fn shared_with(self, exchange: &'a mut dyn Exchange) -> Self {
        Self { exchange: Some(exchange), ..self }
    }

    /// What is left to explore after [`Explorer::run`], if it was stopped by a limit; none if the strategy cannot tell.
    pub fn left(&mut self) -> Option<Vec<Subtree>> {
        if self.has_left { self.strategy.strategy_mut().divisible()?.frontier(self.program) } else { Some(Vec::new()) }
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
            let depth = match self.strategy.strategy_mut().backtrack(&self.trace, self.program) {
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

    /// Gives the strategy the next subtree, when it has nothing left; whether there is one.
    fn next_subtree(&mut self, watcher: &mut dyn Watcher<X>) -> Result<bool, End<X::Failure>> {
        self.has_left = false;
        if self.interrupted {
            return Err(End::Stopped(Cut::Interrupted));
        }
        let Some(exchange) = &mut self.exchange else { return Ok(false) };
        watcher.between(self.program);
        let Some(subtree) = exchange.take(self.counts) else { return Ok(false) };
        self.has_left = true;
        let adopted = match self.strategy.strategy_mut().divisible() {
            Some(divisible) => divisible.adopt(subtree),
            None => Err(Unsupported::Subtree),
        };
        adopted.map_err(|unsupported| End::Stopped(Cut::Unsupported(unsupported)))?;
        self.meet(watcher)?;
        Ok(true)
    }

    /// Communicates with other workers, between two executions.
    fn meet(&mut self, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        if self.interrupted {
            return Err(End::Stopped(Cut::Interrupted));
        }
        let Self { exchange: Some(exchange), strategy, program, counts, .. } = self else { return Ok(()) };
        watcher.between(program);
        // It has adopted a subtree.
        let Some(divisible) = strategy.strategy_mut().divisible() else { return Ok(()) };
        let mut left = Left { strategy: divisible, state: &**program, counts: *counts };
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
        self.strategy.strategy_mut().learn(&self.trace, self.program, &self.budget);
        if let (Verification::Full, Guidance::Schedules(strategy)) = (self.verification, &mut self.strategy) {
            strategy.verify_execution(&self.trace, self.program);
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
        let is_told = matches!(self.strategy, Guidance::TellsSources(_));
        if is_told && !self.program.can_be_told() {
            return Err(End::Stopped(Cut::Unsupported(Unsupported::Sources)));
        }
        while is_told || ready(self.program).next().is_some() {
            if let Some(ending) = self.at_limit(watcher)? {
                return Ok(Some(ending));
            }
            let turn = match &mut self.strategy {
                Guidance::Schedules(strategy) => {
                    let choice = strategy.choose(&self.trace, self.program);
                    self.follow(choice, watcher)?
                }
                Guidance::TellsSources(strategy) => {
                    let choice = strategy.choose(&self.trace, self.program);
                    self.follow_told(choice, watcher)?
                }
            };
            if let ControlFlow::Break(ending) = turn {
                return Ok(ending);
            }
        }
        if let Guidance::Schedules(strategy) = &self.strategy
            && strategy.has_explored(&self.trace)
        {
            return Ok(Some(Ending::Redundant));
        }
        let is_blocked = blocked(self.program).next().is_some();
        Ok(Some(self.ending(is_blocked)))
    }

    /// Whether the current execution, or all of the exploration, ends here because of a limit.
    #[inline]
    fn at_limit(&mut self, watcher: &mut dyn Watcher<X>) -> Result<Option<Ending>, End<X::Failure>> {
        if self.trace.len() >= self.limits.steps && self.is_too_long() {
            return match self.strategy.strategy().guarantee() {
                Guarantee::Nothing => self.too_long(watcher).map(Some),
                // An exploration of everything would come to this time and again.
                Guarantee::Sound | Guarantee::Optimal | Guarantee::Lost(_) => {
                    Err(End::Stopped(Cut::Steps(self.limits.steps)))
                }
            };
        }
        match self.budget.is_exhausted().then(|| self.budget.said_to_stop()).flatten() {
            Some(cut) => Err(End::Stopped(cut)),
            None => Ok(None),
        }
    }

    #[inline]
    fn follow(&mut self, choice: Choice, watcher: &mut dyn Watcher<X>) -> Result<Turn, End<X::Failure>> {
        match choice {
            Choice::Take(step) => self.step(step, watcher).map(ControlFlow::Continue),
            Choice::Redundant => Ok(ControlFlow::Break(Some(Ending::Redundant))),
            Choice::Contradiction => {
                let failure = self.program.contradicts_itself();
                debug_assert!(failure.is_some(), "a sleep set without a wakeup tree at {}", self.trace.len());
                let redundant = Ok(ControlFlow::Break(Some(Ending::Redundant)));
                failure.map_or(redundant, |failure| Err(End::Diverged(failure)))
            }
            Choice::Refuse(unsupported) => Err(End::Stopped(Cut::Unsupported(unsupported))),
        }
    }

    /// Gives up the current execution, which has reached the limit on steps.
    fn too_long(&mut self, watcher: &mut dyn Watcher<X>) -> Result<Ending, End<X::Failure>> {
        match watcher.too_long(self.program, &self.trace) {
            ControlFlow::Continue(()) => Ok(Ending::TooLong),
            ControlFlow::Break(()) => Err(End::Stopped(Cut::Steps(self.limits.steps))),
        }
    }

    /// Whether the current execution, which has more steps than the limit, has more that count. Steps of a thread while it is
    /// the only one are not interleaved with anything, so they do not count, up to a limit of their own.
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
        if let Guidance::Schedules(strategy) = &mut self.strategy {
            strategy.taken(&self.trace, self.program);
        }
        if self.verification == Verification::Full {
            verify::last_event(&self.trace, self.program);
            if let Guidance::Schedules(strategy) = &self.strategy {
                strategy.verify_step(&self.trace, self.program);
            }
        }
        self.after_step(result, watcher)
    }

    /// Records the failure of the last step, if it has failed.
    #[inline(always)]
    fn after_step(
        &mut self,
        result: Result<(), Halt<X::Failure>>,
        watcher: &mut dyn Watcher<X>,
    ) -> Result<(), End<X::Failure>> {
        match result {
            Err(Halt::Failure(failure)) => self.after_failure(failure, watcher),
            _ => Ok(()),
        }
    }

    #[cold]
    fn after_failure(&mut self, failure: X::Failure, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.fail_in_step(failure, watcher)?;
        self.further_failures(watcher)
    }

    /// Records further failures of the last step, or of the initial state.
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

    /// Tells the program its modification orders, if they are not the order of its steps.
    fn settle(&mut self) {
        if let Guidance::TellsSources(strategy) = &self.strategy {
            self.program.settle(strategy.modification_orders(&self.trace));
        }
    }

    /// Continues after a failure, or ends the exploration.
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
                let strategy = self.strategy.strategy();
                let promises = strategy.guarantee() == Guarantee::Optimal;
                debug_assert!(!promises, "{} started a redundant execution", strategy.name());
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
        let graph = strategy.graph();
        watcher.executed(&Progress { trace, ending, counts: *counts, failures, strategy: strategy.strategy(), graph })
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
