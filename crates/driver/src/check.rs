//! A check: explorations, repeated until none has to start over, and their outcome.

use crate::conclude::{conclude, found_bug};
use crate::expected::{Expected, ExpectedElsewhere};
use crate::findings::Findings;
use crate::memory_model::Stage;
use crate::pool::{Member, Pool};
use crate::portfolio;
use crate::settings::{PERIOD, Settings};
use crate::subject::{Host, NoHost, SoFar, Subject};
use crate::summary::executions;
use crate::work::{StartOver, Worked, work};
use everyway_explore::{Counts, Exchange, Limits, NotASubtree, Subtree};
use everyway_report::frontier::{Exploration, FoundBug, FrontierError};
use everyway_report::{Executions, Report};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// If workers do not stop within this time, the remaining work is saved another time.
const MOST_PATIENCE: Duration = Duration::from_secs(10);

/// Explores `subject` as `settings` say, and reports.
pub fn check<S: Subject>(subject: &mut S, settings: &Settings, host: &mut dyn Host<S>) -> Report {
    if let Some(members) = settings.algorithm.members() {
        return portfolio::check(subject, settings, host, &members);
    }
    let settings = Settings { limits: settings.effective_limits(), ..settings.clone() };
    run(subject, &settings, host, Stage::first(&settings), None)
}

/// Resumes a saved exploration of `subject` ([`Host::checkpoint`]), as `settings` say, and reports on all of it. The caller
/// guarantees that it is of this program and with these settings.
///
/// # Errors
/// If it cannot be one of this program, or has nothing left to explore.
pub fn resume<S: Subject>(
    subject: &mut S,
    settings: &Settings,
    host: &mut dyn Host<S>,
    saved: Exploration,
) -> Result<Report, FrontierError> {
    let (settings, stage) = stage_of(subject, settings, &saved)?;
    let algorithm = stage.algorithm(&settings);
    if !algorithm.can_be_shared() {
        return Err(anew(format!("the remaining work of an exploration under `{}` is not known", algorithm.name())));
    }
    if saved.subtrees.is_empty() {
        return Err(anew("there is nothing left to explore in it".to_owned()));
    }
    let subtrees = subtrees_of(&saved)?;
    Ok(run(subject, &settings, host, stage, Some((saved, subtrees))))
}

/// Reports on a saved exploration of `subject` as it is, without resuming it. The caller says what is left of it
/// ([`Exploration::cut`]).
///
/// # Errors
/// If it cannot be one of this program.
pub fn report_on<S: Subject>(
    subject: &mut S,
    settings: &Settings,
    mut saved: Exploration,
) -> Result<Report, FrontierError> {
    let (settings, stage) = stage_of(subject, settings, &saved)?;
    saved.subtrees.clear();
    if saved.executions == Executions::default() && saved.bugs.is_empty() && saved.cut.is_empty() {
        return Err(anew("nothing was explored, and nothing is left to explore".to_owned()));
    }
    // There is nothing to explore, under whatever strategy that was.
    let settings = Settings { jobs: NonZeroUsize::MIN, ..settings };
    Ok(run(subject, &settings, &mut NoHost, stage, Some((saved, Vec::new()))))
}

/// The remaining work of a saved exploration.
///
/// # Errors
/// If it is not valid.
pub fn subtrees_of(saved: &Exploration) -> Result<Vec<Subtree>, FrontierError> {
    let wrong = |NotASubtree| anew("this is no subtree of an exploration".to_owned());
    Subtree::read_all(&saved.subtrees).map_err(wrong)
}

/// An error in a saved exploration.
fn anew(what: String) -> FrontierError {
    FrontierError::new(what, "run the check again from its beginning")
}

/// How a saved exploration was explored; `subject` is left under its assumptions.
fn stage_of<S: Subject>(
    subject: &mut S,
    settings: &Settings,
    saved: &Exploration,
) -> Result<(Settings, Stage), FrontierError> {
    let settings = Settings { limits: settings.effective_limits(), ..settings.clone() };
    if settings.algorithm.members().is_some() {
        return Err(anew(format!("`{}` cannot be resumed", settings.algorithm.name())));
    }
    let stage = Stage::named(&saved.stage, &settings);
    let stage = stage.ok_or_else(|| anew(format!("`{}` is nothing that an exploration comes to", saved.stage)))?;
    for name in &saved.assumptions {
        if !subject.retract_named(name) {
            return Err(anew(format!("there is no assumption `{name}` about a program")));
        }
    }
    Ok((settings, stage))
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
                if let Some(note) = stage.instead(settings) {
                    report.notes.insert(0, note);
                }
                return report;
            }
        }
    }
}

/// In which circumstances it is explored: what is known of an exploration besides what was found.
pub(crate) struct Context<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) stage: &'a Stage,
    pub(crate) started: Instant,
    /// What was explored before, by other processes.
    pub(crate) before: Exploration,
}

impl Context<'_> {
    /// The exploration as it is saved.
    pub(crate) fn exploration<S: Subject>(
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
            set_aside: self.before.set_aside.clone(),
            assumed: self.before.assumed.clone(),
            remarks: self.before.remarks.clone(),
            subtrees: Subtree::write_all(left),
        }
    }
}

