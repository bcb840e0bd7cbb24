//! Data that is published, counted, set once, or read while it is changed.

use crate::{Data, both, needs};
use everyway::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, fence};

#[test]
fn publication() {
    needs([Release, Acquire], &[(0, Relaxed), (1, Relaxed)], |orderings| {
        both(
            (AtomicBool::new(false), Data::default(), orderings),
            |(ready, data, [release, _])| {
                data.set(42);
                ready.store(true, *release);
            },
            |(ready, data, [_, acquire])| {
                if ready.load(*acquire) {
                    assert_eq!(data.get(), 42);
                }
            },
        );
    });
}

#[test]
fn reference_count() {
    needs([Release, Acquire], &[(0, Relaxed), (1, Relaxed)], |orderings| {
        // Whoever gives up the last reference may change the data: that is what freeing it comes to.
        let drop = |(references, data, [release, acquire]): &(AtomicUsize, Data, [Ordering; 2])| {
            assert_eq!(data.get(), 0);
            if references.fetch_sub(1, *release) == 1 {
                if *acquire != Relaxed {
                    fence(*acquire);
                }
                data.set(1);
            }
        };
        both((AtomicUsize::new(2), Data::default(), orderings), drop, drop);
    });
}

#[test]
fn once_cell() {
    needs([Acquire, Acquire, Release], &[(0, Relaxed), (1, Relaxed), (2, Relaxed)], |orderings| {
        // To begin may be relaxed: the cell is empty, so there is nothing to see.
        let set = |(state, value, [look, found, done]): &(AtomicU32, Data, [Ordering; 3])| {
            if state.load(*look) == 2 {
                assert_eq!(value.get(), 5);
                return;
            }
            match state.compare_exchange(0, 1, Relaxed, *found) {
                Ok(_) => {
                    value.set(5);
                    state.store(2, *done);
                }
                Err(2) => assert_eq!(value.get(), 5),
                Err(_) => {}
            }
        };
        both((AtomicU32::new(0), Data::default(), orderings), set, set);
    });
}

#[test]
fn seqlock() {
    let weaker = [(0, Relaxed), (1, Relaxed), (2, Relaxed), (3, Relaxed)];
    /// A fence that is left out if it is relaxed, which there is no fence for.
    fn maybe_fence(ordering: Ordering) {
        if ordering != Relaxed {
            fence(ordering);
        }
    }
    needs([Release, Release, Acquire, Acquire], &weaker, |orderings| {
        both(
            ([AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0)], orderings),
            |([sequence, left, right], [begin, end, ..])| {
                let before = sequence.load(Relaxed);
                sequence.store(before + 1, Relaxed);
                maybe_fence(*begin);
                left.store(1, Relaxed);
                right.store(1, Relaxed);
                sequence.store(before + 2, *end);
            },
            |([sequence, left, right], [.., begin, end])| {
                let before = sequence.load(*begin);
                let values = (left.load(Relaxed), right.load(Relaxed));
                maybe_fence(*end);
                if before == sequence.load(Relaxed) && before.is_multiple_of(2) {
                    assert_eq!(values.0, values.1);
                }
            },
        );
    });
}

#[test]
fn rcu_swap() {
    // Which of two versions is current. The old one may be changed if nobody reads.
    let weaker = [(0, AcqRel), (1, Acquire), (2, Relaxed), (3, AcqRel), (4, Acquire)];
    needs([SeqCst, SeqCst, Release, SeqCst, SeqCst], &weaker, |orderings| {
        both(
            (AtomicUsize::new(0), AtomicUsize::new(0), [Data::default(), Data::default()], orderings),
            |(current, readers, versions, [enter, fetch, leave, ..])| {
                readers.fetch_add(1, *enter);
                versions[current.load(*fetch)].get();
                readers.fetch_sub(1, *leave);
            },
            |(current, readers, versions, [.., swap, watch])| {
                versions[1].set(2);
                let old = current.swap(1, *swap);
                if readers.load(*watch) == 0 {
                    versions[old].set(3);
                }
            },
        );
    });
}
