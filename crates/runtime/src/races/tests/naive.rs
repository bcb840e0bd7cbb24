//! Happens-before from its definition: a matrix over all pairs of events, closed from scratch.

use crate::bytes::Bytes;
use crate::effect::Effect;
use crate::operation::{Access, Class, Visit};
use crate::{Condition, Ordering, ThreadId, Touch, Verb};

/// What happens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Access { verb: Verb, access: Access, before: u64 },
    Fence(Ordering),
    Spawn(ThreadId),
    Join(ThreadId),
}

/// By whom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) thread: ThreadId,
    pub(super) kind: Kind,
}

impl Event {
    fn visit(&self) -> Option<(Verb, Visit)> {
        match self.kind {
            Kind::Access { verb, access, before } => Some((verb, Visit::carry_out(&access, before).0)),
            _ => None,
        }
    }

    fn fence(&self) -> Option<Ordering> {
        match self.kind {
            Kind::Fence(ordering) => Some(ordering),
            _ => None,
        }
    }
}

fn is_blind(access: &Access) -> bool {
    access.when == Condition::Always && matches!(access.effect, Effect::Store(_) | Effect::Write(_))
}

/// Which event happens before which.
pub(super) fn happens_before(events: &[Event]) -> Vec<Vec<bool>> {
    let count = events.len();
    let mut before = vec![vec![false; count]; count];
    for later in 0..count {
        for earlier in 0..later {
            before[earlier][later] =
                events[earlier].thread == events[later].thread || synchronises(events, earlier, later);
        }
    }
    for middle in 0..count {
        for earlier in 0..middle {
            for later in middle + 1..count {
                before[earlier][later] |= before[earlier][middle] && before[middle][later];
            }
        }
    }
    before
}

/// Whether one event synchronises with a later one.
fn synchronises(events: &[Event], earlier: usize, later: usize) -> bool {
    match (events[earlier].kind, events[later].kind) {
        (Kind::Spawn(child), _) if events[later].thread == child => return true,
        (_, Kind::Join(child)) if events[earlier].thread == child => return true,
        _ => {}
    }
    if is_lock(&events[later]) || is_lock(&events[earlier]) {
        return locks(events, earlier, later);
    }
    // The reads that `later` acquires by: itself, or those before it if it is a fence.
    let reads: Vec<usize> = match events[later].fence() {
        Some(ordering) if ordering.acquires() => (0..later)
            .filter(|&read| events[read].thread == events[later].thread && reads_atomically(&events[read]))
            .collect(),
        Some(_) => return false,
        None => {
            let acquires = |visit: Visit| visit.ordering().acquires();
            let is_acquire =
                reads_atomically(&events[later]) && events[later].visit().is_some_and(|(_, visit)| acquires(visit));
            if is_acquire { vec![later] } else { Vec::new() }
        }
    };
    // The writes that `earlier` releases by.
    let releases = |write: usize| match events[earlier].fence() {
        Some(ordering) => {
            let is_after = earlier < write && events[write].thread == events[earlier].thread;
            let is_relaxed = events[write].visit().is_some_and(|(_, visit)| visit.ordering().is_atomic());
            ordering.releases() && is_after && is_relaxed
        }
        None => write == earlier && events[write].visit().is_some_and(|(_, visit)| visit.ordering().releases()),
    };
    reads.into_iter().any(|read| sources(events, read).into_iter().any(releases))
}

fn reads_atomically(event: &Event) -> bool {
    let looks = |visit: &Visit| !visit.class.changes() || !is_blind(&visit.access);
    event.visit().is_some_and(|(verb, visit)| verb.is_memory_access() && visit.ordering().is_atomic() && looks(&visit))
}

/// The writes that a read reads from, and those whose release sequences they are part of.
fn sources(events: &[Event], read: usize) -> Vec<usize> {
    let Some((_, visit)) = events[read].visit() else { return Vec::new() };
    let mut all = Vec::new();
    for byte in 0..8 {
        if visit.access.bytes.0 >> byte & 1 == 0 {
            continue;
        }
        let writes = |at: usize| {
            events[at].visit().is_some_and(|(_, other)| {
                let overlaps = other.access.bytes.overlaps(Bytes(1 << byte));
                other.access.location == visit.access.location && overlaps && other.class.changes()
            })
        };
        let Some(source) = (0..read).rev().find(|&at| writes(at)) else { continue };
        all.push(source);
        let goes_on = events[source].visit().is_some_and(|(_, write)| !is_blind(&write.access));
        if goes_on {
            all.extend(sources(events, source));
        }
    }
    all
}

fn is_lock(event: &Event) -> bool {
    event.visit().is_some_and(|(verb, _)| !verb.is_memory_access())
}

/// Whether a lock orders two events: what releases it comes before what acquires it later, but those that hold it together
/// are in no order.
fn locks(events: &[Event], earlier: usize, later: usize) -> bool {
    let on_it = |at: usize| events[at].visit().filter(|(verb, _)| !verb.is_memory_access()).map(|(_, visit)| visit);
    let (Some(one), Some(other)) = (on_it(earlier), on_it(later)) else { return false };
    let is_written_between = (earlier + 1..later).any(|at| on_it(at).is_some_and(|visit| visit.class == Class::Write));
    let share = one.class == Class::Add && other.class == Class::Add;
    !is_blind(&other.access) && !is_written_between && !share
}

/// The events before `last` that race with it.
pub(super) fn races(events: &[Event], before: &[Vec<bool>], last: usize) -> Vec<usize> {
    let touch = |at: usize| events[at].visit().filter(|(verb, _)| verb.is_memory_access()).map(|(_, visit)| visit);
    let Some(this) = touch(last) else { return Vec::new() };
    let races = |&earlier: &usize| {
        touch(earlier).is_some_and(|other| {
            other.footprint().overlaps(&this.footprint())
                && Touch::of(&other).conflicts(Touch::of(&this))
                && !before[earlier][last]
        })
    };
    (0..last).filter(races).collect()
}
