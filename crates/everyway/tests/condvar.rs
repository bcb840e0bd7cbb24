//! `everyway::sync::Condvar`.

#![cfg(feature = "model")]

mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::report::BugKind;
use everyway::sync::{Arc, Condvar, Mutex};
use everyway::{Builder, Panics, thread};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use support::{bug, executions, outcomes, outcomes_small, verified};

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn a_flag_is_waited_for() {
    // Either the waiter locks first and is notified, or it finds the flag set and does not meet the
    // notification.
    let complete = executions(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let other = shared.clone();
        let waiter = thread::spawn(move || {
            let mut ready = other.0.lock().unwrap();
            while !*ready {
                ready = other.1.wait(ready).unwrap();
            }
        });
        *shared.0.lock().unwrap() = true;
        shared.1.notify_one();
        waiter.join().unwrap();
    });
    assert_eq!(complete, 2);
}

#[test]
fn a_notification_that_comes_too_early_is_lost() {
    let bug = bug(|| {
        let shared = Arc::new((Mutex::new(()), Condvar::new()));
        let other = shared.clone();
        let waiter = thread::spawn(move || drop(other.1.wait(other.0.lock().unwrap()).unwrap()));
        shared.1.notify_one();
        waiter.join().unwrap();
    });
    assert_eq!(bug.kind, BugKind::Deadlock);
    let wait = bug.waits.iter().find(|wait| wait.thread == 1).unwrap();
    assert_eq!(wait.operation, "wait Condvar #1");
    assert_eq!(wait.because, "no thread is left to notify it");
    let events: Vec<_> =
        bug.execution.events.iter().map(|e| format!("{} {} {}", e.operation, e.object, e.value)).collect();
    assert!(events.contains(&"notify_one Condvar #1 no thread waits".to_owned()), "{events:?}");
    assert!(events.contains(&"wait Condvar #1 unlocks and waits".to_owned()), "{events:?}");
}

/// Two threads wait, and push their numbers when they have been woken; `wake` is called when both do so.
fn two_waiters(wake: impl Fn(&Condvar)) -> Vec<u32> {
    let shared = Arc::new((Mutex::new(0), Condvar::new(), Mutex::new(Vec::new())));
    let threads = [1, 2].map(|number| {
        let shared = shared.clone();
        thread::spawn(move || {
            let mut waiting = shared.0.lock().unwrap();
            *waiting += 1;
            let _woken = shared.1.wait(waiting).unwrap();
            shared.2.lock().unwrap().push(number);
        })
    });
    let waiting = shared.0.lock().unwrap();
    everyway::assume(*waiting == 2);
    wake(&shared.1);
    drop(waiting);
    for thread in threads {
        thread.join().unwrap();
    }
    shared.2.lock().unwrap().clone()
}

#[test]
fn any_of_those_that_wait_may_be_woken() {
    let report = everyway::explore(|| {
        two_waiters(|condvar| {
            condvar.notify_one();
            condvar.notify_one();
        });
    });
    verified(&report);
    // Two orders of waiting, two choices of the first to be woken, two orders of locking again. The main thread
    // gives up if it locks before both wait: before any, after the first, after the second.
    assert_eq!((report.executions.complete, report.executions.blocked), (8, 3));
    let report = everyway::explore(|| {
        two_waiters(Condvar::notify_all);
    });
    verified(&report);
    assert_eq!((report.executions.complete, report.executions.blocked), (4, 3));
}

#[test]
fn each_of_those_that_wait_is_woken_first_in_some_execution() {
    let first = std::sync::Mutex::new(BTreeSet::new());
    let report = everyway::explore(|| {
        let woken = two_waiters(|condvar| {
            condvar.notify_one();
            condvar.notify_all();
        });
        first.lock().unwrap().insert(woken);
    });
    verified(&report);
    assert_eq!(first.into_inner().unwrap(), BTreeSet::from([vec![1, 2], vec![2, 1]]));
}

