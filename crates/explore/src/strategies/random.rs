//! Random exploration, for programs too large to exhaust: a uniform walk, and PCT.
//!
//! Neither ends by itself: a limit on executions or time does. A seed makes a run repeatable.

use super::{Choice, Continue, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::trace::Trace;
use everyway_runtime::{State, Step, ThreadId, ready};

fn random_step(random: &mut fastrand::Rng, thread: ThreadId, state: &dyn State) -> Choice {
    Choice::Take(Step { thread, choice: random.u32(0..state.choices(thread)) })
}

/// Every ready thread is as likely as any other, at every step.
#[derive(Debug)]
pub(super) struct RandomWalk {
    random: fastrand::Rng,
    finished: u64,
}

impl RandomWalk {
    /// A walk with this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), finished: 0 }
    }
}

impl Strategy for RandomWalk {
    fn name(&self) -> &'static str {
        "random"
    }

    fn needs_order(&self) -> bool {
        false
    }

    fn is_exhaustive(&self) -> bool {
        false
    }

    fn choose(&mut self, _: &Trace, state: &dyn State) -> Choice {
        let count = ready(state).count();
        let position = self.random.usize(0..count);
        let thread = ready(state).nth(position).expect("as many as counted");
        random_step(&mut self.random, thread, state)
    }

    fn taken(&mut self, _: &Trace, _: &dyn State) {}

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {
        self.finished += 1;
    }

    fn backtrack(&mut self, _: &Trace) -> Continue {
        Continue::From(0)
    }

    fn estimate(&self) -> Estimate {
        Estimate::unknown(self.finished)
    }
}

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler
/// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010): threads have random priorities, the highest
/// one runs, and at `depth - 1` random places of the execution the running thread drops to the bottom. A bug
/// that needs `depth` ordering constraints is found in one execution with probability at least
/// `1 / (n * k^(depth-1))` for `n` threads and `k` steps.
///
/// The length `k` is that of the longest execution so far.
#[derive(Debug)]
pub(super) struct Pct {
    random: fastrand::Rng,
    depth: usize,
    priorities: Vec<u64>,
    changes: Vec<usize>,
    longest: usize,
    finished: u64,
}

impl Pct {
    /// A search for bugs that need `depth` ordering constraints (1 or more), with this seed.
    pub(super) fn new(depth: usize, seed: u64) -> Self {
        Self {
            random: fastrand::Rng::with_seed(seed),
            depth: depth.max(1),
            priorities: Vec::new(),
            changes: Vec::new(),
            longest: 1,
            finished: 0,
        }
    }

    /// Priorities of threads are above those that a change point gives: `0..depth`.
    fn priority(&mut self, thread: ThreadId) -> u64 {
        while self.priorities.len() <= thread.index() {
            self.priorities.push(self.random.u64(self.depth as u64..));
        }
        self.priorities[thread.index()]
    }
}

impl Strategy for Pct {
    fn name(&self) -> &'static str {
        "pct"
    }

    fn needs_order(&self) -> bool {
        false
    }

    fn is_exhaustive(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        if trace.is_empty() {
            self.priorities.clear();
            self.changes = (1..self.depth).map(|_| self.random.usize(0..self.longest)).collect();
        }
        let highest = |this: &mut Self| ready(state).max_by_key(|&t| this.priority(t)).expect("some thread is ready");
        let mut thread = highest(self);
        if let Some(change) = self.changes.iter().position(|&at| at == trace.len()) {
            self.priorities[thread.index()] = change as u64;
            self.changes[change] = usize::MAX;
            thread = highest(self);
        }
        random_step(&mut self.random, thread, state)
    }

    fn taken(&mut self, _: &Trace, _: &dyn State) {}

    fn learn(&mut self, trace: &Trace, _: &dyn State, _: &Budget) {
        self.longest = self.longest.max(trace.len());
        self.finished += 1;
    }

    fn backtrack(&mut self, _: &Trace) -> Continue {
        Continue::From(0)
    }

    fn estimate(&self) -> Estimate {
        Estimate::unknown(self.finished)
    }
}
