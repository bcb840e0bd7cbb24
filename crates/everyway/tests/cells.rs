//! Data races on cells: found where nothing orders the accesses, and not where something does.

#![cfg(feature = "model")]

mod support;

use everyway::cell::{Cell, Tracked as _, UnsafeCell};
use everyway::report::{Bug, BugKind};
use everyway::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicBool, AtomicUsize, fence};
use everyway::sync::{Arc, Mutex, mpsc};
use everyway::thread;
use support::{bug, executions, verified};

/// A cell that threads share, as unsafe code does.
#[derive(Default)]
struct Shared(UnsafeCell<u32>);

// SAFETY: none at all; whether accesses are ordered is what is tested, and in a model they take place one after
// the other whether they are or not.
unsafe impl Sync for Shared {}

impl Shared {
    #[track_caller]
    fn read(&self) -> u32 {
        // SAFETY: see above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    fn read_by_pointer(&self) -> u32 {
        // SAFETY: see above.
        unsafe { *self.0.get() }
    }

    #[track_caller]
    fn write(&self, new: u32) {
        // SAFETY: see above.
        self.0.with_mut(|value| unsafe { *value = new });
    }
}

#[track_caller]
fn race(f: impl Fn() + Sync) -> Bug {
    let bug = bug(f);
    assert_eq!(bug.kind, BugKind::DataRace, "{}", bug.message);
    assert_eq!(bug.accesses.len(), 2);
    bug
}

#[test]
fn a_race_is_reported_with_both_places() {
    let line = line!() + 4;
    let bug = race(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        thread::spawn(move || other.write(1));
        cell.read();
    });
    let lines = bug.accesses.iter().map(|access| access.source.as_ref().unwrap().line);
    assert_eq!(lines.collect::<std::collections::BTreeSet<_>>(), [line, line + 1].into());
    assert!(bug.accesses.iter().all(|access| access.object == "UnsafeCell #1"));
    let mut operations: Vec<&str> = bug.accesses.iter().map(|access| access.operation.as_str()).collect();
    operations.sort_unstable();
    assert_eq!(operations, ["read", "write"]);
}

#[test]
fn two_writes_race_and_so_does_a_bare_pointer() {
    race(|| {
        let cell = Shared::default();
        thread::scope(|scope| {
            scope.spawn(|| cell.write(1));
            scope.spawn(|| cell.write(2));
        });
    });
    let bug = race(|| {
        let cell = Shared::default();
        thread::scope(|scope| {
            scope.spawn(|| cell.read_by_pointer());
            scope.spawn(|| cell.read());
        });
    });
    assert!(bug.tips[0].contains("cell.with"), "{:?}", bug.tips);
}

#[test]
fn cells_that_unsafe_code_shares_race() {
    struct Shared(Cell<u32>);
    // SAFETY: as for the other one.
    unsafe impl Sync for Shared {}
    impl Shared {
        fn cell(&self) -> &Cell<u32> {
            &self.0
        }
    }
    let bug = race(|| {
        let shared = Shared(Cell::new(0));
        thread::scope(|scope| {
            scope.spawn(|| shared.cell().set(1));
            scope.spawn(|| shared.cell().get());
        });
    });
    assert!(bug.accesses[0].source.as_ref().unwrap().file.ends_with("cells.rs"));
}

#[test]
fn readers_do_not_race() {
    let count = executions(|| {
        let cell = Shared::default();
        cell.write(3);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| assert_eq!(cell.read(), 3));
            }
        });
        cell.write(4);
    });
    assert_eq!(count, 1);
}

#[test]
fn spawning_and_joining_order() {
    everyway::check(|| {
        let cell = Arc::new(Shared::default());
        cell.write(1);
        let other = cell.clone();
        let thread = thread::spawn(move || {
            assert_eq!(other.read(), 1);
            other.write(2);
            let inner = other.clone();
            thread::spawn(move || inner.write(3)).join().unwrap();
        });
        thread.join().unwrap();
        assert_eq!(cell.read(), 3);
    });
    race(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        thread::spawn(move || other.read());
        // After the spawn, and not before a join.
        cell.write(1);
    });
}

#[test]
fn a_mutex_orders() {
    everyway::check(|| {
        let (cell, lock) = (Shared::default(), Mutex::new(()));
        thread::scope(|scope| {
            for n in 0..2 {
                let (cell, lock) = (&cell, &lock);
                scope.spawn(move || {
                    let _guard = lock.lock();
                    cell.write(cell.read() + n);
                });
            }
        });
        assert_eq!(cell.read(), 1);
    });
    // Only one of them holds it.
    race(|| {
        let (cell, lock) = (Shared::default(), Mutex::new(()));
        thread::scope(|scope| {
            scope.spawn(|| {
                let _guard = lock.lock();
                cell.write(1);
            });
            scope.spawn(|| cell.write(2));
        });
    });
    // One looks after it has let go.
    race(|| {
        let (cell, lock) = (Shared::default(), Mutex::new(()));
        thread::scope(|scope| {
            scope.spawn(|| {
                let _guard = lock.lock();
                cell.write(1);
            });
            drop(lock.lock());
            cell.read();
        });
    });
}

