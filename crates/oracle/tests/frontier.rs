//! Explorations in parts, and parts that were made up. That execution graphs come to the same in parts is tested with the
//! graphs (`weak_random.rs`).

use everyway_explore::{
    Algorithm, Counts, Cut, End, Exchange, Explorer, Left, Limits, MemoryModel, Order, Subtree, Unsupported,
};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::Program;
use everyway_oracle::random::{self, program};
use everyway_oracle::weak::compare::explore_in_parts;
use everyway_oracle::weak::random::{self as weak, Profile};
use std::ops::ControlFlow;

/// Hands out some subtrees, and keeps those that are left of the first so many executions.
struct Tray {
    subtrees: Vec<Subtree>,
    meetings: usize,
    left: Vec<String>,
}

impl Tray {
    fn new(subtree: Option<Subtree>) -> Self {
        Self { subtrees: subtree.into_iter().collect(), meetings: 200, left: Vec::new() }
    }
}

impl Exchange for Tray {
    fn take(&mut self, _: Counts) -> Option<Subtree> {
        self.subtrees.pop()
    }

    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut> {
        self.left.extend(left.all().iter().map(Subtree::to_string));
        self.meetings = self.meetings.saturating_sub(1);
        if self.meetings == 0 { ControlFlow::Break(Cut::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

fn whole(program: &Program, algorithm: Algorithm) -> Counts {
    let (mut machine, mut strategy) = (Machine::new(program), algorithm.strategy(Order::Lowest));
    let mut tray = Tray { meetings: usize::MAX, ..Tray::new(algorithm.root(64)) };
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).shared_with(&mut tray);
    let end = explorer.run(|_| ControlFlow::Continue(()));
    assert!(matches!(end, End::Finished), "{end:?}");
    explorer.counts()
}

#[test]
fn interleavings_and_samples_come_to_the_same_in_parts() {
    let algorithms = [Algorithm::Naive, Algorithm::Random { seed: 7 }, Algorithm::Pct { seed: 7, depth: 3 }];
    for seed in 0..60 {
        let random = program(random::Profile::Mixed, seed, 8);
        for algorithm in algorithms {
            let expected = whole(&random, algorithm);
            let parts = explore_in_parts(|| Machine::new(&random), algorithm, &Order::Lowest, seed).expect("it ends");
            let counts = Counts { steps: expected.steps, ..parts.counts };
            assert_eq!(counts, expected, "{} of seed {seed}:\n{random}", algorithm.name());
        }
    }
}

/// Gives away what it can at the first meeting where there is something to give.
#[derive(Default)]
struct Giver {
    root: Option<Subtree>,
    given: Option<Subtree>,
}

impl Exchange for Giver {
    fn take(&mut self, _: Counts) -> Option<Subtree> {
        self.root.take()
    }

    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut> {
        if self.given.is_none() {
            let before = left.all();
            self.given = left.give();
            let after = left.all();
            if let Some(given) = &self.given {
                assert!(before.iter().all(|left| given.depth() <= left.depth()), "it is nearest to the root");
                assert!(!after.contains(given), "it is not left to both");
            }
        }
        ControlFlow::Continue(())
    }
}

/// How many executions there are of a subtree, and what was given away of it.
fn explore_giving(program: &Program, algorithm: Algorithm, subtree: Subtree) -> (u64, Option<Subtree>) {
    let (mut machine, mut strategy) = (Machine::new(program), algorithm.strategy(Order::Lowest));
    let mut giver = Giver { root: Some(subtree), given: None };
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).shared_with(&mut giver);
    let end = explorer.run(|_| ControlFlow::Continue(()));
    assert!(matches!(end, End::Finished), "{end:?}");
    let executions = explorer.counts().executions();
    (executions, giver.given)
}

/// Whoever gives a part away explores the rest.
#[test]
fn parts_that_are_given_away_make_up_the_whole() {
    let algorithms = [Algorithm::Naive, Algorithm::Random { seed: 7 }, Algorithm::Pct { seed: 7, depth: 3 }];
    let mut divided = 0;
    for seed in 0..30 {
        let random = program(random::Profile::Mixed, seed, 100);
        for algorithm in algorithms {
            let mut parts = Vec::new();
            let mut next = algorithm.root(256);
            while let Some(subtree) = next {
                let (executions, given) = explore_giving(&random, algorithm, subtree);
                parts.push(executions);
                next = given;
            }
            let name = algorithm.name();
            match algorithm {
                Algorithm::Naive => {
                    let whole = whole(&random, algorithm).executions();
                    assert_eq!(parts.iter().sum::<u64>(), whole, "{name} of seed {seed}:\n{random}");
                    divided += u32::from(parts.len() > 1);
                }
                // Half of what is left, in blocks of 32.
                _ => assert_eq!(parts, [128, 64, 32, 32], "{name}"),
            }
        }
    }
    assert!(divided > 15, "only {divided} of 30 explorations were divided");
}

#[test]
fn what_cannot_be_shared_refuses_subtrees() {
    let random = program(random::Profile::Mixed, 1, 8);
    for algorithm in [Algorithm::Optimal, Algorithm::Source, Algorithm::ReadsFrom] {
        let (mut machine, mut strategy) = (Machine::new(&random), algorithm.strategy(Order::Lowest));
        let mut tray = Tray::new(Algorithm::Naive.root(1));
        let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).shared_with(&mut tray);
        let end = explorer.run(|_| ControlFlow::Continue(()));
        assert!(matches!(end, End::Stopped(Cut::Unsupported(Unsupported::Subtree))), "{end:?}");
    }
}

/// A text with some words changed, doubled, left out or taken from another one.
fn mutated(text: &str, other: &str, random: &mut fastrand::Rng) -> String {
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let others: Vec<&str> = other.split(' ').collect();
    for _ in 0..random.usize(1..4) {
        let at = random.usize(..words.len());
        match random.u8(..5) {
            0 if words.len() > 1 => _ = words.remove(at),
            1 => words.insert(at, words[random.usize(..words.len())].clone()),
            2 => words[at] = others[random.usize(..others.len())].to_owned(),
            3 => {
                let digit = char::from(b'0' + random.u8(..10));
                words[at] = words[at].chars().map(|c| if c.is_ascii_digit() { digit } else { c }).collect();
            }
            _ => {
                let other = random.usize(..words.len());
                words.swap(at, other);
            }
        }
    }
    words.join(" ")
}

#[test]
fn made_up_subtrees_are_refused_or_explored_but_never_panic() {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut tried, mut refused) = (0, 0);
    let profiles = [Profile::Memory, Profile::Waits, Profile::Synchronised(random::Profile::Channel)];
    for seed in 0..90 {
        let program = weak::program(profiles[seed as usize % profiles.len()], seed);
        let model = MemoryModel::ALL[seed as usize % 4];
        let algorithm = Algorithm::Graphs { model };
        let explore = |tray: &mut Tray| {
            let (mut machine, mut strategy) = (Machine::new(&program), algorithm.strategy(Order::Lowest));
            let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).shared_with(tray);
            explorer.run(|_| ControlFlow::Continue(()))
        };
        let mut tray = Tray { meetings: 20, ..Tray::new(algorithm.root(1)) };
        explore(&mut tray);
        let texts = std::mem::take(&mut tray.left);
        for _ in 0..60 {
            let text = mutated(&texts[random.usize(..texts.len())], &texts[random.usize(..texts.len())], &mut random);
            let Ok(subtree) = text.parse() else { continue };
            tried += 1;
            if let End::Stopped(Cut::Unsupported(Unsupported::Subtree)) = explore(&mut Tray::new(Some(subtree))) {
                refused += 1;
            }
        }
    }
    assert!(tried > 1000 && refused > 300, "{refused} of {tried} were refused");
}
