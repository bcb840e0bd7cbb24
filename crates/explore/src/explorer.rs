//! The main loop: run an execution, learn from it, go back, until nothing is left.

use crate::estimate::Estimate;
use crate::execution::{Execution, Halt, Performed, State, Status, blocked, ready};
use crate::ids::{Step, ThreadId};
use crate::strategy::{Choice, Continue, Strategy};
use crate::trace::Trace;
use crate::verify;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How far to go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// At most this many executions.
    pub executions: Option<u64>,
    /// At most this long.
    pub time: Option<Duration>,
    /// At most this many steps in one execution.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { executions: None, time: None, steps: 10_000 }
    }
}

/// How many executions there were, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every thread ended.
    pub complete: u64,
    /// A thread is stuck for good.
    pub blocked: u64,
    /// Begun, then found to be equivalent to an explored one.
    pub redundant: u64,
    /// The steps of all of them that had not been taken before.
    pub steps: u64,
}

impl Counts {
    /// All executions that were begun.
    pub fn executions(&self) -> u64 {
        self.complete + self.blocked + self.redundant
    }
}

/// What was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The limit on executions was reached.
    Executions(u64),
    /// The limit on time was reached.
    Time(Duration),
    /// The current execution reached the limit on its length.
    Steps(usize),
    /// The observer asked to stop.
    Interrupted,
}

/// Why the exploration ended.
#[derive(Debug)]
pub enum End<F> {
    /// Everything was explored.
    Finished,
    /// The current execution fails.
    Failed(F),
    /// The program did not do again what it had done before.
    Diverged(F),
    /// A limit was reached.
    Stopped(Cut),
}

/// How one execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every thread ended.
    Complete,
    /// No thread can move, but not all have ended.
    Blocked,
    /// Given up as redundant.
    Redundant,
}

/// What the observer of an exploration is shown after each execution.
pub struct Progress<'a> {
    /// The execution that has just ended.
    pub trace: &'a Trace,
    /// How.
    pub ending: Ending,
    /// The counts so far.
    pub counts: Counts,
    strategy: &'a dyn Strategy,
}

impl Progress<'_> {
    /// How many executions there may be in all.
    pub fn estimate(&self) -> Estimate {
        self.strategy.estimate()
    }
}

/// Explores a program.
pub struct Explorer<'a, X: Execution> {
    program: &'a mut X,
    strategy: &'a mut dyn Strategy,
    limits: Limits,
    trace: Trace,
    performed: Performed,
    counts: Counts,
    started: Instant,
}

impl<'a, X: Execution> Explorer<'a, X> {
    /// An exploration of `program`, which is in its initial state.
    pub fn new(program: &'a mut X, strategy: &'a mut dyn Strategy, limits: Limits) -> Self {
        Self {
            program,
            strategy,
            limits,
            trace: Trace::new(),
            performed: Performed::default(),
            counts: Counts::default(),
            started: Instant::now(),
        }
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

    /// Explores all executions, as far as the limits and `observe` allow; `observe` is shown every execution.
    pub fn run(&mut self, mut observe: impl FnMut(&Progress<'_>) -> ControlFlow<()>) -> End<X::Failure> {
        loop {
            let ending = match self.execute() {
                Ok(ending) => ending,
                Err(end) => return end,
            };
            self.count(ending);
            if ending == Ending::Blocked
                && let Some(failure) = self.program.blocked()
            {
                return End::Failed(failure);
            }
            self.strategy.learn(&self.trace, self.program);
            if self.show(ending, &mut observe).is_break() {
                return End::Stopped(Cut::Interrupted);
            }
            let depth = match self.strategy.backtrack(&self.trace) {
                Continue::From(depth) => depth,
                Continue::Finished => return End::Finished,
            };
            if let Some(cut) = self.exhausted() {
                return End::Stopped(cut);
            }
            self.trace.truncate(depth);
            let trace = &mut self.trace;
            let retaken = &mut |event, operation: &_, visits: &_| trace.retake(event, operation, visits);
            if let Err(halt) = self.program.rewind_by_retaking(depth, retaken) {
                return halt.into();
            }
        }
    }

    /// Takes steps until no thread can move, or all that can need not.
    fn execute(&mut self) -> Result<Ending, End<X::Failure>> {
        while ready(self.program).next().is_some() {
            if self.trace.len() >= self.limits.steps {
                return Err(End::Stopped(Cut::Steps(self.limits.steps)));
            }
            match self.strategy.choose(&self.trace, self.program) {
                Choice::Take(step) => self.step(step)?,
                Choice::Redundant => return Ok(Ending::Redundant),
            }
        }
        Ok(if blocked(self.program).next().is_some() { Ending::Blocked } else { Ending::Complete })
    }

    fn step(&mut self, step: Step) -> Result<(), End<X::Failure>> {
        self.performed.clear();
        let known = step.thread.index() < self.program.threads();
        if !known || self.program.status(step.thread) != Status::Ready {
            // Not what it was when the step was planned; the program says so.
            return self.program.step(step, &mut self.performed).map_err(End::from);
        }
        let planned = self.trace.plan(self.program.operation(step.thread), self.program.choices(step.thread));
        let result = self.program.step(step, &mut self.performed);
        if let Err(halt @ Halt::Diverged(_)) = result {
            return Err(halt.into());
        }
        self.trace.push(step, planned, &self.performed, self.program);
        self.counts.steps += 1;
        self.strategy.taken(&self.trace, self.program);
        if cfg!(feature = "verify") {
            verify::last_event(&self.trace, self.program);
        }
        result.map_err(End::from)
    }

    fn count(&mut self, ending: Ending) {
        match ending {
            Ending::Complete => self.counts.complete += 1,
            Ending::Blocked => self.counts.blocked += 1,
            Ending::Redundant => {
                self.counts.redundant += 1;
                // Theorem 7.13 of the JACM paper.
                debug_assert!(!self.strategy.is_optimal(), "{} started a redundant execution", self.strategy.name());
            }
        }
    }

    fn show(&self, ending: Ending, observe: &mut impl FnMut(&Progress<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        observe(&Progress { trace: &self.trace, ending, counts: self.counts, strategy: self.strategy })
    }

    fn exhausted(&self) -> Option<Cut> {
        match (self.limits.executions, self.limits.time) {
            (Some(limit), _) if self.counts.executions() >= limit => Some(Cut::Executions(limit)),
            (_, Some(limit)) if self.started.elapsed() >= limit => Some(Cut::Time(limit)),
            _ => None,
        }
    }
}

impl<F> From<Halt<F>> for End<F> {
    fn from(halt: Halt<F>) -> Self {
        match halt {
            Halt::Failure(failure) => End::Failed(failure),
            Halt::Diverged(failure) => End::Diverged(failure),
        }
    }
}

/// The threads of `state` that have not ended.
pub fn alive(state: &dyn State) -> impl Iterator<Item = ThreadId> + '_ {
    (0..state.threads()).map(ThreadId::new).filter(|&thread| state.status(thread) != Status::Ended)
}
