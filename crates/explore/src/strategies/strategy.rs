//! The interface of strategies.
//!
//! Every [`Strategy`] is asked what a finished execution teaches and where to go back to. It sees the current execution
//! and the state, and can change neither. There are two ways to choose what comes next in an execution, and a strategy
//! declares which of them it uses ([`Guidance`]):
//!
//! - one that [`Schedules`] chooses which thread moves. Its executions are *interleavings*: a read gets the value of
//!   the last write.
//! - one that [`TellsSources`] also chooses which write a read reads from. Its executions are *execution graphs*, and
//!   the program follows them.
//!
//! The remaining work of some strategies can be divided into subtrees that share nothing: these are [`Divisible`].

use super::graphs::{DataRace, GraphView, Unsupported};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::explorer::Ending;
use crate::frontier::Subtree;
use crate::trace::Trace;
use everyway_runtime::{ModificationOrders, Performed, Source, State, Step};

/// A way of exploring.
pub trait Strategy {
    /// Its name, as a user writes it.
    fn name(&self) -> &'static str;

    /// What it guarantees about the executions that it has explored, or will have explored in the end.
    fn guarantee(&self) -> Guarantee;

    /// How it chooses what comes next in an execution; always the same variant.
    fn guidance(&mut self) -> Guidance<'_>;

    /// The strategy as a divisible one, if it is.
    fn divisible(&mut self) -> Option<&mut dyn Divisible> {
        None
    }

    /// Learns from a finished execution; `state` is its last. If that may take long, it consults `budget`, and stops early
    /// if that is exhausted: the exploration ends then.
    fn learn(&mut self, trace: &Trace, state: &dyn State, budget: &Budget);

    /// Where to continue.
    fn backtrack(&mut self, trace: &Trace, state: &dyn State) -> Continue;

    /// The estimated total number of executions.
    fn estimate(&self) -> Estimate;
}

/// What a strategy guarantees about the executions that it explores, when it has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Nothing: it samples, or follows a given schedule.
    Nothing,
    /// Soundness: each execution within its bounds is equivalent to an explored one.
    Sound,
    /// Optimality: besides that, it has not started a redundant execution so far, one that is equivalent to another.
    Optimal,
    /// Nothing any more: it may have missed executions, because of a mistake of its own that it noticed.
    Lost(Mistake),
}

/// A mistake of a strategy, which is a bug in everyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// An execution that was planned could not be followed.
    PlanNotFollowed,
}

/// A strategy, by what it chooses.
pub enum Guidance<'a> {
    /// The steps of an interleaving.
    Schedules(&'a mut dyn Schedules),
    /// The steps of an execution graph, and the sources of their reads.
    TellsSources(&'a mut dyn TellsSources),
}

impl Guidance<'_> {
    /// The strategy as any other.
    #[inline]
    pub(crate) fn strategy(&self) -> &dyn Strategy {
        match self {
            Self::Schedules(strategy) => &**strategy,
            Self::TellsSources(strategy) => &**strategy,
        }
    }

    /// The strategy as any other.
    #[inline]
    pub(crate) fn strategy_mut(&mut self) -> &mut dyn Strategy {
        match self {
            Self::Schedules(strategy) => &mut **strategy,
            Self::TellsSources(strategy) => &mut **strategy,
        }
    }

    /// [`Schedules::needs_order`], if it schedules.
    pub(crate) fn needs_order(&self) -> bool {
        match self {
            Self::Schedules(strategy) => strategy.needs_order(),
            Self::TellsSources(_) => false,
        }
    }

    /// [`TellsSources::graph`], if it tells sources.
    pub(crate) fn graph(&self) -> Option<GraphView<'_>> {
        match self {
            Self::Schedules(_) => None,
            Self::TellsSources(strategy) => strategy.graph(),
        }
    }
}

/// A strategy that chooses which thread moves. A read gets the value of the last write in the interleaving.
pub trait Schedules: Strategy {
    /// What to do after the events of `trace`, in `state`, where some thread is ready.
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice;

    /// Is told of the chosen step, now the last event of `trace`, which led to `state`.
    fn taken(&mut self, trace: &Trace, state: &dyn State) {
        let _ = (trace, state);
    }

