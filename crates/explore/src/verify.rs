//! The invariants of the engine, checked under [`Verification::Full`].
//!
//! After every step:
//!
//! 1. An event's clock knows the event itself, and its thread's previous event or its thread's spawn.
//! 2. An event knows every earlier event that it conflicts with.
//! 3. A race is with another thread's event, which the event's thread had not known of.
//! 4. The accesses that were carried out start as the operation says, and each found the value that the last
//!    access to its location left.
//! 5. The program agrees with the engine on which waiting operations are enabled.
//!
//! 6. No step is in a sleep set twice. What sleeps can be taken, and would do what it did when it was explored.
//! 7. Every branch that was explored from the state sleeps there, the one under way apart.
//!
//! At the end of an execution, after the strategy has learnt from it:
//!
//! 8. With observers, events are ordered as the observed conflicts between them say.
//! 9. `WI(w) ∩ sleep(E) = ∅` for every leaf `w` of the wakeup tree of every state `E` on the stack (JACM,
//!    Definition 6.1(1)).
//! 10. If `u.p` comes before the leaf `u.w` in a wakeup tree, `p` is not in `WI(w)` after `E.u` (Definition 6.1(2)).
//!     The branch under way comes before all that are still in the tree.
//!
//! The first five and the eighth are here; those of sleep sets and wakeup trees are in
//! `strategies/dpor/invariants.rs`. That `optimal` is optimal - no redundant execution, no sleep set without a wakeup
//! tree - is asserted in debug builds in any case.

use crate::explorer::alive;
use crate::happens_before::{Dependence, Ordered};
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Access, Effect, Message, State, Status, conflict, evaluate};

/// Whether the engine checks its invariants while it explores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verification {
    /// Debug assertions apart, no.
    #[default]
    Off,
    /// After every step and every execution; it panics if one does not hold. For tests of the engine: it takes a
    /// while, and what happens before what is found out step by step under every strategy.
    Full,
}

pub(crate) fn last_event(trace: &Trace, state: &dyn State) {
    let id = EventId::new(trace.len() - 1);
    clocks(trace, state, id);
    values(trace, state, id);
    let value = |access: &Access| match access.effect.receive() {
        Some(number) => Message::encode(trace.found(access.location, number, state, |_| true)),
        None => state.value(access.location),
    };
    for thread in alive(state) {
        let operation = state.operation(thread);
        if operation.may_block() {
            let enabled = evaluate(&operation.accesses, value, |_| {}).is_enabled();
            assert_eq!(enabled, state.status(thread) == Status::Ready, "{thread} in {operation:?}");
        }
    }
}

/// Whether the clocks of an execution that has ended, with observers or without, are the transitive closure of program
/// order, spawns, joins and conflicts.
pub(crate) fn order(ordered: Ordered<'_>, relation: &impl Dependence) {
    let trace = ordered.trace;
    for later in trace.events_from(0) {
        let event = trace.event(later);
        let precedes = |&earlier: &EventId| {
            let thread = trace.event(earlier).step.thread;
            let is_last = |joined| trace.end_of(joined) == Some(earlier);
            let (one, other) = (trace.footprints(earlier), trace.footprints(later));
            thread == event.step.thread
                || trace.origin(event.step.thread) == Some(earlier)
                || event.joins.is_some_and(is_last)
                || relation.events_conflict(one, other)
                || !relation.observers(trace, earlier, later).is_empty()
        };
        let direct: Vec<EventId> = trace.events_from(0).take(later.index()).filter(precedes).collect();
        for earlier in trace.events_from(0).take(later.index()) {
            let expected = direct.iter().any(|&between| ordered.happens_before(earlier, between));
            assert_eq!(ordered.happens_before(earlier, later), expected, "{earlier} and {later} with observers");
        }
    }
}

fn clocks(trace: &Trace, state: &dyn State, id: EventId) {
    let event = trace.event(id);
    let own = trace.events_of(event.step.thread);
    assert_eq!(own.last(), Some(&id));
    assert_eq!(trace.order().clock_entry(id, event.step.thread), event.index);
    let previous = own.iter().rev().nth(1).copied().or(trace.origin(event.step.thread));
    assert!(previous.is_none_or(|previous| trace.happens_before(previous, id)));
    for earlier in trace.events_from(0).take(id.index()) {
        if conflict(trace.footprints(earlier), trace.footprints(id), state) {
            assert!(trace.happens_before(earlier, id), "{earlier} conflicts with {id} unordered");
        }
    }
    for &race in trace.races(id) {
        assert_ne!(trace.event(race).step.thread, event.step.thread);
        assert!(previous.is_none_or(|previous| !trace.happens_before(race, previous)));
    }
}

fn values(trace: &Trace, state: &dyn State, id: EventId) {
    for (visit, declared) in trace.visits(id).iter().zip(trace.declared(id)) {
        assert_eq!(visit.access.location, declared.location, "{id} did not do what it had announced");
    }
    for visit in trace.visits(id) {
        if let Some(number) = visit.access.effect.receive() {
            let found = trace.found(visit.access.location, number, state, |event| event < id);
            assert_eq!(visit.before, Message::encode(found), "{id} found another message than was there for it");
            continue;
        }
        let last = trace.accesses_from(0, visit.access.location).rev().find(|(event, _)| *event != id);
        if let Some((_, last)) = last
            && !matches!(visit.access.effect, Effect::Send(_))
        {
            assert_eq!(last.after, visit.before, "{} changed behind everybody's back", visit.access.location);
        }
    }
}
