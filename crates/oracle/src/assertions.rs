//! Assertions: every strategy finds all that can fail.
//!
//! An assertion is an assumption by another name. A program with some of them is run in two ways. Brute force ends an
//! execution where an assertion fails, as a program ends that aborts; to be fair, it lets other threads move between
//! the last step of a thread and its assertion. The engine goes on after failures, and leaves the thread that failed
//! where it is. Both must come to the same set of assertions that can fail. That is:
//!
//! 1. whatever can be the first failure of an execution is found, by every strategy and in whatever order threads
//!    are tried;
//! 2. whatever is found can be the first failure of an execution;
//! 3. each of them fails again if only the steps are taken that happen before it.

use crate::machine::Machine;
use crate::program::{Condition, Program, REGISTERS, Register, Statement, Test};
use everyway_explore::{
    AfterFailure, Algorithm, Counts, End, Explorer, Limits, Order, Progress, Trace, Verification, Watcher,
};
use everyway_runtime::{Execution, Halt, Performed, State, Step, ready};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// An assertion: of which thread, and how many of that thread stand before it.
pub type Assertion = (usize, usize);

/// `program` with assertions at random places.
pub fn sprinkle(program: &Program, seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let mut sprinkled = program.clone();
    for body in &mut sprinkled.threads {
        insert(body, &mut random);
    }
    sprinkled
}

fn insert(body: &mut Vec<Statement>, random: &mut Rng) {
    for position in (0..=body.len()).rev() {
        if random.u8(0..3) == 0 {
            // Most hold of a register that nothing has been read into.
            let condition = match random.u8(0..10) {
                0..=3 => Condition::Differs(random.u64(1..4)),
                4..=6 => Condition::Below(random.u64(1..4)),
                7 | 8 => Condition::Equals(0),
                _ => Condition::Equals(1),
            };
            let test = Test { register: Register(random.u8(0..2)), condition };
            body.insert(position, Statement::Assume(test));
        }
        if let Some(Statement::If(_, inner)) = body.get_mut(position) {
            insert(inner, random);
        }
    }
}

/// `program` with a visible step of its own before each assertion.
fn separated(body: &[Statement]) -> Vec<Statement> {
    const UNUSED: Register = Register(REGISTERS as u8 - 1);
    let mut separate = Vec::new();
    for statement in body {
        match statement {
            Statement::Assume(_) => separate.extend([Statement::Choose(UNUSED, 1), statement.clone()]),
            Statement::If(test, inner) => separate.push(Statement::If(*test, separated(inner))),
            Statement::While(test, inner) => separate.push(Statement::While(*test, separated(inner))),
            _ => separate.push(statement.clone()),
        }
    }
    separate
}

/// The assertions that are the first to fail in some execution; `None` if there are more than `limit` of those.
pub fn first_failures(program: &Program, limit: usize) -> Option<BTreeSet<Assertion>> {
    let threads = program.threads.iter().map(|body| separated(body)).collect();
    let mut search = Search {
        machine: Asserting::new(&Program { threads, ..program.clone() }),
        found: BTreeSet::new(),
        left: limit,
    };
    search.explore(0).then_some(search.found)
}

struct Search {
    machine: Asserting,
    found: BTreeSet<Assertion>,
    left: usize,
}

impl Search {
    /// Explores everything from the current state; whether that stayed within the limit.
    fn explore(&mut self, depth: usize) -> bool {
        let threads: Vec<_> = ready(&self.machine).collect();
        if threads.is_empty() {
            self.left = self.left.saturating_sub(1);
        }
        for thread in threads {
            for choice in 0..self.machine.choices(thread) {
                match self.machine.step(Step { thread, choice }, &mut Performed::default()) {
                    Ok(()) => {
                        if !self.explore(depth + 1) {
                            return false;
                        }
                    }
                    Err(Halt::Failure(failed) | Halt::Diverged(failed)) => {
                        self.found.insert(failed);
                        while let Some(failed) = self.machine.further_failure() {
                            self.found.insert(failed);
                        }
                    }
                }
                let Ok(()) = self.machine.rewind(depth) else { return false };
            }
        }
        self.left > 0
    }
}

