//! Explorations that go on after a failure: they find all that can be the first failure of an execution.

#![cfg(feature = "model")]

use everyway::report::{Bug, BugKind, Report, Verdict};
use everyway::sync::atomic::AtomicUsize;
use everyway::sync::atomic::Ordering::{Relaxed, SeqCst};
use everyway::sync::{Arc, Mutex};
use everyway::{Algorithm, Builder, MemoryModel, cell, thread};
use std::collections::BTreeSet;

fn explore(f: impl Fn() + Sync) -> Report {
    Builder::new().keep_going(true).explore(f)
}

fn bugs(report: &Report) -> impl Iterator<Item = &Bug> {
    report.bug.iter().chain(&report.further_bugs)
}

/// A load and two stores of 1 and 2, in all 3! orders; 2 of them have the load see each of 0, 1 and 2.
#[test]
fn all_failures_are_found_and_counted() {
    let run = |builder: Builder, ordering| {
        let report = builder.keep_going(true).explore(|| {
            let shared = Arc::new(AtomicUsize::new(0));
            for value in [1, 2] {
                let shared = shared.clone();
                thread::spawn(move || shared.store(value, ordering));
            }
            let seen = shared.load(ordering);
            assert_ne!(seen, 1, "it is one");
            assert_ne!(seen, 2, "it is two");
        });
        assert_eq!(report.verdict, Verdict::Bug);
        let messages: Vec<_> = bugs(&report).map(|bug| &bug.message).collect();
        assert_eq!((report.executions.complete, report.executions.failed), (2, 4), "{messages:?}");
        let mut found: Vec<_> = bugs(&report).map(|bug| (bug.message.clone(), bug.executions)).collect();
        found.sort();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].0.contains("it is one") && found[1].0.contains("it is two"), "{found:?}");
        assert_eq!([found[0].1, found[1].1], [2, 2]);
        let files: BTreeSet<_> = bugs(&report).map(|bug| bug.replay.as_ref().unwrap().file.clone()).collect();
        assert_eq!(files.len(), 2, "each has a file of its own: {files:?}");
    };
    run(Builder::new(), SeqCst);
    // The order of the stores is part of a graph, too.
    run(Builder::new(), Relaxed);
    run(Builder::new().memory_model(MemoryModel::Rc11).jobs(2), Relaxed);
}

#[test]
fn different_kinds_of_failures() {
    let report = explore(|| {
        let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
        let other = locks.clone();
        thread::spawn(move || {
            let mut one = other.0.lock().unwrap();
            let two = other.1.lock().unwrap();
            *one += 1;
            assert_eq!(*two, 1, "it came first");
        });
        let mut two = locks.1.lock().unwrap();
        let _one = locks.0.lock().unwrap();
        *two += 1;
    });
    let kinds: BTreeSet<_> = bugs(&report).map(|bug| bug.kind.to_string()).collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
    assert!(bugs(&report).any(|bug| bug.kind == BugKind::Deadlock));
    assert!(bugs(&report).any(|bug| bug.message.contains("it came first")));
}

/// Who fails keeps what it holds: the others wait, which is not another failure.
#[test]
fn whoever_waits_for_a_thread_that_has_failed_is_no_deadlock() {
    let report = explore(|| {
        let shared = Arc::new(Mutex::new(0));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            let _held = other.lock().unwrap();
            panic!("it fails");
        });
        *shared.lock().unwrap() += 1;
        thread.join().unwrap();
    });
    assert!(report.further_bugs.is_empty(), "{:?}", report.further_bugs);
    assert!(report.bug.unwrap().message.contains("it fails"));
}

#[test]
fn data_races_are_gone_on_after() {
    struct Shared(cell::UnsafeCell<u32>, AtomicUsize);
    // SAFETY: it is what the test is about.
    unsafe impl Sync for Shared {}
    let report = explore(|| {
        let shared = Arc::new(Shared(cell::UnsafeCell::new(0), AtomicUsize::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            other.1.store(1, SeqCst);
            // SAFETY: all threads are on one of the operating system.
            unsafe { *other.0.get() = 1 };
        });
        if shared.1.load(SeqCst) == 0 {
            // SAFETY: as above.
            unsafe { *shared.0.get() = 2 };
        } else {
            panic!("it is late");
        }
        thread.join().unwrap();
    });
    let kinds: Vec<_> = bugs(&report).map(|bug| bug.kind).collect();
    assert!(kinds.contains(&BugKind::DataRace) && kinds.contains(&BugKind::Panic), "{kinds:?}");
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Store(usize, usize),
    Add(usize),
    /// Fails if it finds this value.
    Refuse(usize, usize),
    /// Under a lock.
    AddLocked(usize),
}

fn run(program: &[Vec<Instruction>]) {
    let shared = Arc::new(([0; 2].map(|_| AtomicUsize::new(0)), Mutex::new(())));
    for (number, instructions) in program.iter().enumerate() {
        let (shared, instructions) = (shared.clone(), instructions.clone());
        thread::spawn(move || {
            for (position, instruction) in instructions.into_iter().enumerate() {
                match instruction {
                    Instruction::Store(variable, value) => shared.0[variable].store(value, SeqCst),
                    Instruction::Add(variable) => _ = shared.0[variable].fetch_add(1, SeqCst),
                    Instruction::Refuse(variable, value) => {
                        assert_ne!(shared.0[variable].load(SeqCst), value, "thread {number} at {position}");
                    }
                    Instruction::AddLocked(variable) => {
                        let _guard = shared.1.lock();
                        let found = shared.0[variable].load(SeqCst);
                        shared.0[variable].store(found + 1, SeqCst);
                        assert_ne!(found, 2, "thread {number} at {position}");
                    }
                }
            }
        });
    }
}

/// The kinds and places of all failures, which is what tells them apart, and how many executions were redundant.
fn failing(builder: Builder, program: &[Vec<Instruction>]) -> (BTreeSet<String>, u64) {
    let report = builder.keep_going(true).explore(|| run(program));
    assert!(report.cut.is_empty(), "{:?}", report.cut);
    let lines = bugs(&report).map(|bug| format!("{} {:?}", bug.kind, bug.source.as_ref().map(|source| source.line)));
    (lines.collect(), report.executions.redundant)
}

/// What fails in some interleaving is found by every strategy.
#[test]
fn every_strategy_finds_what_all_interleavings_have() {
    let mut failures = 0;
    for seed in 0..60 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let instruction = |rng: &mut fastrand::Rng| {
            let variable = rng.usize(..2);
            match rng.usize(..4) {
                0 => Instruction::Store(variable, rng.usize(..3)),
                1 => Instruction::Add(variable),
                2 => Instruction::Refuse(variable, rng.usize(..4)),
                _ => Instruction::AddLocked(variable),
            }
        };
        let threads = rng.usize(2..4);
        let program: Vec<Vec<_>> =
            (0..threads).map(|_| (0..rng.usize(1..3)).map(|_| instruction(&mut rng)).collect()).collect();
        let (all, _) = failing(Builder::new().algorithm(Algorithm::Naive), &program);
        failures += all.len();
        let graphs = Algorithm::Graphs { model: MemoryModel::Sc };
        for algorithm in [Algorithm::Optimal, Algorithm::Source, graphs] {
            let (found, redundant) = failing(Builder::new().algorithm(algorithm), &program);
            assert_eq!(found, all, "{algorithm:?}, seed {seed}: {program:?}");
            assert!(redundant == 0 || algorithm != Algorithm::Optimal, "seed {seed}");
        }
    }
    assert!(failures > 20, "{failures}");
}
