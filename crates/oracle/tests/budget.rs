//! A search within the analysis of one execution ends when time is up, or when it is cancelled.

use everyway_explore::{Algorithm, Cut, End, Explorer, Limits, Order};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Condition, Place, Program, Register, Statement};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const X: Place = Place::at(0);

/// Which of the additions have to be left out for the sum to be odd? None of the subsets will do, and there are too many
/// sums to keep them: all 2^40 subsets would be tried.
fn subset_sum() -> Program {
    let adding = |bit: u64| vec![Statement::Add(X, 2 << bit)];
    let waiting = vec![Statement::Await(Register(0), X, Condition::Equals(1))];
    Program::new(1, (0..40).map(adding).chain([waiting]).collect())
}

/// Explores until a limit is reached; why it ended, and how long after `due`.
fn explore(limits: Limits, due: Duration) -> (Option<Cut>, Duration) {
    let mut machine = Machine::new(&subset_sum());
    let mut strategy = Algorithm::Optimal.strategy(Order::Lowest);
    let started = Instant::now();
    let end = Explorer::new(&mut machine, &mut *strategy, limits).run(|_| ControlFlow::Continue(()));
    let cut = if let End::Stopped(cut) = end { Some(cut) } else { None };
    (cut, started.elapsed().saturating_sub(due))
}

/// Generous: other tests run at the same time.
const SOON: Duration = Duration::from_secs(5);

#[test]
fn time_is_up_in_the_search_for_enabling_prefixes() {
    let time = Duration::from_millis(50);
    let (cut, late) = explore(Limits { time: Some(time), ..Limits::default() }, time);
    assert_eq!(cut, Some(Cut::Time(time)));
    assert!(late < SOON, "{late:?} too late");
}

#[test]
fn the_search_for_enabling_prefixes_is_cancelled() {
    let due = Duration::from_millis(50);
    let cancelled = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancelled: Arc::clone(&cancelled), ..Limits::default() };
    std::thread::spawn(move || {
        std::thread::sleep(due);
        cancelled.store(true, Ordering::Relaxed);
    });
    let (cut, late) = explore(limits, due);
    assert_eq!(cut, Some(Cut::Interrupted));
    assert!(late < SOON, "{late:?} too late");
}