#[test]
fn one_notification_wakes_one() {
    let bug = bug(|| {
        two_waiters(Condvar::notify_one);
    });
    assert_eq!(bug.kind, BugKind::Deadlock);
}

#[test]
fn notifications_that_find_nobody_commute() {
    let complete = executions(|| {
        let condvar = Arc::new(Condvar::new());
        for _ in 0..3 {
            let condvar = condvar.clone();
            thread::spawn(move || condvar.notify_all());
        }
    });
    assert_eq!(complete, 1);
}

#[test]
fn a_wait_with_a_timeout_is_notified_or_gives_up() {
    let wait = || {
        let shared = Arc::new((Mutex::new(()), Condvar::new()));
        let other = shared.clone();
        let waiter = thread::spawn(move || {
            let (_guard, result) = other.1.wait_timeout(other.0.lock().unwrap(), LONG).unwrap();
            result.timed_out()
        });
        shared.1.notify_one();
        waiter.join().unwrap()
    };
    // The notification comes before the wait, during it, or after it.
    assert_eq!(executions(|| _ = wait()), 3);
    assert_eq!(outcomes_small(wait), BTreeSet::from([false, true]));
}

#[test]
fn waits_that_give_up_commute() {
    let complete = executions(|| {
        let condvar = Arc::new(Condvar::new());
        for _ in 0..3 {
            let condvar = condvar.clone();
            thread::spawn(move || {
                let own = Mutex::new(());
                let (_guard, result) = condvar.wait_timeout(own.lock().unwrap(), LONG).unwrap();
                assert!(result.timed_out());
            });
        }
    });
    assert_eq!(complete, 1);
}

#[test]
fn one_notification_goes_to_one_of_those_that_have_not_given_up() {
    let waits = || {
        let shared = Arc::new((Mutex::new(()), Condvar::new()));
        let threads = [1, 2].map(|_| {
            let shared = shared.clone();
            thread::spawn(move || {
                let (_guard, result) = shared.1.wait_timeout(shared.0.lock().unwrap(), LONG).unwrap();
                result.timed_out()
            })
        });
        shared.1.notify_one();
        threads.map(|thread| thread.join().unwrap())
    };
    // Never both.
    assert_eq!(outcomes_small(waits), BTreeSet::from([[false, true], [true, false], [true, true]]));
}

#[test]
fn waiting_while_a_condition_holds() {
    let wait = || {
        let shared = Arc::new((Mutex::new(0), Condvar::new()));
        let other = shared.clone();
        let waiter = thread::spawn(move || {
            let (state, result) =
                other.1.wait_timeout_while(other.0.lock().unwrap(), LONG, |state| *state < 2).unwrap();
            assert_eq!(result.timed_out(), *state < 2);
            *state
        });
        for n in 1..=2 {
            *shared.0.lock().unwrap() = n;
            shared.1.notify_one();
        }
        drop(shared.1.wait_while(shared.0.lock().unwrap(), |state| *state < 2).unwrap());
        waiter.join().unwrap()
    };
    assert_eq!(outcomes(wait), BTreeSet::from([0, 1, 2]));
}

#[test]
fn a_bounded_buffer() {
    everyway::check(|| {
        let shared = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
        let other = shared.clone();
        let producer = thread::spawn(move || {
            for n in 1..=3 {
                let mut buffer = other.1.wait_while(other.0.lock().unwrap(), |buffer| !buffer.is_empty()).unwrap();
                buffer.push(n);
                other.1.notify_one();
            }
        });
        for n in 1..=3 {
            let mut buffer = shared.1.wait_while(shared.0.lock().unwrap(), |buffer| buffer.is_empty()).unwrap();
            assert_eq!(buffer.pop(), Some(n));
            shared.1.notify_one();
        }
        producer.join().unwrap();
    });
}

