//! Litmus tests under every memory model: what each of them allows is known from the literature. What can be read is
//! compared, not how many executions there are.

#![cfg(feature = "model")]

mod support;

use everyway::MemoryModel::{Pso, Rc11, Sc, Tso};
use everyway::report::{BugKind, Verdict};
use everyway::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicPtr, AtomicU32, fence};
use everyway::sync::{Arc, Condvar, Mutex, mpsc};
use everyway::{Builder, MemoryModel, thread};
use std::collections::BTreeSet;
use std::ptr;
use support::outcomes_under;

const ALL: [MemoryModel; 4] = [Sc, Tso, Pso, Rc11];

type Body = fn(&AtomicU32, &AtomicU32) -> [u32; 2];

/// Runs the threads on two atomics that are 0, and returns what they return, and what the atomics end with.
fn run<const N: usize>(threads: [Body; N]) -> ([[u32; 2]; N], u32, u32) {
    let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
    let threads = threads.map(|body| {
        let shared = shared.clone();
        thread::spawn(move || body(&shared.0, &shared.1))
    });
    let read = threads.map(|thread| thread.join().unwrap());
    (read, shared.0.load(Relaxed), shared.1.load(Relaxed))
}

/// The models under which some execution gives `result`.
#[track_caller]
fn allow<const N: usize>(threads: [Body; N], result: impl Fn(&([[u32; 2]; N], u32, u32)) -> bool) -> Vec<MemoryModel> {
    let gives = |model: &MemoryModel| outcomes_under(Some(*model), || run(threads)).iter().any(&result);
    ALL.into_iter().filter(gives).collect()
}

#[test]
fn store_buffering() {
    let both_old = |(read, ..): &([[u32; 2]; 2], u32, u32)| *read == [[0, 0], [0, 0]];
    fn with<const FENCED: bool>(one: &AtomicU32, two: &AtomicU32) -> [u32; 2] {
        one.store(1, Relaxed);
        if FENCED {
            fence(SeqCst);
        }
        [two.load(Relaxed), 0]
    }
    assert_eq!(allow([with::<false>, |x, y| with::<false>(y, x)], both_old), [Tso, Pso, Rc11]);
    assert_eq!(allow([with::<true>, |x, y| with::<true>(y, x)], both_old), []);
}

#[test]
fn message_passing() {
    let missed = |(read, ..): &([[u32; 2]; 2], u32, u32)| read[1] == [1, 0];
    let relaxed: [Body; 2] = [
        |x, y| {
            x.store(1, Relaxed);
            y.store(1, Relaxed);
            [0, 0]
        },
        |x, y| [y.load(Relaxed), x.load(Relaxed)],
    ];
    assert_eq!(allow(relaxed, missed), [Pso, Rc11]);
    let synchronised: [Body; 2] = [
        |x, y| {
            x.store(1, Relaxed);
            y.store(1, Release);
            [0, 0]
        },
        |x, y| [y.load(Acquire), x.load(Relaxed)],
    ];
    // Under PSO, there is a store barrier before a release store.
    assert_eq!(allow(synchronised, missed), []);
    let fenced: [Body; 2] = [
        |x, y| {
            x.store(1, Relaxed);
            fence(Release);
            y.store(1, Relaxed);
            [0, 0]
        },
        |x, y| {
            let read = y.load(Relaxed);
            fence(Acquire);
            [read, x.load(Relaxed)]
        },
    ];
    assert_eq!(allow(fenced, missed), []);
}

#[test]
fn load_buffering_is_left_out() {
    let both_new = |(read, ..): &([[u32; 2]; 2], u32, u32)| *read == [[1, 0], [1, 0]];
    let threads: [Body; 2] = [
        |x, y| {
            let read = x.load(Relaxed);
            y.store(1, Relaxed);
            [read, 0]
        },
        |x, y| {
            let read = y.load(Relaxed);
            x.store(1, Relaxed);
            [read, 0]
        },
    ];
    assert_eq!(allow(threads, both_new), []);
}

