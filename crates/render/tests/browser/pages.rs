//! Reports that pages are made of.

use everyway_report::{
    Bug, BugKind, Call, Change, Event, Execution, Executions, Passing, Replay, Report, Source, Thread, Verdict, Wait,
};

#[path = "../support/effects.rs"]
mod support;

/// The file that everything is in.
pub(crate) const FILE: &str = "src/x.rs";

/// A program of which the places are in the reports.
pub(crate) const SOURCE: &str = "fn main() {
    let counter = Counter::new(0);
    let mutex = Mutex::new(());

    let a = spawn(|| {
        let _guard = mutex.lock();
        let scratch = Cell::new(1);
        add(&counter);
    });
    fn add(counter: &Counter) { let read = counter.load();
        counter.store(read + 1) }
    let b = spawn(|| add(&counter));

    a.join();
    b.join();
    assert_eq!(counter.load(), 2, \"an increment is lost\");
}
";

/// What a program may want to run.
pub(crate) const HOSTILE: &str =
    "</script><script>window.owned=1</script><img src=x onerror=window.owned=1><!--<script>&amp;\"'`${owned=1}";

fn at(line: u32) -> Option<Source> {
    Some(Source { file: FILE.to_owned(), line, column: 9 })
}

fn event(thread: usize, what: [&str; 3], line: u32, happens_after: &[usize], reads_from: &[usize]) -> Event {
    let [operation, object, value] = what.map(str::to_owned);
    let (happens_after, reads_from) = (happens_after.to_vec(), reads_from.to_vec());
    Event { thread, operation, object, value, source: at(line), happens_after, reads_from, ..Event::default() }
}

