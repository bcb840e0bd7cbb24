//! Panics: which are failures, where they are said to be, and what runs while they unwind.

#![cfg(feature = "model")]

mod support;

use everyway::report::{BugKind, Verdict};
use everyway::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex, PoisonError, RwLock, mpsc};
use everyway::thread;
use everyway::{Builder, Panics};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{bug_of, outcomes_interleaved, panics_with, verified};

/// Does something when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[test]
fn a_panic_is_reported_with_its_message_and_place() {
    let line = line!() + 4;
    let bug = panics_with("x is 1", || {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        thread::spawn(move || assert!(other.load(SeqCst) == 0, "x is {}", 1));
        x.store(1, SeqCst);
    });
    let source = bug.source.unwrap();
    assert!(source.file.ends_with("panics.rs"), "{}", source.file);
    assert_eq!(source.line, line);
    assert_eq!(bug.thread, Some(1));
    assert_eq!(bug.message, "x is 1");
    let steps: Vec<String> = bug.execution.events.iter().map(ToString::to_string).collect();
    assert_eq!(steps, ["store AtomicUsize #1: 1", "load AtomicUsize #1: 1"]);
}

#[test]
fn check_panics_with_the_report() {
    let result = catch_unwind(|| everyway::check(|| assert_eq!(1, 2, "never")));
    let message = *result.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("assertion `left == right` failed: never"), "{message}");
    assert!(message.contains("EVERYWAY_REPLAY="), "{message}");
}

#[test]
fn a_panic_before_anything_visible_is_a_failure_of_no_steps() {
    let bug = panics_with("at once", || panic!("at once"));
    assert!(bug.execution.events.is_empty());
    assert_eq!(bug.thread, Some(0));
    let child = panics_with("at once", || drop(thread::spawn(|| panic!("at once"))));
    assert!(child.execution.events.is_empty());
    assert_eq!(child.thread, Some(1));
}

#[test]
fn payloads_that_are_not_text_have_a_message_too() {
    panics_with("a panic without a message", || std::panic::panic_any(7));
    panics_with("resumed", || std::panic::resume_unwind(Box::new("resumed")));
}

#[test]
fn a_panic_may_be_handed_to_whoever_joins() {
    let report = Builder::new().panics(Panics::Join).explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        let thread = thread::spawn(move || {
            let stored = other.fetch_add(1, SeqCst);
            panic!("handed over: {stored}");
        });
        let payload = thread.join().unwrap_err();
        assert_eq!(*payload.downcast::<String>().unwrap(), "handed over: 0");
        assert_eq!(x.load(SeqCst), 1);
    });
    verified(&report);
    let main = bug_of(Builder::new().panics(Panics::Join), || panic!("the main thread's"));
    assert_eq!((main.kind, main.message.as_str()), (BugKind::Panic, "the main thread's"));
}

#[test]
fn a_panic_that_is_caught_is_none() {
    everyway::check(|| {
        let caught = catch_unwind(|| panic!("caught"));
        assert!(caught.is_err());
    });
}

#[test]
fn locks_are_poisoned_as_in_std() {
    everyway::check(|| {
        let mutex = Mutex::new(1);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let mut guard = mutex.lock().unwrap();
            *guard = 2;
            panic!("with the lock");
        }));
        assert!(caught.is_err());
        assert!(mutex.is_poisoned());
        let guard = mutex.lock().unwrap_err().into_inner();
        assert_eq!(*guard, 2);
        drop(guard);
        assert!(mutex.try_lock().is_err());
        mutex.clear_poison();
        assert_eq!(*mutex.lock().unwrap(), 2);
    });
    let seen = std::sync::Mutex::new(BTreeSet::new());
    let report = Builder::new().panics(Panics::Join).explore(|| {
        let mutex = Arc::new(Mutex::new(0));
        let other = mutex.clone();
        let thread = thread::spawn(move || {
            let _guard = other.lock();
            panic!("with the lock");
        });
        seen.lock().unwrap().insert(mutex.lock().is_err());
        thread.join().unwrap_err();
        assert!(mutex.is_poisoned());
    });
    verified(&report);
    assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([false, true]));
}

#[test]
fn a_panic_in_drop_is_a_failure_like_any_other() {
    let bug = panics_with("in drop", || {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        thread::spawn(move || {
            let _bad = OnDrop(|| panic!("in drop"));
            other.store(1, SeqCst);
        });
        x.load(SeqCst);
    });
    assert_eq!(bug.thread, Some(1));
    panics_with("in drop of main", || drop(OnDrop(|| panic!("in drop of main"))));
    panics_with("in drop of a captured value", || {
        let bad = OnDrop(|| panic!("in drop of a captured value"));
        thread::spawn(move || drop(bad)).join().unwrap();
    });
}

