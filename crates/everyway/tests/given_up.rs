//! Executions that are given up - because everything starts over, or because they would repeat another one - come to their
//! ends: destructors do not run in states that the program never comes to.

mod support;

use everyway::explore;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::*};
use everyway::thread;

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

/// Threads that wait for a value among several writers of it: some executions are given up half-way.
#[test]
fn when_an_execution_is_redundant() {
    let report = explore(|| {
        let twins = Arc::new(Twins::default());
        let threads = [1, 2].map(|value| {
            let twins = twins.clone();
            thread::spawn(move || {
                while twins.one.compare_exchange(0, value, Acquire, Relaxed).is_err() {
                    thread::yield_now();
                }
                twins.two.store(value, Relaxed);
                twins.two.store(0, Relaxed);
                twins.one.store(0, Release);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    support::verified(&report);
    assert!(report.executions.redundant > 0, "the test is about those");
}
