//! What is found while a program is explored: the first failure, or all that are different bugs.
//!
//! Two failures are the same bug if they are of the same kind and in the same places: the line of a failed assertion,
//! the two lines of a data race, the lines in which threads wait for each other.

use crate::found::{Current, Found, Shown};
use crate::settings::{AfterFailure, Settings};
use crate::subject::{Failure, Host, Subject};
use everyway_explore::{DataRace, Limits, Progress, Trace, Watcher};
use everyway_report::{Bug, BugKind, Source};
use std::ops::ControlFlow;

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
        self.host.executed(progress);
        let ends = self.is_full() || self.limits.is_cancelled();
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn started_over(&mut self) {
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
        let describe = |subject: &S| subject.describe_failure(execution, trace, failure);
        everyway_explore::AfterFailure::GoOn(self.number(identity, execution, trace, describe))
    }

    fn raced(&mut self, race: DataRace, execution: &S::Execution, trace: &Trace) -> everyway_explore::AfterFailure {
        if self.after_failure == AfterFailure::Stop {
            return everyway_explore::AfterFailure::Stop;
        }
        let Some(bug) = self.subject.describe_race(execution, trace, race) else {
            return everyway_explore::AfterFailure::Stop;
        };
        // The front end may find the same race, and is to find it under the same number.
        let accesses = bug.accesses.iter().filter_map(|access| access.source.clone());
        let identity = Identity::new(bug.kind, accesses.chain(bug.source.clone()));
        everyway_explore::AfterFailure::GoOn(self.number(identity, execution, trace, |_| bug))
    }
}

impl<S: Subject> Collector<'_, S> {
    /// The number of a bug, which is kept if it is new.
    fn number(
        &mut self,
        identity: Identity,
        execution: &S::Execution,
        trace: &Trace,
        describe: impl FnOnce(&S) -> Bug,
    ) -> usize {
        let number = self.identities.iter().position(|known| *known == identity).unwrap_or(self.identities.len());
        if number == self.identities.len() {
            let bug = describe(self.subject);
            // What stops all threads has all that they did for its causes.
            let shown = if bug.thread.is_some() { Shown::Causes } else { Shown::All };
            let mut found = self.current(execution, trace).found(bug, shown);
            // It is counted when the execution has ended.
            found.bug.executions = 0;
            self.keep(found, execution);
            self.identities.push(identity);
        }
        number
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
        Self::new(subject.kind(failure), subject.places(execution, failure))
    }

    fn new(kind: BugKind, places: impl IntoIterator<Item = Source>) -> Self {
        let mut lines: Vec<_> = places.into_iter().map(|source| (source.file, source.line)).collect();
        lines.sort_unstable();
        lines.dedup();
        Self { kind, lines }
    }
}
