//! The page about several bugs.

use everyway_render::text::{Style, render};
use everyway_report::{BugKind, Report};

use crate::assert_page;
use crate::samples::{at, bug, event, execution, failed};

/// The report of so many assertions, each in a line of its own.
fn assertions(number: u32) -> Report {
    let assertion = |line: u32| {
        let events = vec![event(0, "load", "x", "0", line, &[])];
        let mut bug = bug(BugKind::Assertion, "assertion failed: x == 1", execution(&["main"], events));
        bug.source = at(line);
        bug.thread = Some(0);
        bug.executions = u64::from(line) + 1;
        if let Some(replay) = &mut bug.replay {
            replay.command = format!("everyway replay x-{line}.json");
        }
        bug
    };
    let mut report = failed(assertion(0), 7, 1);
    report.executions.failed = 20;
    report.further_bugs = (1..number).map(assertion).collect();
    report
}

#[test]
fn each_is_shown_as_if_it_were_alone() {
    assert_page(
        &assertions(2),
        100,
        r"
==== bug 1 of 2, in 1 execution ====

error: assertion failure in thread 'main' at src/x.rs:0:9
  assertion failed: x == 1

execution: 1 step

  step | main      | where
  -----+-----------+-----------
>    1 | load x: 0 | src/x.rs:0

to run this execution again:

    everyway replay x-0.json

==== bug 2 of 2, in 2 executions ====

error: assertion failure in thread 'main' at src/x.rs:1:9
  assertion failed: x == 1

execution: 1 step

  step | main      | where
  -----+-----------+-----------
>    1 | load x: 0 | src/x.rs:1

to run this execution again:

    everyway replay x-1.json

28 executions explored: 7 complete, 1 blocked, 0 redundant, 20 failed (0.03 s, strategy optimal)
",
    );
}

#[test]
fn many_are_listed() {
    let page = render(&assertions(12), Style::default());
    assert_eq!(page.matches("execution: 1 step").count(), 10);
    let rest = page.split("besides:").nth(1).expect("two are left");
    let expected = "

error: assertion failure in thread 'main' at src/x.rs:10:9, in 11 executions
    everyway replay x-10.json
error: assertion failure in thread 'main' at src/x.rs:11:9, in 12 executions
    everyway replay x-11.json

28 executions explored";
    assert!(rest.starts_with(expected), "{rest}");
}
