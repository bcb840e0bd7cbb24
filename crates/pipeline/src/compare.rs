//! The pipeline against brute force.
//!
//! For a program of the tiny language that C can express:
//!
//! 1. every strategy explores exactly the classes that brute force has, each once, in whatever order threads are tried
//!    (`executions`): classes by happens-before, of `observers` by observed happens-before, and of `reads-from` by sources;
//! 2. `optimal`, `observers` and `reads-from` start no redundant execution;
//! 3. a check by the driver, as users get it, counts as many executions;
//! 4. `naive` explores each interleaving once, so that the visible steps are those of the tiny program.

use crate::classes::{Classes, enumerate};
use crate::emit::{PRELUDE, SAMPLES, Style, emit, is_step_by_step, main_of};
use crate::executions::explore_classes;
use crate::express::expressible;
use crate::program::{Setup, explore, load_text};
use everyway_driver::Limits;
use everyway_explore::{Algorithm, Counts, Order, Verification};
use everyway_ir::Module;
use everyway_llvm::clang::Clang;
use everyway_oracle::program::Program;
use everyway_oracle::random::{self, Profile};
use everyway_oracle::shrink::shrink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A program that is to go through the pipeline.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program, as far as C can express it.
    pub program: Program,
    /// What brute force says of it.
    pub classes: Classes,
    /// How it is written down.
    pub style: Style,
    /// The seed for random orders.
    pub seed: u64,
}

impl Case {
    /// The case of a program; `None` if C cannot express it or it has more than `limit` interleavings.
    pub fn new(program: &Program, style: Style, seed: u64, limit: u64) -> Option<Self> {
        let program = expressible(program)?;
        emit(&program, "p", style)?;
        let classes = enumerate(&program, limit)?;
        Some(Self { program, classes, style, seed })
    }

    /// The random program of `profile` with this seed, in one of these styles.
    pub fn random(profile: Profile, seed: u64, limit: u64, styles: &[Style]) -> Option<Self> {
        let style = styles[seed as usize % styles.len()];
        Self::new(&random::program(profile, seed, limit as usize), style, seed, limit)
    }

    /// The C program, with names that begin with `name`.
    pub fn text(&self, name: &str) -> String {
        emit(&self.program, name, self.style).unwrap_or_default()
    }

    /// The same case made as small as it gets while it differs; and the difference, where it still does alone.
    pub fn shrink(&self, clang: &Clang, arguments: &[&str], limit: u64) -> (Self, Option<Difference>) {
        let again = |program: &Program| Self::new(program, self.style, self.seed, limit);
        let difference = |case: &Self| compare_batch(clang, std::slice::from_ref(case), arguments).pop()?;
        let Some(first) = difference(self) else { return (self.clone(), None) };
        let small = shrink(&self.program, |program| {
            again(program).and_then(|case| difference(&case)).is_some_and(|other| first.is_like(&other))
        });
        let small = again(&small).unwrap_or_else(|| self.clone());
        let difference = difference(&small);
        (small, difference)
    }
}

/// How the pipeline is wrong about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It counts something else than brute force.
    Counts(String),
    /// It explores other classes than brute force has.
    Classes(String),
    /// It does not get to the end.
    Fails(String),
}

impl Difference {
    /// Whether the other one is of the same sort: a shrunk program may be wrong in ways of its own.
    fn is_like(&self, other: &Self) -> bool {
        let sort = |text: &str| text.split_whitespace().next().map(str::to_owned);
        match (self, other) {
            (Self::Counts(_), Self::Counts(_)) | (Self::Classes(_), Self::Classes(_)) => true,
            (Self::Fails(one), Self::Fails(other)) => sort(one) == sort(other),
            _ => false,
        }
    }
}

/// Sends all cases through the pipeline in one file, and tells how each differs, if it does. `arguments` are for
/// clang.
pub fn compare_batch(clang: &Clang, cases: &[Case], arguments: &[&str]) -> Vec<Option<Difference>> {
    let name = |index: usize| format!("p{index}");
    let text: String = cases.iter().enumerate().map(|(index, case)| case.text(&name(index))).collect();
    let arguments: Vec<&str> = arguments.iter().copied().chain(["-w"]).collect();
    match load_text(clang, &(PRELUDE.to_owned() + &text), &arguments) {
        Ok(module) => {
            let compare = |(index, case)| {
                let (name, module) = (name(index), &Arc::new(select(&module, &name(index))));
                compare_counts(module, case).and_then(|()| compare_classes(module, &name, case)).err()
            };
            cases.iter().enumerate().map(compare).collect()
        }
        Err(error) => vec![Some(Difference::Fails(error)); cases.len()],
    }
}

