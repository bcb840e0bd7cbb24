//! Every strategy against brute force.
//!
//! For a program with the classes that all its interleavings fall into - by happens-before, as far as it is observed,
//! or by sources, as the strategy has it:
//!
//! 1. every exhaustive strategy explores exactly those classes;
//! 2. all but `naive` explore none of them twice, and `naive` explores each interleaving once;
//! 3. `optimal`, `observers` and `reads-from` start no redundant execution, in whatever order threads are tried;
//! 4. the engine's happens-before relation is the oracle's, in every execution;
//! 5. a program with loops that spin comes to the same, under a fair scheduler, as with awaits in their place;
//! 6. a program that is rewound by running it again has the same classes and counts as one that is undone, whether
//!    the engine checks itself or not.

use crate::brute::{self, Brute};
use crate::machine::Machine;
use crate::program::Program;
use crate::reexecuting::Reexecuting;
use crate::relation::{Class, History};
use crate::sources::{self, BySources};
use crate::spin::{Loops, Outcome, has_spins, lower, may_give_up, outcomes};
use everyway_explore::EventId;
use everyway_explore::{Algorithm, Counts, Cut, End, Ending, Explorer, Guarantee, Limits, Order, Trace, Verification};
use everyway_runtime::{Execution, Performed};
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a comparison came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All strategies agree with brute force.
    Agrees {
        /// The number of classes.
        classes: usize,
        /// The number of maximal interleavings.
        interleavings: usize,
    },
    /// There are more interleavings than the limit.
    Skipped,
    /// Some strategy is wrong: which, and how.
    Differs(String),
}

/// The strategies that explore everything.
pub const EXHAUSTIVE: [Algorithm; 6] = [
    Algorithm::Naive,
    Algorithm::Classic,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::ReadsFrom,
];

/// Compares `strategies` with brute force, unless `program` has more than `limit` maximal interleavings.
pub fn compare(program: &Program, strategies: &[Algorithm], limit: usize, seed: u64) -> Verdict {
    let compared = catch_unwind(AssertUnwindSafe(|| match has_spins(program) {
        true => with_and_without_loops(program, strategies, limit, seed),
        false => with_brute_force(program, strategies, limit, seed),
    }));
    match compared {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(difference)) => Verdict::Differs(difference),
        Err(panic) => Verdict::Differs(format!("panic: {}", message(&*panic))),
    }
}

fn with_brute_force(program: &Program, strategies: &[Algorithm], limit: usize, seed: u64) -> Result<Verdict, String> {
    let Some(brute) = brute::enumerate(program, limit) else { return Ok(Verdict::Skipped) };
    let by_sources = match strategies.contains(&Algorithm::ReadsFrom) {
        true => sources::enumerate(program, limit).expect("no more interleavings than there were"),
        false => BySources::default(),
    };
    all_strategies(program, strategies, &Expected { brute: &brute, by_sources: &by_sources }, seed)?;
    Ok(Verdict::Agrees { classes: brute.classes.len(), interleavings: brute.interleavings })
}

/// What to compare with.
#[derive(Clone, Copy)]
struct Expected<'a> {
    brute: &'a Brute,
    by_sources: &'a BySources,
}

/// How many states there may be for each interleaving that there may be.
const STATES_PER_INTERLEAVING: usize = 10;

/// Compares what `program` comes to when its loops go round with what it comes to when they wait instead, and the
/// strategies with brute force on each way of waiting. What is given up is no outcome; what waits for ever must spin
/// for ever.
fn with_and_without_loops(
    program: &Program,
    strategies: &[Algorithm],
    limit: usize,
    seed: u64,
) -> Result<Verdict, String> {
    let states = limit * STATES_PER_INTERLEAVING;
    let Some(expected) = outcomes(&lower(program, Loops::Plain), states) else { return Ok(Verdict::Skipped) };
    let mut total = (0, 0);
    for loops in [Loops::Assumes, Loops::Awaits, Loops::Hints] {
        let lowered = lower(program, loops);
        let Some(found) = outcomes(&lowered, states) else { return Ok(Verdict::Skipped) };
        let gives_up = may_give_up(program, loops);
        let counts = |outcome: &&Outcome| !gives_up || outcome.is_complete();
        let missed = expected.iter().filter(counts).find(|outcome| !found.contains(outcome));
        let invented = found.iter().filter(counts).find(|outcome| !expected.contains(outcome));
        if missed.is_some() || invented.is_some() {
            return Err(format!("{loops:?} instead of loops miss {missed:?} and invent {invented:?}"));
        }
        match with_brute_force(&lowered, strategies, limit, seed) {
            Ok(Verdict::Agrees { classes, interleavings }) => total = (total.0 + classes, total.1 + interleavings),
            Ok(verdict) => return Ok(verdict),
            Err(difference) => return Err(format!("{loops:?} instead of loops: {difference}")),
        }
    }
    Ok(Verdict::Agrees { classes: total.0, interleavings: total.1 })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

fn all_strategies(
    program: &Program,
    strategies: &[Algorithm],
    expected: &Expected<'_>,
    seed: u64,
) -> Result<(), String> {
    let brute = expected.brute;
    for &algorithm in strategies {
        let run = |order, verification| Run::new(program, *expected, algorithm, order, verification);
        let counts = run(Order::Lowest, Verification::Full).check(&mut Machine::new(program))?;
        let (executions, interleavings) = (counts.executions(), brute.interleavings as u64);
        if algorithm == Algorithm::Naive && executions != interleavings {
            return Err(format!("naive explored {executions} interleavings of {interleavings}"));
        }
        let again = run(Order::Lowest, Verification::Off).check(&mut Reexecuting::new(program))?;
        if again != counts {
            return Err(format!("{algorithm:?}: {counts:?}, but {again:?} when rewinding by running again"));
        }
        if algorithm != Algorithm::Naive {
            run(Order::Highest, Verification::Off).check(&mut Machine::new(program))?;
            run(Order::Random(seed), Verification::Full).check(&mut Machine::new(program))?;
        }
    }
    Ok(())
}

/// An execution of the engine once more, as the oracle sees it.
pub(crate) fn run_again(program: &Program, trace: &Trace) -> (Machine, History) {
    let mut machine = Machine::new(program);
    let mut history = History::default();
    for step in trace.steps() {
        let Ok(()) = machine.step(step, &mut Performed::default());
        history.push(machine.deed().clone());
    }
    (machine, history)
}

/// The counts of exploring `program` to the end.
///
/// # Panics
/// When the exploration does not end by itself.
pub fn counts_of<X: Execution>(program: &mut X, algorithm: Algorithm, order: Order) -> Counts {
    let mut strategy = algorithm.strategy(order);
    let mut explorer = Explorer::new(program, &mut *strategy, Limits::default());
    let end = explorer.run(|_| ControlFlow::Continue(()));
    assert!(matches!(end, End::Finished), "the exploration was cut short");
    explorer.counts()
}

/// One strategy at work on one program.
struct Run<'a> {
    program: &'a Program,
    expected: Expected<'a>,
    algorithm: Algorithm,
    order: Order,
    verification: Verification,
    found: FxHashSet<Class>,
    difference: Option<String>,
}

