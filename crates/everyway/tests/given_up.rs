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

/// A thread that goes round a loop on trial is given what it knew before: here that `b` is 0 when `a` is 1 already, which never is.
/// What it makes of that is not the program's fault, and nobody hears of it: neither whoever joins it, nor a destructor.
#[test]
fn when_a_thread_fails_on_trial() {
    struct Ends<'a>(&'a AtomicU32);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            assert_eq!(self.0.load(SeqCst), 1, "it is dropped after the thread has ended");
        }
    }
    support::verified(&explore(|| {
        let shared = everyway::sync::Arc::new([0, 0, 0].map(AtomicU32::new));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            let [a, b, ended] = &*other;
            b.load(SeqCst);
            let mut is_set = false;
            for _ in 0..2 {
                if is_set {
                    assert_eq!(b.load(SeqCst), 1);
                }
                is_set = a.load(SeqCst) == 1;
                thread::yield_now();
            }
            ended.store(1, SeqCst);
        });
        let _ends = Ends(&shared[2]);
        shared[1].store(1, SeqCst);
        shared[0].store(1, SeqCst);
        thread.join().unwrap();
    }));
}
