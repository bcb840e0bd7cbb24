//! A bound on preemptions.

#![cfg(feature = "model")]

mod support;

use everyway::report::Verdict;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::*};
use everyway::{Algorithm, Builder, thread};

/// Two threads with three steps each. An interleaving with m blocks of steps of one thread has m - 1 switches, of which the last
/// one is no preemption: the thread that is left has ended. With n ways to cut three steps into so many blocks, there are
/// 2 n n' of them: 2 with none, 4 with one, 8 with two, 4 with three, 2 with four; all C(6, 3) = 20.
/// All steps read and write the same, so that no two interleavings are equivalent.
#[test]
fn every_interleaving_within_the_bound_is_explored_once() {
    let program = || {
        let x = Arc::new(AtomicU32::new(0));
        for _ in 0..2 {
            let x = x.clone();
            thread::spawn(move || (0..3).for_each(|_| _ = x.fetch_add(1, SeqCst)));
        }
    };
    for (bound, executions) in [(0, 2), (1, 6), (2, 14), (3, 18), (4, 20), (9, 20)] {
        let report = Builder::new().preemptions(bound).explore(program);
        assert_eq!(report.executions.complete, executions, "with {bound} preemptions");
        assert_eq!(report.verdict, Verdict::Incomplete);
        let s = if bound == 1 { "" } else { "s" };
        assert_eq!(report.cut, [format!("only executions with at most {bound} preemption{s} were explored")]);
    }
    let report = Builder::new().algorithm(Algorithm::Naive).explore(program);
    assert_eq!((report.verdict, report.executions.complete), (Verdict::Verified, 20));
}

/// A switch away from a thread that waits is no preemption.
#[test]
fn waiting_is_no_preemption() {
    let report = Builder::new().preemptions(0).explore(|| {
        let (one, two) = (thread::spawn(thread::park), thread::spawn(thread::park));
        one.thread().unpark();
        one.join().unwrap();
        two.thread().unpark();
        two.join().unwrap();
    });
    assert_eq!((report.verdict, report.executions.complete), (Verdict::Incomplete, 1));
}

#[test]
fn a_lost_update_takes_one_preemption() {
    let program = || {
        let x = Arc::new(AtomicU32::new(0));
        let other = x.clone();
        let thread = thread::spawn(move || other.store(other.load(SeqCst) + 1, SeqCst));
        x.store(x.load(SeqCst) + 1, SeqCst);
        thread.join().unwrap();
        assert_eq!(x.load(SeqCst), 2);
    };
    assert_eq!(Builder::new().preemptions(0).explore(program).verdict, Verdict::Incomplete);
    support::bug_of(Builder::new().preemptions(1), program);
}