#[test]
fn a_panic_in_the_drop_of_a_thread_local_is_a_failure() {
    struct Bad;
    impl Drop for Bad {
        fn drop(&mut self) {
            panic!("a bad thread-local");
        }
    }
    everyway::thread_local!(static BAD: Bad = const { Bad });
    panics_with("a bad thread-local", || drop(thread::spawn(|| BAD.with(|_| ()))));
    panics_with("a bad thread-local", || BAD.with(|_| ()));
}

#[test]
fn a_result_that_panics_when_it_is_dropped() {
    panics_with("a bad result", || {
        let thread = thread::spawn(|| OnDrop(|| panic!("a bad result")));
        drop(thread.join());
    });
    panics_with("nobody takes it", || drop(thread::spawn(|| OnDrop(|| panic!("nobody takes it")))));
}

/// While a panic unwinds, no other thread can run: what destructors do is one step. This is said.
#[test]
fn destructors_do_visible_things_while_a_panic_unwinds() {
    destructors_do_visible_things(false);
    destructors_do_visible_things(true);
}

fn destructors_do_visible_things(after_a_step: bool) {
    let report = everyway::explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let lock = Arc::new(Mutex::new(0));
        let (y, other) = (x.clone(), lock.clone());
        let thread = thread::spawn(move || {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                if after_a_step {
                    y.store(2, SeqCst);
                }
                let _stores = OnDrop(|| y.store(1, SeqCst));
                let _locks = OnDrop(|| *other.lock().unwrap() += 1);
                panic!("unwinds");
            }));
            assert!(caught.is_err());
        });
        thread.join().unwrap();
        assert_eq!(x.load(SeqCst), 1);
        assert_eq!(*lock.lock().unwrap(), 1);
    });
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert!(report.cut[0].contains("while a panic unwound"), "{:?}", report.cut);
}

/// A guard or a sender that is dropped while a panic unwinds is given back right after it was caught: others may
/// come before that, and nothing is left out.
#[test]
fn guards_and_senders_are_given_back_after_a_panic() {
    let seen = outcomes_interleaved(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = lock.clone();
        let (sender, receiver) = mpsc::channel::<u8>();
        let thread = thread::spawn(move || {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                let _sender = sender;
                let _guard = other.lock();
                panic!("unwinds");
            }));
            assert!(caught.is_err());
        });
        let free = !matches!(lock.try_lock(), Err(everyway::sync::TryLockError::WouldBlock));
        assert!(receiver.recv().is_err());
        thread.join().unwrap();
        assert!(lock.is_poisoned());
        free
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn an_assertion_in_nested_scopes() {
    let bug = panics_with("seen 1", || {
        let x = AtomicUsize::new(0);
        thread::scope(|outer| {
            outer.spawn(|| x.store(1, SeqCst));
            outer.spawn(|| {
                thread::scope(|inner| {
                    inner.spawn(|| {
                        let seen = x.load(SeqCst);
                        assert!(seen == 0, "seen {seen}");
                    });
                });
            });
        });
    });
    assert_eq!(bug.thread, Some(3));
}

#[test]
fn the_body_of_a_scope_panics_while_its_threads_run() {
    panics_with("the body", || {
        let x = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| x.store(1, SeqCst));
            panic!("the body");
        });
    });
    // The scope waits for its threads before the panic goes on.
    everyway::check(|| {
        let x = AtomicUsize::new(0);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            thread::scope(|scope| {
                scope.spawn(|| x.store(1, SeqCst));
                panic!("the body");
            })
        }));
        assert!(caught.is_err());
        assert_eq!(x.load(SeqCst), 1);
    });
}

#[test]
fn a_check_inside_of_a_check_is_refused() {
    panics_with("everyway: a check cannot be part of another check", || everyway::check(|| ()));
}

/// A thread that an assumption stops is unwound, and destructors can tell.
#[test]
fn what_a_stopped_thread_holds_is_dropped() {
    let dropped = std::sync::atomic::AtomicUsize::new(0);
    let report = everyway::explore(|| {
        let x = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| x.store(1, SeqCst));
            scope.spawn(|| {
                let _bomb = OnDrop(|| {
                    dropped.fetch_add(1, SeqCst);
                    assert!(thread::panicking() || x.load(SeqCst) == 1, "dropped too early");
                });
                everyway::assume(x.load(SeqCst) == 1);
            });
        });
    });
    verified(&report);
    assert_eq!((report.executions.complete, report.executions.blocked), (1, 1));
    assert_eq!(dropped.into_inner(), 2);
}

