//! Happens-before: which events of an execution come before which in every equivalent one.
//!
//! It is the transitive closure of program order, spawns, joins, and the order of accesses that depend on each other. What
//! the latter are is a parameter ([`Dependence`]): every conflict ([`Conflicts`]), or conflicts as far as they are observed
//! (`strategies/dpor/observation.rs`). It is kept as vector clocks ([`Clocks`]), which the strategies that define an
//! order of their own use as well.
//!
//! Events are put in order one after the other, from the accesses that their execution has on record. With every
//! conflict counted that may be done as soon as an event has been taken; what is observed is known in the end.
//!
//! This module knows no strategy.

use crate::ids::EventId;
use crate::trace::{Record, Search, Trace};
use everyway_runtime::{Footprint, Location, Matching, ThreadId, potentials};
use smallvec::SmallVec;
use std::ops::{ControlFlow, Range};

/// Clocks have room for a multiple of so many threads.
const ROOM: usize = 4;

/// How wide clocks are to be that have to have room for so many threads, and were `width` wide. Mostly all threads are there at
/// once. Where they come one by one, there is half as much room again each time, so that clocks are not moved for each of them.
pub(crate) fn wide_enough(width: usize, threads: usize) -> usize {
    threads.max(width + width / 2).next_multiple_of(ROOM)
}

/// Vector clocks of a sequence of events: of each event, how many events of each thread come before it or are it.
///
/// They lie in one flat vector, and all are as wide.
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    entries: Vec<u32>,
    len: usize,
    /// How many threads there are.
    threads: usize,
    /// How many threads there is room for.
    width: usize,
}

impl Clocks {
    /// The number of events.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The clock of the event at `position`.
    #[inline]
    pub(crate) fn get(&self, position: usize) -> &[u32] {
        &self.entries[position * self.width..][..self.threads]
    }

    /// How many events of `thread` come before the event at `position` or are it.
    #[inline]
    pub(crate) fn entry(&self, position: usize, thread: ThreadId) -> u32 {
        if thread.index() < self.threads { self.entries[position * self.width + thread.index()] } else { 0 }
    }

    /// [`Clocks::entry`] of the events at all of these positions.
    #[inline]
    fn entries_of(&self, positions: Range<usize>, thread: ThreadId) -> impl Iterator<Item = u32> {
        debug_assert!(thread.index() < self.threads, "the thread has an event");
        let clocks = &self.entries[positions.start * self.width..positions.end * self.width];
        clocks[thread.index().min(clocks.len())..].iter().step_by(self.width.max(1)).copied()
    }

    /// Makes room for this many more clocks with an entry for each of `threads`.
    pub(crate) fn reserve(&mut self, threads: usize, more: usize) {
        if threads > self.threads {
            self.widen(threads);
        }
        self.entries.reserve(more * self.width);
    }

    /// Begins a clock with an entry for each of `threads`, and the entries of the clock at `previous`.
    #[inline]
    pub(crate) fn begin(&mut self, threads: usize, previous: Option<usize>) {
        if threads > self.threads {
            self.widen(threads);
        }
        let end = self.entries.len() + self.width;
        match previous {
            Some(previous) => {
                self.entries.extend_from_within(previous * self.width..(previous + 1) * self.width);
            }
            None => self.entries.resize(end, 0),
        }
        self.len += 1;
    }

    #[cold]
    fn widen(&mut self, threads: usize) {
        self.threads = threads;
        if threads <= self.width {
            return;
        }
        let width = wide_enough(self.width, threads);
        let mut entries = Vec::with_capacity(self.len * width);
        for clock in self.entries.chunks(self.width.max(1)) {
            entries.extend_from_slice(clock);
            entries.resize(entries.len() + width - clock.len(), 0);
        }
        // Without width, those that there are have nothing in them.
        entries.resize(self.len * width, 0);
        (self.width, self.entries) = (width, entries);
    }

    /// Whether the last event comes after the event of `thread` with this index, or is it.
    #[inline]
    pub(crate) fn last_knows(&self, thread: ThreadId, index: u32) -> bool {
        self.entries[self.start_of_last() + thread.index()] >= index
    }

