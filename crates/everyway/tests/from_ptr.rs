//! Atomics that are made of pointers to memory, and memory that is reached by pointers to atomics.

#![cfg(feature = "model")]
#![allow(unsafe_code)]

mod support;

use everyway::report::{BugKind, Verdict};
use everyway::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use everyway::thread;
use everyway::{Algorithm, Builder, MemoryModel, explore};
use std::collections::BTreeSet;
use std::sync::Mutex;
use support::verified;

/// A pointer that threads may share.
struct Shared<T>(*mut T);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: the tests use it as what it points to wants it.
unsafe impl<T> Send for Shared<T> {}

impl<T> Shared<T> {
    fn get(self) -> *mut T {
        self.0
    }
}

/// What is in memory.
fn read<T>(pointer: *const T) -> T {
    // SAFETY: all who write it have been joined.
    unsafe { pointer.read_volatile() }
}

fn at(pointer: Shared<u32>) -> &'static AtomicU32 {
    // SAFETY: the memory lasts as long as the threads that use it.
    unsafe { AtomicU32::from_ptr(pointer.get()) }
}

/// Two threads that add in two steps lose an update in some interleaving: 1 or 2 in the end, which plain memory tells.
#[test]
fn memory_holds_what_the_atomic_does() {
    let seen = Mutex::new(BTreeSet::new());
    let report = explore(|| {
        let mut number = 0;
        let pointer = Shared(&raw mut number);
        let threads = [(); 2].map(|()| {
            thread::spawn(move || {
                let value = at(pointer).load(Ordering::SeqCst);
                at(pointer).store(value + 1, Ordering::SeqCst);
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        seen.lock().unwrap().insert(read(pointer.get()));
    });
    verified(&report);
    assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([1, 2]));
}

/// It is the same atomic however often it is made: as many executions as with an atomic of everyway's in its place.
#[test]
fn it_counts_as_an_atomic_of_its_own_type() {
    fn program(atomic: &'static AtomicU32) {
        let threads = [1, 2, 3].map(|value| thread::spawn(move || atomic.store(value, Ordering::SeqCst)));
        atomic.load(Ordering::SeqCst);
        for thread in threads {
            thread.join().unwrap();
        }
    }
    static OWN: AtomicU32 = AtomicU32::new(0);
    let own = explore(|| program(&OWN));
    let made = explore(|| {
        let pointer = Shared(Box::into_raw(Box::new(0_u32)));
        program(at(pointer));
        // SAFETY: the threads have ended.
        drop(unsafe { Box::from_raw(pointer.get()) });
    });
    verified(&made);
    assert_eq!(made.executions.complete, own.executions.complete);
}

/// A plain write in between, which is ordered with all else, is read.
#[test]
fn plain_writes_are_noticed() {
    let report = explore(|| {
        let mut number = 1;
        let pointer = Shared(&raw mut number);
        let first = thread::spawn(move || at(pointer).fetch_add(1, Ordering::SeqCst));
        assert_eq!(first.join().unwrap(), 1);
        // SAFETY: the thread has ended.
        unsafe { pointer.get().write_volatile(10) };
        let others = [1, 2].map(|n| thread::spawn(move || at(pointer).fetch_add(n, Ordering::SeqCst)));
        for other in others {
            assert!(other.join().unwrap() >= 10);
        }
        assert_eq!(read(pointer.get()), 13);
    });
    verified(&report);
}

#[test]
fn memory_that_was_freed_is_not_used() {
    let report = explore(|| {
        let pointer = Shared(Box::into_raw(Box::new(0_u32)));
        let atomic = at(pointer);
        let thread = thread::spawn(move || atomic.store(1, Ordering::SeqCst));
        // SAFETY: it is not: the thread may still use it.
        drop(unsafe { Box::from_raw(pointer.get()) });
        thread.join().unwrap();
    });
    assert_eq!(report.bug.unwrap().kind, BugKind::UseAfterFree);
}

#[test]
fn two_sizes_are_refused() {
    let report = explore(|| {
        let mut number = 0_u32;
        let pointer = Shared(&raw mut number);
        at(pointer).store(1, Ordering::SeqCst);
        // SAFETY: a byte of it.
        unsafe { AtomicU8::from_ptr(pointer.get().cast()) }.store(1, Ordering::SeqCst);
    });
    let bug = report.bug.unwrap();
    assert_eq!(bug.kind, BugKind::Misuse);
    assert!(bug.message.contains("another size"), "{}", bug.message);
}

/// Message passing by relaxed accesses: 0 may be read after the flag. By release and acquire it may not.
#[test]
fn orderings_count() {
    for (store, load, may_miss) in
        [(Ordering::Relaxed, Ordering::Relaxed, true), (Ordering::Release, Ordering::Acquire, false)]
    {
        let missed = Mutex::new(false);
        let report = explore(|| {
            let (mut data, mut flag) = (0, 0);
            let (data, flag) = (Shared(&raw mut data), Shared(&raw mut flag));
            let writer = thread::spawn(move || {
                at(data).store(1, Ordering::Relaxed);
                at(flag).store(1, store);
            });
            if at(flag).load(load) == 1 && at(data).load(Ordering::Relaxed) == 0 {
                *missed.lock().unwrap() = true;
            }
            writer.join().unwrap();
            // One store each, which the join puts before this.
            assert_eq!((read(data.get()), read(flag.get())), (1, 1));
        });
        verified(&report);
        assert_eq!(missed.into_inner().unwrap(), may_miss);
    }
}

/// Relaxed read-modify-writes come in some order, and memory holds the sum.
#[test]
fn relaxed_additions_add_up_in_memory() {
    let report = explore(|| {
        let mut number = 0;
        let pointer = Shared(&raw mut number);
        let threads = [1, 2, 4].map(|n| thread::spawn(move || at(pointer).fetch_add(n, Ordering::Relaxed)));
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(read(pointer.get()), 7);
    });
    verified(&report);
}

/// Where nothing orders two stores, memory cannot hold both "last" values in one run of the steps: not modelled, and said.
#[test]
fn stores_in_no_order_are_refused_under_weak_models() {
    let report = explore(|| {
        let mut number = 0;
        let pointer = Shared(&raw mut number);
        let threads = [1, 2].map(|n| thread::spawn(move || at(pointer).store(n, Ordering::Relaxed)));
        for thread in threads {
            thread.join().unwrap();
        }
        assert_ne!(read(pointer.get()), 0);
    });
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert!(report.cut.iter().any(|cut| cut.contains("from_ptr")), "{:?}", report.cut);
}

#[test]
fn a_pointer_to_an_atomic_is_to_its_value() {
    let seen = Mutex::new(BTreeSet::new());
    let report = explore(|| {
        let atomic = everyway::sync::Arc::new(AtomicU64::new(3));
        atomic.store(4, Ordering::SeqCst);
        let pointer = Shared(atomic.as_ptr());
        assert_eq!(read(pointer.get()), 4);
        let other = atomic.clone();
        let writer = thread::spawn(move || other.store(5, Ordering::SeqCst));
        // SAFETY: the atomic is there.
        seen.lock().unwrap().insert(unsafe { AtomicU64::from_ptr(pointer.get()) }.load(Ordering::SeqCst));
        writer.join().unwrap();
        assert_eq!(read(pointer.get()), 5);
        assert_eq!(atomic.load(Ordering::SeqCst), 5);
    });
    verified(&report);
    assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([4, 5]));
}

/// An atomic that moves is another one than what lies at its old place.
#[test]
fn an_atomic_that_moves_leaves_its_pointer_behind() {
    let report = explore(|| {
        let atomic = AtomicUsize::new(1);
        let _ = atomic.as_ptr();
        atomic.store(2, Ordering::SeqCst);
        let moved = Box::new(atomic);
        assert_eq!(moved.swap(3, Ordering::SeqCst), 2);
        assert_eq!(moved.into_inner(), 3);
    });
    verified(&report);
}

/// Statics are fresh in each execution.
#[test]
fn statics_are_restored() {
    static mut COUNT: u32 = 7;
    static OWN: AtomicBool = AtomicBool::new(false);
    let report = explore(|| {
        let pointer = Shared(&raw mut COUNT);
        assert_eq!(read(pointer.get()), 7);
        assert!(!read(OWN.as_ptr()));
        let threads = [(); 2].map(|()| thread::spawn(move || at(pointer).fetch_add(1, Ordering::SeqCst)));
        OWN.store(true, Ordering::SeqCst);
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(read(pointer.get()), 9);
        assert!(read(OWN.as_ptr()));
    });
    verified(&report);
    assert!(report.executions.complete > 1);
    assert_eq!(read(&raw const COUNT), 7);
    assert!(!OWN.load(Ordering::SeqCst));
}

/// A thread that waits for a word of memory waits, and does not go round for ever.
#[test]
fn a_loop_over_memory_waits() {
    let report = explore(|| {
        let mut flag = 0;
        let pointer = Shared(&raw mut flag);
        let waiter = thread::spawn(move || {
            while at(pointer).load(Ordering::SeqCst) == 0 {
                everyway::hint::spin_loop();
            }
        });
        at(pointer).store(1, Ordering::SeqCst);
        waiter.join().unwrap();
    });
    verified(&report);
}

#[test]
fn every_strategy_knows_it() {
    for algorithm in
        [Algorithm::Optimal, Algorithm::Observers, Algorithm::ReadsFrom, Algorithm::Graphs { model: MemoryModel::Sc }]
    {
        let report = Builder::new().algorithm(algorithm).explore(|| {
            let mut number = 0;
            let pointer = Shared(&raw mut number);
            let thread = thread::spawn(move || at(pointer).store(1, Ordering::SeqCst));
            let first = at(pointer).load(Ordering::SeqCst);
            let second = at(pointer).load(Ordering::SeqCst);
            assert!(first <= second);
            thread.join().unwrap();
        });
        verified(&report);
        // The store comes before both loads, between them, or after them.
        assert_eq!(report.executions.complete, 3, "{algorithm:?}");
    }
}

#[test]
fn outside_of_models_it_is_as_std_has_it() {
    let mut number = 1_u64;
    // SAFETY: the only one who uses it.
    let atomic = unsafe { AtomicU64::from_ptr(&raw mut number) };
    assert_eq!(atomic.fetch_add(2, Ordering::SeqCst), 1);
    let mut target = 5;
    let mut pointer = std::ptr::null_mut();
    // SAFETY: as above.
    let atomic = unsafe { AtomicPtr::from_ptr(&raw mut pointer) };
    atomic.store(&raw mut target, Ordering::SeqCst);
    assert_eq!((number, pointer), (3, &raw mut target));
    let flag = AtomicBool::new(true);
    assert!(read(flag.as_ptr()));
    flag.store(false, Ordering::SeqCst);
    assert!(!read(flag.as_ptr()));
}