/// The process and later checks are none the worse for failures.
#[test]
fn checks_after_failures_work() {
    for _ in 0..3 {
        panics_with("again", || {
            let lock = Arc::new(Mutex::new(0));
            let other = lock.clone();
            let _thread = thread::spawn(move || *other.lock().unwrap() = 1);
            let _guard = lock.lock();
            panic!("again");
        });
    }
    let count = support::executions(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = lock.clone();
        let thread = thread::spawn(move || *other.lock().unwrap() = 1);
        *lock.lock().unwrap() = 2;
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
}

/// Whether a lock is poisoned is asked before or after the one who panics lets go of it.
#[test]
fn looking_for_poison_is_explored() {
    let found = std::sync::Mutex::new(BTreeSet::new());
    Builder::new().panics(Panics::Join).check(|| {
        let (mutex, lock) = (Arc::new(Mutex::new(0)), Arc::new(RwLock::new(0)));
        let (other_mutex, other_lock) = (mutex.clone(), lock.clone());
        let thread = thread::spawn(move || {
            let _guards = (other_mutex.lock(), other_lock.write());
            panic!("poisons");
        });
        found.lock().unwrap().insert((mutex.is_poisoned(), lock.is_poisoned()));
        thread.join().unwrap_err();
        mutex.clear_poison();
        assert!(!mutex.is_poisoned() && lock.is_poisoned());
        assert_eq!(Arc::into_inner(mutex).unwrap().into_inner().unwrap(), 0);
        Arc::into_inner(lock).unwrap().into_inner().unwrap_err();
    });
    assert_eq!(found.into_inner().unwrap().len(), 4);
}

/// One that panics, is caught, and goes on after another one has been.
#[test]
fn a_panic_that_is_resumed_has_its_own_message() {
    panics_with("the first", || {
        let first = catch_unwind(|| panic!("the first")).unwrap_err();
        catch_unwind(|| panic!("the second")).unwrap_err();
        std::panic::resume_unwind(first);
    });
}

/// What was put off while a panic unwinds comes before what a later destructor does.
#[test]
fn a_destructor_takes_the_lock_that_was_just_let_go() {
    let report = Builder::new().panics(Panics::Join).explore(|| {
        let lock = Arc::new(Mutex::new(0));
        let inside = Arc::new(AtomicUsize::new(0));
        let other = lock.clone();
        let panics = thread::spawn(move || {
            let _again = OnDrop(|| *other.lock().unwrap_or_else(PoisonError::into_inner) += 1);
            let _guard = other.lock();
            panic!("unwinds");
        });
        let enter = |lock: Arc<Mutex<i32>>, inside: Arc<AtomicUsize>| {
            let mut guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
            assert_eq!(inside.fetch_add(1, SeqCst), 0, "two have the lock");
            *guard += 1;
            inside.fetch_sub(1, SeqCst);
        };
        let (other, others) = (lock.clone(), inside.clone());
        let enters = thread::spawn(move || enter(other, others));
        enter(lock.clone(), inside);
        enters.join().unwrap();
        panics.join().unwrap_err();
        assert_eq!(*lock.lock().unwrap_or_else(PoisonError::into_inner), 3);
    });
    assert_eq!(report.bug.map(|bug| bug.message), None);
}

/// A destructor that ought to wait cannot: it does not get the lock instead, as if nobody had it.
#[test]
fn a_destructor_that_ought_to_wait_is_reported() {
    let bug = bug_of(Builder::new().panics(Panics::Join), || {
        let lock = Arc::new(Mutex::new(0));
        let x = Arc::new(AtomicUsize::new(0));
        let (other, y) = (lock.clone(), x.clone());
        let thread = thread::spawn(move || {
            let _locks = OnDrop(|| *other.lock().unwrap() += 1);
            assert_eq!(y.load(SeqCst), 0, "unwinds");
        });
        let guard = lock.lock().unwrap();
        x.store(1, SeqCst);
        drop(guard);
        let _ = thread.join();
    });
    assert_eq!(bug.kind, BugKind::Panic);
    assert!(bug.message.contains("unwinds\n") && bug.message.contains("had to wait in `lock`"), "{}", bug.message);
}
