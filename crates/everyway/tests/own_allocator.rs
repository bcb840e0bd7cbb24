//! A program with an allocator of its own, inside of everyway's:
//! `cargo test -p everyway --no-default-features --features model --test own_allocator`.

#![cfg(not(feature = "allocator"))]

mod support;

use everyway::alloc::Allocator;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use everyway::thread;
use std::alloc::{GlobalAlloc, Layout, System};
use support::executions;

struct Counting;

static ALLOCATIONS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

// SAFETY: the system's, which is asked for the same.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, SeqCst);
        // SAFETY: what the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: what the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Allocator<Counting> = Allocator::new(Counting);

#[test]
fn it_serves_what_is_not_the_models() {
    drop(vec![1, 2, 3]);
    assert!(ALLOCATIONS.load(SeqCst) > 0);
    let count = executions(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads = [1, 2, 3].map(|n| {
            let x = x.clone();
            thread::spawn(move || {
                let own = Box::new(AtomicUsize::new(n));
                x.store(own.load(SeqCst), SeqCst);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!(count, 6);
}
