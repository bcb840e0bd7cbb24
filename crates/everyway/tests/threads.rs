//! Threads: spawning, joining, scopes, parking, hints, thread-locals.

#![cfg(feature = "model")]

mod support;

use everyway::report::BugKind;
use everyway::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex};
use everyway::thread;
use everyway::{Builder, MemoryModel, Panics};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;
use support::{bug, executions, outcomes, outcomes_small, outcomes_under, panics_with, verified};

const SOON: Duration = Duration::from_millis(1);

#[test]
fn a_thread_returns_its_result() {
    let count = executions(|| {
        let text = String::from("hello");
        let thread = thread::spawn(move || text.len());
        assert_eq!(thread.join().unwrap(), 5);
    });
    assert_eq!(count, 1);
}

/// Nobody joins: the execution ends when all threads have.
#[test]
fn threads_that_are_not_joined_run_to_their_end() {
    let seen = outcomes_small(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        thread::spawn(move || other.store(1, SeqCst));
        x.load(SeqCst)
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
    panics_with("at the end", || {
        thread::spawn(|| panic!("at the end"));
    });
}

#[test]
fn scoped_threads_borrow_and_nest() {
    let seen = outcomes_small(|| {
        let x = AtomicUsize::new(0);
        let mut local = 3;
        let y = &x;
        let (inner, last) = thread::scope(|scope| {
            scope.spawn(|| local += 1);
            let nested = scope.spawn(|| {
                thread::scope(|scope| {
                    scope.spawn(|| y.fetch_add(1, SeqCst));
                    y.fetch_add(10, SeqCst)
                })
            });
            let last = scope.spawn(move || y.load(SeqCst));
            (nested.join().unwrap(), last.join().unwrap())
        });
        assert_eq!(local, 4);
        assert_eq!(x.into_inner(), 11);
        (inner, last)
    });
    assert_eq!(seen.iter().map(|seen| seen.0).collect::<BTreeSet<_>>(), BTreeSet::from([0, 1]));
    assert_eq!(seen.iter().map(|seen| seen.1).collect::<BTreeSet<_>>(), BTreeSet::from([0, 1, 10, 11]));
}

#[test]
fn a_scope_spawns_from_its_threads_too() {
    let count = executions(|| {
        let x = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                scope.spawn(|| x.fetch_add(1, SeqCst));
            });
            thread::Builder::new().spawn_scoped(scope, || x.fetch_add(1, SeqCst)).unwrap();
        });
        assert_eq!(x.load(SeqCst), 2);
    });
    assert_eq!(count, 2);
}

#[test]
fn a_panicking_thread_of_a_scope() {
    panics_with("in a scope", || thread::scope(|scope| drop(scope.spawn(|| panic!("in a scope")))));

    let report = Builder::new().panics(Panics::Join).explore(|| {
        let joined = thread::scope(|scope| scope.spawn(|| panic!("joined")).join());
        let payload = joined.unwrap_err();
        assert_eq!(*payload.downcast::<&str>().unwrap(), "joined");
    });
    verified(&report);

    let unjoined = support::bug_of(Builder::new().panics(Panics::Join), || {
        thread::scope(|scope| drop(scope.spawn(|| panic!("not joined"))));
    });
    assert_eq!(unjoined.message, "a scoped thread panicked");
}

#[test]
fn names_are_those_of_the_program() {
    let bug = panics_with("named", || {
        let x = Arc::new(AtomicUsize::new(0));
        let builder = thread::Builder::new().name("worker".to_owned());
        let thread = builder.spawn(move || {
            assert_eq!(thread::current().name(), Some("worker"));
            x.store(1, SeqCst);
            panic!("named");
        });
        let thread = thread.unwrap();
        assert_eq!(thread.thread().name(), Some("worker"));
        let _ = thread.join();
    });
    assert_eq!(bug.execution.threads[bug.thread.unwrap()].name, "worker");
    assert_eq!(bug.execution.threads[0].name, "main");
    let unnamed = panics_with("unnamed", || {
        thread::spawn(|| {
            assert_eq!(thread::current().name(), None);
            panic!("unnamed")
        });
    });
    assert_eq!(unnamed.execution.threads[unnamed.thread.unwrap()].name, "thread-1");
}

#[test]
fn ids_tell_threads_apart() {
    everyway::check(|| {
        let main = thread::current();
        assert_eq!(main.name(), Some("main"));
        let threads = [0; 3].map(|_| thread::spawn(|| thread::current().id()));
        let known = threads.each_ref().map(|thread| thread.thread().id());
        let ids = threads.map(|thread| thread.join().unwrap());
        assert_eq!(known, ids);
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
        assert!(!ids.contains(&main.id()));
        assert_eq!(main.id(), thread::current().id());
    });
}

#[test]
fn an_unpark_is_never_lost() {
    // Before or during the park: there is one token.
    let seen = outcomes_small(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        let parked = thread::spawn(move || {
            thread::park();
            other.load(SeqCst)
        });
        x.store(1, SeqCst);
        parked.thread().unpark();
        parked.join().unwrap()
    });
    assert_eq!(seen, BTreeSet::from([1]));
}

