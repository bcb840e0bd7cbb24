//! A program with an allocator that everyway knows nothing of:
//! `cargo test -p everyway --no-default-features --features model --test foreign_allocator`.

#![cfg(not(feature = "allocator"))]

mod support;

use everyway::report::BugKind;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use everyway::thread;
use std::alloc::System;
use support::executions;

#[global_allocator]
static ALLOCATOR: System = System;

#[test]
fn objects_on_the_heap_are_refused() {
    let report = everyway::explore(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let other = x.clone();
        thread::spawn(move || other.store(1, SeqCst));
        x.store(2, SeqCst);
    });
    let bug = report.bug.expect("it is refused");
    assert_eq!(bug.kind, BugKind::Misuse);
    assert!(bug.message.contains("everyway::alloc::Allocator"), "{}", bug.message);
}

#[test]
fn objects_on_stacks_and_in_statics_are_not() {
    static Y: AtomicUsize = AtomicUsize::new(0);
    let count = executions(|| {
        let x = AtomicUsize::new(0);
        thread::scope(|scope| {
            for n in 0..2 {
                let x = &x;
                scope.spawn(move || {
                    x.store(n, SeqCst);
                    Y.store(n, SeqCst);
                });
            }
        });
    });
    assert_eq!(count, 4);
}
