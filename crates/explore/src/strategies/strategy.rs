//! What a strategy is asked.
//!
//! Every strategy is asked what a finished execution teaches and where to go back to: [`Strategy`]. It sees the current
//! execution and the state, and can change neither. What comes next in an execution is asked in one of two ways, and a
//! strategy says once which of them is its own ([`Guidance`]):
//!
//! - one that [`Schedules`] chooses which thread moves. Its executions are *interleavings*: a read gets what was written
//!   last.
//! - one that [`TellsSources`] chooses besides which write a read reads from. Its executions are *execution graphs*, and
//!   the program follows them.
//!
//! What is left of some can be divided into subtrees that share nothing: those are [`Divisible`].

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

    /// What holds of the executions that it has explored, or will have explored in the end.
    fn guarantee(&self) -> Guarantee;

    /// How it chooses what comes next in an execution. It is the same way whenever it is asked.
    fn guidance(&mut self) -> Guidance<'_>;

    /// Itself as something that can be divided, if it can be.
    fn divisible(&mut self) -> Option<&mut dyn Divisible> {
        None
    }

    /// Learns from a finished execution; `state` is its last. If that may take long, it asks `budget`, and stops early
    /// when it is to: the exploration ends then.
    fn learn(&mut self, trace: &Trace, state: &dyn State, budget: &Budget);

    /// Where to go on.
    fn backtrack(&mut self, trace: &Trace, state: &dyn State) -> Continue;

    /// How many executions there will be in all, as far as one can tell by now.
    fn estimate(&self) -> Estimate;
}

/// What a strategy guarantees of the executions that it explores, when it has finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Nothing: it samples, or follows what it was given.
    Nothing,
    /// Soundness: each execution within its bounds is equivalent to an explored one.
    Sound,
    /// Optimality: besides that, it has not started a redundant execution so far, one that is equivalent to another.
    Optimal,
    /// Nothing any more: it may have missed executions, by a mistake of its own that it noticed.
    Lost(Mistake),
}

/// A mistake of a strategy, which would be one in everyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// An execution that was planned could not be followed.
    PlanNotFollowed,
}

/// A strategy, as what it chooses.
pub enum Guidance<'a> {
    /// The steps of an interleaving.
    Schedules(&'a mut dyn Schedules),
    /// The steps of an execution graph, and where their reads read from.
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

/// A strategy that chooses which thread moves. Reads get what was written last in the interleaving.
pub trait Schedules: Strategy {
    /// What to do after the events of `trace`, in `state`, where some thread is ready.
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice;

    /// Takes note of the step that was chosen, now the last event of `trace`, and led to `state`.
    fn taken(&mut self, trace: &Trace, state: &dyn State) {
        let _ = (trace, state);
    }

    /// Whether it asks what happens before what, and what races, after each step.
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
/// every state, also if no thread is ready: whether an execution has ended is known from its graph.
pub trait TellsSources: Strategy {
    /// What to do after the events of `trace`, in `state`.
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> ToldChoice;

    /// The sources of the reads of the step that was chosen, one for each access of its operation.
    fn sources(&self) -> &[Source];

    /// Takes note of the step that was chosen, which `performed` this, and led to `state`: the data race that it makes, if the
    /// strategy looks for races.
    ///
    /// # Errors
    /// When it is done, and did not do what it was taken for.
    fn taken(
        &mut self,
        performed: &Performed,
        state: &dyn State,
        end: StepEnd,
    ) -> Result<Option<DataRace>, Unsupported> {
        let _ = (performed, state, end);
        Ok(None)
    }

    /// The modification orders of the execution `trace`: in which order the writes to each location took effect.
    fn modification_orders(&self, trace: &Trace) -> ModificationOrders;

    /// The execution graph under way, if it is kept.
    fn graph(&self) -> Option<GraphView<'_>> {
        None
    }
}

/// A strategy of which all that is left to explore consists of subtrees that share nothing; see
/// [`Subtree`] and [`Exchange`](crate::Exchange).
pub trait Divisible: Strategy {
    /// All that is left to explore, what it was about to explore included; none while it is on the way to where its
    /// exploration begins. It is not asked while it learns from an execution. `state` is any of the program.
    fn frontier(&self, state: &dyn State) -> Option<Vec<Subtree>>;

    /// Gives away the subtree that is nearest to the root, to be explored elsewhere; none if it can spare none. The
    /// strategy still has something to explore itself then.
    fn give(&mut self, state: &dyn State) -> Option<Subtree>;

    /// Has nothing to explore but this subtree, beginning in the initial state.
    ///
    /// # Errors
    /// If it is not one of this strategy's.
    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported>;

    /// Which part of the whole it has explored, going by the shares of the subtrees that it was given; none if it cannot
    /// tell.
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
    /// Give up: the program cannot be in this state, if what it does depends on nothing but what it is seen to do.
    Contradiction,
}

/// How a step has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepEnd {
    /// It is done.
    Done,
    /// It failed, and may not have done all that it was taken for.
    Failed,
}

/// What to do in an execution whose reads are told their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldChoice {
    /// Take this step, with [`TellsSources::sources`].
    Take(Step),
    /// Give up: this step was to be taken, and its thread is not there, or has ended. The program, which is not the one
    /// that it was planned for, says so.
    Impossible(Step),
    /// The execution is at its end.
    End(Ending),
    /// Go back: what has been taken so far does not count as an execution.
    Abandon,
    /// Give up: the program does what the strategy does not model.
    Refuse(Unsupported),
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
