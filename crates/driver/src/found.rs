//! A failure in the form of reports and replay files.

use crate::birth::BirthOrder;
use crate::effects::{add_orders, add_threads};
use crate::interleaving::interleaving;
use crate::subject::{Failure, Host, Subject};
use everyway_explore::Trace;
use everyway_report::replay::ScheduledStep;
use everyway_report::{Bug, BugKind};
use everyway_runtime::{EventId, Execution as _, ModificationOrders, Source, State as _, Step, ThreadId};

/// A failure and the steps that lead to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The failure, with the execution that shows it.
    pub bug: Bug,
    /// The steps of that execution, with threads by their paths.
    pub schedule: Vec<ScheduledStep>,
    /// The same, or an execution that begins with it, without telling reads their sources, if there is one.
    pub(crate) interleaving: Option<Vec<ScheduledStep>>,
}

/// Which steps of an execution that fails are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// All of them.
    All,
    /// Those that happen before the last one, and that one. An execution in which other threads have failed before, and
    /// did not go on, would look like one that cannot happen.
    Causes,
}

/// An execution under way, as far as describing it needs.
pub(crate) struct Current<'a, S: Subject> {
    pub(crate) subject: &'a S,
    pub(crate) execution: &'a S::Execution,
    pub(crate) trace: &'a Trace,
    /// How many threads there were in the initial state.
    pub(crate) initial: usize,
}

impl<S: Subject> Current<'_, S> {
    /// The failure in the state that the trace has led to.
    pub(crate) fn failure(&self, failure: &Failure<S>, shown: Shown) -> Found {
        let bug = self.subject.describe_failure(self.execution, self.trace, failure);
        self.found(bug, shown)
    }

    /// `bug`, whose threads are numbered by ids, with its schedule.
    pub(crate) fn found(&self, mut bug: Bug, shown: Shown) -> Found {
        add_threads(&mut bug.execution, self.trace);
        add_orders(&mut bug.execution, self.execution);
        let last = self.trace.events_from(0).next_back();
        let is_kept = |event: &usize| match (shown, last) {
            (Shown::All, _) | (_, None) => true,
            (Shown::Causes, Some(last)) => {
                let event = EventId::new(*event);
                event == last || self.trace.happens_before(event, last)
            }
        };
        let kept: Vec<usize> = (0..self.trace.len()).filter(is_kept).collect();
        if shown == Shown::Causes {
            bug.execution = bug.execution.arranged(&kept);
        }
        let born_in = |event: usize| kept.binary_search(&event).is_ok();
        BirthOrder::new(self.execution, self.trace, self.initial, born_in).apply(&mut bug);
        let steps: Vec<Step> = self.trace.steps().collect();
        let schedule = self.scheduled(&kept);
        let interleaving = self.interleaving(&steps, &kept);
        Found { bug, schedule, interleaving }
    }

    /// The `kept` steps as an interleaving, if reads are told their sources and there is one.
    fn interleaving(&self, steps: &[Step], kept: &[usize]) -> Option<Vec<ScheduledStep>> {
        let events = interleaving(self.execution, self.trace)?.into_iter();
        let is_step = |event: &EventId| {
            kept.binary_search(&event.index()).is_ok() && !self.subject.is_told_only(self.execution, *event)
        };
        let step = |event: EventId| ScheduledStep {
            thread: self.execution.path(steps[event.index()].thread).to_string(),
            choice: steps[event.index()].choice,
            reads: Vec::new(),
            place: None,
        };
        Some(events.filter(is_step).map(step).collect())
    }

    /// All steps by the lasting names of their threads.
    pub(crate) fn schedule(&self) -> Vec<ScheduledStep> {
        self.scheduled(&(0..self.trace.len()).collect::<Vec<_>>())
    }

    /// The `kept` steps by the lasting names of their threads. Those that they read from are among them: they happen before
    /// them.
    fn scheduled(&self, kept: &[usize]) -> Vec<ScheduledStep> {
        let number = |source: &Source| match source {
            Source::Initial => 0,
            Source::Event(event) => kept.binary_search(&event.index()).map_or(0, |position| position as u32 + 1),
        };
        let places = self.execution.modification_orders().map(ModificationOrders::places).unwrap_or_default();
        let paths: Vec<String> = (0..self.execution.threads())
            .map(|thread| self.execution.path(ThreadId::new(thread)).to_string())
            .collect();
        let scheduled = |event: EventId| {
            let step = self.trace.event(event).step;
            ScheduledStep {
                thread: paths[step.thread.index()].clone(),
                choice: step.choice,
                reads: self.execution.told(event).iter().map(number).collect(),
                place: places.get(&event).map(number),
            }
        };
        kept.iter().map(|&event| scheduled(EventId::new(event))).collect()
    }
}

impl Found {
    /// Has `host` save the execution, which comes after `number` others, and notes in the bug how to run it again, or
    /// in `notes` why it could not be saved. What is not a failure of the program alone cannot be run again.
    pub fn save<S: Subject>(&mut self, subject: &S, host: &mut dyn Host<S>, number: usize, notes: &mut Vec<String>) {
        if matches!(self.bug.kind, BugKind::Nondeterminism | BugKind::Unsupported) {
            return;
        }
        match host.save(subject, &self.bug, &self.schedule, number) {
            Ok(replay) => self.bug.replay = replay,
            Err(error) => notes.push(format!("the execution could not be saved for replay: {error}")),
        }
    }
}
