//! loom's names, as tests use them: that they are there, and mean what they should.

#![allow(clippy::undocumented_unsafe_blocks, reason = "there is one thread, or a race that the test is about")]

use loom::cell::{Cell, UnsafeCell};
use loom::future::{AtomicWaker, block_on};
use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering, fence};
use loom::sync::{Arc, Condvar, Mutex, Notify, RwLock, mpsc};
use loom::thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

/// The message that a check of `f` fails with.
fn failure(f: impl Fn() + Send + Sync + 'static) -> String {
    let payload = catch_unwind(AssertUnwindSafe(|| loom::model(f))).expect_err("it fails");
    payload.downcast_ref::<String>().cloned().expect("a text")
}

#[test]
fn threads_take_and_return_what_is_not_send() {
    loom::model(|| {
        let shared = Rc::new(5);
        let other = shared.clone();
        let thread = thread::spawn(move || Rc::new(*other + 1));
        assert_eq!(*thread.join().unwrap() + *shared, 11);
    });
}

#[test]
fn threads_have_names_and_ids() {
    loom::model(|| {
        let thread = thread::Builder::new().name("worker".to_owned()).spawn(|| thread::current().id()).unwrap();
        assert_eq!(thread.thread().name(), Some("worker"));
        let id = thread.thread().id();
        assert_eq!(thread.join().unwrap(), id);
        assert_ne!(thread::current().id(), id);
    });
}

#[test]
fn parking() {
    loom::model(|| {
        let main = thread::current();
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        thread::spawn(move || {
            other.store(true, Ordering::Release);
            main.unpark();
        });
        while !flag.load(Ordering::Acquire) {
            thread::park();
        }
    });
}

#[test]
fn what_is_spawned_outside_of_a_model_is_refused() {
    let payload = catch_unwind(|| thread::spawn(|| ())).expect_err("there is no model");
    let message = payload.downcast_ref::<String>().expect("a text");
    assert!(message.contains("outside of `loom::model`"), "{message}");
}

loom::thread_local! {
    static LOCAL: std::cell::Cell<u32> = std::cell::Cell::new(1);
    static OTHER: std::cell::RefCell<Vec<u32>> = std::cell::RefCell::default();
}

#[test]
fn thread_locals_are_fresh_in_each_thread_and_execution() {
    loom::model(|| {
        let count = || {
            LOCAL.with(|local| local.set(local.get() + 1));
            OTHER.with(|other| other.borrow_mut().push(1));
            assert_eq!(LOCAL.try_with(std::cell::Cell::get).unwrap(), 2);
            assert_eq!(OTHER.with(|other| other.borrow().len()), 1);
        };
        let thread = thread::spawn(count);
        count();
        thread.join().unwrap();
    });
}

loom::lazy_static! {
    /// With a doc comment.
    static ref COUNTER: Mutex<u32> = Mutex::new(0);
    /// Public.
    pub static ref FLAG: AtomicBool = AtomicBool::new(false);
    pub(crate) static ref NOT_SYNC: std::cell::Cell<u32> = std::cell::Cell::new(3);
}

#[test]
fn lazy_statics_are_fresh_in_each_execution() {
    loom::model(|| {
        let thread = thread::spawn(|| *COUNTER.lock().unwrap() += 1);
        *COUNTER.lock().unwrap() += 1;
        thread.join().unwrap();
        assert_eq!(*COUNTER.lock().unwrap(), 2);
        assert!(!FLAG.swap(true, Ordering::AcqRel));
        assert_eq!(NOT_SYNC.replace(4), 3);
    });
}

#[test]
fn atomics_have_what_loom_adds() {
    loom::model(|| {
        let mut number = AtomicUsize::new(1);
        number.with_mut(|number| *number += 1);
        // SAFETY: there is one thread.
        assert_eq!(unsafe { number.unsync_load() }, 2);
        assert_eq!(number.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| Some(n * 2)), Ok(2));
        assert_eq!(number.into_inner(), 4);
        let mut value = 5;
        let mut pointer = AtomicPtr::new(&raw mut value);
        pointer.with_mut(|pointer| *pointer = std::ptr::null_mut());
        assert!(pointer.load(Ordering::Relaxed).is_null());
        assert_eq!(AtomicU64::default().compare_exchange(0, 9, Ordering::SeqCst, Ordering::SeqCst), Ok(0));
        fence(Ordering::SeqCst);
    });
}