#[test]
fn a_wait_tells_that_the_mutex_is_poisoned() {
    let report = Builder::new().panics(Panics::Join).explore(|| {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let other = shared.clone();
        let panics = thread::spawn(move || {
            let mut guard = other.0.lock().unwrap_or_else(|error| error.into_inner());
            *guard = true;
            other.1.notify_one();
            panic!("with the mutex locked");
        });
        let guard = match shared.0.lock() {
            Ok(guard) if !*guard => shared.1.wait(guard).unwrap_err().into_inner(),
            Ok(_) => unreachable!("it is poisoned"),
            Err(poisoned) => poisoned.into_inner(),
        };
        assert!(*guard);
        drop(guard);
        assert!(panics.join().is_err());
    });
    verified(&report);
    assert_eq!(report.executions.complete, 2);
}

#[test]
fn a_guard_that_came_from_a_wait_poisons() {
    everyway::check(|| {
        let shared = (Mutex::new(()), Condvar::new());
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _guard = shared.1.wait_timeout(shared.0.lock().unwrap(), LONG).unwrap();
            panic!("with the mutex locked");
        }));
        assert!(panicked.is_err());
        assert!(shared.0.is_poisoned());
    });
}

struct Shared {
    mutex: Mutex<bool>,
    condvar: Condvar,
    cell: UnsafeCell<u32>,
}

// SAFETY: the tests are about telling whether accesses to the cell are ordered.
unsafe impl Sync for Shared {}

/// One thread writes to the cell, the other waits and then reads it.
fn hand_over(write_locked: bool) {
    let shared = Arc::new(Shared { mutex: Mutex::new(false), condvar: Condvar::new(), cell: UnsafeCell::new(0) });
    let other = shared.clone();
    thread::spawn(move || {
        let mut guard = other.mutex.lock().unwrap();
        *guard = true;
        let _guard = other.condvar.wait(guard).unwrap();
        // SAFETY: the threads of a model take turns.
        other.cell.with(|value| unsafe { *value });
    });
    let guard = shared.mutex.lock().unwrap();
    everyway::assume(*guard);
    let mut guard = Some(guard);
    if !write_locked {
        guard = None;
    }
    // SAFETY: as above.
    shared.cell.with_mut(|value| unsafe { *value = 1 });
    shared.condvar.notify_one();
    drop(guard);
}

#[test]
fn the_mutex_orders_accesses() {
    verified(&everyway::explore(|| hand_over(true)));
}

#[test]
fn a_notification_does_not_order_accesses() {
    assert_eq!(bug(|| hand_over(false)).kind, BugKind::DataRace);
}

#[test]
#[expect(deprecated, reason = "it is part of what std has")]
fn outside_of_models_it_is_as_std_has_it() {
    let shared = Arc::new((Mutex::new(0), Condvar::default()));
    let other = shared.clone();
    let waiter = std::thread::spawn(move || {
        let state = other.1.wait_while(other.0.lock().unwrap(), |state| *state == 0).unwrap();
        assert_eq!(*state, 1);
        let (state, result) = other.1.wait_timeout_while(state, LONG, |state| *state == 1).unwrap();
        assert_eq!((*state, result.timed_out()), (2, false));
    });
    for n in 1..=2 {
        *shared.0.lock().unwrap() = n;
        shared.1.notify_all();
        shared.1.notify_one();
        std::thread::sleep(Duration::from_millis(5));
    }
    waiter.join().unwrap();
    let short = Duration::from_millis(1);
    let (guard, result) = shared.1.wait_timeout_while(shared.0.lock().unwrap(), short, |_| true).unwrap();
    assert!(result.timed_out());
    let (guard, notified) = shared.1.wait_timeout_ms(guard, 1).unwrap();
    assert!(!notified);
    assert!(shared.0.try_lock().is_err());
    drop(guard);
    assert!(shared.0.try_lock().is_ok());
    assert_eq!(format!("{:?}", shared.1), format!("{:?}", std::sync::Condvar::new()));
}
