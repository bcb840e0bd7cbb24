//! Every strategy, limits, and what the verdict says about them.

#![cfg(feature = "model")]

use everyway::report::{BugKind, Report, Verdict};
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::sync::mpsc;
use everyway::{Algorithm, Builder, thread};
use std::time::Duration;

const EXHAUSTIVE: [Algorithm; 6] = [
    Algorithm::Naive,
    Algorithm::Classic,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::ReadsFrom,
];

fn increments(threads: u32, increment: fn(&AtomicU32)) {
    let counter = Arc::new(AtomicU32::new(0));
    let workers: Vec<_> = (0..threads)
        .map(|_| {
            let counter = counter.clone();
            thread::spawn(move || increment(&counter))
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    assert_eq!(counter.load(SeqCst), threads);
}

fn lost_update() {
    increments(2, |counter| counter.store(counter.load(SeqCst) + 1, SeqCst));
}

fn right() {
    increments(3, |counter| {
        counter.fetch_add(1, SeqCst);
    });
}

fn kind(report: &Report) -> BugKind {
    report.bug.as_ref().expect("a bug").kind
}

#[test]
fn every_strategy_finds_the_lost_update() {
    let sampling = [Algorithm::Random { seed: 1 }, Algorithm::Pct { seed: 1, depth: 2 }];
    for algorithm in EXHAUSTIVE.into_iter().chain(sampling) {
        let report = Builder::new().algorithm(algorithm).explore(lost_update);
        assert_eq!((report.verdict, kind(&report)), (Verdict::Bug, BugKind::Panic), "{algorithm:?}");
    }
}

#[test]
fn a_portfolio_finds_and_verifies() {
    let portfolio = || Builder::new().algorithm(Algorithm::Portfolio { seed: 1 });
    let report = portfolio().explore(lost_update);
    assert_eq!((report.verdict, kind(&report), &*report.strategy), (Verdict::Bug, BugKind::Panic, "portfolio"));
    assert!(report.bug.is_some_and(|bug| bug.replay.is_some()));
    let report = portfolio().explore(right);
    assert_eq!(report.verdict, Verdict::Verified, "{:?}", report.cut);
    assert!(report.notes[0].contains("has explored everything"), "{:?}", report.notes);
}

/// As many threads as write one variable, which none of them reads: 20! orders of stores. Whether one of them sees what
/// another has written elsewhere is all that differs.
#[test]
fn reads_from_ends_a_portfolio_of_twenty_threads() {
    let report = Builder::new().algorithm(Algorithm::Portfolio { seed: 1 }).explore(|| {
        let last = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
        for number in 0..20 {
            let last = last.clone();
            thread::spawn(move || {
                last.0.store(number, SeqCst);
                match number {
                    0 => last.1.store(1, SeqCst),
                    19 => assert!(last.1.load(SeqCst) <= 1),
                    _ => {}
                }
            });
        }
    });
    assert_eq!((report.verdict, report.executions.complete), (Verdict::Verified, 2), "{:?}", report.notes);
    assert!(report.notes[0].contains("`reads-from` has explored everything"), "{:?}", report.notes);
}

#[test]
fn every_exhaustive_strategy_verifies() {
    for algorithm in EXHAUSTIVE {
        let report = Builder::new().algorithm(algorithm).explore(right);
        assert_eq!(report.verdict, Verdict::Verified, "{algorithm:?}");
        assert!(report.cut.is_empty());
    }
    // The orders of three additions; joins put nothing else in an order.
    let report = Builder::new().explore(right);
    assert_eq!((report.executions.complete, report.executions.redundant), (6, 0));
}

#[test]
fn what_is_no_channel_any_more_is_not_asked_for_messages() {
    for algorithm in EXHAUSTIVE {
        let executions = std::sync::atomic::AtomicUsize::new(0);
        let report = Builder::new().algorithm(algorithm).explore(|| {
            if executions.fetch_add(1, SeqCst) == 0 {
                let (sender, receiver) = mpsc::channel();
                let thread = thread::spawn(move || sender.send(1).unwrap());
                _ = receiver.try_recv();
                thread.join().unwrap();
            } else {
                AtomicU32::new(0).store(1, SeqCst);
            }
            let counter = Arc::new(AtomicU32::new(0));
            let other = counter.clone();
            let thread = thread::spawn(move || other.store(1, SeqCst));
            counter.load(SeqCst);
            thread.join().unwrap();
        });
        assert_eq!((report.verdict, kind(&report)), (Verdict::Bug, BugKind::Nondeterminism), "{algorithm:?}");
    }
}

#[test]
fn samples_are_never_verified() {
    for algorithm in [Algorithm::Random { seed: 7 }, Algorithm::Pct { seed: 7, depth: 3 }] {
        let report = Builder::new().algorithm(algorithm).max_executions(50).explore(right);
        assert_eq!(report.verdict, Verdict::Incomplete);
        assert_eq!(report.executions.complete, 50);
        assert!(report.cut[0].contains("seed 7"), "{:?}", report.cut);
    }
}

#[test]
fn the_same_seed_gives_the_same_executions() {
    for algorithm in [Algorithm::Random { seed: 3 }, Algorithm::Pct { seed: 3, depth: 2 }] {
        let run = || {
            let report = Builder::new().name(format!("seed {algorithm:?}")).algorithm(algorithm).explore(lost_update);
            let events = report.bug.expect("a bug").execution.events;
            let steps: Vec<_> = events.into_iter().map(|event| (event.thread, event.operation)).collect();
            (report.executions.complete, steps)
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn a_limit_on_executions_is_in_the_verdict() {
    let report = Builder::new().max_executions(4).explore(right);
    assert_eq!((report.verdict, report.executions.complete), (Verdict::Incomplete, 4));
    assert!(report.cut[0].contains("4 executions"), "{:?}", report.cut);
    // As many as there are is not too few.
    assert_eq!(Builder::new().max_executions(6).explore(right).verdict, Verdict::Verified);
}

#[test]
fn a_limit_on_time_is_in_the_verdict() {
    let long = || increments(8, |counter| _ = counter.fetch_add(1, SeqCst));
    let report = Builder::new().max_time(Duration::from_millis(50)).explore(long);
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert!(report.cut[0].contains("0.05 seconds"), "{:?}", report.cut);
}

#[test]
fn an_endless_loop_is_named() {
    let line = line!() + 6;
    let report = everyway::explore(|| {
        let flag = Arc::new(AtomicU32::new(0));
        let other = flag.clone();
        thread::spawn(move || {
            // No hint that it spins.
            while other.load(SeqCst) == 0 {}
        });
        flag.store(1, SeqCst);
        flag.store(0, SeqCst);
    });
    let bug = report.bug.expect("an execution that does not end");
    assert_eq!(bug.kind, BugKind::Livelock);
    assert_eq!(bug.source.expect("the loop").line, line);
    assert!(bug.tips[0].contains("spin_loop"), "{:?}", bug.tips);
}

#[test]
fn a_loop_with_a_hint_ends_or_is_a_livelock() {
    let wait = |values: &'static [u32]| {
        move || {
            let flag = Arc::new(AtomicU32::new(0));
            let other = flag.clone();
            thread::spawn(move || {
                while other.load(SeqCst) != 1 {
                    everyway::hint::spin_loop();
                }
            });
            for &value in values {
                flag.store(value, SeqCst);
            }
        }
    };
    assert_eq!(Builder::new().explore(wait(&[1])).verdict, Verdict::Verified);
    let report = Builder::new().explore(wait(&[1, 2]));
    assert_eq!(kind(&report), BugKind::Livelock);
    let bug = report.bug.unwrap();
    assert_eq!(bug.waits.len(), 1);
    assert!(bug.waits[0].because.contains("store"), "{:?}", bug.waits);
}

#[test]
fn an_assumption_that_does_not_hold_is_no_failure() {
    let report = everyway::explore(|| {
        let x = everyway::any(0..4);
        everyway::assume(x % 2 == 0);
        assert_ne!(x, 3);
    });
    assert_eq!(report.verdict, Verdict::Verified);
    assert_eq!((report.executions.complete, report.executions.blocked), (2, 2));
}

#[test]
fn all_data_is_explored() {
    let report = everyway::explore(|| {
        let (a, b) = (everyway::any_bool(), *everyway::choose(&["x", "y", "z"]));
        assert!(!(a && b == "z"), "the sixth");
    });
    assert!(report.bug.expect("found").message.contains("the sixth"));
    let report = everyway::explore(|| {
        let thread = thread::spawn(|| everyway::any(-1..=1i8));
        let mine = everyway::any(..3u8);
        assert!(mine < 3);
        assert!((-1..=1).contains(&thread.join().unwrap()));
    });
    assert_eq!(report.executions.complete, 9);
}

#[everyway::test]
#[should_panic(expected = "deadlock")]
fn the_attribute_takes_others_along() {
    let lock = everyway::sync::Mutex::new(());
    let _first = lock.lock();
    let _second = lock.lock();
}

#[test]
fn what_a_thread_does_alone_does_not_count_as_long() {
    let report = Builder::new().max_steps(100).explore(|| {
        let counter = Arc::new(AtomicU32::new(0));
        (0..1000).for_each(|n| counter.store(n, SeqCst));
        let other = counter.clone();
        thread::spawn(move || other.store(1, SeqCst)).join().unwrap();
        (0..1000).for_each(|n| counter.store(n, SeqCst));
    });
    assert_eq!(report.verdict, everyway::report::Verdict::Verified, "{:?}", report.cut);
}

/// A sample that is too long is cut and counted, and others follow.
#[test]
fn samples_that_are_too_long_are_counted() {
    let turns = || {
        let turn = Arc::new(AtomicU32::new(0));
        let other = turn.clone();
        let thread = thread::spawn(move || other.store(1, SeqCst));
        // As long as the other thread is not asked: a coin for each round.
        let mut rounds = 0;
        while turn.load(SeqCst) == 0 {
            rounds += 1;
            turn.fetch_add(0, SeqCst);
        }
        assert!(rounds < 1000);
        thread.join().unwrap();
    };
    for algorithm in [Algorithm::Random { seed: 1 }, Algorithm::Pct { seed: 1, depth: 2 }] {
        let report =
            Builder::new().algorithm(algorithm).max_steps(6).wait_at_hints(false).max_executions(200).explore(turns);
        assert_eq!(report.verdict, Verdict::Incomplete, "{algorithm:?}: {:?}", report.bug);
        assert!(report.executions.complete > 0, "{:?}", report.executions);
        assert!(report.cut.concat().contains("were cut after 6 steps"), "{:?}", report.cut);
    }
}
