//! Bounded model checking: the program unrolled step by step, and the solver asked at every depth.

use crate::counterexample::{Counterexample, InputValue, Script, TakenStep};
use crate::independence::Reduction;
use crate::solver::{Answer, Solver, SolverError, Statistics};
use crate::system::{Action, System, Unsupported};
use crate::unroll::Unrolling;

/// What is known after some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// An execution fails with its last step, or no thread can go on after it.
    Bug(Counterexample, Script),
    /// No execution fails, and none is longer than so many steps.
    Verified {
        /// The steps of the longest execution.
        steps: usize,
    },
    /// No execution fails in so many steps, but there are longer ones, or there may be: the search was stopped.
    Bounded {
        /// How many steps were looked at.
        steps: usize,
    },
    /// Some execution does what is not supported.
    Unsupported(Unsupported),
}

/// What came of checking a program.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is known.
    pub verdict: Verdict,
    /// What the solver has done.
    pub statistics: Statistics,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// No execution of up to so many steps fails.
    pub steps: usize,
    /// What the solver has done so far.
    pub statistics: Statistics,
}

/// Checks a program up to `depth` steps; `goes_on` is asked before every step. A solver that is stopped ends it, too.
///
/// # Errors
/// If the solver gives no answer though it is not stopped.
pub fn check(
    system: System,
    reduction: Reduction,
    depth: usize,
    solver: &mut dyn Solver,
    goes_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<Checked, SolverError> {
    let mut search = Search { unrolling: Unrolling::new(system, reduction), solver };
    let verdict = search.run(depth, goes_on)?;
    Ok(Checked { verdict, statistics: search.solver.statistics() })
}

struct Search<'a> {
    unrolling: Unrolling,
    solver: &'a mut dyn Solver,
}

impl Search<'_> {
    fn run(&mut self, depth: usize, goes_on: &mut dyn FnMut(Progress) -> bool) -> Result<Verdict, SolverError> {
        if self.unrolling.system.fails_at_once {
            return Ok(Verdict::Bug(Counterexample::default(), Script::default()));
        }
        loop {
            let steps = self.unrolling.steps.len();
            match self.fails() {
                Ok(None) => {}
                Ok(Some(verdict)) => return Ok(verdict),
                // Nothing is known of executions of just so many steps.
                Err(SolverError::Stopped) => return Ok(Verdict::Bounded { steps: steps.saturating_sub(1) }),
                Err(error) => return Err(error),
            }
            let moves = self.unrolling.can_move();
            match self.solver.check(&self.unrolling.system.terms, moves) {
                Ok(Answer::Satisfiable) => {}
                Ok(Answer::Unsatisfiable) => return Ok(Verdict::Verified { steps }),
                Err(SolverError::Stopped) => return Ok(Verdict::Bounded { steps }),
                Err(error) => return Err(error),
            }
            let progress = Progress { steps, statistics: self.solver.statistics() };
            if !goes_on(progress) || steps == depth {
                return Ok(Verdict::Bounded { steps });
            }
            self.unrolling.step();
            self.tell()?;
        }
    }

    /// Tells the solver what is new.
    fn tell(&mut self) -> Result<(), SolverError> {
        for constraint in std::mem::take(&mut self.unrolling.constraints) {
            self.solver.assert(&self.unrolling.system.terms, constraint)?;
        }
        Ok(())
    }

    /// Whether an execution of exactly the steps so far fails.
    fn fails(&mut self) -> Result<Option<Verdict>, SolverError> {
        let deadlock = self.unrolling.deadlock();
        let last = self.unrolling.steps.last().cloned();
        let first = self.unrolling.system.first_fails;
        let unsupported = match &last {
            Some(step) => step.unsupported.clone(),
            None => self.unrolling.system.first_unsupported.clone(),
        };
        let terms = &mut self.unrolling.system.terms;
        let beyond = terms.any(unsupported.iter().map(|(when, _)| *when));
        let never = terms.bool(false);
        let fails = last.as_ref().map_or(first.unwrap_or(never), |step| step.fails);
        let bad = terms.any([fails, deadlock, beyond]);
        if self.solver.check(&self.unrolling.system.terms, bad)? == Answer::Satisfiable {
            for (when, what) in unsupported {
                if self.value(when)? == 1 {
                    return Ok(Some(Verdict::Unsupported(what)));
                }
            }
            let is_deadlock = self.value(fails)? == 0;
            let found = self.counterexample(is_deadlock)?;
            let script = found.script(&self.unrolling.system);
            return Ok(Some(Verdict::Bug(found, script)));
        }
        // What does not fail goes on.
        let terms = &mut self.unrolling.system.terms;
        let fine = terms.not(bad);
        self.solver.assert(&self.unrolling.system.terms, fine)?;
        Ok(None)
    }

    fn value(&mut self, term: crate::term::Term) -> Result<u128, SolverError> {
        self.solver.value(&self.unrolling.system.terms, term)
    }

    /// The execution that the solver has found.
    fn counterexample(&mut self, is_deadlock: bool) -> Result<Counterexample, SolverError> {
        let mut found = Counterexample { is_deadlock, ..Counterexample::default() };
        for input in self.unrolling.system.first_inputs.clone() {
            let value = self.value(input.term)?;
            found.first_inputs.push(input_value(value, input));
        }
        for step in self.unrolling.steps.clone() {
            let thread = self.value(step.selected)? as usize;
            let mut counters = Vec::new();
            for &counter in &step.counters {
                counters.push(self.value(counter)? as u16);
            }
            let place = self.unrolling.system.threads[thread].place(counters[thread]);
            let input = match place.map(|place| place.action.clone()) {
                Some(Action::Input(input)) => Some(input_value(self.value(step.input)?, input)),
                _ => None,
            };
            found.steps.push(TakenStep { thread, counters, input });
        }
        Ok(found)
    }
}

fn input_value(value: u128, input: crate::system::Input) -> InputValue {
    let bits = (value & crate::term::mask(input.bits)) as u64;
    InputValue { bits, width: input.bits, is_bool: input.is_bool }
}
