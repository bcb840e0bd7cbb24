//! Running one execution again, from its file or by its steps.

use crate::found::{Current, Found, Shown};
use crate::length::too_long;
use crate::memory_model::{ModelChoice, Rules};
use crate::retell::retell;
use crate::script::Schedule;
use crate::settings::{Settings, TooLong, for_one, remaining};
use crate::subject::{Failure, Subject};
use crate::summary;
use everyway_explore::{
    AfterFailure, Counts, Cut, End, Explorer, Limits, MemoryModel, Progress, Script, Strategy, Trace, Watcher,
};
use everyway_report::replay::{ReplayFile, describe};
use everyway_report::{Bug, BugKind, Execution, Executions, Report, Verdict};
use everyway_runtime::{State as _, Step};
use std::ops::ControlFlow;
use std::time::Instant;

/// What came of an execution that was run again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What was run.
    pub execution: Execution,
    /// What fails, if anything does.
    pub bug: Option<Bug>,
    /// The first difference to the saved execution, in words, if there is one: then this is another program.
    pub difference: Option<String>,
    /// Whether it was interrupted, or took too long, before it came to its end.
    pub stopped: Option<String>,
    counts: Counts,
}

/// Runs the execution in `file` again. `executed` is shown the execution in its last state, whatever comes of it.
pub fn replay<S: Subject>(
    subject: &mut S,
    file: &ReplayFile,
    settings: &Settings,
    mut executed: impl FnMut(&S::Execution),
) -> Replayed {
    let started = Instant::now();
    subject.run_under(told_model(file, settings).map_or(Rules::INTERLEAVED, Rules::told));
    loop {
        match run(subject, file, settings, started, &mut executed) {
            Err(assumption) => subject.retract(assumption),
            Ok(replayed) => return replayed,
        }
    }
}

/// The memory model of a saved execution, if its reads are told their sources.
pub(crate) fn told_model(file: &ReplayFile, settings: &Settings) -> Option<MemoryModel> {
    let model = match settings.memory_model {
        ModelChoice::Explicit(model) => model,
        ModelChoice::Auto => MemoryModel::Rc11,
    };
    Schedule::is_told(&file.schedule).then_some(model)
}

fn run<S: Subject>(
    subject: &S,
    file: &ReplayFile,
    settings: &Settings,
    started: Instant,
    executed: &mut dyn FnMut(&S::Execution),
) -> Result<Replayed, S::Assumption> {
    let mut execution = subject.begin();
    let initial = execution.threads();
    // Where reads are told, it is the schedule that says that the execution has ended.
    let ends = Schedule::is_told(&file.schedule) && file.outcome.kind != Some(BugKind::StepLimit);
    let limits = for_one(&settings.limits, file.schedule.len().max(1) + usize::from(ends));
    let mut schedule = Schedule::new(&file.schedule, &limits, started);
    let mut explorer = Explorer::new(&mut execution, &mut schedule, remaining(&limits, started));
    let mut watcher = Expecting { subject, file, initial, last: None };
    let end = explorer.run_watched(&mut watcher);
    let last = watcher.last;
    let (counts, trace) = (explorer.counts(), explorer.trace());
    let current = Current { subject, execution: explorer.program(), trace, initial };
    // Steps are compared by what they do, not by what comes before them, which takes longer to tell.
    let shown = subject.describe(current.execution, &Trace::new());
    let difference = first_difference(&shown, file);
    let refuted = match &end {
        End::Failed(failure) | End::Diverged(failure) => subject.refuted(current.execution, failure),
        End::Finished | End::Stopped(_) => None,
    };
    let result = refuted.map_or(Ok(()), Err).map(|()| match end {
        End::Failed(failure) => (Some(current.failure(&failure, Shown::All).bug), difference),
        End::Diverged(_) if last.is_none() => {
            (None, Some(difference.unwrap_or_else(|| cannot_go_on(file, trace.len()))))
        }
        End::Stopped(Cut::Steps(limit)) if last.is_none() && file.outcome.kind == Some(BugKind::StepLimit) => {
            (Some(too_long(&current, limit).bug), difference)
        }
        End::Finished | End::Stopped(_) | End::Diverged(_) => (last, difference),
    });
    if result.is_ok() {
        executed(current.execution);
    }
    drop(explorer);
    if !matches!(result, Ok((None, None))) {
        subject.abandon(&mut execution);
    }
    let (bug, difference) = result?;
    let stopped = schedule.stopped().map(|cut| summary::describe_cut(cut, settings));
    Ok(Replayed { execution: shown, bug, difference, stopped, counts })
}

/// Goes on after failures up to the end of the schedule: an execution that was found by going on after failures may
/// have some on its way.
struct Expecting<'a, S: Subject> {
    subject: &'a S,
    file: &'a ReplayFile,
    initial: usize,
    /// The last failure that is not the expected one.
    last: Option<Bug>,
}

