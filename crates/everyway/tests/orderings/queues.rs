//! Queues and stacks.

use crate::{Data, both, needs};
use everyway::sync::Arc;
use everyway::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use everyway::sync::atomic::{AtomicU32, AtomicUsize};
use everyway::thread;

#[test]
fn spsc_ring() {
    struct Ring {
        slots: [Data; 2],
        head: AtomicU32,
        tail: AtomicU32,
        orderings: [Ordering; 4],
    }
    let weaker = [(0, Relaxed), (1, Relaxed), (2, Relaxed), (3, Relaxed)];
    needs([Acquire, Release, Acquire, Release], &weaker, |orderings| {
        both(
            Ring { slots: Default::default(), head: AtomicU32::new(0), tail: AtomicU32::new(0), orderings },
            |ring| {
                let [head_acquire, tail_release, ..] = ring.orderings;
                for item in 1..=3 {
                    let at = ring.tail.load(Relaxed);
                    if at - ring.head.load(head_acquire) == 2 {
                        return;
                    }
                    ring.slots[at as usize % 2].set(item);
                    ring.tail.store(at + 1, tail_release);
                }
            },
            |ring| {
                let [.., tail_acquire, head_release] = ring.orderings;
                for item in 1..=3 {
                    let at = ring.head.load(Relaxed);
                    if at == ring.tail.load(tail_acquire) {
                        return;
                    }
                    assert_eq!(ring.slots[at as usize % 2].get(), item);
                    ring.head.store(at + 1, head_release);
                }
            },
        );
    });
}

/// A bounded queue in which every slot has a turn.
struct Queue {
    turns: [AtomicU32; 2],
    items: [Data; 2],
    first: AtomicU32,
    last: AtomicU32,
    orderings: [Ordering; 4],
}

impl Queue {
    fn push(&self, item: u32) {
        let at = self.last.load(Relaxed);
        let slot = at as usize % 2;
        // To claim a slot may be relaxed: its turn is what is waited for.
        if self.turns[slot].load(self.orderings[0]) == at
            && self.last.compare_exchange(at, at + 1, Relaxed, Relaxed).is_ok()
        {
            self.items[slot].set(item);
            self.turns[slot].store(at + 1, self.orderings[1]);
        }
    }

    fn pop(&self) {
        let at = self.first.load(Relaxed);
        let slot = at as usize % 2;
        if self.turns[slot].load(self.orderings[2]) == at + 1
            && self.first.compare_exchange(at, at + 1, Relaxed, Relaxed).is_ok()
        {
            assert!((1..=3).contains(&self.items[slot].get()));
            self.turns[slot].store(at + 2, self.orderings[3]);
        }
    }
}

#[test]
fn mpmc_queue() {
    let weaker = [(0, Relaxed), (1, Relaxed), (2, Relaxed), (3, Relaxed)];
    needs([Acquire, Release, Acquire, Release], &weaker, |orderings| {
        let queue = Queue {
            turns: [AtomicU32::new(0), AtomicU32::new(1)],
            items: Default::default(),
            first: AtomicU32::new(0),
            last: AtomicU32::new(0),
            orderings,
        };
        queue.push(1);
        let produce = |queue: &Queue| {
            queue.push(2);
            queue.push(3);
        };
        both(queue, produce, |queue| {
            queue.pop();
            queue.pop();
        });
    });
}

/// A stack of nodes by their numbers, of which only the top is atomic; 0 is none.
struct Stack {
    top: AtomicUsize,
    next: [Data; 3],
    orderings: [Ordering; 3],
}

impl Stack {
    fn push(&self, node: usize) {
        let mut next = self.top.load(Relaxed);
        loop {
            self.next[node].set(next as u32);
            match self.top.compare_exchange(next, node, self.orderings[0], Relaxed) {
                Ok(_) => return,
                Err(now) => next = now,
            }
        }
    }

    fn pop(&self) {
        let mut node = self.top.load(self.orderings[1]);
        while node != 0 {
            let next = self.next[node].get() as usize;
            // To take the top may be relaxed: what is in it was acquired when it was looked at.
            match self.top.compare_exchange(node, next, Relaxed, self.orderings[2]) {
                Ok(_) => return,
                Err(now) => node = now,
            }
        }
    }
}

#[test]
fn treiber_stack() {
    needs([Release, Acquire, Acquire], &[(0, Relaxed), (1, Relaxed), (2, Relaxed)], |orderings| {
        let stack = Arc::new(Stack { top: AtomicUsize::new(0), next: Default::default(), orderings });
        let threads = [1, 2].map(|node| {
            let stack = stack.clone();
            thread::spawn(move || stack.push(node))
        });
        stack.pop();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

/// The queue of Michael and Scott over numbered nodes, one attempt at each operation; 0 is none, and the first node is 1.
struct Linked {
    head: AtomicUsize,
    tail: AtomicUsize,
    next: [AtomicUsize; 4],
    /// Whether the node has been made ready, which is plain memory.
    ready: [Data; 4],
    orderings: [Ordering; 4],
}

impl Linked {
    fn put(&self, node: usize) {
        let [tail_acquire, link, tail_release, _] = self.orderings;
        self.ready[node].set(1);
        let last = self.tail.load(tail_acquire);
        assert_eq!(self.ready[last].get(), 1);
        if self.next[last].compare_exchange(0, node, link, Relaxed).is_ok() {
            let _ = self.tail.compare_exchange(last, node, tail_release, Relaxed);
        }
    }

    fn take(&self) {
        let [.., next_acquire] = self.orderings;
        let first = self.head.load(Relaxed);
        let next = self.next[first].load(next_acquire);
        if next != 0 {
            assert_eq!(self.ready[next].get(), 1);
            let _ = self.head.compare_exchange(first, next, Relaxed, Relaxed);
        }
    }
}

#[test]
fn ms_queue() {
    let weaker = [(0, Relaxed), (1, Relaxed), (2, Relaxed), (3, Relaxed)];
    needs([Acquire, Release, Release, Acquire], &weaker, |orderings| {
        let queue = Arc::new(Linked {
            head: AtomicUsize::new(1),
            tail: AtomicUsize::new(1),
            next: Default::default(),
            ready: Default::default(),
            orderings,
        });
        queue.ready[1].set(1);
        let threads = [2, 3].map(|node| {
            let queue = queue.clone();
            thread::spawn(move || queue.put(node))
        });
        queue.take();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}
