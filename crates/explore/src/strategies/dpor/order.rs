//! Happens-before as race analysis sees it: with every conflict counted, or only those that somebody observes.
//!
//! The first is what [`Trace`] keeps. The second depends on what comes later, and is computed for an execution that
//! has ended, from the first event on for which it makes a difference. Where it makes none - nowhere is a store
//! after another thread's store that nobody has looked at, or a message after another thread's - the trace's own is
//! used.
//!
//! The definition is that of TACAS 2018 with the conflict relation of `observe.rs`: the transitive closure of
//! program order, spawns, joins, conflicts that are always there, and those that are observed. Any linearization of
//! it is an execution with the same relation (Definition 1(4)): who reads has the same stores before, with the same
//! one of them last; who receives has the message that was taken before all others that might have been.

use super::observation::{Conflict, Known, Relation, Sight};
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Class, Footprint, Matching, ThreadId};
use std::ops::Range;

/// Which events of an execution happen before which.
pub(crate) trait Order {
    /// The execution.
    fn trace(&self) -> &Trace;

    /// The number of events of `thread` that happen before `event` or are it.
    fn clock_entry(&self, event: EventId, thread: ThreadId) -> u32;

    /// The events of other threads that happen before `event` with nothing in between, except through a join.
    fn races(&self, event: EventId) -> &[EventId];

    /// The events that may ask for other executions, in order.
    fn pivots(&self) -> &[EventId];

    /// Those who observe the race between two events, in the order of the execution; none if it is a race in
    /// whatever comes next (`observers(e, e', E)`; here with those that happen after others of them).
    fn observers(&self, earlier: EventId, later: EventId) -> Vec<EventId>;

    /// Whether two accesses conflict at any rate.
    fn conflict(&self, one: &Footprint, other: &Footprint, matching: &dyn Matching) -> bool;

    /// Whether some access of one event conflicts with some access of another at any rate.
    fn events_conflict(&self, one: &[Footprint], other: &[Footprint], matching: &dyn Matching) -> bool {
        one.iter().any(|a| other.iter().any(|b| self.conflict(a, b, matching)))
    }

    /// Whether `earlier` happens before `later`, or is it.
    fn happens_before(&self, earlier: EventId, later: EventId) -> bool {
        let event = self.trace().event(earlier);
        self.clock_entry(later, event.step.thread) >= event.index
    }
}

impl Order for Trace {
    fn trace(&self) -> &Trace {
        self
    }

    fn clock_entry(&self, event: EventId, thread: ThreadId) -> u32 {
        Trace::clock_entry(self, event, thread)
    }

    fn races(&self, event: EventId) -> &[EventId] {
        Trace::races(self, event)
    }

    fn pivots(&self) -> &[EventId] {
        Trace::pivots(self)
    }

    fn observers(&self, _: EventId, _: EventId) -> Vec<EventId> {
        Vec::new()
    }

    fn conflict(&self, one: &Footprint, other: &Footprint, matching: &dyn Matching) -> bool {
        one.conflicts(other, matching)
    }
}

/// The observed happens-before relation of one execution; kept to be computed again for the next one.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// The first event whose clock may differ from the trace's, and where that starts there.
    first: usize,
    base: usize,
    /// The clocks of the events from the first one on, laid out as the trace's are.
    clocks: Vec<u32>,
    races: Vec<EventId>,
    /// Where in `races` those of each event are, from the first one on.
    races_of: Vec<Range<u32>>,
    pivots: Vec<EventId>,
    candidates: Vec<EventId>,
}

impl Tables {
    /// Computes the relation for `trace`.
    pub(crate) fn compute<'a>(&'a mut self, trace: &'a Trace, relation: &'a Known<'a>) -> Observed<'a> {
        self.first = trace.contested().first().map_or(trace.len(), |event| event.index());
        self.clocks.clear();
        self.races.clear();
        self.races_of.clear();
        self.pivots.clear();
        self.pivots.extend(trace.pivots().iter().take_while(|event| event.index() < self.first));
        self.base = trace.contested().first().map_or(0, |&event| trace.clock_range(event).start);
        for event in trace.events_from(self.first) {
            self.push(trace, relation, event);
        }
        Observed { trace, relation, tables: self }
    }