impl<'a> Run<'a> {
    fn new(
        program: &'a Program,
        expected: Expected<'a>,
        algorithm: Algorithm,
        order: Order,
        verification: Verification,
    ) -> Self {
        Self { program, expected, algorithm, order, verification, found: FxHashSet::default(), difference: None }
    }

    /// Explores `execution`, which is one of the program.
    fn check<X: Execution>(mut self, execution: &mut X) -> Result<Counts, String> {
        let mut strategy = self.algorithm.strategy(self.order.clone());
        // No strategy needs more executions than there are interleavings; one that is in error might.
        let limits = Limits { executions: Some(self.expected.brute.interleavings as u64 + 1), ..Limits::default() };
        let mut explorer = Explorer::new(execution, &mut *strategy, limits).with_order().verified(self.verification);
        let end = explorer.run(|progress| {
            if progress.counts.executions() == 1 {
                // The first one, or the first one after the strategy has started over.
                self.found.clear();
            }
            self.difference = self.judge(progress.trace, progress.ending).err();
            if self.difference.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let counts = explorer.counts();
        let promised = strategy.guarantee() == Guarantee::Optimal;
        if let Some(difference) = self.difference.take() {
            return Err(self.blame(&difference));
        }
        match end {
            End::Stopped(Cut::Executions(limit)) => return Err(self.blame(&format!("explored {limit} executions"))),
            End::Finished => {}
            _ => return Err(self.blame("did not finish")),
        }
        let (found, all) = (self.found.len(), self.classes().len());
        if found != all {
            return Err(self.blame(&format!("found {found} of {all} classes")));
        }
        if promised && counts.redundant > 0 {
            return Err(self.blame(&format!("{} executions were redundant", counts.redundant)));
        }
        Ok(counts)
    }

    /// The classes that the strategy is to explore.
    fn classes(&self) -> &FxHashMap<Class, Vec<u64>> {
        match self.algorithm {
            Algorithm::Observers => &self.expected.brute.observed,
            Algorithm::ReadsFrom => &self.expected.by_sources.classes,
            _ => &self.expected.brute.classes,
        }
    }

    fn blame(&self, what: &str) -> String {
        format!("{:?} in order {:?}, verification {:?}: {what}", self.algorithm, self.order, self.verification)
    }

    /// Looks at one execution of the engine.
    fn judge(&mut self, trace: &Trace, ending: Ending) -> Result<(), String> {
        let (machine, history) = run_again(self.program, trace);
        for later in trace.events_from(0) {
            for earlier in (0..=later.index()).map(EventId::new) {
                let ordered = history.happens_before(earlier.index(), later.index());
                if trace.happens_before(earlier, later) != ordered {
                    let relation = if ordered { "happens before" } else { "is independent of" };
                    return Err(format!("the engine does not know that {earlier} {relation} {later} in\n{history}"));
                }
            }
        }
        // Once per class is enough of this.
        let differs = |&event: &EventId| trace.predecessors(event) != history.direct(event);
        if let Some(event) = trace.events_from(0).filter(|_| self.algorithm == Algorithm::Optimal).find(differs) {
            return Err(format!("the engine does not know what comes just before {event} in\n{history}"));
        }
        if ending == Ending::Redundant {
            return Ok(());
        }
        let class = match self.algorithm {
            Algorithm::Observers => history.observed(&self.expected.brute.watched).class(machine.fates()),
            Algorithm::ReadsFrom => self.expected.by_sources.ordering.class(&history, machine.fates()),
            _ => history.class(machine.fates()),
        };
        if !self.classes().contains_key(&class) {
            return Err(format!("explored what cannot happen:\n{history}"));
        }
        if !self.found.insert(class) && self.algorithm != Algorithm::Naive {
            return Err(format!("explored a class twice:\n{history}"));
        }
        Ok(())
    }
}
