//! What std's types do under memory models in which reads are told what they see: channels, `Once`, barriers, condition variables,
//! locks, parking, loops over several locations, weak compare-exchanges. The results are those that std's documentation
//! and the model allow, derived beside each; under every model all of them are found, and no others.

#![cfg(feature = "model")]

mod support;

use everyway::MemoryModel::{Pso, Rc11, Sc, Tso};
use everyway::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicU32, fence};
use everyway::sync::mpsc::{self, TryRecvError, TrySendError};
use everyway::sync::{Arc, Barrier, Condvar, Mutex, Once, OnceLock, RwLock};
use everyway::{Algorithm, Builder, MemoryModel, hint, thread};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::Duration;
use support::{outcomes_by, outcomes_under, verified};

const ALL: [MemoryModel; 4] = [Sc, Tso, Pso, Rc11];

/// The results of `f` are these, whatever the model.
#[track_caller]
fn under_all<T: Ord + Send + Debug, const N: usize>(expected: [T; N], f: impl Fn() -> T + Sync) {
    let expected = BTreeSet::from(expected);
    for model in ALL {
        assert_eq!(outcomes_under(Some(model), &f), expected, "{model}");
    }
}

/// The results of `f`, whose accesses are all `SeqCst`, are these under every model, and those of all interleavings.
#[track_caller]
fn as_interleaved<T: Ord + Send + Debug, const N: usize>(expected: [T; N], f: impl Fn() -> T + Sync) {
    let graphs = Algorithm::Graphs { model: Sc };
    for algorithm in [Algorithm::Optimal, graphs] {
        let found = outcomes_by(algorithm, everyway::Order::Lowest, &f);
        assert!(found.iter().eq(BTreeSet::from_iter(&expected)), "{algorithm:?}: {found:?}");
    }
    under_all(expected, f);
}

/// Each sender's messages come in order; what is done before a send is seen after its receive.
#[test]
fn messages_come_in_order_and_publish() {
    under_all([[1, 2, 3], [1, 3, 2], [3, 1, 2]], || {
        let data = Arc::new([const { AtomicU32::new(0) }; 4]);
        let (sender, receiver) = mpsc::channel();
        for messages in [&[1, 2][..], &[3]] {
            let (data, sender) = (data.clone(), sender.clone());
            thread::spawn(move || {
                for &message in messages {
                    data[message].store(1, Relaxed);
                    sender.send(message).unwrap();
                }
            });
        }
        [(); 3].map(|()| {
            let message = receiver.recv().unwrap();
            assert_eq!(data[message].load(Relaxed), 1);
            message
        })
    });
}

/// The message comes before the end of the channel, so `Disconnected` is found only after it. Two looks: nothing twice; nothing,
/// then the message; the message, then nothing or the end.
#[test]
fn looks_at_a_channel() {
    use TryRecvError::{Disconnected, Empty};
    let seen = [(Err(Empty), Err(Empty)), (Err(Empty), Ok(1)), (Ok(1), Err(Empty)), (Ok(1), Err(Disconnected))];
    under_all(seen.map(|looks| format!("{looks:?}")), || {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || sender.send(1).unwrap());
        let looks = (receiver.try_recv(), receiver.try_recv());
        thread.join().unwrap();
        format!("{looks:?}")
    });
}

/// One place in the channel. The second message does not fit unless the first one was taken before. If it did not fit, there is
/// nothing to be received after the first, or the end; if it did, it has come or not.
#[test]
fn a_channel_with_one_place() {
    under_all(["fits, 2", "fits, empty", "full, empty", "full, end"], || {
        let (sender, receiver) = mpsc::sync_channel(1);
        let thread = thread::spawn(move || {
            sender.try_send(1).unwrap();
            match sender.try_send(2) {
                Ok(()) => true,
                Err(TrySendError::Full(2)) => false,
                Err(other) => panic!("{other:?}"),
            }
        });
        assert_eq!(receiver.recv(), Ok(1));
        let second = receiver.try_recv();
        match (thread.join().unwrap(), second) {
            (true, Ok(2)) => "fits, 2",
            (true, Err(TryRecvError::Empty)) => "fits, empty",
            (false, Err(TryRecvError::Empty)) => "full, empty",
            (false, Err(TryRecvError::Disconnected)) => "full, end",
            other => panic!("{other:?}"),
        }
    });
}

