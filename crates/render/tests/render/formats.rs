//! What other tools read, to the letter, and by the rules of their formats.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use everyway_render::{dot, github, sarif};
use everyway_report::{Call, Event, Executions, Report, Verdict};
use serde_json::Value;

use crate::samples::{access, at, bug, deadlock, event, execution, failed, panic, passed};

#[track_caller]
fn assert_text(printed: &str, expected: &str) {
    assert!(printed == expected, "expected:\n\n{expected}\n\nprinted:\n\n{printed}");
}

/// A report with everything that SARIF has a place for.
fn race() -> Report {
    let write = Event {
        calls: vec![Call { function: "queue::push".to_owned(), source: at(8), left_out: 0 }],
        happens_after: Vec::new(),
        ..event(0, "write", "x", "1", 8, &[])
    };
    let events = vec![write, event(1, "read", "x", "1", 12, &[0])];
    let mut bug = bug(everyway_report::BugKind::DataRace, "two accesses", execution(&["main", "a"], events));
    bug.accesses = vec![access(0, "write", "x", 8), access(1, "read", "x", 12)];
    bug.source = at(12);
    bug.executions = 3;
    let mut report = failed(bug, 0, 0);
    report.cut = vec!["stopped after 10 executions".to_owned()];
    report.notes = vec!["100% of it, in one line\nor two".to_owned()];
    report
}

/// Compares with a file beside this one. `EVERYWAY_BLESS=1 cargo test -p everyway-render formats` writes it anew; the
/// difference is to be read.
#[track_caller]
fn assert_file(printed: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/render/expected").join(name);
    if std::env::var_os("EVERYWAY_BLESS").is_some() {
        fs::write(&path, printed).expect("the file is written");
    }
    assert_text(printed, &fs::read_to_string(&path).expect("the file is there"));
}

#[test]
fn sarif_to_the_letter() {
    assert_file(&sarif::render(&deadlock()), "deadlock.sarif");
    assert_file(&sarif::render(&race()), "race.sarif");
}

#[test]
fn annotations_to_the_letter() {
    assert_text(
        &github::render(&race()),
        "::error file=src/x.rs,line=12,col=9,title=data race on x::two accesses%0Awrite of x by thread 'main' at \
         src/x.rs:8%0Aread of x by thread 'a' at src/x.rs:12%0Anothing orders these accesses: they can happen at the \
         same time%0Awhy: neither access is under a lock, and before its read (step 2) thread 'a' waits for nothing that \
         thread 'main' does after its write (step 1): a lock held at both would order them, or a join, a flag or a message \
         in between%0Ato run it again: EVERYWAY_REPLAY=target/everyway/test.json cargo test test\n\
         ::notice file=src/x.rs,line=8,col=9,title=data race on x::write of x by thread 'main'\n\
         ::notice file=src/x.rs,line=12,col=9,title=data race on x::read of x by thread 'a'\n\
         ::warning title=not everything was explored::stopped after 10 executions\n",
    );
    assert_text(
        &github::render(&panic()),
        "::error file=src/x.rs,line=16,col=9,title=thread 'main' panicked at src/x.rs%3A16%3A9::assertion `left == \
         right` failed: an increment is lost%0A  left: 1%0A right: 2%0Atip: fetch_add adds in one step%0Ato run it \
         again: EVERYWAY_REPLAY=target/everyway/test.json cargo test test\n",
    );
    let mut verified = passed(Verdict::Verified, Executions { complete: 12, ..Executions::default() });
    assert_text(&github::render(&verified), "::notice title=verified::verified: 12 executions, none fails (0.01 s)\n");
    verified.verdict = Verdict::Incomplete;
    verified.cut = vec!["it took 100% of the time, and more".to_owned()];
    assert_text(
        &github::render(&verified),
        "::warning title=incomplete::incomplete: no failure in 12 executions, but not everything was explored (0.01 s)%0A  \
         - it took 100%25 of the time, and more\n",
    );
}

/// A program that prints commands of its own.
#[test]
fn annotations_cannot_be_forged() {
    let mut report = panic();
    let bug = report.bug.as_mut().expect("a bug");
    bug.message = "::error file=other.rs::forged\n::set-env name=PATH::/tmp\r::warning::x".to_owned();
    bug.source.as_mut().expect("a place").file = "a,line=1::\nb.rs".to_owned();
    let printed = github::render(&report);
    assert_eq!(printed.lines().count(), 1, "{printed}");
    assert!(printed.starts_with("::error file=a%2Cline=1%3A%3A%0Ab.rs,line=16,"), "{printed}");
}

