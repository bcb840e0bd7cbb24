//! Reports written by hand, for all tests.

use everyway_report::{
    Bug, BugKind, Event, Execution, Executions, RacingAccess, Replay, Report, Source, Thread, Unreceived, Verdict, Wait,
};

#[path = "../support/effects.rs"]
mod support;

/// `src/x.rs` at `line`.
pub(crate) fn at(line: u32) -> Option<Source> {
    Some(Source { file: "src/x.rs".to_owned(), line, column: 9 })
}

/// An event in `src/x.rs`.
pub(crate) fn event(
    thread: usize,
    operation: &str,
    object: &str,
    value: &str,
    line: u32,
    reads_from: &[usize],
) -> Event {
    Event {
        thread,
        effects: support::effects(operation, object, value, &["main", "a", "b"]),
        operation: operation.to_owned(),
        object: object.to_owned(),
        value: value.to_owned(),
        source: at(line),
        reads_from: reads_from.to_vec(),
        ..Event::default()
    }
}

/// An execution of threads with these names.
pub(crate) fn execution(names: &[&str], events: Vec<Event>) -> Execution {
    let threads = names.iter().map(|&name| Thread { name: name.to_owned() }).collect();
    Execution { threads, events }
}

/// A bug without any of what only some bugs have.
pub(crate) fn bug(kind: BugKind, message: &str, execution: Execution) -> Bug {
    Bug {
        kind,
        message: message.to_owned(),
        source: None,
        thread: None,
        execution,
        calls: Vec::new(),
        waits: Vec::new(),
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips: Vec::new(),
        divergence: None,
        passing: None,
        replay: Some(Replay {
            file: "target/everyway/test.json".to_owned(),
            command: "EVERYWAY_REPLAY=target/everyway/test.json cargo test test".to_owned(),
        }),
        executions: 1,
    }
}

/// The report of `bug`. Those in whose execution nobody can go on are among the blocked ones; those that are cut are
/// not counted.
pub(crate) fn failed(bug: Bug, complete: u64, blocked: u64) -> Report {
    let is_counted =
        !matches!(bug.kind, BugKind::Deadlock | BugKind::Livelock | BugKind::StepLimit | BugKind::Nondeterminism);
    Report {
        verdict: Verdict::Bug,
        strategy: "optimal".to_owned(),
        executions: Executions { complete, blocked, redundant: 0, failed: u64::from(is_counted) },
        seconds: 0.034,
        cut: Vec::new(),
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes: Vec::new(),
        bug: Some(bug),
        further_bugs: Vec::new(),
        solver: None,
        profile: None,
    }
}

/// The report of an exploration that found no bug.
pub(crate) fn passed(verdict: Verdict, executions: Executions) -> Report {
    Report {
        verdict,
        strategy: "optimal".to_owned(),
        executions,
        seconds: 0.012,
        cut: Vec::new(),
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes: Vec::new(),
        bug: None,
        further_bugs: Vec::new(),
        solver: None,
        profile: None,
    }
}

/// Two threads that add to a counter without a lock.
pub(crate) fn panic() -> Report {
    let events = vec![
        event(0, "spawn", "a", "", 5, &[]),
        event(0, "spawn", "b", "", 6, &[]),
        event(1, "load", "AtomicU32 #1", "0", 10, &[]),
        event(2, "load", "AtomicU32 #1", "0", 10, &[]),
        event(1, "store", "AtomicU32 #1", "1", 11, &[]),
        event(2, "store", "AtomicU32 #1", "1", 11, &[]),
        event(0, "join", "a", "", 14, &[]),
        event(0, "join", "b", "", 15, &[]),
        event(0, "load", "AtomicU32 #1", "1", 16, &[5]),
    ];
    let message = "assertion `left == right` failed: an increment is lost\n  left: 1\n right: 2";
    let mut bug = bug(BugKind::Panic, message, execution(&["main", "a", "b"], events));
    bug.source = at(16);
    bug.thread = Some(0);
    bug.tips = vec!["fetch_add adds in one step".to_owned()];
    failed(bug, 1_204, 0)
}

/// Two threads that take two locks in opposite orders.
pub(crate) fn deadlock() -> Report {
    let events = vec![
        event(0, "spawn", "a", "", 5, &[]),
        event(0, "spawn", "b", "", 6, &[]),
        event(1, "lock", "Mutex #1", "", 9, &[]),
        event(2, "lock", "Mutex #2", "", 22, &[]),
    ];
    let mut bug = bug(BugKind::Deadlock, "no thread can go on", execution(&["main", "a", "b"], events));
    bug.waits = vec![
        wait(0, "join a", 30, Some(1), "has not ended"),
        wait(1, "lock Mutex #2", 10, Some(2), "held since src/x.rs:22"),
        wait(2, "lock Mutex #1", 23, Some(1), "held since src/x.rs:9"),
    ];
    bug.tips = vec!["take the locks in the same order everywhere".to_owned()];
    failed(bug, 1, 1)
}

/// A thread that waits in `src/x.rs`.
pub(crate) fn wait(thread: usize, operation: &str, line: u32, waits_for: Option<usize>, because: &str) -> Wait {
    Wait { thread, operation: operation.to_owned(), source: at(line), waits_for, because: because.to_owned() }
}

/// One side of a data race in `src/x.rs`.
pub(crate) fn access(thread: usize, operation: &str, object: &str, line: u32) -> RacingAccess {
    RacingAccess {
        thread,
        operation: operation.to_owned(),
        object: object.to_owned(),
        source: at(line),
        steps_before: None,
    }
}

/// A message that was sent in `src/x.rs`.
pub(crate) fn unreceived(message: &str, sender: usize, receiver: &str, line: u32) -> Unreceived {
    Unreceived { message: message.to_owned(), sender, receiver: receiver.to_owned(), source: at(line) }
}