#[test]
fn two_pairs_of_writes() {
    let threads: [Body; 2] = [
        |x, y| {
            x.store(1, Relaxed);
            y.store(2, Relaxed);
            [0, 0]
        },
        |x, y| {
            y.store(1, Relaxed);
            x.store(2, Relaxed);
            [0, 0]
        },
    ];
    assert_eq!(allow(threads, |&(_, x, y)| (x, y) == (1, 1)), [Pso, Rc11]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let disagree = |(read, ..): &([[u32; 2]; 4], u32, u32)| read[2] == [1, 0] && read[3] == [1, 0];
    let write: [Body; 2] = [
        |x, _| {
            x.store(1, Release);
            [0, 0]
        },
        |_, y| {
            y.store(1, Release);
            [0, 0]
        },
    ];
    let read: [Body; 2] = [|x, y| [x.load(Acquire), y.load(Acquire)], |x, y| [y.load(Acquire), x.load(Acquire)]];
    assert_eq!(allow([write[0], write[1], read[0], read[1]], disagree), [Rc11]);
}

#[test]
fn coherence() {
    let threads: [Body; 2] = [
        |x, _| {
            x.store(1, Relaxed);
            x.store(2, Relaxed);
            [0, 0]
        },
        |x, _| [x.load(Relaxed), x.load(Relaxed)],
    ];
    assert_eq!(allow(threads, |(read, ..)| read[1][0] > read[1][1]), []);
    let seen: BTreeSet<_> = outcomes_under(Some(Rc11), || run(threads)).into_iter().map(|(read, ..)| read[1]).collect();
    assert_eq!(seen, BTreeSet::from([[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]));
}

#[test]
fn the_owner_of_an_atomic_finds_the_last_write() {
    let threads: [fn(&AtomicU32); 2] = [|x| x.store(1, Relaxed), |x| x.store(2, Relaxed)];
    let seen = outcomes_under(None, || {
        let mut x = AtomicU32::new(0);
        thread::scope(|scope| {
            let x = &x;
            threads.into_iter().for_each(|body| _ = scope.spawn(move || body(x)));
        });
        let read = x.load(Relaxed);
        assert_eq!(read, *x.get_mut());
        (read, x.into_inner())
    });
    assert_eq!(seen, BTreeSet::from([(1, 1), (2, 2)]));
}

#[test]
fn the_verdict_names_the_model_if_it_is_not_sc() {
    let notes = |f: fn()| everyway::explore(f).notes.join(" ");
    assert_eq!(notes(|| _ = AtomicU32::new(0).load(SeqCst)), "");
    let weak = notes(|| _ = AtomicU32::new(0).load(Relaxed));
    assert!(weak.contains("rc11") && weak.contains("load buffering"), "{weak}");
    let fenced = notes(|| fence(AcqRel));
    assert!(fenced.contains("rc11"), "{fenced}");
    assert_eq!(notes(|| fence(SeqCst)), "");
    let explicit = Builder::new().memory_model(Tso).explore(|| _ = AtomicU32::new(0).load(SeqCst));
    assert_eq!((explicit.verdict, explicit.strategy.as_str()), (Verdict::Verified, "graphs"));
    assert!(explicit.notes.concat().contains("tso"), "{:?}", explicit.notes);
}

#[test]
fn locks_work_under_every_model() {
    for model in ALL {
        let report = Builder::new().memory_model(model).explore(|| {
            let shared = Arc::new((Mutex::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let thread = thread::spawn(move || {
                *other.0.lock().unwrap() += 1;
                other.1.store(1, Relaxed);
            });
            *shared.0.lock().unwrap() += 1;
            thread.join().unwrap();
            assert_eq!((*shared.0.lock().unwrap(), shared.1.load(Relaxed)), (2, 1));
        });
        support::verified(&report);
        // Who takes the lock first.
        assert_eq!(report.executions.complete, 2, "{model}");
    }
}

/// A look without the lock may find the poison or not. If it does, the other thread has had the lock already: whoever takes it
/// then comes after, and finds the poison, too.
#[test]
fn poison_is_a_flag_beside_the_lock() {
    for model in ALL {
        let seen = std::sync::Mutex::new(BTreeSet::new());
        let report = Builder::new().memory_model(model).panics(everyway::Panics::Join).explore(|| {
            let shared = Arc::new(Mutex::new(0));
            let other = shared.clone();
            let thread = thread::spawn(move || {
                let _guard = other.lock().unwrap();
                panic!("it poisons");
            });
            let looked = shared.is_poisoned();
            let locked = shared.lock().is_err();
            assert!(thread.join().is_err() && shared.is_poisoned());
            shared.clear_poison();
            assert!(shared.lock().is_ok());
            seen.lock().unwrap().insert((looked, locked));
        });
        assert_eq!(report.verdict, Verdict::Verified, "{model}: {:?} {:?}", report.bug, report.cut);
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen, BTreeSet::from([(false, false), (false, true), (true, true)]), "{model}");
    }
}

/// The flag is a relaxed one: what was done before it is set need not be seen by whoever finds it.
#[test]
fn poison_does_not_synchronise() {
    let run = |model| {
        Builder::new().memory_model(model).panics(everyway::Panics::Join).explore(|| {
            let shared = Arc::new((Mutex::new(0), AtomicU32::new(0)));
            let other = shared.clone();
            let thread = thread::spawn(move || {
                let _guard = other.0.lock().unwrap();
                other.1.store(1, Relaxed);
                panic!("it poisons");
            });
            if shared.0.is_poisoned() {
                assert_eq!(shared.1.load(Relaxed), 1, "it is missed");
            }
            assert!(thread.join().is_err());
        })
    };
    support::verified(&run(Sc));
    support::verified(&run(Tso));
    let missed = run(Rc11).bug.expect("it is allowed");
    assert!(missed.message.contains("it is missed"), "{}", missed.message);
}

#[test]
fn a_deadlock_is_found_where_reads_are_told() {
    let bug = support::bug_of(Builder::new().memory_model(Rc11), || {
        let locks = Arc::new((Mutex::new(()), Mutex::new(())));
        let other = locks.clone();
        let thread = thread::spawn(move || {
            let _one = other.0.lock();
            let _two = other.1.lock();
        });
        let _two = locks.1.lock();
        let _one = locks.0.lock();
        drop((_one, _two));
        thread.join().unwrap();
    });
    assert_eq!(bug.kind, BugKind::Deadlock);
    assert_eq!(bug.waits.len(), 2, "{:?}", bug.waits);
}

#[test]
fn what_is_not_modelled_is_explored_under_sc_and_said_so() {
    let weak = |f: fn()| {
        let report = everyway::explore(|| {
            AtomicU32::new(0).store(1, Relaxed);
            f();
        });
        assert_ne!(report.verdict, Verdict::Bug);
        report
    };
    let programs: [fn(); 2] = [
        || {
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || sender.send(1).unwrap());
            assert_eq!(receiver.recv(), Ok(1));
        },
        || {
            let shared = Arc::new((Mutex::new(false), Condvar::new()));
            let other = shared.clone();
            thread::spawn(move || {
                *other.0.lock().unwrap() = true;
                other.1.notify_one();
            });
            drop(shared.1.wait_while(shared.0.lock().unwrap(), |ready| !*ready).unwrap());
        },
    ];
    for report in programs.map(weak) {
        // Either it is modelled, and all of it explored under rc11, or it is not.
        match report.verdict {
            Verdict::Verified => assert!(report.notes.concat().contains("rc11"), "{:?}", report.notes),
            _ => assert!(report.cut.concat().contains("under sc only"), "{:?}", report.cut),
        }
    }
}

#[test]
fn condition_variables_are_known_to_weak_models() {
    let notify = |holds: bool| {
        let shared = Arc::new((Mutex::new(false), Condvar::new(), AtomicU32::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            other.2.fetch_add(1, Relaxed);
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let mut ready = shared.0.lock().unwrap();
        // Without a look at the flag, a notification that came before is waited for in vain.
        while !(holds && *ready) {
            ready = shared.1.wait(ready).unwrap();
            if !holds {
                break;
            }
        }
        drop(ready);
        thread.join().unwrap();
        assert_eq!(shared.2.load(Relaxed), 1);
    };
    support::verified(&everyway::explore(|| notify(true)));
    let bug = support::bug(|| notify(false));
    assert_eq!(bug.kind, BugKind::Deadlock, "{}", bug.message);
}

#[test]
fn a_read_that_misses_the_newest_write_says_so() {
    let bug = support::panics_with("missed", || {
        let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
        let other = shared.clone();
        thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || {
                other.0.store(7, Relaxed);
                other.1.store(1, Relaxed);
            })
            .unwrap();
        if shared.1.load(Relaxed) == 1 {
            assert_eq!(shared.0.load(Relaxed), 7, "missed");
        }
    });
    let values: Vec<_> = bug.execution.events.iter().map(|event| event.value.as_str()).collect();
    assert!(values.contains(&"0, not the 7 of 'writer'"), "{values:?}");
    assert!(bug.tips.concat().contains("not the"), "{:?}", bug.tips);
}

#[test]
fn a_read_that_misses_the_newest_pointer_says_so() {
    let bug = support::panics_with("missed", || {
        let shared = Arc::new((AtomicPtr::new(ptr::null_mut::<u32>()), AtomicU32::new(0)));
        let other = shared.clone();
        let writer = move || {
            other.0.store(ptr::dangling_mut(), Relaxed);
            other.1.store(1, Relaxed);
        };
        thread::Builder::new().name("writer".to_owned()).spawn(writer).unwrap();
        if shared.1.load(Relaxed) == 1 {
            assert!(!shared.0.load(Relaxed).is_null(), "missed");
        }
    });
    let values: Vec<_> = bug.execution.events.iter().map(|event| event.value.as_str()).collect();
    assert!(values.contains(&"null, not the one of 'writer'"), "{values:?}");
}

/// Under TSO neither store need be seen by the other thread.
#[everyway::test(memory_model = "tso")]
#[should_panic(expected = "both are old")]
fn the_attribute_takes_a_model() {
    let shared = Arc::new((AtomicU32::new(0), AtomicU32::new(0)));
    let other = shared.clone();
    let thread = thread::spawn(move || {
        other.0.store(1, Relaxed);
        other.1.load(Relaxed)
    });
    shared.1.store(1, Relaxed);
    let seen = shared.0.load(Relaxed) + thread.join().unwrap();
    assert_ne!(seen, 0, "both are old");
}

/// There are 3! orders of three threads that add; one preemption at most allows for none of them to be lost, as each adds once.
#[everyway::test(preemptions = 1, memory_model = "sc", max_executions = 1000, spurious = false, keep_going = true)]
fn the_attribute_takes_settings() {
    let counter = Arc::new(AtomicU32::new(0));
    let threads = [0; 3].map(|_| {
        let counter = counter.clone();
        thread::spawn(move || counter.fetch_add(1, Relaxed))
    });
    threads.into_iter().for_each(|thread| _ = thread.join().unwrap());
    assert_eq!(counter.load(Relaxed), 3);
}

/// The exploration starts over at the first weak ordering, in an execution that holds a lock which everyway does not know.
#[test]
fn a_lock_of_the_tests_own_is_free_when_everything_starts_over() {
    let seen = std::sync::Mutex::new(BTreeSet::new());
    let report = everyway::explore(|| {
        let shared = Arc::new(AtomicU32::new(0));
        let other = shared.clone();
        let thread = thread::spawn(move || other.store(1, SeqCst));
        seen.lock().unwrap().insert(shared.load(Relaxed));
        thread.join().unwrap();
    });
    support::verified(&report);
    assert_eq!(seen.into_inner().unwrap(), BTreeSet::from([0, 1]));
}
