//! Accesses that race and are no steps, among the steps: a picture without them would lack what it is about.
//!
//! Where programs are free of data races, what is not atomic need not be interleaved, so a front end may leave such
//! accesses out of its executions. It tells how many steps their threads had taken; that gives them their places.

use std::borrow::Cow;

use crate::{Bug, Change, Event, Execution, RacingAccess, Report};

impl Report {
    /// The report with accesses that race among the events of its executions, where they are not.
    pub fn with_accesses(&self) -> Cow<'_, Report> {
        let lacks = |bug: &Bug| bug.accesses.iter().any(|access| access.steps_before.is_some());
        if !self.bugs().any(lacks) {
            return Cow::Borrowed(self);
        }
        let mut report = self.clone();
        report.bug.iter_mut().chain(&mut report.further_bugs).for_each(insert);
        Cow::Owned(report)
    }
}

/// An access, and the event that it comes before.
struct Place {
    before: usize,
    event: Event,
}

fn insert(bug: &mut Bug) {
    let last = bug.accesses.len().saturating_sub(1);
    let accesses = bug.accesses.iter().enumerate();
    let mut places: Vec<Place> =
        accesses.filter_map(|(index, access)| place(&bug.execution, access, index == last)).collect();
    places.sort_by_key(|place| place.before);
    // They are steps from now on.
    bug.accesses.iter_mut().for_each(|access| access.steps_before = None);
    let number = |old: usize| old + places.iter().filter(|place| place.before <= old).count();
    if let Some(passing) = &mut bug.passing {
        // Up to there both threads have done the same, which includes what are no steps.
        let common: Vec<&Place> = places.iter().filter(|place| place.before <= passing.first_difference).collect();
        let in_passing = |old: usize| old + common.iter().filter(|place| place.before <= old).count();
        passing.change = passing.change.map(|change| renumber(change, &number, &in_passing));
        passing.execution = inserted(&passing.execution, &common);
        passing.first_difference = in_passing(passing.first_difference);
    }
    bug.execution = inserted(&bug.execution, &places.iter().collect::<Vec<_>>());
}

/// Where an access comes: right before the next step of its thread, or at the end.
fn place(execution: &Execution, access: &RacingAccess, is_last: bool) -> Option<Place> {
    let steps = access.steps_before?;
    let mut own = execution.events.iter().enumerate().filter(|(_, event)| event.thread == access.thread);
    let next = own.nth(steps).map(|(index, _)| index).filter(|_| !is_last);
    let before = next.unwrap_or(execution.events.len());
    // What comes after a comma explains the word.
    let operation = access.operation.split(',').next().unwrap_or_default().to_owned();
    let event = Event {
        thread: access.thread,
        operation,
        object: access.object.clone(),
        source: access.source.clone(),
        ..Event::default()
    };
    Some(Place { before, event })
}

/// The execution with these events in their places.
fn inserted(execution: &Execution, places: &[&Place]) -> Execution {
    let number = |old: usize| old.saturating_add(places.iter().filter(|place| place.before <= old).count());
    let mut events = Vec::with_capacity(execution.events.len() + places.len());
    let mut left = places.iter().peekable();
    for (old, event) in execution.events.iter().enumerate() {
        while let Some(place) = left.next_if(|place| place.before <= old) {
            push_access(&mut events, place.event.clone());
        }
        let mut event = event.clone();
        event.follow(|old| Some(number(old)));
        events.push(event);
    }
    left.for_each(|place| push_access(&mut events, place.event.clone()));
    Execution { threads: execution.threads.clone(), events }
}

/// Adds an access after the last event of its thread.
fn push_access(events: &mut Vec<Event>, mut access: Event) {
    access.happens_after = events.iter().rposition(|event| event.thread == access.thread).into_iter().collect();
    events.push(access);
}

/// The same change, with steps by their new numbers in the failing and in the passing execution.
fn renumber(change: Change, failing: &impl Fn(usize) -> usize, passing: &impl Fn(usize) -> usize) -> Change {
    match change {
        Change::Order { overtaken, moved, moved_to } => {
            Change::Order { overtaken: failing(overtaken), moved: moved.map(failing), moved_to: passing(moved_to) }
        }
        Change::Source { step, finds, instead_of, found, found_in_passing } => Change::Source {
            step: failing(step),
            finds,
            instead_of: instead_of.map(failing),
            found: found.map(failing),
            found_in_passing: found_in_passing.map(passing),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Passing, Thread};

    fn event(thread: usize, object: &str, reads_from: &[usize]) -> Event {
        Event { thread, object: object.to_owned(), reads_from: reads_from.to_vec(), ..Event::default() }
    }

    fn access(thread: usize, steps: usize) -> RacingAccess {
        let operation = "get, which counts as a write,".to_owned();
        RacingAccess { thread, operation, object: "cell".to_owned(), steps_before: Some(steps), ..Default::default() }
    }

    fn objects(execution: &Execution) -> Vec<&str> {
        execution.events.iter().map(|event| event.object.as_str()).collect()
    }

    #[test]
    fn accesses_come_where_their_threads_were() {
        let threads = ["a", "b"].map(|name| Thread { name: name.to_owned() }).to_vec();
        let events = vec![event(0, "x", &[]), event(1, "y", &[0]), event(0, "z", &[1])];
        let passed = vec![event(0, "x", &[]), event(0, "z", &[])];
        let mut bug: Bug = serde_json::from_value(serde_json::json!({
            "kind": "data-race", "message": "", "source": null, "thread": 0, "execution": {"threads": [], "events": []},
            "waits": [], "accesses": [], "tips": [], "divergence": null, "replay": null,
        }))
        .expect("a bug");
        bug.execution = Execution { threads: threads.clone(), events };
        bug.accesses = vec![access(1, 0), access(0, 2)];
        let change = Some(Change::Order { overtaken: 1, moved: Some(2), moved_to: 1 });
        let execution = Execution { threads, events: passed };
        bug.passing = Some(Passing { execution, first_difference: 1, change, is_only: true });
        insert(&mut bug);
        // The one before the first step of its thread, the other, in which the race is seen, at the end.
        assert_eq!(objects(&bug.execution), ["x", "cell", "y", "z", "cell"]);
        assert_eq!(bug.execution.events[1].operation, "get");
        assert_eq!(
            (&bug.execution.events[2].reads_from[..], &bug.execution.events[3].reads_from[..]),
            (&[0][..], &[2][..])
        );
        assert_eq!(bug.execution.events[4].happens_after, [3]);
        let passing = bug.passing.expect("it is still there");
        assert_eq!(objects(&passing.execution), ["x", "cell", "z"]);
        assert_eq!(passing.first_difference, 2);
        assert_eq!(passing.change, Some(Change::Order { overtaken: 2, moved: Some(3), moved_to: 2 }));
    }
}
