//! How far an exploration goes: so many executions, so many steps, until it is cancelled.

use everyway_explore::{
    AfterFailure, Algorithm, Counts, Cut, End, Explorer, Limits, MemoryModel, Order, Progress, Trace, Watcher,
};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Place, Program, Register, Statement};
use everyway_runtime::Execution;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const ALL: [Algorithm; 8] = [
    Algorithm::Naive,
    Algorithm::Classic,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::ReadsFrom,
    Algorithm::Graphs { model: MemoryModel::Sc },
    Algorithm::Random { seed: 1 },
];

fn adds(count: usize) -> Vec<Statement> {
    vec![Statement::FetchAdd(Register(0), Place::at(0), 1); count]
}

fn explore(program: &Program, algorithm: Algorithm, limits: Limits) -> (End<Infallible>, Counts) {
    let (mut machine, mut strategy) = (Machine::new(program), algorithm.strategy(Order::Lowest));
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, limits);
    let end = explorer.run(|_| ControlFlow::Continue(()));
    (end, explorer.counts())
}

#[test]
fn as_many_executions_as_are_allowed() {
    // Three threads that add once each come in 6 orders.
    let program = Program::new(1, vec![adds(1); 3]);
    for algorithm in ALL {
        for limit in 1..6 {
            let limits = Limits { executions: Some(limit), ..Limits::default() };
            let (end, counts) = explore(&program, algorithm, limits);
            let is_cut = matches!(end, End::Stopped(Cut::Executions(cut)) if cut == limit);
            assert!(is_cut, "{}: {end:?}", algorithm.name());
            assert_eq!(counts.executions(), limit, "{}", algorithm.name());
        }
    }
}

/// Two threads take three steps each. An execution of six steps may have six, and not five.
#[test]
fn as_many_steps_as_are_allowed() {
    let program = Program::new(1, vec![adds(3); 2]);
    for algorithm in ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::Random { seed: 1 }) {
        for steps in 1..6 {
            let (end, counts) = explore(&program, algorithm, Limits { steps, ..Limits::default() });
            let is_cut = matches!(end, End::Stopped(Cut::Steps(cut)) if cut == steps);
            assert!(is_cut && counts.executions() == 0, "{}: {end:?} {counts:?}", algorithm.name());
        }
        let (end, counts) = explore(&program, algorithm, Limits { steps: 7, ..Limits::default() });
        assert!(matches!(end, End::Finished), "{}: {end:?}", algorithm.name());
        assert_eq!(counts.complete, 20, "6 over 3, by {}", algorithm.name());
    }
}

/// Goes on after executions that are too long.
struct GoesOn;

impl<X: Execution> Watcher<X> for GoesOn {
    fn executed(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn failed(&mut self, _: &X::Failure, _: &X, _: &Trace) -> AfterFailure {
        AfterFailure::Stop
    }

    fn too_long(&mut self, _: &X, _: &Trace) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Samples that are too long are given up one by one. An exploration of everything would come to this time and again, and ends.
#[test]
fn samples_that_are_too_long_are_counted() {
    let program = Program::new(1, vec![adds(3); 2]);
    let samples = [Algorithm::Random { seed: 1 }, Algorithm::Pct { seed: 1, depth: 2 }];
    for algorithm in ALL.into_iter().chain(samples) {
        let limits = Limits { steps: 5, executions: Some(10), ..Limits::default() };
        let (mut machine, mut strategy) = (Machine::new(&program), algorithm.strategy(Order::Lowest));
        let mut explorer = Explorer::new(&mut machine, &mut *strategy, limits);
        let end = explorer.run_watched(&mut GoesOn);
        let counts = explorer.counts();
        let name = algorithm.name();
        if samples.contains(&algorithm) {
            assert!(matches!(end, End::Stopped(Cut::Executions(10))), "{name}: {end:?}");
            assert_eq!((counts.complete, counts.too_long), (0, 10), "{name}");
        } else {
            assert!(matches!(end, End::Stopped(Cut::Steps(5))), "{name}: {end:?}");
        }
    }
}

/// What a thread does while there is no other one does not count against the limit of steps, up to so many times as many.
#[test]
fn steps_that_a_thread_takes_alone_do_not_count() {
    // Alone up to the spawn: 40 steps; then two threads with one step each.
    let first: Vec<Statement> = adds(40).into_iter().chain([Statement::Spawn(1)]).chain(adds(1)).collect();
    let program = Program::new(1, vec![first, adds(1)]);
    let end = |steps, alone| {
        let limits = Limits { steps, alone, ..Limits::default() };
        explore(&program, Algorithm::Optimal, limits).0
    };
    assert!(matches!(end(10, 1), End::Stopped(Cut::Steps(10))), "all steps count");
    assert!(matches!(end(10, 30), End::Finished), "those in company are few");
    assert!(matches!(end(10, 4), End::Stopped(Cut::Steps(10))), "it has more than 4 times as many");
    let end = |program: Program| {
        let limits = Limits { steps: 10, alone: 30, ..Limits::default() };
        explore(&program, Algorithm::Optimal, limits).0
    };
    let company = end(Program::new(1, vec![adds(30), adds(1)]));
    assert!(matches!(company, End::Stopped(Cut::Steps(10))), "all of these steps are taken in company: {company:?}");
    let spawned = [Statement::Spawn(1)].into_iter().chain(adds(30)).collect();
    let company = end(Program::new(1, vec![spawned, adds(1)]));
    assert!(matches!(company, End::Stopped(Cut::Steps(10))), "all but the first are: {company:?}");
    let joined = [Statement::Spawn(1), Statement::Join(1)].into_iter().chain(adds(40)).collect();
    let alone = end(Program::new(1, vec![joined, adds(1)]));
    assert!(matches!(alone, End::Finished), "the other one has been joined: {alone:?}");
}

#[test]
fn what_is_cancelled_ends() {
    let program = Program::new(1, vec![adds(2); 3]);
    for algorithm in ALL {
        let cancelled = Arc::new(AtomicBool::new(true));
        let limits = Limits { cancelled, ..Limits::default() };
        assert!(limits.is_cancelled() && !Limits::default().is_cancelled());
        let (end, counts) = explore(&program, algorithm, limits);
        assert!(matches!(end, End::Stopped(Cut::Interrupted)), "{}: {end:?}", algorithm.name());
        assert!(counts.executions() <= 1, "{}: {counts:?}", algorithm.name());
    }
}
