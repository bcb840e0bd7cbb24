//! A worker's notes while it explores: the failures it finds, and its progress.

use crate::findings::{Findings, Identity};
use crate::found::{Current, Shown};
use crate::length::too_long;
use crate::profile::Profiler;
use crate::settings::{AfterFailure, Profiling, Settings, TooLong};
use crate::subject::{Failure, SoFar, Subject};
use everyway_explore::{DataRace, Estimate, Limits, Progress, Trace, Watcher};
use everyway_report::Bug;
use std::ops::ControlFlow;
use std::time::Instant;

/// Watches an exploration.
pub(crate) struct Collector<'a, 'h, S: Subject> {
    pub(crate) subject: &'a S,
    pub(crate) findings: &'a Findings<'h, S>,
    /// In how many executions of this worker each bug was found.
    pub(crate) executions: Vec<u64>,
    after_failure: AfterFailure,
    too_long: TooLong,
    limits: Limits,
    pub(crate) profiler: Option<Profiler>,
    /// If this is the only worker, which tells how far the check has come: how far it may have to go.
    alone: Option<&'a dyn Fn(Estimate) -> Estimate>,
    is_full: bool,
    /// After so many steps it ends, because the program is not small; and whether it has.
    trial: Option<u64>,
    pub(crate) is_large: bool,
    /// How much the verdict takes for granted, as far as this worker knows.
    assumed: usize,
    /// Whether it was said that something was left out.
    has_left_out: bool,
    /// How many threads there are in the initial state.
    initial: usize,
}

impl<'a, 'h, S: Subject> Collector<'a, 'h, S> {
    pub(crate) fn new(
        subject: &'a S,
        settings: &Settings,
        limits: &Limits,
        initial: usize,
        findings: &'a Findings<'h, S>,
    ) -> Self {
        Self {
            subject,
            findings,
            executions: Vec::new(),
            after_failure: settings.after_failure,
            too_long: settings.too_long,
            limits: limits.clone(),
            profiler: (settings.profiling == Profiling::On).then(|| Profiler::new(Instant::now())),
            alone: None,
            is_full: false,
            trial: None,
            is_large: false,
            assumed: 0,
            has_left_out: false,
            initial,
        }
    }

    /// The same worker, which is the only one and tells how far the check has come: how many executions there may be in all,
    /// where the strategy takes what it has seen for typical.
    pub(crate) fn telling(self, alone: Option<&'a dyn Fn(Estimate) -> Estimate>) -> Self {
        Self { alone, ..self }
    }

    /// The same worker, which tries whether the program is small.
    pub(crate) fn trying(self, trial: Option<u64>) -> Self {
        Self { trial, ..self }
    }

    /// An execution under way.
    pub(crate) fn current<'c>(&self, execution: &'c S::Execution, trace: &'c Trace) -> Current<'c, S>
    where
        'a: 'c,
    {
        Current { subject: self.subject, execution, trace, initial: self.initial }
    }

    fn count(&mut self, bug: usize) {
        if self.executions.len() <= bug {
            self.executions.resize(bug + 1, 0);
        }
        self.executions[bug] += 1;
    }
}

impl<S: Subject> Watcher<S::Execution> for Collector<'_, '_, S> {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        let mut seen: Vec<usize> = progress.failures().collect();
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter().for_each(|bug| self.count(bug));
        if let Some(profiler) = &mut self.profiler {
            profiler.estimate(progress);
        }
        if let Some(expected) = self.alone {
            let mut counts = self.findings.before;
            counts += progress.counts;
            self.findings.executed(&SoFar { counts, estimate: &|| expected(progress.estimate()) });
        }
        self.is_large = self.trial.is_some_and(|trial| progress.counts.steps >= trial);
        let ends = self.is_full || self.is_large || self.limits.is_cancelled();
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn ended(&mut self, execution: &S::Execution, trace: &Trace) {
        let assumed = self.subject.assumed(execution);
        if assumed.len() != self.assumed {
            self.assumed = assumed.len();
            self.findings.lock().assume(assumed);
        }
        if let Some(profiler) = &mut self.profiler {
            profiler.ended(self.subject, execution, trace);
        }
    }

    /// What is saved from now on says that something was left out.
    fn between(&mut self, execution: &S::Execution) {
        if self.has_left_out {
            return;
        }
        let cuts = self.subject.cuts(execution);
        if !cuts.is_empty() {
            self.has_left_out = true;
            let mut findings = self.findings.lock();
            findings.set_aside(self.subject.set_aside(execution));
            let new = cuts.into_iter().filter(|cut| !findings.left_out.contains(cut)).collect::<Vec<_>>();
            findings.left_out.extend(new);
        }
    }

    fn started_over(&mut self) {
        self.profiler.iter_mut().for_each(Profiler::start_over);
        self.executions.clear();
    }

    fn too_long(&mut self, execution: &S::Execution, trace: &Trace) -> ControlFlow<()> {
        if self.too_long == TooLong::Fails {
            return ControlFlow::Break(());
        }
        let mut findings = self.findings.lock();
        if findings.too_long.is_none() {
            let found = too_long(&self.current(execution, &Trace::new()), trace.len());
            let place = found.bug.source.map(|source| format!(", such as one in the loop at {source}"));
            findings.too_long = Some(place.unwrap_or_default());
        }
        ControlFlow::Continue(())
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

impl<S: Subject> Collector<'_, '_, S> {
    /// The number of a bug, which is kept if it is new.
    fn number(
        &mut self,
        identity: Identity,
        execution: &S::Execution,
        trace: &Trace,
        describe: impl FnOnce(&S) -> Bug,
    ) -> usize {
        let mut findings = self.findings.lock();
        if let Some(number) = findings.number(&identity) {
            return number;
        }
        let number = findings.found.len();
        let bug = describe(self.subject);
        // What stops all threads has all that they did for its causes.
        let shown = if bug.thread.is_some() { Shown::Causes } else { Shown::All };
        let mut found = self.current(execution, trace).found(bug, shown);
        // It is counted when the execution has ended.
        found.bug.executions = 0;
        findings.keep(found, identity, self.subject, execution);
        self.is_full = findings.is_full();
        number
    }
}