/// What a strategy finds that goes on after failures.
///
/// # Errors
/// When it does not come to an end, or one of the failures does not happen again.
pub fn failures(
    program: &Program,
    algorithm: Algorithm,
    order: Order,
) -> Result<(BTreeSet<Assertion>, Counts), String> {
    let mut machine = Asserting::new(program);
    let mut strategy = algorithm.strategy(order);
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).verified(Verification::Full);
    let mut watcher = Collecting { program, found: BTreeSet::new(), unreal: None };
    let end = explorer.run_watched(&mut watcher);
    match (end, watcher.unreal) {
        (_, Some((thread, number))) => Err(format!("assertion {number} of t{thread} does not fail again")),
        (End::Finished, None) => Ok((watcher.found, explorer.counts())),
        (end, None) => Err(format!("ended with {end:?}")),
    }
}

struct Collecting<'a> {
    program: &'a Program,
    found: BTreeSet<Assertion>,
    /// A failure that does not happen again.
    unreal: Option<Assertion>,
}

impl Watcher<Asserting> for Collecting<'_> {
    fn executed(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        if self.unreal.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failed(&mut self, failure: &Assertion, _: &Asserting, trace: &Trace) -> AfterFailure {
        if self.found.insert(*failure) && !fails_again(self.program, failure, trace) {
            self.unreal = Some(*failure);
        }
        AfterFailure::GoOn(0)
    }
}

/// Whether the steps that happen before the last one lead to the failure, too.
fn fails_again(program: &Program, failure: &Assertion, trace: &Trace) -> bool {
    let mut machine = Asserting::new(program);
    let Some(last) = trace.events_from(0).next_back() else { return machine.pending.contains(failure) };
    let steps = trace.events_from(0).filter(|&event| trace.happens_before(event, last));
    let mut failed = None;
    for event in steps {
        failed = machine.step(trace.event(event).step, &mut Performed::default()).err();
    }
    matches!(failed, Some(Halt::Failure(first)) if first == *failure) || machine.pending.contains(failure)
}

/// Compares all strategies with brute force; what is wrong, if anything is. `None` if the program is too large.
pub fn compare(program: &Program, strategies: &[Algorithm], limit: usize, seed: u64) -> Option<Result<usize, String>> {
    let expected = first_failures(program, limit)?;
    for &algorithm in strategies {
        for order in [Order::Lowest, Order::Highest, Order::Random(seed)] {
            let blame = |what: String| Some(Err(format!("{algorithm:?} in order {order:?}: {what}")));
            match failures(program, algorithm, order.clone()) {
                Err(what) => return blame(what),
                Ok((found, _)) if found != expected => {
                    return blame(format!("{found:?}, and not {expected:?}, can fail"));
                }
                Ok(_) => {}
            }
        }
    }
    Some(Ok(expected.len()))
}

/// A machine whose assumptions are assertions.
#[derive(Debug)]
struct Asserting {
    machine: Machine,
    pending: Vec<Assertion>,
}

impl Asserting {
    fn new(program: &Program) -> Self {
        let machine = Machine::new(program);
        let pending = machine.failed_assumptions().collect();
        Self { machine, pending }
    }
}

crate::machine::state_of_machine!(Asserting);

impl Execution for Asserting {
    type Failure = Assertion;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Assertion>> {
        let before: Vec<Assertion> = self.machine.failed_assumptions().collect();
        let Ok(()) = self.machine.step(step, performed);
        self.pending = self.machine.failed_assumptions().filter(|failed| !before.contains(failed)).collect();
        self.further_failure().map_or(Ok(()), |failed| Err(Halt::Failure(failed)))
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Assertion>> {
        self.pending.clear();
        let Ok(()) = self.machine.rewind(depth);
        Ok(())
    }

    fn further_failure(&mut self) -> Option<Assertion> {
        self.pending.pop()
    }

    fn blocked(&mut self) -> Option<Assertion> {
        None
    }
}
