//! Random exploration, for programs too large to exhaust: a uniform walk, and PCT.
//!
//! Neither ends by itself; a limit on executions or time ends it. Executions are numbered, and each is a function of
//! the seed and its number, so a run is repeatable however its executions are divided among workers. Those of PCT come
//! in blocks, because each execution determines how long the next may be.

use super::graphs::Unsupported;
use super::paths::Paths;
use super::{Choice, Continue, Divisible, Guarantee, Guidance, Schedules, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::frontier::{Shape, Subtree};
use crate::trace::Trace;
use everyway_runtime::{State, Status, Step, ThreadId};
use smallvec::SmallVec;
use std::ops::Range;

/// So many executions in a row learn from each other.
const BLOCK: u64 = 32;

/// The executions that are left, by their numbers.
#[derive(Debug)]
pub(super) struct Numbers {
    seed: u64,
    /// The first is under way, or is the next.
    left: Range<u64>,
    /// The length of the longest execution so far in the block under way.
    longest: usize,
    finished: u64,
    paths: Paths,
}

impl Numbers {
    fn new(seed: u64) -> Self {
        Self { seed, left: 0..u64::MAX, longest: 1, finished: 0, paths: Paths::default() }
    }

    /// A number that stands for the execution under way.
    fn mixed(&self) -> u64 {
        // Neighbours have to have nothing in common; see Steele, Lea, Flood: Fast Splittable Pseudorandom Number
        // Generators, OOPSLA 2014.
        let mut mixed = self.seed ^ self.left.start.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The generator of the execution under way.
    fn generator(&self) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.mixed())
    }

    /// The threads that can move, in the order of their paths.
    fn ready(&self, state: &dyn State) -> SmallVec<[ThreadId; 16]> {
        self.paths.in_order(state).filter(|&thread| state.status(thread) == Status::Ready).collect()
    }

    /// The second half of what is left, in whole blocks.
    fn give(&mut self) -> Option<Subtree> {
        let half = self.left.start + (self.left.end - self.left.start) / 2;
        let middle = half.next_multiple_of(BLOCK);
        let is_half = self.left.start < middle && middle < self.left.end;
        is_half.then(|| Subtree::samples(middle..std::mem::replace(&mut self.left.end, middle), 1))
    }

    fn frontier(&self) -> Vec<Subtree> {
        vec![Subtree::samples(self.left.clone(), self.longest)]
    }

    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported> {
        let Shape::Samples { numbers, longest } = subtree.shape else { return Err(Unsupported::Subtree) };
        if numbers.is_empty() {
            return Err(Unsupported::Subtree);
        }
        (self.left, self.longest) = (numbers, longest);
        Ok(())
    }

    fn learn(&mut self, trace: &Trace) {
        self.longest = self.longest.max(trace.len());
        self.finished += 1;
    }

    fn next(&mut self) -> Continue {
        self.left.start = self.left.start.saturating_add(1);
        if self.left.start.is_multiple_of(BLOCK) {
            self.longest = 1;
        }
        if self.left.is_empty() { Continue::Finished } else { Continue::From(0) }
    }
}

/// How a sample picks the thread that moves next.
pub(super) trait Sampler {
    const NAME: &'static str;

    /// Begins another execution.
    fn begin(&mut self, numbers: &Numbers, random: &mut fastrand::Rng);

    /// A thread that is ready in `state`, after so many steps.
    fn pick(&mut self, numbers: &Numbers, random: &mut fastrand::Rng, steps: usize, state: &dyn State) -> ThreadId;
}

/// Samples executions; which thread moves next in one is for a [`Sampler`] to say.
#[derive(Debug)]
pub(super) struct Sampling<S> {
    numbers: Numbers,
    /// The generator of the execution under way.
    random: fastrand::Rng,
    sampler: S,
}

/// [`Uniform`] at work.
pub(super) type RandomWalk = Sampling<Uniform>;

impl RandomWalk {
    /// A walk with this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self::with(Uniform, seed)
    }
}

impl Sampling<Pct> {
    /// A search for bugs that need `depth` ordering constraints (1 or more), with this seed.
    pub(super) fn new(depth: usize, seed: u64) -> Self {
        Self::with(Pct { depth: depth.max(1), priorities: Vec::new(), changes: Vec::new() }, seed)
    }
}

