//! The end of an exploration: the combined results of all workers, the verdict, and what is saved.

use crate::check::{Came, Context, sum};
use crate::explain::{explain, model_of};
use crate::findings::{Collected, Findings, Inner};
use crate::profile::Profiler;
use crate::retell::{in_detail, interleaved, retell};
use crate::settings::{AfterFailure, Settings, TooLong, exceeded};
use crate::subject::{Host, Subject};
use crate::summary::{describe_cut, describe_end, describe_remark, report};
use crate::work::{StartOver, Worked};
use everyway_explore::{Algorithm, Counts, Cut, MemoryModel, Subtree};
use everyway_report::frontier::{Exploration, FoundBug, Remark};
use everyway_report::{BugKind, Report, Verdict};
use std::time::{Duration, Instant};

/// What takes longer than this is worth going on with.
const LONG: Duration = Duration::from_secs(1);

/// Said where no time was left to find out how failures are told best.
const AS_IT_WAS_FOUND: &str = "no time was left to arrange the steps of a failing execution and to look for what separates it \
                               from one that passes: it is shown as it was found";

/// A bug as it is saved.
pub(crate) fn found_bug<S>(collected: &Collected<S>) -> FoundBug {
    FoundBug { bug: collected.found.bug.clone(), places: collected.identity.lines.clone() }
}

/// What workers have come to, put together.
struct Together<A> {
    counts: Counts,
    /// Whether the strategy cannot explore the program, in this process or in another that resumes it.
    is_refused: bool,
    /// What is left to explore; none if that cannot be told.
    left: Option<Vec<Subtree>>,
    /// What was left out, in sentences: all of it, and what stays left out when it is resumed.
    cut: Vec<String>,
    lasting: Vec<String>,
    remarks: Vec<Remark>,
    starts_over: Option<StartOver<A>>,
    reaches_the_end: bool,
    profiler: Option<Profiler>,
}

impl<A> Together<A> {
    /// All that came of an exploration, after what was known `before`. Bugs are counted where they were `found`.
    fn new<S: Subject<Assumption = A>>(before: &Exploration, came: Came<A>, found: &mut [Collected<S>]) -> Self {
        let mut together = Self {
            counts: Counts::default(),
            is_refused: false,
            left: Some(came.untaken),
            cut: before.cut.iter().cloned().chain(came.cut).collect(),
            lasting: before.cut.clone(),
            remarks: before.remarks.clone(),
            starts_over: None,
            reaches_the_end: *before != Exploration::default(),
            profiler: None,
        };
        came.workers.into_iter().for_each(|worker| together.add(before, worker, found));
        together
    }

    fn add<S: Subject<Assumption = A>>(&mut self, before: &Exploration, worker: Worked<A>, found: &mut [Collected<S>]) {
        self.counts += worker.counts;
        self.reaches_the_end |= worker.reaches_the_end;
        self.profiler = match (self.profiler.take(), worker.profiler) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        for (bug, executions) in worker.executions.into_iter().enumerate() {
            let known = &mut found[bug].found.bug.executions;
            *known = known.saturating_add(executions);
        }
        self.is_refused |= worker.is_refused;
        if worker.is_refused {
            self.lasting.extend(worker.cut.iter().cloned());
        }
        // What one worker has left out stays left out when the exploration is resumed.
        self.lasting.extend(worker.left_out.iter().filter(|&what| !before.cut.contains(what)).cloned());
        self.cut.extend(worker.cut.into_iter().chain(worker.left_out));
        worker.remarks.into_iter().for_each(|remark| add_remark(&mut self.remarks, remark));
        self.starts_over = self.starts_over.take().or(worker.starts_over);
        self.left = self.left.take().zip(worker.left).map(|(mut left, more)| {
            left.extend(more);
            left
        });
    }
}

/// What all workers have come to.
///
/// # Errors
/// Why the exploration has to start over.
pub(crate) fn conclude<S: Subject>(
    subject: &S,
    context: &Context<'_>,
    findings: Findings<'_, S>,
    came: Came<S::Assumption>,
) -> Result<Report, StartOver<S::Assumption>> {
    let Context { settings, stage, before, .. } = context;
    let mut findings = findings.into_inner();
    let mut together = Together::new(before, came, &mut findings.found);
    let ends = findings.found.iter().any(|collected| collected.found.bug.kind != BugKind::StepLimit)
        && settings.after_failure == AfterFailure::Stop;
    if let Some(why) = together.starts_over.take()
        && !ends
    {
        return Err(why);
    }
    let all = sum(before, together.counts);
    let stops_early = together.left.as_ref().is_none_or(|left| !left.is_empty());
    let cut = all_cuts(context, &mut together, all, findings.too_long.take());
    let mut cut = tidied(cut, settings);
    if stops_early && !ends && cut.is_empty() {
        // No worker was exploring when it was interrupted.
        cut.push(describe_cut(Cut::Interrupted, settings));
    }
    cut.extend(stage.cut(settings));
    let mut notes = subject.notes();
    notes.append(&mut findings.notes);
    notes.extend(stage.note(settings));
    if findings.found.is_empty() && all.complete == 0 && all.blocked > 0 && !together.reaches_the_end {
        notes.push(
            "no execution gets to the end of the program: all of them stop at an assumption that does not hold, or in a \
             loop, so the verdict says little"
                .to_owned(),
        );
    }
    notes.extend(together.remarks.iter().map(|remark| describe_remark(remark, all)));
    let mut report = report(settings.algorithm.name(), all, cut, notes);
    report.assumed = findings.assumed.clone();
    report.set_aside = findings.set_aside.clone();
    report.profile = together.profiler.take().map(Profiler::finish);
    report.notes.extend(keep(subject, context, &mut findings, together, ends || !stops_early));
    add_bugs(&mut report, (subject, findings.found), context, findings.host);
    Ok(report)
}

