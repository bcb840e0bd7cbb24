//! Strategies: which execution to explore next.
//!
//! A strategy is asked three things: which step next, what a finished execution teaches, and where to go back
//! to. It sees the current execution and the state, and can change neither.

mod algorithm;
mod bounded;
mod dpor;
mod graphs;
mod naive;
mod paths;
mod random;
mod reads_from;
mod script;
mod todo;
mod told;

pub use algorithm::{Algorithm, UnknownAlgorithm};
pub use graphs::{DataRace, GraphView, MemoryModel, UnknownMemoryModel, Unsupported, neighbours};
pub use script::Script;
pub use told::ToldStep;

use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::explorer::Ending;
use crate::frontier::Subtree;
use crate::trace::Trace;
use everyway_runtime::{ModificationOrders, Source, State, Step, ThreadId, ready};

/// What to do in a state in which some thread can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Take this step.
    Take(Step),
    /// Take this step, whose reads are told their sources: [`Strategy::sources`].
    TakeTold(Step),
    /// The execution is at its end; said by strategies that tell reads their sources.
    End(Ending),
    /// Go back: what has been taken so far does not count as an execution.
    Abandon,
    /// The program does what the strategy does not model.
    Refuse(Unsupported),
    /// Give up: every execution from here is equivalent to an explored one.
    Redundant,
    /// Give up: the program cannot be in this state, if what it does depends on nothing but what it is seen to do.
    Contradiction,
}

/// Where to go on after a finished execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// In the state after this many steps.
    From(usize),
    /// In the initial state, as if nothing had been explored: what was learnt since shows that the executions so far
    /// do not stand for others as they should.
    StartOver,
    /// Nowhere: all has been explored.
    Finished,
}

/// A mistake of a strategy, which would be one in everyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// An execution that was planned could not be followed.
    PlanNotFollowed,
}

/// A way of exploring.
pub trait Strategy {
    /// Its name, as a user writes it.
    fn name(&self) -> &'static str;

    /// Whether it promises not to have started a redundant execution so far.
    fn is_optimal(&self) -> bool {
        false
    }

    /// Whether it asks what happens before what, and what races.
    fn needs_order(&self) -> bool {
        true
    }

    /// Whether it explores everything, given time.
    fn is_exhaustive(&self) -> bool {
        true
    }

    /// Why it may have missed something although it has finished: a mistake of its own that it noticed.
    fn mistake(&self) -> Option<Mistake> {
        None
    }

    /// Whether it tells reads their sources. Then it is asked what to do in every state, also if no thread is ready.
    fn tells_sources(&self) -> bool {
        false
    }

    /// The sources of the reads of the step that was chosen, one for each access of its operation.
    fn sources(&self) -> &[Source] {
        &[]
    }

    /// The data race that the step just taken makes, if the strategy looks for races.
    fn data_race(&mut self) -> Option<DataRace> {
        None
    }

    /// The sources of reads and the order of writes, if the strategy explores execution graphs.
    fn graph(&self) -> Option<GraphView<'_>> {
        None
    }

    /// All that is left to explore, what it was about to explore included, as parts that share nothing; none if the
    /// strategy has no such parts. It is not asked while it learns from an execution. `state` is any of the program.
    fn frontier(&self, state: &dyn State) -> Option<Vec<Subtree>> {
        let _ = state;
        None
    }

    /// Gives away the part that is nearest to the root, to be explored elsewhere; none if it can spare none. The strategy
    /// still has something to explore itself then.
    fn give(&mut self, state: &dyn State) -> Option<Subtree> {
        let _ = state;
        None
    }

    /// Has nothing to explore but this part, beginning in the initial state.
    ///
    /// # Errors
    /// If it is not one of this strategy's.
    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported> {
        let _ = subtree;
        Err(Unsupported::Subtree)
    }

    /// In which order the writes of the execution `trace` took effect, if that is not the order of its events.
    fn modification_orders(&self, trace: &Trace) -> Option<ModificationOrders> {
        let _ = trace;
        self.graph().map(|graph| ModificationOrders::new(graph.modification_orders().collect()))
    }

    /// What to do after the events of `trace`, in `state`, where some thread is ready.
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice;

    /// Whether the execution `trace`, which has ended, turns out to be equivalent to an explored one.
    fn has_explored(&self, trace: &Trace) -> bool {
        let _ = trace;
        false
    }

    /// Takes note of the step that was chosen, now the last event of `trace`, and led to `state`.
    fn taken(&mut self, trace: &Trace, state: &dyn State);

    /// Whether the step just taken, the last event of `trace`, did what it was taken for; asked if it did not fail.
    ///
    /// # Errors
    /// When it did not.
    fn confirm(&self, trace: &Trace) -> Result<(), Unsupported> {
        let _ = trace;
        Ok(())
    }

    /// Learns from a finished execution; `state` is its last. If that may take long, it asks `budget`, and stops early
    /// when it is to: the exploration ends then.
    fn learn(&mut self, trace: &Trace, state: &dyn State, budget: &Budget);

    /// Where to go on.
    fn backtrack(&mut self, trace: &Trace, state: &dyn State) -> Continue;

    /// Asserts its invariants about the state after the last step of `trace`; see [`Verification`](crate::Verification).
    fn verify_step(&self, trace: &Trace, state: &dyn State) {
        let _ = (trace, state);
    }

    /// Asserts its invariants after it has learnt from the execution `trace`; see
    /// [`Verification`](crate::Verification).
    fn verify_execution(&mut self, trace: &Trace, state: &dyn State) {
        let _ = (trace, state);
    }

    /// Which part of the whole it has explored, going by the shares of the subtrees that it was given; none if it cannot
    /// tell.
    fn done(&self) -> Option<f64> {
        None
    }

    /// How many executions there will be in all, as far as one can tell by now.
    fn estimate(&self) -> Estimate;
}

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
