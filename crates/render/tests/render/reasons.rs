//! The calls that steps are in, what separates a failure from what passes, and where executions come from.

use everyway_render::text::{self, plain};
use everyway_report::{
    Bug, BugKind, Call, Change, EstimateSoFar, Executions, Finds, Lengths, Passing, Profile, RacingPlaces, Verdict,
};

use crate::samples::{at, bug, event, execution, failed, passed};

fn call(function: &str, line: u32) -> Call {
    Call { function: function.to_owned(), source: at(line) }
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
