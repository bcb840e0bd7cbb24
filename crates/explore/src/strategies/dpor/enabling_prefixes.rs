//! The search for enabling prefixes: the largest parts of a sequence after which an operation is enabled
//! (FMCAD 2022, Sect. IV-B and Algorithm 1, line 18).
//!
//! The sequence is `notdep(e, E)`, a part of it is closed under happens-before, and only events that may enable or
//! disable the operation - *pivotal* ones - are worth leaving out. Where they conflict pairwise, as with a mutex,
//! parts form a chain. Additions commute, so that any set of them is a part, and there are exponentially many; to
//! find one with the right sum is the subset sum problem. The search leaves out more and more, and turns back where
//!
//! - what is left is within a part that was found: only maximal ones are wanted;
//! - no choice of what is still undecided can enable the operation, as far as the values tell that its locations
//!   may have then. These are computed one location at a time, without regard to happens-before: a yes may be wrong,
//!   a no is not.
//!
//! This module runs no code, and does not know what is done with the parts.

use crate::budget::Budget;
use crate::happens_before::Ordered;
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Access, Condition, Footprint, Location, Message, State, Then};
use smallvec::SmallVec;

/// A set of pivotal events, by their position among them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Set(SmallVec<[u64; 2]>);

impl Set {
    /// The first `count`.
    fn first(count: usize) -> Self {
        let mut set = Self(SmallVec::from_elem(0, count.div_ceil(64)));
        (0..count).for_each(|position| set.0[position / 64] |= 1 << (position % 64));
        set
    }

    fn contains(&self, position: usize) -> bool {
        self.0[position / 64] >> (position % 64) & 1 == 1
    }

    fn remove(&mut self, position: usize) {
        self.0[position / 64] &= !(1 << (position % 64));
    }

    fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(own, others)| own & !others == 0)
    }
}

/// An event that may enable or disable the operation.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    event: EventId,
    /// Whether it is never left out: the operation comes after it anyway, or leaving it out leads to nothing new.
    stays: bool,
}

/// What a part of a sequence is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal<'a> {
    /// Enable this operation,
    pub(crate) accesses: &'a [Access],
    /// which then conflicts with this,
    pub(crate) footprints: &'a [Footprint],
    /// and whose thread did this before: what happens before it stays.
    pub(crate) start: Option<EventId>,
}

/// A sequence of events after a prefix of the current execution, and an operation to be enabled after a part of it.
pub(crate) struct Search<'a> {
    ordered: Ordered<'a>,
    trace: &'a Trace,
    state: &'a dyn State,
    goal: Goal<'a>,
    /// The length of the prefix.
    prefix: usize,
    events: Vec<EventId>,
    pivots: Vec<Pivot>,
    found: Vec<Set>,
}

impl<'a> Search<'a> {
    /// A search in `events`, which follow the first `prefix` events of the execution.
    pub(crate) fn new(
        ordered: Ordered<'a>,
        state: &'a dyn State,
        goal: Goal<'a>,
        prefix: usize,
        events: Vec<EventId>,
    ) -> Self {
        let trace = ordered.trace;
        let changes = |footprint: &Footprint| {
            footprint.class.changes() && goal.accesses.iter().any(|access| access.location == footprint.location)
        };
        let pivot = |&event: &EventId| {
            let stays = goal.start.is_some_and(|start| ordered.happens_before(event, start));
            trace.footprints(event).iter().any(changes).then_some(Pivot { event, stays })
        };
        let pivots = events.iter().filter_map(pivot).collect();
        Self { ordered, trace, state, goal, prefix, events, pivots, found: Vec::new() }
    }

    /// Finds the maximal parts, other than the whole sequence, for which `enables` holds; it is asked about each of
    /// them once, larger ones first. The search ends early if `budget` says so.
    pub(crate) fn run(mut self, budget: &Budget, mut enables: impl FnMut(Vec<EventId>) -> bool) {
        let all = Set::first(self.pivots.len());
        if self.may_enable(&all, 0) {
            self.leave_out(&all, 0, budget, &mut enables);
        }
    }

    /// Looks at the parts of `kept` that include all of it before the position `decided`. The last pivot is left
    /// out first, so that of two parts the larger one is met before.
    fn leave_out(
        &mut self,
        kept: &Set,
        decided: usize,
        budget: &Budget,
        enables: &mut impl FnMut(Vec<EventId>) -> bool,
    ) {
        for position in (decided..self.pivots.len()).rev() {
            if budget.is_exhausted() {
                return;
            }
            if !kept.contains(position) || self.pivots[position].stays {
                continue;
            }
            let rest = self.without(kept, position);
            if self.found.iter().any(|larger| rest.is_subset(larger)) {
                continue;
            }
            if enables(self.events_of(&rest)) {
                self.take_note(rest);
            } else if self.may_enable(&rest, position + 1) {
                self.leave_out(&rest, position + 1, budget, enables);
            }
        }
    }

    /// `kept` without a pivot and what happens after it.
    fn without(&self, kept: &Set, position: usize) -> Set {
        let mut rest = kept.clone();
        let removed = self.pivots[position].event;
        let later = self.pivots.iter().enumerate().skip(position);
        later.filter(|(_, pivot)| self.ordered.happens_before(removed, pivot.event)).for_each(|(p, _)| rest.remove(p));
        rest
    }

