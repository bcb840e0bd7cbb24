//! One worker: it explores, and returns its results. Its executions never leave its thread.

use crate::collect::Collector;
use crate::findings::{Findings, Identity, MOST_BUGS};
use crate::found::{Found, Shown};
use crate::length::too_long;
use crate::memory_model::Stage;
use crate::profile::Profiler;
use crate::settings::{AfterFailure, Profiling, Settings, TooLong};
use crate::subject::{Failure, Subject};
use crate::summary::{describe_cut, describe_mistake, describe_refusal, not_known};
use everyway_explore::{
    Counts, Cut, End, Estimate, Exchange, Explorer, Guarantee, Limits, Subtree, Trace, Unsupported,
};
use everyway_report::BugKind;
use everyway_report::frontier::Remark;
use everyway_runtime::State as _;

/// Why an exploration starts over.
pub(crate) enum StartOver<A> {
    /// This assumption is wrong.
    Without(A),
    /// Under another memory model.
    In(Stage),
}

/// What came of a worker.
pub(crate) struct Worked<A> {
    pub(crate) counts: Counts,
    /// Why it has ended early.
    pub(crate) cut: Vec<String>,
    /// What it has left out in what it has explored.
    pub(crate) left_out: Vec<String>,
    pub(crate) starts_over: Option<StartOver<A>>,
    pub(crate) remarks: Vec<Remark>,
    /// Whether it has ended because the strategy cannot explore the program: every worker comes to the same end.
    pub(crate) is_refused: bool,
    /// What it has not explored; none if that cannot be told.
    pub(crate) left: Option<Vec<Subtree>>,
    /// In how many of its executions each bug was found.
    pub(crate) executions: Vec<u64>,
    /// Whether it has come to the end of the program.
    pub(crate) reaches_the_end: bool,
    /// Where its executions come from, if that was asked for.
    pub(crate) profiler: Option<Profiler>,
}

