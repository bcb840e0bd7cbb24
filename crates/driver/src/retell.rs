//! A failing execution in its most readable form: the equivalent one with the fewest context switches, run again.
//!
//! Equivalent executions fail alike, so any of them can be shown. The order of the steps is computed from
//! happens-before. The reordered execution is then run, because values and names may differ in it: those of additions
//! that commute, say, or the numbers of objects, which follow the order in which they are met. It has to end in the
//! same failure; if not, the execution is shown as it was found.

use crate::Followed;
use crate::found::Found;
use crate::replay::follow_strategy;
use crate::script::Schedule;
use crate::settings::for_one;
use crate::subject::Subject;
use everyway_explore::Limits;
use everyway_report::replay::ScheduledStep;
use everyway_report::{BugKind, Execution, Linearisation};
use std::collections::HashSet;
use std::time::Instant;

/// What was found, in the order with the fewest context switches, as `subject` shows it; nothing if it has that order
/// already, or if it does not come to the same in it.
pub(crate) fn retell<S: Subject>(subject: &S, found: &Found, limits: &Limits) -> Option<Found> {
    let order = found.bug.execution.fewest_switches(found.bug.last());
    let is_given = order.events().is_sorted();
    if is_given || !can_be_moved(found) {
        return None;
    }
    let schedule = arrange(&order, &found.schedule);
    let again = run(subject, &schedule, limits)?;
    let is_same = again.schedule == schedule
        && is_same_failure(&again, found)
        && have_same_order(&again.bug.execution, &order.execution(&found.bug.execution));
    is_same.then_some(again)
}

/// What was found, by running the same steps again as `subject` says; nothing if it is not the same again.
pub(crate) fn in_detail<S: Subject>(subject: &S, found: &Found, limits: &Limits) -> Option<Found> {
    let again = run(subject, &found.schedule, limits)?;
    (is_same_failure(&again, found) && again.schedule == found.schedule).then_some(again)
}

/// What was found, as an interleaving, and the program that can be run so; nothing if it does not come to the same.
pub(crate) fn interleaved<S: Subject>(subject: &S, found: &Found, limits: &Limits) -> Option<(S, Found)> {
    let subject = subject.interleaved()?;
    let again = run(&subject, found.interleaving.as_ref()?, limits)?;
    is_same_failure(&again, found).then_some((subject, again))
}

fn run<S: Subject>(subject: &S, schedule: &[ScheduledStep], limits: &Limits) -> Option<Found> {
    let limits = for_one(limits, schedule.len() + 1);
    let mut strategy = Schedule::new(schedule, &limits, Instant::now());
    match follow_strategy(subject, &mut strategy, &limits, None) {
        Followed::Failed(again) => Some(*again),
        Followed::NotFailed { .. } => None,
    }
}

/// Whether the same fails, in the same places: of several threads that fail in a step, one is the first, and so is one of
/// several data races.
fn is_same_failure(one: &Found, other: &Found) -> bool {
    let accesses =
        |found: &Found| found.bug.accesses.iter().map(|access| access.source.clone()).collect::<HashSet<_>>();
    (one.bug.kind, &one.bug.source) == (other.bug.kind, &other.bug.source) && accesses(one) == accesses(other)
}

/// Whether the steps of what was found may be taken in another order: of an execution that is too long, the end is what
/// is looked at, and one that is not the same twice cannot be run again.
fn can_be_moved(Found { bug, schedule, .. }: &Found) -> bool {
    let is_of_steps = bug.execution.events.len() == schedule.len();
    // Where a write is put among those before it says little when others come before it.
    let are_newest = schedule.iter().all(|step| step.place.is_none());
    is_of_steps
        && are_newest
        && !matches!(bug.kind, BugKind::StepLimit | BugKind::Nondeterminism | BugKind::Unsupported)
}

/// The steps in another order. Reads keep their sources, wherever these have gone.
fn arrange(order: &Linearisation, schedule: &[ScheduledStep]) -> Vec<ScheduledStep> {
    let mut position = vec![0; schedule.len() + 1];
    for (new, &old) in order.events().iter().enumerate() {
        position[old + 1] = new as u32 + 1;
    }
    let mut steps = order.arrange(schedule);
    for read in steps.iter_mut().flat_map(|step| &mut step.reads) {
        *read = position.get(*read as usize).copied().unwrap_or(*read);
    }
    steps
}

/// Whether the same events happen before each other, and read from each other.
fn have_same_order(one: &Execution, other: &Execution) -> bool {
    let sorted = |edges: &[usize]| {
        let mut edges = edges.to_vec();
        edges.sort_unstable();
        edges
    };
    one.events.len() == other.events.len()
        && one.events.iter().zip(&other.events).all(|(one, other)| {
            sorted(&one.happens_after) == sorted(&other.happens_after)
                && sorted(&one.reads_from) == sorted(&other.reads_from)
                && one.overwrites == other.overwrites
        })
}
