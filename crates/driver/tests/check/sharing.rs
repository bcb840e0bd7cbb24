//! Several workers, and explorations that are stopped and gone on with: they come to what one exploration comes to.

use crate::toy::{Do, Toy};
use everyway_driver::{AfterFailure, Host, Limits, NoHost, Settings, SoFar, check, resume};
use everyway_explore::Algorithm;
use everyway_report::frontier::Exploration;
use everyway_report::{BugKind, Executions, Report, Verdict};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Four threads, two of which are spawned by the others, in an order that differs from execution to execution.
fn busy() -> Toy {
    Toy::new(&[
        &[Do::SpawnIf(3, 0, 1), Do::SpawnIf(3, 0, 2), Do::Expect(1, 0)],
        &[Do::SpawnIf(0, 2, 3), Do::Set(0, 1)],
        &[Do::Set(0, 2), Do::SpawnIf(0, 1, 3), Do::Set(1, 1)],
        &[Do::Expect(1, 1)],
    ])
}

fn settings(algorithm: Algorithm, jobs: usize) -> Settings {
    Settings {
        algorithm,
        after_failure: AfterFailure::GoOn,
        jobs: NonZeroUsize::new(jobs).expect("not 0"),
        checkpoints: Duration::ZERO,
        ..Settings::default()
    }
}

/// A bug: its kind, its line, and in how many executions it was found.
type Place = (BugKind, Option<u32>, u64);

/// What does not depend on who explored what.
fn essence(report: &Report) -> (Verdict, Executions, Vec<Place>) {
    let bug = |bug: &everyway_report::Bug| (bug.kind, bug.source.as_ref().map(|source| source.line), bug.executions);
    let mut bugs: Vec<_> = report.bugs().map(bug).collect();
    bugs.sort_by_key(|(_, line, _)| *line);
    (report.verdict, report.executions, bugs)
}

#[test]
fn workers_come_to_what_one_comes_to() {
    let alone = check(&mut busy(), &settings(Algorithm::Naive, 1), &mut NoHost);
    assert!(alone.executions.all() > 100 && alone.bugs().count() >= 2, "{alone:?}");
    for jobs in 2..6 {
        let together = check(&mut busy(), &settings(Algorithm::Naive, jobs), &mut NoHost);
        assert_eq!(essence(&together), essence(&alone), "{jobs} workers");
    }
}

#[test]
fn samples_do_not_depend_on_who_takes_them() {
    for algorithm in [Algorithm::Random { seed: 3 }, Algorithm::Pct { seed: 3, depth: 3 }] {
        let limits = Limits { executions: Some(500), ..Limits::default() };
        let run =
            |jobs| check(&mut busy(), &Settings { limits: limits.clone(), ..settings(algorithm, jobs) }, &mut NoHost);
        let alone = run(1);
        assert_eq!(alone.executions.all(), 500);
        assert!(alone.cut.iter().any(|cut| cut.contains("500 executions were picked at random")), "{:?}", alone.cut);
        for jobs in 2..5 {
            assert_eq!(essence(&run(jobs)), essence(&alone), "{jobs} workers");
        }
    }
}

#[test]
fn the_first_failure_ends_all_workers() {
    for jobs in 1..5 {
        let stop = Settings { after_failure: AfterFailure::Stop, ..settings(Algorithm::Naive, jobs) };
        let report = check(&mut busy(), &stop, &mut NoHost);
        assert_eq!((report.verdict, report.bugs().count()), (Verdict::Bug, 1), "{jobs} workers");
    }
}

#[test]
fn limits_hold_for_all_workers_together() {
    for jobs in 1..5 {
        let limits = Limits { executions: Some(100), ..Limits::default() };
        let limited = Settings { limits, ..settings(Algorithm::Naive, jobs) };
        let report = check(&mut Toy::new(&[&[Do::SpawnIf(0, 0, 1); 6], &[Do::Set(1, 1)]]), &limited, &mut NoHost);
        assert_eq!((report.verdict, report.executions.all()), (Verdict::Incomplete, 100), "{jobs} workers");
        assert_eq!(report.cut, ["the limit of 100 executions was reached"]);
    }
}

/// Stops a check after some executions, and keeps what is left.
#[derive(Default)]
struct Stopping {
    after: u64,
    flag: Arc<AtomicBool>,
    last: Option<Exploration>,
    /// All that was saved on the way.
    saved: Vec<Exploration>,
}

impl Host<Toy> for Stopping {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        if so_far.counts.executions() >= self.after {
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    fn checkpoint(&mut self, _: &Toy, exploration: Exploration) -> Result<Option<String>, String> {
        self.saved.extend(self.last.replace(exploration));
        Ok(Some("go on".to_owned()))
    }

