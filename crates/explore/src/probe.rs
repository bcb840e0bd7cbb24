//! How many executions there will be, guessed from walks down the search tree at random.
//!
//! What an exploration has done so far says little of what is left: it goes through the tree from one end to the other, and
//! what it has seen of it is not typical. A walk at random is (Knuth, *Estimating the efficiency of backtrack programs*,
//! Mathematics of Computation 29, 1975): it explores one execution of a subtree, picks one of the subtrees that are left
//! then, and so on down to where nothing is left. An execution that it comes to with probability `p` stands for `1 / p`; so
//! the sum is, on average, the number of all executions, however subtrees are picked. The better the probabilities fit the
//! sizes, the less it varies: here, as in [`Estimate::from_branches`](crate::Estimate), all branches from one
//! state have the same, so that those near the root are likely.
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
const MOST_WALKS: u32 = 100_000;

/// Walks down the search tree of a program.
pub struct Prober<X: Execution> {
    program: X,
    strategy: Box<dyn Strategy>,
    root: Subtree,
    limits: Limits,
    random: fastrand::Rng,
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
        let strategy = algorithm.strategy(order);
        let limits = Limits { executions: None, time: None, ..limits.clone() };
        let random = fastrand::Rng::with_seed(0);
        Some(Self { program, strategy, root, limits, random, walks: 0, sum: 0.0, is_over: false })
    }

    /// Walks for about as long as this.
    pub fn walk(&mut self, time: Duration) {
        let started = Instant::now();
        while !self.is_over && self.walks < MOST_WALKS && started.elapsed() < time {
            self.walk_times(1);
        }
    }

    /// Walks so many times, or as often as that is possible.
    pub fn walk_times(&mut self, times: u32) {
        for _ in 0..times {
            match self.one_walk() {
                Some(sum) => {
                    self.walks += 1;
                    self.sum += sum;
                }
                None => {
                    self.is_over = true;
                    return;
                }
            }
        }
    }

    /// How many executions there are in all, by the walks so far; none if there were too few.
    pub fn total(&self) -> Option<f64> {
        let total = self.sum / f64::from(self.walks);
        (self.walks > 0 && total.is_finite()).then_some(total)
    }

    /// What the executions of one walk stand for; none if something fails in one of them.
    fn one_walk(&mut self) -> Option<f64> {
        let (mut subtree, mut stands_for, mut sum) = (self.root.clone(), 1.0, 0.0);
        loop {
            let mut one = OneExecution { subtree: Some(subtree), left: Vec::new() };
            let mut explorer = Explorer::new(&mut self.program, &mut *self.strategy, self.limits.clone());
            explorer = explorer.shared_with(&mut one);
            let end = explorer.run(|_| ControlFlow::Continue(()));
            sum += stands_for * explorer.counts().executions() as f64;
            drop(explorer);
            match end {
                End::Finished | End::Stopped(Cut::Interrupted) if !self.limits.is_cancelled() => {}
                _ => return None,
            }
            self.program.rewind(0).ok()?;
            let Some((next, probability)) = pick(one.left, &mut self.random) else { return Some(sum) };
            (subtree, stands_for) = (next, stands_for / probability);
        }
    }
}

/// One of what is left, and how likely it was.
fn pick(left: Vec<Subtree>, random: &mut fastrand::Rng) -> Option<(Subtree, f64)> {
    let mut branches: BTreeMap<usize, u32> = BTreeMap::new();
    left.iter().for_each(|subtree| *branches.entry(subtree.depth()).or_default() += 1);
    let mut share = 1.0;
    let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
    for (depth, count) in branches {
        // The execution itself has taken one more.
        share /= f64::from(count + 1);
        shares.insert(depth, share);
    }
    let share = |subtree: &Subtree| shares.get(&subtree.depth()).copied().unwrap_or(0.0);
    let all: f64 = left.iter().map(share).sum();
    let mut at = random.f64() * all;
    let count = left.len();
    let picked = left.into_iter().enumerate().find(|(place, subtree)| {
        at -= share(subtree);
        at < 0.0 || place + 1 == count
    });
    picked.map(|(_, subtree)| {
        let probability = share(&subtree) / all;
        (subtree, probability)
    })
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
