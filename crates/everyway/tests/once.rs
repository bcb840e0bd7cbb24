//! `everyway::sync::{Once, OnceLock, LazyLock}`.

#![cfg(feature = "model")]

mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::report::BugKind;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::sync::{Arc, LazyLock, Mutex, Once, OnceLock};
use everyway::{Builder, MemoryModel, thread};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{bug, executions, outcomes_interleaved, outcomes_small, outcomes_under, verified};

fn panics(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it should panic");
    payload.downcast_ref::<String>().cloned().or(payload.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap()
}

#[test]
fn one_of_those_who_call_runs_its_closure() {
    for n in 1..=4 {
        // Who is first matters; the others find it done, in any order.
        let complete = executions(|| {
            let shared = Arc::new((Once::new(), AtomicU32::new(0)));
            let threads: Vec<_> = (0..n)
                .map(|_| {
                    let shared = shared.clone();
                    thread::spawn(move || {
                        shared.0.call_once(|| _ = shared.1.fetch_add(1, SeqCst));
                        assert_eq!(shared.1.load(SeqCst), 1);
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap();
            }
        });
        assert_eq!(complete, n);
    }
}

#[test]
fn looking_whether_it_is_done() {
    let look = || {
        let once = Arc::new(Once::new());
        let other = once.clone();
        thread::spawn(move || other.call_once(|| {}));
        once.is_completed()
    };
    assert_eq!(executions(|| _ = look()), 2);
    assert_eq!(outcomes_interleaved(look), BTreeSet::from([false, true]));
}

#[test]
fn waiting_until_it_is_done() {
    // There is only one order.
    let complete = executions(|| {
        let shared = Arc::new((Once::new(), OnceLock::new()));
        let other = shared.clone();
        thread::spawn(move || {
            other.1.set(1).unwrap();
            other.0.call_once(|| {});
        });
        shared.0.wait();
        shared.0.wait_force();
        assert_eq!(*shared.1.wait(), 1);
    });
    assert_eq!(complete, 1);
}

#[test]
fn initialisation_that_waits_for_itself() {
    let deadlock = |f: &(dyn Fn() + Sync)| {
        let bug = bug(f);
        assert_eq!(bug.kind, BugKind::Deadlock);
        assert_eq!(bug.waits.len(), 1);
        bug.waits[0].operation.clone()
    };
    let once = deadlock(&|| {
        let once = Once::new();
        once.call_once(|| once.call_once(|| {}));
    });
    assert_eq!(once, "call_once Once #1");
    let cell = deadlock(&|| {
        let cell = OnceLock::new();
        cell.get_or_init(|| cell.set(1).map_or(1, |()| 2));
    });
    assert_eq!(cell, "set OnceLock #1");
    static LAZY: LazyLock<u32> = LazyLock::new(|| *LAZY + 1);
    assert_eq!(deadlock(&|| _ = *LAZY), "deref LazyLock #1");
}

#[test]
fn a_panic_poisons() {
    everyway::check(|| {
        let once = Once::new();
        assert_eq!(panics(|| once.call_once(|| panic!("the first"))), "the first");
        assert_eq!(panics(|| once.call_once(|| {})), "Once instance has previously been poisoned");
        assert_eq!(panics(|| once.wait()), "Once instance has previously been poisoned");
        assert!(!once.is_completed());
        once.call_once_force(|state| assert!(state.is_poisoned()));
        once.call_once_force(|_| unreachable!());
        once.call_once(|| unreachable!());
        assert!(once.is_completed());

        let cell = OnceLock::new();
        assert_eq!(panics(|| _ = cell.get_or_init(|| panic!("the second"))), "the second");
        assert_eq!(cell.get(), None);
        assert_eq!(*cell.get_or_init(|| 1), 1);

        let lazy: LazyLock<u32> = LazyLock::new(|| panic!("the third"));
        assert_eq!(panics(|| _ = *lazy), "the third");
        assert_eq!(panics(|| _ = *lazy), "LazyLock instance has previously been poisoned");
        assert_eq!(LazyLock::get(&lazy), None);
    });
}

/// A step that finds the poison looks first whether it is done, which is another part of the same value.
#[test]
fn the_poison_is_found_under_every_model() {
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Rc11] {
        let report = Builder::new().memory_model(model).explore(|| {
            let once = Once::new();
            assert_eq!(panics(|| once.call_once(|| panic!("the first"))), "the first");
            for _ in 0..2 {
                assert_eq!(panics(|| once.call_once(|| {})), "Once instance has previously been poisoned");
            }
            assert_eq!(panics(|| once.wait()), "Once instance has previously been poisoned");
            once.call_once_force(|state| assert!(state.is_poisoned()));
            assert!(once.is_completed());
        });
        verified(&report);
    }
}

#[test]
fn those_who_wait_go_on_when_a_closure_panics() {
    // Whichever is first; its closure panics, or the other finds the value.
    let values = || {
        let cell = Arc::new(OnceLock::new());
        let other = cell.clone();
        let panicked = thread::spawn(move || {
            catch_unwind(AssertUnwindSafe(|| *other.get_or_init(|| panic!("expected")))).is_err()
        });
        assert_eq!(*cell.get_or_init(|| 7), 7);
        panicked.join().unwrap()
    };
    assert_eq!(executions(|| _ = values()), 2);
    assert_eq!(outcomes_small(values), BTreeSet::from([false, true]));
}

#[test]
fn a_cell_is_set_once() {
    let set = || {
        let cell = Arc::new(OnceLock::new());
        let threads = [1, 2].map(|n| {
            let cell = cell.clone();
            thread::spawn(move || cell.set(n))
        });
        let results = threads.map(|thread| thread.join().unwrap());
        assert!(matches!(results, [Ok(()), Err(2)] | [Err(1), Ok(())]));
        *cell.get().unwrap()
    };
    assert_eq!(executions(|| _ = set()), 2);
    assert_eq!(outcomes_small(set), BTreeSet::from([1, 2]));
}

#[test]
fn others_wait_while_a_closure_runs() {
    let complete = executions(|| {
        let shared = Arc::new((OnceLock::new(), AtomicU32::new(0)));
        let init = |shared: &(OnceLock<u32>, AtomicU32)| {
            *shared.0.get_or_init(|| {
                shared.1.store(1, SeqCst);
                shared.1.swap(2, SeqCst) + 6
            })
        };
        let other = shared.clone();
        let thread = thread::spawn(move || init(&other));
        assert_eq!((init(&shared), thread.join().unwrap()), (7, 7));
        assert_eq!(shared.1.load(SeqCst), 2);
    });
    assert_eq!(complete, 2);
}

#[test]
fn cells_are_compared_cloned_and_emptied() {
    everyway::check(|| {
        let mut cell = OnceLock::from(1);
        assert_eq!(cell, cell.clone());
        assert_ne!(cell, OnceLock::default());
        assert_eq!(format!("{cell:?} {:?}", OnceLock::<u32>::new()), "OnceLock(1) OnceLock(<uninit>)");
        *cell.get_mut().unwrap() += 1;
        assert_eq!(cell.set(5), Err(5));
        assert_eq!(cell.take(), Some(2));
        assert_eq!((cell.get(), cell.clone().into_inner()), (None, None));
        assert_eq!(cell.set(5), Ok(()));
        assert_eq!(cell.into_inner(), Some(5));
        let mut lazy = LazyLock::new(|| 3);
        assert_eq!((LazyLock::get(&lazy), format!("{lazy:?}")), (None, "LazyLock(<uninit>)".to_owned()));
        *LazyLock::force_mut(&mut lazy) += 1;
        *lazy += 1;
        assert_eq!((LazyLock::get_mut(&mut lazy).copied(), *LazyLock::force(&lazy)), (Some(5), 5));
    });
}

struct Shared<T> {
    once: T,
    cell: UnsafeCell<u32>,
}

// SAFETY: the tests are about telling whether accesses to the cell are ordered.
unsafe impl<T: Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    #[track_caller]
    fn read(&self) {
        // SAFETY: the threads of a model take turns.
        self.cell.with(|value| unsafe { *value });
    }

    #[track_caller]
    fn write(&self) {
        // SAFETY: as above.
        self.cell.with_mut(|value| unsafe { *value += 1 });
    }
}

#[test]
fn what_the_closure_does_comes_before_what_follows() {
    let report = everyway::explore(|| {
        let shared = Arc::new(Shared { once: OnceLock::new(), cell: UnsafeCell::new(0) });
        for _ in 0..2 {
            let shared = shared.clone();
            thread::spawn(move || {
                shared.once.get_or_init(|| shared.write());
                shared.read();
            });
        }
        if shared.once.get().is_some() {
            shared.read();
        }
    });
    verified(&report);
}

#[test]
fn what_the_closure_does_is_not_ordered_with_others() {
    let bug = bug(|| {
        let shared = Arc::new(Shared { once: Once::new(), cell: UnsafeCell::new(0) });
        let other = shared.clone();
        thread::spawn(move || other.once.call_once(|| other.write()));
        if !shared.once.is_completed() {
            shared.read();
        }
    });
    assert_eq!(bug.kind, BugKind::DataRace);
}

static ONCE: Once = Once::new();
static CELL: OnceLock<String> = OnceLock::new();
static LAZY: LazyLock<Mutex<Vec<u32>>> = LazyLock::new(|| Mutex::new(vec![COUNTER.fetch_add(1, SeqCst)]));
static COUNTER: AtomicU32 = AtomicU32::new(0);

fn use_statics() -> u64 {
    executions(|| {
        assert!(!ONCE.is_completed());
        assert_eq!(CELL.get(), None);
        let threads = ["a", "b"].map(|text| {
            thread::spawn(move || {
                CELL.get_or_init(|| text.to_owned());
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(matches!(CELL.get().map(String::as_str), Some("a" | "b")));
        LAZY.lock().unwrap().push(2);
        assert_eq!(*LAZY.lock().unwrap(), [0, 2]);
        ONCE.call_once(|| {});
    })
}

#[test]
fn statics_are_fresh_in_each_execution() {
    CELL.set("outside".to_owned()).unwrap();
    ONCE.call_once(|| {});
    LAZY.lock().unwrap().push(1);
    let other = std::thread::spawn(use_statics);
    assert_eq!(use_statics(), 2);
    assert_eq!(other.join().unwrap(), 2);
    assert_eq!(CELL.get().unwrap(), "outside");
    assert_eq!(*LAZY.lock().unwrap(), [0, 1]);
}

#[test]
fn what_was_made_outside_can_be_used_inside() {
    let (done, cell) = (Once::new(), OnceLock::from(3));
    done.call_once(|| {});
    let (fresh, lazy) = (OnceLock::new(), LazyLock::new(|| 4));
    assert_eq!(
        executions(|| {
            assert!(done.is_completed());
            assert_eq!((cell.get(), fresh.get(), *lazy), (Some(&3), None, 4));
            fresh.set(5).unwrap();
            thread::spawn(|| {});
        }),
        1
    );
    assert_eq!(fresh.get(), None);
    assert_eq!(fresh.into_inner(), None);
}

#[test]
fn outside_of_models_it_is_as_std_has_it() {
    let once = Arc::new(Once::new());
    assert_eq!(format!("{once:?}"), format!("{:?}", std::sync::Once::new()));
    panics(|| once.call_once(|| panic!("expected by the test")));
    assert!(panics(|| once.call_once(|| {})).contains("poisoned"));
    once.call_once_force(|state| assert!(state.is_poisoned()));
    once.wait();
    assert!(once.is_completed());

    let cell = Arc::new(OnceLock::new());
    let other = cell.clone();
    let waiter = std::thread::spawn(move || *other.wait());
    assert_eq!(cell.get(), None);
    assert_eq!((cell.set(1), cell.set(2), *cell.get_or_init(|| 3)), (Ok(()), Err(2), 1));
    assert_eq!(waiter.join().unwrap(), 1);
    assert_eq!((format!("{cell:?}"), cell.as_ref().clone().take()), ("OnceLock(1)".to_owned(), Some(1)));

    let lazy: LazyLock<u32> = LazyLock::new(|| panic!("expected by the test"));
    panics(|| _ = *lazy);
    assert_eq!(panics(|| _ = *lazy), "LazyLock instance has previously been poisoned");
    let mut lazy = LazyLock::new(|| vec![1]);
    lazy.push(2);
    assert_eq!((lazy.len(), format!("{lazy:?}")), (2, "LazyLock([1, 2])".to_owned()));
    assert_eq!(*LazyLock::<u32>::default(), 0);
}

#[test]
fn nothing_is_missed() {
    let three = || {
        let shared = Arc::new((OnceLock::new(), Once::new()));
        let threads = [1, 2].map(|n| {
            let shared = shared.clone();
            thread::spawn(move || {
                let early = shared.0.get().copied();
                let found = *shared.0.get_or_init(|| {
                    shared.1.call_once(|| {});
                    n
                });
                (early, found, shared.1.is_completed())
            })
        });
        let seen = (shared.1.is_completed(), shared.0.set(3).is_ok());
        (seen, threads.map(|thread| thread.join().unwrap()))
    };
    assert_eq!(outcomes_interleaved(three).len(), 12);
    // A look may miss what another thread has done, but none here tells that from coming earlier: whoever has called knows
    // all that was done before.
    assert_eq!(outcomes_under(None, three), outcomes_interleaved(three));
}
