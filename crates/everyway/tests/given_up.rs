//! Executions that are given up - because everything starts over, or because they would repeat another one - come to their
//! ends: destructors do not run in states that the program never comes to.

mod support;

use everyway::explore;
use everyway::future::{AtomicWaker, block_on};
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use everyway::thread;
use std::future::poll_fn;
use std::task::Poll;

/// Two numbers that are the same whenever nobody is changing them.
#[derive(Default)]
struct Twins {
    one: AtomicU32,
    two: AtomicU32,
}

impl Drop for Twins {
    fn drop(&mut self) {
        // A panic in a destructor while a thread is unwound would end the process.
        assert_eq!(*self.one.get_mut(), *self.two.get_mut());
    }
}

/// At the first ordering that is weaker than `SeqCst`, everything starts over.
#[test]
fn when_an_assumption_is_wrong() {
    support::verified(&explore(|| {
        let twins = Twins::default();
        twins.one.store(1, SeqCst);
        twins.two.store(1, Relaxed);
    }));
}

/// An event that a task waits for.
#[derive(Default)]
struct Event {
    is_set: AtomicBool,
    waker: AtomicWaker,
}

/// A task that waits is tried with wake-ups that are not the newest. Such an execution is redundant, and given up while the
/// others are in the middle of something.
#[test]
fn when_an_execution_is_redundant() {
    let report = explore(|| {
        let event = Arc::new(Event::default());
        let threads = [1, 2].map(|value| {
            let event = event.clone();
            thread::spawn(move || {
                let twins = Twins::default();
                for twin in [&twins.one, &twins.two] {
                    twin.store(value, Relaxed);
                    event.is_set.store(true, Release);
                    event.waker.wake();
                }
            })
        });
        block_on(poll_fn(|context| {
            event.waker.register(context.waker());
            if event.is_set.load(Acquire) { Poll::Ready(()) } else { Poll::Pending }
        }));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    support::verified(&report);
    assert!(report.executions.redundant > 0, "the test is about those");
}
