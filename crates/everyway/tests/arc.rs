//! `Arc` and `Weak`: their counts are seen where the program can tell.

#![cfg(feature = "model")]

mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::report::BugKind;
use everyway::sync::atomic::{AtomicUsize, Ordering};
use everyway::sync::{Arc, Mutex, Weak, mpsc};
use everyway::{MemoryModel, thread};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;
use std::sync::atomic::Ordering::SeqCst;
use support::{executions, outcomes, outcomes_interleaved, outcomes_small, outcomes_under, verified};

#[test]
fn clones_that_are_dropped_in_threads_make_no_difference() {
    let count = executions(|| {
        let shared = Arc::new(AtomicUsize::new(0));
        for _ in 0..4 {
            let mine = shared.clone();
            thread::spawn(move || drop(mine.clone()));
        }
    });
    assert_eq!(count, 1);
}

/// The destructor is run by either thread, each of which does something else before it drops its `Arc`.
#[test]
fn who_drops_last_is_explored_if_it_can_be_told() {
    struct Last<'a>(&'a AtomicUsize);
    impl Drop for Last<'_> {
        fn drop(&mut self) {
            let is_main = thread::current().name() == Some("main");
            self.0.store(if is_main { 1 } else { 2 }, SeqCst);
        }
    }
    let seen = outcomes_small(|| {
        let last = AtomicUsize::new(0);
        thread::scope(|scope| {
            let shared = Arc::new(Last(&last));
            let other = shared.clone();
            scope.spawn(move || drop(other));
            drop(shared);
        });
        last.load(SeqCst)
    });
    assert_eq!(seen, BTreeSet::from([1, 2]));
}

/// A sender in an `Arc`: whoever drops it last closes the channel, before or after something else is seen.
#[test]
fn a_channel_that_is_closed_by_the_last_owner() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::channel::<u8>();
        let shared = Arc::new(sender);
        let other = shared.clone();
        let thread = thread::spawn(move || {
            other.send(1).unwrap();
            drop(other);
        });
        shared.send(2).unwrap();
        drop(shared);
        let received: Vec<u8> = receiver.iter().collect();
        thread.join().unwrap();
        received
    });
    assert_eq!(seen, BTreeSet::from([vec![1, 2], vec![2, 1]]));
}

#[test]
fn counts_are_seen_in_every_order() {
    let counted = || {
        let shared = Arc::new(());
        let other = shared.clone();
        let thread = thread::spawn(move || drop(other));
        let count = Arc::strong_count(&shared);
        thread.join().unwrap();
        assert_eq!(Arc::strong_count(&shared), 1);
        count
    };
    for model in [None, Some(MemoryModel::Sc)] {
        assert_eq!(outcomes_under(model, counted), BTreeSet::from([1, 2]));
    }
}

#[test]
fn unwrapping_after_joining_takes_one_execution() {
    let count = executions(|| {
        let shared = Arc::new(Mutex::new(0));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let mine = shared.clone();
                thread::spawn(move || drop(mine))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(Arc::try_unwrap(shared).unwrap().into_inner().unwrap(), 0);
    });
    assert_eq!(count, 1);
}

#[test]
fn an_owner_that_may_be_the_only_one() {
    let program = || {
        let mut shared = Arc::new(1);
        let other = shared.clone();
        let thread = thread::spawn(move || drop(other));
        let is_unique = Arc::get_mut(&mut shared).is_some();
        *Arc::make_mut(&mut shared) += 1;
        thread.join().unwrap();
        (is_unique, Arc::try_unwrap(shared).unwrap())
    };
    let both = BTreeSet::from([(false, 2), (true, 2)]);
    assert_eq!(outcomes_interleaved(program), both);
    assert_eq!(outcomes_under(None, program), both);
}

#[test]
fn a_weak_reference_is_upgraded_or_not() {
    let upgraded = || {
        let shared = Arc::new(5);
        let weak = Arc::downgrade(&shared);
        let thread = thread::spawn(move || weak.upgrade().map(|shared| *shared));
        drop(shared);
        thread.join().unwrap()
    };
    for model in [None, Some(MemoryModel::Sc)] {
        assert_eq!(outcomes_under(model, upgraded), BTreeSet::from([None, Some(5)]));
    }
}

/// Of two that take what they share if they are the last, exactly one does.
#[test]
fn the_last_one_takes_it() {
    let seen = outcomes(|| {
        let shared = Arc::new(7);
        let other = shared.clone();
        let thread = thread::spawn(move || Arc::into_inner(other));
        (Arc::into_inner(shared), thread.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(None, Some(7)), (Some(7), None)]));
}