#[test]
fn tokens_do_not_add_up() {
    let bug = bug(|| {
        let parked = thread::spawn(|| {
            thread::park();
            thread::park();
        });
        parked.thread().unpark();
        parked.thread().unpark();
        parked.join().unwrap();
    });
    // If both tokens come before the first park, the second one has none.
    assert_eq!(bug.kind, BugKind::Deadlock);
    assert!(bug.waits.iter().any(|wait| wait.operation.starts_with("park ")), "{:?}", bug.waits);
}

#[test]
fn a_thread_unparks_itself_and_main() {
    everyway::check(|| {
        thread::current().unpark();
        thread::park();
        let main = thread::current();
        let thread = thread::spawn(move || main.unpark());
        thread::park();
        thread.join().unwrap();
    });
}

#[test]
fn a_park_with_a_timeout_has_both_outcomes() {
    let seen = outcomes_small(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        let parked = thread::spawn(move || {
            thread::park_timeout(SOON);
            other.load(SeqCst)
        });
        flag.store(true, SeqCst);
        parked.thread().unpark();
        parked.join().unwrap()
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn hints_wait_for_a_change() {
    for hint in [thread::yield_now, || thread::sleep(SOON), everyway::hint::spin_loop] {
        let count = executions(|| {
            let flag = Arc::new(AtomicBool::new(false));
            let other = flag.clone();
            let thread = thread::spawn(move || other.store(true, SeqCst));
            while !flag.load(SeqCst) {
                hint();
            }
            thread.join().unwrap();
        });
        // The first load sees the flag, or the thread waits for it.
        assert_eq!(count, 2);
    }
    let bug = bug(|| {
        let flag = AtomicBool::new(false);
        while !flag.load(SeqCst) {
            thread::yield_now();
        }
    });
    assert_eq!(bug.kind, BugKind::Livelock);
}

#[test]
fn hints_that_do_not_wait_are_for_loops_that_give_up() {
    let rounds = std::sync::Mutex::new(BTreeSet::new());
    let report = Builder::new().wait_at_hints(false).explore(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        let thread = thread::spawn(move || other.store(true, SeqCst));
        let missed = (0..3).take_while(|_| !flag.load(SeqCst)).inspect(|_| thread::yield_now()).count();
        rounds.lock().unwrap().insert(missed);
        thread.join().unwrap();
    });
    verified(&report);
    assert_eq!(rounds.into_inner().unwrap(), BTreeSet::from([0, 1, 2, 3]));
}

#[test]
fn a_thread_is_finished_or_not() {
    let look = || {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        let thread = thread::spawn(move || other.store(1, SeqCst));
        let finished = thread.is_finished();
        let stored = x.load(SeqCst);
        thread.join().unwrap();
        (finished, stored)
    };
    let interleaved = BTreeSet::from([(false, 0), (false, 1), (true, 1)]);
    assert_eq!(outcomes_under(Some(MemoryModel::Sc), look), interleaved);
    // The look is a relaxed load, so what came before the end may be missed.
    assert_eq!(outcomes_under(None, look), &interleaved | &BTreeSet::from([(true, 0)]));
    let look_in_scope = || {
        thread::scope(|scope| {
            let thread = scope.spawn(|| ());
            thread.is_finished()
        })
    };
    assert_eq!(outcomes_under(None, look_in_scope), BTreeSet::from([false, true]));
}

everyway::thread_local! {
    static COUNTER: Cell<u32> = const { Cell::new(7) };
    static LIST: RefCell<Vec<u32>> = RefCell::new(vec![1]);
    pub(crate) static OTHER: Cell<Option<u32>> = Cell::new(None)
}

#[test]
fn thread_locals_are_fresh_in_each_thread_and_execution() {
    let count = executions(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let work = |x: &AtomicUsize| {
            assert_eq!(COUNTER.get(), 7);
            COUNTER.set(8);
            x.fetch_add(1, SeqCst);
            assert_eq!(COUNTER.replace(9), 8);
            LIST.with_borrow_mut(|list| list.push(2));
            x.fetch_add(1, SeqCst);
            assert_eq!(LIST.with_borrow(Vec::len), 2);
            assert_eq!(LIST.take(), [1, 2]);
            LIST.set(vec![3]);
            assert_eq!(LIST.replace(Vec::new()), [3]);
            assert_eq!(OTHER.take(), None);
            assert_eq!(COUNTER.with(Cell::get), 9);
            assert_eq!(COUNTER.try_with(Cell::get), Ok(9));
        };
        let other = x.clone();
        let thread = thread::spawn(move || work(&other));
        work(&x);
        thread.join().unwrap();
    });
    // Two times two additions that conflict.
    assert_eq!(count, 6);
    assert_eq!(COUNTER.get(), 7, "nor did the model touch the one outside");
}

/// Says that it is dropped where everybody can see it.
struct Announces(Arc<AtomicUsize>);