#[test]
fn a_flag_orders_if_it_is_seen() {
    let publish = |look: fn(&AtomicBool) -> bool| {
        move || {
            let (cell, flag) = (Shared::default(), AtomicBool::new(false));
            thread::scope(|scope| {
                scope.spawn(|| {
                    cell.write(1);
                    flag.store(true, SeqCst);
                });
                if look(&flag) {
                    assert_eq!(cell.read(), 1);
                }
            });
        }
    };
    everyway::check(publish(|flag| flag.load(SeqCst)));
    everyway::check(publish(|flag| {
        while !flag.load(SeqCst) {
            thread::yield_now();
        }
        true
    }));
    everyway::check(publish(|flag| flag.swap(false, SeqCst)));
    everyway::check(publish(|flag| flag.compare_exchange(true, false, SeqCst, SeqCst).is_ok()));
    // Looking is not enough: it has to be seen.
    race(publish(|flag| {
        flag.load(SeqCst);
        true
    }));
}

/// The engine orders two stores to one atomic. The language does not: nobody read in between.
#[test]
fn two_stores_do_not_order() {
    race(|| {
        let (cell, x) = (Shared::default(), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                cell.write(1);
                x.store(1, SeqCst);
            });
            scope.spawn(|| {
                x.store(2, SeqCst);
                cell.write(2);
            });
        });
    });
}

/// A reference count: whoever comes to zero has everybody's writes behind it.
#[test]
fn additions_that_look_order() {
    everyway::check(|| {
        let (cell, count) = (Shared::default(), AtomicUsize::new(2));
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    if count.fetch_sub(1, SeqCst) == 1 {
                        cell.write(1);
                    }
                });
            }
        });
    });
}

#[test]
fn a_channel_orders_sender_and_receiver() {
    everyway::check(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            other.write(1);
            sender.send(()).unwrap();
        });
        receiver.recv().unwrap();
        assert_eq!(cell.read(), 1);
    });
    everyway::check(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        let (sender, receiver) = mpsc::channel::<()>();
        thread::spawn(move || {
            other.write(1);
            drop(sender);
        });
        assert!(receiver.recv().is_err());
        assert_eq!(cell.read(), 1);
    });
    // A rendezvous orders in both directions.
    everyway::check(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || {
            sender.send(()).unwrap();
            other.read()
        });
        cell.write(1);
        receiver.recv().unwrap();
        assert_eq!(thread.join().unwrap(), 1);
    });
}

/// Only what was before the sending of the very message is ordered: not what another sender did, nor what comes
/// after it.
#[test]
fn a_message_orders_no_more_than_its_sender() {
    race(|| {
        let cell = Arc::new(Shared::default());
        let (sender, receiver) = mpsc::channel();
        let (other, also) = (cell.clone(), sender.clone());
        thread::spawn(move || {
            other.write(1);
            also.send(1).unwrap();
        });
        thread::spawn(move || sender.send(2).unwrap());
        if receiver.recv() == Ok(2) {
            cell.read();
        }
        let _ = receiver.recv();
    });
    race(|| {
        let cell = Arc::new(Shared::default());
        let (sender, receiver) = mpsc::channel();
        let other = cell.clone();
        thread::spawn(move || {
            sender.send(1).unwrap();
            other.write(1);
        });
        receiver.recv().unwrap();
        cell.read();
    });
}

#[test]
fn a_park_is_ordered_after_its_unpark() {
    everyway::check(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        let parked = thread::spawn(move || {
            thread::park();
            other.read()
        });
        cell.write(1);
        parked.thread().unpark();
        assert_eq!(parked.join().unwrap(), 1);
    });
    // One that gives up is not.
    race(|| {
        let cell = Arc::new(Shared::default());
        let other = cell.clone();
        let parked = thread::spawn(move || {
            thread::park_timeout(std::time::Duration::from_millis(1));
            other.read()
        });
        cell.write(1);
        parked.thread().unpark();
        parked.join().unwrap();
    });
}

#[test]
fn an_owner_needs_no_order() {
    everyway::check(|| {
        let mut cell = Cell::new(vec![1]);
        cell.get_mut().push(2);
        assert_eq!(cell.take(), [1, 2]);
        let (one, two) = (Cell::new(1), Cell::new(2));
        one.swap(&two);
        one.update(|n| n + 10);
        assert_eq!((one.get(), two.replace(5), two.into_inner()), (12, 1, 5));
        assert_eq!(UnsafeCell::from(3).into_inner(), 3);
    });
}