/// What was left out, of `all` executions, in sentences. Samples that were too long are in such a `place`.
fn all_cuts<A>(
    Context { settings, stage, .. }: &Context<'_>,
    together: &mut Together<A>,
    all: Counts,
    place: Option<String>,
) -> Vec<String> {
    let mut cut = std::mem::take(&mut together.cut);
    if settings.algorithm.is_sampling() && cut.is_empty() && together.left.as_ref().is_some_and(Vec::is_empty) {
        cut.push(describe_end(all, settings));
    }
    if let Algorithm::Bounded { preemptions } = stage.algorithm(settings) {
        let s = if preemptions == 1 { "" } else { "s" };
        cut.push(format!("only executions with at most {preemptions} preemption{s} were explored"));
    }
    if all.too_long > 0 {
        let place = place.unwrap_or_default();
        cut.push(format!("{} executions were cut after {} steps{place}", all.too_long, settings.limits.steps));
    }
    cut
}

/// Has the host keep what there is to go on with, or what the exploration has come to if it `is_over`. Returns what to say
/// about that.
fn keep<S: Subject>(
    subject: &S,
    context: &Context<'_>,
    findings: &mut Inner<'_, S>,
    together: Together<S::Assumption>,
    is_over: bool,
) -> Option<String> {
    let Context { settings, stage, started, .. } = context;
    let is_over = is_over || together.is_refused;
    let exploration = match (together.left, stage.after_trial(settings)) {
        (Some(mut left), _) => {
            if together.is_refused {
                left.clear();
            }
            let bugs = findings.found.iter().map(found_bug).collect();
            let exploration = context.exploration(subject, together.counts, bugs, &left);
            let cut = tidied(together.lasting, settings);
            let (assumed, set_aside) = (findings.assumed.clone(), findings.set_aside.clone());
            Exploration { cut, remarks: together.remarks, assumed, set_aside, ..exploration }
        }
        // What was only tried goes on from its beginning, unless it would come to the same end.
        (None, Some(next)) if !is_over && findings.found.is_empty() => {
            let root = Algorithm::Graphs { model: MemoryModel::Sc }.root(u64::MAX);
            let subtrees = Subtree::write_all(root.as_slice());
            Exploration {
                stage: next.to_string(),
                assumptions: subject.retracted(),
                subtrees,
                ..Exploration::default()
            }
        }
        (None, _) if started.elapsed() >= LONG => {
            return Some(format!(
                "the remaining work cannot be saved under `{}`; an exploration under `graphs` can be resumed",
                settings.algorithm.name()
            ));
        }
        (None, _) => return None,
    };
    if is_over {
        findings.host.finished(exploration);
        return None;
    }
    match findings.host.checkpoint(subject, exploration) {
        Ok(how) => how,
        Err(why) => Some(format!("the remaining work could not be saved: {why}")),
    }
}

/// Workers that end for the same reason say so once; those that end because another one has, do not.
fn tidied(cut: Vec<String>, settings: &Settings) -> Vec<String> {
    let interrupted = describe_cut(Cut::Interrupted, settings);
    let is_interrupted = settings.limits.is_cancelled();
    let mut seen: Vec<String> = Vec::new();
    for sentence in cut {
        if !seen.contains(&sentence) && (sentence != interrupted || is_interrupted) {
            seen.push(sentence);
        }
    }
    seen
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
    Context { settings, started, .. }: &Context<'_>,
    host: &mut dyn Host<S>,
) {
    // How a failure is told best is found out in the time that is left. It is saved, and can be told as it was found.
    let limits = || settings.remaining(*started);
    let (mut bugs, mut is_over) = (Vec::new(), false);
    for (number, Collected { found, in_detail: again, .. }) in found.into_iter().enumerate() {
        is_over |= exceeded(&limits(), Instant::now()).is_some();
        // What another process has found it has described, too.
        if is_over || found.schedule.is_empty() {
            bugs.push(found.bug);
            continue;
        }
        let described = again.as_ref().unwrap_or(subject);
        let is_interleaving = settings.algorithm == Algorithm::Graphs { model: MemoryModel::Sc };
        let plain = is_interleaving.then(|| interleaved(described, &found, &limits())).flatten();
        let (described, shown) = plain.as_ref().map_or((described, &found), |(subject, found)| (subject, found));
        let better = retell(described, shown, &limits());
        let as_it_was = || match &plain {
            Some((_, found)) => Some(found.clone()),
            None => in_detail(again.as_ref()?, &found, &limits()),
        };
        let executions = found.bug.executions;
        let (mut told, is_better) = match better.or_else(as_it_was) {
            Some(better) => (better, true),
            None => (found.clone(), false),
        };
        told.bug.executions = executions;
        let explored = plain.as_ref().map_or(subject, |(subject, _)| subject);
        let is_explained = explain(explored, &mut told, model_of(settings.algorithm), &limits(), number == 0);
        if is_better || is_explained {
            told.save(explored, host, number, &mut report.notes);
        }
        bugs.push(told.bug);
    }
    if is_over {
        report.notes.push(AS_IT_WAS_FOUND.to_owned());
    }
    let is_failure = |kind: BugKind| kind != BugKind::StepLimit || settings.too_long == TooLong::Fails;
    if bugs.iter().any(|bug| is_failure(bug.kind)) {
        report.verdict = Verdict::Bug;
    }
    let mut bugs = bugs.into_iter();
    report.bug = bugs.next();
    report.further_bugs = bugs.collect();
}