#[test]
fn cells_are_read_and_written_by_guards() {
    loom::model(|| {
        let cell = UnsafeCell::new(1);
        assert_eq!(cell.with(|value| unsafe { *value }), 1);
        cell.with_mut(|value| unsafe { *value = 2 });
        {
            let value = cell.get_mut();
            unsafe { *value.deref() += 1 };
            value.with(|value| unsafe { *value += 1 });
        }
        {
            let value = cell.get();
            assert_eq!(unsafe { *value.deref() }, 4);
            assert_eq!(value.with(|value| unsafe { *value }), 4);
        }
        assert_eq!(cell.into_inner(), 4);
        let cell = Cell::new(7);
        cell.set(cell.get() + 1);
        assert_eq!(cell.replace(0), 8);
    });
}

#[test]
fn data_races_are_found() {
    struct Shared(UnsafeCell<u32>);
    // SAFETY: it is what the test is about.
    unsafe impl Sync for Shared {}
    // SAFETY: as above.
    unsafe impl Send for Shared {}
    let message = failure(|| {
        let shared = Arc::new(Shared(UnsafeCell::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || other.0.with_mut(|value| unsafe { *value += 1 }));
        shared.0.with(|value| unsafe { *value });
        thread.join().unwrap();
    });
    assert!(message.contains("data race"), "{message}");
}

#[test]
fn notify_is_a_token() {
    loom::model(|| {
        let notify = Arc::new(Notify::new());
        let ready = Arc::new(AtomicBool::new(false));
        let (tell, set) = (notify.clone(), ready.clone());
        let thread = thread::spawn(move || {
            set.store(true, Ordering::Relaxed);
            tell.notify();
        });
        notify.wait();
        assert!(ready.load(Ordering::Relaxed), "it synchronises");
        thread.join().unwrap();
    });
    let message = failure(|| Notify::new().wait());
    assert!(message.contains("deadlock"), "{message}");
}

#[test]
fn locks_conditions_and_channels() {
    loom::model(|| {
        let (sender, receiver) = mpsc::channel();
        let shared = Arc::new((Mutex::new(false), Condvar::new(), RwLock::new(1)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
            sender.send(*other.2.read().unwrap()).unwrap();
        });
        let mut ready = shared.0.lock().unwrap();
        while !*ready {
            ready = shared.1.wait(ready).unwrap();
        }
        drop(ready);
        assert_eq!(receiver.recv(), Ok(1));
        assert!(receiver.try_recv().is_err());
        *shared.2.write().unwrap() += 1;
        thread.join().unwrap();
    });
}

#[test]
fn settings_are_fields() {
    let mut builder = loom::model::Builder::new();
    builder.max_threads = 3;
    builder.max_branches = 50_000;
    builder.preemption_bound = Some(2);
    builder.max_duration = Some(Duration::from_secs(10));
    builder.max_permutations = Some(1_000_000);
    builder.expect_explicit_explore = true;
    builder.location = true;
    builder.checkpoint_interval = 1;
    builder.check(|| {
        loom::stop_exploring();
        let threads: Vec<_> = (0..7).map(|_| thread::spawn(|| ())).collect();
        loom::explore();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        loom::skip_branch();
    });
}

/// There are 12! / 4!^3 = 34,650 executions: too many, and those within the bound are few.
#[test]
fn a_bound_on_preemptions_counts_where_there_are_too_many_executions() {
    let executions = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let count = executions.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(1);
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        let counter = Arc::new(AtomicUsize::new(0));
        for _ in 0..3 {
            let counter = counter.clone();
            thread::spawn(move || (0..4).for_each(|_| _ = counter.fetch_add(1, Ordering::SeqCst)));
        }
    });
    let executions = executions.load(Ordering::Relaxed);
    assert!((12..34_650).contains(&executions), "{executions}");
}

/// A loop that writes in each round is cut after some of them. That is no reason to explore less: the bound does not count.
#[test]
fn a_bound_on_preemptions_does_not_count_where_all_is_explored() {
    let executions = |bound| {
        let executions = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let count = executions.clone();
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = bound;
        builder.check(move || {
            count.fetch_add(1, Ordering::Relaxed);
            let shared = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
            let other = shared.clone();
            let thread = thread::spawn(move || other.0.store(1, Ordering::SeqCst));
            while shared.0.load(Ordering::SeqCst) == 0 {
                shared.1.fetch_add(1, Ordering::SeqCst);
                thread::yield_now();
            }
            thread.join().unwrap();
        });
        executions.load(Ordering::Relaxed)
    };
    assert_eq!(executions(Some(1)), executions(None));
}

/// A check that stops at a limit passes, as loom's does.
#[test]
fn a_limit_ends_the_check() {
    let mut builder = loom::model::Builder::new();
    builder.max_permutations = Some(2);
    builder.check(|| {
        let counter = Arc::new(AtomicUsize::new(0));
        let threads = [0; 4].map(|_| {
            let counter = counter.clone();
            thread::spawn(move || counter.fetch_add(1, Ordering::AcqRel))
        });
        threads.into_iter().for_each(|thread| _ = thread.join().unwrap());
    });
}

