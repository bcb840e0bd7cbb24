//! What is found while a program is explored: the first failure, or with `--keep-going` all that differ.
//!
//! Two failures are the same bug if they are of the same kind and in the same place: the line of a failed assertion,
//! the two lines of a data race, the lines in which threads wait for each other.

use crate::bug::{self, Found};
use everyway_explore::{AfterFailure, Trace, Watcher};
use everyway_render::terminal::Progress;
use everyway_report::BugKind;
use everyway_vm::{Failure, Machine};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many bugs are collected; with them, the exploration ends.
pub(crate) const ENOUGH: usize = 100;

/// Watches an exploration.
pub(crate) struct Collector<'a> {
    pub(crate) found: Vec<Found>,
    /// Of what has been found.
    places: Vec<Place>,
    keep_going: bool,
    line: Progress,
    interrupted: &'a AtomicBool,
}

impl<'a> Collector<'a> {
    /// A collector of the first failure, or of all; until `interrupted` is set.
    pub(crate) fn new(keep_going: bool, interrupted: &'a AtomicBool) -> Self {
        Self { found: Vec::new(), places: Vec::new(), keep_going, line: Progress::new(), interrupted }
    }

    /// Whether there are so many bugs that nobody wants more.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= ENOUGH
    }
}

impl Watcher<Machine> for Collector<'_> {
    fn executed(&mut self, progress: &everyway_explore::Progress<'_>) -> ControlFlow<()> {
        let mut seen: Vec<usize> = progress.failures().collect();
        seen.sort_unstable();
        seen.dedup();
        for bug in seen {
            self.found[bug].bug.executions += 1;
        }
        self.line.update(progress.counts.executions(), || progress.estimate().total);
        let ends = self.is_full() || self.interrupted.load(Ordering::Relaxed);
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn started_over(&mut self) {
        self.found.iter_mut().for_each(|found| found.bug.executions = 0);
    }

    fn failed(&mut self, failure: &Failure, machine: &Machine, trace: &Trace) -> AfterFailure {
        // What is not modelled and what does not end leave nothing to go on with.
        let is_final = matches!(failure.kind, BugKind::Unsupported | BugKind::StepLimit | BugKind::Nondeterminism);
        if !self.keep_going || is_final {
            return AfterFailure::Stop;
        }
        let place = Place::of(failure, machine);
        let name = self.places.iter().position(|known| *known == place).unwrap_or(self.places.len());
        if name == self.places.len() {
            let describe = if failure.thread.is_some() { bug::describe_causes } else { bug::describe };
            let mut new = describe(machine, trace, failure.clone());
            new.bug.executions = 0;
            self.found.push(new);
            self.places.push(place);
        }
        AfterFailure::GoOn(name)
    }
}

/// What makes two failures the same bug.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    kind: BugKind,
    /// Files and lines, in order.
    lines: Vec<(String, u32)>,
}

impl Place {
    fn of(failure: &Failure, machine: &Machine) -> Self {
        let waits = if failure.kind == BugKind::Deadlock { machine.waits() } else { Vec::new() };
        let waits = waits.into_iter().filter_map(|wait| wait.source);
        let accesses = failure.accesses.iter().filter_map(|access| access.source.clone());
        let sources = waits.chain(accesses).chain(machine.source(failure.location));
        let mut lines: Vec<_> = sources.map(|source| (source.file, source.line)).collect();
        lines.sort_unstable();
        lines.dedup();
        Self { kind: failure.kind, lines }
    }
}
