//! The methods that are tried in turn to decide a property.
//!
//! An exploration comes first. It leaves the question open if executions do not end, if inputs have more values than
//! were tried, or if there is not enough time. Then
//!
//! - what depends on a variable that was not set depends on a value that may be any: it is an input, if that can be asked for, and
//!   everything is tried with two values;
//! - loops are cut after a few rounds, and after more and more: what fails then also fails in the program;
//! - executions may be longer;
//! - if the property is about assertions, a solver searches all interleavings and inputs at once ([`bmc`](crate::bmc)).
//!
//! The first attempt that decides the question determines the result; if none does, that of the exploration stands.

use crate::arguments::CheckArguments;
use crate::cancel;
use crate::check::explore;
use crate::error::Error;
use crate::output::Outcome;
use crate::property::Property;
use crate::rules::UnsetName;
use everyway_report::{BugKind, Report, Verdict};
use solver::Knowledge;
use std::time::{Duration, Instant};

/// How long all attempts after the first may take together without `--timeout`.
const PATIENCE: Duration = Duration::from_secs(60);
/// After how many rounds loops are cut.
const ROUNDS: [u64; 6] = [1, 2, 3, 5, 8, 12];
/// How many steps the executions may have that are too long otherwise.
const MANY_STEPS: usize = 500_000;

/// Explores, and tries what else there is if the question remains open.
pub(crate) fn decide(arguments: &CheckArguments, property: Property) -> Result<Outcome, Error> {
    let started = Instant::now();
    let knowledge = if property == Property::UnreachCall { solver::accepts(arguments) } else { None };
    let by_solver = knowledge.is_some();
    let whole = arguments.timeout;
    // Most explorations that come to their end do so soon; the others are begun again if the solver does not help.
    let first = if by_solver { Some(whole.map_or(PATIENCE, |time| time / 8)) } else { whole };
    let begun = Instant::now();
    let outcome = explore(&CheckArguments { timeout: first, ..arguments.clone() }, begun)?;
    let ran_out = first.is_some_and(|time| begun.elapsed() >= time);
    let Some(why) = open(&outcome) else { return Ok(outcome) };
    let deadline = whole.map_or_else(|| Instant::now() + PATIENCE, |time| started + time);
    let attempts = Attempts { arguments, deadline };
    if fails_by(&outcome, BugKind::Uninitialised)
        && let Some(decided) = attempts.set_all()?
    {
        return Ok(decided);
    }
    let by_cutting = if why == Open::TooLong { attempts.cut_loops(by_solver)? } else { None };
    if by_cutting.is_some() || !by_solver {
        return Ok(by_cutting.unwrap_or(outcome));
    }
    let time = if ran_out { attempts.left() / 2 } else { attempts.left() };
    let sees_less = fails(&outcome) || knowledge == Some(Knowledge::FailuresAlone);
    if let Some(decided) = solver::decide(arguments, time).filter(|decided| !(sees_less && is_verified(decided))) {
        return Ok(decided);
    }
    if !ran_out || cancel::has_come() || (whole.is_some() && attempts.left().is_zero()) {
        return Ok(outcome);
    }
    explore(arguments, whole.map_or_else(Instant::now, |_| started))
}

/// Why a question is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// An execution is too long.
    TooLong,
    Otherwise,
}

/// Why it is open, unless it is decided, or the user has had enough.
fn open(outcome: &Outcome) -> Option<Open> {
    let report = report(outcome).filter(|report| report.verdict == Verdict::Incomplete && !cancel::has_come())?;
    let is_too_long = report.bug.as_ref().is_some_and(|bug| bug.kind == BugKind::StepLimit);
    Some(if is_too_long { Open::TooLong } else { Open::Otherwise })
}

/// Whether something else fails, after which the solver may see less than there is: what a variable holds that was not set, say.
fn fails(outcome: &Outcome) -> bool {
    report(outcome).is_some_and(|report| !report.set_aside.is_empty())
}

/// Whether something fails in this way that is not looked for.
fn fails_by(outcome: &Outcome, kind: BugKind) -> bool {
    report(outcome).is_some_and(|report| report.set_aside.iter().any(|failure| failure.kind == kind))
}

fn is_verified(outcome: &Outcome) -> bool {
    report(outcome).is_some_and(|report| report.verdict == Verdict::Verified)
}