/// The program called `name` alone.
pub fn select(module: &Module, name: &str) -> Module {
    let (prefix, main) = (format!("{name}_"), main_of(name));
    let functions = module.functions.iter().map(|function| {
        let mut kept = function.clone();
        if function.name == main {
            kept.name = "main".to_owned();
        } else if !function.name.starts_with(&prefix) {
            kept.body = None;
        }
        kept
    });
    Module { functions: functions.collect(), ..module.clone() }
}

/// Whether a check counts as many executions as there are classes, or interleavings.
fn compare_counts(module: &Arc<Module>, case: &Case) -> Result<(), Difference> {
    let mut algorithms = vec![Algorithm::Optimal, Algorithm::Observers, Algorithm::Source, Algorithm::Classic];
    if is_step_by_step(&case.program) {
        algorithms.push(Algorithm::Naive);
    }
    for algorithm in algorithms {
        let counts = run(module, case, algorithm, &Order::Lowest)?;
        let (classes, interleavings) = (case.classes.of(algorithm), case.classes.interleavings);
        let (complete, blocked) = (classes.complete(), classes.blocked());
        let is_expected = match algorithm {
            Algorithm::Naive => counts.complete + counts.blocked == interleavings,
            _ => (counts.complete, counts.blocked) == (complete, blocked),
        };
        let is_optimal = matches!(algorithm, Algorithm::Optimal | Algorithm::Observers);
        if !is_expected || is_optimal && counts.redundant > 0 {
            return Err(Difference::Counts(format!(
                "{algorithm:?}: {counts:?}, but brute force has {complete}+{blocked} classes, of {interleavings} interleavings"
            )));
        }
    }
    Ok(())
}

/// Whether every strategy explores the classes that brute force has.
fn compare_classes(module: &Arc<Module>, name: &str, case: &Case) -> Result<(), Difference> {
    let random = || Order::Random(case.seed);
    let mut runs = vec![(Algorithm::Source, Order::Lowest), (Algorithm::Classic, random())];
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::ReadsFrom] {
        runs.extend([Order::Lowest, Order::Highest, random()].map(|order| (algorithm, order)));
    }
    if is_step_by_step(&case.program) {
        runs.push((Algorithm::Naive, Order::Lowest));
    }
    for (algorithm, order) in runs {
        let found = guarded(case, algorithm, &order, |setup| explore_classes(module, name, case, setup))?;
        if let Some(difference) = found {
            return Err(Difference::Classes(format!("{algorithm:?} in order {order:?}: {difference}")));
        }
    }
    Ok(())
}

fn run(module: &Arc<Module>, case: &Case, algorithm: Algorithm, order: &Order) -> Result<Counts, Difference> {
    guarded(case, algorithm, order, |setup| explore(module, setup, |_| {}))
}

/// What an exploration comes to; an error or a panic of its is a difference.
fn guarded<T>(
    case: &Case,
    algorithm: Algorithm,
    order: &Order,
    explore: impl FnOnce(&Setup) -> Result<T, String>,
) -> Result<T, Difference> {
    // No strategy needs more executions than there are interleavings; one that is in error might.
    let limits = Limits { executions: Some(case.classes.interleavings + 1), ..Limits::default() };
    // Once without, so that what users get is compared, too.
    let verification = if matches!(order, Order::Lowest) { Verification::Off } else { Verification::Full };
    let samples = SAMPLES.to_vec();
    let setup = Setup { order: order.clone(), limits, samples, verification, ..Setup::new(algorithm) };
    let explored = catch_unwind(AssertUnwindSafe(|| explore(&setup)));
    let blame = |what: &str| Difference::Fails(format!("{what} ({algorithm:?} in order {order:?})"));
    match explored {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(failure)) => Err(blame(&failure)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
            Err(blame(&format!("panic: {text}")))
        }
    }
}