    fn push(&mut self, trace: &Trace, relation: &Known<'_>, id: EventId) {
        let event = trace.event(id);
        let range = trace.clock_range(id);
        let start = range.start - self.base;
        debug_assert_eq!(start, self.clocks.len());
        self.clocks.resize(start + range.len(), 0);
        let own = trace.events_of(event.step.thread);
        let previous = (event.index as usize).checked_sub(2).map(|index| own[index]);
        if let Some(previous) = previous.or(trace.origin(event.step.thread)) {
            self.join(trace, previous, start);
        }
        let last_of = |thread| trace.events_of(thread).last().copied().or(trace.origin(thread));
        if let Some(last) = event.joins.and_then(last_of) {
            self.join(trace, last, start);
        }
        self.find_races(trace, relation, id, start);
        self.clocks[start + event.step.thread.index()] = event.index;
        let races = self.races_of.last().expect("this event's");
        if !races.is_empty() || event.may_block || event.choices > 1 {
            self.pivots.push(id);
        }
    }

    fn find_races(&mut self, trace: &Trace, relation: &Known<'_>, id: EventId, start: usize) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for footprint in trace.footprints(id) {
            for (event, earlier) in trace.footprints_before(id, footprint.location) {
                match relation.conflict(earlier, footprint) {
                    Conflict::Never => {}
                    Conflict::Always => candidates.push(event),
                    Conflict::Observed => {
                        let mut observers = observers(trace, relation, (event, earlier), (id, footprint));
                        candidates.extend(observers.next().map(|_| event));
                    }
                }
                // What a store does not come after itself, it cannot stand for.
                let orders = earlier.class != Class::Store
                    || relation.refine(earlier, earlier) == Conflict::Always
                    || observers(trace, relation, (event, earlier), (event, earlier)).next().is_some();
                if orders && earlier.screens(footprint) {
                    break;
                }
            }
        }
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        let first = self.races.len() as u32;
        // Latest first: whatever lies between a candidate and the event has been joined before it.
        for &candidate in &candidates {
            let event = trace.event(candidate);
            if self.clocks[start + event.step.thread.index()] < event.index {
                self.races.push(candidate);
                self.join(trace, candidate, start);
            }
        }
        self.candidates = candidates;
        self.races_of.push(first..self.races.len() as u32);
    }

    /// Joins the clock of `event` into the last one, which starts at `start`.
    fn join(&mut self, trace: &Trace, event: EventId, start: usize) {
        let range = trace.clock_range(event);
        let (before, current) = self.clocks.split_at_mut(start);
        let clock = if event.index() < self.first {
            trace.clock(range)
        } else {
            &before[range.start - self.base..range.end - self.base]
        };
        current.iter_mut().zip(clock).for_each(|(entry, other)| *entry = (*entry).max(*other));
    }
}

/// The events that observe the order of two accesses, `first` and `second`.
fn observers<'a>(
    trace: &'a Trace,
    relation: &'a Known<'a>,
    (first, one): (EventId, &'a Footprint),
    (second, other): (EventId, &'a Footprint),
) -> impl Iterator<Item = EventId> + 'a {
    // Nobody observes the order of stores before the later one.
    let start = if other.class == Class::Store { second } else { first };
    let later = trace.footprints_after(start, other.location);
    let sights = later.map(move |(event, access)| (event, relation.sight(one, other, event > second, access)));
    sights.take_while(|(_, sight)| *sight != Sight::Hidden).filter(|(_, s)| *s == Sight::Seen).map(|(event, _)| event)
}

/// An execution with its observed happens-before relation.
pub(crate) struct Observed<'a> {
    trace: &'a Trace,
    relation: &'a Known<'a>,
    tables: &'a Tables,
}

impl Order for Observed<'_> {
    fn trace(&self) -> &Trace {
        self.trace
    }

    fn clock_entry(&self, event: EventId, thread: ThreadId) -> u32 {
        let Tables { first, base, clocks, .. } = self.tables;
        if event.index() < *first {
            return self.trace.clock_entry(event, thread);
        }
        let range = self.trace.clock_range(event);
        if thread.index() < range.len() { clocks[range.start - base + thread.index()] } else { 0 }
    }

    fn races(&self, event: EventId) -> &[EventId] {
        let Tables { first, races, races_of, .. } = self.tables;
        match event.index().checked_sub(*first) {
            Some(index) => &races[races_of[index].start as usize..races_of[index].end as usize],
            None => self.trace.races(event),
        }
    }

    fn pivots(&self) -> &[EventId] {
        &self.tables.pivots
    }

    fn conflict(&self, one: &Footprint, other: &Footprint, _: &dyn Matching) -> bool {
        self.relation.conflict(one, other) == Conflict::Always
    }

    fn observers(&self, earlier: EventId, later: EventId) -> Vec<EventId> {
        let mut found = Vec::new();
        for one in self.trace.footprints(earlier) {
            for other in self.trace.footprints(later) {
                match self.relation.conflict(one, other) {
                    Conflict::Never => {}
                    Conflict::Always => return Vec::new(),
                    Conflict::Observed => {
                        found.extend(observers(self.trace, self.relation, (earlier, one), (later, other)));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