/// A rendezvous: what was done before the send is seen after the receive.
#[test]
fn a_rendezvous_publishes() {
    under_all([1], || {
        let data = Arc::new(AtomicU32::new(0));
        let (sender, receiver) = mpsc::sync_channel(0);
        let other = data.clone();
        let thread = thread::spawn(move || {
            other.store(1, Relaxed);
            sender.send(()).unwrap();
        });
        receiver.recv().unwrap();
        let seen = data.load(Relaxed);
        thread.join().unwrap();
        seen
    });
}

/// `y` is read before `x` in each round, and written after it. A new `y` with an old `x` takes two writes or two reads that
/// change places: PSO and RC11 only. Otherwise `x` was written between the reads, or both before.
#[test]
fn a_loop_over_two_locations() {
    let run = |store, load| {
        move || {
            let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let thread = thread::spawn(move || {
                other.0.store(1, Relaxed);
                other.1.store(1, store);
            });
            let seen = loop {
                let (y, x) = (shared.1.load(load), shared.0.load(Relaxed));
                if (y, x) != (0, 0) {
                    break (y, x);
                }
                hint::spin_loop();
            };
            thread.join().unwrap();
            seen
        }
    };
    for model in ALL {
        let mut expected = BTreeSet::from([(0, 1), (1, 1)]);
        assert_eq!(outcomes_under(Some(model), run(Release, Acquire)), expected, "{model}");
        if matches!(model, Pso | Rc11) {
            expected.insert((1, 0));
        }
        assert_eq!(outcomes_under(Some(model), run(Relaxed, Relaxed)), expected, "{model}");
    }
}

/// Waits for both of two flags, each of which publishes something.
#[test]
fn a_loop_until_two_flags_are_set() {
    under_all([(1, 2)], || {
        let shared = Arc::new([const { AtomicU32::new(0) }; 4]);
        for n in [0, 1] {
            let shared = shared.clone();
            thread::spawn(move || {
                shared[n].store(n as u32 + 1, Relaxed);
                shared[n + 2].store(1, Release);
            });
        }
        while shared[2].load(Acquire) + shared[3].load(Acquire) < 2 {
            thread::yield_now();
        }
        (shared[0].load(Relaxed), shared[1].load(Relaxed))
    });
}

/// One call runs, and what it did is seen by whoever returns from the other. A look that finds it done sees it, too.
#[test]
fn once() {
    under_all([(false, 0), (false, 1), (true, 1)], || {
        let shared = Arc::new((Once::new(), AtomicU32::new(0)));
        let set = |shared: &(Once, AtomicU32)| {
            shared.0.call_once(|| _ = shared.1.fetch_add(1, Relaxed));
            assert_eq!(shared.1.load(Relaxed), 1);
        };
        let threads = [(); 2].map(|()| {
            let shared = shared.clone();
            thread::spawn(move || set(&shared))
        });
        let seen = (shared.0.is_completed(), shared.1.load(Relaxed));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        seen
    });
}

/// One of two is set, and it is found by whoever was too late; a look finds none, or that one.
#[test]
fn once_lock() {
    under_all([(None, 1), (None, 2), (Some(1), 1), (Some(2), 2)], || {
        let shared = Arc::new(OnceLock::new());
        let threads = [1, 2].map(|n| {
            let shared = shared.clone();
            thread::spawn(move || shared.set(n).is_ok())
        });
        let seen = shared.get().copied();
        let set = threads.map(|thread| thread.join().unwrap());
        assert_eq!(set.iter().filter(|&&set| set).count(), 1);
        (seen, *shared.get_or_init(|| unreachable!("it is set")))
    });
}

