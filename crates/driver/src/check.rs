//! A check: explorations, until one is not in need of starting over, and what it comes to.

use crate::explain::{explain, model_of};
use crate::findings::{Collected, Findings};
use crate::memory_model::Stage;
use crate::pool::{Member, Pool};
use crate::portfolio;
use crate::profile::Profiler;
use crate::retell::{in_detail, interleaved, retell};
use crate::settings::{Settings, TooLong, remaining};
use crate::subject::{Host, SoFar, Subject};
use crate::summary::{describe_cut, describe_end, describe_remark, executions, report};
use crate::work::{StartOver, Worked, work};
use everyway_explore::{Algorithm, Counts, Estimate, Limits, MemoryModel, Subtree};
use everyway_report::frontier::{Exploration, FoundBug, FrontierError, Remark};
use everyway_report::{BugKind, Report, Verdict};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a check with several workers looks whether it is to end, and tells how far it has come.
const PERIOD: Duration = Duration::from_millis(20);
/// What takes longer than this is worth going on with.
const LONG: Duration = Duration::from_secs(1);
/// Workers stand still within this time to have what is left saved, or it is saved another time.
const MOST_PATIENCE: Duration = Duration::from_secs(10);

/// Explores `subject` as `settings` say, and reports.
pub fn check<S: Subject>(subject: &mut S, settings: &Settings, host: &mut dyn Host<S>) -> Report {
    if let Some(members) = settings.algorithm.members() {
        return portfolio::check(subject, settings, host, &members);
    }
    let settings = Settings { limits: settings.effective_limits(), ..settings.clone() };
    run(subject, &settings, host, Stage::first(&settings), None)
}

/// Goes on with an exploration of `subject` that was saved ([`Host::checkpoint`]), as `settings` say, and reports on all
/// of it. That it is of this program and with these settings is for the caller to know.
///
/// # Errors
/// If it cannot be one of this program.
pub fn resume<S: Subject>(
    subject: &mut S,
    settings: &Settings,
    host: &mut dyn Host<S>,
    saved: Exploration,
) -> Result<Report, FrontierError> {
    let settings = Settings { limits: settings.effective_limits(), ..settings.clone() };
    let no = |what: String| FrontierError::new(what, "run the check again from its beginning");
    if settings.algorithm.members().is_some() {
        return Err(no(format!("`{}` cannot be gone on with", settings.algorithm.name())));
    }
    let stage = Stage::named(&saved.stage, &settings);
    let stage = stage.ok_or_else(|| no(format!("`{}` is nothing that an exploration comes to", saved.stage)))?;
    for name in &saved.assumptions {
        if !subject.retract_named(name) {
            return Err(no(format!("there is no assumption `{name}` about a program")));
        }
    }
    let subtrees: Result<Vec<Subtree>, _> = saved.subtrees.iter().map(|text| text.parse()).collect();
    let subtrees = subtrees.map_err(|error| no(error.to_string()))?;
    Ok(run(subject, &settings, host, stage, Some((saved, subtrees))))
}

fn run<S: Subject>(
    subject: &mut S,
    settings: &Settings,
    host: &mut dyn Host<S>,
    mut stage: Stage,
    mut saved: Option<(Exploration, Vec<Subtree>)>,
) -> Report {
    let started = Instant::now();
    loop {
        subject.run_under(stage.rules(settings));
        let before = saved.as_ref().map_or(0, |(saved, _)| saved.milliseconds) as f64 / 1000.0;
        // What was explored so far is not wrong, but not enough.
        match explore(subject, settings, &stage, started, host, saved.take()) {
            Err(StartOver::Without(assumption)) => {
                subject.retract(assumption);
                if subject.has_weak_orderings() {
                    stage = stage.with_weak_orderings(settings);
                }
                if let Some(next) = subject.refused().and_then(|what| stage.refused(what, settings)) {
                    stage = next;
                }
                if let Some(next) = stage.unsuitable(settings).filter(|_| subject.has_commuting()) {
                    stage = next;
                }
            }
            Err(StartOver::In(next)) => stage = next,
            Ok(mut report) => {
                report.seconds = before + started.elapsed().as_secs_f64();
                return report;
            }
        }
    }
}

/// What is known of an exploration besides what was found.
struct Known<'a> {
    settings: &'a Settings,
    stage: &'a Stage,
    started: Instant,
    /// What was explored before, by other processes.
    before: Exploration,
}

