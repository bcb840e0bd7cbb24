//! What users of loom found wrong there is right here. The numbers are those of loom's issues.

#![cfg(feature = "model")]

mod support;

use everyway::sync::atomic::{AtomicUsize, Ordering, Ordering::*};
use everyway::sync::{Arc, Mutex, TryLockError};
use everyway::thread;
use std::collections::BTreeSet;
use support::{executions, outcomes, outcomes_small, outcomes_under, panics_with};

type Pair = (usize, usize);

/// Runs `one` and `two` in threads on two atomics that are 0, and collects what they return.
fn litmus(
    preceding_loads: bool,
    one: fn(&AtomicUsize, &AtomicUsize) -> usize,
    two: fn(&AtomicUsize, &AtomicUsize) -> usize,
) -> BTreeSet<Pair> {
    outcomes_small(|| {
        let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            let run = |body: fn(&AtomicUsize, &AtomicUsize) -> usize| {
                let (x, y) = (&x, &y);
                scope.spawn(move || {
                    if preceding_loads {
                        x.load(SeqCst);
                        y.load(SeqCst);
                    }
                    body(x, y)
                })
            };
            let threads = [run(one), run(two)];
            let [one, two] = threads.map(|thread| thread.join().unwrap());
            (one, two)
        })
    })
}

/// (a) Loom 392: a load that comes first hides executions. Here the outcomes are the same with and without it.
#[test]
fn a_load_that_comes_first_hides_nothing() {
    for load_first in [false, true] {
        // Message passing: if the second thread sees y, it sees x; anything else is possible.
        let passed = litmus(
            load_first,
            |x, y| {
                x.store(1, SeqCst);
                y.store(1, SeqCst);
                0
            },
            |x, y| y.load(SeqCst) * 10 + x.load(SeqCst),
        );
        assert_eq!(passed, BTreeSet::from([(0, 0), (0, 1), (0, 11)]));
        // Load buffering: not both.
        let buffered = litmus(
            load_first,
            |x, y| {
                let seen = x.load(SeqCst);
                y.store(1, SeqCst);
                seen
            },
            |x, y| {
                let seen = y.load(SeqCst);
                x.store(1, SeqCst);
                seen
            },
        );
        assert_eq!(buffered, BTreeSet::from([(0, 0), (0, 1), (1, 0)]));
        // Two writers of both: who is last in x, and in y (2+2W); 1 twice would be a circle.
        let written = outcomes_small(|| {
            let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
            thread::scope(|scope| {
                for (one, two, n) in [(&x, &y, 1), (&y, &x, 2)] {
                    scope.spawn(move || {
                        if load_first {
                            one.load(SeqCst);
                        }
                        one.store(n, SeqCst);
                        two.store(n + 10, SeqCst);
                    });
                }
            });
            (x.load(SeqCst), y.load(SeqCst))
        });
        assert_eq!(written, BTreeSet::from([(1, 11), (12, 2), (12, 11)]));
    }
}

/// (a) The program of loom 392 in short: one thread loads, then two read-modify-writes race with another's.
#[test]
fn read_modify_writes_after_a_load() {
    for load_first in [false, true] {
        let seen = outcomes_under(None, || {
            let x = AtomicUsize::new(0);
            thread::scope(|scope| {
                let other = scope.spawn(|| x.compare_exchange(0, 2, SeqCst, SeqCst).is_ok());
                if load_first {
                    x.load(Relaxed);
                }
                let ours = x.compare_exchange(0, 1, SeqCst, SeqCst).is_ok();
                (ours, other.join().unwrap())
            })
        });
        assert_eq!(seen, BTreeSet::from([(false, true), (true, false)]));
    }
}

/// (b) Loom 166: a redundant load hides outcomes.
#[test]
fn a_redundant_load_hides_nothing() {
    let run = |redundant: usize| {
        outcomes_under(None, || {
            let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
            thread::scope(|scope| {
                let one = scope.spawn(|| {
                    x.store(1, SeqCst);
                    (0..redundant).for_each(|_| _ = y.load(Relaxed));
                    y.load(SeqCst)
                });
                let two = scope.spawn(|| {
                    y.store(1, SeqCst);
                    (0..redundant).for_each(|_| _ = x.load(Relaxed));
                    x.load(SeqCst)
                });
                (one.join().unwrap(), two.join().unwrap())
            })
        })
    };
    let expected = BTreeSet::from([(0, 1), (1, 0), (1, 1)]);
    assert_eq!((run(0), run(1), run(2)), (expected.clone(), expected.clone(), expected));
}

