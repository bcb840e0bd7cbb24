//! What std allows to happen for no reason, and to whoever reads a lock twice.

#![cfg(feature = "model")]

mod support;

use everyway::report::{BugKind, Verdict};
use everyway::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Condvar, Mutex, RwLock};
use everyway::{Builder, thread};
use support::{bug, bug_of, verified};

/// Takes a slot once, without trying again.
fn take_once() {
    let slot = AtomicUsize::new(0);
    assert!(slot.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_ok(), "failed for no reason");
}

#[test]
fn a_weak_compare_exchange_fails_on_request() {
    let report = everyway::explore(take_once);
    verified(&report);
    assert!(report.assumed[0].contains("never wake up or fail spuriously"), "{:?}", report.assumed);
    let bug = bug_of(Builder::new().spurious(true), take_once);
    assert!(bug.message.contains("failed for no reason"), "{}", bug.message);
    verified(&Builder::new().spurious(true).explore(|| {
        let slot = AtomicUsize::new(0);
        while slot.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_err() {}
    }));
}

#[test]
fn a_condition_variable_wakes_up_on_request() {
    let wait = || {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let other = shared.clone();
        thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let mut ready = shared.0.lock().unwrap();
        if !*ready {
            ready = shared.1.wait(ready).unwrap();
        }
        assert!(*ready, "woken for no reason");
    };
    verified(&everyway::explore(wait));
    assert!(bug_of(Builder::new().spurious(true), wait).message.contains("woken for no reason"));
}

#[test]
fn a_parked_thread_wakes_up_on_request() {
    let wait = || {
        let ready = Arc::new(AtomicBool::new(false));
        let (other, main) = (ready.clone(), thread::current());
        thread::spawn(move || {
            other.store(true, SeqCst);
            main.unpark();
        });
        thread::park();
        assert!(ready.load(SeqCst), "woken for no reason");
    };
    verified(&everyway::explore(wait));
    assert!(bug_of(Builder::new().spurious(true), wait).message.contains("woken for no reason"));
}

/// Between the two reads, a writer comes, and waits for the first; the second may wait for the writer.
#[test]
fn reading_a_lock_twice_while_a_writer_waits() {
    let bug = bug(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = lock.clone();
        thread::spawn(move || *other.write().unwrap() = 1);
        let first = lock.read().unwrap();
        let second = lock.read().unwrap();
        assert_eq!(*first, *second);
    });
    assert_eq!(bug.kind, BugKind::Deadlock);
    assert!(bug.tips.iter().any(|tip| tip.contains("RwLock::read")), "{:?}", bug.tips);
}

#[test]
fn reading_a_lock_twice_without_a_writer() {
    let report = everyway::explore(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = lock.clone();
        let thread = thread::spawn(move || *other.read().unwrap());
        let (first, second) = (lock.read().unwrap(), lock.read().unwrap());
        assert_eq!(*first, *second);
        drop((first, second));
        thread.join().unwrap();
        *lock.write().unwrap() = 1;
    });
    verified(&report);
}

/// Threads that are connected by an atomic of std's: what one does depends on what it cannot be seen to read.
#[test]
fn what_is_hidden_in_std() {
    let report = everyway::explore(|| {
        let hidden = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let seen = Arc::new([const { AtomicUsize::new(0) }; 3]);
        for n in 0..3 {
            let (hidden, seen) = (hidden.clone(), seen.clone());
            thread::spawn(move || {
                seen[n].store(1, SeqCst);
                let order = hidden.fetch_add(1, SeqCst);
                seen[order].load(SeqCst);
                seen[(order + 1) % 3].store(2, SeqCst);
            });
        }
    });
    assert_eq!(report.verdict, Verdict::Bug);
    let bug = report.bug.unwrap();
    assert_eq!(bug.kind, BugKind::Nondeterminism, "{}", bug.message);
    assert!(bug.divergence.is_some());
}