    /// Lets the last event come after all that the event at `position` comes after, and after that itself.
    #[inline]
    pub(crate) fn join(&mut self, position: usize) {
        let (before, last) = self.entries.split_at_mut((self.len - 1) * self.width);
        join(last, &before[position * self.width..][..self.width]);
    }

    /// Makes the last event the one of `thread` with this index.
    #[inline]
    pub(crate) fn end(&mut self, thread: ThreadId, index: u32) {
        let start = self.start_of_last();
        self.entries[start + thread.index()] = index;
    }

    /// Forgets all but the first `len` clocks.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        self.entries.truncate(self.len * self.width);
    }

    #[inline]
    fn start_of_last(&self) -> usize {
        (self.len - 1) * self.width
    }
}

/// Lets `clock` know all that `other` knows.
pub(crate) fn join(clock: &mut [u32], other: &[u32]) {
    for (entry, other) in clock.iter_mut().zip(other) {
        *entry = (*entry).max(*other);
    }
}

/// An access of an event.
pub(crate) type At<'a> = (EventId, &'a Footprint);

/// Which accesses order the events that make them.
pub(crate) trait Dependence {
    /// Whether the event of `later` comes after that of `earlier` by these accesses.
    fn orders(&self, record: &Record, earlier: At<'_>, later: At<'_>) -> bool;

    /// Whether all that an access like `later` comes after, and that precedes `earlier`, happens before `earlier`: a
    /// search backwards may end there.
    fn ends_search(&self, record: &Record, earlier: At<'_>, later: &Footprint) -> bool;

    /// Whether all accesses that conflict order their events.
    fn counts_every_conflict(&self) -> bool;

    /// Whether of the sends to `mailbox` that come before another one, those that are ordered before it come first, and
    /// one after the other.
    fn orders_messages_one_by_one(&self, mailbox: Location) -> bool;

    /// Whether two accesses order their events wherever they come.
    fn conflict(&self, one: &Footprint, other: &Footprint) -> bool;

    /// Whether some access of one event conflicts with some access of another.
    fn events_conflict(&self, one: &[Footprint], other: &[Footprint]) -> bool {
        one.iter().any(|a| other.iter().any(|b| self.conflict(a, b)))
    }

    /// The events without which two others would not be ordered, in the order of the execution; none if they are
    /// ordered anyway (`observers(e, e', E)` of TACAS 2018; here with those that happen after others of them).
    fn observers(&self, record: &Record, earlier: EventId, later: EventId) -> Vec<EventId> {
        let _ = (record, earlier, later);
        Vec::new()
    }
}

/// Every conflict counts; the program tells what receives match.
#[derive(Clone, Copy)]
pub(crate) struct Conflicts<'a>(pub(crate) &'a dyn Matching);

impl Dependence for Conflicts<'_> {
    #[inline]
    fn orders(&self, _: &Record, (_, earlier): At<'_>, (_, later): At<'_>) -> bool {
        earlier.conflicts(later, self.0)
    }

    #[inline]
    fn ends_search(&self, _: &Record, (_, earlier): At<'_>, later: &Footprint) -> bool {
        earlier.dominates(later)
    }

    #[inline]
    fn counts_every_conflict(&self) -> bool {
        true
    }

    #[inline]
    fn orders_messages_one_by_one(&self, _: Location) -> bool {
        true
    }

    #[inline]
    fn conflict(&self, one: &Footprint, other: &Footprint) -> bool {
        one.conflicts(other, self.0)
    }
}

/// What is known of an event besides its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    /// Where its races end.
    races: u32,
    /// How many of the first events there are up to the last one of another thread that happens before it.
    past: u32,
}

/// The happens-before relation of a prefix of an execution.
#[derive(Debug, Default)]
pub(crate) struct HappensBefore {
    clocks: Clocks,
    races: Vec<EventId>,
    /// By event.
    ends: Vec<Ends>,
    branch_points: Vec<EventId>,
    candidates: Vec<EventId>,
}

impl HappensBefore {
    /// How many events are in order.
    pub(crate) fn len(&self) -> usize {
        self.clocks.len()
    }

