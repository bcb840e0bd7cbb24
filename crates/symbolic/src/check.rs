//! Bounded model checking: the program unrolled step by step, and the solver asked whether an execution fails.

use crate::counterexample::{Counterexample, Ending, InputValue, Script, TakenStep};
use crate::independence::Reduction;
use crate::limit::{Limit, Reached};
use crate::solver::{Answer, Solver, SolverError, Statistics};
use crate::system::{Choice, FirstInput, System, Unsupported};
use crate::term::Term;
use crate::unroll::{Bad, Ends, Unrolling};

/// What is known after some steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// An execution fails with its last step, or no thread can go on after it.
    Bug(Counterexample, Script),
    /// No execution fails, and none is longer than so many steps.
    Verified {
        /// The steps of the longest execution, or more.
        steps: usize,
    },
    /// No execution fails in so many steps, but there are longer ones.
    Bounded {
        /// How many steps were looked at.
        steps: usize,
    },
    /// No execution fails in so many steps; whether there are longer ones was not asked.
    NoneWithin {
        /// How many steps were looked at.
        steps: usize,
    },
    /// The limit was reached; no execution fails in so many steps.
    Stopped {
        /// How many steps were looked at.
        steps: usize,
    },
    /// Some execution does what is not supported.
    Unsupported(Unsupported),
}

/// How the solver is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Twice at every depth up to this one: whether an execution fails there, and whether there are longer ones. What
    /// is found is as short as can be, and what the solver has learnt helps it at the next depth.
    EveryDepth(usize),
    /// Likewise, at depths that grow by half each time, so that as few questions are asked as a search without a
    /// known depth needs. What is found need not be as short as can be.
    GrowingDepths(usize),
    /// Once, about all executions of up to so many steps: the formula of the paper (Sect. 3.1).
    AtDepth(usize),
}

impl Asking {
    /// The first depth to ask at.
    fn first(self) -> usize {
        match self {
            Asking::EveryDepth(_) => 0,
            Asking::GrowingDepths(deepest) => deepest.min(FIRST_DEPTH),
            Asking::AtDepth(depth) => depth,
        }
    }

    /// The depth to ask at after this one, if there is one.
    fn next(self, depth: usize) -> Option<usize> {
        match self {
            Asking::EveryDepth(deepest) => Some(depth + 1).filter(|next| *next <= deepest),
            Asking::GrowingDepths(deepest) => Some((depth + depth / 2 + 1).min(deepest)).filter(|next| *next > depth),
            Asking::AtDepth(_) => None,
        }
    }

    /// Whether executions that have come to their end stay there, so that one formula has those of all lengths.
    fn idles(self) -> bool {
        !matches!(self, Asking::EveryDepth(_))
    }
}

/// The first of the depths that grow.
const FIRST_DEPTH: usize = 8;

/// Which execution that fails is wanted, if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The one that is found.
    Any,
    /// One that is as short as can be: the solver is asked again about fewer steps.
    Shortest,
}

/// What an execution is in whose end no thread can go on and some thread should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlocks {
    /// One that fails.
    Fail,
    /// One that ends there.
    End,
}

/// How a program is checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// How the solver is asked.
    pub asking: Asking,
    /// Which execution that fails is wanted.
    pub wanted: Wanted,
    /// What is said of executions in which threads wait for each other.
    pub deadlocks: Deadlocks,
    /// When to stop; the solver has to be told by itself.
    pub limit: Limit,
}

impl Plan {
    /// Asks at every depth up to this one, without a limit.
    pub fn every_depth(reduction: Reduction, steps: usize) -> Self {
        Self {
            reduction,
            asking: Asking::EveryDepth(steps),
            wanted: Wanted::Shortest,
            deadlocks: Deadlocks::Fail,
            limit: Limit::none(),
        }
    }
}

/// What came of checking a program.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is known.
    pub verdict: Verdict,
    /// What the solver has done.
    pub statistics: Statistics,
}

impl Checked {
    /// The limit was reached before there was anything to check.
    pub fn stopped() -> Self {
        Self { verdict: Verdict::Stopped { steps: 0 }, statistics: Statistics::default() }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// No execution of up to so many steps fails.
    pub steps: usize,
    /// What the solver has done so far.
    pub statistics: Statistics,
}

/// Checks a program; `watch` is told of every depth at which no execution fails.
///
/// # Errors
/// If the solver gives no answer.
pub fn check(
    system: System,
    plan: &Plan,
    solver: &mut dyn Solver,
    watch: &mut dyn FnMut(Progress),
) -> Result<Checked, SolverError> {
    let stops = if plan.asking.idles() { Ends::Stay } else { Ends::AreLeftOut };
    let mut search =
        Search { unrolling: Unrolling::new(system, plan.reduction, stops, plan.deadlocks), solver, steps: 0 };
    let verdict = match search.run(plan, watch) {
        Err(SolverError::Stopped) => Verdict::Stopped { steps: search.steps },
        other => other?,
    };
    Ok(Checked { verdict, statistics: search.solver.statistics() })
}

struct Search<'a> {
    unrolling: Unrolling,
    solver: &'a mut dyn Solver,
    /// No execution fails in so many steps.
    steps: usize,
}

