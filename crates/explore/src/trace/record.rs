//! The record of the current execution: its events, and what each accessed.
//!
//! All storage grows and shrinks with the execution, so nothing is allocated once an execution has reached its full
//! length. This module does not know happens-before.

use super::history::{Entry, History};
use crate::happens_before::At;
use crate::ids::EventId;
use everyway_runtime::{
    Access, Bytes, Class, Condition, Footprint, Location, Matching, Message, Operation, Performed, Step, ThreadId,
    Visit, append_few,
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
    /// The event that precedes it in its thread: the one before, or the thread's spawn.
    pub(crate) previous: Option<EventId>,
    visits: Range<u32>,
    declared: Declared,
}

/// Where the accesses of an event's operation are, carried out or not.
#[derive(Clone, Debug)]
struct Declared {
    /// Whether there is only one, which was carried out; otherwise they are kept apart.
    is_visited: bool,
    /// Those that are kept apart.
    apart: Range<u32>,
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
    /// Those of the visits that are in the histories.
    footprints: Vec<Footprint>,
    declared: Vec<Access>,
    threads: Vec<Thread>,
    histories: Vec<History>,
    /// How many events are in the histories.
    filed: usize,
    unobserved: Vec<EventId>,
    hiding: Vec<EventId>,
}

impl Record {
    /// The number of events.
    #[inline]
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
    #[inline]
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The ids of all events from `start` on, in order.
    pub fn events_from(&self, start: usize) -> impl DoubleEndedIterator<Item = EventId> + use<> {
        (start..self.events.len()).map(EventId::new)
    }

    /// What the event did.
    #[inline]
    pub fn visits(&self, id: EventId) -> &[Visit] {
        slice(&self.visits, &self.event(id).visits)
    }

    /// What the event, which is in order, did, as far as conflicts are concerned.
    #[inline]
    pub fn footprints(&self, id: EventId) -> &[Footprint] {
        slice(&self.footprints, &self.event(id).visits)
    }

    /// [`Record::footprints`] of an event that has been looked up.
    #[inline]
    pub(crate) fn footprints_of(&self, event: &Event) -> &[Footprint] {
        slice(&self.footprints, &event.visits)
    }

    /// The accesses of the event's operation, carried out or not.
    #[inline]
    pub fn declared(&self, id: EventId) -> &[Access] {
        let event = self.event(id);
        match event.declared.is_visited {
            true => slice(&self.visits, &event.visits).first().map_or(&[], |v| std::slice::from_ref(&v.access)),
            false => slice(&self.declared, &event.declared.apart),
        }
    }

    /// An upper bound of the ids of the threads met so far.
    #[inline]
    pub(crate) fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The last event of a thread that has ended, or its spawn. A thread of the initial state that never moved may not
    /// have been met yet.
    #[inline]
    pub(crate) fn end_of(&self, thread: ThreadId) -> Option<EventId> {
        let thread = self.threads.get(thread.index())?;
        thread.events.last().copied().or(thread.origin)
    }

    /// The events of `thread`, in order.
    #[inline]
    pub fn events_of(&self, thread: ThreadId) -> &[EventId] {
        self.threads.get(thread.index()).map_or(&[], |t| &t.events)
    }

    /// The event of `thread` that has this index, counted from 1.
    #[inline]
    pub(crate) fn nth_event_of(&self, thread: ThreadId, index: u32) -> Option<EventId> {
        self.events_of(thread).get((index as usize).wrapping_sub(1)).copied()
    }

