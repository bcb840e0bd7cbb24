//! Several strategies side by side.

use crate::toy::{Do, Toy};
use crate::{Memory, either_fails};
use everyway_driver::{Limits, NoHost, Settings, check, resume};
use everyway_explore::Algorithm;
use everyway_report::Verdict;
use everyway_report::frontier::Exploration;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn settings() -> Settings {
    Settings { algorithm: Algorithm::Portfolio { seed: 1 }, ..Settings::default() }
}

/// Two threads that write what none of them minds.
fn right() -> Toy {
    Toy::new(&[&[Do::SpawnIf(1, 0, 1), Do::Set(0, 1)], &[Do::Set(0, 2), Do::Set(2, 1)]])
}

/// Far too many interleavings of steps that conflict.
fn endless() -> Toy {
    let writes: Vec<Do> = (0..12).map(|value| Do::Set(0, value)).collect();
    let reads: Vec<Do> = (0..12).map(|_| Do::SpawnIf(0, 77, 1)).collect();
    let first: Vec<Do> = [1, 2, 3].map(|body| Do::SpawnIf(3, 0, body)).into_iter().chain(reads.clone()).collect();
    Toy::new(&[&first, &reads, &writes, &writes])
}

#[test]
fn the_first_failure_wins_and_is_saved_once() {
    let mut host = Memory::default();
    let report = check(&mut either_fails(), &settings(), &mut host);
    assert_eq!((report.verdict, report.strategy.as_str()), (Verdict::Bug, "portfolio"));
    assert!(report.notes[0].starts_with("of the portfolio, `"), "{:?}", report.notes);
    assert!(
        report.notes[0].ends_with("` has found it") || report.notes[0].contains("`pct` of depth"),
        "{:?}",
        report.notes
    );
    assert_eq!(host.files.len(), 1, "what others find is not saved");
}

#[test]
fn one_that_has_explored_everything_ends_all() {
    let report = check(&mut right(), &settings(), &mut NoHost);
    assert_eq!(report.verdict, Verdict::Verified);
    assert!(report.notes[0].contains("has explored everything"), "{:?}", report.notes);
}

#[test]
fn a_limit_ends_all() {
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let report = check(&mut endless(), &Settings { limits, ..settings() }, &mut NoHost);
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert_eq!(report.cut, ["the limit of 0.3 seconds was reached"]);
    assert!(report.notes.iter().any(|note| note.contains("by `pct` of depth 10")), "{:?}", report.notes);
}

#[test]
fn whoever_cancels_ends_all() {
    let cancelled = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancelled: Arc::clone(&cancelled), ..Limits::default() };
    let settings = Settings { limits, ..settings() };
    let report = std::thread::scope(|scope| {
        let checked = scope.spawn(|| check(&mut endless(), &settings, &mut NoHost));
        std::thread::sleep(Duration::from_millis(100));
        cancelled.store(true, Ordering::Relaxed);
        checked.join().expect("no panic")
    });
    assert_eq!((report.verdict, report.cut), (Verdict::Incomplete, vec!["it was interrupted".to_owned()]));
}

#[test]
fn it_cannot_be_gone_on_with() {
    let saved = Exploration { stage: "assuming".to_owned(), ..Exploration::default() };
    let error = resume(&mut right(), &settings(), &mut NoHost, saved).expect_err("nothing is saved of it");
    assert!(error.to_string().contains("`portfolio` cannot be resumed"), "{error}");
}