/// Everyone sees what was done before the barrier, and one of them is the leader.
#[test]
fn barrier() {
    under_all([(false, true), (true, false)], || {
        let shared = Arc::new((Barrier::new(2), [const { AtomicU32::new(0) }; 2]));
        let meet = |shared: &(Barrier, [AtomicU32; 2]), me: usize| {
            shared.1[me].store(1, Relaxed);
            let leads = shared.0.wait().is_leader();
            assert_eq!(shared.1[1 - me].load(Relaxed), 1);
            leads
        };
        let other = shared.clone();
        let thread = thread::spawn(move || meet(&other, 1));
        (meet(&shared, 0), thread.join().unwrap())
    });
}

/// A wait with a timeout ends by the notification or by time. What the notifier did is seen in the first case, and may be in the
/// second: the flag is set under the lock, so it is if the flag is.
#[test]
fn condition_variable() {
    under_all([(false, 0), (false, 1), (true, 1)], || {
        let shared = Arc::new((Mutex::new(false), Condvar::new(), AtomicU32::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            other.2.store(1, Relaxed);
            *other.0.lock().unwrap() = true;
            other.1.notify_all();
        });
        let guard = shared.0.lock().unwrap();
        let (guard, _) = shared.1.wait_timeout_while(guard, Duration::from_secs(1), |ready| !*ready).unwrap();
        let ready = *guard;
        drop(guard);
        let seen = (ready, shared.2.load(Relaxed));
        thread.join().unwrap();
        seen
    });
}

/// Two wait for the same; nobody is left behind.
#[test]
fn everyone_is_notified() {
    under_all([2], || {
        let shared = Arc::new((Mutex::new(false), Condvar::new(), AtomicU32::new(0)));
        let threads = [(); 2].map(|()| {
            let shared = shared.clone();
            thread::spawn(move || {
                drop(shared.1.wait_while(shared.0.lock().unwrap(), |ready| !*ready).unwrap());
                shared.2.fetch_add(1, Relaxed);
            })
        });
        *shared.0.lock().unwrap() = true;
        shared.1.notify_all();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        shared.2.load(Relaxed)
    });
}

/// A reader has the lock before the writer or after it, and sees nothing in between.
#[test]
fn readers_and_a_writer() {
    under_all([(0, 0), (0, 1), (1, 0), (1, 1)], || {
        let shared = Arc::new(RwLock::new((AtomicU32::new(0), AtomicU32::new(0))));
        let read = |shared: &RwLock<(AtomicU32, AtomicU32)>| {
            let guard = shared.read().unwrap();
            let seen = (guard.0.load(Relaxed), guard.1.load(Relaxed));
            assert_eq!(seen.0, seen.1);
            seen.0
        };
        let (writer, reader) = (shared.clone(), shared.clone());
        let writer = thread::spawn(move || {
            let guard = writer.write().unwrap();
            guard.0.store(1, Relaxed);
            guard.1.store(1, Relaxed);
        });
        let reader = thread::spawn(move || read(&reader));
        let seen = (read(&shared), reader.join().unwrap());
        writer.join().unwrap();
        seen
    });
}