fn report(outcome: &Outcome) -> Option<&Report> {
    match outcome {
        Outcome::Checked(report, _) | Outcome::Report(report) => Some(report),
        Outcome::Ended(_) | Outcome::Text(_) => None,
    }
}

/// What is tried after the first exploration.
struct Attempts<'a> {
    arguments: &'a CheckArguments,
    deadline: Instant,
}

impl Attempts<'_> {
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Explores the program with values for all that was not set: with some, for what violates the property, and with any value of
    /// variables that can be asked for.
    fn set_all(&self) -> Result<Option<Outcome>, Error> {
        if self.arguments.rules.unset != UnsetName::NoValue {
            return Ok(None);
        }
        for unset in [UnsetName::Any, UnsetName::Zeros, UnsetName::Ones] {
            let time = self.left() / 4;
            if time.is_zero() || cancel::has_come() {
                break;
            }
            let mut arguments = CheckArguments { timeout: Some(time), ..self.arguments.clone() };
            arguments.rules.unset = unset;
            let outcome = explore(&arguments, Instant::now())?;
            let decides = |report: &Report| match report.verdict {
                Verdict::Bug => true,
                Verdict::Verified => unset == UnsetName::Any,
                Verdict::Incomplete => false,
            };
            if report(&outcome).is_some_and(decides) {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }

    /// Explores the program with loops that are cut, and with longer executions; what decides the question, if something does.
    fn cut_loops(&self, leave_some_time: bool) -> Result<Option<Outcome>, Error> {
        if self.arguments.program.unroll.is_some() || self.arguments.rules.max_steps.is_some() {
            return Ok(None);
        }
        let end = Instant::now() + if leave_some_time { self.left() / 2 } else { self.left() };
        for rounds in ROUNDS.map(Some).into_iter().chain([None]) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || cancel::has_come() {
                break;
            }
            // The last one may take all that is left.
            let time = if rounds.is_some() { left / 3 } else { left };
            let mut arguments = CheckArguments { timeout: Some(time), ..self.arguments.clone() };
            match rounds {
                Some(_) => arguments.program.unroll = rounds,
                None => arguments.rules.max_steps = Some(MANY_STEPS),
            }
            let outcome = explore(&arguments, Instant::now())?;
            if open(&outcome).is_none() {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }
}

/// The solver, if it is there.
#[cfg(feature = "symbolic")]
mod solver {
    use super::{CheckArguments, Duration, Outcome, Property, Verdict};
    use crate::arguments::BmcArguments;
    use crate::bmc::{bmc_of, knowledge};
    use crate::check::with_property;
    use everyway_explore::MemoryModel;
    use everyway_symbolic::Deadlocks;

    pub(super) use crate::bmc::Knowledge;

    /// What it knows of the program, if it can say something about it and is asked about that: interleavings, and all inputs.
    pub(super) fn accepts(arguments: &CheckArguments) -> Option<Knowledge> {
        let is_sc = arguments.rules.memory_model.is_none_or(|model| model == MemoryModel::Sc);
        let is_asked = is_sc
            && arguments.rules.values.is_empty()
            && arguments.program.unroll.is_none()
            && arguments.algorithm.is_none()
            && arguments.max_executions.is_none();
        if is_asked { knowledge(&BmcArguments::about(arguments, None)) } else { None }
    }

    /// What it says, if that decides whether an assertion fails.
    pub(super) fn decide(arguments: &CheckArguments, time: Duration) -> Option<Outcome> {
        if time.is_zero() {
            return None;
        }
        let report = bmc_of(&BmcArguments::about(arguments, Some(time)), Deadlocks::End).ok()?;
        let is_decided = match (&report.verdict, &report.bug) {
            (Verdict::Verified, _) => true,
            (Verdict::Bug, Some(bug)) => Property::UnreachCall.violated_by(bug.kind).is_some(),
            _ => false,
        };
        if !is_decided {
            return None;
        }
        with_property(arguments, report, MemoryModel::Sc).ok()
    }
}

#[cfg(not(feature = "symbolic"))]
mod solver {
    use super::{CheckArguments, Duration, Outcome};

    /// There is none.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Knowledge {
        FailuresAlone,
    }

    pub(super) fn accepts(_: &CheckArguments) -> Option<Knowledge> {
        None
    }

    pub(super) fn decide(_: &CheckArguments, _: Duration) -> Option<Outcome> {
        None
    }
}
