//! The observer of an exploration: what it is shown, and what it decides.

use super::outcome::{Counts, Ending};
use crate::estimate::Estimate;
use crate::strategies::{DataRace, GraphView, Strategy};
use crate::trace::Trace;
use everyway_runtime::Execution;
use std::ops::ControlFlow;

/// What a watcher of an exploration is shown after each execution.
pub struct Progress<'a> {
    /// The execution that has just ended.
    pub trace: &'a Trace,
    /// How it ended.
    pub ending: Ending,
    /// The counts so far.
    pub counts: Counts,
    pub(super) failures: &'a [Failing],
    pub(super) strategy: &'a dyn Strategy,
    pub(super) graph: Option<GraphView<'a>>,
}

impl Progress<'_> {
    /// The estimated total number of executions.
    pub fn estimate(&self) -> Estimate {
        self.strategy.estimate()
    }

    /// The sources of reads and the order of writes, if the strategy explores execution graphs.
    pub fn graph(&self) -> Option<GraphView<'_>> {
        self.graph
    }

    /// The failures in the execution, by the numbers that [`Watcher::failed`] gave them.
    pub fn failures(&self) -> impl Iterator<Item = usize> + '_ {
        self.failures.iter().map(|failing| failing.name)
    }
}

/// What to do after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// End the exploration.
    Stop,
    /// Continue, and give the failure this number.
    GoOn(usize),
}

/// An observer of an exploration, which decides when it ends.
pub trait Watcher<X: Execution> {
    /// An execution has ended. Its happens-before is known if the strategy needs it, or after [`Explorer::with_order`](super::Explorer::with_order).
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()>;

    /// An execution is about to be shown: the program is in its last state.
    fn ended(&mut self, program: &X, trace: &Trace) {
        let _ = (program, trace);
    }

    /// In a shared exploration ([`Explorer::shared_with`](super::Explorer::shared_with)): an execution has ended, and another one is about to begin.
    /// `program` is in the last state of the former.
    fn between(&mut self, program: &X) {
        let _ = program;
    }

    /// The exploration starts over: the executions so far do not count.
    fn started_over(&mut self) {}

    /// The last step of `trace` fails or, if no thread can move, the execution as a whole. `program` is in the state
    /// after it. A thread that fails stops; the others continue. So every failure is found that can be the first one of an
    /// execution: that execution is the beginning of one in which the other threads continue, and what a thread does depends
    /// on nothing but what happens before it.
    fn failed(&mut self, failure: &X::Failure, program: &X, trace: &Trace) -> AfterFailure;

    /// The execution `trace`, a sample, has reached the limit on steps, and is given up. The default is to end the
    /// exploration there.
    fn too_long(&mut self, program: &X, trace: &Trace) -> ControlFlow<()> {
        let _ = (program, trace);
        ControlFlow::Break(())
    }

    /// The last step of `trace` makes a data race, which the strategy looks for.
    fn raced(&mut self, race: DataRace, program: &X, trace: &Trace) -> AfterFailure {
        let _ = (race, program, trace);
        AfterFailure::Stop
    }
}

/// Watches executions, and ends with the first failure.
pub(super) struct First<O>(pub(super) O);

impl<X: Execution, O: FnMut(&Progress<'_>) -> ControlFlow<()>> Watcher<X> for First<O> {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        (self.0)(progress)
    }

    fn failed(&mut self, _: &X::Failure, _: &X, _: &Trace) -> AfterFailure {
        AfterFailure::Stop
    }
}

/// A failure in the current execution, after which it continued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failing {
    /// How many steps there were then.
    pub(super) depth: usize,
    pub(super) name: usize,
}
