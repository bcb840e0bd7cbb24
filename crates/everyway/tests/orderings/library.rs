//! What std's types order, and what they do not: as std documents it, and where it does not, as it is implemented.

use crate::{Data, support};
use everyway::report::BugKind;
use everyway::sync::atomic::AtomicU32;
use everyway::sync::atomic::Ordering::{Relaxed, SeqCst};
use everyway::sync::{Arc, Condvar, Mutex, OnceLock, RwLock, mpsc};
use everyway::thread::{self, Thread};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem::ManuallyDrop;
use std::time::Duration;

#[track_caller]
fn orders(program: fn()) {
    support::verified(&everyway::explore(program));
}

#[track_caller]
fn orders_nothing(program: fn()) {
    assert_eq!(support::bug(program).kind, BugKind::DataRace);
}

/// One thread sets data that is not atomic, does `first` with its part of something of std's, and raises a flag that orders nothing; the
/// other one reads the data if `then`, which has the other part, says so.
fn hand_over<A: Send + 'static, B>((one, other): (A, B), first: fn(A), then: fn(B, &AtomicU32) -> bool) {
    let shared = Arc::new((Data::default(), AtomicU32::new(0)));
    let theirs = shared.clone();
    let thread = thread::spawn(move || {
        theirs.0.set(1);
        first(one);
        theirs.1.store(1, Relaxed);
    });
    if then(other, &shared.1) {
        assert_eq!(shared.0.get(), 1);
    }
    thread.join().unwrap();
}

fn is_raised(flag: &AtomicU32) -> bool {
    flag.load(Relaxed) == 1
}

/// Something shared, whose owners order nothing here: they are not everyway's.
fn both<T>(shared: T) -> (std::sync::Arc<T>, std::sync::Arc<T>) {
    let shared = std::sync::Arc::new(shared);
    (shared.clone(), shared)
}

fn owners() -> (Arc<()>, Arc<()>) {
    let one = Arc::new(());
    (one.clone(), one)
}

#[test]
fn locks() {
    orders(|| hand_over(both(Mutex::new(())), |it| drop(it.lock()), |it, flag| is_raised(flag) && it.lock().is_ok()));
    orders(|| hand_over(both(RwLock::new(())), |it| drop(it.read()), |it, flag| is_raised(flag) && it.write().is_ok()));
    orders(|| hand_over(both(RwLock::new(())), |it| drop(it.write()), |it, flag| is_raised(flag) && it.read().is_ok()));
    // Those that only read are in no order.
    orders_nothing(|| {
        hand_over(both(RwLock::new(())), |it| drop(it.read()), |it, flag| is_raised(flag) && it.read().is_ok());
    });
}

#[test]
fn an_attempt_to_lock_that_fails() {
    orders_nothing(|| hand_over(both(Mutex::new(())), |it| drop(it.lock()), |it, _| it.try_lock().is_err()));
    orders_nothing(|| hand_over(both(RwLock::new(())), |it| drop(it.write()), |it, _| it.try_read().is_err()));
    orders_nothing(|| hand_over(both(RwLock::new(())), |it| drop(it.read()), |it, _| it.try_write().is_err()));
}

#[test]
fn cells_that_are_set_once() {
    orders(|| hand_over(both(OnceLock::new()), |it| _ = it.set(1), |it, _| it.get().is_some()));
    // An attempt to set it again releases nothing.
    orders_nothing(|| {
        hand_over(both(OnceLock::from(0)), |it| _ = it.set(1), |it, flag| is_raised(flag) && it.get().is_some());
    });
}

#[test]
fn a_notification_without_the_lock() {
    orders_nothing(|| {
        let wait = |it: std::sync::Arc<(Mutex<()>, Condvar)>, flag: &AtomicU32| {
            drop(it.1.wait_timeout(it.0.lock().unwrap(), Duration::ZERO).unwrap());
            is_raised(flag)
        };
        hand_over(both((Mutex::new(()), Condvar::new())), |it| it.1.notify_one(), wait);
    });
}

#[test]
fn tokens() {
    fn unpark(main: Thread) {
        main.unpark();
    }
    fn park() -> bool {
        thread::park();
        true
    }
    orders(|| hand_over((thread::current(), ()), unpark, |(), _| park()));
    // All that made the token available come before the park that takes it, and not only the last one.
    orders(|| {
        hand_over((thread::current(), thread::current()), unpark, |main, flag| {
            let raised = is_raised(flag);
            main.unpark();
            park() && raised
        });
    });
    // To make it available tells nothing.
    orders_nothing(|| {
        hand_over((thread::current(), thread::current()), unpark, |main, flag| {
            main.unpark();
            is_raised(flag)
        });
    });
}