impl Drop for Announces {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

everyway::thread_local! {
    static DROPPED: RefCell<Option<Announces>> = const { RefCell::new(None) };
    static LATE: RefCell<Option<Late>> = const { RefCell::new(None) };
}

/// Looks at another thread-local while it is dropped.
struct Late(Arc<AtomicUsize>);

impl Drop for Late {
    fn drop(&mut self) {
        let gone = LATE.try_with(|_| ()).is_err();
        DROPPED.with_borrow_mut(|dropped| *dropped = gone.then(|| Announces(self.0.clone())));
    }
}

#[test]
fn destructors_of_thread_locals_run_when_the_thread_ends() {
    let seen = outcomes_small(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        let thread = thread::spawn(move || DROPPED.set(Some(Announces(other))));
        let early = x.load(SeqCst);
        thread.join().unwrap();
        (early, x.load(SeqCst))
    });
    assert_eq!(seen, BTreeSet::from([(0, 1), (1, 1)]));
    // A destructor may bring another value into being, which is dropped in turn.
    let late = outcomes_small(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        thread::spawn(move || LATE.set(Some(Late(other)))).join().unwrap();
        x.load(SeqCst)
    });
    assert_eq!(late, BTreeSet::from([1]));
}

#[test]
fn there_may_be_many_threads() {
    // Each has its own: one execution.
    let count = executions(|| {
        let threads: Vec<_> = (0..20)
            .map(|n| {
                thread::spawn(move || {
                    let own = Mutex::new(n);
                    *own.lock().unwrap() += 1;
                    own.into_inner().unwrap()
                })
            })
            .collect();
        let sum: i32 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert_eq!(sum, 210);
    });
    assert_eq!(count, 1);
    // One of twenty is different: it stores what the main thread loads.
    let seen = outcomes(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..20)
            .map(|n| {
                let x = x.clone();
                thread::spawn(move || (n == 13).then(|| x.store(n, SeqCst)))
            })
            .collect();
        let seen = x.load(SeqCst);
        threads.into_iter().for_each(|thread| drop(thread.join()));
        seen
    });
    assert_eq!(seen, BTreeSet::from([0, 13]));
}

/// A reader that meets a writer finds two values in one round. The next round goes another way although nothing
/// changes any more.
#[test]
fn a_hint_does_not_wait_after_a_round_that_found_two_values() {
    let seen = outcomes(|| {
        let [version, one, two] = [0; 3].map(|_| Arc::new(AtomicUsize::new(0)));
        let write = {
            let (version, one, two) = (version.clone(), one.clone(), two.clone());
            move || {
                version.fetch_add(1, SeqCst);
                one.store(1, SeqCst);
                two.store(1, SeqCst);
                version.fetch_add(1, SeqCst);
            }
        };
        let writer = thread::spawn(write);
        let read = loop {
            let before = version.load(SeqCst);
            let read = (one.load(SeqCst), two.load(SeqCst));
            if before.is_multiple_of(2) && version.load(SeqCst) == before {
                break read;
            }
            everyway::hint::spin_loop();
        };
        writer.join().unwrap();
        read
    });
    assert_eq!(seen, BTreeSet::from([(0, 0), (1, 1)]));
}

#[test]
fn a_hint_does_not_wait_after_a_choice_or_a_spawn() {
    let rounds = outcomes(|| {
        let nothing = AtomicUsize::new(0);
        let mut rounds = 0;
        while rounds < 3 && everyway::any_bool() {
            rounds += 1;
            assert_eq!(nothing.load(SeqCst), 0);
            thread::yield_now();
        }
        rounds
    });
    assert_eq!(rounds, BTreeSet::from([0, 1, 2, 3]));
    let spawned = outcomes(|| {
        let count = Arc::new(AtomicUsize::new(0));
        let mut spawned = 0;
        while spawned < 3 && count.load(SeqCst) < 1 {
            let count = count.clone();
            thread::spawn(move || count.fetch_add(1, SeqCst));
            spawned += 1;
            thread::yield_now();
        }
        spawned
    });
    assert_eq!(spawned, BTreeSet::from([1, 2, 3]));
}

/// A value of a thread that is stopped is dropped with its execution, and does not meet the next one.
#[test]
fn locals_of_threads_that_are_stopped() {
    struct Counts(Arc<AtomicUsize>);
    impl Drop for Counts {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    everyway::thread_local!(static COUNTS: RefCell<Option<Counts>> = const { RefCell::new(None) });
    let report = everyway::explore(|| {
        let count = Arc::new(AtomicUsize::new(0));
        let other = count.clone();
        let thread = thread::spawn(move || {
            COUNTS.set(Some(Counts(other.clone())));
            other.fetch_add(1, SeqCst);
            everyway::assume(other.load(SeqCst) == 2);
        });
        count.fetch_add(1, SeqCst);
        thread.join().unwrap();
    });
    verified(&report);
    // The other increment comes before or after, or between the thread's own and its load.
    assert_eq!((report.executions.complete, report.executions.blocked), (2, 1));
}
