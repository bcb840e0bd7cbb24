//! Sequences that race analysis wants explored: `v` in all the papers.
//!
//! A sequence starts after a prefix of the current execution, takes some of the later events of that
//! execution in their order, and ends with a step that the execution did not take there: the second event of
//! a race, a blocked operation, or another alternative of a choice. Every event but the last one happens as
//! it did in the execution, because everything that happens before it is there; the last one is evaluated
//! anew, from recorded values (a compare-exchange that failed may now succeed). No code is run.
//!
//! Where a race exists only because it is observed, the sequence goes on with the race turned around up to the
//! observer, which becomes the last step (TACAS 2018, Algorithm 1, lines 6-8). Nothing before the observer can tell
//! the difference.

use crate::happens_before::Ordered;
use crate::ids::EventId;
use crate::trace::{Event, Trace};
use everyway_runtime::{Access, Evaluation, Footprint, Location, Message, State, Step, evaluate};

/// A sequence to be explored after the first `prefix` events of the current execution.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    /// The length of the prefix, `E'` in the papers.
    pub(crate) prefix: usize,
    events: Vec<EventId>,
    /// Whether the events are in the order of the execution.
    in_order: bool,
    last: Option<Step>,
    footprints: Vec<Footprint>,
}

impl Sequence {
    /// Starts over: the events of `trace[..until]` that come after `event` and do not happen after it
    /// (`notdep(e, E)`), following the prefix that ends before `event`.
    pub(crate) fn without(&mut self, ordered: Ordered<'_>, event: EventId, until: usize) {
        self.prefix = event.index();
        self.in_order = true;
        self.last = None;
        self.footprints.clear();
        self.events.clear();
        let Ordered { trace, order } = ordered;
        let Event { step, index, .. } = trace.event(event);
        order.not_after(event, (step.thread, *index), until).for_each(|later| self.events.push(later));
    }

    /// Starts over: all that comes after `earlier`, with the race that `observers` observe turned around, up to
    /// them: `notdep(e, E).e'.e.notobs(e, e', E)`.
    pub(crate) fn turned_around(
        &mut self,
        ordered: Ordered<'_>,
        (earlier, later): (EventId, EventId),
        observers: &[EventId],
    ) {
        let end = ordered.trace.len();
        self.without(ordered, earlier, end);
        self.in_order = false;
        self.events.extend([later, earlier]);
        let after = (earlier.index() + 1..end).map(EventId::new);
        self.events.extend(after.filter(|&event| {
            event != later
                && ordered.happens_before(earlier, event)
                && !observers.iter().any(|&observer| ordered.happens_before(observer, event))
        }));
    }

    /// Drops `event` and all that happens after it.
    pub(crate) fn drop_after(&mut self, ordered: Ordered<'_>, event: EventId) {
        self.events.retain(|&later| !ordered.happens_before(event, later));
    }

    /// Drops all that does not happen before `event`.
    pub(crate) fn keep_before(&mut self, ordered: Ordered<'_>, event: EventId) {
        self.events.retain(|&earlier| ordered.happens_before(earlier, event));
    }

    /// The events taken over from the execution.
    pub(crate) fn events(&self) -> &[EventId] {
        &self.events
    }

    /// Takes over these events only.
    pub(crate) fn keep(&mut self, events: Vec<EventId>) {
        self.events = events;
    }

    /// Appends the last step, whose operation is `accesses`, unless it would be blocked there.
    pub(crate) fn end_with(&mut self, step: Step, accesses: &[Access], trace: &Trace, state: &dyn State) -> Evaluation {
        let Self { prefix, events, footprints, last, in_order } = self;
        footprints.clear();
        if accesses.iter().all(|access| access.class_anywhere().is_some()) {
            // It does the same wherever it comes: no need to know any values.
            footprints.extend(accesses.iter().map(|access| access.potential()));
            *last = Some(step);
            return Evaluation::Done { last: accesses.len().saturating_sub(1) };
        }
        let value = |access: &Access| match *in_order {
            true => found_after(trace, state, *prefix, events, access),
            false => found_out_of_order(trace, state, *prefix, events, access),
        };
        let evaluation = evaluate(accesses, value, |visit| footprints.push(visit.footprint()));
        *last = evaluation.is_enabled().then_some(step);
        evaluation
    }

    /// The last step.
    pub(crate) fn last_step(&self) -> Option<Step> {
        self.last
    }

    /// What the last step does.
    pub(crate) fn last_footprints(&self) -> &[Footprint] {
        &self.footprints
    }

    /// Whether the last step does, and its thread learns by it, what it did and learned in the execution - so that
    /// the thread goes on as it did there.
    pub(crate) fn repeats_last(&self, trace: &Trace, state: &dyn State) -> bool {
        let Some(last) = self.last else { return false };
        let own = trace.events_of(last.thread);
        let in_prefix = own.partition_point(|event| event.index() < self.prefix);
        let in_sequence = self.events.iter().filter(|&&event| trace.event(event).step.thread == last.thread).count();
        let Some(&event) = own.get(in_prefix + in_sequence) else { return false };
        let visits = trace.visits(event);
        trace.event(event).step == last
            && visits.len() == self.footprints.len()
            && visits.iter().zip(&self.footprints).all(|(visit, footprint)| {
                let found = || match self.in_order {
                    true => found_after(trace, state, self.prefix, &self.events, &visit.access),
                    false => found_out_of_order(trace, state, self.prefix, &self.events, &visit.access),
                };
                visit.footprint() == *footprint && (visit.access.is_blind() || found() == visit.before)
            })
    }
}

/// What `access` finds after the first `prefix` events of the execution followed by `events`: a value or a message.
fn found_after(trace: &Trace, state: &dyn State, prefix: usize, events: &[EventId], access: &Access) -> u64 {
    match access.effect.receive() {
        Some(number) => {
            let is_there = |event: EventId| event.index() < prefix || events.binary_search(&event).is_ok();
            Message::encode(trace.found(access.location, number, state, is_there))
        }
        None => value_after(trace, state, prefix, events, access.location),
    }
}

/// What `location` holds after the first `prefix` events of the execution followed by `events`.
fn value_after(trace: &Trace, state: &dyn State, prefix: usize, events: &[EventId], location: Location) -> u64 {
    let Some(start) = trace.value_after(prefix, location) else {
        // It was not accessed in this execution, so it holds what it holds now.
        return state.value(location);
    };
    let mut later = trace.accesses_from(prefix, location);
    let mut value = start;
    if !events.is_empty() {
        for (event, visit) in later.by_ref() {
            if events.binary_search(&event).is_ok() {
                value = visit.replay(value);
            }
        }
    }
    value
}

/// The same as [`found_after`] for events in another order than that of the execution.
fn found_out_of_order(trace: &Trace, state: &dyn State, prefix: usize, events: &[EventId], access: &Access) -> u64 {
    let location = access.location;
    let visits = events.iter().flat_map(|&event| trace.visits(event));
    let visits = visits.filter(|visit| visit.access.location == location);
    if let Some(number) = access.effect.receive() {
        let before = trace.accesses_from(0, location).take_while(|(event, _)| event.index() < prefix);
        return Message::encode(everyway_runtime::oldest(
            before.map(|(_, visit)| visit).chain(visits),
            location,
            number,
            state,
        ));
    }
    let Some(start) = trace.value_after(prefix, location) else { return state.value(location) };
    visits.fold(start, |value, visit| visit.replay(value))
}