    /// Whether it needs happens-before and races after each step.
    fn needs_order(&self) -> bool {
        true
    }

    /// Whether the execution `trace`, which has ended, turns out to be equivalent to an explored one.
    fn has_explored(&self, trace: &Trace) -> bool {
        let _ = trace;
        false
    }

    /// Asserts its invariants about the state after the last step of `trace`; see [`Verification`](crate::Verification).
    fn verify_step(&self, trace: &Trace, state: &dyn State) {
        let _ = (trace, state);
    }

    /// Asserts its invariants after it has learnt from the execution `trace`; see
    /// [`Verification`](crate::Verification).
    fn verify_execution(&mut self, trace: &Trace, state: &dyn State) {
        let _ = (trace, state);
    }
}

/// A strategy that chooses which thread moves, and for each of its reads the write that it reads from. It is asked in
/// every state, even if no thread is ready: its graph tells whether an execution has ended.
pub trait TellsSources: Strategy {
    /// What to do after the events of `trace`, in `state`.
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> ToldChoice;

    /// The sources of the reads of the step that was chosen, one for each access of its operation.
    fn sources(&self) -> &[Source];

    /// Is told of the chosen step, which `performed` this and led to `state`. Returns the data race that the step makes, if
    /// the strategy looks for races.
    ///
    /// # Errors
    /// If the step did not do what it was chosen for.
    fn taken(
        &mut self,
        performed: &Performed,
        state: &dyn State,
        end: StepEnd,
    ) -> Result<Option<DataRace>, Unsupported> {
        let _ = (performed, state, end);
        Ok(None)
    }

    /// The modification orders of the execution `trace`: the order in which the writes to each location took effect.
    fn modification_orders(&self, trace: &Trace) -> ModificationOrders;

    /// The execution graph under way, if it is kept.
    fn graph(&self) -> Option<GraphView<'_>> {
        None
    }
}

/// A strategy whose remaining work consists of subtrees that share nothing; see [`Subtree`] and
/// [`Exchange`](crate::Exchange).
pub trait Divisible: Strategy {
    /// All remaining work, including what it was about to explore; none while it is on the way to where its
    /// exploration begins. Not called while it learns from an execution. `state` is any state of the program.
    fn frontier(&self, state: &dyn State) -> Option<Vec<Subtree>>;

    /// Gives away the subtree that is nearest to the root, to be explored elsewhere; none if it can spare none. The
    /// strategy keeps something to explore itself.
    fn give(&mut self, state: &dyn State) -> Option<Subtree>;

    /// Takes this subtree as its only work, beginning in the initial state.
    ///
    /// # Errors
    /// If it is not one of this strategy's.
    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported>;

    /// The fraction of the whole that it has explored, by the shares of the subtrees that it was given; none if it is not
    /// known.
    fn done(&self) -> Option<f64> {
        None
    }
}

/// What to do in a state in which some thread can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Take this step.
    Take(Step),
    /// Give up: the program cannot do what the subtree to be explored begins with.
    Refuse(Unsupported),
    /// Give up: every execution from here is equivalent to an explored one.
    Redundant,
    /// Give up: a deterministic program cannot be in this state.
    Contradiction,
}

/// How a step has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepEnd {
    /// It is done.
    Done,
    /// It failed, and may not have done everything it was chosen for.
    Failed,
}

/// What to do in an execution whose reads are told their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldChoice {
    /// Take this step, with [`TellsSources::sources`].
    Take(Step),
    /// Give up: this step was to be taken, but its thread does not exist, or has ended, because the program is not the one
    /// that it was planned for.
    Impossible(Step),
    /// The execution has ended.
    End(Ending),
    /// Go back: what has been taken so far does not count as an execution.
    Abandon,
    /// Give up: the program does something that the strategy does not model.
    Refuse(Unsupported),
}

/// Where to continue after a finished execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// In the state after this many steps.
    From(usize),
    /// In the initial state, as if nothing had been explored: it turned out that the executions so far do not represent
    /// their classes as they should.
    StartOver,
    /// Nowhere: everything has been explored.
    Finished,
}
