//! Outside of models, in the same build, everything is as std's: real threads that really wait.

#![cfg(feature = "model")]

use everyway::actor::{self, Inbox};
use everyway::cell::{Cell, Tracked as _, UnsafeCell};
use everyway::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicUsize, Ordering::SeqCst, fence};
use everyway::sync::mpsc::{self, RecvTimeoutError, TryRecvError, TrySendError};
use everyway::sync::{Arc, Mutex};
use everyway::thread;
use std::time::{Duration, Instant};

#[test]
fn threads_are_real() {
    let main = std::thread::current().id();
    let (inside, name) = thread::Builder::new()
        .name("real".to_owned())
        .spawn(|| (std::thread::current().id(), thread::current().name().map(str::to_owned)))
        .unwrap()
        .join()
        .unwrap();
    assert_ne!(main, inside);
    assert_eq!(name.as_deref(), Some("real"));
    assert_eq!(thread::current().id(), thread::current().id());
    let failed = thread::spawn(|| panic!("for whoever joins")).join();
    assert_eq!(*failed.unwrap_err().downcast::<&str>().unwrap(), "for whoever joins");
}

#[test]
fn scopes_wait_and_borrow() {
    let mut list = vec![1, 2, 3];
    let sum = AtomicUsize::new(0);
    let last = thread::scope(|scope| {
        for n in &list {
            let sum = &sum;
            scope.spawn(move || sum.fetch_add(*n, SeqCst));
        }
        scope.spawn(|| thread::scope(|inner| inner.spawn(|| 7).join().unwrap())).join().unwrap()
    });
    list.push(last);
    assert_eq!((sum.into_inner(), list.len()), (6, 4));
    let panicked = std::panic::catch_unwind(|| thread::scope(|scope| drop(scope.spawn(|| panic!("inside")))));
    assert!(panicked.is_err());
}

#[test]
fn finished_threads_say_so() {
    let go = Arc::new(AtomicBool::new(false));
    let other = go.clone();
    let thread = thread::spawn(move || {
        while !other.load(SeqCst) {
            thread::yield_now();
        }
    });
    assert!(!thread.is_finished());
    go.store(true, SeqCst);
    while !thread.is_finished() {
        everyway::hint::spin_loop();
    }
    thread.join().unwrap();
}

#[test]
fn parking_and_sleeping_take_time() {
    let started = Instant::now();
    thread::sleep(Duration::from_millis(5));
    thread::park_timeout(Duration::from_millis(1));
    assert!(started.elapsed() >= Duration::from_millis(5));
    let parked = thread::spawn(thread::park);
    parked.thread().unpark();
    parked.join().unwrap();
}

#[test]
fn locks_exclude_each_other() {
    let lock = Mutex::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..1000).for_each(|_| *lock.lock().unwrap() += 1));
        }
    });
    let guard = lock.lock().unwrap();
    assert_eq!(*guard, 4000);
    assert!(thread::scope(|scope| scope.spawn(|| lock.try_lock().is_err()).join().unwrap()));
    drop(guard);
    let poisoned = thread::scope(|scope| {
        let holder = scope.spawn(|| {
            let _guard = lock.lock();
            panic!("with the lock");
        });
        holder.join().is_err() && lock.is_poisoned() && lock.lock().is_err()
    });
    assert!(poisoned);
    lock.clear_poison();
    assert_eq!(lock.into_inner().unwrap(), 4000);
}

#[test]
fn atomics_are_atomic() {
    let x = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..1000).for_each(|_| _ = x.fetch_add(1, SeqCst)));
        }
    });
    assert_eq!(x.load(SeqCst), 4000);
    assert_eq!(x.compare_exchange(4000, 1, SeqCst, SeqCst), Ok(4000));
    assert_eq!(x.fetch_update(SeqCst, SeqCst, |n| n.checked_sub(2)), Err(1));
    let byte = AtomicU8::new(250);
    assert_eq!((byte.fetch_add(10, SeqCst), byte.load(SeqCst)), (250, 4));
    let signed = AtomicI64::new(-1);
    assert_eq!((signed.fetch_max(-5, SeqCst), signed.swap(3, SeqCst)), (-1, -1));
    let mut local = 5;
    let pointer = AtomicPtr::new(&raw mut local);
    assert_eq!(pointer.load(SeqCst), &raw mut local);
    fence(SeqCst);
}

#[test]
fn channels_wait() {
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..4)
        .map(|n| {
            let sender = sender.clone();
            thread::spawn(move || (0..100).for_each(|_| sender.send(n).unwrap()))
        })
        .collect();
    assert_eq!(receiver.iter().take(400).sum::<u32>(), 600);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(receiver.recv_timeout(Duration::from_millis(1)), Err(RecvTimeoutError::Timeout));
    drop(sender);
    assert!(receiver.recv().is_err());
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    assert_eq!(receiver.into_iter().count(), 0);
}

