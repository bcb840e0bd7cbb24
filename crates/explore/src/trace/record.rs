//! What happened in the current execution: its events, and what each accessed.
//!
//! All storage grows and shrinks with the execution, so that nothing is allocated once it has been as long as it gets.
//! What happens before what is not known here.

use super::history::{Entry, History};
use crate::happens_before::At;
use crate::ids::EventId;
use everyway_runtime::{
    Access, Bytes, Class, Footprint, Location, Matching, Message, Operation, Performed, Step, ThreadId, Visit,
};
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
    declared: Declared,
}

/// Where the accesses of an event's operation are, carried out or not.
#[derive(Clone, Debug)]
enum Declared {
    /// The only one was carried out.
    Visited,
    /// In the pool of those that may not have been.
    Apart(Range<u32>),
}

/// What is known of a thread in the current execution.
#[derive(Clone, Debug, Default)]
struct Thread {
    events: Vec<EventId>,
    /// The event during which it was spawned; none for the threads of the initial state.
    origin: Option<EventId>,
    /// The messages that it has sent, by their numbers, which grow.
    sent: Vec<Sent>,
}

/// A message that was sent.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) nth: u32,
    /// The event that sent it.
    pub(super) event: EventId,
    /// The events that looked at it, the last of which may have taken it, in order.
    pub(super) found_by: SmallVec<[EventId; 1]>,
}

/// What a thread was about to do before a step.
#[derive(Debug)]
pub(crate) struct Planned {
    choices: u32,
    may_block: bool,
    joins: Option<ThreadId>,
    declared: Declared,
}

/// What happened in an execution.
#[derive(Debug, Default)]
pub struct Record {
    events: Vec<Event>,
    visits: Vec<Visit>,
    footprints: Vec<Footprint>,
    declared: Vec<Access>,
    threads: Vec<Thread>,
    /// The threads that came into being with the event that was appended last.
    last_spawned: Vec<ThreadId>,
    histories: Vec<History>,
    /// How many events are in the histories.
    filed: usize,
}

