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
//!
//! Nearly all sequences are covered by what has been explored or is planned. So which events a sequence has is told by
//! clocks, and they are listed only if they are compared one by one.

use crate::happens_before::Ordered;
use crate::ids::EventId;
use crate::trace::{Event, Trace};
use everyway_runtime::{Access, Class, Evaluation, Footprint, Location, Message, State, Step, ThreadId, evaluate};

/// How many events are looked at one by one in the time of a search by halves, or of putting one into order.
const SCANNED: usize = 8;

/// An event, by its thread and which of the thread's it is.
type Name = (ThreadId, u32);

/// A sequence to be explored after the first `prefix` events of the current execution.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    /// The length of the prefix, `E'` in the papers.
    pub(crate) prefix: usize,
    /// The event that nothing in it happens after, if its events are not listed; it follows the prefix.
    without: Option<Name>,
    /// Another one.
    dropped: Option<Name>,
    /// Where the part of the execution that it is taken from ends.
    until: usize,
    /// Its events, if they are listed.
    events: Option<Vec<EventId>>,
    /// A list for the next one that is.
    spare: Vec<EventId>,
    /// Whether the events are in the order of the execution.
    in_order: bool,
    last: Option<Last>,
    footprints: Vec<Footprint>,
}

/// The step that a sequence ends with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    pub(crate) step: Step,
    /// Which event of its thread it would be, counted from 1.
    pub(crate) index: u32,
}

impl Sequence {
    /// Starts over: the events of `trace[..until]` that come after `event` and do not happen after it
    /// (`notdep(e, E)`), following the prefix that ends before `event`.
    pub(crate) fn without(&mut self, trace: &Trace, event: EventId, until: usize) {
        let &Event { step, index, .. } = trace.event(event);
        self.prefix = event.index();
        self.without = Some((step.thread, index));
        self.dropped = None;
        self.until = until;
        self.in_order = true;
        self.last = None;
        self.footprints.clear();
        if let Some(events) = self.events.take() {
            self.spare = events;
        }
    }

    /// Whether the event of the execution is one of its events.
    #[inline]
    pub(crate) fn has(&self, ordered: Ordered<'_>, event: EventId) -> bool {
        let (None, Some((thread, index))) = (&self.events, self.without) else { return self.lists(event) };
        event.index() > self.prefix
            && event.index() < self.until
            && ordered.order.clock_entry(event, thread) < index
            && self.dropped.is_none_or(|(thread, index)| ordered.order.clock_entry(event, thread) < index)
    }

    #[cold]
    fn lists(&self, event: EventId) -> bool {
        match &self.events {
            Some(events) if self.in_order => events.binary_search(&event).is_ok(),
            Some(events) => events.contains(&event),
            None => false,
        }
    }

    /// Its events, which are listed if they were not.
    pub(crate) fn list(&mut self, ordered: Ordered<'_>) -> &mut Vec<EventId> {
        if self.events.is_none() {
            let mut list = std::mem::take(&mut self.spare);
            list.clear();
            self.copy(ordered, &mut list);
            self.events = Some(list);
        }
        self.events.get_or_insert_default()
    }

    fn fill(&self, ordered: Ordered<'_>, without: Name, list: &mut Vec<EventId>) {
        let (event, until) = (EventId::new(self.prefix), self.until);
        let is_kept = |event: &EventId| self.dropped.is_none() || self.has(ordered, *event);
        let all = || ordered.order.not_after(event, without, until).filter(is_kept);
        let between = until.saturating_sub(self.prefix + 1);
        if between < SCANNED * ordered.trace.threads() || !self.gather(ordered, between / SCANNED, list) {
            list.clear();
            list.extend(all());
        }
        debug_assert!(list.iter().copied().eq(all()), "both ways give the same");
    }

    /// Takes the events of each thread up to the first one that is not in it, which is searched for by halves, since
    /// those that follow it in its thread are not, either. Whether there are at most so many: others are faster found one by
    /// one.
    fn gather(&self, ordered: Ordered<'_>, most: usize, list: &mut Vec<EventId>) -> bool {
        let mut runs = 0;
        for thread in (0..ordered.trace.threads()).map(ThreadId::new) {
            let own = ordered.trace.events_of(thread);
            let own = &own[own.partition_point(|later| later.index() <= self.prefix)..];
            let count = own.partition_point(|&later| self.has(ordered, later));
            if list.len() + count > most {
                return false;
            }
            list.extend_from_slice(&own[..count]);
            runs += usize::from(count > 0);
        }
        if runs > 1 {
            list.sort_unstable();
        }
        true
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
        self.without(ordered.trace, earlier, end);
        self.in_order = false;
        let events = self.list(ordered);
        events.extend([later, earlier]);
        let after = (earlier.index() + 1..end).map(EventId::new);
        events.extend(after.filter(|&event| {
            event != later
                && ordered.happens_before(earlier, event)
                && !observers.iter().any(|&observer| ordered.happens_before(observer, event))
        }));
    }

    /// Drops `event` and all that happens after it. The events are not listed yet.
    pub(crate) fn drop_after(&mut self, trace: &Trace, event: EventId) {
        debug_assert!(self.events.is_none(), "what is listed is what there is");
        let Event { step, index, .. } = trace.event(event);
        self.dropped = Some((step.thread, *index));
    }

