//! Several strategies side by side, each in a check of its own; the first conclusive one ends all.
//!
//! Which strategy suits a program is not known beforehand: an exhaustive one may finish after a second, or never;
//! `reads-from` needs few executions where there are many writes; samples find failures that many executions share.
//! Each [member](everyway_explore::Algorithm::members) is a whole check, on a copy of the program: it retracts
//! assumptions and settles on a memory model by itself. The members share nothing but the host and the end:
//!
//! - the first failure wins, and the others end when it is saved;
//! - a member that has verified the program ends the others, too;
//! - when all exhaustive members have ended, samples add nothing.

use crate::check::too_many;
use crate::settings::{AfterFailure, PERIOD, Settings, Suitability, TooLong};
use crate::subject::{Host, SoFar, Subject};
use crate::summary::{describe_cut, report};
use everyway_explore::{Algorithm, Counts, Cut, Limits, MemoryModel};
use everyway_report::replay::ScheduledStep;
use everyway_report::{Bug, BugKind, Replay, Report, Verdict};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What members share.
struct Shared<'h, S: Subject> {
    host: Mutex<Claimed<'h, S>>,
    /// By member, whether it is to end.
    stops: Vec<Arc<AtomicBool>>,
    too_long: TooLong,
}

struct Claimed<'h, S: Subject> {
    host: &'h mut dyn Host<S>,
    /// The member that found the first failure.
    by: Option<usize>,
}

impl<'h, S: Subject> Shared<'h, S> {
    /// A member that panics takes the check with it.
    fn lock(&self) -> MutexGuard<'_, Claimed<'h, S>> {
        self.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all members but one.
    fn stop_all_but(&self, winner: Option<usize>) {
        let others = self.stops.iter().enumerate().filter(|&(member, _)| Some(member) != winner);
        others.for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
    }
}

/// The host of a member.
struct Guest<'a, 'h, S: Subject> {
    member: usize,
    shared: &'a Shared<'h, S>,
}

impl<S: Subject> Host<S> for Guest<'_, '_, S> {
    /// The first member is the one whose end can be told.
    fn executed(&mut self, so_far: &SoFar<'_>) {
        if self.member == 0 {
            self.shared.lock().host.executed(so_far);
        }
    }

    fn save(
        &mut self,
        subject: &S,
        bug: &Bug,
        schedule: &[ScheduledStep],
        number: usize,
    ) -> Result<Option<Replay>, String> {
        if bug.kind == BugKind::StepLimit && self.shared.too_long == TooLong::IsCut {
            return Ok(None);
        }
        let mut claimed = self.shared.lock();
        if *claimed.by.get_or_insert(self.member) != self.member {
            return Ok(None);
        }
        self.shared.stop_all_but(Some(self.member));
        claimed.host.save(subject, bug, schedule, number)
    }
}

/// How a member checks.
fn settings_of(settings: &Settings, members: &[Algorithm], member: usize, stop: &Arc<AtomicBool>) -> Settings {
    let mut algorithm = members[member];
    let mut limits = Limits { cancelled: Arc::clone(stop), ..settings.limits.clone() };
    if algorithm.is_sampling() {
        // The others end it.
        limits.executions = limits.executions.or(Some(u64::MAX));
    }
    // What has a thread for each member leaves the other processors to the first.
    let jobs = if member == 0 { settings.jobs.get().saturating_sub(members.len() - 1) } else { 1 };
    let jobs = NonZeroUsize::new(jobs).unwrap_or(NonZeroUsize::MIN);
    let mut suitability = Suitability::Unasked;
    if jobs.get() > 1 && algorithm == Algorithm::default() {
        (algorithm, suitability) = (Algorithm::Graphs { model: MemoryModel::Sc }, Suitability::Assumed);
    }
    Settings { algorithm, suitability, limits, jobs, after_failure: AfterFailure::Stop, ..settings.clone() }
}

/// Explores `subject` with all `members`, and reports what the one says that knows. `subject` is left as that one has it.
pub(crate) fn check<S: Subject>(
    subject: &mut S,
    settings: &Settings,
    host: &mut dyn Host<S>,
    members: &[Algorithm],
) -> Report {
    let stops: Vec<Arc<AtomicBool>> = members.iter().map(|_| Arc::default()).collect();
    let host = Mutex::new(Claimed { host, by: None });
    let shared = Shared { host, stops, too_long: settings.too_long };
    let (ended, cut) = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let mut cut = None;
        for (member, stop) in shared.stops.iter().enumerate() {
            let (sender, shared, mut own) = (sender.clone(), &shared, subject.clone());
            let settings = settings_of(settings, members, member, stop);
            let run = move || {
                let mut guest = Guest { member, shared };
                let report = catch_unwind(AssertUnwindSafe(|| crate::check(&mut own, &settings, &mut guest)));
                // The receiver is there until all members have ended.
                let _ = sender.send((member, report, own));
            };
            let thread = std::thread::Builder::new().name(format!("everyway {}", members[member].name()));
            if let Err(error) = thread.spawn_scoped(scope, run) {
                shared.stop_all_but(None);
                cut = Some(too_many(&name_of(members[member]), &error));
                break;
            }
        }
        drop(sender);
        (wait(&shared, settings, members, &receiver), cut)
    });
    let first = shared.lock().by;
    if ended.is_empty() {
        return report(Algorithm::PORTFOLIO, Counts::default(), cut.into_iter().collect(), Vec::new());
    }
    let mut report = conclude(subject, members, first, ended);
    match report.verdict {
        Verdict::Incomplete => {
            if let Some(cut) = cut {
                // That is why they were interrupted.
                let interrupted = describe_cut(Cut::Interrupted, settings);
                report.cut.retain(|known| *known != interrupted);
                report.cut.push(cut);
            }
        }
        // One member has decided it; that others could not be started makes no difference.
        Verdict::Verified | Verdict::Bug => {}
    }
    report
}