impl Known<'_> {
    /// The exploration as it is saved.
    fn exploration<S: Subject>(
        &self,
        subject: &S,
        counts: Counts,
        bugs: Vec<FoundBug>,
        left: &[Subtree],
    ) -> Exploration {
        let all = sum(&self.before, counts);
        Exploration {
            stage: self.stage.to_string(),
            assumptions: subject.retracted(),
            executions: executions(all),
            too_long: all.too_long,
            milliseconds: self.before.milliseconds.saturating_add(self.started.elapsed().as_millis() as u64),
            bugs,
            cut: self.before.cut.clone(),
            assumed: self.before.assumed.clone(),
            remarks: self.before.remarks.clone(),
            subtrees: left.iter().map(Subtree::to_string).collect(),
        }
    }
}

/// What was explored before, and since.
fn sum(before: &Exploration, since: Counts) -> Counts {
    let earlier = before.executions;
    let mut counts = Counts {
        complete: earlier.complete,
        blocked: earlier.blocked,
        redundant: earlier.redundant,
        failed: earlier.failed,
        too_long: before.too_long,
        steps: 0,
    };
    counts += since;
    counts
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
    saved: Option<(Exploration, Vec<Subtree>)>,
) -> Result<Report, StartOver<S::Assumption>> {
    let settings = &Settings { algorithm: stage.algorithm(settings), ..settings.clone() };
    let (before, subtrees) = match saved {
        Some((before, subtrees)) => (before, Some(subtrees)),
        None => {
            let root = settings.algorithm.root(settings.limits.executions.unwrap_or(u64::MAX));
            (Exploration::default(), root.map(|root| vec![root]))
        }
    };
    let jobs = if subtrees.is_some() { settings.jobs } else { NonZeroUsize::MIN };
    let settings = &Settings { jobs, ..settings.clone() };
    let findings = Findings::new(host, &before);
    let known = Known { settings, stage, started, before };
    let limits = remaining(&settings.limits, started.checked_sub(settings.spent).unwrap_or(started));
    let (workers, untaken) = match subtrees {
        Some(subtrees) => explore_shared(subject, &known, limits, &findings, subtrees),
        None => (vec![work(subject, settings, stage, limits, &findings, None)], Vec::new()),
    };
    conclude(subject, &known, findings, workers, untaken)
}

/// Explores `subtrees` with all workers; returns what came of each, and what none of them has taken.
fn explore_shared<S: Subject>(
    subject: &S,
    known: &Known<'_>,
    limits: Limits,
    findings: &Findings<'_, S>,
    subtrees: Vec<Subtree>,
) -> (Vec<Worked<S::Assumption>>, Vec<Subtree>) {
    let Known { settings, stage, .. } = *known;
    let jobs = settings.jobs.get();
    let pool = Pool::new(jobs, subtrees, limits.executions);
    let limits = Limits { executions: None, ..limits };
    if jobs == 1 {
        let mut save = |left: Vec<Subtree>, counts| checkpoint(subject, known, findings, counts, &left);
        let mut alone = Member::new(&pool, 0).showing(settings.checkpoints, &mut save);
        let worked = work(subject, settings, stage, limits, findings, Some(&mut alone));
        return (vec![worked], pool.untaken());
    }
    let limits = Limits { cancelled: Arc::clone(&pool.stop), ..limits };
    let workers = std::thread::scope(|scope| {
        let worker = |number: usize| {
            let (pool, limits) = (&pool, limits.clone());
            let begin = move || {
                let worked = work(subject, settings, stage, limits, findings, Some(&mut Member::new(pool, number)));
                pool.leave();
                worked
            };
            std::thread::Builder::new().name(format!("everyway worker {number}")).spawn_scoped(scope, begin)
        };
        let handles: Vec<_> = (0..jobs).map(|number| worker(number).expect("threads can be made")).collect();
        watch_over(subject, known, findings, &pool);
        let end = |handle: std::thread::ScopedJoinHandle<'_, _>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        handles.into_iter().map(end).collect()
    });
    let untaken = pool.untaken();
    (workers, untaken)
}

