//! Samples are of all executions, as far as they promise to be.

use everyway_explore::{Algorithm, End, Explorer, Limits, Order};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Place, Program, Register, Statement};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const SAMPLES: u64 = 800;

/// How often each interleaving of two threads with two steps each was come by.
fn interleavings(algorithm: Algorithm) -> BTreeMap<String, u64> {
    let adds = vec![Statement::FetchAdd(Register(0), Place::at(0), 1); 2];
    let program = Program::new(1, vec![adds; 2]);
    let (mut machine, mut strategy) = (Machine::new(&program), algorithm.strategy(Order::Lowest));
    let mut found = BTreeMap::new();
    let limits = Limits { executions: Some(SAMPLES), ..Limits::default() };
    let end = Explorer::new(&mut machine, &mut *strategy, limits).run(|progress| {
        let order: String = progress.trace.steps().map(|step| ["a", "b"][step.thread.index()]).collect();
        *found.entry(order).or_default() += 1;
        ControlFlow::Continue(())
    });
    assert!(matches!(end, End::Stopped(_)), "samples come to no end: {end:?}");
    found
}

/// The first two steps are chosen among two threads each; a third choice is left if they are of different threads: 1/4 have
/// `aa` or `bb` first, 1/8 each of the others.
#[test]
fn a_walk_takes_every_step_with_equal_probability() {
    for seed in 0..3 {
        let found = interleavings(Algorithm::Random { seed });
        for (order, expected) in [("aabb", 4), ("bbaa", 4), ("abab", 8), ("abba", 8), ("baab", 8), ("baba", 8)] {
            let share = found.get(order).copied().unwrap_or(0) * expected;
            // Five standard deviations: sqrt(800 * 1/8 * 7/8) is 9.4.
            assert!((SAMPLES / 2..SAMPLES * 3 / 2).contains(&share), "{order} of seed {seed}: {found:?}");
        }
    }
}

/// With priorities alone, one thread runs first, and then the other. One change lets the first thread fall back once, in front
/// of any step: `abba`. With two, the other one may fall back as well.
#[test]
fn priorities_change_as_often_as_asked_for() {
    let orders = |depth| interleavings(Algorithm::Pct { seed: 5, depth }).into_keys().collect::<Vec<_>>();
    assert_eq!(orders(1), ["aabb", "bbaa"]);
    assert_eq!(orders(2), ["aabb", "abba", "baab", "bbaa"]);
    assert_eq!(orders(3), ["aabb", "abab", "abba", "baab", "baba", "bbaa"]);
}

/// A seed says which samples there are, and in which order.
#[test]
fn samples_can_be_repeated() {
    for algorithm in [Algorithm::Random { seed: 4 }, Algorithm::Pct { seed: 4, depth: 3 }] {
        assert_eq!(interleavings(algorithm), interleavings(algorithm));
    }
    assert_ne!(interleavings(Algorithm::Random { seed: 4 }), interleavings(Algorithm::Random { seed: 5 }));
}

/// Who comes first is as likely to be one thread as the other.
#[test]
fn priorities_are_random() {
    let found = interleavings(Algorithm::Pct { seed: 2, depth: 1 });
    assert!(found.values().all(|&count| count > SAMPLES * 2 / 5), "{found:?}");
}
