//! The difference between a failing execution and a passing one.

use super::Passed;
use crate::found::Found;
use crate::script::Schedule;
use everyway_report::replay::ScheduledStep;
use everyway_report::{Change, Effect, Event, Execution, Finds, Passing};
use everyway_runtime::ThreadPath;
use std::collections::{HashMap, HashSet, VecDeque};

/// What separates what was found from `passed`.
pub(super) fn compare(found: &Found, passed: Passed) -> Option<Passing> {
    let path = |step: &ScheduledStep| step.thread.parse().ok();
    let failing: Vec<ThreadPath> = found.schedule.iter().map(path).collect::<Option<_>>()?;
    let steps: Vec<ThreadPath> = passed.schedule.iter().map(path).collect::<Option<_>>()?;
    let Passed { mut execution, schedule, threads } = passed;
    let number = numbering(&found.bug.execution, &failing, &threads);
    execution.renumber_threads(|thread| number.get(thread).copied().unwrap_or(thread));
    let first_difference = found.schedule.iter().zip(&schedule).take_while(|(one, other)| one == other).count();
    let source = if Schedule::is_told(&found.schedule) {
        let (failing_side, passed) = (Side::new(&found.bug.execution), Side::new(&execution));
        Sides { failing: failing_side, passed, places: places(&failing, &steps) }.source(first_difference)
    } else {
        None
    };
    let (change, is_only) = match source {
        Some((change, is_only)) => (Some(change), is_only),
        None => order(&execution, &failing, &steps, first_difference),
    };
    Some(Passing { execution, first_difference, change, is_only })
}

/// By step of one execution: the same step of the other, if it has it. The n-th step of a thread is the same.
fn places(failing: &[ThreadPath], steps: &[ThreadPath]) -> Vec<Option<usize>> {
    let mut of_threads: HashMap<&ThreadPath, VecDeque<usize>> = HashMap::new();
    for (position, thread) in failing.iter().enumerate() {
        of_threads.entry(thread).or_default().push_back(position);
    }
    steps.iter().map(|thread| of_threads.get_mut(thread)?.pop_front()).collect()
}

/// Two executions whose reads are told their sources.
struct Sides<'a> {
    failing: Side<'a>,
    passed: Side<'a>,
    /// By step of the one that passes: the same step of the failing one.
    places: Vec<Option<usize>>,
}

impl Sides<'_> {
    /// What the first step that differs finds in the execution that passes, if it is there, and finds something else
    /// than in the failing one; and whether no other step does.
    fn source(&self, first_difference: usize) -> Option<(Change, bool)> {
        let in_passing = self.places.iter().position(|&place| place == Some(first_difference))?;
        let finds = [Finds::Reads, Finds::Overwrites].into_iter().find(|&finds| self.differ(in_passing, finds))?;
        let found = self.passed.found_by(in_passing, finds)?;
        let change = Change::Source {
            step: first_difference,
            finds,
            instead_of: self.failing.found_by(first_difference, finds)?,
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
        let (Some(here), Some(there)) = (self.passed.found_by(step, finds), self.failing.found_by(place, finds)) else {
            return false;
        };
        // A write that is not in the failing execution is not what is found there.
        here.is_some() != there.is_some() || here.is_some_and(|write| self.places[write] != there)
    }
}

/// An execution, with the writes that its steps find.
struct Side<'a> {
    execution: &'a Execution,
    /// By step that writes: what it overwrites, none for the initial value.
    overwritten: Vec<Option<Option<usize>>>,
}

impl<'a> Side<'a> {
    fn new(execution: &'a Execution) -> Self {
        let events = &execution.events;
        let overwriting = events.iter().filter(|event| event.overwrites.is_some());
        // Of these the writes are not in the order of the events.
        let ordered: HashSet<&str> = overwriting.map(|event| event.object.as_str()).collect();
        let mut newest: HashMap<&str, usize> = HashMap::new();
        let overwritten = events.iter().enumerate().map(|(step, event)| {
            let before = newest.insert(written(event)?, step);
            Some(if ordered.contains(event.object.as_str()) { event.overwrites } else { before })
        });
        let overwritten = overwritten.collect();
        Self { execution, overwritten }
    }

    /// The write that a step reads, or overwrites: none for the initial value. Nothing if it does not do so.
    fn found_by(&self, step: usize, finds: Finds) -> Option<Option<usize>> {
        match finds {
            Finds::Reads => {
                let event = self.execution.events.get(step)?;
                let reads = event.effects.iter().any(|effect| matches!(effect, Effect::Reads { .. }));
                reads.then(|| event.reads_from.first().copied())
            }
            Finds::Overwrites => *self.overwritten.get(step)?,
        }
    }
}

/// What an event writes to, if it does.
fn written(event: &Event) -> Option<&str> {
    event.effects.iter().find_map(|effect| match effect {
        Effect::Writes { object, .. } => Some(object.as_str()),
        _ => None,
    })
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