/// One thread writes, and says so with `store`; the other one reads if it is told so by `load`.
fn message_passing(store: fn(&AtomicBool), load: fn(&AtomicBool) -> bool) {
    let shared = Arc::new((Shared::default(), AtomicBool::new(false)));
    let other = shared.clone();
    thread::spawn(move || {
        other.0.write(1);
        store(&other.1);
    });
    if load(&shared.1) {
        shared.0.read();
    }
}

#[test]
fn a_relaxed_flag_orders_nothing() {
    fn set<const RELEASES: bool>(flag: &AtomicBool) {
        flag.store(true, if RELEASES { Release } else { Relaxed });
    }
    fn get<const ACQUIRES: bool>(flag: &AtomicBool) -> bool {
        flag.load(if ACQUIRES { Acquire } else { Relaxed })
    }
    let found = race(|| message_passing(set::<false>, get::<true>));
    assert!(found.message.contains("the relaxed store does not synchronise"), "{}", found.message);
    // The write comes before the first step of its thread, the store; the read after all of its own.
    let before: Vec<Option<usize>> = found.accesses.iter().map(|access| access.steps_before).collect();
    assert_eq!(before[0], Some(0), "{:?}", found.accesses);
    let own = found.execution.events.iter().filter(|event| event.thread == found.accesses[1].thread).count();
    assert_eq!(before[1], Some(own), "{:?}", found.accesses);
    let found = race(|| message_passing(set::<true>, get::<false>));
    assert!(found.message.contains("the relaxed load does not synchronise"), "{}", found.message);
    support::verified(&everyway::explore(|| message_passing(set::<true>, get::<true>)));
}

#[test]
fn fences_order_what_relaxed_accesses_tell() {
    fn set(flag: &AtomicBool) {
        fence(Release);
        flag.store(true, Relaxed);
    }
    fn get(flag: &AtomicBool) -> bool {
        let is_set = flag.load(Relaxed);
        fence(Acquire);
        is_set
    }
    support::verified(&everyway::explore(|| message_passing(set, get)));
    race(|| message_passing(set, |flag| flag.load(Relaxed)));
    race(|| message_passing(|flag| flag.store(true, Relaxed), get));
}

#[test]
fn a_release_sequence_goes_on_with_a_read_modify_write_and_ends_with_a_store() {
    /// The middle thread is what is between the store and the load.
    fn with(middle: fn(&AtomicUsize)) {
        let shared = Arc::new((Shared::default(), AtomicUsize::new(0)));
        let (first, second) = (shared.clone(), shared.clone());
        thread::spawn(move || {
            first.0.write(1);
            first.1.store(1, Release);
        });
        thread::spawn(move || middle(&second.1));
        if shared.1.load(Acquire) == 2 {
            shared.0.read();
        }
    }
    support::verified(&everyway::explore(|| with(|flag| _ = flag.compare_exchange(1, 2, Relaxed, Relaxed))));
    race(|| {
        with(|flag| {
            if flag.load(Relaxed) == 1 {
                flag.store(2, Relaxed);
            }
        });
    });
}

/// While one thread is in `with_mut`, it lets another one go on, which accesses the cell: everything is ordered, and still
/// the pointer is in use.
#[test]
fn an_access_lasts_as_long_as_its_closure() {
    struct Shared(UnsafeCell<u32>, AtomicBool);
    // SAFETY: it is not; that is what the test is about.
    unsafe impl Sync for Shared {}
    let bug = bug(|| {
        let shared = &Shared(UnsafeCell::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            scope.spawn(move || {
                let shared: &Shared = shared;
                shared.0.with_mut(|_| shared.1.store(true, SeqCst));
            });
            scope.spawn(move || {
                let shared = shared;
                if shared.1.load(SeqCst) {
                    shared.0.with(|_| ());
                }
            });
        });
    });
    assert_eq!(bug.kind, BugKind::DataRace);
    assert!(bug.message.contains("lasts") || bug.message.contains("unordered"), "{}", bug.message);
}

/// A pointer that is kept counts until it is dropped.
#[test]
fn pointers_last_until_they_are_dropped() {
    verified(&everyway::explore(|| {
        let cell = UnsafeCell::new(1);
        let (one, other) = (cell.read(), cell.read());
        // SAFETY: it is only read.
        assert_eq!(unsafe { one.deref() + other.deref() }, 2);
        drop((one, other));
        // SAFETY: nothing else has the cell.
        unsafe { *cell.write().deref() = 2 };
    }));
    let bug = bug(|| {
        let cell = UnsafeCell::new(1);
        let _reads = cell.read();
        cell.write().with(|_| ());
    });
    assert_eq!(bug.kind, BugKind::DataRace);
    assert!(bug.message.contains("the same thread"), "{}", bug.message);
}
