//! The difference between a failing execution and a passing one.

use super::Passed;
use crate::found::Found;
use crate::script::Schedule;
use everyway_report::replay::ScheduledStep;
use everyway_report::{Change, Effect, Event, Execution, Finds, Passing};
use everyway_runtime::ThreadPath;

/// What separates what was found from `passed`.
pub(super) fn compare(found: &Found, passed: Passed) -> Option<Passing> {
    let path = |step: &ScheduledStep| step.thread.parse().ok();
    let failing: Vec<ThreadPath> = found.schedule.iter().map(path).collect::<Option<_>>()?;
    let steps: Vec<ThreadPath> = passed.schedule.iter().map(path).collect::<Option<_>>()?;
    let Passed { mut execution, schedule, threads } = passed;
    let number = numbering(&found.bug.execution, &failing, &threads);
    execution.renumber_threads(|thread| number.get(thread).copied().unwrap_or(thread));
    let first_difference = found.schedule.iter().zip(&schedule).take_while(|(one, other)| one == other).count();
    let sides = Sides { failing: &found.bug.execution, passed: &execution, places: places(&failing, &steps) };
    let source = if Schedule::is_told(&found.schedule) { sides.source(first_difference) } else { None };
    let (change, is_only) = match source {
        Some((change, is_only)) => (Some(change), is_only),
        None => order(&execution, &failing, &steps, first_difference),
    };
    Some(Passing { execution, first_difference, change, is_only })
}

/// By step of one execution: the same step of the other, if it has it. The n-th step of a thread is the same.
fn places(failing: &[ThreadPath], steps: &[ThreadPath]) -> Vec<Option<usize>> {
    (0..steps.len()).map(|step| position_of(failing, nth_of_thread(steps, step)?)).collect()
}

/// Two executions whose reads are told their sources.
struct Sides<'a> {
    failing: &'a Execution,
    passed: &'a Execution,
    /// By step of the one that passes: the same step of the failing one.
    places: Vec<Option<usize>>,
}

impl Sides<'_> {
    /// What the first step that differs finds in the execution that passes, if it is there, and finds something else
    /// than in the failing one; and whether no other step does.
    fn source(&self, first_difference: usize) -> Option<(Change, bool)> {
        let in_passing = self.places.iter().position(|&place| place == Some(first_difference))?;
        let finds = [Finds::Reads, Finds::Overwrites].into_iter().find(|&finds| self.differ(in_passing, finds))?;
        let found = found_by(self.passed, in_passing, finds)?;
        let change = Change::Source {
            step: first_difference,
            finds,
            instead_of: found_by(self.failing, first_difference, finds)?,
            found: found.and_then(|write| self.places[write]),
            found_in_passing: found,
        };
        let is_other = |&step: &usize| {
            step != in_passing && (self.differ(step, Finds::Reads) || self.differ(step, Finds::Overwrites))
        };
        Some((change, !(0..self.places.len()).any(|step| is_other(&step))))
    }

    /// Whether a step of the execution that passes finds another write than in the failing one, if it is there, too.
    fn differ(&self, step: usize, finds: Finds) -> bool {
        let Some(place) = self.places[step] else { return false };
        let (Some(here), Some(there)) = (found_by(self.passed, step, finds), found_by(self.failing, place, finds))
        else {
            return false;
        };
        // A write that is not in the failing execution is not what is found there.
        here.is_some() != there.is_some() || here.is_some_and(|write| self.places[write] != there)
    }
}

/// The write that a step reads, or overwrites: none for the initial value. Nothing if it does not do so.
fn found_by(execution: &Execution, step: usize, finds: Finds) -> Option<Option<usize>> {
    let event = execution.events.get(step)?;
    match finds {
        Finds::Reads => {
            let reads = event.effects.iter().any(|effect| matches!(effect, Effect::Reads { .. }));
            reads.then(|| event.reads_from.first().copied())
        }
        Finds::Overwrites => {
            let written = |event: &Event| {
                event.effects.iter().find_map(|effect| match effect {
                    Effect::Writes { object, .. } => Some(object.clone()),
                    _ => None,
                })
            };
            let object = written(event)?;
            let is_before = |&other: &usize| written(&execution.events[other]).is_some_and(|other| other == object);
            let is_ordered =
                execution.events.iter().any(|other| other.overwrites.is_some() && other.object == event.object);
            Some(if is_ordered { event.overwrites } else { (0..step).rev().find(is_before) })
        }
    }
}

/// The first two steps that depend on each other and come in the other order than in the failing execution, and whether
/// that is all: whether in all such pairs a step of the one thread comes before one of the other.
fn order(
    passed: &Execution,
    failing: &[ThreadPath],
    steps: &[ThreadPath],
    first_difference: usize,
) -> (Option<Change>, bool) {
    let places = places(failing, steps);
    let reversed = |&(earlier, later): &(usize, usize)| {
        let is_moved = |overtaken: usize| places[earlier].is_none_or(|moved| moved > overtaken);
        steps[earlier] != steps[later] && places[later].is_some_and(is_moved)
    };
    let ordered = passed.events.iter().enumerate();
    let ordered = ordered.flat_map(|(later, event)| event.happens_after.iter().map(move |&earlier| (earlier, later)));
    let pairs: Vec<(usize, usize)> = ordered.filter(|(_, later)| *later < steps.len()).filter(reversed).collect();
    let Some(&(earlier, later)) = pairs.first() else { return (None, false) };
    // What a thread does first to what the other comes to tells more than what it does last: locks, not unlocks.
    let is_first =
        |&step: &usize| steps[step] == steps[earlier] && passed.events[step].object == passed.events[later].object;
    let moved = (first_difference..earlier).find(is_first).unwrap_or(earlier);
    let same_threads = |pair: &(usize, usize)| steps[pair.0] == steps[earlier] && steps[pair.1] == steps[later];
    let change = places[later].map(|overtaken| Change::Order { overtaken, moved: places[moved], moved_to: moved });
    (change, pairs.iter().all(same_threads))
}

/// The thread of a step, and how many it has taken before.
fn nth_of_thread(steps: &[ThreadPath], position: usize) -> Option<(&ThreadPath, usize)> {
    let thread = steps.get(position)?;
    Some((thread, steps[..position].iter().filter(|other| *other == thread).count()))
}

fn position_of(steps: &[ThreadPath], (thread, nth): (&ThreadPath, usize)) -> Option<usize> {
    (0..steps.len()).filter(|&position| steps[position] == *thread).nth(nth)
}

/// The numbers that the threads with these paths get, such that those that take steps in `failing` have the same there.
fn numbering(failing: &Execution, steps: &[ThreadPath], paths: &[ThreadPath]) -> Vec<usize> {
    let known = |path: &ThreadPath| {
        let step = steps.iter().position(|step| step == path)?;
        failing.events.get(step).map(|event| event.thread).filter(|&thread| thread < paths.len())
    };
    let known: Vec<Option<usize>> = paths.iter().map(known).collect();
    let mut free = (0..paths.len()).filter(|number| !known.contains(&Some(*number)));
    known.iter().map(|known| known.or_else(|| free.next()).unwrap_or(0)).collect()
}