    fn finished(&mut self, _: Exploration) {
        self.last = None;
    }
}

#[test]
fn an_exploration_that_was_stopped_goes_on_to_the_same_end() {
    let whole = essence(&check(&mut busy(), &settings(Algorithm::Naive, 1), &mut NoHost));
    for (jobs, every) in [(1, 1), (1, 40), (2, 50), (3, 30)] {
        let mut toy = busy();
        let mut stops = 0;
        let mut left: Option<Exploration> = None;
        let report = loop {
            let explored = left.as_ref().map_or(0, |left| left.executions.all());
            // One execution at a time would take long to come to the end.
            let after = if every == 1 { explored + 1 + stops * stops } else { explored + every };
            let mut host = Stopping { after, ..Stopping::default() };
            let limits = Limits { cancelled: Arc::clone(&host.flag), ..Limits::default() };
            let settings = Settings { limits, ..settings(Algorithm::Naive, jobs) };
            let report = match left.take() {
                None => check(&mut toy, &settings, &mut host),
                Some(left) => resume(&mut toy, &settings, &mut host, left).expect("it is its own"),
            };
            match host.last {
                Some(last) => {
                    assert!(report.notes.contains(&"go on".to_owned()));
                    left = Some(last);
                    stops += 1;
                }
                None => break report,
            }
        };
        assert!(stops > 0 || jobs > 1, "it was never stopped");
        assert_eq!(essence(&report), whole, "{jobs} workers, stopped {stops} times");
    }
}

/// What was saved on the way, and not when it was stopped: as after a process that was killed.
#[test]
fn what_was_saved_on_the_way_is_enough_to_go_on() {
    let whole = essence(&check(&mut busy(), &settings(Algorithm::Naive, 1), &mut NoHost));
    for jobs in [1, 3] {
        let mut host = Stopping { after: u64::MAX, ..Stopping::default() };
        check(&mut busy(), &settings(Algorithm::Naive, jobs), &mut host);
        let saved = std::mem::take(&mut host.saved);
        assert!(jobs > 1 || saved.len() > 1, "{}", saved.len());
        for exploration in saved.into_iter().take(12) {
            let report = resume(&mut busy(), &settings(Algorithm::Naive, 2), &mut NoHost, exploration);
            let (verdict, executions, bugs) = essence(&report.expect("it is its own"));
            // In how many executions a bug shows is known when the exploration ends; what was found is not lost.
            assert_eq!((verdict, executions), (whole.0, whole.1), "{jobs} workers");
            let places = |bugs: &[Place]| bugs.iter().map(|bug| bug.1).collect::<Vec<_>>();
            assert_eq!(places(&bugs), places(&whole.2));
        }
    }
}

#[test]
fn what_is_made_up_is_refused() {
    let made_up = |stage: &str, assumption: &[&str], subtree: &str| {
        let assumptions = assumption.iter().map(|&name| name.to_owned()).collect();
        let exploration = Exploration { assumptions, ..Exploration::default() };
        let exploration = Exploration { stage: stage.to_owned(), subtrees: vec![subtree.to_owned()], ..exploration };
        resume(&mut busy(), &settings(Algorithm::Naive, 2), &mut NoHost, exploration)
    };
    for (stage, assumptions, subtree) in
        [("later", &[][..], "steps 0"), ("assuming", &["cleverness"][..], "steps 0"), ("assuming", &[][..], "stairs 0")]
    {
        assert!(made_up(stage, assumptions, subtree).is_err(), "{stage} {assumptions:?} {subtree}");
    }
    for subtree in ["steps 0.7", "steps 0:9", "samples 0..4", "graph > here"] {
        let report = made_up("assuming", &[], subtree).expect("it is understood");
        assert_eq!(report.verdict, Verdict::Incomplete, "{subtree}");
        assert_eq!(report.cut, ["what was saved of an exploration is not of this program, or is damaged"]);
    }
}

/// Asks how many executions there may be in all, and waits a little for those who find out.
#[derive(Default)]
struct Curious {
    /// What was told, after so many executions.
    told: Vec<(u64, f64)>,
}

impl Host<Toy> for Curious {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        if let Some(total) = (so_far.estimate)().total {
            self.told.push((so_far.counts.executions(), total));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// By walks at random, whoever explores, and although what was explored so far tells something else.
#[test]
fn how_many_there_may_be_is_known_early() {
    // Where the first thread goes first, the others have nothing to do: what comes first says little of what comes later.
    let mut toy = Toy::new(&[
        &[Do::SpawnIf(3, 0, 1), Do::SpawnIf(3, 0, 2), Do::Set(0, 1), Do::Set(1, 1)],
        &[Do::SpawnIf(0, 0, 3), Do::SpawnIf(1, 0, 3)],
        &[Do::Set(2, 1), Do::SpawnIf(0, 0, 3)],
        &[Do::Set(2, 2), Do::Set(2, 3)],
    ]);
    let whole = check(&mut toy, &settings(Algorithm::Naive, 1), &mut NoHost).executions.all();
    let mut host = Curious::default();
    let limits = Limits { executions: Some(200), ..Limits::default() };
    check(&mut toy, &Settings { limits, ..settings(Algorithm::Naive, 1) }, &mut host);
    let close = |total: f64| (0.5..=2.0).contains(&(total / whole as f64));
    let early = host.told.iter().filter(|(after, _)| (100..=200).contains(after));
    assert!(early.clone().count() > 50 && early.clone().all(|(_, total)| close(*total)), "{whole}: {:?}", host.told);
}
