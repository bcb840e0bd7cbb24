//! Why an execution fails: the passing execution with the longest common prefix.
//!
//! The executions that begin as the failing one does are searched, those that leave it last first: as interleavings
//! (`passing/interleaved.rs`), or, where reads are told their sources, as execution graphs (`passing/told.rs`). The
//! execution found was run, and passed: the search may give up, but it never guesses.
//!
//! This module does not know how the failing execution was found.

mod compare;
mod interleaved;
mod told;

use crate::effects::{add_orders, add_threads};
use crate::found::{Current, Found};
use crate::subject::{Failure, Subject};
use everyway_explore::{AfterFailure, Ending, Limits, MemoryModel, Progress, Trace, Watcher};
use everyway_report::replay::ScheduledStep;
use everyway_report::{BugKind, Execution, Passing};
use everyway_runtime::{Execution as _, State as _, ThreadId, ThreadPath};
use std::ops::ControlFlow;
use std::time::Duration;

/// So many executions are looked at.
const MOST_EXECUTIONS: u64 = 10_000;

/// So long.
const LONGEST: Duration = Duration::from_secs(4);

/// The execution that passes and has the longest beginning in common with what was found, if one is found soon.
/// `model` is given if its reads are told their sources.
pub(crate) fn passing<S: Subject>(
    subject: &S,
    found: &Found,
    model: Option<MemoryModel>,
    limits: &Limits,
) -> Option<Passing> {
    let is_about_order = !matches!(found.bug.kind, BugKind::StepLimit | BugKind::Nondeterminism | BugKind::Unsupported);
    if !is_about_order || found.schedule.len() != found.bug.execution.events.len() {
        return None;
    }
    let time = limits.time.map_or(LONGEST, |limit| limit.min(LONGEST));
    let limits = Limits { time: Some(time), executions: Some(MOST_EXECUTIONS), ..limits.clone() };
    let passed = match model {
        Some(model) => told::search(subject, found, model, &limits)?,
        None => interleaved::search(subject, found, &limits)?,
    };
    compare::compare(found, passed)
}

/// An execution that passes.
struct Passed {
    execution: Execution,
    schedule: Vec<ScheduledStep>,
    /// The lasting names of its threads.
    threads: Vec<ThreadPath>,
}

impl Passed {
    fn new<S: Subject>(subject: &S, program: &S::Execution, trace: &Trace, initial: usize) -> Self {
        let mut execution = subject.describe(program, trace);
        add_threads(&mut execution, trace);
        add_orders(&mut execution, program);
        let schedule = Current { subject, execution: program, trace, initial }.schedule();
        let threads = (0..program.threads()).map(|thread| program.path(ThreadId::new(thread))).collect();
        Self { execution, schedule, threads }
    }
}

/// The program that a search runs, again and again. What an execution that fails owns is leaked; the memory around it serves
/// the next one, which it would not if each were another program.
struct Rerun<'a, S: Subject> {
    subject: &'a S,
    execution: S::Execution,
    /// How many threads there are before the first step.
    initial: usize,
    /// Whether it has not been run yet.
    is_new: bool,
}

impl<'a, S: Subject> Rerun<'a, S> {
    fn new(subject: &'a S) -> Self {
        let execution = subject.begin();
        let initial = execution.threads();
        Self { subject, execution, initial, is_new: true }
    }

    /// Begins an execution; whether it could.
    fn begin(&mut self) -> bool {
        std::mem::take(&mut self.is_new) || self.execution.rewind(0).is_ok()
    }

    /// Gets rid of an execution that has failed.
    fn abandon(&mut self) {
        self.subject.abandon(&mut self.execution);
    }
}

/// Watches until an execution passes.
struct UntilPassed<'a, S> {
    subject: &'a S,
    has_passed: bool,
}

impl<'a, S> UntilPassed<'a, S> {
    fn new(subject: &'a S) -> Self {
        Self { subject, has_passed: false }
    }
}

impl<S: Subject> Watcher<S::Execution> for UntilPassed<'_, S> {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        self.has_passed = progress.ending == Ending::Complete && progress.failures().next().is_none();
        if self.has_passed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failed(&mut self, failure: &Failure<S>, execution: &S::Execution, _: &Trace) -> AfterFailure {
        let goes_on = self.subject.can_go_on(failure) && self.subject.refuted(execution, failure).is_none();
        if goes_on { AfterFailure::GoOn(0) } else { AfterFailure::Stop }
    }
}