#[test]
fn leaving() {
    orders(|| hand_over(owners(), drop, |mut it, _| Arc::get_mut(&mut it).is_some()));
    orders(|| hand_over(owners(), drop, |it, _| Arc::try_unwrap(it).is_ok()));
    orders(|| hand_over(owners(), drop, |it, _| Arc::into_inner(it).is_some()));
    // Who is not the last one to go learns nothing.
    orders_nothing(|| {
        hand_over(owners(), drop, |it, flag| {
            let (raised, _last) = (is_raised(flag), ManuallyDrop::new(it.clone()));
            Arc::into_inner(it).is_none() && raised
        });
    });
}

/// To look how many owners there are is a relaxed load.
#[test]
fn counts_of_owners() {
    orders_nothing(|| hand_over(owners(), drop, |it, _| Arc::strong_count(&ManuallyDrop::new(it)) == 1));
    orders_nothing(|| {
        let one = Arc::new(());
        let weak = Arc::downgrade(&one);
        hand_over((one, weak), drop, |weak, _| weak.upgrade().is_none());
    });
    orders_nothing(|| {
        let one = Arc::new(());
        let weak = Arc::downgrade(&one);
        hand_over((weak, one), drop, |one, _| Arc::weak_count(&ManuallyDrop::new(one)) == 0);
    });
}

/// An old value may be found even if all that the program does by itself is `SeqCst`.
#[test]
fn counts_beside_what_is_sequentially_consistent() {
    let program = || {
        let x = Arc::new(AtomicU32::new(0));
        let other = x.clone();
        let (one, two) = owners();
        let thread = thread::spawn(move || {
            other.store(1, SeqCst);
            drop(two);
        });
        let seen = (Arc::strong_count(&one), x.load(SeqCst));
        thread.join().unwrap();
        seen
    };
    assert_eq!(support::outcomes_under(None, program), BTreeSet::from([(2, 0), (2, 1), (1, 0), (1, 1)]));
}

/// std looks for it by a relaxed load.
#[test]
fn a_thread_that_is_finished() {
    fn with_thread<T: Default + Send + Sync + 'static>(first: fn(&T), then: fn(&T)) {
        let (theirs, shared) = both(T::default());
        let thread = thread::spawn(move || first(&theirs));
        if thread.is_finished() {
            then(&shared);
        }
        thread.join().unwrap();
    }
    orders_nothing(|| with_thread(|data: &Data| data.set(1), |data| _ = data.get()));
    let bug = support::bug(|| with_thread(|x: &AtomicU32| x.store(1, SeqCst), |x| assert_eq!(x.load(SeqCst), 1)));
    assert_eq!(bug.kind, BugKind::Panic);
}

#[test]
fn channels() {
    fn send(sender: mpsc::Sender<()>) {
        sender.send(()).unwrap();
    }
    orders(|| hand_over(mpsc::channel(), send, |receiver, _| receiver.recv().is_ok()));
    orders(|| hand_over(mpsc::channel(), drop::<mpsc::Sender<()>>, |receiver, _| receiver.recv().is_err()));
    // That there are senders left says nothing of those that have gone.
    orders_nothing(|| {
        let (sender, receiver) = mpsc::channel::<()>();
        hand_over((sender.clone(), (sender, receiver)), drop, |(_sender, receiver), flag| {
            is_raised(flag) && receiver.try_recv() == Err(mpsc::TryRecvError::Empty)
        });
    });
}

struct Raises(std::sync::Arc<AtomicU32>);

impl Drop for Raises {
    fn drop(&mut self) {
        self.0.store(1, Relaxed);
    }
}

everyway::thread_local! {
    static LOCAL: RefCell<Option<Raises>> = const { RefCell::new(None) };
}

/// A thread that is joined has dropped its thread-local variables. A scope waits for the closures of its threads only.
#[test]
fn thread_local_variables() {
    let keep = |flag| LOCAL.set(Some(Raises(flag)));
    let joined = || {
        let (theirs, flag) = both(AtomicU32::new(0));
        thread::spawn(move || keep(theirs)).join().unwrap();
        flag.load(Relaxed)
    };
    let joined_in_scope = || {
        let (theirs, flag) = both(AtomicU32::new(0));
        thread::scope(|scope| scope.spawn(move || keep(theirs)).join().unwrap());
        flag.load(Relaxed)
    };
    let left_to_scope = || {
        let (theirs, flag) = both(AtomicU32::new(0));
        thread::scope(|scope| _ = scope.spawn(move || keep(theirs)));
        flag.load(Relaxed)
    };
    assert_eq!(support::outcomes_under(None, joined), BTreeSet::from([1]));
    assert_eq!(support::outcomes_under(None, joined_in_scope), BTreeSet::from([1]));
    assert_eq!(support::outcomes_under(None, left_to_scope), BTreeSet::from([0, 1]));
}
