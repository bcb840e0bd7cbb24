//! Random programs with loops that end their rounds with hints, explored and run in every interleaving: the results are
//! the same. For the latter, hints do nothing, and a loop that has no bound gives up after more rounds than there are
//! changes; executions in which it does so do not count.

#![cfg(feature = "model")]

use everyway::sync::atomic::{AtomicUsize, Ordering};
use everyway::{Algorithm, Builder, MemoryModel, thread};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Mutex;

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Store(usize, usize),
    Add(usize),
    /// Reads the variables `.0` and, if there is one, `.1`, until the sum is at least `.2`; gives up after `.3` rounds if
    /// that is a number.
    Poll(usize, Option<usize>, usize, Option<usize>),
    /// Tries to replace 0 by 1 until that works, or so many times.
    Take(usize, Option<usize>),
}

type Program = Vec<Vec<Instruction>>;

fn random(seed: u64) -> Program {
    let mut rng = fastrand::Rng::with_seed(seed);
    let instruction = |rng: &mut fastrand::Rng| {
        let variable = rng.usize(..2);
        let bound = rng.bool().then(|| rng.usize(1..3));
        match rng.usize(..6) {
            0 | 1 => Instruction::Store(variable, rng.usize(..3)),
            2 => Instruction::Add(variable),
            3 => Instruction::Take(variable, bound),
            _ => Instruction::Poll(variable, rng.bool().then_some(1 - variable), rng.usize(1..3), bound),
        }
    };
    let threads = rng.usize(2..4);
    let length = |rng: &mut fastrand::Rng| if threads == 2 { rng.usize(1..3) } else { 1 };
    (0..threads).map(|_| (0..length(&mut rng)).map(|_| instruction(&mut rng)).collect()).collect()
}

/// How the loops without a bound are run.
#[derive(Clone, Copy, PartialEq)]
enum Loops {
    AsTheyAre,
    Bounded,
}

const ROUNDS: usize = 3;

/// What all threads have seen, one after the other.
fn run(program: &Program, ordering: [Ordering; 3], loops: Loops) -> Vec<Vec<usize>> {
    let [load, store, modify] = ordering;
    let variables = [0; 2].map(|_| AtomicUsize::new(0));
    let variables = &variables;
    let until = |bound: Option<usize>, mut round: Box<dyn FnMut() -> Option<usize> + '_>| {
        // One that has no bound must not count its rounds.
        while bound.is_none() && loops == Loops::AsTheyAre {
            if let Some(seen) = round() {
                return seen;
            }
            everyway::hint::spin_loop();
        }
        for nth in 0.. {
            if let Some(seen) = round() {
                return seen;
            }
            if bound.is_some_and(|bound| nth + 1 == bound) {
                return 100 + nth;
            }
            everyway::assume(nth < ROUNDS);
            everyway::hint::spin_loop();
        }
        unreachable!("a loop without a bound")
    };
    let execute = |instruction: &Instruction| match *instruction {
        Instruction::Store(variable, value) => {
            variables[variable].store(value, store);
            0
        }
        Instruction::Add(variable) => variables[variable].fetch_add(1, modify),
        Instruction::Poll(one, other, wanted, bound) => until(
            bound,
            Box::new(move || {
                let read = (variables[one].load(load), other.map_or(0, |other| variables[other].load(load)));
                (read.0 + read.1 >= wanted).then_some(10 * read.0 + read.1)
            }),
        ),
        Instruction::Take(variable, bound) => {
            until(bound, Box::new(move || variables[variable].compare_exchange(0, 1, modify, load).ok()))
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> =
            program.iter().map(|thread| scope.spawn(move || thread.iter().map(execute).collect::<Vec<_>>())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// The results, and whether some thread spins for ever; `None` if there are too many executions.
fn explored<T: Ord + Send + Debug>(builder: Builder, f: impl Fn() -> T + Sync) -> Option<(BTreeSet<T>, bool)> {
    let found = Mutex::new(BTreeSet::new());
    let report = builder.max_executions(3000).explore(|| {
        let result = f();
        found.lock().unwrap().insert(result);
    });
    if report.executions.all() >= 3000 {
        return None;
    }
    assert_eq!(report.cut, Vec::<String>::new());
    Some((found.into_inner().unwrap(), report.bug.is_some()))
}

/// Whether some thread spins for ever.
fn compare(seed: u64) -> Option<bool> {
    let program = random(seed);
    let sc = [Ordering::SeqCst; 3];
    let naive = Builder::new().algorithm(Algorithm::Naive).wait_at_hints(false);
    let (expected, _) = explored(naive, || run(&program, sc, Loops::Bounded))?;
    let mut spins = false;
    for algorithm in
        [Algorithm::Optimal, Algorithm::Source, Algorithm::Observers, Algorithm::Graphs { model: MemoryModel::Sc }]
    {
        let (found, fails) = explored(Builder::new().algorithm(algorithm), || run(&program, sc, Loops::AsTheyAre))?;
        // The exploration ends with the first thread that spins for ever.
        assert!(found.is_subset(&expected), "{program:?} under {algorithm:?}: {found:?}, not {expected:?}");
        assert!(fails || found == expected, "{program:?} under {algorithm:?}: {found:?}, not {expected:?}");
        spins |= fails;
    }
    let weak = [Ordering::Acquire, Ordering::Release, Ordering::AcqRel];
    let graphs = Builder::new().memory_model(MemoryModel::Rc11);
    let (expected, _) = explored(graphs.clone().wait_at_hints(false), || run(&program, weak, Loops::Bounded))?;
    let (found, fails) = explored(graphs, || run(&program, weak, Loops::AsTheyAre))?;
    assert!(found.is_subset(&expected), "{program:?} under RC11: {found:?}, not {expected:?}");
    assert!(fails || found == expected, "{program:?} under RC11: {found:?}, not {expected:?}");
    Some(spins)
}

#[test]
fn hints_change_no_results() {
    let compared: Vec<bool> = (0..80).filter_map(compare).collect();
    let spinning = compared.iter().filter(|&&spins| spins).count();
    assert!(compared.len() > 60 && spinning < 40, "most programs are small, and end: {spinning} of {}", compared.len());
}
