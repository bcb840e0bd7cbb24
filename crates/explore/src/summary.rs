//! An exploration as reports have it, but for what went wrong: that is for front ends to tell.

use crate::explorer::{Counts, Cut};
use crate::strategies::{Algorithm, Mistake, Strategy};
use everyway_report::replay::ScheduledStep;
use everyway_report::{Executions, Report, Verdict};
use everyway_runtime::{Step, ThreadId};
use std::time::Duration;

/// The report of an exploration that has found nothing wrong: verified, unless something was cut, or the strategy
/// knows of a mistake of its own.
pub fn summarise(strategy: &dyn Strategy, counts: Counts, time: Duration, mut cut: Vec<String>) -> Report {
    cut.extend(strategy.mistake().map(describe_mistake));
    let verdict = if cut.is_empty() { Verdict::Verified } else { Verdict::Incomplete };
    Report {
        verdict,
        strategy: strategy.name().to_owned(),
        executions: counts.into(),
        seconds: time.as_secs_f64(),
        cut,
        notes: Vec::new(),
        bug: None,
        further_bugs: Vec::new(),
        solver: None,
    }
}

impl From<Counts> for Executions {
    fn from(Counts { complete, blocked, redundant, failed, .. }: Counts) -> Self {
        Self { complete, blocked, redundant, failed }
    }
}

fn describe_mistake(mistake: Mistake) -> String {
    match mistake {
        Mistake::PlanNotFollowed => {
            "an execution that reads-from had planned could not be followed, which is a mistake in \
                                     everyway; please report it; `optimal` does not depend on it"
                .to_owned()
        }
    }
}

/// What was cut, in a sentence.
pub fn describe_cut(cut: Cut, algorithm: Algorithm) -> String {
    match (cut, algorithm) {
        (Cut::Executions(limit), Algorithm::Random { seed } | Algorithm::Pct { seed, .. }) => {
            format!("{limit} executions were picked at random (seed {seed})")
        }
        (Cut::Executions(limit), _) => format!("the limit of {limit} executions was reached"),
        (Cut::Time(limit), _) => format!("the limit of {} seconds was reached", limit.as_secs_f64()),
        (Cut::Steps(limit), _) => format!("the limit of {limit} steps in an execution was reached"),
        (Cut::Interrupted, _) => "it was interrupted".to_owned(),
    }
}

/// A schedule as replay files have it.
pub fn schedule(steps: impl IntoIterator<Item = Step>) -> Vec<ScheduledStep> {
    steps.into_iter().map(|step| ScheduledStep { thread: step.thread.0, choice: step.choice }).collect()
}

/// The steps of a replay file's schedule.
pub fn steps(schedule: &[ScheduledStep]) -> Vec<Step> {
    schedule.iter().map(|step| Step { thread: ThreadId(step.thread), choice: step.choice }).collect()
}