impl<S: Subject> Watcher<S::Execution> for Expecting<'_, S> {
    fn executed(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn failed(&mut self, failure: &Failure<S>, execution: &S::Execution, trace: &Trace) -> AfterFailure {
        let is_at_end = trace.len() >= self.file.schedule.len();
        if !self.subject.can_go_on(failure) || self.subject.refuted(execution, failure).is_some() {
            return AfterFailure::Stop;
        }
        let current = Current { subject: self.subject, execution, trace, initial: self.initial };
        let bug = current.failure(failure, Shown::All).bug;
        if is_at_end && is_expected(&bug, self.file) {
            return AfterFailure::Stop;
        }
        self.last = Some(bug);
        AfterFailure::GoOn(0)
    }
}

fn is_expected(bug: &Bug, file: &ReplayFile) -> bool {
    Some(bug.kind) == file.outcome.kind && bug.message == file.outcome.message
}

fn cannot_go_on(file: &ReplayFile, position: usize) -> String {
    let expected = file.steps_described.get(position).map_or("", String::as_str);
    format!("step {} was `{expected}`, which cannot be taken now", position + 1)
}

/// The first step that does not do what the file says, if there is one.
fn first_difference(execution: &Execution, file: &ReplayFile) -> Option<String> {
    let name = |thread: usize| execution.threads.get(thread).map_or("", |thread| thread.name.as_str());
    let now = execution.events.iter().map(|event| describe(name(event.thread), event));
    let mut steps = now.zip(&file.steps_described).enumerate();
    let (position, (now, expected)) = steps.find(|(_, (now, expected))| now != *expected)?;
    Some(format!("step {} was `{expected}`, and now is `{now}`", position + 1))
}

impl Replayed {
    /// The report on the execution in `file`; `cut` says that it is only one.
    pub fn report(self, file: &ReplayFile, settings: &Settings, cut: &str) -> Report {
        let mut notes = Vec::new();
        if !self.bug.as_ref().is_some_and(|bug| is_expected(bug, file)) {
            notes.push(match file.outcome.kind {
                Some(_) => format!("it used to end with: {}", file.outcome.message),
                None => "it used to end well".to_owned(),
            });
        }
        let cut = [cut.to_owned()].into_iter().chain(self.stopped).collect();
        let mut report = summary::report("replay", self.counts, cut, notes);
        report.executions = Executions { redundant: 0, ..report.executions };
        let is_failure = |bug: &Bug| bug.kind != BugKind::StepLimit || settings.too_long == TooLong::Fails;
        if self.bug.as_ref().is_some_and(is_failure) {
            report.verdict = Verdict::Bug;
        }
        report.bug = self.bug;
        report
    }
}

/// What came of following steps.
#[derive(Clone, Debug)]
pub enum Followed {
    /// The execution fails.
    Failed(Box<Found>),
    /// It does not, or cannot be followed further than for so many steps.
    NotFailed {
        /// How many steps were taken.
        steps: usize,
    },
}

/// Runs the execution that consists of `steps`. Its threads have the ids that they get when they are met in it. If it
/// does not fail by itself, and was followed to its end, it fails with `in_the_end`, if that is given. What fails is told
/// with as few context switches as it can be.
pub fn follow<S: Subject>(subject: &S, steps: Vec<Step>, limits: &Limits, in_the_end: Option<Failure<S>>) -> Followed {
    let one = for_one(limits, steps.len() + 1);
    let end = in_the_end.map(|failure| (steps.len(), failure));
    match follow_strategy(subject, &mut Script::new(steps), &one, end) {
        Followed::Failed(found) => Followed::Failed(retell(subject, &found, limits).map_or(found, Box::new)),
        not_failed @ Followed::NotFailed { .. } => not_failed,
    }
}

pub(crate) fn follow_strategy<S: Subject>(
    subject: &S,
    strategy: &mut dyn Strategy,
    limits: &Limits,
    in_the_end: Option<(usize, Failure<S>)>,
) -> Followed {
    let mut execution = subject.begin();
    let initial = execution.threads();
    let mut explorer = Explorer::new(&mut execution, strategy, remaining(limits, Instant::now()));
    let end = explorer.run(|_| ControlFlow::Continue(()));
    let current = Current { subject, execution: explorer.program(), trace: explorer.trace(), initial };
    let failure = match end {
        End::Failed(failure) => Some(failure),
        End::Finished | End::Stopped(_) => {
            in_the_end.filter(|(steps, _)| *steps == current.trace.len()).map(|(_, failure)| failure)
        }
        End::Diverged(_) => None,
    };
    let followed = match failure {
        Some(failure) => Followed::Failed(Box::new(current.failure(&failure, Shown::All))),
        None => Followed::NotFailed { steps: current.trace.len() },
    };
    drop(explorer);
    if matches!(followed, Followed::Failed(_)) {
        subject.abandon(&mut execution);
    }
    followed
}
