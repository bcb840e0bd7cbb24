//! Pictures of executions that are small enough to be drawn by hand.

use everyway_report::{Effect, Event, Execution, Thread, Wait};

#[path = "../../tests/support/effects.rs"]
mod support;

use super::{EdgeKind, Picture, SpanKind};

/// Thread, operation, object, what happens before it, what it reads from.
type Step<'a> = (usize, &'a str, &'a str, &'a [usize], &'a [usize]);

fn execution(events: &[Step<'_>]) -> Execution {
    let names = ["main", "a", "b"];
    let threads = names.map(|name| Thread { name: name.to_owned() }).to_vec();
    let event = |&(thread, operation, object, happens_after, reads_from): &Step<'_>| Event {
        thread,
        operation: operation.to_owned(),
        object: object.to_owned(),
        happens_after: happens_after.to_vec(),
        reads_from: reads_from.to_vec(),
        effects: support::effects(operation, object, "", &names),
        ..Event::default()
    };
    Execution { threads, events: events.iter().map(event).collect() }
}

fn spans(picture: &Picture) -> Vec<(usize, usize, usize, &str, SpanKind)> {
    picture.spans.iter().map(|span| (span.thread, span.from, span.to, span.object.as_str(), span.kind)).collect()
}

fn edges(picture: &Picture) -> Vec<(usize, usize, EdgeKind)> {
    picture.edges.iter().map(|edge| (edge.from, edge.to, edge.kind)).collect()
}

#[test]
fn a_lock_is_held_by_one_and_waited_for_by_the_other() {
    let picture = Picture::new(
        &execution(&[
            (1, "lock", "m", &[], &[]),
            (1, "write", "x", &[0], &[]),
            (1, "unlock", "m", &[1], &[]),
            (2, "lock", "m", &[2], &[2]),
            (2, "unlock", "m", &[3], &[]),
            (0, "join", "'b'", &[4], &[]),
        ]),
        &[],
    );
    use SpanKind::{Holds, Waits};
    let expected = [(0, 0, 4, "'b'", Waits), (1, 0, 2, "m", Holds), (2, 0, 2, "m", Waits), (2, 3, 4, "m", Holds)];
    assert_eq!(spans(&picture), expected);
    assert_eq!(edges(&picture), [(2, 3, EdgeKind::SynchronisesWith), (4, 5, EdgeKind::Join)]);
}

#[test]
fn a_thread_that_waits_for_a_condition_gives_its_lock_back() {
    let events = [
        (1, "lock", "m", &[][..], &[][..]),
        (1, "cond_wait", "c", &[0], &[]),
        (2, "lock", "m", &[1], &[1]),
        (2, "signal", "c", &[2], &[1]),
        (1, "woken by", "c", &[3], &[3]),
        (2, "unlock", "m", &[3], &[]),
        (1, "relock", "m", &[4, 5], &[5]),
    ];
    use SpanKind::{Holds, Waits};
    let mut execution = execution(&events);
    execution.events[1].effects =
        vec![Effect::Releases { object: "m".to_owned() }, Effect::Waits { object: "c".to_owned() }];
    let picture = Picture::new(&execution, &[]);
    let expected = [
        (1, 0, 1, "m", Holds),
        (2, 0, 1, "m", Waits),
        (1, 1, 4, "c", Waits),
        (2, 2, 5, "m", Holds),
        (1, 4, 5, "m", Waits),
        (1, 6, 7, "m", Holds),
    ];
    assert_eq!(spans(&picture), expected);
    let kinds = [EdgeKind::SynchronisesWith, EdgeKind::ReadsFrom, EdgeKind::ReadsFrom, EdgeKind::SynchronisesWith];
    assert_eq!(edges(&picture).iter().map(|edge| edge.2).collect::<Vec<_>>(), [&kinds[..3], &kinds[3..]].concat());
}

#[test]
fn who_waits_at_the_end_waits_since_its_last_step() {
    let wait = Wait {
        thread: 1,
        operation: "lock n".to_owned(),
        source: None,
        waits_for: Some(2),
        because: "held".to_owned(),
    };
    let picture = Picture::new(&execution(&[(1, "lock", "m", &[], &[]), (2, "lock", "n", &[], &[])]), &[wait]);
    use SpanKind::{Holds, Waits};
    assert_eq!(spans(&picture), [(1, 0, 2, "m", Holds), (1, 0, 2, "n", Waits), (2, 1, 2, "n", Holds)]);
}

#[test]
fn arrows_say_the_strongest_of_what_the_report_says() {
    let mut told =
        execution(&[(0, "publish", "x", &[], &[]), (1, "adopt", "x", &[0], &[]), (1, "adopt", "y", &[1], &[])]);
    told.events[0].effects = vec![Effect::Starts { thread: 1 }, Effect::Releases { object: "x".to_owned() }];
    told.events[1].synchronises_with = vec![0];
    told.events[2].could_read = vec![0];
    let picture = Picture::new(&told, &[]);
    assert_eq!(edges(&picture), [(0, 1, EdgeKind::Start), (0, 2, EdgeKind::CouldRead)]);
}

#[test]
fn a_thread_starts_after_what_its_parent_did_before() {
    let mut execution =
        execution(&[(0, "store", "x", &[], &[]), (1, "store", "y", &[0], &[]), (2, "store", "x", &[0], &[])]);
    execution.events[0].effects.push(Effect::Starts { thread: 1 });
    let picture = Picture::new(&execution, &[]);
    assert_eq!(edges(&picture), [(0, 1, EdgeKind::Start), (0, 2, EdgeKind::Conflict)]);
}
