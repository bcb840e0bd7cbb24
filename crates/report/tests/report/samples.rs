//! A bug written by hand.

use everyway_report::{Bug, BugKind, Event, Execution, Replay, Report, Source, Thread, Verdict, Wait};

/// `src/x.rs` at `line`.
pub(crate) fn at(line: u32) -> Option<Source> {
    Some(Source { file: "src/x.rs".to_owned(), line, column: 9 })
}

fn event(thread: usize, operation: &str, object: &str, line: u32) -> Event {
    Event {
        thread,
        operation: operation.to_owned(),
        object: object.to_owned(),
        value: String::new(),
        source: at(line),
        ..Event::default()
    }
}

fn wait(thread: usize, operation: &str, line: u32, waits_for: usize, because: &str) -> Wait {
    let (operation, because) = (operation.to_owned(), because.to_owned());
    Wait { thread, operation, source: at(line), waits_for: Some(waits_for), because }
}

/// Two threads that take two locks in opposite orders.
pub(crate) fn deadlock() -> Report {
    let threads = ["main", "a", "b"].map(|name| Thread { name: name.to_owned() }).to_vec();
    let events = vec![
        event(0, "spawn", "a", 5),
        event(0, "spawn", "b", 6),
        event(1, "lock", "Mutex #1", 9),
        event(2, "lock", "Mutex #2", 22),
    ];
    let bug = Bug {
        kind: BugKind::Deadlock,
        message: "no thread can go on".to_owned(),
        source: None,
        thread: None,
        execution: Execution { threads, events },
        calls: Vec::new(),
        waits: vec![
            wait(0, "join a", 30, 1, "has not ended"),
            wait(1, "lock Mutex #2", 10, 2, "held since src/x.rs:22"),
            wait(2, "lock Mutex #1", 23, 1, "held since src/x.rs:9"),
        ],
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips: vec!["take the locks in the same order everywhere".to_owned()],
        divergence: None,
        passing: None,
        replay: Some(Replay { file: "target/everyway/test.json".to_owned(), command: "cargo test test".to_owned() }),
        executions: 1,
    };
    Report {
        verdict: Verdict::Bug,
        strategy: "optimal".to_owned(),
        executions: everyway_report::Executions { complete: 1, blocked: 1, redundant: 0, failed: 0 },
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