impl Record {
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
        let event = self.event(id);
        match &event.declared {
            Declared::Visited => {
                slice(&self.visits, &event.visits).first().map_or(&[], |v| std::slice::from_ref(&v.access))
            }
            Declared::Apart(range) => slice(&self.declared, range),
        }
    }

    /// An upper bound of the ids of the threads met so far.
    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The event that precedes `event` in its thread: the one before, or the thread's spawn.
    pub(crate) fn previous(&self, event: &Event) -> Option<EventId> {
        let thread = &self.threads[event.step.thread.index()];
        match event.index.checked_sub(2) {
            Some(before) => Some(thread.events[before as usize]),
            None => thread.origin,
        }
    }

    /// The last event of a thread that has ended, or its spawn. A thread of the initial state that never moved may not
    /// have been met yet.
    pub(crate) fn end_of(&self, thread: ThreadId) -> Option<EventId> {
        let thread = self.threads.get(thread.index())?;
        thread.events.last().copied().or(thread.origin)
    }

    /// The events of `thread`, in order.
    pub fn events_of(&self, thread: ThreadId) -> &[EventId] {
        self.threads.get(thread.index()).map_or(&[], |t| &t.events)
    }

    /// The event during which `thread` was spawned; none for a thread of the initial state.
    pub fn origin(&self, thread: ThreadId) -> Option<EventId> {
        self.threads.get(thread.index()).and_then(|t| t.origin)
    }

    /// The threads that came into being with the event that was appended last.
    pub(crate) fn last_spawned(&self) -> &[ThreadId] {
        &self.last_spawned
    }

    /// How many of the steps were taken while there was more than one thread, as far as joins tell.
    pub(crate) fn steps_in_company(&self) -> usize {
        let initial = self.threads.iter().filter(|thread| thread.origin.is_none() && !thread.events.is_empty()).count();
        let mut threads = initial.max(1);
        let mut born = vec![0; self.events.len()];
        self.threads.iter().filter_map(|thread| thread.origin).for_each(|event| born[event.index()] += 1);
        let mut steps = 0;
        for (event, born) in self.events.iter().zip(born) {
            threads += born;
            steps += usize::from(threads > 1);
            threads -= usize::from(event.joins.is_some() && threads > 1);
        }
        steps
    }

    #[inline]
    pub(super) fn history(&self, location: Location) -> Option<&History> {
        debug_assert_eq!(self.filed, self.events.len(), "histories are asked when all events are filed");
        self.histories.get(location.index())
    }

    #[inline]
    pub(super) fn footprint_of_visit(&self, visit: u32) -> &Footprint {
        &self.footprints[visit as usize]
    }

    /// What is known of a message.
    pub(super) fn sent(&self, message: Message) -> Option<&Sent> {
        debug_assert_eq!(self.filed, self.events.len(), "messages are asked for when all events are filed");
        let sent = &self.threads.get(message.sender.index())?.sent;
        sent.binary_search_by_key(&message.nth, |sent| sent.nth).ok().map(|position| &sent[position])
    }

    /// The accesses to `location` by the events before `limit`, latest first.
    #[inline]
    pub(crate) fn footprints_before(&self, limit: EventId, location: Location) -> impl Iterator<Item = At<'_>> {
        let before = self.history(location).map_or(&[][..], |history| history.before(limit));
        before.iter().rev().map(|entry| (entry.event, &self.footprints[entry.visit as usize]))
    }

    /// The first access to `location` by an event before `limit`.
    pub(crate) fn first_footprint(&self, limit: EventId, location: Location) -> Option<&Footprint> {
        let first = self.history(location)?.entries().first().filter(|entry| entry.event < limit);
        first.map(|entry| &self.footprints[entry.visit as usize])
    }

    /// The accesses to `location` by the events after `event`, in order.
    pub(crate) fn footprints_after(&self, event: EventId, location: Location) -> impl Iterator<Item = At<'_>> {
        let history = self.entries(location);
        let first = history.partition_point(|entry| entry.event <= event);
        history[first..].iter().map(|entry| (entry.event, &self.footprints[entry.visit as usize]))
    }

    /// The value that `location` holds after the first `prefix` events, if it was accessed at all.
    pub(crate) fn value_after(&self, prefix: usize, location: Location) -> Option<u64> {
        let history = self.entries(location);
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
        let there = self.entries(mailbox).iter().filter(|entry| is_there(entry.event));
        everyway_runtime::oldest(there.map(|entry| &self.visits[entry.visit as usize]), mailbox, receive, matching)
    }

    /// The accesses to `location` from the event `start` on, in order.
    pub(crate) fn accesses_from(
        &self,
        start: usize,
        location: Location,
    ) -> impl DoubleEndedIterator<Item = (EventId, &Visit)> {
        let history = self.entries(location);
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
        let history = self.entries(location);
        let mut end = history.partition_point(|entry| entry.event.index() < limit);
        while let Some(last) = history[..end].last() {
            let footprint = &self.footprints[last.visit as usize];
            if footprint.class.changes() && meant(footprint.bytes) {
                return Some(last.event);
            }
            // What is of one run is all alike.
            end = last.run_start().unwrap_or(end - 1);
        }
        None
    }

    #[inline]
    fn entries(&self, location: Location) -> &[Entry] {
        self.history(location).map_or(&[], History::entries)
    }

    /// Takes note of an operation that is about to be carried out.
    pub(super) fn plan(&mut self, operation: &Operation, choices: u32) -> Planned {
        let declared = match operation.accesses.len() {
            1 => Declared::Visited,
            _ => {
                let start = self.declared.len() as u32;
                self.declared.extend_from_slice(&operation.accesses);
                Declared::Apart(start..self.declared.len() as u32)
            }
        };
        Planned { choices, may_block: operation.may_block(), joins: operation.joins, declared }
    }

    /// Appends what `step`, which was to do `planned`, did. What it comes after is not found out here.
    pub(super) fn push(&mut self, step: Step, planned: Planned, performed: &Performed) {
        let id = EventId::new(self.events.len());
        self.ensure_thread(step.thread);
        self.last_spawned.clone_from(&performed.spawned);
        for thread in &performed.spawned {
            self.ensure_thread(*thread);
            self.threads[thread.index()].origin = Some(id);
        }
        let events = &mut self.threads[step.thread.index()].events;
        events.push(id);
        let index = events.len() as u32;
        let start = self.visits.len() as u32;
        self.visits.extend_from_slice(&performed.visits);
        self.footprints.extend(performed.visits.iter().map(Visit::footprint));
        let visits = start..self.visits.len() as u32;
        let Planned { choices, may_block, joins, declared } = planned;
        self.events.push(Event { step, index, choices, may_block, joins, visits, declared });
    }

    /// Forgets all but the first `depth` events.
    pub(super) fn truncate(&mut self, depth: usize) {
        self.last_spawned.clear();
        while self.events.len() > depth {
            let event = self.events.pop().expect("longer than depth");
            if self.filed > self.events.len() {
                self.take_out(&event);
            }
            self.threads[event.step.thread.index()].events.pop();
            self.visits.truncate(event.visits.start as usize);
            self.footprints.truncate(event.visits.start as usize);
            if let Declared::Apart(range) = event.declared {
                self.declared.truncate(range.start as usize);
            }
        }
    }

    /// Takes the event that was filed last out of the histories.
    fn take_out(&mut self, event: &Event) {
        for footprint in slice(&self.footprints, &event.visits) {
            self.histories[footprint.location.index()].pop();
            match footprint.class {
                Class::Send(message) => drop(self.threads[message.sender.index()].sent.pop()),
                Class::Receive { message, .. } => drop(found_by(&mut self.threads, message).pop()),
                _ => {}
            }
        }
        self.filed -= 1;
    }

    fn ensure_thread(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Thread::default);
        }
    }

    /// Files what the events did that have not been filed yet by location.
    #[inline]
    pub(super) fn file(&mut self) {
        while self.filed < self.events.len() {
            let Event { step, ref visits, .. } = self.events[self.filed];
            self.file_visits(step.thread, visits.clone());
        }
    }

    /// Files what the next event did, which is one of `thread`.
    #[inline]
    fn file_visits(&mut self, thread: ThreadId, visits: Range<u32>) {
        let id = EventId::new(self.filed);
        self.filed += 1;
        for (visit, footprint) in visits.clone().zip(slice(&self.footprints, &visits)) {
            let location = footprint.location.index();
            if self.histories.len() <= location {
                self.histories.resize_with(location + 1, History::default);
            }
            let history = &mut self.histories[location];
            let previous = history.entries().last().map(|entry| &self.footprints[entry.visit as usize]);
            history.push((id, visit), thread, footprint, previous);
            match footprint.class {
                Class::Send(Message { sender, nth }) => {
                    self.threads[sender.index()].sent.push(Sent { nth, event: id, found_by: SmallVec::new() });
                }
                Class::Receive { message, .. } => found_by(&mut self.threads, message).push(id),
                _ => {}
            }
        }
    }
}

/// The events that looked at a message that is on record.
fn found_by(threads: &mut [Thread], message: Message) -> &mut SmallVec<[EventId; 1]> {
    let sent = &mut threads[message.sender.index()].sent;
    let position = sent.binary_search_by_key(&message.nth, |sent| sent.nth);
    &mut sent[position.expect("only what was sent is found")].found_by
}

fn slice<'a, T>(pool: &'a [T], range: &Range<u32>) -> &'a [T] {
    &pool[range.start as usize..range.end as usize]
}