    /// Drops all that does not happen before `event`.
    pub(crate) fn keep_before(&mut self, ordered: Ordered<'_>, event: EventId) {
        self.list(ordered).retain(|&earlier| ordered.happens_before(earlier, event));
    }

    /// The events taken over from the execution, if they are listed.
    #[inline]
    pub(crate) fn listed(&self) -> Option<&[EventId]> {
        self.events.as_deref()
    }

    /// The same if they are not.
    pub(crate) fn unlisted<'a>(&'a self, ordered: Ordered<'a>) -> impl Iterator<Item = EventId> + 'a {
        (self.prefix + 1..self.until).map(EventId::new).filter(move |&event| self.has(ordered, event))
    }

    /// Adds the events to `list`, whether they are listed or not.
    pub(crate) fn copy(&self, ordered: Ordered<'_>, list: &mut Vec<EventId>) {
        match (&self.events, self.without) {
            (Some(events), _) => list.extend_from_slice(events),
            (None, Some(without)) => self.fill(ordered, without, list),
            (None, None) => {}
        }
    }

    /// Takes over these events only.
    pub(crate) fn keep(&mut self, events: Vec<EventId>) {
        self.events = Some(events);
    }

    /// Appends the last step, whose operation is `accesses`, unless it would be blocked there.
    pub(crate) fn end_with(
        &mut self,
        last: Last,
        accesses: &[Access],
        ordered: Ordered<'_>,
        state: &dyn State,
    ) -> Evaluation {
        self.footprints.clear();
        if accesses.iter().all(|access| access.class_anywhere().is_some()) {
            // It does the same wherever it comes: no need to know any values.
            self.footprints.extend(accesses.iter().map(|access| access.potential()));
            self.last = Some(last);
            return Evaluation::Done { last: accesses.len().saturating_sub(1) };
        }
        let mut footprints = std::mem::take(&mut self.footprints);
        let value = |access: &Access| self.found(ordered, state, access);
        let evaluation = evaluate(accesses, value, |visit| footprints.push(visit.footprint()));
        self.footprints = footprints;
        self.last = evaluation.is_enabled().then_some(last);
        evaluation
    }

    /// The last step.
    #[inline]
    pub(crate) fn last(&self) -> Option<Last> {
        self.last
    }

    /// What the last step does.
    #[inline]
    pub(crate) fn last_footprints(&self) -> &[Footprint] {
        &self.footprints
    }

    /// Whether the last step does, and its thread learns by it, what it did and learned in the execution - so that
    /// the thread goes on as it did there.
    pub(crate) fn repeats_last(&self, ordered: Ordered<'_>, state: &dyn State) -> bool {
        let Some(Last { step, index }) = self.last else { return false };
        let trace = ordered.trace;
        let Some(event) = trace.nth_event_of(step.thread, index) else { return false };
        let visits = trace.visits(event);
        trace.event(event).step == step
            && visits.len() == self.footprints.len()
            && visits.iter().zip(&self.footprints).all(|(visit, footprint)| {
                let found = || self.found(ordered, state, &visit.access);
                visit.footprint() == *footprint && (visit.access.is_blind() || found() == visit.before)
            })
    }

    /// What `access` finds after the prefix and the events of the sequence: a value or a message.
    fn found(&self, ordered: Ordered<'_>, state: &dyn State, access: &Access) -> u64 {
        let is_there = |event: EventId| event.index() < self.prefix || self.has(ordered, event);
        match access.effect.receive() {
            _ if !self.in_order => {
                found_out_of_order(ordered.trace, state, self.prefix, self.listed().unwrap_or_default(), access)
            }
            Some(number) => Message::encode(ordered.trace.found(access.location, number, state, is_there)),
            None => self.value_of(ordered, state, access.location),
        }
    }

    /// What `location` holds after the prefix and the events of the sequence.
    fn value_of(&self, ordered: Ordered<'_>, state: &dyn State, location: Location) -> u64 {
        if let Some(value) = self.value_before_all(ordered.trace, location) {
            debug_assert_eq!(value, self.value_after_all(ordered, state, location), "all changes come after the event");
            return value;
        }
        self.value_after_all(ordered, state, location)
    }

    /// What the event that the sequence does without found at `location`, if that conflicts with all that might change it:
    /// then whatever does so later is not in the sequence, either.
    fn value_before_all(&self, trace: &Trace, location: Location) -> Option<u64> {
        self.without?;
        let visits = trace.visits(EventId::new(self.prefix));
        let visit = visits.iter().find(|visit| visit.access.location == location)?;
        // Adds commute with adds, and with observers stores may be unordered.
        let meets_all_changes = matches!(visit.class, Class::Read | Class::Write) && trace.is_always_whole(location);
        meets_all_changes.then_some(visit.before)
    }

    /// The same from all changes on record.
    fn value_after_all(&self, ordered: Ordered<'_>, state: &dyn State, location: Location) -> u64 {
        let Some(start) = ordered.trace.value_after(self.prefix, location) else {
            // It was not accessed in this execution, so it holds what it holds now.
            return state.value(location);
        };
        let later = ordered.trace.accesses_from(self.prefix + 1, location).filter(|(_, visit)| visit.class.changes());
        later.filter(|&(event, _)| self.has(ordered, event)).fold(start, |value, (_, visit)| visit.replay(value))
    }
}

/// What `access` finds after the first `prefix` events of the execution followed by `events` in their order, which is another
/// than that of the execution.
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
