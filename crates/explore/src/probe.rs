//! How many executions there will be, guessed from walks down the search tree at random.
//!
//! What an exploration has done so far says little of what is left: it goes through the tree from one end to the other, and
//! what it has seen of it is not typical. A walk at random is. The first to do so was Knuth (*Estimating the efficiency of
//! backtrack programs*, Mathematics of Computation 29, 1975): explore one execution of a subtree, pick one of the subtrees
//! that are left then, and so on down to where nothing is left. An execution that is come to with probability `p` stands for
//! `1 / p`; so the sum is, on average, the number of all executions.
//!
//! As subtrees differ much in size, that varies much. Chen (*Heuristic sampling: a method for predicting the performance of
//! tree searching programs*, SIAM Journal on Computing 21, 1992) goes down with several subtrees at a time: those that
//! are likely to be of one size are a *stratum*, of which one is explored, and stands for all. Here a stratum is what as
//! many picks have led to, in which as many events stay, with the same kind of thing to do; each of its subtrees is picked with a
//! probability in proportion to what it stands for, so that the sum is right on average whatever the strata are.
//!
//! Subtrees share nothing ([`Subtree`]), so walks need nothing of the exploration that they are about, and it needs nothing
//! of them.

use crate::explorer::{Counts, Cut, End, Explorer, Limits};
use crate::frontier::{Exchange, Left, Subtree};
use crate::strategies::{Algorithm, Order, Strategy};
use everyway_runtime::Execution;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// So many walks are enough.
const MOST_WALKS: u32 = 10_000;
/// The events of an execution are so many strata, if there are as many.
const STRATA: usize = 48;

/// How many events of a subtree stay as they are, roughly, and what is to be done there.
type Stratum = (usize, u8);

/// One of a stratum, and how many it stands for.
#[derive(Debug)]
struct Picked {
    subtree: Subtree,
    stands_for: f64,
}

/// A walk that is under way.
#[derive(Debug, Default)]
struct Walk {
    /// What so many picks have led to, as far as it is not yet explored, and what one more has.
    level: BTreeMap<Stratum, Picked>,
    below: BTreeMap<Stratum, Picked>,
    /// What the executions so far stand for.
    sum: f64,
}

/// Walks down the search tree of a program.
pub struct Prober<X: Execution> {
    program: X,
    strategy: Box<dyn Strategy>,
    root: Subtree,
    limits: Limits,
    random: fastrand::Rng,
    walk: Walk,
    /// How many events make a stratum; known after the first execution.
    width: Option<usize>,
    walks: u32,
    sum: f64,
    /// Whether a walk has come to where it could not go on.
    is_over: bool,
}

impl<X: Execution> Prober<X> {
    /// Walks in `program`, which is in its initial state, as `algorithm` explores it; none if what is left of that cannot be
    /// told, or is not explored to its end. They end when `limits` say that all is to end.
    pub fn new(program: X, algorithm: Algorithm, order: Order, limits: &Limits) -> Option<Self> {
        let root = algorithm.root(1).filter(|_| !algorithm.is_sampling())?;
        Some(Self {
            program,
            strategy: algorithm.strategy(order),
            root,
            limits: Limits { executions: None, time: None, ..limits.clone() },
            random: fastrand::Rng::with_seed(0),
            walk: Walk::default(),
            width: None,
            walks: 0,
            sum: 0.0,
            is_over: false,
        })
    }

    /// Walks for about as long as this. A walk that has not come to its end goes on the next time.
    pub fn walk(&mut self, time: Duration) {
        let started = Instant::now();
        while !self.is_over && self.walks < MOST_WALKS && started.elapsed() < time {
            self.step();
        }
    }

    /// Walks so many times, or as often as that is possible.
    pub fn walk_times(&mut self, times: u32) {
        let end = self.walks + times;
        while !self.is_over && self.walks < end {
            self.step();
        }
    }

    /// How many executions there are in all, by the walks so far; none if there were none.
    pub fn total(&self) -> Option<f64> {
        let total = self.sum / f64::from(self.walks);
        (self.walks > 0 && total.is_finite()).then_some(total)
    }

    /// How many there are at least, on average over all walks that come as far as the present one: each subtree that it has
    /// not explored counts as one execution.
    /// None if it has come to where it could not go on.
    pub fn at_least(&self) -> Option<f64> {
        let left = self.walk.level.values().chain(self.walk.below.values());
        (!self.is_over).then(|| self.walk.sum + left.map(|picked| picked.stands_for).sum::<f64>())
    }

    /// The program, in whatever state it is.
    pub fn into_program(self) -> X {
        self.program
    }

    /// Goes on with the walk under way, by one execution, or begins another one.
    fn step(&mut self) {
        if self.walk.level.is_empty() {
            self.walk.level = std::mem::take(&mut self.walk.below);
        }
        let picked = match self.walk.level.pop_first() {
            Some((_, picked)) => picked,
            None => Picked { subtree: self.root.clone(), stands_for: 1.0 },
        };
        match self.explore_one(picked.subtree) {
            Some((executions, left)) => {
                self.walk.sum += picked.stands_for * executions;
                left.into_iter().for_each(|subtree| self.add(subtree, picked.stands_for));
            }
            None => self.is_over = true,
        }
        if self.walk.level.is_empty() && self.walk.below.is_empty() && !self.is_over {
            self.walks += 1;
            self.sum += std::mem::take(&mut self.walk.sum);
        }
    }

    /// A subtree stands for its stratum, or another one does for it.
    fn add(&mut self, subtree: Subtree, stands_for: f64) {
        let (events, what) = subtree.stratum();
        let stratum = (events / self.width.unwrap_or(1), what);
        let picked =
            self.walk.below.entry(stratum).or_insert_with(|| Picked { subtree: subtree.clone(), stands_for: 0.0 });
        picked.stands_for += stands_for;
        if self.random.f64() * picked.stands_for < stands_for {
            picked.subtree = subtree;
        }
    }

    /// Explores one execution of a subtree, if there is one, and tells what is left; none if something fails.
    fn explore_one(&mut self, subtree: Subtree) -> Option<(f64, Vec<Subtree>)> {
        let mut one = OneExecution { subtree: Some(subtree), left: Vec::new() };
        let mut explorer = Explorer::new(&mut self.program, &mut *self.strategy, self.limits.clone());
        explorer = explorer.shared_with(&mut one);
        let end = explorer.run(|_| ControlFlow::Continue(()));
        let executions = explorer.counts().executions() as f64;
        drop(explorer);
        match end {
            End::Finished | End::Stopped(Cut::Interrupted) if !self.limits.is_cancelled() => {}
            _ => return None,
        }
        self.program.rewind(0).ok()?;
        let longest = one.left.iter().map(Subtree::depth).max().unwrap_or(0);
        self.width.get_or_insert(longest.div_ceil(STRATA).max(1));
        Some((executions, one.left))
    }
}

/// Has one execution of a subtree explored, and keeps what is left then.
struct OneExecution {
    subtree: Option<Subtree>,
    left: Vec<Subtree>,
}

impl Exchange for OneExecution {
    fn take(&mut self, _: Counts) -> Option<Subtree> {
        self.subtree.take()
    }

    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut> {
        if left.counts.executions() == 0 {
            return ControlFlow::Continue(());
        }
        self.left = left.all();
        ControlFlow::Break(Cut::Interrupted)
    }
}