    /// The number of events of `thread` that happen before `event` or are it.
    #[inline]
    pub(crate) fn clock_entry(&self, event: EventId, thread: ThreadId) -> u32 {
        self.clocks.entry(event.index(), thread)
    }

    /// The events after `event`, up to `until`, that do not happen after it.
    pub(crate) fn not_after(
        &self,
        event: EventId,
        (thread, index): (ThreadId, u32),
        until: usize,
    ) -> impl Iterator<Item = EventId> {
        let later = event.index() + 1..until.max(event.index() + 1);
        let entries = later.clone().zip(self.clocks.entries_of(later, thread));
        entries.filter(move |&(_, entry)| entry < index).map(|(later, _)| EventId::new(later))
    }

    /// The number of events of each thread that happen before `event` or are it.
    #[inline]
    pub(crate) fn clock(&self, event: EventId) -> &[u32] {
        self.clocks.get(event.index())
    }

    /// The last event of another thread that happens before `event`.
    #[inline]
    pub(crate) fn last_of_others_before(&self, event: EventId) -> Option<EventId> {
        self.ends[event.index()].past.checked_sub(1).map(EventId)
    }

    /// The events of other threads that happen before `event` with nothing in between, except through a join.
    #[inline]
    pub(crate) fn races(&self, event: EventId) -> &[EventId] {
        let at = event.index();
        &self.races[self.races_before(at)..self.ends[at].races as usize]
    }

    /// How many races the first `len` events have.
    #[inline]
    fn races_before(&self, len: usize) -> usize {
        len.checked_sub(1).map_or(0, |last| self.ends[last].races as usize)
    }

    /// The events at which other executions may branch off, in order: those that race, that others could have disabled,
    /// or that had alternatives. A long beginning in which there are none costs nothing when executions are compared.
    pub(crate) fn branch_points(&self) -> &[EventId] {
        &self.branch_points
    }

    /// Puts the next event on record in order.
    #[inline]
    pub(crate) fn push(&mut self, record: &Record, relation: &impl Dependence) {
        let id = EventId::new(self.len());
        let event = record.event(id);
        let previous = event.previous;
        self.clocks.begin(record.threads(), previous.map(EventId::index));
        let mut past = previous.map_or(0, |previous| match event.index {
            1 => previous.0 + 1,
            _ => self.ends[previous.index()].past,
        });
        if let Some(joined) = event.joins
            && let Some(last) = record.end_of(joined)
        {
            self.clocks.join(last.index());
            past = past.max(last.0 + 1);
        }
        let start = self.races.len();
        match record.footprints_of(event) {
            [] => {}
            [only] => self.find_races(record, (id, event.step.thread), only, relation),
            several => self.find_races_of_several(record, (id, event.step.thread), several, relation),
        }
        let may_differ = || event.may_block && self.has_rivals(record, id, previous, relation);
        if self.races.len() > start || event.choices > 1 || may_differ() {
            self.branch_points.push(id);
        }
        self.clocks.end(event.step.thread, event.index);
        // Latest first.
        past = self.races.get(start).map_or(past, |race| past.max(race.0 + 1));
        self.ends.push(Ends { races: self.races.len() as u32, past });
    }

    /// Lets the last event come after another one that an access of it depends on. It is a race if the event did not know
    /// it. All that lies between the two has been met before.
    #[inline]
    fn meet(&mut self, record: &Record, candidate: EventId) {
        let event = record.event(candidate);
        if !self.clocks.last_knows(event.step.thread, event.index) {
            self.races.push(candidate);
            self.clocks.join(candidate.index());
        }
    }

    /// Completes the last clock, that of `id`, by the events that its only access depends on; those that it did not know
    /// are the races.
    #[inline]
    fn find_races(
        &mut self,
        record: &Record,
        (id, thread): (EventId, ThreadId),
        later: &Footprint,
        relation: &impl Dependence,
    ) {
        search(record, (id, thread), later, relation, |candidate| self.meet(record, candidate));
    }

