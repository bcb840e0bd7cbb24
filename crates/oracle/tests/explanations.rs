//! What reports say of events: which write a read got its value from, and what happens right before an event.

use everyway_explore::{Algorithm, End, Explorer, Limits, Order, Trace};
use everyway_oracle::machine::Machine;
use everyway_oracle::random::{Profile, program};
use everyway_runtime::{Class, EventId, Visit};
use std::ops::ControlFlow;

fn ids(trace: &Trace) -> impl DoubleEndedIterator<Item = EventId> {
    (0..trace.len()).map(EventId::new)
}

/// The last event before this one that changed the bytes that `read` looks at, or that sent what it received.
fn writer(trace: &Trace, event: EventId, read: &Visit) -> Option<EventId> {
    let wrote = |visit: &Visit| match (read.class, visit.class) {
        (Class::Receive { message, .. }, Class::Send(sent)) => message == sent,
        (Class::Receive { .. } | Class::Miss { .. }, _) => false,
        _ => visit.class.changes() && visit.footprint().overlaps(&read.footprint()),
    };
    ids(trace).rev().skip_while(|&other| other >= event).find(|&other| trace.visits(other).iter().any(wrote))
}

/// Explores random programs, and shows `look` each execution; how often it has found something.
fn explore(look: impl Fn(&Trace, EventId) -> usize) -> usize {
    let mut found = 0;
    for profile in Profile::ALL {
        for seed in 0..30 {
            let program = program(profile, seed, 30);
            let (mut machine, mut strategy) = (Machine::new(&program), Algorithm::Optimal.strategy(Order::Lowest));
            let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).with_order();
            let end = explorer.run(|progress| {
                found += ids(progress.trace).map(|event| look(progress.trace, event)).sum::<usize>();
                ControlFlow::Continue(())
            });
            assert!(matches!(end, End::Finished), "{end:?}");
        }
    }
    found
}

#[test]
fn a_read_is_from_the_last_write() {
    let found = explore(|trace, event| {
        let reads = trace.visits(event).iter().filter(|visit| !visit.access.is_blind());
        let mut expected: Vec<EventId> = reads.filter_map(|visit| writer(trace, event, visit)).collect();
        expected.dedup();
        assert_eq!(trace.reads_from(event), expected);
        expected.len()
    });
    assert!(found > 1000, "only {found} reads had a writer");
}

/// What happens right before an event happens before it, with no other in between, and there is nothing else.
#[test]
fn predecessors_are_the_last_events_that_happen_before() {
    let found = explore(|trace, event| {
        let before: Vec<EventId> =
            ids(trace).filter(|&other| other != event && trace.happens_before(other, event)).collect();
        let is_last = |&one: &EventId| !before.iter().any(|&other| other != one && trace.happens_before(one, other));
        let expected: Vec<EventId> = before.iter().copied().filter(is_last).collect();
        assert_eq!(trace.predecessors(event), expected);
        expected.len()
    });
    assert!(found > 1000, "only {found} events had one");
}