/// What was explored before, and since.
pub(crate) fn sum(before: &Exploration, since: Counts) -> Counts {
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
    let context = Context { settings, stage, started, before };
    let limits = settings.remaining(started);
    let came = match subtrees {
        Some(subtrees) => explore_shared(subject, &context, limits, &findings, subtrees),
        None => {
            Came { workers: vec![work_alone(subject, settings, stage, limits, &findings, None)], ..Came::default() }
        }
    };
    conclude(subject, &context, findings, came)
}

/// What came of an exploration.
pub(crate) struct Came<A> {
    /// Of each worker.
    pub(crate) workers: Vec<Worked<A>>,
    /// What none of them has taken.
    pub(crate) untaken: Vec<Subtree>,
    /// Why there are fewer workers than there should be, in a sentence.
    pub(crate) cut: Option<String>,
}

impl<A> Default for Came<A> {
    fn default() -> Self {
        Self { workers: Vec::new(), untaken: Vec::new(), cut: None }
    }
}

/// Explores `subject` with one worker, on this thread.
fn work_alone<S: Subject>(
    subject: &S,
    settings: &Settings,
    stage: &Stage,
    limits: Limits,
    findings: &Findings<'_, S>,
    exchange: Option<&mut dyn Exchange>,
) -> Worked<S::Assumption> {
    std::thread::scope(|scope| {
        let expected = ExpectedElsewhere::new(scope, subject, settings, findings.before.executions());
        work(subject, settings, stage, limits, findings, exchange, Some(&|seen| expected.total(seen)))
    })
}

/// Explores `subtrees` with all workers.
fn explore_shared<S: Subject>(
    subject: &S,
    context: &Context<'_>,
    limits: Limits,
    findings: &Findings<'_, S>,
    subtrees: Vec<Subtree>,
) -> Came<S::Assumption> {
    let Context { settings, stage, .. } = *context;
    let jobs = settings.jobs.get();
    let pool = Pool::new(jobs, subtrees, limits.executions).sharing_after(stage.steps_alone(settings));
    let limits = Limits { executions: None, ..limits };
    if jobs == 1 {
        let mut save = |left: Vec<Subtree>, counts| checkpoint(subject, context, findings, counts, &left);
        let mut alone = Member::new(&pool, 0).showing(settings.checkpoints, &mut save);
        let worked = work_alone(subject, settings, stage, limits, findings, Some(&mut alone));
        return Came { workers: vec![worked], untaken: pool.untaken(), cut: None };
    }
    let limits = Limits { cancelled: Arc::clone(&pool.stop), ..limits };
    let (workers, cut) = std::thread::scope(|scope| {
        let worker = |number: usize| {
            let (pool, limits) = (&pool, limits.clone());
            let begin = move || {
                let mut member = Member::new(pool, number);
                let worked = work(subject, settings, stage, limits, findings, Some(&mut member), None);
                pool.leave();
                worked
            };
            std::thread::Builder::new().name(format!("everyway worker {number}")).spawn_scoped(scope, begin)
        };
        let (mut handles, mut cut) = (Vec::new(), None);
        for number in 0..jobs {
            match worker(number) {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    // The others end as if they were told to: what they have done counts, and what is left is known.
                    cut = Some(too_many(&format!("worker {} of {jobs}", number + 1), &error));
                    (number..jobs).for_each(|_| pool.leave());
                    break;
                }
            }
        }
        watch_over(subject, context, findings, &pool);
        let end =
            |handle: ScopedJoinHandle<'_, _>| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (handles.into_iter().map(end).collect(), cut)
    });
    Came { workers, untaken: pool.untaken(), cut }
}

/// That a thread could not be made, in a sentence.
pub(crate) fn too_many(what: &str, error: &std::io::Error) -> String {
    format!("there is no thread for {what}: {error}; fewer workers may do")
}

/// Reports the progress of the workers, saves the remaining work from time to time, and ends the workers on request.
fn watch_over<S: Subject>(subject: &S, context: &Context<'_>, findings: &Findings<'_, S>, pool: &Pool) {
    let mut saved = Instant::now();
    let expected = Expected::new(subject, context.settings, findings.before.executions());
    while !pool.wait(PERIOD) {
        if context.settings.limits.is_cancelled() {
            pool.stop();
        }
        let counts = sum(&context.before, pool.counts());
        let estimate = || expected.total(pool.estimate());
        findings.executed(&SoFar { counts, estimate: &estimate });
        if saved.elapsed() >= context.settings.checkpoints {
            // What has nothing left is about to end.
            if let Some((left, counts)) = pool.snapshot(MOST_PATIENCE)
                && !left.is_empty()
            {
                checkpoint(subject, context, findings, counts, &left);
            }
            saved = Instant::now();
        }
    }
}

/// Has the host save what was explored and the remaining work. If it cannot, that is reported when the check ends.
fn checkpoint<S: Subject>(
    subject: &S,
    context: &Context<'_>,
    findings: &Findings<'_, S>,
    counts: Counts,
    left: &[Subtree],
) {
    let mut findings = findings.lock();
    let bugs = findings.found.iter().map(found_bug).collect();
    let mut exploration = context.exploration(subject, counts, bugs, left);
    exploration.assumed = findings.assumed.clone();
    exploration.set_aside = findings.set_aside.clone();
    let known = |cut: &&String| !context.before.cut.contains(cut);
    exploration.cut.extend(findings.left_out.iter().filter(known).cloned());
    let _ = findings.host.checkpoint(subject, exploration);
}
