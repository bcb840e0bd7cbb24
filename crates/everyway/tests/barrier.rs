//! `everyway::sync::Barrier`.

#![cfg(feature = "model")]

mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::report::{BugKind, Report, Verdict};
use everyway::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Barrier};
use everyway::{Algorithm, Builder, thread};
use std::collections::BTreeSet;
use support::{bug, bug_of, executions, outcomes};

#[track_caller]
fn assert_bug(report: &Report, kind: BugKind) {
    assert_eq!(report.bug.as_ref().map(|bug| bug.kind), Some(kind), "{report:?}");
}

/// `threads` threads run `f` with their number.
fn spawn_all<T: Send + Sync + 'static>(threads: usize, shared: T, f: impl Fn(&T, usize) + Send + Sync + 'static) {
    let shared = Arc::new((shared, f));
    let threads: Vec<_> = (0..threads)
        .map(|i| {
            let shared = shared.clone();
            thread::spawn(move || (shared.1)(&shared.0, i))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn the_order_of_arrivals_does_not_matter() {
    for n in 2..=5 {
        let complete = executions(|| {
            spawn_all(n, Barrier::new(n), |barrier, _| {
                barrier.wait();
            });
        });
        assert_eq!(complete, 1);
    }
}

#[test]
fn rounds_do_not_meet() {
    let complete = executions(|| {
        spawn_all(3, Barrier::new(3), |barrier, _| {
            for _ in 0..4 {
                barrier.wait();
            }
        });
    });
    assert_eq!(complete, 1);
}

#[test]
fn other_threads_may_meet_in_another_round() {
    let complete = executions(|| {
        let barrier = Arc::new(Barrier::new(2));
        for _ in 0..2 {
            spawn_all(2, barrier.clone(), |barrier, _| {
                barrier.wait();
            });
        }
    });
    assert_eq!(complete, 1);
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn what_comes_before_is_not_multiplied() {
    // JACM 2017, Fig. 12: the N increments of one counter come in any order, the two of the other as well, and
    // the two have nothing to do with each other.
    for n in 1..=4 {
        let complete = executions(|| {
            let shared = Arc::new((Barrier::new(n + 1), AtomicUsize::new(0), AtomicUsize::new(0)));
            let other = shared.clone();
            thread::spawn(move || other.1.fetch_add(1, SeqCst));
            for _ in 0..n {
                let shared = shared.clone();
                thread::spawn(move || {
                    shared.2.fetch_add(1, SeqCst);
                    shared.0.wait();
                });
            }
            let shared = shared.clone();
            thread::spawn(move || {
                shared.0.wait();
                shared.1.fetch_add(1, SeqCst);
            });
        });
        assert_eq!(complete, 2 * factorial(n as u64));
    }
}

#[test]
fn one_thread_too_few() {
    let report = everyway::explore(|| {
        spawn_all(2, Barrier::new(3), |barrier, _| {
            barrier.wait();
        });
    });
    assert_bug(&report, BugKind::Deadlock);
    let bug = report.bug.unwrap();
    let waits: Vec<_> = bug.waits.iter().filter(|wait| wait.operation == "wait Barrier #1").collect();
    assert_eq!(waits.len(), 2, "{:?}", bug.waits);
    assert_eq!(waits[0].because, "2 of 3 threads have arrived");
}

#[test]
fn exactly_one_is_the_leader_and_anybody_may_be() {
    for n in 2..=4 {
        let leaders = std::sync::Mutex::new(BTreeSet::new());
        let complete = executions(|| {
            let barrier = Arc::new(Barrier::new(n));
            let threads: Vec<_> = (0..n)
                .map(|_| {
                    let barrier = barrier.clone();
                    thread::spawn(move || barrier.wait().is_leader())
                })
                .collect();
            let led: Vec<bool> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            assert_eq!(led.iter().filter(|&&led| led).count(), 1);
            leaders.lock().unwrap().insert(led.iter().position(|&led| led));
        });
        // Once somebody asks who was last, arrivals come in all orders.
        assert_eq!(complete, factorial(n as u64));
        assert_eq!(leaders.into_inner().unwrap().len(), n);
    }
}

#[test]
fn a_thread_that_does_not_ask_may_be_the_leader() {
    let asked = std::sync::Mutex::new(BTreeSet::new());
    let complete = executions(|| {
        let barrier = Arc::new(Barrier::new(2));
        let other = barrier.clone();
        thread::spawn(move || _ = other.wait());
        let led = barrier.wait().is_leader();
        asked.lock().unwrap().insert(led);
    });
    assert_eq!(complete, 2);
    assert_eq!(asked.into_inner().unwrap(), BTreeSet::from([false, true]));
}

#[test]
fn more_threads_than_the_barrier_lets_through() {
    // Four arrivals in any order; the rest follows.
    let complete = executions(|| {
        spawn_all(4, Barrier::new(2), |barrier, _| {
            barrier.wait();
        });
    });
    assert_eq!(complete, 24);
    let report = everyway::explore(|| {
        spawn_all(3, Barrier::new(2), |barrier, _| {
            barrier.wait();
        });
    });
    assert_bug(&report, BugKind::Deadlock);
}

#[test]
fn a_third_thread_takes_the_place_of_one_that_comes_late() {
    // Whoever meets the first thread goes on; the other of the two waits for ever unless the first comes back.
    let report = everyway::explore(|| {
        spawn_all(3, Barrier::new(2), |barrier, i| {
            barrier.wait();
            if i == 0 {
                barrier.wait();
            }
        });
    });
    // If the second and the third meet, the first waits for itself.
    assert_bug(&report, BugKind::Deadlock);
}

#[test]
fn small_barriers_let_everybody_through() {
    for n in 0..2 {
        everyway::check(|| {
            let barrier = Barrier::new(n);
            assert!(barrier.wait().is_leader());
            assert!(barrier.wait().is_leader());
        });
        let barrier = Barrier::new(n);
        assert!(barrier.wait().is_leader());
        assert!(barrier.wait().is_leader());
    }
}

struct Cells(Vec<UnsafeCell<u32>>);

// SAFETY: the tests are about telling whether accesses are ordered.
unsafe impl Sync for Cells {}

impl Cells {
    fn new(n: usize) -> Self {
        Self((0..n).map(|_| UnsafeCell::new(0)).collect())
    }

    #[track_caller]
    fn read(&self, i: usize) -> u32 {
        // SAFETY: the threads of a model take turns.
        self.0[i].with(|value| unsafe { *value })
    }

    #[track_caller]
    fn write(&self, i: usize) {
        // SAFETY: as above.
        self.0[i].with_mut(|value| unsafe { *value += 1 });
    }
}

#[test]
fn what_is_before_is_visible_to_all_after() {
    for ask in [false, true] {
        let report = everyway::explore(|| {
            spawn_all(3, (Barrier::new(3), Cells::new(3)), move |(barrier, cells), i| {
                cells.write(i);
                let passed = barrier.wait();
                if ask {
                    let _ = passed.is_leader();
                }
                assert_eq!((0..3).map(|i| cells.read(i)).sum::<u32>(), 3);
                barrier.wait();
                cells.write(i);
            });
        });
        assert_eq!(report.verdict, Verdict::Verified, "{:?}", report.bug);
    }
}

#[test]
fn what_is_after_is_not_ordered() {
    for ask in [false, true] {
        let report = everyway::explore(|| {
            spawn_all(2, (Barrier::new(2), Cells::new(1)), move |(barrier, cells), i| {
                let passed = barrier.wait();
                if ask {
                    let _ = passed.is_leader();
                }
                if i == 0 {
                    cells.write(0);
                } else {
                    cells.read(0);
                }
                barrier.wait();
            });
        });
        assert_bug(&report, BugKind::DataRace);
    }
}

#[test]
fn outside_of_models_it_is_as_std_has_it() {
    let barrier = Arc::new(Barrier::new(3));
    for _ in 0..2 {
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let barrier = barrier.clone();
                std::thread::spawn(move || barrier.wait().is_leader())
            })
            .collect();
        let leaders = threads.into_iter().map(|thread| thread.join().unwrap());
        assert_eq!(leaders.filter(|&led| led).count(), 1);
    }
    assert_eq!(format!("{:?} {:?}", Barrier::new(1), Barrier::new(1).wait()), {
        let (barrier, passed) = (std::sync::Barrier::new(1), std::sync::Barrier::new(1).wait());
        format!("{barrier:?} {passed:?}")
    });
}

#[test]
fn nothing_is_missed() {
    // Three threads at a barrier for two, one of them twice, and all that the leaders can be.
    let meet = || {
        let barrier = Arc::new(Barrier::new(2));
        let threads = [1, 2, 1].map(|times| {
            let barrier = barrier.clone();
            thread::spawn(move || (0..times).map(|_| barrier.wait().is_leader()).collect::<Vec<_>>())
        });
        threads.map(|thread| thread.join().unwrap())
    };
    let all = bug_of(Builder::new().algorithm(Algorithm::Naive), || _ = meet());
    assert_eq!((bug(|| _ = meet()).kind, all.kind), (BugKind::Deadlock, BugKind::Deadlock));
    let meet_all = || {
        let barrier = Arc::new(Barrier::new(2));
        let threads = [0, 1, 2, 3].map(|_| {
            let barrier = barrier.clone();
            thread::spawn(move || barrier.wait().is_leader())
        });
        threads.map(|thread| thread.join().unwrap())
    };
    // Any two of the four.
    assert_eq!(outcomes(meet_all).len(), 6);
}

#[test]
fn who_meets_whom_is_explored_without_asking_for_the_leader() {
    // Of three threads that meet in twos, the one left over is seen to come last.
    let left_over = || {
        let shared = Arc::new((Barrier::new(2), AtomicUsize::new(0)));
        let threads = [1, 2, 3].map(|i| {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.0.wait();
                if shared.1.fetch_add(1, SeqCst) == 0 {
                    // Somebody else is to meet the last one.
                    let again = shared.clone();
                    thread::spawn(move || _ = again.0.wait());
                    return (i, true);
                }
                (i, false)
            })
        });
        threads.map(|thread| thread.join().unwrap()).into_iter().find(|(_, first)| *first).map(|(i, _)| i)
    };
    assert_eq!(outcomes(left_over), BTreeSet::from([Some(1), Some(2), Some(3)]));
}
