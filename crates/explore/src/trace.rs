//! The current execution: its events, what each accessed, and which happened before which.
//!
//! Happens-before is kept as vector clocks in one flat vector. An event's clock has an entry for each thread
//! id in use when it occurred; a missing entry is 0. All storage grows and shrinks with the execution, so
//! that nothing is allocated once it has been as long as it gets.
//!
//! The conflict relation is that of [`crate::operation`]; this module knows no strategy.

use crate::bytes::Bytes;
use crate::condition::Condition;
use crate::execution::Performed;
use crate::ids::{EventId, Location, Step, ThreadId};
use crate::mailbox::{self, Matching, Message};
use crate::operation::{Access, Class, Footprint, Operation, Visit, potentials};
use smallvec::SmallVec;
use std::ops::Range;

/// One step that was taken.
#[derive(Clone, Debug)]
pub struct Event {
    /// Who moved, and how.
    pub step: Step,
    /// Which event of its thread this is, counted from 1.
    pub index: u32,
    /// Among how many alternatives `step.choice` was made.
    pub choices: u32,
    /// Whether other threads' steps could have disabled it.
    pub may_block: bool,
    /// The thread whose end it waited for.
    pub joins: Option<ThreadId>,
    visits: Range<u32>,
    declared: Range<u32>,
    races: Range<u32>,
    clock: Range<u32>,
}

/// An access of an event, filed under its location.
#[derive(Clone, Copy, Debug)]
struct Entry {
    event: EventId,
    visit: u32,
}

/// What is known of a thread in the current execution.
#[derive(Clone, Debug, Default)]
struct Thread {
    events: Vec<EventId>,
    /// The event during which it was spawned; none for the threads of the initial state.
    origin: Option<EventId>,
}

/// What a thread was about to do before a step.
#[derive(Debug)]
pub(crate) struct Planned {
    choices: u32,
    may_block: bool,
    joins: Option<ThreadId>,
    declared: Range<u32>,
}

/// The current execution.
#[derive(Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    visits: Vec<Visit>,
    footprints: Vec<Footprint>,
    declared: Vec<Access>,
    races: Vec<EventId>,
    clocks: Vec<u32>,
    threads: Vec<Thread>,
    history: Vec<Vec<Entry>>,
    /// The events that may ask for other executions, in order.
    pivots: Vec<EventId>,
    /// The events with a store that comes after another thread's store to the same bytes, and nobody looked in
    /// between, or with a send that comes after another thread's to the same mailbox.
    contested: Vec<EventId>,
    /// The events that [`Trace::is_fickle`] is about, in order.
    fickle: Vec<EventId>,
    candidates: Vec<EventId>,
}