/// Tells how far the workers have come, saves what is left from time to time, and ends them when it is asked to.
fn watch_over<S: Subject>(subject: &S, known: &Known<'_>, findings: &Findings<'_, S>, pool: &Pool) {
    let mut saved = Instant::now();
    while !pool.wait(PERIOD) {
        if known.settings.limits.is_cancelled() {
            pool.stop();
        }
        let counts = sum(&known.before, pool.counts());
        let before = sum(&known.before, Counts::default()).executions();
        let estimate = || {
            let Estimate { explored, total } = pool.estimate();
            Estimate { explored: explored.saturating_add(before), total: total.map(|total| total + before as f64) }
        };
        findings.executed(&SoFar { counts, estimate: &estimate });
        if saved.elapsed() >= known.settings.checkpoints {
            if let Some((left, counts)) = pool.snapshot(MOST_PATIENCE) {
                checkpoint(subject, known, findings, counts, &left);
            }
            saved = Instant::now();
        }
    }
}

/// Has the host save what was explored, and what is left. What it cannot save is said when the check ends.
fn checkpoint<S: Subject>(
    subject: &S,
    known: &Known<'_>,
    findings: &Findings<'_, S>,
    counts: Counts,
    left: &[Subtree],
) {
    let mut findings = findings.lock();
    let bugs = findings.found.iter().map(found_bug).collect();
    let mut exploration = known.exploration(subject, counts, bugs, left);
    exploration.assumed = findings.assumed.clone();
    let known = |cut: &&String| !known.before.cut.contains(cut);
    exploration.cut.extend(findings.left_out.iter().filter(known).cloned());
    let _ = findings.host.checkpoint(subject, exploration);
}

fn found_bug<S>(collected: &Collected<S>) -> FoundBug {
    FoundBug { bug: collected.found.bug.clone(), places: collected.identity.lines.clone() }
}

/// What all workers have come to.
///
/// # Errors
/// Why the exploration has to start over.
fn conclude<S: Subject>(
    subject: &S,
    known: &Known<'_>,
    findings: Findings<'_, S>,
    workers: Vec<Worked<S::Assumption>>,
    untaken: Vec<Subtree>,
) -> Result<Report, StartOver<S::Assumption>> {
    let Known { settings, stage, before, .. } = known;
    let findings = findings.into_inner();
    let (host, mut found) = (findings.host, findings.found);
    let mut counts = Counts::default();
    let mut left = Some(untaken);
    let (mut cut, mut lasting) = (before.cut.clone(), before.cut.clone());
    let (mut remarks, mut starts_over) = (before.remarks.clone(), None);
    let mut reaches_the_end = *before != Exploration::default();
    let mut profiler: Option<Profiler> = None;
    for worker in workers {
        counts += worker.counts;
        reaches_the_end |= worker.reaches_the_end;
        profiler = match (profiler, worker.profiler) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        for (bug, executions) in worker.executions.into_iter().enumerate() {
            let known = &mut found[bug].found.bug.executions;
            *known = known.saturating_add(executions);
        }
        // What one worker has left out is left out, whoever goes on.
        worker.left_out.iter().filter(|&what| !before.cut.contains(what)).for_each(|what| lasting.push(what.clone()));
        cut.extend(worker.cut.into_iter().chain(worker.left_out));
        worker.remarks.into_iter().for_each(|remark| add_remark(&mut remarks, remark));
        starts_over = starts_over.or(worker.starts_over);
        left = left.zip(worker.left).map(|(mut left, more)| {
            left.extend(more);
            left
        });
    }
    let ends = found.iter().any(|collected| collected.found.bug.kind != BugKind::StepLimit)
        && settings.after_failure == crate::AfterFailure::Stop;
    if let Some(why) = starts_over
        && !ends
    {
        return Err(why);
    }
    let all = sum(before, counts);
    if settings.algorithm.is_sampling() && cut.is_empty() && left.as_ref().is_some_and(Vec::is_empty) {
        cut.push(describe_end(all, settings));
    }
    if let Algorithm::Bounded { preemptions } = stage.algorithm(settings) {
        let s = if preemptions == 1 { "" } else { "s" };
        cut.push(format!("only executions with at most {preemptions} preemption{s} were explored"));
    }
    if all.too_long > 0 {
        let place = findings.too_long.unwrap_or_default();
        cut.push(format!("{} executions were cut after {} steps{place}", all.too_long, settings.limits.steps));
    }
    tidy(&mut cut, settings);
    tidy(&mut lasting, settings);
    let stops_early = left.as_ref().is_none_or(|left| !left.is_empty());
    if stops_early && !ends && cut.is_empty() {
        // Nobody was at work when it was to end.
        cut.push(describe_cut(everyway_explore::Cut::Interrupted, settings));
    }
    cut.extend(stage.cut(settings));
    let mut notes = subject.notes();
    notes.extend(findings.notes);
    notes.extend(stage.note(settings));
    if found.is_empty() && all.complete == 0 && all.blocked > 0 && !reaches_the_end {
        notes.push(
            "no execution gets to the end of the program: all of them stop at an assumption that does not hold, or in a \
             loop, so the verdict says little"
                .to_owned(),
        );
    }
    notes.extend(remarks.iter().map(|remark| describe_remark(remark, all)));
    let mut report = report(settings.algorithm.name(), all, cut, notes);
    report.assumed = findings.assumed;
    match left {
        None if known.started.elapsed() >= LONG => report.notes.push(format!(
            "what is left cannot be saved under `{}`; an exploration under `graphs` can be gone on with",
            settings.algorithm.name()
        )),
        None => {}
        Some(left) => {
            let bugs = found.iter().map(found_bug).collect();
            let mut exploration = known.exploration(subject, counts, bugs, &left);
            (exploration.cut, exploration.remarks) = (lasting, remarks);
            exploration.assumed = report.assumed.clone();
            if ends || !stops_early {
                host.finished(exploration);
            } else {
                match host.checkpoint(subject, exploration) {
                    Ok(how) => report.notes.extend(how),
                    Err(why) => report.notes.push(format!("what is left could not be saved: {why}")),
                }
            }
        }
    }
    report.profile = profiler.map(Profiler::finish);
    add_bugs(&mut report, (subject, found), settings, host);
    Ok(report)
}