/// The last owner drops a cell that others have written: what they did happens before.
#[test]
fn dropping_last_is_no_data_race() {
    struct Shared(UnsafeCell<u32>, AtomicUsize);
    // SAFETY: the cell is written by whoever draws 0.
    unsafe impl Sync for Shared {}
    impl Drop for Shared {
        fn drop(&mut self) {
            // SAFETY: nothing else has it any more.
            self.0.with_mut(|value| unsafe { *value += 1 });
        }
    }
    for ordering in [Ordering::SeqCst, Ordering::Relaxed] {
        verified(&everyway::explore(|| {
            let shared = Arc::new(Shared(UnsafeCell::new(0), AtomicUsize::new(0)));
            let other = shared.clone();
            thread::spawn(move || {
                if other.1.fetch_add(1, ordering) == 0 {
                    // SAFETY: only one thread gets here.
                    other.0.with_mut(|value| unsafe { *value = 1 });
                }
            });
            if shared.1.fetch_add(1, ordering) == 0 {
                // SAFETY: only one thread gets here.
                shared.0.with_mut(|value| unsafe { *value = 2 });
            }
        }));
    }
}

/// Counting owners orders nothing but the end.
#[test]
fn having_an_arc_does_not_order_accesses() {
    struct Shared(UnsafeCell<u32>);
    // SAFETY: it is not; that is what the test is about.
    unsafe impl Sync for Shared {}
    // SAFETY: as above.
    unsafe impl Send for Shared {}
    let bug = support::bug(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0)));
        let other = shared.clone();
        // SAFETY: not at all.
        thread::spawn(move || other.0.with_mut(|value| unsafe { *value = 1 }));
        // SAFETY: as above.
        shared.0.with_mut(|value| unsafe { *value = 2 });
    });
    assert_eq!(bug.kind, BugKind::DataRace);
}

#[test]
fn what_std_has() {
    everyway::check(|| {
        let text: Arc<str> = Arc::from("text");
        assert_eq!((text.len(), &*text), (4, "text"));
        let numbers: Arc<[u8]> = (0..3).collect();
        assert_eq!(*numbers, [0, 1, 2]);
        let shown: Arc<dyn Display> = everyway::unsize!(Arc::new(7) => dyn Display);
        let boxed: Arc<dyn Display> = Arc::from(Box::new("x") as Box<dyn Display>);
        assert_eq!(format!("{shown} {boxed}"), "7 x");
        let one = Arc::new(String::from("one"));
        assert!(Arc::ptr_eq(&one, &one.clone()) && one == Arc::new("one".to_owned()));
        let map = HashMap::from([(one.clone(), 1)]);
        assert_eq!(map.get(&*one), Some(&1));
        // SAFETY: the pointer comes from `into_raw`, and the counts are put back.
        let back = unsafe {
            let pointer = Arc::into_raw(one.clone());
            Arc::increment_strong_count(pointer);
            Arc::decrement_strong_count(pointer);
            Arc::from_raw(pointer)
        };
        assert_eq!(back.as_str(), "one");
        assert_eq!(Arc::strong_count(&one), 3);
        drop(map);
        struct Node(Weak<Node>, u8);
        let node = Arc::new_cyclic(|me| Node(me.clone(), 3));
        assert_eq!(node.0.upgrade().unwrap().1, 3);
        assert_eq!((Arc::strong_count(&node), Arc::weak_count(&node)), (1, 1));
        assert!(Weak::<u8>::new().upgrade().is_none());
        let any: Arc<dyn std::any::Any + Send + Sync> =
            everyway::unsize!(Arc::new(1_u8) => dyn std::any::Any + Send + Sync);
        assert_eq!(any.downcast::<u8>().ok().as_deref(), Some(&1));
    });
}

/// What the others have done to it happens before the last owner drops it, also where it can be told who that is.
#[test]
fn the_last_owner_has_seen_what_the_others_did() {
    struct Last(AtomicUsize);
    impl Drop for Last {
        fn drop(&mut self) {
            assert_eq!(self.0.load(Ordering::Relaxed), 2, "something was missed");
        }
    }
    let report = everyway::explore(|| {
        let shared = Arc::new(Last(AtomicUsize::new(0)));
        let other = shared.clone();
        thread::spawn(move || other.0.fetch_add(1, Ordering::Relaxed));
        shared.0.fetch_add(1, Ordering::Relaxed);
    });
    verified(&report);
}