    fn events_of(&self, kept: &Set) -> Vec<EventId> {
        let removed =
            || self.pivots.iter().enumerate().filter(|(p, _)| !kept.contains(*p)).map(|(_, pivot)| pivot.event);
        let stays = |&event: &EventId| !removed().any(|removed| self.ordered.happens_before(removed, event));
        self.events.iter().copied().filter(stays).collect()
    }

    /// Takes note of a part that was found. A pivot that all it leaves out happens after need not be left out again.
    fn take_note(&mut self, part: Set) {
        let removed = |p: &usize| !part.contains(*p);
        for position in 0..self.pivots.len() {
            let event = self.pivots[position].event;
            let mut removed = (0..self.pivots.len()).filter(removed);
            self.pivots[position].stays |= removed.all(|p| self.ordered.happens_before(event, self.pivots[p].event));
        }
        self.found.push(part);
    }

    /// Whether the operation might be enabled, and meet one of the footprints on the way, after some part of `kept`
    /// that includes all of it before `decided`.
    fn may_enable(&self, kept: &Set, decided: usize) -> bool {
        self.may_end(self.goal.accesses, false, kept, decided)
    }

    fn may_end(&self, accesses: &[Access], met: bool, kept: &Set, decided: usize) -> bool {
        let [access, rest @ ..] = accesses else { return met };
        let met = met || self.goal.footprints.iter().any(|footprint| footprint.overlaps(&access.potential()));
        let values = self.values(access, kept, decided);
        let leads_to_end = |then| match then {
            Then::Next => self.may_end(rest, met, kept, decided),
            Then::Done => met,
            Then::Block => false,
        };
        let holds = |value: u64| access.when.holds(access.bytes.get(value));
        values.may(holds) && leads_to_end(access.holds)
            || access.when != Condition::Always && values.may(|value| !holds(value)) && leads_to_end(access.fails)
    }

    /// What the location of `access` may hold.
    fn values(&self, access: &Access, kept: &Set, decided: usize) -> Values {
        if let Some(number) = access.effect.receive() {
            return self.findings(access.location, number, kept, decided);
        }
        let start = self.trace.value_after(self.prefix, access.location);
        let mut values = Values::one(start.unwrap_or_else(|| self.state.value(access.location)));
        for (event, visit) in self.trace.accesses_from(self.prefix, access.location) {
            let Ok(position) = self.pivots.binary_search_by_key(&event, |pivot| pivot.event) else { continue };
            if !visit.class.changes() || !kept.contains(position) {
                continue;
            }
            values.change(|value| visit.replay(value), self.is_certain(position, decided));
        }
        values
    }

    /// What a receive may find: something, if it does so with what certainly stays, and otherwise perhaps with all that
    /// is kept.
    fn findings(&self, mailbox: Location, receive: u32, kept: &Set, decided: usize) -> Values {
        let found = |is_pivot_there: &dyn Fn(usize) -> bool| {
            let is_there = |event: EventId| {
                let pivot = self.pivots.binary_search_by_key(&event, |pivot| pivot.event);
                event.index() < self.prefix
                    || self.events.binary_search(&event).is_ok() && pivot.map_or(true, is_pivot_there)
            };
            Message::encode(self.trace.found(mailbox, receive, self.state, is_there))
        };
        let certain = found(&|pivot| kept.contains(pivot) && self.is_certain(pivot, decided));
        let possible = found(&|pivot| kept.contains(pivot));
        Values::Few(smallvec::smallvec![certain, possible])
    }

    /// Whether a pivot that is kept so far is kept for good.
    fn is_certain(&self, position: usize, decided: usize) -> bool {
        position < decided || self.pivots[position].stays
    }
}

/// The values that a location may have.
#[derive(Debug)]
enum Values {
    /// These, in order.
    Few(SmallVec<[u64; 8]>),
    /// More than are kept track of.
    Any,
}

impl Values {
    /// Sums of additions are mostly small, and few. With more values than this, the search goes on without.
    const MOST: usize = 1024;

    fn one(value: u64) -> Self {
        Values::Few(smallvec::smallvec![value])
    }

    /// What they become by a change that takes place, or (if not `is_certain`) may take place.
    fn change(&mut self, change: impl Fn(u64) -> u64, is_certain: bool) {
        let Values::Few(values) = self else { return };
        let count = values.len();
        for position in 0..count {
            let changed = change(values[position]);
            match is_certain {
                true => values[position] = changed,
                false => values.push(changed),
            }
        }
        values.sort_unstable();
        values.dedup();
        if values.len() > Self::MOST {
            *self = Values::Any;
        }
    }

    fn may(&self, meet: impl Fn(u64) -> bool) -> bool {
        match self {
            Values::Few(values) => values.iter().any(|&value| meet(value)),
            Values::Any => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_compared() {
        let all = Set::first(70);
        let mut some = all.clone();
        some.remove(69);
        assert!(some.is_subset(&all) && !all.is_subset(&some));
        assert!(some.contains(68) && !some.contains(69));
    }

    #[test]
    fn values_tell_what_cannot_be() {
        let mut values = Values::one(1);
        values.change(|value| value + 2, false);
        values.change(|value| value + 2, false);
        assert!(values.may(|value| value == 5) && !values.may(|value| value == 2));
        values.change(|_| 9, true);
        assert!(!values.may(|value| value != 9));
    }

    #[test]
    fn too_many_values_are_any() {
        let mut values = Values::one(0);
        (0..11).for_each(|bit| values.change(|value| value + (1 << bit), false));
        assert!(matches!(values, Values::Any) && values.may(|value| value == 7));
    }
}
