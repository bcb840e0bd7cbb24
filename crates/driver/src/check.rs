//! A check: explorations, until one is not in need of starting over, and what it comes to.

use crate::collect::{Collected, Collector, MOST_BUGS};
use crate::found::Shown;
use crate::length::too_long;
use crate::memory_model::Stage;
use crate::replay::in_detail;
use crate::settings::{Settings, TooLong, remaining};
use crate::subject::{Failure, Host, Subject};
use crate::summary::{describe_cut, describe_mistake, report};
use everyway_explore::{Cut, End, Explorer, Trace};
use everyway_report::{BugKind, Report, Verdict};
use everyway_runtime::State as _;
use std::time::Instant;

/// Explores `subject` as `settings` say, and reports.
pub fn check<S: Subject>(subject: &mut S, settings: &Settings, host: &mut dyn Host<S>) -> Report {
    let started = Instant::now();
    let settings = Settings { limits: settings.effective_limits(), ..settings.clone() };
    let mut stage = Stage::first(&settings);
    loop {
        subject.run_under(stage.rules(&settings));
        // What was explored so far is not wrong, but not enough.
        match explore(subject, &settings, &stage, started, host) {
            Err(StartOver::Without(assumption)) => {
                subject.retract(assumption);
                if subject.has_weak_orderings() {
                    stage = stage.with_weak_orderings(&settings);
                }
                if let Some(next) = subject.refused().and_then(|what| stage.refused(what)) {
                    stage = next;
                }
            }
            Err(StartOver::In(next)) => stage = next,
            Ok(mut report) => {
                report.seconds = started.elapsed().as_secs_f64();
                return report;
            }
        }
    }
}

/// Why an exploration starts over.
enum StartOver<A> {
    /// This assumption is wrong.
    Without(A),
    /// Under another memory model.
    In(Stage),
}

/// Explores `subject` under its present assumptions.
///
/// # Errors
/// Why it has to start over.
fn explore<S: Subject>(
    subject: &S,
    settings: &Settings,
    stage: &Stage,
    started: Instant,
    host: &mut dyn Host<S>,
) -> Result<Report, StartOver<S::Assumption>> {
    let settings = &Settings { algorithm: stage.algorithm(settings), ..settings.clone() };
    let mut strategy = settings.algorithm.strategy(settings.order.clone());
    let mut execution = subject.begin();
    let mut collector = Collector::new(subject, settings, execution.threads(), host);
    let mut explorer = Explorer::new(&mut execution, &mut *strategy, remaining(&settings.limits, started))
        .verified(settings.verification);
    let end = explorer.run_watched(&mut collector);
    let counts = explorer.counts();
    let cut = conclude(&mut collector, end, explorer.program(), explorer.trace(), (settings, stage));
    drop(explorer);
    let Collector { found, mut notes, .. } = collector;
    let fails = !found.is_empty();
    let described = cut.map(|mut cut| {
        cut.extend(subject.cuts(&execution));
        cut.extend(stage.cut(settings));
        cut.extend(strategy.mistake().map(describe_mistake));
        let mut all = subject.notes(&mut execution, counts, fails);
        all.append(&mut notes);
        all.extend(stage.note(settings));
        let assumed = subject.assumed(&execution);
        Report { assumed, ..report(strategy.name(), counts, cut, all) }
    });
    if fails || described.is_err() {
        subject.abandon(&mut execution);
    }
    drop(execution);
    let mut report = described?;
    add_bugs(&mut report, found, settings, host);
    Ok(report)
}

/// Adds the bugs to the report, each described as well as it can be.
fn add_bugs<S: Subject>(report: &mut Report, found: Vec<Collected<S>>, settings: &Settings, host: &mut dyn Host<S>) {
    let mut bugs = Vec::new();
    for (number, Collected { mut found, in_detail: again }) in found.into_iter().enumerate() {
        if let Some(subject) = again
            && let Some(mut better) = in_detail(&subject, &found, &settings.limits)
        {
            better.bug.executions = found.bug.executions;
            better.save(&subject, host, number, &mut report.notes);
            found = better;
        }
        bugs.push(found.bug);
    }
    let is_failure = |kind: BugKind| kind != BugKind::StepLimit || settings.too_long == TooLong::Fails;
    if bugs.iter().any(|bug| is_failure(bug.kind)) {
        report.verdict = Verdict::Bug;
    }
    let mut bugs = bugs.into_iter();
    report.bug = bugs.next();
    report.further_bugs = bugs.collect();
}

/// Has the collector keep what has ended the exploration, and returns what was cut.
///
/// # Errors
/// Why the exploration has to start over.
fn conclude<S: Subject>(
    collector: &mut Collector<'_, S>,
    end: End<Failure<S>>,
    execution: &S::Execution,
    trace: &Trace,
    (settings, stage): (&Settings, &Stage),
) -> Result<Vec<String>, StartOver<S::Assumption>> {
    let current = collector.current(execution, trace);
    let last = match end {
        End::Finished => return Ok(Vec::new()),
        End::Stopped(Cut::Interrupted) if collector.is_full() => {
            return Ok(vec![format!("the exploration ended with the {MOST_BUGS}th bug")]);
        }
        End::Stopped(Cut::Steps(limit)) => too_long(&current, limit),
        End::Stopped(Cut::Unsupported(what)) => match stage.refused(what) {
            Some(next) if collector.found.is_empty() => return Err(StartOver::In(next)),
            _ => return Ok(vec![describe_cut(Cut::Unsupported(what), settings)]),
        },
        End::Stopped(Cut::DataRace(race)) => match collector.subject.describe_race(execution, trace, race) {
            Some(bug) => current.found(bug, Shown::All),
            None => return Ok(vec![describe_cut(Cut::DataRace(race), settings)]),
        },
        End::Stopped(cut) => return Ok(vec![describe_cut(cut, settings)]),
        End::Failed(failure) | End::Diverged(failure) => match collector.subject.refuted(execution, &failure) {
            Some(assumption) => return Err(StartOver::Without(assumption)),
            None => current.failure(&failure, Shown::All),
        },
    };
    let mut cut = Vec::new();
    let place = last.bug.source.as_ref();
    match last.bug.kind {
        BugKind::StepLimit if settings.too_long == TooLong::IsCut => {
            let place = place.map(|source| format!(", in the loop at {source}")).unwrap_or_default();
            cut.push(format!("an execution was cut{place}, and the exploration ended there"));
        }
        BugKind::Unsupported if !collector.found.is_empty() => {
            let place = place.map(|source| format!(" at {source}")).unwrap_or_default();
            return Ok(vec![format!("the exploration ended{place}: {}", last.bug.message)]);
        }
        _ => {}
    }
    collector.keep(last, execution);
    Ok(cut)
}
