//! Hints to spin: they do nothing but tell where a round of a loop ends. Whatever an interleaving of the threads can give
//! without them is found with them.

#![cfg(feature = "model")]

mod support;

use everyway::hint::spin_loop;
use everyway::report::{BugKind, Verdict};
use everyway::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use everyway::sync::{Arc, Mutex};
use everyway::{Builder, MemoryModel, thread};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::SeqCst;
use support::{bug, outcomes, outcomes_small, outcomes_under, panics_with, verified};

#[test]
fn a_yield_between_two_loads_is_no_loop() {
    verified(&everyway::explore(|| {
        let a = AtomicUsize::new(0);
        a.load(SeqCst);
        thread::yield_now();
        a.load(SeqCst);
    }));
}

#[test]
fn a_yield_between_two_loads_of_what_another_thread_stores() {
    let seen = outcomes_small(|| {
        let a = Arc::new(AtomicUsize::new(0));
        let other = a.clone();
        let thread = thread::spawn(move || other.store(1, SeqCst));
        let first = a.load(SeqCst);
        thread::yield_now();
        let second = a.load(SeqCst);
        thread.join().unwrap();
        (first, second)
    });
    assert_eq!(seen, BTreeSet::from([(0, 0), (0, 1), (1, 1)]));
}

/// How many of `polls` polls of a flag, which another thread sets, it takes to see it set; `None` if it gives up.
fn polls(polls: usize, ordering: (Ordering, Ordering)) -> Option<usize> {
    let flag = Arc::new(AtomicBool::new(false));
    let other = flag.clone();
    thread::spawn(move || other.store(true, ordering.0));
    (0..polls).find(|_| {
        let set = flag.load(ordering.1);
        if !set {
            spin_loop();
        }
        set
    })
}

#[test]
fn a_loop_that_polls_three_times_is_seen_to_give_up() {
    let expected = BTreeSet::from([None, Some(0), Some(1), Some(2)]);
    assert_eq!(outcomes_small(|| polls(3, (SeqCst, SeqCst))), expected);
    assert_eq!(outcomes_under(None, || polls(3, (Ordering::Release, Ordering::Acquire))), expected);
    assert_eq!(outcomes_under(Some(MemoryModel::Tso), || polls(3, (SeqCst, SeqCst))), expected);
}

/// A counter on the heap, in a local, behind a reference to another thread's stack: wherever it is, it is noticed.
#[test]
fn rounds_that_are_counted_anywhere() {
    type Count = fn(&AtomicBool, &mut Box<u32>) -> bool;
    let ways: [Count; 2] = [
        |flag, count| {
            while !flag.load(SeqCst) {
                **count += 1;
                if **count == 2 {
                    return false;
                }
                spin_loop();
            }
            true
        },
        |flag, _| {
            everyway::thread_local!(static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
            while !flag.load(SeqCst) {
                COUNT.with(|count| count.set(count.get() + 1));
                if COUNT.with(std::cell::Cell::get) == 2 {
                    return false;
                }
                thread::yield_now();
            }
            true
        },
    ];
    for way in ways {
        let seen = outcomes_small(|| {
            let flag = AtomicBool::new(false);
            let mut count = Box::new(0);
            thread::scope(|scope| {
                let (flag, count) = (&flag, &mut count);
                let waits = scope.spawn(move || way(flag, count));
                flag.store(true, SeqCst);
                waits.join().unwrap()
            })
        });
        assert_eq!(seen, BTreeSet::from([false, true]));
    }
}

/// What two flags, which another thread sets one after the other, are when one of them is: not in the first round, but in
/// one like it. Under sequential consistency, the first read may come before both changes, and the second one after them.
fn seen_later((load, store): (Ordering, Ordering)) -> (usize, usize) {
    let [x, y] = [0; 2].map(|_| AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            x.store(1, store);
            y.store(1, store);
        });
        let mut is_first = true;
        loop {
            let read = (x.load(load), y.load(load));
            if read != (0, 0) && !is_first {
                return read;
            }
            is_first = false;
            thread::yield_now();
        }
    })
}

