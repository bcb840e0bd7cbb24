//! Random programs whose threads allocate objects, hand them to each other and drop them: every strategy finds the
//! outcomes that all interleavings have, and `optimal` takes no execution twice, whichever thread goes first.

#![cfg(feature = "model")]

mod support;

use everyway::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex};
use everyway::thread;
use support::{executions, outcomes_small};

#[derive(Clone, Copy, Debug)]
enum Action {
    /// Puts a new array of this many objects into the shared place.
    Put(usize),
    /// Adds to an object of the array in the shared place.
    Add(usize),
    /// Makes this many objects, and uses them.
    Make(usize),
    /// Moves an object after its first use.
    Move,
}

type Place = Mutex<Option<Arc<Vec<AtomicUsize>>>>;

/// Carries out an action of `thread`, and returns what it saw.
fn act(action: Action, thread: usize, place: &Place) -> usize {
    match action {
        Action::Put(n) => {
            let new = Arc::new((0..n).map(|i| AtomicUsize::new(10 * thread + i)).collect());
            let old = place.lock().unwrap().replace(new);
            old.map_or(0, |old| old.len())
        }
        Action::Add(i) => {
            let found = place.lock().unwrap().clone();
            found.map_or(99, |found| found[i % found.len()].fetch_add(100, SeqCst))
        }
        Action::Make(n) => {
            let own: Vec<Box<AtomicUsize>> = (0..n).map(|i| Box::new(AtomicUsize::new(i))).collect();
            own.last().map_or(0, |last| last.load(SeqCst))
        }
        Action::Move => {
            let one = AtomicUsize::new(thread);
            one.store(1, SeqCst);
            let moved = Box::new(one);
            moved.fetch_add(1, SeqCst)
        }
    }
}

fn run(program: &[Vec<Action>]) -> Vec<Vec<usize>> {
    let place = Place::default();
    let mut seen = vec![Vec::new(); program.len()];
    thread::scope(|scope| {
        for (thread, (actions, seen)) in program.iter().zip(&mut seen).enumerate() {
            let place = &place;
            scope.spawn(move || seen.extend(actions.iter().map(|&action| act(action, thread, place))));
        }
    });
    seen
}

#[test]
fn every_strategy_finds_the_outcomes_of_all_interleavings() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let program: Vec<Vec<Action>> = [1 + random.usize(..3), 1 + random.usize(..2)]
            .map(|length| {
                let action = |random: &mut fastrand::Rng| match random.u32(..8) {
                    0..=2 => Action::Put(1 + random.usize(..3)),
                    3..=5 => Action::Add(random.usize(..3)),
                    6 => Action::Make(1 + random.usize(..2)),
                    _ => Action::Move,
                };
                (0..length).map(|_| action(&mut random)).collect()
            })
            .into();
        executions(|| _ = run(&program));
        outcomes_small(|| run(&program));
    }
}
