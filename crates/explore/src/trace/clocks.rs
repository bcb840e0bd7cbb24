//! What comes after what: clocks and races, computed from what events did.
//!
//! Not every strategy wants to know, so events are recorded first and put in order when somebody asks.

use super::{Entry, Event, Trace, slice};
use crate::ids::EventId;
use everyway_runtime::{Access, Class, Condition, Footprint, Matching, ThreadId, potentials};
use smallvec::SmallVec;
use std::ops::Range;

impl Trace {
    /// Computes the clocks and races of all events that have none yet.
    pub(crate) fn put_in_order(&mut self, matching: &dyn Matching) {
        for id in self.events_from(self.ordered) {
            self.put_event_in_order(id, matching);
        }
        self.ordered = self.events.len();
    }

    fn put_event_in_order(&mut self, id: EventId, matching: &dyn Matching) {
        let Event { step, index, choices, may_block, joins, ref visits, ref declared, .. } = self.events[id.index()];
        let (visits, declared) = (visits.clone(), declared.clone());
        let previous = self.previous(step.thread, index);
        let clock = self.start_clock(previous);
        if let Some(joined) = joins {
            self.join_end_of(joined, clock);
        }
        let races = self.find_races(id, &visits, clock, matching);
        if self.is_contested(id, &visits, step.thread) {
            self.contested.push(id);
        }
        if self.looks_twice(&declared) || self.accesses_other_bytes(id, &visits) {
            self.fickle.push(id);
        }
        let rivals = match may_block {
            true => {
                let known = |event| previous.is_some_and(|previous| self.happens_before(event, previous));
                let conflict = |a: &Footprint, b: &Footprint| a.conflicts(b, matching);
                let potentials = potentials(slice(&self.declared, &declared), slice(&self.visits, &visits));
                self.last_conflict(&potentials, known, id.index(), conflict).is_some()
            }
            false => !races.is_empty(),
        };
        if rivals || choices > 1 {
            self.pivots.push(id);
        }
        self.clocks[(clock + step.thread.0) as usize] = index;
        let event = &mut self.events[id.index()];
        event.clock = clock..self.clocks.len() as u32;
        event.races = races;
    }

    /// Forgets the order of all but the first `depth` events.
    pub(super) fn forget_order(&mut self, depth: usize) {
        if self.ordered <= depth {
            return;
        }
        let Event { clock, races, .. } = &self.events[depth];
        self.clocks.truncate(clock.start as usize);
        self.races.truncate(races.start as usize);
        for events in [&mut self.pivots, &mut self.contested, &mut self.fickle] {
            events.truncate(events.partition_point(|event| event.index() < depth));
        }
        self.ordered = depth;
    }

    /// The event that precedes the event of this index in its thread: the one before, or the thread's spawn.
    fn previous(&self, thread: ThreadId, index: u32) -> Option<EventId> {
        let thread = &self.threads[thread.index()];
        match index.checked_sub(2) {
            Some(before) => Some(thread.events[before as usize]),
            None => thread.origin,
        }
    }

    /// The accesses to a location by events before `id`, latest first.
    fn history_before(&self, id: EventId, location: usize) -> impl Iterator<Item = &Entry> {
        let history = &self.history[location][..];
        // Mostly `id` is the last event; but a whole execution may be put in order at once.
        let before = match history {
            [before @ .., last] if last.event == id && before.last().is_none_or(|entry| entry.event < id) => before,
            _ => &history[..history.partition_point(|entry| entry.event < id)],
        };
        before.iter().rev()
    }

    /// What happens before every event from `start` on: a number of events of each thread. None of the clocks is shorter
    /// than the first one, because threads are not forgotten.
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

    /// Begins a clock with that of the previous event of the same thread.
    fn start_clock(&mut self, previous: Option<EventId>) -> u32 {
        let start = self.clocks.len();
        if let Some(previous) = previous {
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

    fn accesses_other_bytes(&self, id: EventId, visits: &Range<u32>) -> bool {
        slice(&self.footprints, visits).iter().any(|footprint| {
            let first = self.history[footprint.location.index()].first().filter(|entry| entry.event < id);
            first.is_some_and(|entry| self.footprints[entry.visit as usize].bytes != footprint.bytes)
        })
    }

    fn is_contested(&self, id: EventId, visits: &Range<u32>, thread: ThreadId) -> bool {
        let contested = |footprint: &Footprint| {
            let history = self.history_before(id, footprint.location.index());
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

    /// Completes the clock of `id`, which starts at `clock`, by the events that conflict with its `visits`; those that
    /// it did not know yet are the races.
    fn find_races(&mut self, id: EventId, visits: &Range<u32>, clock: u32, matching: &dyn Matching) -> Range<u32> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for footprint in slice(&self.footprints, visits) {
            for entry in self.history_before(id, footprint.location.index()) {
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
