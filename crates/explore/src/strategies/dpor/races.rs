//! Races: which other executions the current one calls for.
//!
//! An execution `E` can show in three ways that another one has to be explored. Each gives a sequence `v` after a
//! prefix `E'` of `E`:
//!
//! - *Reversal.* Two events `e`, `e'` of different threads race: `e'` happens after `e` with nothing between them. Then
//!   `v = notdep(e, E).e'` (JACM, Algorithm 2, lines 3-5). If the race exists only because some `o` observes it, `v =
//!   notdep(e, E).e'.e.notobs(e, e', E).o` (TACAS 2018, Algorithm 1, lines 6-8): the events that happen after `e` but
//!   not after an observer, and then the first observer, without which there would be no difference.
//! - *Blocking.* An operation `e'` that other threads can disable, whether or not it was carried out in the end. For
//!   each earlier conflicting event `e`, from the last one backwards, and each maximal happens-before prefix `u` of
//!   `notdep(e, E)` after which `e'` is enabled, `v = u.e'`. These are lines 7-22 of FMCAD 2022's Algorithm 1, which
//!   sharpens Algorithm 6 of JACM (any subsequence `u`). Where all events that can enable or disable `e'` conflict
//!   pairwise, as with a mutex, it is Algorithm 4.
//! - *Choice.* An event that took one alternative of an operation that has more: `v = notdep(e, E).e[c]` for each other
//!   alternative `c`. Two alternatives are two steps that disable each other, so this is the blocking case with `u` all
//!   of `notdep(e, E)`. Asking for the next alternative only would not suffice: if that one sleeps, those after it are
//!   not asked for.
//!
//! A race is reversed with the first alternative of `e'`; if it has others in its new place, the executions that have
//! it there call for them.

use super::enabling_prefixes::{Goal, Search};
use super::reach::Reach;
use super::wakeup_sequence::{Last, Sequence};
use crate::budget::Budget;
use crate::happens_before::{Dependence, Ordered};
use crate::ids::EventId;
use crate::trace::{Event, Trace};
use everyway_runtime::{Access, Class, Evaluation, State, Step, ThreadId, blocked, conflict, potentials};
use smallvec::SmallVec;

/// Which races of an execution are looked at. If the execution [may hide conflicts](crate::trace::Record::may_hide_conflicts), all are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    /// Those of the events from this one on; sequences end at the race. For source sets (JACM, Algorithm 1, line 5).
    Since(usize),
    /// The same, and those in which the second event would be disabled if it came first: what happens before it is planned
    /// without it. For persistent sets, which have to have a step of every thread that may lead there (Flanagan and
    /// Godefroid, Fig. 3, lines 5-8).
    Persistent(usize),
    /// Those whose sequences are not the beginnings of sequences that were planned when the execution had other
    /// events from this one on; sequences reach to the end of the execution (JACM, Algorithm 2, lines 3-5).
    ///
    /// Algorithm 2 looks at all races of every maximal execution: what covers a sequence need not cover another that
    /// goes on differently. It does cover whatever the sequence begins with: a sleeping or planned step that is a weak
    /// initial of a sequence is one of all its beginnings. If all that is new in an execution happens after `e`, then
    /// `notdep(e, E)` has nothing of it, and is what `notdep(e, E)` of the previous execution began with. With observers
    /// that is so if what is old is in the same order in both, and if all that is new happens after the observer, too.
    NewSequences(usize),
    /// All; sequences reach to the end of the execution.
    All,
}

/// Who is told of the sequences that races ask for.
pub(crate) trait Plans {
    /// Plans for a sequence.
    fn plan(&mut self, sequence: &mut Sequence);

    /// Plans for all alternatives of an event that chooses, if that can be done without a sequence for each; whether all
    /// have been explored, or are going to be, from where it is.
    fn plan_alternatives(&mut self, event: EventId) -> bool;
}

/// Tells `plans` of every sequence that the races of the finished execution `trace` ask for, as far as `budget` allows.
pub(crate) fn analyse<R: Dependence>(
    ordered: Ordered<'_>,
    relation: &R,
    state: &dyn State,
    scope: Scope,
    budget: &Budget,
    scratch: &mut Sequence,
    plans: &mut dyn Plans,
) {
    let Ordered { trace, order } = ordered;
    let points = order.branch_points();
    let old = |fresh| points.partition_point(|point| point.index() < fresh);
    let mut analysis = Analysis { ordered, relation, trace, state, scope, budget, sequence: scratch, plans };
    match scope {
        Scope::Since(fresh) | Scope::Persistent(fresh) if !trace.may_hide_conflicts() => {
            points[old(fresh)..].iter().for_each(|&later| analysis.races_of(later, later.index(), |_| true));
        }
        Scope::NewSequences(fresh) if !trace.may_hide_conflicts() => {
            let (old, new) = points.split_at(old(fresh));
            if !old.is_empty() {
                let common = order.common_past(fresh);
                let first = first_beyond(trace, &common);
                let old = match relation.counts_every_conflict() {
                    true => &old[old.partition_point(|point| point.index() < first)..],
                    // There may be something new after an observer.
                    false => old,
                };
                let differs = |event: EventId| event.index() >= fresh || !is_within(trace.event(event), &common);
                old.iter().for_each(|&later| analysis.races_of(later, trace.len(), differs));
            }
            new.iter().for_each(|&later| analysis.races_of(later, trace.len(), |_| true));
        }
        _ => points.iter().for_each(|&later| analysis.races_of(later, trace.len(), |_| true)),
    }
    // What a join waits for is not undone: to come earlier does not help it.
    for thread in blocked(state).filter(|&thread| state.operation(thread).joins.is_none()) {
        analysis.blocking(&state.operation(thread).accesses, thread, trace.len(), trace.len());
    }
}

