//! The calls that steps are in, what separates a failure from what passes, and where executions come from.

use everyway_render::text::{self, plain};
use everyway_report::{
    Bug, BugKind, Call, Change, Effect, EstimateSoFar, Executions, Finds, Lengths, Mode, Passing, Profile,
    RacingAccess, RacingPlaces, Verdict,
};

use crate::samples::{at, bug, event, execution, failed, passed};

fn call(function: &str, line: u32) -> Call {
    Call { function: function.to_owned(), source: at(line), left_out: 0 }
}

fn lost() -> Bug {
    let mut events = vec![
        event(1, "load", "x", "0", 10, &[]),
        event(2, "load", "x", "0", 10, &[]),
        event(2, "store", "x", "1", 11, &[]),
        event(1, "store", "x", "1", 11, &[]),
    ];
    for event in &mut events {
        // Behind the place that is shown is a place in a library.
        let own = call("bump", event.source.as_ref().map_or(0, |source| source.line));
        event.calls = vec![call("atomic::access", 700), own, call(if event.thread == 1 { "one" } else { "two" }, 20)];
    }
    bug(BugKind::Assertion, "x is 2", execution(&["main", "a", "b"], events))
}

fn page(bug: Bug) -> String {
    plain(&failed(bug, 1, 0))
}

#[test]
fn calls_are_named_once() {
    let page = page(lost());
    assert!(
        page.contains(
            "\n  steps 1 and 4: in bump, called from one (x.rs:20)\n  steps 2 and 3: in bump, called from two (x.rs:20)\n"
        ),
        "{page}"
    );
}

#[test]
fn calls_that_are_left_out_are_counted() {
    let mut deep = lost();
    for event in &mut deep.execution.events {
        event.calls[1].left_out = if event.thread == 1 { 1 } else { 1200 };
    }
    let page = page(deep);
    for line in [
        "in bump, called from another call that is left out here, called from one (x.rs:20)",
        "in bump, called from 1,200 others that are left out here, called from two (x.rs:20)",
    ] {
        assert!(page.contains(line), "{page}");
    }
}