#[test]
fn graphs_to_the_letter() {
    assert_file(&dot::render(&deadlock()), "deadlock.dot");
    let mut report = race();
    report.bug.as_mut().expect("a bug").execution.events[1].object = "\"quoted\\\"".to_owned();
    assert!(
        dot::render(&report).contains(r#"s2 [label="2: read \"quoted\\\": 1\nsrc/x.rs:12""#),
        "{}",
        dot::render(&report)
    );
    let verified = passed(Verdict::Verified, Executions::default());
    assert_text(&dot::render(&verified), "digraph execution {\n}\n");
}

/// What the standard says of the objects that we write: the properties that they may have, and those that they must.
/// (The sections are those of SARIF 2.1.0.)
const OBJECTS: [(&str, &[&str], &[&str]); 17] = [
    // 3.13
    ("log", &["version", "runs"], &["$schema"]),
    // 3.14
    ("run", &["tool"], &["invocations", "columnKind", "results", "properties"]),
    // 3.18
    ("tool", &["driver"], &[]),
    // 3.19
    ("driver", &["name"], &["version", "rules"]),
    // 3.49
    ("rule", &["id"], &["shortDescription"]),
    // 3.20
    ("invocation", &["executionSuccessful"], &["toolExecutionNotifications"]),
    // 3.58
    ("notification", &["message"], &["level"]),
    // 3.11
    ("message", &["text"], &[]),
    // 3.27
    (
        "result",
        &["message"],
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "locations",
            "relatedLocations",
            "codeFlows",
            "occurrenceCount",
            "properties",
        ],
    ),
    // 3.28
    ("location", &[], &["id", "physicalLocation", "logicalLocations", "message"]),
    // 3.29
    ("physicalLocation", &["artifactLocation"], &["region"]),
    // 3.4
    ("artifactLocation", &["uri"], &[]),
    // 3.30
    ("region", &["startLine"], &["startColumn"]),
    // 3.36
    ("codeFlow", &["threadFlows"], &["message"]),
    // 3.37
    ("threadFlow", &["locations"], &["id", "message"]),
    // 3.38
    ("threadFlowLocation", &[], &["location", "executionOrder", "importance", "kinds", "state", "stack"]),
    // 3.44
    ("stack", &["frames"], &[]),
];

/// Checks that `value` is an object that has what it must and nothing that it may not.
#[track_caller]
fn check(kind: &str, value: &Value) {
    let (_, required, optional) = OBJECTS.iter().find(|(name, ..)| *name == kind).expect("a known kind");
    let names: BTreeSet<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    for name in required.iter() {
        assert!(names.contains(name), "{kind} without {name}: {value}");
    }
    for name in names {
        assert!(required.contains(&name) || optional.contains(&name), "{kind} with {name}: {value}");
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn check_location(location: &Value) {
    check("location", location);
    if let Some(place) = location.get("physicalLocation") {
        check("physicalLocation", place);
        check("artifactLocation", &place["artifactLocation"]);
        let uri = place["artifactLocation"]["uri"].as_str().expect("a reference");
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"<>^`{|}".contains(&byte)), "{uri}");
        check("region", &place["region"]);
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line >= 1));
        assert!(place["region"].get("startColumn").is_none_or(|column| column.as_u64().is_some_and(|c| c >= 1)));
    }
    if let Some(message) = location.get("message") {
        check("message", message);
    }
}

fn check_result(result: &Value, rules: &Value) {
    check("result", result);
    check("message", &result["message"]);
    assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().expect("a level")));
    let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
    assert_eq!(rule["id"], result["ruleId"]);
    list(&result["locations"]).chain(list(&result["relatedLocations"])).for_each(check_location);
    for flow in list(&result["codeFlows"]) {
        check("codeFlow", flow);
        let mut orders = Vec::new();
        for thread in list(&flow["threadFlows"]) {
            check("threadFlow", thread);
            assert!(list(&thread["locations"]).count() > 0, "no flow is empty");
            let mut before = 0;
            for step in list(&thread["locations"]) {
                check("threadFlowLocation", step);
                check_location(&step["location"]);
                let order = step["executionOrder"].as_u64().expect("a number");
                assert!(order > before, "a thread goes on");
                before = order;
                orders.push(order);
                assert!(
                    ["important", "essential", "unimportant"].contains(&step["importance"].as_str().expect("text"))
                );
                if let Some(stack) = step.get("stack") {
                    check("stack", stack);
                    list(&stack["frames"]).for_each(|frame| check_location(&frame["location"]));
                }
            }
        }
        orders.sort_unstable();
        let steps: Vec<u64> = (1..=orders.iter().copied().collect::<BTreeSet<_>>().len() as u64).collect();
        orders.dedup();
        assert_eq!(orders, steps, "all steps are in some flow");
    }
}

#[test]
fn sarif_by_the_rules_of_the_standard() {
    let verified = passed(Verdict::Verified, Executions::default());
    for report in [deadlock(), panic(), race(), verified] {
        let log: Value = serde_json::from_str(&sarif::render(&report)).expect("JSON");
        check("log", &log);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        check("run", run);
        check("tool", &run["tool"]);
        check("driver", &run["tool"]["driver"]);
        list(&run["tool"]["driver"]["rules"]).for_each(|rule| check("rule", rule));
        for invocation in list(&run["invocations"]) {
            check("invocation", invocation);
            list(&invocation["toolExecutionNotifications"]).for_each(|it| check("notification", it));
        }
        assert_eq!(list(&run["results"]).count(), report.bugs().count());
        list(&run["results"]).for_each(|result| check_result(result, &run["tool"]["driver"]["rules"]));
    }
}
