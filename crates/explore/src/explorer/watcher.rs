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
    /// How.
    pub ending: Ending,
    /// The counts so far.
    pub counts: Counts,
    pub(super) failures: &'a [Failing],
    pub(super) strategy: &'a dyn Strategy,
    pub(super) graph: Option<GraphView<'a>>,
}

impl Progress<'_> {
    /// How many executions there may be in all.
    pub fn estimate(&self) -> Estimate {
        self.strategy.estimate()
    }

    /// The sources of reads and the order of writes, if the strategy explores execution graphs.
    pub fn graph(&self) -> Option<GraphView<'_>> {
        self.graph
    }

    /// The failures in the execution, by what [`Watcher::failed`] called them.
    pub fn failures(&self) -> impl Iterator<Item = usize> + '_ {
        self.failures.iter().map(|failing| failing.name)
    }
}

/// What to do after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// End the exploration.
    Stop,
    /// Go on, and call the failure by this number from now on.
    GoOn(usize),
}

/// Who watches an exploration, and decides when it ends.
pub trait Watcher<X: Execution> {
    /// An execution has ended. What happens before what in it is known if the strategy asks for that, or after
    /// [`Explorer::with_order`].
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()>;

    /// An execution is about to be shown: the program is in its last state.
    fn ended(&mut self, program: &X, trace: &Trace) {
        let _ = (program, trace);
    }

    /// An execution has ended, and another one is about to begin, of an exploration that is shared with others
    /// ([`Explorer::shared_with`]). `program` is in the last state of the former.
    fn between(&mut self, program: &X) {
        let _ = program;
    }

    /// The exploration starts over: the executions so far do not count.
    fn started_over(&mut self) {}

    /// The last step of `trace` fails or, if no thread can move, the execution as a whole. `program` is in the state
    /// after it. A thread that fails does not go on; the others do. So whatever fails in an execution in which
    /// nothing has failed before is found: that execution is the beginning of one in which the other threads go
    /// on, and what a thread does depends on nothing but what happens before it.
    fn failed(&mut self, failure: &X::Failure, program: &X, trace: &Trace) -> AfterFailure;

    /// The execution `trace`, a sample, has as many steps as it may have, and is given up. The default is to end the
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

/// A failure in the current execution, after which it went on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failing {
    /// How many steps there were then.
    pub(super) depth: usize,
    pub(super) name: usize,
}