impl Search<'_> {
    fn run(&mut self, plan: &Plan, watch: &mut dyn FnMut(Progress)) -> Result<Verdict, SolverError> {
        if self.unrolling.system.fails_at_once {
            return Ok(Verdict::Bug(Counterexample::default(), Script::default()));
        }
        let mut next = Some(plan.asking.first());
        while let Some(depth) = next {
            while self.unrolling.steps.len() < depth {
                self.unrolling.step(&plan.limit).map_err(|Reached| SolverError::Stopped)?;
                self.tell()?;
            }
            if let Some(verdict) = self.fails(plan)? {
                return Ok(verdict);
            }
            self.steps = depth;
            watch(Progress { steps: depth, statistics: self.solver.statistics() });
            if matches!(plan.asking, Asking::AtDepth(_)) {
                return Ok(Verdict::NoneWithin { steps: depth });
            }
            let moves = self.unrolling.can_move();
            if self.solver.check(&self.unrolling.system.terms, moves)? == Answer::Unsatisfiable {
                return Ok(Verdict::Verified { steps: depth });
            }
            next = plan.asking.next(depth);
        }
        Ok(Verdict::Bounded { steps: self.steps })
    }

    /// Tells the solver what is new.
    fn tell(&mut self) -> Result<(), SolverError> {
        for constraint in std::mem::take(&mut self.unrolling.constraints) {
            self.solver.assert(&self.unrolling.system.terms, constraint)?;
        }
        Ok(())
    }

    /// Whether an execution fails: of exactly the steps so far, or of at most those, as the solver is asked.
    fn fails(&mut self, plan: &Plan) -> Result<Option<Verdict>, SolverError> {
        let mut bad = self.unrolling.bad(self.unrolling.steps.len());
        if self.solver.check(&self.unrolling.system.terms, bad.any)? == Answer::Satisfiable {
            if plan.asking.idles() && plan.wanted == Wanted::Shortest {
                bad = self.shorten()?;
            }
            for (when, what) in bad.unsupported.clone() {
                if self.value(when)? == 1 {
                    return Ok(Some(Verdict::Unsupported(what)));
                }
            }
            let found = self.counterexample(&bad)?;
            let script = found.script(&self.unrolling.system);
            return Ok(Some(Verdict::Bug(found, script)));
        }
        // What does not fail goes on.
        let fine = self.unrolling.system.terms.not(bad.any);
        self.solver.assert(&self.unrolling.system.terms, fine)?;
        Ok(None)
    }

    /// Finds an execution that fails in as few steps as can be, given that there is one: what must not happen in it.
    fn shorten(&mut self) -> Result<Bad, SolverError> {
        // Some execution fails in `most` steps, none in fewer than `least`.
        let (mut least, mut most) = (self.steps, self.unrolling.steps.len());
        while least < most {
            let middle = (least + most) / 2;
            let bad = self.unrolling.bad(middle);
            match self.solver.check(&self.unrolling.system.terms, bad.any)? {
                Answer::Satisfiable => most = middle,
                Answer::Unsatisfiable => least = middle + 1,
            }
        }
        let bad = self.unrolling.bad(most);
        self.solver.check(&self.unrolling.system.terms, bad.any)?;
        Ok(bad)
    }

    fn value(&mut self, term: Term) -> Result<u128, SolverError> {
        self.solver.value(&self.unrolling.system.terms, term)
    }

    fn counts(&mut self, counts: &[(usize, Term)]) -> Result<Vec<(usize, u32)>, SolverError> {
        counts.iter().map(|&(thread, count)| Ok((thread, self.value(count)? as u32))).collect()
    }

    /// The execution that the solver has found.
    fn counterexample(&mut self, bad: &Bad) -> Result<Counterexample, SolverError> {
        let ending = match (self.value(bad.violates)?, self.value(bad.fails)?) {
            (1, _) => Ending::Violates,
            (_, 1) => Ending::Fails,
            _ => Ending::Deadlock,
        };
        let mut found = Counterexample { ending, ..Counterexample::default() };
        for FirstInput { input, when } in self.unrolling.system.first_inputs.clone() {
            if self.value(when)? == 0 {
                continue;
            }
            let value = self.value(input.term)?;
            found.first_inputs.push(input_value(value, input));
        }
        let passed = self.unrolling.system.first_passed.clone();
        found.first_passed = self.counts(&passed)?;
        for step in self.unrolling.steps.clone() {
            if self.value(step.goes_on)? == 0 {
                break;
            }
            let thread = self.value(step.selected)? as usize;
            let mut counters = Vec::new();
            for &counter in &step.counters {
                counters.push(self.value(counter)? as u16);
            }
            let place = self.unrolling.system.threads[thread].place(counters[thread]);
            let (mut input, mut wakes) = (None, None);
            match place.map(|place| place.action.choice) {
                Some(Choice::Input(asked)) => input = Some(input_value(self.value(step.input)?, asked)),
                Some(Choice::Waiter { .. }) => {
                    if let Some((waiting, woken)) = step.wakes {
                        wakes = Some((self.value(waiting)? as u64, self.value(woken)? as u64));
                    }
                }
                Some(Choice::None) | None => {}
            }
            let passed = self.counts(&step.passed)?;
            found.steps.push(TakenStep { thread, counters, input, wakes, passed });
            if self.value(step.fails)? == 1 {
                break;
            }
        }
        Ok(found)
    }
}

fn input_value(value: u128, input: crate::system::Input) -> InputValue {
    let bits = (value & crate::term::mask(input.bits)) as u64;
    InputValue { bits, width: input.bits, is_bool: input.is_bool }
}