#[test]
fn others_come_between_the_reads_of_a_round() {
    let expected = BTreeSet::from([(0, 1), (1, 0), (1, 1)]);
    assert_eq!(outcomes(|| seen_later((SeqCst, SeqCst))), expected);
    assert_eq!(outcomes_under(None, || seen_later((Ordering::Acquire, Ordering::Release))), expected);
    assert_eq!(outcomes_under(Some(MemoryModel::Tso), || seen_later((SeqCst, SeqCst))), expected);
}

#[test]
fn a_lock_that_is_polled() {
    let report = everyway::explore(|| {
        let ready = Arc::new(Mutex::new(false));
        let other = ready.clone();
        thread::spawn(move || *other.lock().unwrap() = true);
        while !*ready.lock().unwrap() {
            thread::yield_now();
        }
    });
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert!(report.cut[0].contains("max_rounds"), "{:?}", report.cut);
}

/// It ends by itself, so nothing is cut; alone, it may take as long as it likes.
#[test]
fn rounds_of_a_thread_that_is_alone() {
    verified(&everyway::explore(|| {
        let a = AtomicUsize::new(0);
        thread::scope(|scope| drop(scope.spawn(|| a.fetch_add(1, SeqCst))));
        while a.fetch_add(1, SeqCst) < 50 {
            thread::yield_now();
        }
    }));
}

#[test]
fn a_loop_without_a_hint_is_recognised() {
    let report = Builder::new().explore(|| {
        let ready = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| while !ready.load(SeqCst) {});
            ready.store(true, SeqCst);
        });
    });
    verified(&report);
    assert!(report.executions.all() < 30, "{:?}", report.executions);
}

#[test]
fn a_loop_without_a_hint_that_never_ends() {
    let bug = bug(|| {
        let ready = Arc::new(AtomicBool::new(false));
        let other = ready.clone();
        thread::spawn(move || other.store(false, SeqCst));
        while !ready.load(SeqCst) {}
    });
    assert_eq!(bug.kind, BugKind::Livelock);
}

#[test]
fn a_loop_that_looks_at_nothing_is_named() {
    let line = line!() + 4;
    let bug = bug(|| {
        let ready = Arc::new(std::sync::atomic::AtomicBool::new(false));
        while !ready.load(SeqCst) {
            thread::yield_now();
        }
    });
    assert_eq!((bug.kind, bug.source.map(|source| source.line)), (BugKind::Livelock, Some(line)));
    assert!(bug.message.contains("not seen"), "{}", bug.message);
}

/// Backs off by more and more hints, as many locks do.
#[test]
fn compare_exchange_with_back_off() {
    let report = everyway::explore(|| {
        let total = AtomicUsize::new(0);
        let add = || {
            let mut wait = 1;
            let mut now = total.load(SeqCst);
            while let Err(found) = total.compare_exchange(now, now + 1, SeqCst, SeqCst) {
                now = found;
                (0..wait).for_each(|_| spin_loop());
                wait = (2 * wait).min(8);
            }
        };
        thread::scope(|scope| {
            scope.spawn(add);
            scope.spawn(add);
        });
        assert_eq!(total.load(SeqCst), 2);
    });
    verified(&report);
}

#[test]
fn what_a_round_that_gives_up_does_is_found() {
    panics_with("gave up", || {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        thread::spawn(move || other.store(true, SeqCst));
        for _ in 0..3 {
            if flag.load(SeqCst) {
                return;
            }
            thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("gave up");
    });
}

/// A store of the thread's own is nothing new to it, whatever was there before: under a weak memory model that is not known.
#[test]
fn a_round_that_takes_a_lock_and_gives_it_back_is_fair_to_others() {
    struct Queue {
        busy: AtomicBool,
        next: AtomicUsize,
    }
    let report = everyway::explore(|| {
        let queue = Arc::new(Queue { busy: AtomicBool::new(false), next: AtomicUsize::new(0) });
        let other = queue.clone();
        let thread = thread::spawn(move || other.next.store(1, Ordering::Release));
        loop {
            assert!(queue.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok());
            let next = queue.next.load(Ordering::Acquire);
            queue.busy.store(false, Ordering::Release);
            if next != 0 {
                break;
            }
            thread::yield_now();
        }
        thread.join().unwrap();
    });
    assert_eq!(report.bug.map(|bug| bug.kind), None);
    assert_eq!(report.verdict, Verdict::Incomplete, "rounds are cut");
}