    /// The same for an event with several accesses.
    fn find_races_of_several(
        &mut self,
        record: &Record,
        (id, thread): (EventId, ThreadId),
        footprints: &[Footprint],
        relation: &impl Dependence,
    ) {
        let mut candidates = std::mem::take(&mut self.candidates);
        for later in footprints {
            search(record, (id, thread), later, relation, |candidate| candidates.push(candidate));
        }
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        candidates.drain(..).for_each(|candidate| self.meet(record, candidate));
        self.candidates = candidates;
    }

    /// Whether some event conflicts with what the operation of `id`, which comes after `previous` in its thread, might
    /// have done, and could have come later.
    fn has_rivals(&self, record: &Record, id: EventId, previous: Option<EventId>, relation: &impl Dependence) -> bool {
        let known = |event: EventId| {
            let event = record.event(event);
            previous.is_some_and(|previous| self.clock_entry(previous, event.step.thread) >= event.index)
        };
        if record.waits_for_its_message(id) {
            return false;
        }
        let potentials = potentials(record.declared(id), record.visits(id));
        potentials.iter().any(|potential| record.last_conflict(potential, known, id.index(), relation).is_some())
    }

    /// Forgets the order of all but the first `len` events.
    pub(crate) fn truncate(&mut self, len: usize) {
        if self.len() <= len {
            return;
        }
        self.clocks.truncate(len);
        self.ends.truncate(len);
        self.races.truncate(self.races_before(len));
        self.branch_points.truncate(self.branch_points.partition_point(|event| event.index() < len));
    }

    /// Puts the first `len` events on record in order that are not yet.
    #[inline]
    pub(crate) fn complete(&mut self, record: &Record, len: usize, relation: &impl Dependence) {
        for _ in self.len()..len {
            self.push(record, relation);
        }
    }

    /// A copy of what is known of the events from `start` to `end`.
    pub(crate) fn part(&self, start: usize, end: usize) -> Part {
        let width = self.clocks.width;
        Part {
            width,
            clocks: self.clocks.entries[start * width..end * width].to_vec(),
            ends: self.ends[start..end].to_vec(),
            races: self.races[self.races_before(start)..self.races_before(end)].to_vec(),
        }
    }

    /// What happens before every event from `start` on: a number of events of each thread.
    pub(crate) fn common_past(&self, start: usize) -> SmallVec<[u32; 16]> {
        // What comes after another of them knows all that the other one does.
        let first = |position: &usize| self.ends[*position].past as usize <= start;
        let mut clocks = (start..self.len()).filter(first).map(|position| self.clocks.get(position));
        let mut common = SmallVec::from_slice(clocks.next().unwrap_or_default());
        for clock in clocks {
            common.iter_mut().zip(clock).for_each(|(entry, &other): (&mut u32, _)| *entry = (*entry).min(other));
        }
        common
    }
}

/// Calls `found` with the events that `later`, an access of the event `id` of `thread`, depends on, latest first.
#[inline]
fn search(
    record: &Record,
    (id, thread): (EventId, ThreadId),
    later: &Footprint,
    relation: &impl Dependence,
    mut found: impl FnMut(EventId),
) {
    let orders = |earlier: At<'_>| relation.orders(record, earlier, (id, later));
    let ends = |earlier: At<'_>| relation.ends_search(record, earlier, later);
    record.search(&Search { limit: id, later, thread: Some(thread) }, relation, orders, ends, |event| {
        found(event);
        ControlFlow::Continue(())
    });
}

/// What is known of some events that follow each other.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    width: usize,
    clocks: Vec<u32>,
    ends: Vec<Ends>,
    races: Vec<EventId>,
}

/// An execution with a happens-before relation.
#[derive(Clone, Copy)]
pub(crate) struct Ordered<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) order: &'a HappensBefore,
}

impl<'a> Ordered<'a> {
    /// The execution with every conflict counted.
    pub(crate) fn by_conflicts(trace: &'a Trace) -> Self {
        Self { trace, order: trace.order() }
    }

    /// Whether `earlier` happens before `later`, or is it.
    #[inline]
    pub(crate) fn happens_before(&self, earlier: EventId, later: EventId) -> bool {
        let event = self.trace.event(earlier);
        self.order.clock_entry(later, event.step.thread) >= event.index
    }
}
