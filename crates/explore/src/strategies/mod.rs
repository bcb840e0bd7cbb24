//! Strategies: which execution to explore next. Their interface is in `strategy.rs`; each has a folder or file of its
//! own.

mod algorithm;
mod bounded;
mod dpor;
mod graphs;
mod naive;
mod paths;
mod random;
mod reads_from;
mod script;
mod strategy;
mod todo;
mod told;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use graphs::{DataRace, GraphView, MemoryModel, UnknownMemoryModel, Unsupported, neighbours};
pub use script::Script;
pub use strategy::{
    Choice, Continue, Divisible, Guarantee, Guidance, Mistake, Schedules, StepEnd, Strategy, TellsSources, ToldChoice,
};
pub use told::ToldStep;

use everyway_runtime::{State, ThreadId, ready};

/// Which of several threads to try first where the algorithm leaves it open. The number of executions under
/// `optimal` must not depend on it.
#[derive(Clone, Debug, Default)]
pub enum Order {
    /// The thread with the lowest id.
    #[default]
    Lowest,
    /// The thread with the highest id.
    Highest,
    /// Any thread, by a generator with this seed.
    Random(u64),
}

/// [`Order`] at work.
#[derive(Clone, Debug)]
pub(crate) struct Picker {
    order: Order,
    random: fastrand::Rng,
}

impl Picker {
    pub(crate) fn new(order: Order) -> Self {
        let seed = if let Order::Random(seed) = order { seed } else { 0 };
        Self { order, random: fastrand::Rng::with_seed(seed) }
    }

    /// A ready thread that is `eligible`.
    pub(crate) fn pick(&mut self, state: &dyn State, mut eligible: impl FnMut(ThreadId) -> bool) -> Option<ThreadId> {
        let mut threads = ready(state).filter(|&thread| eligible(thread));
        match self.order {
            Order::Lowest => threads.next(),
            Order::Highest => threads.last(),
            Order::Random(_) => self.random.choose_multiple(threads, 1).pop(),
        }
    }
}