fn with(change: Option<Change>, is_only: bool) -> String {
    let mut failing = lost();
    let events = [0, 3, 1, 2].map(|event| failing.execution.events[event].clone()).to_vec();
    failing.passing =
        Some(Passing { execution: execution(&["main", "a", "b"], events), first_difference: 1, change, is_only });
    let page = page(failing);
    let why = page.lines().skip_while(|line| !line.starts_with("why: ")).take_while(|line| !line.is_empty());
    why.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn one_change_is_said_in_a_sentence() {
    let change = Change::Order { overtaken: 1, moved: Some(3), moved_to: 1 };
    let sentence =
        "why: had `store x` of thread 'a' (step 4) come before `load x` of thread 'b' (step 2), it would have passed";
    assert_eq!(with(Some(change), true), sentence);
    // What did not come at all has no number.
    let sentence = "why: had `store x` of thread 'a' come before `load x` of thread 'b' (step 2), it would have passed";
    assert_eq!(with(Some(Change::Order { overtaken: 1, moved: None, moved_to: 1 }), true), sentence);
    let sentence = "why: another execution begins with the same step, and passes: in it, `store x` of thread 'a' (step 4) \
                    comes before `load x` of thread 'b' (step 2)";
    assert_eq!(with(Some(change), false), sentence);
    assert_eq!(with(None, false), "why: another execution begins with the same step, and passes");
}

#[test]
fn another_source_is_said_in_a_sentence() {
    let change =
        Change::Source { step: 1, finds: Finds::Reads, instead_of: None, found: Some(3), found_in_passing: Some(1) };
    let sentence = "why: had `load x` of thread 'b' (step 2) read `store x` of thread 'a' (step 4) instead of the initial \
                    value, it would have passed";
    assert_eq!(with(Some(change), true), sentence);
    let sentence = "why: another execution begins with the same step, and passes: in it, `load x` of thread 'b' (step 2) \
                    reads `store x` of thread 'a' (step 4) instead of the initial value";
    assert_eq!(with(Some(change), false), sentence);
    let change =
        Change::Source { step: 3, finds: Finds::Overwrites, instead_of: Some(2), found: None, found_in_passing: None };
    let sentence = "why: had `store x` of thread 'a' (step 4) overwritten the initial value instead of `store x` of thread \
                    'b' (step 3), it would have passed";
    assert_eq!(with(Some(change), true), sentence);
}

#[test]
fn where_executions_come_from() {
    let mut report = passed(Verdict::Verified, Executions { complete: 1_234, ..Executions::default() });
    let pair = |one, other, executions| RacingPlaces { one: at(one), other: at(other), executions };
    report.profile = Some(Profile {
        pairs: vec![pair(10, 11, 1_200), pair(11, 11, 30)],
        others: 3,
        lengths: Lengths { shortest: 4, longest: 16, mean: 12.5 },
        estimates: vec![
            EstimateSoFar { executions: 1, seconds: 0.0, total: 24.4 },
            EstimateSoFar { executions: 1_024, seconds: 1.5, total: 1_234.0 },
        ],
    });
    let text = text::plain(&report);
    let expected = "
profile: where the executions come from
  executions  begun for the
       1,200  order of src/x.rs:10 and src/x.rs:11
          30  order of src/x.rs:11 in two threads
           3  other pairs of lines
  steps in an execution: 4 to 16, 12.5 on average
  executions expected: 24 after 1 (under 0.01 s), 1,234 after 1,024 (1.50 s)
";
    assert!(text.ends_with(expected), "{text}");
}

/// Two accesses, the third and the last step, of threads that take locks and give them back around them.
fn race(locks: [Option<(&str, Mode)>; 2]) -> Bug {
    let mut events = Vec::new();
    let mut accesses = Vec::new();
    for (position, lock) in locks.into_iter().enumerate() {
        let thread = position + 1;
        let mut around = |operation: &str, effect: Effect, object: &str| {
            let mut step = event(thread, operation, object, "", 10, &[]);
            step.effects = vec![effect];
            events.push(step);
        };
        if let Some((object, mode)) = lock {
            around("lock", Effect::Acquires { object: object.to_owned(), mode }, object);
        }
        let operation = ["write", "read"][position];
        let line = 20 + position as u32;
        events.push(event(thread, operation, "x", "1", line, &[]));
        let (operation, object) = (operation.to_owned(), "x".to_owned());
        accesses.push(RacingAccess { thread, operation, object, source: at(line), ..RacingAccess::default() });
        if let (Some((object, _)), 0) = (lock, position) {
            let mut step = event(thread, "unlock", object, "", 10, &[]);
            step.effects = vec![Effect::Releases { object: object.to_owned() }];
            events.push(step);
        }
    }
    let mut bug = bug(BugKind::DataRace, "", execution(&["main", "a", "b"], events));
    bug.accesses = accesses;
    bug
}

fn why(bug: Bug) -> String {
    let page = page(bug);
    let why = page.lines().skip_while(|line| !line.starts_with("why: ")).take_while(|line| !line.is_empty());
    why.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_missing_between_accesses_that_race() {
    let alone = |lock| Some((lock, Mode::Exclusive));
    assert_eq!(
        why(race([alone("m"), alone("n")])),
        "why: thread 'a' holds `m` at its write (step 2), thread 'b' holds `n` at its read (step 5): one lock held at both \
         would order them"
    );
    assert_eq!(
        why(race([alone("m"), None])),
        "why: thread 'a' holds `m` at its write (step 2), thread 'b' holds no lock at its read (step 4): `m` held at both \
         would order them"
    );
    let shared = Some(("l", Mode::Shared));
    assert_eq!(
        why(race([shared, shared])),
        "why: `l` is held at both accesses, but shared: a thread that writes has to hold it exclusively"
    );
    assert!(why(race([None, None])).starts_with("why: neither access is under a lock, and before its read (step 2) "));
}

#[test]
fn a_flag_that_does_not_synchronise_is_named() {
    let mut racy = race([None, None]);
    racy.execution.events.insert(1, event(1, "store", "flag", "1", 30, &[]));
    racy.execution.events.insert(2, event(2, "load", "flag", "1", 31, &[]));
    racy.execution.events[1].ordering = "relaxed".to_owned();
    racy.execution.events[2].reads_from = vec![1];
    assert_eq!(
        why(racy.clone()),
        "why: `load flag` (step 3) reads from `store flag` (step 2, relaxed), but the two do not synchronise: if the \
         write released and the read acquired, the write of thread 'a' would come before the read of thread 'b'"
    );
    // What was written before the access would order nothing after it.
    racy.execution.events.swap(0, 1);
    racy.execution.events[2].reads_from = vec![0];
    assert!(why(racy).starts_with("why: neither access is under a lock"));
}

#[test]
fn a_race_has_what_is_missing_and_what_passes() {
    let mut racy = race([None, None]);
    let events = vec![racy.execution.events[1].clone(), racy.execution.events[0].clone()];
    let change = Some(Change::Order { overtaken: 0, moved: Some(1), moved_to: 0 });
    let passed = execution(&["main", "a", "b"], events);
    racy.passing = Some(Passing { execution: passed, first_difference: 0, change, is_only: true });
    let why = why(racy);
    let had = "in between; had `read x` of thread 'b' (step 2) come before `write x` of thread 'a' (step 1), it would have passed";
    assert!(why.starts_with("why: neither access") && why.ends_with(had), "{why}");
}