fn report(kind: BugKind, message: &str, threads: &[&str], mut events: Vec<Event>) -> Report {
    for event in &mut events {
        event.effects = support::effects(&event.operation, &event.object, &event.value, threads);
    }
    let threads = threads.iter().map(|&name| Thread { name: name.to_owned() }).collect();
    let bug = Bug {
        kind,
        message: message.to_owned(),
        source: None,
        thread: None,
        execution: Execution { threads, events },
        calls: Vec::new(),
        waits: Vec::new(),
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips: Vec::new(),
        divergence: None,
        passing: None,
        replay: Some(Replay { file: "x.json".to_owned(), command: "EVERYWAY_REPLAY=x.json cargo test".to_owned() }),
        executions: 1,
    };
    Report {
        verdict: Verdict::Bug,
        strategy: "optimal".to_owned(),
        executions: Executions { complete: 3, blocked: 0, redundant: 0, failed: 1 },
        seconds: 0.012,
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

/// Two threads add one each, only one of them under a lock: an increment is lost.
pub(crate) fn lost_update() -> Report {
    let counter = "AtomicU32 #1";
    let events = vec![
        event(0, ["spawn", "a", ""], 5, &[], &[]),
        event(0, ["spawn", "b", ""], 12, &[0], &[]),
        event(1, ["lock", "Mutex #1", ""], 6, &[0], &[]),
        event(1, ["write", "scratch", "1"], 7, &[2], &[]),
        event(1, ["load", counter, "0"], 10, &[3], &[]),
        event(2, ["load", counter, "0"], 10, &[1], &[]),
        event(1, ["store", counter, "1"], 11, &[4, 5], &[]),
        event(1, ["unlock", "Mutex #1", ""], 8, &[6], &[]),
        event(2, ["store", counter, "1"], 11, &[5, 6], &[]),
        event(0, ["join", "'a'", ""], 14, &[1, 7], &[]),
        event(0, ["join", "'b'", ""], 15, &[8, 9], &[]),
        event(0, ["load", counter, "1"], 16, &[10], &[8]),
    ];
    let mut report = report(BugKind::Panic, "assertion failed: an increment is lost", &["main", "a", "b"], events);
    let bug = report.bug.as_mut().expect("there is one");
    bug.thread = Some(0);
    bug.source = at(16);
    report
}

/// The same, beside an execution in which one thread has stored before the other loads.
pub(crate) fn beside() -> Report {
    let mut report = lost_update();
    let bug = report.bug.as_mut().expect("there is one");
    let order = [0, 1, 2, 3, 4, 6, 7, 5, 8, 9, 10, 11];
    let mut passed = bug.execution.arranged(&order);
    for (event, value) in [(7, "1"), (8, "2"), (11, "2")] {
        passed.events[event].value = value.to_owned();
    }
    passed.events[7].reads_from = vec![5];
    let change = Some(Change::Order { overtaken: 5, moved: Some(6), moved_to: 5 });
    bug.passing = Some(Passing { execution: passed, first_difference: 5, change, is_only: true });
    report
}

/// Two threads take two locks in opposite orders.
pub(crate) fn deadlock() -> Report {
    let events = vec![
        event(0, ["spawn", "a", ""], 5, &[], &[]),
        event(0, ["spawn", "b", ""], 12, &[0], &[]),
        event(1, ["lock", "Mutex #1", ""], 6, &[0], &[]),
        event(2, ["lock", "Mutex #2", ""], 10, &[1], &[]),
    ];
    let mut report = report(BugKind::Deadlock, "no thread can go on", &["main", "a", "b"], events);
    let wait = |thread: usize, operation: &str, line: u32, waits_for: usize, because: &str| Wait {
        thread,
        operation: operation.to_owned(),
        source: at(line),
        waits_for: Some(waits_for),
        because: because.to_owned(),
    };
    report.bug.as_mut().expect("there is one").waits = vec![
        wait(0, "join 'a'", 14, 1, "which has not ended"),
        wait(1, "lock Mutex #2", 7, 2, "held since src/x.rs:10"),
        wait(2, "lock Mutex #1", 11, 1, "held since src/x.rs:6"),
    ];
    report
}

/// Two threads that read old values, as memory models allow that are weaker than interleaving.
pub(crate) fn store_buffering() -> Report {
    let relaxed = |event: Event| Event { ordering: "relaxed".to_owned(), ..event };
    let mut events = vec![
        relaxed(event(1, ["store", "x", "1"], 6, &[], &[])),
        relaxed(event(2, ["store", "y", "1"], 10, &[], &[])),
        relaxed(event(1, ["load", "y", "0"], 7, &[0], &[])),
        relaxed(event(2, ["load", "x", "0"], 11, &[1], &[])),
    ];
    events[2].could_read = vec![1];
    events[3].could_read = vec![0];
    events[3].calls = vec![
        Call { function: "Flag::is_set".to_owned(), source: at(11), left_out: 0 },
        Call { function: "enter".to_owned(), source: at(15), left_out: 0 },
    ];
    report(BugKind::Assertion, "both are in", &["main", "a", "b"], events)
}

/// A program whose names, values, messages and source are made to run as a script.
pub(crate) fn hostile() -> Report {
    let events = vec![event(0, [HOSTILE; 3], 1, &[], &[]), event(1, ["load", HOSTILE, HOSTILE], 1, &[], &[0])];
    let mut report = report(BugKind::StepLimit, HOSTILE, &[HOSTILE, HOSTILE], events);
    let bug = report.bug.as_mut().expect("there is one");
    bug.tips = vec![HOSTILE.to_owned()];
    bug.replay = Some(Replay { file: HOSTILE.to_owned(), command: HOSTILE.to_owned() });
    report.notes = vec![HOSTILE.to_owned()];
    report
}

/// Eight threads that take turns with a lock and a hundred counters, for so many steps.
pub(crate) fn long(steps: usize) -> Report {
    let mut events: Vec<Event> = Vec::new();
    let mut last_of_thread = [None; 8];
    while events.len() < steps {
        let turn = events.len() / 4;
        let thread = (turn * 5 + turn / 7) % 8;
        let object = format!("counter {}", turn % 100);
        let value = format!("{} -> {}", turn / 100, turn / 100 + 1);
        let what = match events.len() % 4 {
            0 => ["lock", "mutex", ""],
            1 => ["load", &object, value.split(' ').next().unwrap_or_default()],
            2 => ["fetch_add", &object, &value],
            _ => ["unlock", "mutex", ""],
        };
        let index = events.len();
        let mut happens_after: Vec<usize> = last_of_thread[thread].into_iter().collect();
        happens_after.extend(
            index.checked_sub(1).filter(|&previous| what[0] == "lock" && Some(previous) != last_of_thread[thread]),
        );
        let reads_from: Vec<usize> = match what[0] {
            "load" => index.checked_sub(399).into_iter().collect(),
            "lock" => index.checked_sub(1).into_iter().collect(),
            _ => Vec::new(),
        };
        events.push(event(thread, what, 1 + (index % 17) as u32, &happens_after, &reads_from));
        last_of_thread[thread] = Some(index);
    }
    let names: Vec<String> = (0..8).map(|thread| format!("worker {thread}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut report = report(BugKind::Assertion, "assertion failed: counter == 100", &names, events);
    report.bug.as_mut().expect("there is one").thread = Some(0);
    report
}
