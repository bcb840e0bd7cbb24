//! An exploration from its settings to its report.

use super::Builder;
use super::identity::Identity;
use crate::model::detail::Detail;
use crate::model::program::{Program, Unstarted};
use crate::model::{Failure, Model, Settings};
use everyway_explore::{Counts, Cut, End, Explorer, Strategy, Trace, describe_cut, summarise};
use everyway_render::terminal::Progress;
use everyway_report::replay::ReplayFile;
use everyway_report::{Bug, BugKind, Divergence, Execution, Report, Verdict};
use everyway_runtime::Step;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How many executions a strategy that never ends by itself explores.
const SAMPLES: u64 = 10_000;

/// Explores `f`.
pub(super) fn run(builder: &Builder, f: &dyn Fn(), identity: &Identity) -> Report {
    crate::model::panics::install_hook();
    let started = Instant::now();
    let mut settings = builder.settings.clone();
    let (mut report, bug) = with_enough_detail(
        &mut settings,
        |settings| explore_with(builder, settings.clone(), f),
        |(_, bug)| bug.as_ref(),
    );
    report.seconds = started.elapsed().as_secs_f64();
    if let Some(found) = bug {
        let Found { mut bug, schedule, .. } = with_texts(found, &settings, f);
        save(&mut bug, &schedule, identity, &mut report.notes);
        report.verdict = Verdict::Bug;
        report.bug = Some(bug);
    }
    report
}

/// Calls `explore` with the settings. If what it found is that the program looks at a detail that is not kept track
/// of, calls it again with settings that say so.
pub(super) fn with_enough_detail<R>(
    settings: &mut Settings,
    mut explore: impl FnMut(&Settings) -> R,
    found: impl Fn(&R) -> Option<&Found>,
) -> R {
    loop {
        let result = explore(settings);
        let wanted = found(&result).and_then(|found| found.wanted);
        match wanted.filter(|&detail| !settings.details.contains(detail)) {
            Some(detail) => settings.details = settings.details.with(detail),
            None => return result,
        }
    }
}

/// What was found, with what the messages look like: the execution is run again to know.
fn with_texts(found: Found, settings: &Settings, f: &dyn Fn()) -> Found {
    if !found.untold {
        return found;
    }
    let settings = Settings { details: settings.details.with(Detail::Texts), ..settings.clone() };
    let again = super::replay::again(settings, f, &found);
    // If it is not the same again, the program is not deterministic, which is for its exploration to say.
    match again {
        Some(again) if again.bug.kind == found.bug.kind && again.schedule == found.schedule => again,
        _ => found,
    }
}

fn explore_with(builder: &Builder, settings: Settings, f: &dyn Fn()) -> (Report, Option<Found>) {
    let mut strategy = builder.algorithm.strategy(builder.order.clone());
    match Program::new(Model::new(settings), f) {
        Ok(mut program) => explore(builder, &mut program, &mut *strategy),
        Err(Unstarted { mut program, failure }) => {
            let bug = describe_failure(&program, &Trace::new(), *failure);
            program.abandon();
            (summarise(&*strategy, Counts { failed: 1, ..Counts::default() }, Duration::ZERO, Vec::new()), Some(bug))
        }
    }
}

/// A bug and the steps that lead to it.
pub(super) struct Found {
    pub(super) bug: Bug,
    pub(super) schedule: Vec<Step>,
    /// The detail that the program looks at, if that is all that is wrong.
    wanted: Option<Detail>,
    /// Whether messages were sent, and it is not known what they look like.
    untold: bool,
}

fn explore(builder: &Builder, program: &mut Program<'_>, strategy: &mut dyn Strategy) -> (Report, Option<Found>) {
    let mut limits = builder.limits.clone();
    if !strategy.is_exhaustive() && limits.executions.is_none() && limits.time.is_none() {
        limits.executions = Some(SAMPLES);
    }
    let mut line = Progress::new();
    let mut explorer = Explorer::new(program, strategy, limits);
    let end = explorer.run(|progress| {
        line.update(progress.counts.executions(), || progress.estimate().total);
        ControlFlow::Continue(())
    });
    drop(line);
    let counts = explorer.counts();
    let found = match end {
        End::Finished => Ok(None),
        End::Failed(failure) | End::Diverged(failure) => {
            Err(describe_failure(explorer.program(), explorer.trace(), *failure))
        }
        End::Stopped(Cut::Steps(limit)) => {
            Err(describe_failure(explorer.program(), explorer.trace(), too_long(explorer.program(), limit)))
        }
        End::Stopped(cut) => Ok(Some(cut)),
    };
    drop(explorer);
    let mut cuts = Vec::new();
    if program.model().state().not_interleaved {
        cuts.push("what was done while a panic unwound was not interleaved with other threads".to_owned());
    }
    match found {
        Ok(cut) => {
            cuts.extend(cut.map(|cut| describe_cut(cut, builder.algorithm)));
            let mut report = summarise(strategy, counts, Duration::ZERO, cuts);
            report.notes.extend(program.leftovers().remark(counts.complete + counts.blocked));
            (report, None)
        }
        Err(found) => {
            program.abandon();
            (summarise(strategy, counts, Duration::ZERO, cuts), Some(found))
        }
    }
}