/// Explores `subject` under its present assumptions, as far as `limits` allow: what `exchange` has, or everything. The only
/// worker tells how far it has come, and has been told how many executions there may be ([`Collector::telling`]).
pub(crate) fn work<S: Subject>(
    subject: &S,
    settings: &Settings,
    stage: &Stage,
    limits: Limits,
    findings: &Findings<'_, S>,
    exchange: Option<&mut dyn Exchange>,
    alone: Option<&dyn Fn(Estimate) -> Estimate>,
) -> Worked<S::Assumption> {
    let mut strategy = settings.algorithm.strategy(settings.order.clone());
    let mut execution = subject.begin();
    let trial = (*stage == Stage::Trial).then_some(settings.trial);
    let collector = Collector::new(subject, settings, &limits, execution.threads(), findings);
    let mut collector = collector.trying(trial).telling(alone);
    let mut explorer = Explorer::new(&mut execution, &mut *strategy, limits).verified(settings.verification);
    if let Some(exchange) = exchange {
        explorer = explorer.shared_with(exchange);
    }
    if settings.profiling == Profiling::On {
        explorer = explorer.with_order();
    }
    let end = explorer.run_watched(&mut collector);
    let mut counts = explorer.counts();
    if matches!(&end, End::Failed(failure) if subject.kind(failure) == BugKind::StepLimit) {
        // It was cut in the middle of a step, and has not failed.
        counts.failed = counts.failed.saturating_sub(1);
    }
    let left = explorer.left();
    let is_refused = matches!(end, End::Stopped(Cut::Unsupported(what)) if what != Unsupported::Subtree);
    let concluded = conclude(&mut collector, end, explorer.program(), explorer.trace(), (settings, stage));
    drop(explorer);
    let (executions, profiler) = (collector.executions, collector.profiler);
    let (cut, starts_over) = match concluded {
        Ok(cut) => (cut, None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let reaches_the_end = subject.reaches_the_end(&execution);
    findings.lock().assume(subject.assumed(&execution));
    findings.lock().set_aside(subject.set_aside(&execution));
    let mistake = match strategy.guarantee() {
        Guarantee::Lost(mistake) => Some(mistake),
        Guarantee::Nothing | Guarantee::Sound | Guarantee::Optimal => None,
    };
    let left_out = subject.cuts(&execution).into_iter().chain(mistake.map(describe_mistake)).collect();
    let fails = starts_over.is_some() || !findings.lock().found.is_empty();
    let remarks = if fails { Vec::new() } else { subject.remarks(&mut execution) };
    if fails {
        subject.abandon(&mut execution);
    }
    Worked { counts, cut, left_out, starts_over, remarks, is_refused, left, executions, reaches_the_end, profiler }
}

/// Keeps what has ended the exploration, and returns what was cut.
///
/// # Errors
/// Why the exploration has to start over.
fn conclude<S: Subject>(
    collector: &mut Collector<'_, '_, S>,
    end: End<Failure<S>>,
    execution: &S::Execution,
    trace: &Trace,
    (settings, stage): (&Settings, &Stage),
) -> Result<Vec<String>, StartOver<S::Assumption>> {
    let current = collector.current(execution, trace);
    let (subject, findings) = (collector.subject, collector.findings);
    let last = match end {
        End::Finished => return Ok(Vec::new()),
        End::Stopped(Cut::Interrupted) if findings.lock().is_full() => {
            return Ok(vec![format!("the exploration ended with the {MOST_BUGS}th bug")]);
        }
        End::Stopped(Cut::Interrupted) if collector.is_large && !settings.limits.is_cancelled() => {
            return stage.after_trial(settings).map_or(Ok(Vec::new()), |next| Err(StartOver::In(next)));
        }
        End::Stopped(Cut::Steps(limit)) => too_long(&current, limit),
        End::Stopped(Cut::Unsupported(Unsupported::Subtree)) => {
            return Ok(vec![describe_cut(Cut::Unsupported(Unsupported::Subtree), settings)]);
        }
        End::Stopped(Cut::Unsupported(what)) => {
            if let Some(assumption) = subject.behind_refusal(what).filter(|_| stage.is_weak()) {
                return Err(StartOver::Without(assumption));
            }
            let place = what.thread().and_then(|thread| subject.place_of_thread(execution, thread));
            let refusal = describe_refusal(what, place.as_ref());
            match stage.refused(&refusal, settings) {
                Some(next) if findings.lock().found.is_empty() => return Err(StartOver::In(next)),
                _ => return Ok(vec![not_known(&refusal, settings)]),
            }
        }
        End::Stopped(Cut::DataRace(race)) => match subject.describe_race(execution, trace, race) {
            Some(bug) => current.found(bug, Shown::All),
            None => return Ok(vec![describe_cut(Cut::DataRace(race), settings)]),
        },
        End::Stopped(cut) => return Ok(vec![describe_cut(cut, settings)]),
        End::Failed(failure) | End::Diverged(failure) => match subject.refuted(execution, &failure) {
            Some(assumption) => return Err(StartOver::Without(assumption)),
            None => current.failure(&failure, Shown::All),
        },
    };
    Ok(keep_last(collector, last, execution, settings))
}

/// Keeps what the exploration ended with, and returns what was cut.
fn keep_last<S: Subject>(
    collector: &Collector<'_, '_, S>,
    last: Found,
    execution: &S::Execution,
    settings: &Settings,
) -> Vec<String> {
    let mut cut = Vec::new();
    let mut found = collector.findings.lock();
    let place = last.bug.source.as_ref();
    match last.bug.kind {
        BugKind::StepLimit if settings.too_long == TooLong::IsCut => {
            let place = place.map(|source| format!(", in the loop at {source}")).unwrap_or_default();
            cut.push(format!("an execution was cut{place}, and the exploration ended there"));
        }
        BugKind::Unsupported if !found.found.is_empty() => {
            let place = place.map(|source| format!(" at {source}")).unwrap_or_default();
            return vec![format!("the exploration ended{place}: {}", last.bug.message)];
        }
        _ => {}
    }
    // Of workers that fail at the same time, one has found the first failure.
    if settings.after_failure == AfterFailure::GoOn || found.found.is_empty() {
        let identity = Identity::last(&last);
        found.keep(last, identity, collector.subject, execution);
    }
    cut
}