#[test]
fn bounded_channels_hold_as_much_as_they_say() {
    let (sender, receiver) = mpsc::sync_channel(2);
    sender.send(1).unwrap();
    sender.try_send(2).unwrap();
    assert_eq!(sender.try_send(3), Err(TrySendError::Full(3)));
    assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [1, 2]);
    drop(receiver);
    assert_eq!(sender.try_send(3), Err(TrySendError::Disconnected(3)));
    let (sender, receiver) = mpsc::sync_channel(0);
    assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
    let thread = thread::spawn(move || (&receiver).into_iter().sum::<i32>());
    (0..10).for_each(|n| sender.clone().send(n).unwrap());
    drop(sender);
    assert_eq!(thread.join().unwrap(), 45);
}

everyway::thread_local! {
    static LOCAL: Cell<u32> = const { Cell::new(1) };
}

#[test]
fn thread_locals_belong_to_threads() {
    LOCAL.with(|local| local.set(2));
    let other = thread::spawn(|| LOCAL.with(|local| local.replace(5))).join().unwrap();
    assert_eq!((LOCAL.with(Cell::get), other), (2, 1));
    LOCAL.set(3);
    assert_eq!((LOCAL.replace(4), LOCAL.take(), LOCAL.get()), (3, 4, 0));
}

#[test]
fn locks_show_what_they_hold() {
    assert_eq!(format!("{:?}", Mutex::new(3)), format!("{:?}", std::sync::Mutex::new(3)));
}

#[test]
fn cells_are_cells() {
    let cell = UnsafeCell::new(1);
    // SAFETY: nobody else has it.
    cell.with_mut(|value| unsafe { *value += 1 });
    // SAFETY: nobody else has it.
    assert_eq!(cell.with(|value| unsafe { *value }), 2);
    let cell = Cell::new(1);
    assert_eq!((cell.replace(2), cell.get(), cell.into_inner()), (1, 2, 2));
}

#[test]
fn choices_are_the_first_ones() {
    assert!(!everyway::any_bool());
    assert_eq!(everyway::any(3..10), 3);
    assert_eq!(*everyway::choose(&["a", "b"]), "a");
    everyway::assume(true);
    assert!(std::panic::catch_unwind(|| everyway::assume(false)).is_err());
    assert!(everyway::is_shown());
}

/// A model on one thread does not make the others part of it.
#[test]
fn models_and_real_threads_side_by_side() {
    let lock = Mutex::new(0);
    thread::scope(|scope| {
        scope.spawn(|| (0..1000).for_each(|_| *lock.lock().unwrap() += 1));
        everyway::check(|| {
            let lock = Arc::new(Mutex::new(0));
            let other = lock.clone();
            let thread = thread::spawn(move || *other.lock().unwrap() += 1);
            *lock.lock().unwrap() += 1;
            thread.join().unwrap();
            assert_eq!(*lock.lock().unwrap(), 2);
        });
    });
    assert_eq!(lock.into_inner().unwrap(), 1000);
}

#[test]
fn processes_are_real() {
    let (me, inbox) = actor::mailbox("me");
    let main = me.clone();
    let doubler = actor::spawn("doubler", move |inbox: Inbox<u32>| {
        let mut sum = 0;
        loop {
            match inbox.receive() {
                0 => return sum,
                n => main.send(2 * n),
            }
            sum += 1;
        }
    });
    assert_eq!((doubler.address().name(), format!("{inbox:?}")), ("doubler", "Inbox(\"me\")".to_owned()));
    (1..=3).for_each(|n| doubler.send(n));
    assert_eq!(inbox.receive_if(|n| *n > 2), 4);
    assert_eq!(inbox.receive(), 2);
    let patient = Duration::from_secs(60);
    assert_eq!(inbox.receive_if_timeout(|n| *n == 6, patient), Some(6));
    let before = Instant::now();
    assert_eq!(inbox.receive_timeout(Duration::from_millis(20)), None);
    assert!(before.elapsed() >= Duration::from_millis(20));
    assert_eq!(inbox.receive_timeout(Duration::ZERO), None);
    me.send(7);
    assert_eq!(inbox.receive_if_timeout(|n| *n > 7, Duration::from_millis(1)), None);
    assert_eq!(inbox.receive_timeout(Duration::MAX), Some(7));
    let address = doubler.address().clone();
    doubler.send(0);
    assert_eq!(doubler.join().unwrap(), 3);
    // Nobody is there, and nobody minds.
    address.send(1);
    assert!(address == address.clone());
}

/// Messages that nobody takes are dropped with the inbox, and later ones at once.
#[test]
fn unwanted_messages_are_dropped() {
    let kept = Arc::new(());
    let (address, inbox) = actor::mailbox("unwanted");
    address.send(kept.clone());
    assert_eq!(Arc::strong_count(&kept), 2);
    drop(inbox);
    address.send(kept.clone());
    assert_eq!(Arc::strong_count(&kept), 1);
}