    /// The event during which `thread` was spawned; none for a thread of the initial state.
    pub fn origin(&self, thread: ThreadId) -> Option<EventId> {
        self.threads.get(thread.index()).and_then(|t| t.origin)
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

    /// The events whose order among others may be observed by none, in order: those with a store that comes after
    /// another thread's store to the same bytes, and nothing has read in between, or with a send that comes after
    /// another thread's to the same mailbox. If there are none, happens-before is the same with and without observers.
    pub(crate) fn unobserved(&self) -> &[EventId] {
        &self.unobserved
    }

    /// Whether something independent of one event may decide that another does not even meet it: a message hides that a
    /// receive would have looked for senders, and a write to other bytes makes a compare-exchange a read. That is
    /// against Property 7 of JACM, Definition 3.2. There are such events only where operations look at more than one
    /// location, or where bytes of a location are accessed together with others here and apart there.
    pub(crate) fn may_hide_conflicts(&self) -> bool {
        !self.hiding.is_empty()
    }

    #[inline]
    pub(super) fn history(&self, location: Location) -> Option<&History> {
        debug_assert_eq!(self.filed, self.events.len(), "histories are asked when all events are filed");
        self.filed_history(location)
    }

    /// The same, for what is about events that are filed while later ones are not.
    #[inline]
    pub(super) fn filed_history(&self, location: Location) -> Option<&History> {
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

    /// The accesses to `location` by the events before `limit`, which are filed, latest first.
    #[inline]
    fn footprints_before(&self, limit: EventId, location: Location) -> impl Iterator<Item = At<'_>> {
        let before = self.filed_history(location).map_or(&[][..], |history| history.before(limit));
        before.iter().rev().map(|entry| (entry.event, &self.footprints[entry.visit as usize]))
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

    /// Whether all accesses to `location`, in any execution so far, have been to the same bytes.
    #[inline]
    pub(crate) fn is_always_whole(&self, location: Location) -> bool {
        self.history(location).is_some_and(History::has_one_size)
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
        let mut end = match history.last() {
            Some(last) if last.event.index() >= limit => history.partition_point(|entry| entry.event.index() < limit),
            _ => history.len(),
        };
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
    #[inline]
    pub(super) fn plan(&mut self, operation: &Operation, choices: u32) -> Planned {
        let start = self.declared.len() as u32;
        let (is_visited, may_block) = match &operation.accesses[..] {
            [only] => (true, only.may_block()),
            several => {
                self.declared.extend_from_slice(several);
                (false, operation.may_block())
            }
        };
        let declared = Declared { is_visited, apart: start..self.declared.len() as u32 };
        Planned { choices, may_block, joins: operation.joins, declared }
    }

    /// Appends what `step`, which was to do `planned`, did. What it comes after is not found out here.
    #[inline]
    pub(super) fn push(&mut self, step: Step, planned: Planned, performed: &Performed) {
        let id = EventId::new(self.events.len());
        self.ensure_thread(step.thread);
        for thread in &performed.spawned {
            self.ensure_thread(*thread);
            self.threads[thread.index()].origin = Some(id);
        }
        let thread = &mut self.threads[step.thread.index()];
        let previous = thread.events.last().copied().or(thread.origin);
        thread.events.push(id);
        let index = thread.events.len() as u32;
        let start = self.visits.len() as u32;
        append_few(&mut self.visits, &performed.visits);
        let visits = start..self.visits.len() as u32;
        let Planned { choices, may_block, joins, declared } = planned;
        self.events.push(Event { step, index, choices, may_block, joins, previous, visits, declared });
    }

    /// Forgets all but the first `depth` events.
    pub(super) fn truncate(&mut self, depth: usize) {
        let Some(first) = self.events.get(depth) else { return };
        let (visits, declared) = (first.visits.start as usize, first.declared.apart.start as usize);
        for position in (depth..self.events.len()).rev() {
            let event = &self.events[position];
            self.threads[event.step.thread.index()].events.pop();
            if position < self.filed {
                take_out(&mut self.histories, &mut self.threads, slice(&self.footprints, &event.visits));
            }
        }
        self.filed = self.filed.min(depth);
        self.events.truncate(depth);
        self.visits.truncate(visits);
        self.footprints.truncate(visits);
        self.declared.truncate(declared);
        for events in [&mut self.unobserved, &mut self.hiding] {
            events.truncate(events.partition_point(|event| event.index() < depth));
        }
    }

    #[inline]
    fn ensure_thread(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Thread::default);
        }
    }

    /// Files what the events did that have not been filed yet by location.
    #[inline]
    pub(super) fn file(&mut self) {
        while self.filed < self.events.len() {
            self.file_next();
        }
    }

    /// Files what the next event did.
    #[inline]
    fn file_next(&mut self) {
        let id = EventId::new(self.filed);
        self.filed += 1;
        let event = &self.events[id.index()];
        let thread = event.step.thread;
        let (mut may_hide, mut is_unobserved) = (!event.declared.apart.is_empty(), false);
        // Whether the latter is to be found out when all of it is filed.
        let mut is_open = false;
        for visit in event.visits.clone() {
            self.footprints.push(self.visits[visit as usize].footprint());
            let footprint = &self.footprints[visit as usize];
            let location = footprint.location.index();
            if self.histories.len() <= location {
                self.histories.resize_with(location + 1, History::default);
            }
            let history = &mut self.histories[location];
            let last = history.entries().last().map(|entry| (entry.event, &self.footprints[entry.visit as usize]));
            let is_in_run = history.push((id, visit), thread, footprint, last.map(|(_, footprint)| footprint));
            may_hide |= !is_in_run;
            match (footprint.class, last) {
                (Class::Store, Some((event, last))) if is_in_run && event != id => {
                    is_unobserved |= last.class == Class::Store && self.events[event.index()].step.thread != thread;
                }
                (Class::Store, Some(_)) => is_open = true,
                (class, _) if class.is_message() => {
                    is_open = true;
                    file_message(&mut self.threads, class, id);
                }
                _ => {}
            }
        }
        if may_hide && self.hides(id) {
            self.hiding.push(id);
        }
        if is_unobserved || is_open && self.is_unobserved(id) {
            self.unobserved.push(id);
        }
    }

    #[cold]
    fn hides(&self, id: EventId) -> bool {
        let is_tried = |access: &Access| access.when != Condition::Always && !access.may_block();
        let declared = self.declared(id);
        let has_other_sizes = |footprint: &Footprint| {
            self.filed_history(footprint.location).is_some_and(|history| history.has_other_sizes(footprint.bytes))
        };
        declared.len() > 1 && declared.iter().any(is_tried) || self.footprints(id).iter().any(has_other_sizes)
    }

    #[cold]
    fn is_unobserved(&self, id: EventId) -> bool {
        self.footprints(id).iter().any(|footprint| match footprint.class {
            Class::Store => {
                let mut earlier = self.footprints_before(id, footprint.location);
                let last = earlier.find(|(_, earlier)| earlier.overlaps(footprint));
                let is_alike = |earlier: &Footprint| earlier.class == Class::Store && earlier.bytes == footprint.bytes;
                last.is_some_and(|(event, earlier)| {
                    is_alike(earlier) && self.event(event).step.thread != self.event(id).step.thread
                })
            }
            Class::Send(_) => self.follows_send_of_another(id, footprint.location),
            _ => false,
        })
    }
}

/// Takes accesses that were filed last out of the histories.
#[inline]
fn take_out(histories: &mut [History], threads: &mut [Thread], footprints: &[Footprint]) {
    for footprint in footprints {
        histories[footprint.location.index()].pop();
        match footprint.class {
            Class::Send(message) => drop(threads[message.sender.index()].sent.pop()),
            Class::Receive { message, .. } => drop(found_by(threads, message).pop()),
            _ => {}
        }
    }
}

/// Files what the event `id` did to a message.
#[cold]
fn file_message(threads: &mut [Thread], class: Class, id: EventId) {
    match class {
        Class::Send(Message { sender, nth }) => {
            threads[sender.index()].sent.push(Sent { nth, event: id, found_by: SmallVec::new() });
        }
        Class::Receive { message, .. } => found_by(threads, message).push(id),
        _ => {}
    }
}

/// The events that looked at a message that is on record.
fn found_by(threads: &mut [Thread], message: Message) -> &mut SmallVec<[EventId; 1]> {
    let sent = &mut threads[message.sender.index()].sent;
    let position = sent.binary_search_by_key(&message.nth, |sent| sent.nth);
    &mut sent[position.expect("only what was sent is found")].found_by
}

#[inline]
fn slice<'a, T>(pool: &'a [T], range: &Range<u32>) -> &'a [T] {
    &pool[range.start as usize..range.end as usize]
}
