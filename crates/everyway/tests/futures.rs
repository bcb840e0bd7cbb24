//! Futures, tasks and wakers: wake-ups that are lost, cancellation, and futures that poll others.

mod support;

use everyway::future::{AtomicWaker, JoinHandle, block_on, spawn, yield_now};
use everyway::report::BugKind;
use everyway::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use everyway::sync::{Arc, Mutex};
use everyway::{Builder, Panics, explore, thread};
use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::Mutex as StdMutex;
use std::task::{Context, Poll, Wake, Waker};

/// A flag that a task waits for.
#[derive(Default)]
struct Event {
    waker: AtomicWaker,
    is_set: AtomicBool,
}

impl Event {
    fn set(&self) {
        self.is_set.store(true, Release);
        self.waker.wake();
    }

    /// Registers, then looks: as it must be done.
    async fn wait(&self) {
        poll_fn(|context| {
            self.waker.register(context.waker());
            if self.is_set.load(Acquire) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Looks, then registers: what is set between the two is never noticed.
    async fn wait_too_late(&self) {
        poll_fn(|context| {
            if self.is_set.load(Acquire) {
                return Poll::Ready(());
            }
            self.waker.register(context.waker());
            Poll::Pending
        })
        .await;
    }
}

#[test]
fn a_wake_up_is_not_lost() {
    support::verified(&explore(|| {
        let event = Arc::new(Event::default());
        let other = event.clone();
        thread::spawn(move || other.set());
        block_on(event.wait());
    }));
}

#[test]
fn a_lost_wake_up_is_a_deadlock_that_names_the_future() {
    let bug = support::bug(|| {
        let event = Arc::new(Event::default());
        let other = event.clone();
        spawn(async move { other.set() });
        block_on(event.wait_too_late());
    });
    assert_eq!(bug.kind, BugKind::Deadlock, "{}", bug.message);
    let [wait] = &bug.waits[..] else { panic!("{:?}", bug.waits) };
    // The spawned task is the first one.
    assert_eq!(wait.operation, "await task #2");
    let line = wait.source.as_ref().expect("a place").line;
    assert!(wait.because.contains("wait_too_late"), "{}", wait.because);
    assert!(wait.because.contains(&format!("tests/futures.rs:{line} is called")), "{}", wait.because);
    assert!(wait.because.contains("the last that it did was register at"), "{}", wait.because);
}

/// Under sequential consistency a flag that is merely relaxed is as good as any; what makes it visible here is that a
/// registration synchronises with the wake-up that came before.
#[test]
fn registering_synchronises_with_an_earlier_wake() {
    support::verified(&explore(|| {
        let event = Arc::new(Event::default());
        let other = event.clone();
        thread::spawn(move || {
            other.is_set.store(true, Relaxed);
            other.waker.wake();
        });
        block_on(poll_fn(|context| {
            event.waker.register(context.waker());
            if event.is_set.load(Relaxed) { Poll::Ready(()) } else { Poll::Pending }
        }));
    }));
}

#[test]
fn a_waker_of_an_earlier_poll_that_is_kept_wakes_the_task() {
    support::verified(&explore(|| {
        let slot: Arc<Mutex<(bool, Option<Waker>)>> = Arc::default();
        let other = slot.clone();
        let thread = thread::spawn(move || {
            let mut slot = other.lock().unwrap();
            slot.0 = true;
            let waker = slot.1.take();
            drop(slot);
            waker.into_iter().for_each(Waker::wake);
        });
        block_on(poll_fn(|context| {
            let mut slot = slot.lock().unwrap();
            if slot.0 {
                return Poll::Ready(());
            }
            slot.1 = Some(context.waker().clone());
            Poll::Pending
        }));
        thread.join().unwrap();
    }));
}

#[test]
fn tasks_are_joined_with_their_output() {
    support::verified(&explore(|| {
        let sum = block_on(async {
            let tasks: Vec<JoinHandle<u32>> = (1..=3).map(|n| spawn(async move { n })).collect();
            let mut sum = 0;
            for task in tasks {
                sum += task.await.unwrap();
            }
            sum
        });
        assert_eq!(sum, 6);
    }));
}

/// What has been seen in some execution.
#[derive(Default)]
struct Seen([StdMutex<bool>; 3]);

impl Seen {
    fn see(&self, what: usize) {
        *self.0[what].lock().unwrap() = true;
    }

    fn all(&self) -> [bool; 3] {
        [0, 1, 2].map(|what| *self.0[what].lock().unwrap())
    }
}

/// Counts how often it is dropped.
struct Counted(Arc<AtomicU32>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

#[test]
fn a_task_is_cancelled_before_it_starts_while_it_waits_or_not_at_all() {
    let seen = Seen::default();
    support::verified(&explore(|| {
        let (drops, started) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let event = Arc::new(Event::default());
        let (counted, begun, waited) = (Counted(drops.clone()), started.clone(), event.clone());
        let task = spawn(async move {
            let _counted = counted;
            begun.store(true, SeqCst);
            waited.wait().await;
        });
        let setter = thread::spawn(move || event.set());
        task.abort();
        let result = block_on(task);
        setter.join().unwrap();
        assert_eq!(drops.load(SeqCst), 1);
        seen.see(match (result.is_ok(), started.load(SeqCst)) {
            (false, false) => 0,
            (false, true) => 1,
            (true, _) => 2,
        });
        assert!(result.is_ok() || result.unwrap_err().is_cancelled());
    }));
    assert_eq!(seen.all(), [true; 3]);
}

#[test]
fn what_awaits_a_task_that_is_aborted_is_told() {
    support::verified(&explore(|| {
        let task = spawn(pending::<()>());
        let abort = task.abort_handle();
        thread::spawn(move || abort.abort());
        assert!(block_on(task).unwrap_err().is_cancelled());
    }));
}

/// Two futures, polled in turn; which of them is ready first.
async fn first<A: Future, B: Future>(one: A, two: B) -> usize {
    let (mut one, mut two) = (pin!(one), pin!(two));
    poll_fn(|context| {
        if one.as_mut().poll(context).is_ready() {
            return Poll::Ready(0);
        }
        if two.as_mut().poll(context).is_ready() {
            return Poll::Ready(1);
        }
        Poll::Pending
    })
    .await
}

#[test]
fn select_takes_either() {
    let seen = Seen::default();
    support::verified(&explore(|| {
        let (one, two) = (Arc::new(Event::default()), Arc::new(Event::default()));
        let (set_one, set_two) = (one.clone(), two.clone());
        let threads = [thread::spawn(move || set_one.set()), thread::spawn(move || set_two.set())];
        seen.see(block_on(first(one.wait(), two.wait())));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }));
    assert_eq!(seen.all(), [true, true, false]);
}

/// A message is taken out of a slot before the task waits for something else; if it is cancelled there, the message is lost.
#[test]
fn a_branch_of_select_that_is_dropped_loses_what_it_has_taken() {
    support::panics_with("the message is lost", || {
        let (slot, arrived, confirmed) =
            (Arc::new(Mutex::new(None)), Arc::new(Event::default()), Arc::new(Event::default()));
        let timeout = Arc::new(Event::default());
        let (sent, arrives, confirms, times_out) = (slot.clone(), arrived.clone(), confirmed.clone(), timeout.clone());
        thread::spawn(move || {
            *sent.lock().unwrap() = Some(1);
            arrives.set();
            confirms.set();
        });
        thread::spawn(move || times_out.set());
        let received = Mutex::new(None);
        let receive = async {
            arrived.wait().await;
            let message = slot.lock().unwrap().take();
            confirmed.wait().await;
            *received.lock().unwrap() = message;
        };
        block_on(first(receive, timeout.wait()));
        let (received, left) = (received.into_inner().unwrap(), slot.lock().unwrap().is_some());
        let came = arrived.is_set.load(SeqCst);
        assert!(!came || received.is_some() || left, "the message is lost");
    });
}

/// A waker around the task's, as futures have that poll many others.
struct Around {
    woken: AtomicBool,
    task: StdMutex<Option<Waker>>,
}

impl Wake for Around {
    fn wake(self: std::sync::Arc<Self>) {
        self.woken.store(true, SeqCst);
        let task = self.task.lock().unwrap().clone();
        task.into_iter().for_each(Waker::wake);
    }
}

#[test]
fn a_waker_around_the_tasks_is_as_good() {
    support::verified(&explore(|| {
        let event = Arc::new(Event::default());
        let other = event.clone();
        thread::spawn(move || other.set());
        let around = std::sync::Arc::new(Around { woken: AtomicBool::new(true), task: StdMutex::default() });
        let mut inner = pin!(async {
            yield_now().await;
            event.wait().await;
        });
        block_on(poll_fn(|context| {
            *around.task.lock().unwrap() = Some(context.waker().clone());
            if !around.woken.swap(false, SeqCst) {
                return Poll::Pending;
            }
            let waker = Waker::from(around.clone());
            inner.as_mut().poll(&mut Context::from_waker(&waker))
        }));
    }));
}

#[test]
fn a_loop_that_yields_is_explored_without_a_bound() {
    support::verified(&explore(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        spawn(async move { other.store(true, SeqCst) });
        block_on(async {
            while !flag.load(SeqCst) {
                yield_now().await;
            }
        });
    }));
}

#[test]
fn a_loop_that_yields_for_ever_is_a_livelock() {
    let bug = support::bug(|| {
        let flag = AtomicBool::new(false);
        block_on(async {
            while !flag.load(SeqCst) {
                yield_now().await;
            }
        });
    });
    assert_eq!(bug.kind, BugKind::Livelock, "{}", bug.message);
}

#[test]
fn a_task_that_yields_beside_one_that_waits_is_woken_by_either() {
    support::verified(&explore(|| {
        let (event, flag) = (Arc::new(Event::default()), Arc::new(AtomicBool::new(false)));
        let (set, raise) = (event.clone(), flag.clone());
        let threads = [thread::spawn(move || set.set()), thread::spawn(move || raise.store(true, SeqCst))];
        let spin = async {
            while !flag.load(SeqCst) {
                yield_now().await;
            }
        };
        block_on(first(spin, event.wait()));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }));
}

/// Whoever is last - the task or its handle - drops the output.
#[test]
fn an_output_that_is_not_taken_is_dropped_once() {
    support::verified(&explore(|| {
        let drops = Arc::new(AtomicU32::new(0));
        let (counted, done) = (Counted(drops.clone()), Arc::new(AtomicBool::new(false)));
        let end = done.clone();
        let task = spawn(async move { counted });
        thread::spawn(move || {
            drop(task);
            end.store(true, SeqCst);
        });
        everyway::await_until(|| done.load(SeqCst) && drops.load(SeqCst) == 1);
    }));
}

#[test]
fn a_task_that_waits_for_ever_is_a_deadlock_unless_it_is_detached() {
    let waits = || spawn(pending::<()>());
    assert_eq!(support::bug(|| drop(waits())).kind, BugKind::Deadlock);
    support::verified(&explore(|| waits().detach()));
}

#[test]
fn a_panic_is_a_failure_or_is_handed_over() {
    let body = || {
        let task = spawn(async { panic!("no") });
        let error = block_on(task).expect_err("it panics");
        assert!(error.is_panic() && !error.is_cancelled());
        assert_eq!(*error.into_panic().downcast::<&str>().expect("a text"), "no");
    };
    support::panics_with("no", body);
    support::verified(&Builder::new().panics(Panics::Join).explore(body));
    body();
}

#[test]
fn outside_of_models_tasks_are_threads() {
    let event = Arc::new(Event::default());
    let other = event.clone();
    let task = spawn(async move {
        yield_now().await;
        other.set();
        7
    });
    block_on(event.wait());
    assert_eq!(block_on(task).unwrap(), 7);
    let task = spawn(pending::<()>());
    task.abort();
    assert!(block_on(task).unwrap_err().is_cancelled());
}
