//! A spin lock. The broken version checks whether the lock is free, and then takes it: two threads can both find it
//! free. `cargo run --example spin_lock` shows the execution in which they do.

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::hint::spin_loop;
use everyway::render::text::plain;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicBool, Ordering};
use everyway::thread;

struct SpinLock<T> {
    locked: AtomicBool,
    data: UnsafeCell<T>,
}

// SAFETY: the data is accessed only while the lock is held. (It is the point of this example that one of the
// two ways of taking the lock does not keep this promise.)
unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    const fn new(data: T) -> Self {
        Self { locked: AtomicBool::new(false), data: UnsafeCell::new(data) }
    }

    /// Looking and taking are two steps: this is the bug.
    fn lock_in_two_steps(&self) {
        while self.locked.load(Ordering::Acquire) {
            spin_loop();
        }
        self.locked.store(true, Ordering::Relaxed);
    }

    /// Takes the lock if it is free, in one step; while it is not, only looks.
    fn lock(&self) {
        while self.locked.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            while self.locked.load(Ordering::Relaxed) {
                spin_loop();
            }
        }
    }

    fn unlock(&self) {
        self.locked.store(false, Ordering::Release);
    }
}

/// Several threads add 1 to a counter under a lock that is taken by `lock`.
fn count(threads: u32, lock: fn(&SpinLock<u32>)) {
    let counter = Arc::new(SpinLock::new(0));
    let workers: Vec<_> = (0..threads)
        .map(|_| {
            let counter = counter.clone();
            thread::spawn(move || {
                lock(&counter);
                // SAFETY: the lock is held.
                counter.data.with_mut(|n| unsafe { *n += 1 });
                counter.unlock();
            })
        })
        .collect();
    for worker in workers {
        worker.join().unwrap();
    }
    // SAFETY: the threads have ended.
    assert_eq!(counter.data.with(|n| unsafe { *n }), threads);
}

fn main() {
    println!("The broken lock, two threads:\n");
    println!("{}", plain(&everyway::explore(|| count(2, SpinLock::lock_in_two_steps))));
    println!("The right one, three threads:\n");
    println!("{}", plain(&everyway::explore(|| count(3, SpinLock::lock))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn two_threads_hold_the_broken_lock() {
        let report = everyway::explore(|| count(2, SpinLock::lock_in_two_steps));
        assert_eq!(report.bug.expect("the bug is found").kind, BugKind::DataRace);
    }

    #[everyway::test]
    fn one_thread_at_a_time_holds_the_lock() {
        count(3, SpinLock::lock);
    }
}