impl<S> Sampling<S> {
    fn with(sampler: S, seed: u64) -> Self {
        let numbers = Numbers::new(seed);
        Self { random: numbers.generator(), numbers, sampler }
    }
}

impl<S: Sampler> Strategy for Sampling<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Nothing
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn divisible(&mut self) -> Option<&mut dyn Divisible> {
        Some(self)
    }

    fn learn(&mut self, trace: &Trace, _: &dyn State, _: &Budget) {
        self.numbers.learn(trace);
    }

    fn backtrack(&mut self, _: &Trace, _: &dyn State) -> Continue {
        self.numbers.next()
    }

    fn estimate(&self) -> Estimate {
        Estimate::unknown(self.numbers.finished)
    }
}

impl<S: Sampler> Schedules for Sampling<S> {
    fn needs_order(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        let Self { numbers, random, sampler } = self;
        if trace.is_empty() {
            *random = numbers.generator();
            sampler.begin(numbers, random);
        }
        numbers.paths.learn(state);
        let thread = sampler.pick(numbers, random, trace.len(), state);
        Choice::Take(Step { thread, choice: random.u32(0..state.choices(thread)) })
    }
}

impl<S: Sampler> Divisible for Sampling<S> {
    fn frontier(&self, _: &dyn State) -> Option<Vec<Subtree>> {
        Some(self.numbers.frontier())
    }

    fn give(&mut self, _: &dyn State) -> Option<Subtree> {
        self.numbers.give()
    }

    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported> {
        self.numbers.adopt(subtree)
    }
}

/// Every ready thread is as likely as any other, at every step.
#[derive(Debug)]
pub(super) struct Uniform;

impl Sampler for Uniform {
    const NAME: &'static str = "random";

    fn begin(&mut self, _: &Numbers, _: &mut fastrand::Rng) {}

    fn pick(&mut self, numbers: &Numbers, random: &mut fastrand::Rng, _: usize, state: &dyn State) -> ThreadId {
        let ready = numbers.ready(state);
        ready[random.usize(0..ready.len())]
    }
}

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler
/// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010): threads have random priorities, the highest
/// one runs, and at `depth - 1` random places of the execution the running thread drops to the bottom. A bug
/// that needs `depth` ordering constraints is found in one execution with probability at least
/// `1 / (n * k^(depth-1))` for `n` threads and `k` steps.
///
/// The length `k` is that of the longest execution so far in its block.
#[derive(Debug)]
pub(super) struct Pct {
    depth: usize,
    /// By thread; none if it has the one that comes of its path.
    priorities: Vec<Option<u64>>,
    /// After how many steps the running thread drops; none once it has.
    changes: Vec<Option<usize>>,
}

impl Pct {
    /// Priorities of threads are above those that a change point gives: `0..depth`.
    fn priority(&self, numbers: &Numbers, thread: ThreadId) -> u64 {
        let given = self.priorities.get(thread.index()).copied().flatten();
        given.unwrap_or_else(|| {
            let mut generator = fastrand::Rng::with_seed(numbers.mixed() ^ numbers.paths.hash_of(thread));
            generator.u64(self.depth as u64..)
        })
    }

    fn highest(&self, numbers: &Numbers, state: &dyn State) -> ThreadId {
        let ready = numbers.ready(state);
        ready.into_iter().max_by_key(|&thread| self.priority(numbers, thread)).expect("some thread is ready")
    }
}

impl Sampler for Pct {
    const NAME: &'static str = "pct";

    fn begin(&mut self, numbers: &Numbers, random: &mut fastrand::Rng) {
        self.priorities.clear();
        self.changes = (1..self.depth).map(|_| Some(random.usize(0..numbers.longest))).collect();
    }

    fn pick(&mut self, numbers: &Numbers, _: &mut fastrand::Rng, steps: usize, state: &dyn State) -> ThreadId {
        let thread = self.highest(numbers, state);
        let Some(change) = self.changes.iter().position(|&at| at == Some(steps)) else { return thread };
        if self.priorities.len() <= thread.index() {
            self.priorities.resize(thread.index() + 1, None);
        }
        self.priorities[thread.index()] = Some(change as u64);
        self.changes[change] = None;
        self.highest(numbers, state)
    }
}