/// The failure of an execution that has reached the limit on its steps.
fn too_long(program: &Program<'_>, limit: usize) -> Failure {
    let log = program.log();
    let tail = &log[log.len().saturating_sub(100)..];
    // The place that the end of the execution comes by most often is in the loop.
    let times = |site| tail.iter().filter(|logged| logged.label.caller == site).count();
    let site = tail.iter().map(|logged| logged.label.caller).max_by_key(|&site| times(site));
    let stuck = tail.iter().rev().find(|logged| Some(logged.label.caller) == site);
    Failure {
        source: site.map(crate::model::describe::source),
        thread: stuck.map(|logged| logged.step.thread),
        ..Failure::new(BugKind::StepLimit, format!("an execution is longer than {limit} steps"))
    }
}

/// A failure as reports have it.
pub(super) fn describe_failure(program: &Program<'_>, trace: &Trace, failure: Failure) -> Found {
    let mut execution = program.describe(trace);
    let schedule: Vec<Step> = program.log().iter().map(|logged| logged.step).collect();
    let divergence = (!failure.before.is_empty()).then(|| {
        let before = program.describe_steps(&failure.before);
        let first_difference = failure.before.len() - 1;
        execution = diverged(program, &execution, first_difference);
        Divergence { before, first_difference }
    });
    let (waits, unreceived) = match failure.kind {
        BugKind::Deadlock | BugKind::Livelock => (program.waits(), program.unreceived()),
        _ => (Vec::new(), Vec::new()),
    };
    let source = failure.source.clone().or_else(|| waits.first().and_then(|wait| wait.source.clone()));
    let tips = tips(&failure, source.as_ref());
    let bug = Bug {
        kind: failure.kind,
        message: failure.message,
        source,
        thread: failure.thread.map(everyway_runtime::ThreadId::index),
        execution,
        waits,
        unreceived,
        accesses: failure.accesses,
        tips,
        divergence,
        replay: None,
        executions: 1,
    };
    Found { bug, schedule, wanted: failure.wanted, untold: program.model().state().untold }
}

/// The new execution, up to and including what was about to be done where it differs.
fn diverged(program: &Program<'_>, execution: &Execution, first_difference: usize) -> Execution {
    let mut events: Vec<_> = execution.events.iter().take(first_difference).cloned().collect();
    events.extend(program.describe_announced(first_difference));
    Execution { threads: execution.threads.clone(), events }
}

fn tips(failure: &Failure, source: Option<&everyway_report::Source>) -> Vec<String> {
    let place = source.map_or("it".to_owned(), |source| format!("the loop at {}:{}", source.file, source.line));
    match failure.kind {
        BugKind::StepLimit => vec![
            format!(
                "if {place} waits for another thread, call everyway::hint::spin_loop() or everyway::thread::yield_now() in it: it is then explored without any bound"
            ),
            "if the execution is just long, raise the limit with Builder::max_steps or EVERYWAY_MAX_STEPS".to_owned(),
        ],
        BugKind::Livelock => {
            vec!["if the loop gives up after some rounds, use Builder::wait_at_hints(false)".to_owned()]
        }
        BugKind::DataRace if failure.accesses.iter().any(|access| access.operation == crate::cell::GET) => {
            vec!["the pointer of UnsafeCell::get counts as a write; use Tracked::with where it is only read".to_owned()]
        }
        BugKind::Nondeterminism => vec![
            "who drops an Arc last is not seen: if what is in it does something when it is dropped, such as closing a channel, put it outside of the Arc, or drop it by hand".to_owned(),
        ],
        _ => Vec::new(),
    }
}

/// Writes the replay file, and says in the bug how to use it.
fn save(bug: &mut Bug, schedule: &[Step], identity: &Identity, notes: &mut Vec<String>) {
    if bug.kind == BugKind::Nondeterminism {
        return;
    }
    let steps = everyway_explore::schedule(schedule.iter().copied());
    let replay = identity.replay();
    match ReplayFile::new(identity.program(), steps, bug).save(&replay.file) {
        Ok(()) => bug.replay = Some(replay),
        Err(error) => notes.push(format!("the execution could not be saved for replay: {error}")),
    }
}
