//! Loops that spin, with hints: explored without any bound, and named if they never end.

#![cfg(feature = "model")]

mod support;

use everyway::hint::{await_until, spin_loop};
use everyway::report::BugKind;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use everyway::{Algorithm, Order, thread};
use std::collections::BTreeSet;
use std::time::Instant;
use support::{bug, executions, outcomes, outcomes_by, verified};

/// Runs `f(0)`, `f(1)`, ... in `n` threads at once.
fn together(n: usize, f: impl Fn(usize) + Sync) {
    let f = &f;
    thread::scope(|scope| (0..n).for_each(|i| drop(scope.spawn(move || f(i)))));
}

/// `n` threads increment a counter, each once, between `lock` and `unlock`, in two steps.
fn increments(n: usize, lock: impl Fn() + Sync, unlock: impl Fn() + Sync) {
    let counter = AtomicUsize::new(0);
    together(n, |_| {
        lock();
        counter.store(counter.load(SeqCst) + 1, SeqCst);
        unlock();
    });
    assert_eq!(counter.load(SeqCst), n);
}

/// The oracle explores this lock, written down by hand, in as many executions.
#[test]
fn a_test_and_test_and_set_lock_of_three_threads_takes_less_than_a_second() {
    let taken = |lock: &AtomicBool| loop {
        while lock.load(SeqCst) {
            spin_loop();
        }
        if !lock.swap(true, SeqCst) {
            break;
        }
    };
    let started = Instant::now();
    let report = everyway::explore(|| {
        let lock = AtomicBool::new(false);
        increments(3, || taken(&lock), || lock.store(false, SeqCst));
    });
    let time = started.elapsed();
    verified(&report);
    assert_eq!(report.executions.all(), 2658);
    // Without optimisation, and with the engine checking itself, the machine matters.
    assert!(cfg!(debug_assertions) || time.as_secs() < 1, "{time:?}");
}

/// Whoever is second swaps after the first has let go, or in vain before that, and then waits.
#[test]
fn a_spin_lock() {
    let program = |n| {
        move || {
            let lock = AtomicBool::new(false);
            let take = || {
                while lock.swap(true, SeqCst) {
                    spin_loop();
                }
            };
            increments(n, take, || lock.store(false, SeqCst));
        }
    };
    assert_eq!(executions(program(2)), 2 * 2);
    verified(&everyway::explore(program(3)));
}

/// Tickets are drawn in any order. The holder of the second ticket finds that 1 is served when it looks first, or waits for
/// it. The holder of the third one finds 2 at once (1 way); or 1 first, and waits (1 way); or 0 first, and waits until it
/// is 2, or until it is 1, and in that case finds 1, and waits, or 2 (3 ways).
#[test]
fn a_ticket_lock() {
    for (n, expected) in [(2, 2 * 2), (3, 6 * 2 * 5)] {
        let count = executions(|| {
            let (drawn, served) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let take = || {
                let ticket = drawn.fetch_add(1, SeqCst);
                await_until(|| served.load(SeqCst) == ticket);
            };
            increments(n, take, || served.store(served.load(SeqCst) + 1, SeqCst));
        });
        assert_eq!(count, expected);
    }
}

/// What a reader sees behind a sequence lock while somebody writes these values.
fn read_while_writing(values: &[usize]) -> (usize, usize) {
    let [version, one, two] = [0; 3].map(|_| AtomicUsize::new(0));
    let write = |value| {
        version.fetch_add(1, SeqCst);
        one.store(value, SeqCst);
        two.store(value, SeqCst);
        version.fetch_add(1, SeqCst);
    };
    thread::scope(|scope| {
        scope.spawn(|| values.iter().for_each(|&value| write(value)));
        loop {
            let before = version.load(SeqCst);
            let read = (one.load(SeqCst), two.load(SeqCst));
            if before.is_multiple_of(2) && version.load(SeqCst) == before {
                return read;
            }
            spin_loop();
        }
    })
}

#[test]
fn a_reader_of_a_sequence_lock_with_a_write() {
    assert_eq!(outcomes(|| read_while_writing(&[1])), BTreeSet::from([(0, 0), (1, 1)]));
}

/// Under `reads-from`, too: what a round has read is waited at together, but read one by one.
#[test]
fn a_reader_of_a_sequence_lock_with_two_writes() {
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::ReadsFrom] {
        let seen = outcomes_by(algorithm, Order::Lowest, || read_while_writing(&[1, 2]));
        assert_eq!(seen, BTreeSet::from([(0, 0), (1, 1), (2, 2)]), "{algorithm:?}");
    }
}

#[test]
fn a_thread_that_spins_for_ever_is_named_with_what_it_sees() {
    let line = line!() + 7;
    let bug = bug(|| {
        let flags = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let seen = flags.clone();
        thread::Builder::new()
            .name("waiter".to_owned())
            .spawn(move || {
                while seen[0].load(SeqCst) != 1 || seen[1].load(SeqCst) != 1 {
                    thread::yield_now();
                }
            })
            .unwrap();
        flags[0].store(1, SeqCst);
        flags[0].store(2, SeqCst);
    });
    assert_eq!(bug.kind, BugKind::Livelock);
    let [wait] = &bug.waits[..] else { panic!("{:?}", bug.waits) };
    assert_eq!(bug.execution.threads[wait.thread].name, "waiter");
    assert_eq!(wait.source.as_ref().unwrap().line, line + 1);
    let file = file!();
    let ways = [
        format!("AtomicUsize #1 is 2, last changed by 'main' in store at {file}:{}", line + 6),
        format!(
            "AtomicUsize #1 is 1, last changed by 'main' in store at {file}:{}; \
             AtomicUsize #2 is 0, as it was in the beginning",
            line + 5
        ),
    ];
    assert!(ways.contains(&wait.because), "{}", wait.because);
}
