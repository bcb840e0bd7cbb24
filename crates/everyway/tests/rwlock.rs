//! `everyway::sync::RwLock`.

#![cfg(feature = "model")]

mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::report::{BugKind, Report};
use everyway::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};
use everyway::thread;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use support::{executions, outcomes_small};

#[track_caller]
fn assert_bug(report: &Report, kind: BugKind) {
    assert_eq!(report.bug.as_ref().map(|bug| bug.kind), Some(kind), "{report:?}");
}

struct Shared(UnsafeCell<u32>);

// SAFETY: the tests are about telling whether accesses are ordered.
unsafe impl Sync for Shared {}

impl Shared {
    fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    #[track_caller]
    fn read(&self) -> u32 {
        // SAFETY: the threads of a model take turns.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    fn write(&self) {
        // SAFETY: as above.
        self.0.with_mut(|value| unsafe { *value += 1 });
    }
}

fn readers_and_writers(readers: usize, writers: usize) -> u64 {
    executions(|| {
        let lock = Arc::new(RwLock::new(0));
        for _ in 0..readers {
            let lock = lock.clone();
            thread::spawn(move || assert!(*lock.read().unwrap() <= writers));
        }
        for _ in 0..writers {
            let lock = lock.clone();
            thread::spawn(move || *lock.write().unwrap() += 1);
        }
    })
}

#[test]
fn readers_commute() {
    for readers in 1..=5 {
        assert_eq!(readers_and_writers(readers, 0), 1);
    }
}

#[test]
fn each_reader_comes_before_or_after_the_writer() {
    for readers in 1..=5 {
        assert_eq!(readers_and_writers(readers, 1), 1 << readers);
    }
}

#[test]
fn writers_come_in_all_orders() {
    assert_eq!(readers_and_writers(0, 2), 2);
    assert_eq!(readers_and_writers(0, 3), 6);
    // The reader has three places among two writers, which have two orders.
    assert_eq!(readers_and_writers(1, 2), 6);
}

#[test]
fn try_read_fails_while_somebody_writes() {
    // Before the writer, while it has the lock, and after it.
    let seen = std::sync::Mutex::new(BTreeSet::new());
    let complete = executions(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = lock.clone();
        thread::spawn(move || *other.write().unwrap() = 1);
        let found = match lock.try_read() {
            Ok(value) => Some(*value),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(_)) => unreachable!(),
        };
        seen.lock().unwrap().insert(found);
    });
    assert_eq!(complete, 3);
    assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([None, Some(0), Some(1)]));
}

#[test]
fn try_write_fails_while_somebody_reads() {
    let complete = executions(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = lock.clone();
        thread::spawn(move || drop(other.read().unwrap()));
        drop(lock.try_write());
    });
    // As above, with the parts exchanged.
    assert_eq!(complete, 3);
}

#[test]
fn try_read_succeeds_while_somebody_reads() {
    everyway::check(|| {
        let lock = RwLock::new(0);
        let one = lock.read().unwrap();
        let two = lock.try_read().unwrap();
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
        drop((one, two));
        assert!(lock.try_write().is_ok());
    });
}

#[test]
fn a_writer_that_becomes_a_reader_lets_no_writer_in_between() {
    let complete = executions(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = lock.clone();
        thread::spawn(move || *other.write().unwrap() = 2);
        let mut guard = lock.write().unwrap();
        *guard = 1;
        let guard = RwLockWriteGuard::downgrade(guard);
        assert_eq!(*guard, 1);
        drop(lock.read().unwrap());
    });
    // The other writer comes before, after, or between the two times that the first one reads.
    // Between is not possible: the first guard is held to the end.
    assert_eq!(complete, 2);
}

#[test]
fn a_reader_that_wants_to_write_waits_for_itself() {
    let report = everyway::explore(|| {
        let lock = RwLock::new(0);
        let _reading = lock.read().unwrap();
        drop(lock.write());
    });
    assert_bug(&report, BugKind::Deadlock);
    let waits = report.bug.unwrap().waits;
    assert_eq!(waits.len(), 1);
    assert_eq!(waits[0].operation, "write RwLock #1");
    assert_eq!(waits[0].waits_for, Some(0), "{waits:?}");
}

#[test]
fn a_deadlock_names_a_reader_that_still_reads() {
    let report = everyway::explore(|| {
        let lock = Arc::new(RwLock::new(0));
        let reading = lock.read().unwrap();
        let other = lock.clone();
        thread::spawn(move || drop(other.read())).join().unwrap();
        drop(lock.write());
        drop(reading);
    });
    assert_bug(&report, BugKind::Deadlock);
    assert_eq!(report.bug.unwrap().waits[0].waits_for, Some(0));
}

