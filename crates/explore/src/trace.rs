//! The current execution: its events, what each accessed, and which happened before which.
//!
//! Happens-before is kept as vector clocks in one flat vector (`trace/clocks.rs`). An event's clock has an entry for
//! each thread id in use; a missing entry is 0. All storage grows and shrinks with the execution, so that nothing is
//! allocated once it has been as long as it gets.
//!
//! The conflict relation is that of [`crate::operation`]; this module knows no strategy.

mod clocks;

use everyway_runtime::EventId;
use everyway_runtime::{
    Access, Bytes, Footprint, Location, Matching, Message, Operation, Performed, Step, ThreadId, Visit,
};
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
    threads: Vec<Thread>,
    history: Vec<Vec<Entry>>,
    /// How many events have been put in order: have clocks and races.
    ordered: usize,
    races: Vec<EventId>,
    clocks: Vec<u32>,
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
    /// between (JACM, Sect. 3.3), except through a join. None are known before the event is put in order, as with
    /// [`Trace::happens_before`].
    pub fn races(&self, id: EventId) -> &[EventId] {
        slice(&self.races, &self.event(id).races)
    }

    /// The events that may ask for other executions: those that race, that others could have disabled, or that
    /// had alternatives. What an event conflicts with is known when it is put in order, so that a long beginning in
    /// which nothing of the kind happens costs nothing when executions are compared.
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

    /// The event during which `thread` was spawned; none for a thread of the initial state, or of other executions.
    pub fn origin(&self, thread: ThreadId) -> Option<EventId> {
        self.threads.get(thread.index()).and_then(|t| t.origin)
    }

    /// Whether `earlier` happens before `later`, or is it. Not known of executions that were not put in order: see
    /// [`Explorer::with_order`](crate::Explorer::with_order).
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
        everyway_runtime::oldest(there.map(|entry| &self.visits[entry.visit as usize]), mailbox, receive, matching)
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

    /// Appends what `step`, which was to do `planned`, did. What it comes after is found out by [`Trace::put_in_order`].
    pub(crate) fn push(&mut self, step: Step, planned: Planned, performed: &Performed) -> EventId {
        let id = EventId::new(self.events.len());
        self.ensure_thread(step.thread);
        for thread in &performed.spawned {
            self.ensure_thread(*thread);
            self.threads[thread.index()].origin = Some(id);
        }
        let events = &mut self.threads[step.thread.index()].events;
        events.push(id);
        let index = events.len() as u32;
        let visits = self.record_visits(id, performed);
        let Planned { choices, may_block, joins, declared } = planned;
        self.events.push(Event { step, index, choices, may_block, joins, visits, declared, races: 0..0, clock: 0..0 });
        id
    }

    /// Forgets the events that have not been put in order.
    pub(crate) fn forget_unordered(&mut self) {
        self.truncate(self.ordered);
    }

    /// Forgets all but the first `depth` events.
    pub(crate) fn truncate(&mut self, depth: usize) {
        self.forget_order(depth);
        while self.events.len() > depth {
            let event = self.events.pop().expect("longer than depth");
            for footprint in slice(&self.footprints, &event.visits) {
                self.history[footprint.location.index()].pop();
            }
            self.threads[event.step.thread.index()].events.pop();
            self.visits.truncate(event.visits.start as usize);
            self.footprints.truncate(event.visits.start as usize);
            self.declared.truncate(event.declared.start as usize);
        }
        for thread in &mut self.threads {
            thread.origin = thread.origin.filter(|origin| origin.index() < depth);
        }
    }

    fn ensure_thread(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Thread::default);
        }
    }

    fn record_visits(&mut self, event: EventId, performed: &Performed) -> Range<u32> {
        let start = self.visits.len() as u32;
        for (visit, performed) in (start..).zip(&performed.visits) {
            let location = performed.access.location.index();
            if self.history.len() <= location {
                self.history.resize_with(location + 1, Vec::new);
            }
            self.history[location].push(Entry { event, visit });
            self.visits.push(*performed);
            self.footprints.push(performed.footprint());
        }
        start..self.visits.len() as u32
    }
}

fn slice<'a, T>(pool: &'a [T], range: &Range<u32>) -> &'a [T] {
    &pool[range.start as usize..range.end as usize]
}
