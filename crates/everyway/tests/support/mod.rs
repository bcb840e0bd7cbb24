//! What the tests have in common: counts, outcomes and bugs of a closure.

#![allow(dead_code, reason = "no test uses all of it")]

use everyway::report::{Bug, BugKind, Report, Verdict};
use everyway::{Algorithm, Builder, MemoryModel, Order};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Explores `f` with whichever thread first: nothing must fail, nothing be redundant or blocked, and the number
/// of executions, which is returned, be the same.
#[track_caller]
pub(crate) fn executions(f: impl Fn() + Sync) -> u64 {
    executions_by(Algorithm::Optimal, f)
}

/// The same under `observers`.
#[track_caller]
pub(crate) fn executions_with_observers(f: impl Fn() + Sync) -> u64 {
    executions_by(Algorithm::Observers, f)
}

#[track_caller]
fn executions_by(algorithm: Algorithm, f: impl Fn() + Sync) -> u64 {
    let [first, second, third] = [Order::Lowest, Order::Highest, Order::Random(7)].map(|order| {
        let report = Builder::new().algorithm(algorithm).order(order).explore(&f);
        verified(&report);
        assert_eq!((report.executions.blocked, report.executions.redundant), (0, 0));
        report.executions.complete
    });
    assert_eq!((first, first), (second, third), "the number of executions depends on who goes first");
    first
}

/// Asserts that nothing failed and everything was explored.
#[track_caller]
pub(crate) fn verified(report: &Report) {
    let text = everyway::render::text::render(report, everyway::render::text::Style { color: false, width: 120 });
    assert_eq!(report.verdict, Verdict::Verified, "{text}");
}

/// All results of `f`.
#[track_caller]
pub(crate) fn outcomes<T: Ord + Send + std::fmt::Debug>(f: impl Fn() -> T + Sync) -> BTreeSet<T> {
    let optimal = outcomes_by(Algorithm::Optimal, Order::Lowest, &f);
    assert_eq!(optimal, outcomes_by(Algorithm::Optimal, Order::Random(3), &f));
    assert_eq!(optimal, outcomes_by(Algorithm::Source, Order::Highest, &f));
    assert_eq!(optimal, outcomes_by(Algorithm::Observers, Order::Lowest, &f));
    assert_eq!(optimal, outcomes_by(Algorithm::ReadsFrom, Order::Lowest, &f));
    optimal
}

/// All results of `f`, of which there are so few executions that every interleaving can be run to compare.
#[track_caller]
pub(crate) fn outcomes_small<T: Ord + Send + std::fmt::Debug>(f: impl Fn() -> T + Sync) -> BTreeSet<T> {
    let optimal = outcomes(&f);
    assert_eq!(optimal, outcomes_by(Algorithm::Naive, Order::Lowest, &f), "not what all interleavings give");
    optimal
}

/// All results of `f` that an algorithm finds.
#[track_caller]
pub(crate) fn outcomes_by<T: Ord + Send>(algorithm: Algorithm, order: Order, f: impl Fn() -> T + Sync) -> BTreeSet<T> {
    outcomes_of(Builder::new().algorithm(algorithm).order(order), f)
}

/// All results of `f` as interleavings, where its orderings allow more: those of every interleaving.
#[track_caller]
pub(crate) fn outcomes_interleaved<T: Ord + Send + std::fmt::Debug>(f: impl Fn() -> T + Sync) -> BTreeSet<T> {
    let by = |algorithm| outcomes_of(Builder::new().algorithm(algorithm).memory_model(MemoryModel::Sc), &f);
    let all = by(Algorithm::Naive);
    let graphs = Algorithm::Graphs { model: MemoryModel::Sc };
    for algorithm in [Algorithm::Optimal, Algorithm::Source, Algorithm::Observers, Algorithm::ReadsFrom, graphs] {
        assert_eq!(by(algorithm), all, "{algorithm:?}");
    }
    all
}

#[track_caller]
fn outcomes_of<T: Ord + Send>(builder: Builder, f: impl Fn() -> T + Sync) -> BTreeSet<T> {
    let found = Mutex::new(BTreeSet::new());
    let report = builder.explore(|| {
        let result = f();
        found.lock().unwrap().insert(result);
    });
    verified(&report);
    found.into_inner().unwrap()
}

/// All results of `f` under a memory model; that of its orderings if there is none.
#[track_caller]
pub(crate) fn outcomes_under<T: Ord + Send + std::fmt::Debug>(
    model: Option<MemoryModel>,
    f: impl Fn() -> T + Sync,
) -> BTreeSet<T> {
    let [first, second, third] = [Order::Lowest, Order::Highest, Order::Random(7)].map(|order| {
        let found = Mutex::new(BTreeSet::new());
        let builder = Builder::new().order(order);
        let builder = model.map_or(builder.clone(), |model| builder.memory_model(model));
        verified(&builder.explore(|| {
            let result = f();
            found.lock().unwrap().insert(result);
        }));
        found.into_inner().unwrap()
    });
    assert_eq!((&first, &first), (&second, &third), "the results depend on who goes first");
    first
}

/// What goes wrong in `f`.
#[track_caller]
pub(crate) fn bug(f: impl Fn() + Sync) -> Bug {
    bug_of(Builder::new(), f)
}

/// What goes wrong in `f`, with these settings.
#[track_caller]
pub(crate) fn bug_of(builder: Builder, f: impl Fn() + Sync) -> Bug {
    let report = builder.explore(f);
    assert_eq!(report.verdict, Verdict::Bug);
    report.bug.expect("a verdict of a bug comes with one")
}

/// Asserts that `f` panics in some execution, with this message.
#[track_caller]
pub(crate) fn panics_with(message: &str, f: impl Fn() + Sync) -> Bug {
    let bug = bug(f);
    assert_eq!(bug.kind, BugKind::Panic, "{}", bug.message);
    assert!(bug.message.contains(message), "`{}` does not contain `{message}`", bug.message);
    bug
}