impl Trace {
    /// An empty execution.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no step has been taken.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The steps taken, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.events.iter().map(|event| event.step)
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The ids of all events from `start` on, in order.
    pub fn events_from(&self, start: usize) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (start..self.events.len()).map(EventId::new)
    }

    /// What the event did.
    pub fn visits(&self, id: EventId) -> &[Visit] {
        slice(&self.visits, &self.event(id).visits)
    }

    /// What the event did, as far as conflicts are concerned.
    pub fn footprints(&self, id: EventId) -> &[Footprint] {
        slice(&self.footprints, &self.event(id).visits)
    }

    /// [`Trace::footprints`] of an event that has been looked up.
    #[inline]
    pub(crate) fn footprints_of(&self, event: &Event) -> &[Footprint] {
        slice(&self.footprints, &event.visits)
    }

    /// The accesses of the event's operation, carried out or not.
    pub fn declared(&self, id: EventId) -> &[Access] {
        slice(&self.declared, &self.event(id).declared)
    }

    /// The events of other threads that the event races with: those that happen before it with no event in
    /// between (JACM, Sect. 3.3), except through a join.
    pub fn races(&self, id: EventId) -> &[EventId] {
        slice(&self.races, &self.event(id).races)
    }

    /// The events that may ask for other executions: those that race, that others could have disabled, or that
    /// had alternatives. What an event conflicts with is known when it is taken, so that a long beginning in which
    /// nothing of the kind happens costs nothing when executions are compared.
    pub(crate) fn pivots(&self) -> &[EventId] {
        &self.pivots
    }

    /// The events with a store or a send whose place among others may be of no interest, in order: if there are
    /// none, happens-before is the same with and without observers.
    pub(crate) fn contested(&self) -> &[EventId] {
        &self.contested
    }

    /// Whether something independent of one event may decide that another does not even meet it: a message hides that a
    /// receive would have looked for senders, and a write to other bytes makes a compare-exchange a read. That is
    /// against Property 7 of JACM, Definition 3.2. There are such events only where operations look at more than one
    /// location, or where different bytes of a location are accessed.
    pub(crate) fn is_fickle(&self) -> bool {
        !self.fickle.is_empty()
    }

    /// The last event before `limit` that conflicts with what an operation may do, among those that are not `known` to
    /// happen before it anyway.
    pub(crate) fn last_conflict(
        &self,
        potentials: &[Footprint],
        known: impl Fn(EventId) -> bool,
        limit: usize,
        conflict: impl Fn(&Footprint, &Footprint) -> bool,
    ) -> Option<EventId> {
        let latest = |potential: &Footprint| {
            let history = self.history.get(potential.location.index()).map_or(&[][..], |h| &h[..]);
            let before = history.partition_point(|entry| entry.event.index() < limit);
            for entry in history[..before].iter().rev() {
                let footprint = &self.footprints[entry.visit as usize];
                if !conflict(footprint, potential) {
                    continue;
                }
                if !known(entry.event) {
                    return Some(entry.event);
                }
                if footprint.screens(potential) {
                    break;
                }
            }
            None
        };
        potentials.iter().filter_map(latest).max()
    }

    /// The events of `thread`, in order.
    pub fn events_of(&self, thread: ThreadId) -> &[EventId] {
        self.threads.get(thread.index()).map_or(&[], |t| &t.events)
    }

    /// The event during which `thread` was spawned; none for a thread of the initial state.
    pub(crate) fn origin(&self, thread: ThreadId) -> Option<EventId> {
        self.threads.get(thread.index()).and_then(|t| t.origin)
    }

    /// Whether `earlier` happens before `later`, or is it.
    pub fn happens_before(&self, earlier: EventId, later: EventId) -> bool {
        let event = self.event(earlier);
        self.clock_entry(later, event.step.thread) >= event.index
    }

    /// The number of events of `thread` that happen before `event` or are it.
    pub(crate) fn clock_entry(&self, event: EventId, thread: ThreadId) -> u32 {
        let clock = &self.event(event).clock;
        let position = clock.start + thread.0;
        if position < clock.end { self.clocks[position as usize] } else { 0 }
    }

    /// What happens before every event from `start` on: a number of events of each thread.
    pub(crate) fn common_past(&self, start: usize) -> SmallVec<[u32; 16]> {
        let mut clocks = self.events_from(start).map(|event| self.clock(self.clock_range(event)));
        let mut common = SmallVec::from_slice(clocks.next().unwrap_or_default());
        for clock in clocks {
            common.iter_mut().zip(clock).for_each(|(entry, &other): (&mut u32, _)| *entry = (*entry).min(other));
        }
        common
    }

    /// Whether `event` is in a past that was told by [`Trace::common_past`].
    pub(crate) fn is_within(&self, event: EventId, past: &[u32]) -> bool {
        let event = self.event(event);
        past.get(event.step.thread.index()).is_some_and(|&count| count >= event.index)
    }

    /// Where the event's clock is in the vector of all clocks.
    pub(crate) fn clock_range(&self, event: EventId) -> Range<usize> {
        let clock = &self.event(event).clock;
        clock.start as usize..clock.end as usize
    }

    /// The clock of an event that has this range.
    pub(crate) fn clock(&self, range: Range<usize>) -> &[u32] {
        &self.clocks[range]
    }

    /// The accesses to the location of `footprint` by the events before `limit`, latest first.
    pub(crate) fn footprints_before(
        &self,
        limit: EventId,
        location: Location,
    ) -> impl Iterator<Item = (EventId, &Footprint)> {
        let history = self.history.get(location.index()).map_or(&[][..], |h| &h[..]);
        let before = history.partition_point(|entry| entry.event < limit);
        history[..before].iter().rev().map(|entry| (entry.event, &self.footprints[entry.visit as usize]))
    }

    /// The accesses to `location` by the events after `event`, in order.
    pub(crate) fn footprints_after(
        &self,
        event: EventId,
        location: Location,
    ) -> impl Iterator<Item = (EventId, &Footprint)> {
        let history = self.history.get(location.index()).map_or(&[][..], |h| &h[..]);
        let first = history.partition_point(|entry| entry.event <= event);
        history[first..].iter().map(|entry| (entry.event, &self.footprints[entry.visit as usize]))
    }

    /// The value that `location` holds after the first `prefix` events, if anybody accessed it at all.
    pub(crate) fn value_after(&self, prefix: usize, location: Location) -> Option<u64> {
        let history = self.history.get(location.index())?;
        let next = history.partition_point(|entry| entry.event.index() < prefix);
        match next.checked_sub(1) {
            Some(last) => Some(self.visits[history[last].visit as usize].after),
            None => history.first().map(|entry| self.visits[entry.visit as usize].before),
        }
    }

    /// The message that the receive with this number finds in `mailbox` after the events for which `is_there` holds:
    /// the oldest one that it matches, and that no earlier receive has taken.
    pub(crate) fn found(
        &self,
        mailbox: Location,
        receive: u32,
        matching: &dyn Matching,
        is_there: impl Fn(EventId) -> bool,
    ) -> Option<Message> {
        let history = self.history.get(mailbox.index()).map_or(&[][..], |h| &h[..]);
        let there = history.iter().filter(|entry| is_there(entry.event));
        mailbox::oldest(there.map(|entry| &self.visits[entry.visit as usize]), mailbox, receive, matching)
    }

    /// The accesses to `location` from the event `start` on, in order.
    pub(crate) fn accesses_from(
        &self,
        start: usize,
        location: Location,
    ) -> impl DoubleEndedIterator<Item = (EventId, &Visit)> {
        let history = self.history.get(location.index()).map_or(&[][..], |h| &h[..]);
        let first = history.partition_point(|entry| entry.event.index() < start);
        history[first..].iter().map(|entry| (entry.event, &self.visits[entry.visit as usize]))
    }

    /// The last event before the event `limit` that changed bytes of `location` that are `meant`.
    pub(crate) fn last_change(
        &self,
        location: Location,
        limit: usize,
        meant: impl Fn(Bytes) -> bool,
    ) -> Option<EventId> {
        let history = self.history.get(location.index())?;
        let before = history.partition_point(|entry| entry.event.index() < limit);
        let changes = |entry: &&Entry| {
            let footprint = &self.footprints[entry.visit as usize];
            footprint.class.changes() && meant(footprint.bytes)
        };
        history[..before].iter().rev().find(changes).map(|entry| entry.event)
    }

    /// Takes note of an operation that is about to be carried out.
    pub(crate) fn plan(&mut self, operation: &Operation, choices: u32) -> Planned {
        let start = self.declared.len() as u32;
        self.declared.extend_from_slice(&operation.accesses);
        Planned {
            choices,
            may_block: operation.may_block(),
            joins: operation.joins,
            declared: start..self.declared.len() as u32,
        }
    }

    /// Appends what `step`, which was to do `planned`, did; computes its clock and its races.
    pub(crate) fn push(
        &mut self,
        step: Step,
        planned: Planned,
        performed: &Performed,
        matching: &dyn Matching,
    ) -> EventId {
        let id = EventId::new(self.events.len());
        self.ensure_thread(step.thread);
        for thread in &performed.spawned {
            self.ensure_thread(*thread);
            self.threads[thread.index()].origin = Some(id);
        }
        let Planned { choices, may_block, joins, declared } = planned;
        let visits = self.record_visits(performed);
        let clock_start = self.start_clock(step.thread);
        if let Some(joined) = joins {
            self.join_end_of(joined, clock_start);
        }
        let races = self.find_races(&visits, clock_start, matching);
        if self.is_contested(&visits, step.thread) {
            self.contested.push(id);
        }
        if self.looks_twice(&declared) || self.accesses_other_bytes(&visits) {
            self.fickle.push(id);
        }
        let thread = &self.threads[step.thread.index()];
        let start = thread.events.last().copied().or(thread.origin);
        let rivals = match may_block {
            true => {
                let known = |event| start.is_some_and(|start| self.happens_before(event, start));
                let conflict = |a: &Footprint, b: &Footprint| a.conflicts(b, matching);
                let potentials = potentials(slice(&self.declared, &declared), slice(&self.visits, &visits));
                self.last_conflict(&potentials, known, id.index(), conflict).is_some()
            }
            false => !races.is_empty(),
        };
        if rivals || choices > 1 {
            self.pivots.push(id);
        }
        self.threads[step.thread.index()].events.push(id);
        let index = self.threads[step.thread.index()].events.len() as u32;
        self.clocks[(clock_start + step.thread.0) as usize] = index;
        self.events.push(Event {
            step,
            index,
            choices,
            may_block,
            joins,
            declared,
            clock: clock_start..self.clocks.len() as u32,
            races,
            visits: visits.clone(),
        });
        for visit in visits {
            let location = self.footprints[visit as usize].location;
            self.history[location.index()].push(Entry { event: id, visit });
        }
        id
    }

    /// Takes note of the values that an event found and left when it was taken again. It did what it did before,
    /// or the front end would have said that the program diverged.
    pub(crate) fn retake(&mut self, id: EventId, operation: &Operation, visits: &[Visit]) {
        let event = &self.events[id.index()];
        let known = &mut self.visits[event.visits.start as usize..event.visits.end as usize];
        known.iter_mut().zip(visits).for_each(|(known, again)| *known = *again);
        let declared = &mut self.declared[event.declared.start as usize..event.declared.end as usize];
        declared.iter_mut().zip(&operation.accesses).for_each(|(known, again)| *known = *again);
    }

    /// Forgets all but the first `depth` events.
    pub(crate) fn truncate(&mut self, depth: usize) {
        while self.events.len() > depth {
            let event = self.events.pop().expect("longer than depth");
            for footprint in slice(&self.footprints, &event.visits) {
                self.history[footprint.location.index()].pop();
            }
            self.threads[event.step.thread.index()].events.pop();
            self.visits.truncate(event.visits.start as usize);
            self.footprints.truncate(event.visits.start as usize);
            self.declared.truncate(event.declared.start as usize);
            self.races.truncate(event.races.start as usize);
            self.clocks.truncate(event.clock.start as usize);
        }
        self.pivots.truncate(self.pivots.partition_point(|event| event.index() < depth));
        self.contested.truncate(self.contested.partition_point(|event| event.index() < depth));
        self.fickle.truncate(self.fickle.partition_point(|event| event.index() < depth));
    }

    fn ensure_thread(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Thread::default);
        }
    }

    fn record_visits(&mut self, performed: &Performed) -> Range<u32> {
        let start = self.visits.len() as u32;
        for visit in &performed.visits {
            let location = visit.access.location.index();
            if self.history.len() <= location {
                self.history.resize_with(location + 1, Vec::new);
            }
            self.visits.push(*visit);
            self.footprints.push(visit.footprint());
        }
        start..self.visits.len() as u32
    }

    /// Begins the clock of a new event with that of its thread's previous event, or of its thread's spawn.
    fn start_clock(&mut self, thread: ThreadId) -> u32 {
        let start = self.clocks.len();
        let thread = &self.threads[thread.index()];
        if let Some(previous) = thread.events.last().copied().or(thread.origin) {
            let clock = &self.events[previous.index()].clock;
            self.clocks.extend_from_within(clock.start as usize..clock.end as usize);
        }
        self.clocks.resize(start + self.threads.len(), 0);
        start as u32
    }

    fn join_clock(&mut self, event: EventId, into: u32) {
        let clock = self.events[event.index()].clock.clone();
        let (before, current) = self.clocks.split_at_mut(into as usize);
        for (entry, other) in current.iter_mut().zip(&before[clock.start as usize..clock.end as usize]) {
            *entry = (*entry).max(*other);
        }
    }

    fn join_end_of(&mut self, joined: ThreadId, clock: u32) {
        // A thread of the initial state that never moved may not have been met yet.
        let Some(thread) = self.threads.get(joined.index()) else { return };
        if let Some(last) = thread.events.last().copied().or(thread.origin) {
            self.join_clock(last, clock);
        }
    }

    fn looks_twice(&self, declared: &Range<u32>) -> bool {
        let tried = |access: &Access| access.when != Condition::Always && !access.may_block();
        declared.len() > 1 && slice(&self.declared, declared).iter().any(tried)
    }

    fn accesses_other_bytes(&self, visits: &Range<u32>) -> bool {
        slice(&self.footprints, visits).iter().any(|footprint| {
            let first = self.history[footprint.location.index()].first();
            first.is_some_and(|entry| self.footprints[entry.visit as usize].bytes != footprint.bytes)
        })
    }

    fn is_contested(&self, visits: &Range<u32>, thread: ThreadId) -> bool {
        let contested = |footprint: &Footprint| {
            let history = self.history[footprint.location.index()].iter().rev();
            let mut earlier = history.map(|entry| (entry.event, &self.footprints[entry.visit as usize]));
            let last = match footprint.class {
                Class::Store => earlier
                    .find(|(_, earlier)| earlier.overlaps(footprint))
                    .filter(|(_, earlier)| earlier.class == Class::Store && earlier.bytes == footprint.bytes),
                Class::Send(_) => earlier.find(|(_, earlier)| matches!(earlier.class, Class::Send(_))),
                _ => None,
            };
            last.is_some_and(|(event, _)| self.event(event).step.thread != thread)
        };
        slice(&self.footprints, visits).iter().any(contested)
    }

    /// Completes the clock that starts at `clock` by the events that conflict with `visits`; those that it
    /// did not know yet are the races.
    fn find_races(&mut self, visits: &Range<u32>, clock: u32, matching: &dyn Matching) -> Range<u32> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for footprint in slice(&self.footprints, visits) {
            for entry in self.history[footprint.location.index()].iter().rev() {
                let earlier = &self.footprints[entry.visit as usize];
                if earlier.conflicts(footprint, matching) {
                    candidates.push(entry.event);
                }
                if earlier.screens(footprint) {
                    break;
                }
            }
        }
        if visits.len() > 1 {
            candidates.sort_unstable_by(|a, b| b.cmp(a));
        }
        let start = self.races.len() as u32;
        // Latest first: whatever lies between a candidate and the new event has been joined before it.
        for &candidate in &candidates {
            let event = &self.events[candidate.index()];
            if self.clocks[(clock + event.step.thread.0) as usize] < event.index {
                self.races.push(candidate);
                self.join_clock(candidate, clock);
            }
        }
        self.candidates = candidates;
        start..self.races.len() as u32
    }
}

fn slice<'a, T>(pool: &'a [T], range: &Range<u32>) -> &'a [T] {
    &pool[range.start as usize..range.end as usize]
}