/// (c) Loom 180: under `SeqCst`, store buffering never gives (0, 0); with anything weaker it may.
#[test]
fn store_buffering_is_sequentially_consistent() {
    fn run(store: Ordering, load: Ordering) -> BTreeSet<Pair> {
        outcomes_under(None, || {
            let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
            thread::scope(|scope| {
                let one = scope.spawn(|| {
                    x.store(1, store);
                    y.load(load)
                });
                let two = scope.spawn(|| {
                    y.store(1, store);
                    x.load(load)
                });
                (one.join().unwrap(), two.join().unwrap())
            })
        })
    }
    let in_order = BTreeSet::from([(0, 1), (1, 0), (1, 1)]);
    let buffered = BTreeSet::from([(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(run(SeqCst, SeqCst), in_order);
    assert_eq!(run(Relaxed, Relaxed), buffered);
    assert_eq!(run(Release, Acquire), buffered);
}

/// (c) Independent reads of independent writes: both readers agree on the order of the writes.
#[test]
fn readers_agree_on_the_order_of_writes() {
    let seen = outcomes(|| {
        let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| x.store(1, SeqCst));
            scope.spawn(|| y.store(1, SeqCst));
            let one = scope.spawn(|| (x.load(SeqCst), y.load(SeqCst)));
            let two = scope.spawn(|| (y.load(SeqCst), x.load(SeqCst)));
            (one.join().unwrap(), two.join().unwrap())
        })
    });
    assert!(!seen.contains(&((1, 0), (1, 0))), "one saw x first, the other y");
    assert_eq!(seen.len(), 15);
}

/// (d) Loom 254: a read-modify-write reads a value that it cannot. By hand, under sequential consistency, with a
/// store of 1 and an addition of 10: the addition first gives (found 0, left 1), the store first (1, 11).
#[test]
fn a_read_modify_write_reads_the_last_value() {
    let pairs = outcomes_small(|| {
        let x = AtomicUsize::new(0);
        let found = thread::scope(|scope| {
            scope.spawn(|| x.store(1, SeqCst));
            scope.spawn(|| x.fetch_add(10, SeqCst)).join().unwrap()
        });
        (found, x.into_inner())
    });
    assert_eq!(pairs, BTreeSet::from([(0, 1), (1, 11)]));
}

/// (d) Two additions and a store: with `s` = 1 and `a` = 10, `b` = 100, the final values are those of the six
/// orders: sab, sba: 111; asb: 101; bsa: 11; abs, bas: 1.
#[test]
fn two_additions_and_a_store_have_the_values_of_six_orders() {
    let seen = outcomes_small(|| {
        let x = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| x.store(1, SeqCst));
            scope.spawn(|| x.fetch_add(10, SeqCst));
            scope.spawn(|| x.fetch_add(100, SeqCst));
        });
        x.into_inner()
    });
    assert_eq!(seen, BTreeSet::from([1, 11, 101, 111]));
}

/// (e) Loom 376: a bounded use of `try_lock` is said to be a deadlock.
#[test]
fn trying_to_lock_is_no_deadlock() {
    let seen = outcomes_small(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = lock.clone();
        let thread = thread::spawn(move || *other.lock().unwrap() += 1);
        let got = match lock.try_lock() {
            Ok(mut guard) => {
                *guard += 10;
                true
            }
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Poisoned(_)) => panic!("nobody panics"),
        };
        thread.join().unwrap();
        (got, *lock.lock().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(true, 11), (false, 1)]));
}

/// (e) Two locks in opposite orders, but one side tries and lets go: there is no deadlock.
#[test]
fn trying_to_lock_avoids_a_deadlock() {
    let seen = outcomes(|| {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = locks.clone();
        let thread = thread::spawn(move || {
            let _one = other.0.lock();
            let _two = other.1.lock();
        });
        let mut rounds = 0;
        let done = loop {
            let _two = locks.1.lock();
            rounds += 1;
            match locks.0.try_lock() {
                Ok(_one) => break true,
                Err(_) if rounds == 3 => break false,
                Err(_) => {}
            }
        };
        thread.join().unwrap();
        (done, rounds)
    });
    assert_eq!(seen, BTreeSet::from([(true, 1), (true, 2), (true, 3), (false, 3)]));
}

/// (f) Loom 157: five threads at most.
#[test]
fn six_and_more_threads() {
    for n in [6_usize, 7] {
        let count = executions(|| {
            let x = Arc::new(AtomicUsize::new(0));
            let threads: Vec<_> = (0..n)
                .map(|_| {
                    let x = x.clone();
                    thread::spawn(move || x.fetch_add(1, SeqCst))
                })
                .collect();
            let mut found: Vec<usize> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            found.sort_unstable();
            assert!(found.into_iter().eq(0..n));
        });
        assert_eq!(count, (1..=n as u64).product::<u64>());
    }
}

/// (g) A panic in a destructor ends the process.
#[test]
fn a_panic_in_drop_is_reported() {
    struct Last(Arc<AtomicUsize>);
    impl Drop for Last {
        fn drop(&mut self) {
            assert_ne!(self.0.load(SeqCst), 2, "both were there");
        }
    }
    let bug = panics_with("both were there", || {
        let x = Arc::new(AtomicUsize::new(0));
        for _ in 0..2 {
            let last = Last(x.clone());
            thread::spawn(move || last.0.fetch_add(1, SeqCst));
        }
    });
    assert!(bug.thread != Some(0));
}