/// What a member sends at its end.
type Ended<S> = (usize, std::thread::Result<Report>, S);

/// Waits until all members have ended, and ends them when one knows, or nothing is to be expected of the others.
fn wait<S: Subject>(
    shared: &Shared<'_, S>,
    settings: &Settings,
    members: &[Algorithm],
    receiver: &Receiver<Ended<S>>,
) -> Vec<(usize, Report, S)> {
    let mut ended: Vec<(usize, Report, S)> = Vec::new();
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok((member, Ok(report), own)) => {
                let knows = report.verdict != Verdict::Incomplete;
                ended.push((member, report, own));
                let has_ended = |member: usize| ended.iter().any(|&(other, ..)| other == member);
                let explores_all = |member: &usize| !members[*member].is_sampling();
                if knows || (0..members.len()).filter(explores_all).all(has_ended) {
                    shared.stop_all_but(Some(member));
                }
            }
            Ok((_, Err(panic), _)) => {
                shared.stop_all_but(None);
                resume_unwind(panic);
            }
            Err(RecvTimeoutError::Timeout) if settings.limits.is_cancelled() => shared.stop_all_but(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return ended,
        }
    }
}

/// What reports call a member of the portfolio: members of one strategy differ in their depth.
fn name_of(algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::Pct { depth, .. } => format!("`pct` of depth {depth}"),
        _ => format!("`{}`", algorithm.name()),
    }
}

/// The report of the member that found the first failure, or else of one that has verified the program, or else of the
/// first one.
fn conclude<S: Subject>(
    subject: &mut S,
    members: &[Algorithm],
    first: Option<usize>,
    mut ended: Vec<(usize, Report, S)>,
) -> Report {
    let with = |verdict: Verdict| ended.iter().position(|(_, report, _)| report.verdict == verdict);
    let failing = ended.iter().position(|(member, report, _)| Some(*member) == first && report.verdict == Verdict::Bug);
    let known = failing.or_else(|| with(Verdict::Bug)).or_else(|| with(Verdict::Verified));
    let chosen = known.or_else(|| ended.iter().position(|(member, ..)| *member == 0)).unwrap_or(0);
    let (member, mut report, own) = ended.swap_remove(chosen);
    *subject = own;
    let title = match members[member] {
        algorithm @ Algorithm::Pct { .. } => name_of(algorithm),
        _ => format!("`{}`", report.strategy),
    };
    let note = match report.verdict {
        Verdict::Bug => format!("of the portfolio, {title} has found it"),
        Verdict::Verified => format!("of the portfolio, {title} has explored everything"),
        Verdict::Incomplete => {
            ended.sort_by_key(|(member, ..)| *member);
            let began = |(member, report, _): &(usize, Report, S)| {
                format!("{} by {}", report.executions.all(), name_of(members[*member]))
            };
            let others: Vec<String> = ended.iter().map(began).collect();
            match others.is_empty() {
                true => format!("this is what {title} has come to, alone"),
                false => format!(
                    "this is what {title} has come to; of the portfolio, there were other executions: {}",
                    others.join(", ")
                ),
            }
        }
    };
    report.strategy = Algorithm::PORTFOLIO.to_owned();
    report.notes.insert(0, note);
    report
}