/// An attempt fails while the other has the lock, which may be before or after the store under it.
#[test]
fn attempts_to_lock() {
    under_all([None, Some(0), Some(1)], || {
        let shared = Arc::new(RwLock::new(AtomicU32::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || other.write().unwrap().store(1, Relaxed));
        let seen = shared.try_read().ok().map(|guard| guard.load(Relaxed));
        thread.join().unwrap();
        seen
    });
}

/// What is done before `unpark` is seen after `park`; after a timeout it may be missed.
#[test]
fn parking() {
    let run = |timeout: bool| {
        move || {
            let data = Arc::new(AtomicU32::new(0));
            let (other, parked) = (data.clone(), thread::current());
            let thread = thread::spawn(move || {
                other.store(1, Relaxed);
                parked.unpark();
            });
            if timeout {
                thread::park_timeout(Duration::from_secs(1));
            } else {
                thread::park();
            }
            let seen = data.load(Relaxed);
            thread.join().unwrap();
            seen
        }
    };
    under_all([1], run(false));
    under_all([0, 1], run(true));
}

/// A weak compare-exchange fails by the other's value, or, if it may, spuriously. It succeeds only on the initial value: then
/// it comes right after that, and the store comes last.
#[test]
fn weak_compare_exchange() {
    for (spurious, model) in ALL.into_iter().flat_map(|model| [(false, model), (true, model)]) {
        let seen = std::sync::Mutex::new(BTreeSet::new());
        let report = Builder::new().memory_model(model).spurious(spurious).explore(|| {
            let shared = Arc::new(AtomicU32::new(0));
            let other = shared.clone();
            let thread = thread::spawn(move || other.store(2, Relaxed));
            let result = shared.compare_exchange_weak(0, 1, Relaxed, Relaxed);
            thread.join().unwrap();
            assert_eq!(shared.load(Relaxed), 2);
            seen.lock().unwrap().insert(result);
        });
        verified(&report);
        let mut expected = BTreeSet::from([Ok(0), Err(2)]);
        if spurious {
            expected.insert(Err(0));
        }
        assert_eq!(seen.into_inner().unwrap(), expected, "{model}, {spurious}");
    }
}

/// Dekker's store and load: one sees the other. Read-modify-writes in a loop: none is lost.
#[test]
fn sequentially_consistent_programs() {
    as_interleaved([(0, 1), (1, 0), (1, 1)], || {
        let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            other.0.store(1, SeqCst);
            other.1.load(SeqCst)
        });
        shared.1.store(1, SeqCst);
        (shared.0.load(SeqCst), thread.join().unwrap())
    });
    as_interleaved([3], || {
        let counter = Arc::new(AtomicU32::new(0));
        let add = |counter: &AtomicU32, n| {
            let mut value = counter.load(SeqCst);
            while let Err(other) = counter.compare_exchange(value, value + n, SeqCst, SeqCst) {
                value = other;
            }
        };
        let other = counter.clone();
        let thread = thread::spawn(move || add(&other, 1));
        add(&counter, 2);
        thread.join().unwrap();
        counter.load(SeqCst)
    });
}

/// A ticket lock, whose waiters look at one location and hold another: each has it once, in the order of the tickets.
#[test]
fn a_lock_of_tickets() {
    as_interleaved([[1, 2], [2, 1]], || {
        let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0), Mutex::new(Vec::new())));
        let threads = [1, 2].map(|n| {
            let shared = shared.clone();
            thread::spawn(move || {
                let ticket = shared.0.fetch_add(1, SeqCst);
                while shared.1.load(SeqCst) != ticket {
                    hint::spin_loop();
                }
                shared.2.try_lock().expect("nobody else has a turn").push(n);
                shared.1.store(ticket + 1, SeqCst);
            })
        });
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let order = shared.2.lock().unwrap();
        [order[0], order[1]]
    });
}

/// With fences between store and load, one of two sees the other; without them, and without `SeqCst`, neither need.
#[test]
fn fences_in_a_loop_of_two() {
    let run = |fenced: bool| {
        move || {
            let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let thread = thread::spawn(move || {
                other.0.store(1, Relaxed);
                if fenced {
                    fence(SeqCst);
                }
                other.1.load(Relaxed)
            });
            shared.1.store(1, Relaxed);
            if fenced {
                fence(SeqCst);
            }
            (shared.0.load(Relaxed), thread.join().unwrap())
        }
    };
    under_all([(0, 1), (1, 0), (1, 1)], run(true));
    for model in [Tso, Pso, Rc11] {
        let all = BTreeSet::from([(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(outcomes_under(Some(model), run(false)), all, "{model}");
    }
}