#[test]
fn a_failure_shows_its_steps() {
    let message = failure(|| {
        let counter = Arc::new(AtomicUsize::new(0));
        let other = counter.clone();
        let thread = thread::spawn(move || {
            let found = other.load(Ordering::Acquire);
            other.store(found + 1, Ordering::Release);
        });
        let found = counter.load(Ordering::Acquire);
        counter.store(found + 1, Ordering::Release);
        thread.join().unwrap();
        assert_eq!(counter.load(Ordering::Relaxed), 2);
    });
    assert!(message.contains("load AtomicUsize #1: 0"), "{message}");
    assert!(message.contains("tests/names.rs"), "{message}");
    assert!(message.contains("EVERYWAY_REPLAY="), "{message}");
}

#[test]
fn futures_are_driven() {
    loom::model(|| {
        let shared = Arc::new((AtomicWaker::new(), AtomicBool::new(false)));
        let other = shared.clone();
        thread::spawn(move || {
            other.1.store(true, Ordering::Relaxed);
            other.0.wake();
        });
        block_on(std::future::poll_fn(|context| {
            shared.0.register_by_ref(context.waker());
            if shared.1.load(Ordering::Relaxed) { Poll::Ready(()) } else { Poll::Pending }
        }));
    });
}

#[test]
fn unreachable_code_that_is_reached_panics() {
    // SAFETY: it panics, which is what the test is about.
    let message = failure(|| unsafe { loom::hint::unreachable_unchecked() });
    assert!(message.contains("was reached"), "{message}");
}

#[test]
fn tracked_values() {
    loom::model(|| {
        let mut value = loom::alloc::Track::new(vec![1]);
        value.get_mut().push(2);
        assert_eq!(value.get_ref().len(), 2);
        assert_eq!(value.into_inner(), [1, 2]);
        let layout = loom::alloc::Layout::new::<u64>();
        // SAFETY: the memory has the layout that it is given back with.
        unsafe {
            let memory = loom::alloc::alloc(layout);
            loom::alloc::dealloc(memory, layout);
        }
    });
}

#[test]
fn what_is_tracked_must_not_be_leaked() {
    let message = failure(|| std::mem::forget(loom::alloc::Track::new(1)));
    assert!(message.contains("leak") && message.contains("tests/names.rs"), "{message}");
    loom::lazy_static! {
        static ref KEPT: loom::alloc::Track<u32> = loom::alloc::Track::new(1);
    }
    // Statics are dropped when an execution ends.
    loom::model(|| assert_eq!(*KEPT.get_ref(), 1));
}

#[test]
fn memory_and_arcs_must_not_be_leaked() {
    let layout = loom::alloc::Layout::new::<u64>();
    // SAFETY: the size is not 0.
    let message = failure(move || _ = unsafe { loom::alloc::alloc(layout) });
    assert!(message.contains("leak") && message.contains("tests/names.rs"), "{message}");
    let message = failure(|| std::mem::forget(Arc::new(1)));
    assert!(message.contains("leak") && message.contains("tests/names.rs"), "{message}");
    loom::model(|| {
        let shared = Arc::new(1);
        let other = shared.clone();
        thread::spawn(move || drop(other));
        // What is not an `Arc` may be.
        std::mem::forget(Box::new(*shared));
    });
}

#[test]
fn guards_last() {
    struct Shared(UnsafeCell<u32>, AtomicBool);
    // SAFETY: it is what the test is about.
    unsafe impl Sync for Shared {}
    let shared = || std::sync::Arc::new(Shared(UnsafeCell::new(0), AtomicBool::new(false)));
    let message = failure(move || {
        let shared = shared();
        let other = shared.clone();
        let thread = thread::spawn(move || {
            while !other.1.load(Ordering::Acquire) {
                thread::yield_now();
            }
            other.0.with_mut(|value| unsafe { *value += 1 });
        });
        let value = shared.0.get();
        // It is used after the other thread was let go on.
        shared.1.store(true, Ordering::Release);
        assert!(unsafe { *value.deref() } < 2);
        drop(value);
        thread.join().unwrap();
    });
    assert!(message.contains("data race"), "{message}");
    loom::model(move || {
        let shared = shared();
        let other = shared.clone();
        let thread = thread::spawn(move || {
            while !other.1.load(Ordering::Acquire) {
                thread::yield_now();
            }
            other.0.with_mut(|value| unsafe { *value += 1 });
        });
        drop(shared.0.get_mut());
        shared.1.store(true, Ordering::Release);
        thread.join().unwrap();
    });
}
