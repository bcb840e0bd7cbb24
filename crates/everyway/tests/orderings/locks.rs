//! Locks: a spin lock, a ticket lock, that of Mellor-Crummey and Scott, and those that need no read-modify-writes.

use crate::{Data, both, may_have, needs};
use everyway::hint;
use everyway::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};

#[test]
fn spin_lock() {
    needs([Acquire, Release], &[(0, Relaxed), (1, Relaxed)], |[acquire, release]| {
        let increment = |(held, data, [acquire, release]): &(AtomicBool, Data, [Ordering; 2])| {
            while held.swap(true, *acquire) {
                hint::spin_loop();
            }
            data.increment();
            held.store(false, *release);
        };
        let shared = both((AtomicBool::new(false), Data::default(), [acquire, release]), increment, increment);
        assert_eq!(shared.1.get(), 2);
    });
}

#[test]
fn dekker() {
    let weaker = [(0, Release), (1, Acquire), (2, Release), (3, Acquire)];
    needs([SeqCst; 4], &weaker, |orderings| {
        both(
            ([AtomicBool::new(false), AtomicBool::new(false)], Data::default(), orderings),
            |(want, data, [set, look, ..])| {
                want[0].store(true, *set);
                if !want[1].load(*look) {
                    data.increment();
                }
            },
            |(want, data, [.., set, look])| {
                want[1].store(true, *set);
                if !want[0].load(*look) {
                    data.increment();
                }
            },
        );
    });
}

/// Peterson's lock for two threads.
struct Peterson {
    want: [AtomicBool; 2],
    turn: AtomicUsize,
    data: Data,
    orderings: [Ordering; 5],
}

impl Peterson {
    /// Takes the lock if it need not wait.
    fn try_increment(&self, me: usize) {
        let [want, turn, look, see, leave] = self.orderings;
        self.want[me].store(true, want);
        self.turn.store(1 - me, turn);
        if !self.want[1 - me].load(look) || self.turn.load(see) == me {
            self.data.increment();
            self.want[me].store(false, leave);
        }
    }
}

#[test]
fn peterson() {
    fn both_try(orderings: [Ordering; 5]) {
        let lock = Peterson { want: Default::default(), turn: AtomicUsize::new(0), data: Data::default(), orderings };
        both(lock, |lock| lock.try_increment(0), |lock| lock.try_increment(1));
    }
    let right = [SeqCst, SeqCst, SeqCst, Relaxed, Release];
    needs(right, &[(0, Release), (1, Release), (2, Acquire), (4, Relaxed)], both_try);
    // The look at whose turn it is may be relaxed. By coherence it sees the thread's own store or a later one, so it says
    // "mine" only if the other one stored later. The other one then goes on only if it does not see that this one wants
    // to, and that is a cycle of seq_cst events: it reads before (fr) this one's store to `want`, which comes before (po)
    // this one's store to `turn`, which comes before (mo) the other one's, which comes before (po) that read.
    may_have(right, &[(3, SeqCst), (3, Acquire)], both_try);
}

#[test]
fn ticket_lock() {
    needs([Acquire, Release], &[(0, Relaxed), (1, Relaxed)], |orderings| {
        let increment = |(next, owner, data, [acquire, release]): &(AtomicU32, AtomicU32, Data, [Ordering; 2])| {
            // To draw a ticket may be relaxed: no two draw the same, and the owner is what is waited for.
            let ticket = next.fetch_add(1, Relaxed);
            while owner.load(*acquire) != ticket {
                hint::spin_loop();
            }
            data.increment();
            owner.store(ticket + 1, *release);
        };
        let shared = both((AtomicU32::new(0), AtomicU32::new(0), Data::default(), orderings), increment, increment);
        assert_eq!(shared.2.get(), 2);
    });
}

/// The lock of Mellor-Crummey and Scott, with a node per thread; 0 is none.
struct Mcs {
    last: AtomicUsize,
    next: [AtomicUsize; 3],
    waits: [AtomicBool; 3],
    data: Data,
    orderings: [Ordering; 6],
}

impl Mcs {
    fn increment(&self, me: usize) {
        let [join, wait, leave, pass, link, find] = self.orderings;
        self.waits[me].store(true, Relaxed);
        let before = self.last.swap(me, join);
        if before != 0 {
            self.next[before].store(me, link);
            while self.waits[me].load(wait) {
                hint::spin_loop();
            }
        }
        self.data.increment();
        if self.last.compare_exchange(me, 0, leave, Relaxed).is_err() {
            let mut next = self.next[me].load(find);
            while next == 0 {
                hint::spin_loop();
                next = self.next[me].load(find);
            }
            self.waits[next].store(false, pass);
        }
    }
}

#[test]
fn mcs_lock() {
    let weaker = [(0, Relaxed), (0, Release), (1, Relaxed), (2, Relaxed), (3, Relaxed), (4, Relaxed), (5, Relaxed)];
    needs([AcqRel, Acquire, Release, Release, Release, Acquire], &weaker, |orderings| {
        let lock = Mcs {
            last: AtomicUsize::new(0),
            next: Default::default(),
            waits: Default::default(),
            data: Data::default(),
            orderings,
        };
        let lock = both(lock, |lock| lock.increment(1), |lock| lock.increment(2));
        assert_eq!(lock.data.get(), 2);
    });
}
