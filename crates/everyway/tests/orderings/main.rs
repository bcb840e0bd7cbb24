//! Well-known algorithms with the memory orderings they need: with these they are verified, with any single one of them
//! weakened they fail. An ordering that is already `Relaxed` says in a comment why it may be, and so does one that is
//! stronger by custom, and is verified weakened.

#![cfg(feature = "model")]

mod deque;
mod library;
mod locks;
mod looks;
mod publication;
mod queues;
#[path = "../support/mod.rs"]
mod support;

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::report::Verdict;
use everyway::sync::Arc;
use everyway::sync::atomic::Ordering;
use everyway::thread;
use support::verified;

/// Data that other synchronisation is to protect.
#[derive(Default)]
struct Data(UnsafeCell<u32>);

// SAFETY: whether accesses are ordered is what is tested; in a model they take place one after the other in any case.
unsafe impl Sync for Data {}

impl Data {
    #[track_caller]
    fn get(&self) -> u32 {
        // SAFETY: see above.
        self.0.with(|value| unsafe { *value })
    }

    #[track_caller]
    fn set(&self, new: u32) {
        // SAFETY: see above.
        self.0.with_mut(|value| unsafe { *value = new });
    }

    #[track_caller]
    fn increment(&self) {
        self.set(self.get() + 1);
    }
}

/// `algorithm` is right with the orderings `right`, and wrong with each of `weaker` put in its place.
#[track_caller]
fn needs<const N: usize>(right: [Ordering; N], weaker: &[(usize, Ordering)], algorithm: fn([Ordering; N])) {
    verified(&everyway::explore(|| algorithm(right)));
    for &(position, ordering) in weaker {
        let mut orderings = right;
        orderings[position] = ordering;
        let report = everyway::explore(|| algorithm(orderings));
        assert_eq!(report.verdict, Verdict::Bug, "with {ordering:?} in place of ordering {position}");
    }
}

/// `algorithm` is still right with each of `weaker` put in the place of one of the orderings `right`.
#[track_caller]
fn may_have<const N: usize>(right: [Ordering; N], weaker: &[(usize, Ordering)], algorithm: fn([Ordering; N])) {
    for &(position, ordering) in weaker {
        let mut orderings = right;
        orderings[position] = ordering;
        verified(&everyway::explore(|| algorithm(orderings)));
    }
}

/// Runs both on shared state, and joins them.
fn both<T: Send + Sync + 'static>(shared: T, one: fn(&T), other: fn(&T)) -> Arc<T> {
    let shared = Arc::new(shared);
    let threads = [one, other].map(|body| {
        let shared = shared.clone();
        thread::spawn(move || body(&shared))
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    shared
}
