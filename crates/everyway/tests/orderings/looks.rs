//! What those find who only look at something of std's: loads, which may miss what another thread has done. Of all that is
//! asked here, what std documents or does is beside it.

use crate::support::outcomes_under;
use everyway::MemoryModel::Sc;
use everyway::sync::atomic::{AtomicU32, Ordering::Relaxed};
use everyway::sync::{Arc, Mutex};
use everyway::thread;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Two threads own two things together. Each gives one of them up, and asks `then` of the other, which the other thread
/// gives up.
fn give_up_one_each<T: Ord + Send + Debug + 'static>(then: fn(Arc<()>) -> T) -> impl Fn() -> (T, T) + Sync {
    move || {
        let (one, other) = (Arc::new(()), Arc::new(()));
        let (their_one, their_other) = (one.clone(), other.clone());
        let thread = thread::spawn(move || {
            drop(their_other);
            then(their_one)
        });
        drop(one);
        let found = then(other);
        (found, thread.join().unwrap())
    }
}

/// A count is looked at by a relaxed load.
#[test]
fn counts_may_be_old() {
    let count = give_up_one_each(|one| Arc::strong_count(&one));
    let one_knows = BTreeSet::from([(1, 1), (1, 2), (2, 1)]);
    assert_eq!(outcomes_under(Some(Sc), &count), one_knows);
    assert_eq!(outcomes_under(None, &count), BTreeSet::from([(1, 1), (1, 2), (2, 1), (2, 2)]));
}

/// Whether it is the only owner that asks is an acquire load of the count, if it is not.
#[test]
fn an_owner_may_not_know_that_it_is_the_last() {
    let all = BTreeSet::from([(true, true), (true, false), (false, true), (false, false)]);
    for then in [|one| Arc::try_unwrap(one).is_ok(), |mut one| Arc::get_mut(&mut one).is_some()] {
        let unique = give_up_one_each(then);
        assert!(!outcomes_under(Some(Sc), &unique).contains(&(false, false)));
        assert_eq!(outcomes_under(None, &unique), all);
    }
}

/// Who is the last one finds out by a read-modify-write: that is one of the two.
#[test]
fn one_of_two_knows_that_it_is_the_last() {
    let program = || {
        let one = Arc::new(());
        let other = one.clone();
        let thread = thread::spawn(move || Arc::into_inner(other).is_some());
        (Arc::into_inner(one).is_some(), thread.join().unwrap())
    };
    assert_eq!(outcomes_under(None, program), BTreeSet::from([(true, false), (false, true)]));
}

/// std finds it out by a relaxed load of the count of what the thread was started with.
#[test]
fn that_a_thread_has_finished_may_be_missed() {
    let program = || {
        // The handle is shared by owners that order nothing.
        let shared = std::sync::Arc::new((thread::spawn(|| {}), AtomicU32::new(0)));
        let theirs = shared.clone();
        let watches = thread::spawn(move || theirs.1.store(u32::from(theirs.0.is_finished()), Relaxed));
        let seen = (shared.1.load(Relaxed), shared.0.is_finished());
        watches.join().unwrap();
        seen
    };
    assert_eq!(outcomes_under(None, program), BTreeSet::from([(0, false), (0, true), (1, false), (1, true)]));
}

/// Whether a lock is poisoned is said by a flag beside it, in relaxed accesses.
#[test]
fn that_a_lock_is_poisoned_may_be_missed() {
    let program = || {
        let shared = Arc::new((Mutex::new(()), AtomicU32::new(0)));
        let theirs = shared.clone();
        let thread = thread::spawn(move || {
            let poisons = catch_unwind(AssertUnwindSafe(|| {
                let _guard = theirs.0.lock().unwrap();
                std::panic::resume_unwind(Box::new(()));
            }));
            assert!(poisons.is_err());
            theirs.1.store(1, Relaxed);
        });
        let seen = (shared.1.load(Relaxed), shared.0.is_poisoned());
        thread.join().unwrap();
        assert!(shared.0.is_poisoned() && shared.0.lock().is_err());
        seen
    };
    assert_eq!(outcomes_under(None, program), BTreeSet::from([(0, false), (0, true), (1, false), (1, true)]));
}
