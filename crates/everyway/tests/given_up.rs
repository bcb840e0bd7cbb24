//! Executions that are given up - because everything starts over, or because they would repeat another one - come to their
//! ends: destructors do not run in states that the program never comes to.

mod support;

use everyway::sync::atomic::{AtomicU32, Ordering::*};
use everyway::{Algorithm, Builder, explore, thread};

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

/// Persistent sets begin executions that repeat others. They are given up while threads are in the middle of something.
#[test]
fn when_an_execution_is_redundant() {
    let report = Builder::new().algorithm(Algorithm::Classic).explore(|| {
        let (written, own) = (AtomicU32::new(0), [0, 1].map(AtomicU32::new));
        let (written, own) = (&written, &own);
        thread::scope(|scope| {
            scope.spawn(move || written.store(1, SeqCst));
            for own in own {
                scope.spawn(move || {
                    let twins = Twins::default();
                    twins.one.store(1, SeqCst);
                    own.load(SeqCst);
                    written.load(SeqCst);
                    twins.two.store(1, SeqCst);
                });
            }
        });
    });
    support::verified(&report);
    assert!(report.executions.redundant > 0, "the test is about those");
}
