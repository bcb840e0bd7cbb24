//! What is found while a program is explored: the first failure, or all that are different bugs.
//!
//! Two failures are the same bug if they are of the same kind and in the same places: the line of a failed assertion,
//! the two lines of a data race, the lines in which threads wait for each other.

use crate::found::{Current, Found, Shown};
use crate::profile::Profiler;
use crate::settings::{AfterFailure, Profiling, Settings};
use crate::subject::{Failure, Host, Subject};
use everyway_explore::{Limits, Progress, Trace, Watcher};
use everyway_report::BugKind;
use std::ops::ControlFlow;
use std::time::Instant;

/// So many bugs are collected; with them, the exploration ends.
pub(crate) const MOST_BUGS: usize = 100;

/// Watches an exploration.
pub(crate) struct Collector<'a, S: Subject> {
    pub(crate) subject: &'a S,
    pub(crate) host: &'a mut dyn Host<S>,
    pub(crate) found: Vec<Collected<S>>,
    /// Why executions could not be saved.
    pub(crate) notes: Vec<String>,
    identities: Vec<Identity>,
    after_failure: AfterFailure,
    limits: Limits,
    pub(crate) profiler: Option<Profiler>,
    /// How many threads there are in the initial state.
    initial: usize,
}

/// A bug that was found.
pub(crate) struct Collected<S> {
    pub(crate) found: Found,
    /// The same program in more detail, if that is wanted for describing the bug.
    pub(crate) in_detail: Option<S>,
}

impl<'a, S: Subject> Collector<'a, S> {
    pub(crate) fn new(subject: &'a S, settings: &Settings, initial: usize, host: &'a mut dyn Host<S>) -> Self {
        Self {
            subject,
            host,
            found: Vec::new(),
            notes: Vec::new(),
            identities: Vec::new(),
            after_failure: settings.after_failure,
            limits: settings.limits.clone(),
            profiler: (settings.profiling == Profiling::On).then(|| Profiler::new(Instant::now())),
            initial,
        }
    }

    /// Whether there are enough bugs.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MOST_BUGS
    }

    /// An execution under way.
    pub(crate) fn current<'c>(&self, execution: &'c S::Execution, trace: &'c Trace) -> Current<'c, S>
    where
        'a: 'c,
    {
        Current { subject: self.subject, execution, trace, initial: self.initial }
    }

    /// Saves what was found in `execution`, and keeps it.
    pub(crate) fn keep(&mut self, mut found: Found, execution: &S::Execution) {
        found.save(self.subject, self.host, self.found.len(), &mut self.notes);
        self.found.push(Collected { found, in_detail: self.subject.in_detail(execution) });
    }
}

impl<S: Subject> Watcher<S::Execution> for Collector<'_, S> {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        let mut seen: Vec<usize> = progress.failures().collect();
        seen.sort_unstable();
        seen.dedup();
        for bug in seen {
            self.found[bug].found.bug.executions += 1;
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.estimate(progress);
        }
        self.host.executed(progress);
        let ends = self.is_full() || self.limits.is_cancelled();
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn ended(&mut self, program: &S::Execution, trace: &Trace) {
        if let Some(profiler) = &mut self.profiler {
            profiler.ended(self.subject, program, trace);
        }
    }

    fn started_over(&mut self) {
        self.profiler.iter_mut().for_each(Profiler::start_over);
        self.found.iter_mut().for_each(|collected| collected.found.bug.executions = 0);
    }

    fn failed(
        &mut self,
        failure: &Failure<S>,
        execution: &S::Execution,
        trace: &Trace,
    ) -> everyway_explore::AfterFailure {
        let goes_on = self.after_failure == AfterFailure::GoOn
            && self.subject.can_go_on(failure)
            && self.subject.refuted(execution, failure).is_none();
        if !goes_on {
            return everyway_explore::AfterFailure::Stop;
        }
        let identity = Identity::of(self.subject, execution, failure);
        let number = self.identities.iter().position(|known| *known == identity).unwrap_or(self.identities.len());
        if number == self.identities.len() {
            let current = self.current(execution, trace);
            let bug = self.subject.describe_failure(execution, trace, failure);
            // What stops all threads has all that they did for its causes.
            let shown = if bug.thread.is_some() { Shown::Causes } else { Shown::All };
            let mut found = current.found(bug, shown);
            // It is counted when the execution has ended.
            found.bug.executions = 0;
            self.keep(found, execution);
            self.identities.push(identity);
        }
        everyway_explore::AfterFailure::GoOn(number)
    }
}

/// What makes two failures the same bug.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    kind: BugKind,
    /// Files and lines, in order.
    lines: Vec<(String, u32)>,
}

impl Identity {
    fn of<S: Subject>(subject: &S, execution: &S::Execution, failure: &Failure<S>) -> Self {
        let places = subject.places(execution, failure);
        let mut lines: Vec<_> = places.into_iter().map(|source| (source.file, source.line)).collect();
        lines.sort_unstable();
        lines.dedup();
        Self { kind: subject.kind(failure), lines }
    }
}
