//! Statics are fresh in each execution, whatever others do with them; objects can be moved and taken apart.

#![cfg(all(feature = "model", target_os = "linux"))]

mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex};
use everyway::thread;
use std::collections::BTreeSet;
use support::{executions, outcomes_small};

#[test]
fn a_static_starts_over_in_each_execution() {
    static COUNTER: AtomicUsize = AtomicUsize::new(5);
    static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    let count = executions(|| {
        assert_eq!(COUNTER.load(SeqCst), 5);
        assert!(LIST.lock().unwrap().is_empty());
        let threads = [1, 2].map(|n| {
            thread::spawn(move || {
                COUNTER.fetch_add(1, SeqCst);
                LIST.lock().unwrap().push(n);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(COUNTER.load(SeqCst), 7);
        let mut list = LIST.lock().unwrap().clone();
        list.sort_unstable();
        assert_eq!(list, [1, 2]);
    });
    // The additions come in two orders, and so do the pushes: a thread does not have to come first in both.
    assert_eq!(count, 4);
    assert_eq!(COUNTER.load(SeqCst), 5, "the model works on a copy");
    assert!(LIST.lock().unwrap().is_empty());
}

#[test]
fn ordinary_code_does_not_change_what_models_start_with() {
    static NUMBER: AtomicUsize = AtomicUsize::new(1);
    static TEXT: Mutex<Option<String>> = Mutex::new(None);
    let check = || {
        everyway::check(|| {
            assert_eq!(NUMBER.swap(10, SeqCst), 1);
            assert_eq!(TEXT.lock().unwrap().replace("of the model".to_owned()), None);
        });
    };
    NUMBER.store(2, SeqCst);
    *TEXT.lock().unwrap() = Some("outside".to_owned());
    check();
    assert_eq!(NUMBER.load(SeqCst), 2);
    assert_eq!(TEXT.lock().unwrap().as_deref(), Some("outside"));
    NUMBER.store(3, SeqCst);
    TEXT.lock().unwrap().take();
    check();
    assert_eq!(NUMBER.load(SeqCst), 3);
}

#[test]
fn a_static_that_a_model_used_first() {
    static NUMBER: AtomicUsize = AtomicUsize::new(1);
    everyway::check(|| assert_eq!(NUMBER.fetch_add(1, SeqCst), 1));
    assert_eq!(NUMBER.fetch_add(5, SeqCst), 1);
    everyway::check(|| assert_eq!(NUMBER.fetch_add(1, SeqCst), 1));
    assert_eq!(NUMBER.load(SeqCst), 6);
}

#[test]
fn explorations_in_parallel_do_not_meet() {
    static SHARED: AtomicUsize = AtomicUsize::new(0);
    static LIST: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let explore = |first: usize| {
        let seen = std::sync::Mutex::new(BTreeSet::new());
        for _ in 0..20 {
            let report = everyway::explore(|| {
                assert_eq!(SHARED.load(SeqCst), 0);
                let threads = [first, first + 1, first + 2].map(|n| {
                    thread::spawn(move || {
                        SHARED.store(n, SeqCst);
                        LIST.lock().unwrap().push(n);
                    })
                });
                threads.into_iter().for_each(|thread| thread.join().unwrap());
                assert_eq!(LIST.lock().unwrap().len(), 3);
                seen.lock().unwrap().insert(SHARED.load(SeqCst));
            });
            support::verified(&report);
            assert_eq!(report.executions.complete, 36);
        }
        assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([first, first + 1, first + 2]));
    };
    std::thread::scope(|scope| {
        scope.spawn(|| explore(10));
        scope.spawn(|| explore(20));
        for n in 100..1000 {
            SHARED.store(n, SeqCst);
            LIST.lock().unwrap().push(n);
        }
    });
    assert_eq!(LIST.lock().unwrap().len(), 900);
}

#[test]
fn cells_pointers_and_arrays_are_fresh_too() {
    struct Slot(UnsafeCell<[u8; 3]>);
    // SAFETY: the tests order all accesses.
    unsafe impl Sync for Slot {}
    static SLOT: Slot = Slot(UnsafeCell::new([1, 2, 3]));
    static FLAGS: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];
    static POINTER: AtomicPtr<u32> = AtomicPtr::new(std::ptr::null_mut());
    let count = executions(|| {
        assert!(POINTER.load(SeqCst).is_null());
        let mut local = 7;
        POINTER.store(&raw mut local, SeqCst);
        // SAFETY: nobody else has begun.
        SLOT.0.with_mut(|slot| unsafe {
            assert_eq!(*slot, [1, 2, 3]);
            (*slot)[0] = 9;
        });
        thread::spawn(|| FLAGS[1].store(true, SeqCst));
        assert!(!FLAGS[0].load(SeqCst) && !FLAGS[2].load(SeqCst));
        FLAGS[1].load(SeqCst);
        // SAFETY: nobody writes any more.
        assert_eq!(SLOT.0.with(|slot| unsafe { *slot }), [9, 2, 3]);
        POINTER.store(std::ptr::null_mut(), SeqCst);
    });
    assert_eq!(count, 2);
}

/// The destructors of what a static's copy holds run when the execution ends.
#[test]
fn what_a_static_holds_is_dropped() {
    struct Counted(Arc<std::sync::atomic::AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    static HELD: Mutex<Option<Counted>> = Mutex::new(None);
    let dropped = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = executions(|| {
        let threads = [0; 2].map(|_| {
            let dropped = dropped.clone();
            thread::spawn(move || drop(HELD.lock().unwrap().replace(Counted(dropped))))
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!(count, 2);
    // Three orders of exploration, two executions each, two values in each.
    assert_eq!(dropped.load(SeqCst), 12);
}

#[test]
fn constants_are_new_objects_each_time() {
    #[allow(clippy::declare_interior_mutable_const, reason = "this is what is tested")]
    const ZERO: AtomicUsize = AtomicUsize::new(0);
    everyway::check(|| {
        let (one, two) = (ZERO, ZERO);
        one.store(1, SeqCst);
        assert_eq!((one.load(SeqCst), two.load(SeqCst)), (1, 0));
        let many = [const { Mutex::new(0) }; 4];
        *many[3].lock().unwrap() = 1;
        assert_eq!(many.map(|mutex| mutex.into_inner().unwrap()), [0, 0, 0, 1]);
    });
}

#[test]
fn objects_keep_their_state_when_they_are_moved() {
    let seen = outcomes_small(|| {
        let one = AtomicUsize::new(1);
        one.store(2, SeqCst);
        let lock = Mutex::new(vec![1]);
        lock.lock().unwrap().push(2);
        let moved = Box::new((one, lock));
        assert_eq!(moved.0.load(SeqCst), 2);
        assert_eq!(moved.1.lock().unwrap().len(), 2);
        let shared = Arc::new(*moved);
        let other = shared.clone();
        let thread = thread::spawn(move || {
            other.0.store(3, SeqCst);
            other.1.lock().unwrap().push(3);
        });
        let seen = (shared.0.load(SeqCst), shared.1.lock().unwrap().len());
        thread.join().unwrap();
        let (one, lock) = Arc::into_inner(shared).unwrap();
        assert_eq!((one.into_inner(), lock.into_inner().unwrap()), (3, vec![1, 2, 3]));
        seen
    });
    assert_eq!(seen, BTreeSet::from([(2, 2), (2, 3), (3, 2), (3, 3)]));
}

#[test]
fn swapped_and_replaced_objects_are_told_apart() {
    everyway::check(|| {
        let (mut one, mut two) = (AtomicUsize::new(1), AtomicUsize::new(2));
        one.fetch_add(10, SeqCst);
        std::mem::swap(&mut one, &mut two);
        assert_eq!((one.load(SeqCst), two.load(SeqCst)), (2, 11));
        one = AtomicUsize::new(7);
        assert_eq!(one.load(SeqCst), 7);
        let mut list: Vec<AtomicUsize> = Vec::new();
        for n in 0..20 {
            list.push(AtomicUsize::new(n));
            list[n].fetch_add(100, SeqCst);
        }
        assert!(list.iter().enumerate().all(|(n, atomic)| atomic.load(SeqCst) == n + 100));
    });
}

#[test]
fn an_owner_sees_and_changes_the_value_directly() {
    everyway::check(|| {
        let mut atomic = AtomicUsize::new(1);
        *atomic.get_mut() += 1;
        assert_eq!(atomic.fetch_add(1, SeqCst), 2);
        *atomic.get_mut() += 1;
        assert_eq!(atomic.load(SeqCst), 4);
        assert_eq!(atomic.into_inner(), 4);
        let mut flag = AtomicBool::new(true);
        flag.store(false, SeqCst);
        assert!(!*flag.get_mut());
        let mut lock = Mutex::new(1);
        *lock.lock().unwrap() = 2;
        *lock.get_mut().unwrap() += 1;
        assert_eq!(*lock.lock().unwrap(), 3);
        assert_eq!(lock.into_inner().unwrap(), 3);
        let mut shared = Arc::new(AtomicUsize::new(0));
        let other = shared.clone();
        thread::spawn(move || other.store(5, SeqCst)).join().unwrap();
        assert_eq!(*Arc::get_mut(&mut shared).unwrap().get_mut(), 5);
    });
}

/// An object that is made outside and used in many executions has its outside value at the start of each.
#[test]
fn objects_of_outside_start_over() {
    let outside = Arc::new(AtomicUsize::new(3));
    outside.store(4, SeqCst);
    let seen = outcomes_small(|| {
        assert!(outside.fetch_add(1, SeqCst) == 4);
        let other = outside.clone();
        let thread = thread::spawn(move || other.fetch_add(1, SeqCst));
        outside.store(0, SeqCst);
        thread.join().unwrap();
        outside.load(SeqCst)
    });
    assert_eq!(seen, BTreeSet::from([0, 1]));
    assert_eq!(outside.load(SeqCst), 4);
}

/// Statics are not dropped, but what an execution made of them is; what their destructors do is of no interest.
#[test]
fn what_is_in_a_static_is_dropped_with_the_execution() {
    struct Panics(bool);
    impl Drop for Panics {
        fn drop(&mut self) {
            DROPS.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            assert!(!self.0, "nobody sees this");
        }
    }
    static DROPS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    static PANICS: Mutex<Panics> = Mutex::new(Panics(false));
    let count = executions(|| {
        let thread = thread::spawn(|| PANICS.lock().unwrap().0 = true);
        PANICS.lock().unwrap().0 = true;
        thread.join().unwrap();
    });
    assert_eq!(count, 2);
    // For each of the three orders that are tried.
    assert_eq!(DROPS.load(std::sync::atomic::Ordering::SeqCst), 3 * 2);
}

/// Addresses are others in each execution, and mean the same: three threads put something in one place, by a
/// compare-exchange each that may fail.
#[test]
fn pointers_differ_from_execution_to_execution() {
    let by_number = executions(|| {
        let last = Arc::new(AtomicUsize::new(0));
        let threads = [1, 2, 3].map(|n| {
            let last = last.clone();
            thread::spawn(move || while last.compare_exchange(last.load(SeqCst), n, SeqCst, SeqCst).is_err() {})
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    let by_address = executions(|| {
        let last = Arc::new(AtomicPtr::new(std::ptr::null_mut()));
        let threads = [1, 2, 3].map(|n| {
            let last = last.clone();
            // Never freed, so never at the same address again.
            let n = Box::leak(Box::new(n));
            thread::spawn(move || while last.compare_exchange(last.load(SeqCst), n, SeqCst, SeqCst).is_err() {})
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!(by_address, by_number);
}