/// Workers that end for the same reason say so once; those that end because another one has, do not.
fn tidy(cut: &mut Vec<String>, settings: &Settings) {
    let interrupted = describe_cut(everyway_explore::Cut::Interrupted, settings);
    let is_interrupted = settings.limits.is_cancelled();
    let mut seen: Vec<String> = Vec::new();
    for sentence in cut.drain(..) {
        if !seen.contains(&sentence) && (sentence != interrupted || is_interrupted) {
            seen.push(sentence);
        }
    }
    *cut = seen;
}

fn add_remark(remarks: &mut Vec<Remark>, remark: Remark) {
    match remarks.iter_mut().find(|known| known.what == remark.what) {
        Some(known) => known.executions = known.executions.saturating_add(remark.executions),
        None => remarks.push(remark),
    }
}

/// Adds the bugs to the report, each described as well as it can be.
fn add_bugs<S: Subject>(
    report: &mut Report,
    (subject, found): (&S, Vec<Collected<S>>),
    settings: &Settings,
    host: &mut dyn Host<S>,
) {
    let mut bugs = Vec::new();
    for (number, Collected { found, in_detail: again, .. }) in found.into_iter().enumerate() {
        // What another process has found it has described, too.
        if found.schedule.is_empty() {
            bugs.push(found.bug);
            continue;
        }
        let described = again.as_ref().unwrap_or(subject);
        let is_interleaving = settings.algorithm == Algorithm::Graphs { model: MemoryModel::Sc };
        let plain = is_interleaving.then(|| interleaved(described, &found, &settings.limits)).flatten();
        let (described, shown) = plain.as_ref().map_or((described, &found), |(subject, found)| (subject, found));
        let better = retell(described, shown, &settings.limits);
        let as_it_was = || match &plain {
            Some((_, found)) => Some(found.clone()),
            None => in_detail(again.as_ref()?, &found, &settings.limits),
        };
        let executions = found.bug.executions;
        let (mut told, is_better) = match better.or_else(as_it_was) {
            Some(better) => (better, true),
            None => (found.clone(), false),
        };
        told.bug.executions = executions;
        let explored = plain.as_ref().map_or(subject, |(subject, _)| subject);
        let is_explained = explain(explored, &mut told, model_of(settings.algorithm), &settings.limits, number == 0);
        if is_better || is_explained {
            told.save(explored, host, number, &mut report.notes);
        }
        bugs.push(told.bug);
    }
    let is_failure = |kind: BugKind| kind != BugKind::StepLimit || settings.too_long == TooLong::Fails;
    if bugs.iter().any(|bug| is_failure(bug.kind)) {
        report.verdict = Verdict::Bug;
    }
    let mut bugs = bugs.into_iter();
    report.bug = bugs.next();
    report.further_bugs = bugs.collect();
}
