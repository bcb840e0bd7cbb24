//! The work-stealing deque.

use crate::{Data, both, may_have, needs};
use everyway::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicI32, AtomicUsize, fence};

/// The work-stealing deque of Chase and Lev, whose tasks are numbered.
struct Deque {
    top: AtomicI32,
    bottom: AtomicI32,
    items: [AtomicUsize; 4],
    taken: [Data; 2],
    orderings: [Ordering; 7],
}

impl Deque {
    fn push(&self, task: usize) {
        let b = self.bottom.load(Relaxed);
        self.taken[task].set(0);
        self.items[b as usize % 4].store(task, Relaxed);
        if self.orderings[0] != Relaxed {
            fence(self.orderings[0]);
        }
        self.bottom.store(b + 1, Relaxed);
    }

    fn take(&self) {
        let b = self.bottom.load(Relaxed) - 1;
        self.bottom.store(b, Relaxed);
        fence(self.orderings[1]);
        let t = self.top.load(Relaxed);
        if t <= b {
            let task = self.items[b as usize % 4].load(Relaxed);
            if t != b {
                return self.run(task);
            }
            if self.top.compare_exchange(t, t + 1, self.orderings[5], Relaxed).is_ok() {
                self.run(task);
            }
        }
        self.bottom.store(b + 1, Relaxed);
    }

    fn steal(&self) {
        let t = self.top.load(self.orderings[4]);
        fence(self.orderings[2]);
        let b = self.bottom.load(self.orderings[3]);
        if t < b {
            let task = self.items[t as usize % 4].load(Relaxed);
            if self.top.compare_exchange(t, t + 1, self.orderings[6], Relaxed).is_ok() {
                self.run(task);
            }
        }
    }

    fn run(&self, task: usize) {
        assert_eq!(self.taken[task].get(), 0, "a task is run once");
        self.taken[task].set(1);
    }
}

#[test]
fn chase_lev() {
    fn take_and_steal(orderings: [Ordering; 7]) {
        let deque = Deque {
            top: AtomicI32::new(0),
            bottom: AtomicI32::new(0),
            items: Default::default(),
            taken: Default::default(),
            orderings,
        };
        both(
            deque,
            |deque| {
                deque.push(0);
                deque.push(1);
                deque.take();
                deque.take();
            },
            |deque| {
                deque.steal();
                deque.steal();
            },
        );
    }
    let right = [Release, SeqCst, SeqCst, Acquire, Relaxed, Relaxed, Relaxed];
    needs(right, &[(0, Relaxed), (1, AcqRel), (2, AcqRel), (3, Relaxed)], take_and_steal);
    // The thief's look at the top may be relaxed: the fence that follows it acquires what it read.
    may_have(right, &[(4, Acquire)], take_and_steal);
    // Both exchanges of the top may be relaxed as long as slots are not used again. Two of them that read the same write
    // are no consistent graph (atomicity), so a task is claimed once; what is in it is passed on by `bottom`. Whoever
    // uses slots again has to know that the task before was taken, and needs a release here.
    may_have(right, &[(5, SeqCst), (6, SeqCst), (6, Release)], take_and_steal);
}