struct Analysis<'a, R> {
    ordered: Ordered<'a>,
    relation: &'a R,
    trace: &'a Trace,
    state: &'a dyn State,
    scope: Scope,
    budget: &'a Budget,
    sequence: &'a mut Sequence,
    plans: &'a mut dyn Plans,
}

impl<R: Dependence> Analysis<'_, R> {
    /// Plans for the races of `later`, with sequences that end at `until`: those that do without an event for which
    /// `differs` holds.
    fn races_of(&mut self, later: EventId, until: usize, differs: impl Fn(EventId) -> bool) {
        if self.budget.is_exhausted() {
            return;
        }
        let event = self.trace.event(later);
        if event.may_block && differs(later) && !self.trace.waits_for_its_message(later) {
            self.blocking(self.trace.declared(later), event.step.thread, later.index(), until);
        }
        for &earlier in self.ordered.order.races(later) {
            let observers = self.relation.observers(self.trace, earlier, later);
            match observers.first() {
                // What comes after the observer is not in the sequence either.
                Some(&observer) if differs(earlier) || differs(observer) => {
                    self.observed_reversal((earlier, later), &observers, observer);
                }
                None if differs(earlier) && event.may_block => self.disabled(earlier, later),
                None if differs(earlier) => self.reversal(earlier, later, until),
                _ => {}
            }
        }
        if event.choices > 1 && differs(later) && !self.plans.plan_alternatives(later) {
            for choice in (0..event.choices).filter(|&choice| choice != event.step.choice) {
                self.choice(later, choice, until);
            }
        }
    }

    fn reversal(&mut self, earlier: EventId, later: EventId, until: usize) {
        self.sequence.without(self.trace, earlier, until);
        let evaluation = self.end_with_first_alternative(later);
        debug_assert!(evaluation.is_enabled(), "only a blocking operation can be disabled");
        debug_assert!(
            conflict(self.trace.footprints(earlier), self.sequence.last_footprints(), self.state)
                || self.came_with_more(later)
        );
        self.plans.plan(self.sequence);
    }

    /// Ends the sequence with the operation of `event`.
    fn end_with_first_alternative(&mut self, event: EventId) -> Evaluation {
        let &Event { step, index, .. } = self.trace.event(event);
        let last = Last { step: Step::of(step.thread), index };
        self.sequence.end_with(last, self.trace.declared(event), self.ordered, self.state)
    }

    /// Plans what happens before `later`, if `later` cannot come before `earlier` and persistent sets are wanted.
    fn disabled(&mut self, earlier: EventId, later: EventId) {
        if !matches!(self.scope, Scope::Persistent(_)) {
            return;
        }
        self.sequence.without(self.trace, earlier, later.index());
        let evaluation = self.end_with_first_alternative(later);
        if !evaluation.is_enabled() {
            self.sequence.keep_before(self.ordered, later);
            self.plans.plan(self.sequence);
        }
    }

    /// Plans for the observer of a race to find it turned around.
    fn observed_reversal(&mut self, race: (EventId, EventId), observers: &[EventId], observer: EventId) {
        self.sequence.turned_around(self.ordered, race, observers);
        let evaluation = self.end_with_first_alternative(observer);
        debug_assert!(evaluation.is_enabled(), "stores that a blocking operation observes conflict always");
        self.plans.plan(self.sequence);
    }

    /// Whether the event did something besides its operation, which may be what it races by. Whether it would do so
    /// in another place is not known.
    fn came_with_more(&self, event: EventId) -> bool {
        let declared = self.trace.declared(event);
        self.trace.footprints(event).iter().any(|f| !declared.iter().any(|access| access.location == f.location))
    }

    fn choice(&mut self, event: EventId, choice: u32, until: usize) {
        self.sequence.without(self.trace, event, until);
        let &Event { step, index, .. } = self.trace.event(event);
        let last = Last { step: Step { choice, ..step }, index };
        self.sequence.end_with(last, self.trace.declared(event), self.ordered, self.state);
        self.plans.plan(self.sequence);
    }

    /// Plans for the operation `accesses` of `thread`, which was carried out after the first `before` events
    /// or is still waiting there, to come before each of the events that conflict with it.
    fn blocking(&mut self, accesses: &[Access], thread: ThreadId, before: usize, until: usize) {
        let own = self.trace.events_of(thread);
        let taken = own.partition_point(|e| e.index() < before);
        let previous = own[..taken].last().copied();
        let start = previous.or(self.trace.origin(thread));
        let ordered = self.ordered;
        let known = |event| start.is_some_and(|start| ordered.happens_before(event, start));
        let visits = if before < self.trace.len() { self.trace.visits(EventId::new(before)) } else { &[] };
        let reach = Reach { ordered, relation: self.relation, state: self.state, accesses, start, visits };
        let Some(within_reach) = reach.limit(before) else { return };
        let potentials = potentials(accesses, visits);
        // By access: the last one that it conflicts with, of those that are left.
        let (trace, relation) = (self.trace, self.relation);
        let last = |position: usize, limit: usize| {
            let limit = if position == 0 { limit } else { limit.min(within_reach) };
            trace.last_conflict(&potentials[position], known, limit, relation)
        };
        let mut latest: SmallVec<[_; 2]> = (0..potentials.len()).map(|position| last(position, before)).collect();
        while let Some(&Some(earlier)) = latest.iter().max() {
            if reach.may_meet(earlier) {
                self.sequence.without(trace, earlier, until);
                if before < trace.len() {
                    // With several accesses, the operation need not have met `earlier` as it was carried out.
                    self.sequence.drop_after(trace, EventId::new(before));
                }
                let last = Last { step: Step::of(thread), index: taken as u32 + 1 };
                let inserted = self.enabling_prefixes(accesses, last, start, earlier);
                if inserted && self.conflicts_with_all(accesses, earlier) {
                    break;
                }
            }
            for (position, latest) in latest.iter_mut().enumerate().filter(|(_, latest)| **latest == Some(earlier)) {
                *latest = last(position, earlier.index());
            }
        }
    }

    /// Plans `u.last` for each maximal happens-before prefix `u` of the sequence after which the operation
    /// is enabled and conflicts with `earlier`; whether there was one. All that happens before `start`, which
    /// precedes the operation in its thread, stays.
    fn enabling_prefixes(&mut self, accesses: &[Access], last: Last, start: Option<EventId>, earlier: EventId) -> bool {
        if self.conflicts_if_enabled(accesses, last, earlier) {
            self.plans.plan(self.sequence);
            return true;
        }
        let goal = Goal { accesses, footprints: self.trace.footprints(earlier), start };
        let events = self.sequence.list(self.ordered).clone();
        let mut inserted = false;
        Search::new(self.ordered, self.state, goal, earlier.index(), events).run(self.budget, |part| {
            self.sequence.keep(part);
            let enables = self.conflicts_if_enabled(accesses, last, earlier);
            if enables {
                self.plans.plan(self.sequence);
            }
            inserted |= enables;
            enables
        });
        inserted
    }

    /// Ends the sequence with the operation; whether it is enabled there and conflicts with `earlier`. Being
    /// enabled is not enough if there are several ways to be: a receive that finds a message does not look at
    /// which others might send, and is not what to explore before the last sender leaves.
    fn conflicts_if_enabled(&mut self, accesses: &[Access], last: Last, earlier: EventId) -> bool {
        self.sequence.end_with(last, accesses, self.ordered, self.state).is_enabled()
            && self.relation.events_conflict(self.trace.footprints(earlier), self.sequence.last_footprints())
    }

    /// Whether `event` conflicts with whatever may enable or disable the operation: then reversals with
    /// still earlier events are found in the executions now planned (`can-stop`, FMCAD 2022, lines 13-14).
    fn conflicts_with_all(&self, accesses: &[Access], event: EventId) -> bool {
        let [only] = accesses else { return false };
        let potential = only.potential();
        self.trace
            .footprints(event)
            .iter()
            .any(|f| f.covers(&potential) && matches!(f.class, Class::Write | Class::Store))
    }
}

/// Whether `event` is within a past that has this many events of each thread.
fn is_within(event: &Event, past: &[u32]) -> bool {
    past.get(event.step.thread.index()).is_some_and(|&count| count >= event.index)
}

/// The first event that is not within a past that has this many events of each thread, or the length of the execution.
fn first_beyond(trace: &Trace, past: &[u32]) -> usize {
    let count = |thread: ThreadId| past.get(thread.index()).map_or(0, |&count| count as usize);
    let threads = (0..trace.threads()).map(ThreadId::new);
    let beyond = threads.filter_map(|thread| trace.events_of(thread).get(count(thread)));
    beyond.min().map_or(trace.len(), |event| event.index())
}