#[test]
fn only_writers_poison() {
    everyway::check(|| {
        let lock = RwLock::new(1);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _guard = lock.read().unwrap();
            panic!("a reader");
        }));
        assert!(panicked.is_err());
        assert!(!lock.is_poisoned());
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _guard = lock.write().unwrap();
            panic!("a writer");
        }));
        assert!(panicked.is_err());
        assert!(lock.is_poisoned());
        assert_eq!(*lock.read().unwrap_err().into_inner(), 1);
        assert!(matches!(lock.try_read(), Err(TryLockError::Poisoned(_))));
        assert!(matches!(lock.try_write(), Err(TryLockError::Poisoned(_))));
        assert!(lock.write().is_err());
        lock.clear_poison();
        assert_eq!(*lock.write().unwrap(), 1);
        assert_eq!(lock.into_inner().unwrap(), 1);
    });
}

#[test]
fn locks_order_accesses() {
    let complete = executions(|| {
        let shared = Arc::new((RwLock::new(()), Shared::new()));
        for _ in 0..2 {
            let shared = shared.clone();
            thread::spawn(move || {
                let _guard = shared.0.read().unwrap();
                shared.1.read();
            });
        }
        let _guard = shared.0.write().unwrap();
        shared.1.write();
    });
    assert_eq!(complete, 4);
}

#[test]
fn writing_as_a_reader_is_a_race() {
    let report = everyway::explore(|| {
        let shared = Arc::new((RwLock::new(()), Shared::new()));
        let other = shared.clone();
        thread::spawn(move || {
            let _guard = other.0.read().unwrap();
            other.1.read();
        });
        let _guard = shared.0.read().unwrap();
        shared.1.write();
    });
    assert_bug(&report, BugKind::DataRace);
}

static TABLE: RwLock<Vec<u32>> = RwLock::new(Vec::new());

fn fill_the_table() -> u64 {
    executions(|| {
        assert!(TABLE.read().unwrap().is_empty());
        let threads = [1, 2].map(|n| thread::spawn(move || TABLE.write().unwrap().push(n)));
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(TABLE.read().unwrap().len(), 2);
    })
}

#[test]
fn statics_are_fresh_in_each_execution() {
    TABLE.write().unwrap().push(7);
    let other = std::thread::spawn(fill_the_table);
    assert_eq!(fill_the_table(), 2);
    assert_eq!(other.join().unwrap(), 2);
    assert_eq!(*TABLE.read().unwrap(), [7]);
    TABLE.write().unwrap().clear();
}

#[test]
fn outside_of_models_it_is_as_std_has_it() {
    let lock = Arc::new(RwLock::new(String::from("a")));
    let one = lock.read().unwrap();
    let two = lock.try_read().unwrap();
    assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    assert_eq!(format!("{one:?} {two}"), "\"a\" a");
    drop((one, two));
    let mut guard = lock.write().unwrap();
    guard.push('b');
    assert!(matches!(lock.try_read(), Err(TryLockError::WouldBlock)));
    assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    let guard: RwLockReadGuard<'_, _> = RwLockWriteGuard::downgrade(guard);
    assert!(lock.try_read().is_ok());
    assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
    drop(guard);
    let other = lock.clone();
    let panicked = std::thread::spawn(move || {
        let _guard = other.write().unwrap();
        panic!("expected by the test");
    });
    assert!(panicked.join().is_err());
    assert!(lock.is_poisoned());
    assert_eq!(*lock.read().unwrap_err().into_inner(), "ab");
    assert!(lock.write().is_err());
    assert!(matches!(lock.try_write(), Err(TryLockError::Poisoned(_))));
    lock.clear_poison();
    let mut lock = Arc::into_inner(lock).unwrap();
    lock.get_mut().unwrap().push('c');
    assert_eq!(lock.into_inner().unwrap(), "abc");
    assert_eq!(*RwLock::<u8>::default().read().unwrap(), 0);
    assert_eq!(*RwLock::from(3).read().unwrap(), 3);
    assert_eq!(format!("{:?}", RwLock::new(3)), format!("{:?}", std::sync::RwLock::new(3)));
    let unsized_lock: &RwLock<[u8]> = &RwLock::new([1, 2]);
    assert_eq!(unsized_lock.read().unwrap().len(), 2);
}

#[test]
fn nothing_is_missed() {
    let race = || {
        let lock = Arc::new(RwLock::new(0));
        let writer = lock.clone();
        let writer = thread::spawn(move || {
            let mut guard = writer.write().unwrap();
            *guard = 1;
            let guard = RwLockWriteGuard::downgrade(guard);
            *guard
        });
        let reader = lock.clone();
        let reader = thread::spawn(move || (reader.try_read().ok().map(|v| *v), *reader.read().unwrap()));
        let tried = lock.try_write().is_ok_and(|mut value| {
            *value += 2;
            true
        });
        (tried, writer.join().unwrap(), reader.join().unwrap())
    };
    // The number that running every interleaving gives, too.
    assert_eq!(outcomes_small(race).len(), 16);
}
