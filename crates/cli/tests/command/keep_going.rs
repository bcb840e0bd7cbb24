//! Explorations that go on after a failure.

use crate::support::{Folder, Ran, has_clang, program};
use serde_json::Value;
use std::collections::BTreeSet;

/// The programs of these tests, with the flags that they need.
const PROGRAMS: [(&str, &[&str]); 5] = [
    ("keep_going.c", &[]),
    ("keep_going_memory.c", &[]),
    ("keep_going_misuse.c", &[]),
    ("keep_going_newborn.c", &[]),
    ("keep_going_races.c", &["--races"]),
];

fn check(folder: &Folder, name: &str, flags: &[&str], more: &[&str]) -> Ran {
    let path = program(name);
    let arguments = ["check", path.as_str(), "--keep-going", "--save=trace.json"];
    folder.run(arguments.iter().chain(flags).chain(more)).ended_with(1)
}

/// What bugs there are: kinds, and lines of those that have one, which a data race has two of.
fn set(ran: &Ran) -> BTreeSet<String> {
    let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let bugs = result["bugs"].as_array().expect("a list");
    let name = |bug: &Value| {
        let accesses = bug["accesses"].as_array().expect("a list").iter().map(|access| &access["source"]["line"]);
        let mut lines: Vec<u64> = accesses.chain([&bug["line"]]).filter_map(Value::as_u64).collect();
        lines.sort_unstable();
        lines.dedup();
        format!("{} {lines:?}", bug["kind"])
    };
    let set: BTreeSet<String> = bugs.iter().map(name).collect();
    assert_eq!(set.len(), bugs.len(), "a bug is shown twice: {set:?}");
    set
}

#[test]
fn every_strategy_finds_the_same_bugs() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    for (name, flags) in PROGRAMS {
        let optimal = set(&check(&folder, name, flags, &["--format=json"]));
        assert!(optimal.len() > 1, "{name}: {optimal:?}");
        let others: [&[&str]; 6] = [
            &["--first=highest"],
            &["--first=random", "--seed=7"],
            &["--algorithm=source"],
            &["--algorithm=classic"],
            &["--algorithm=naive"],
            &["--algorithm=random", "--max-executions=2000"],
        ];
        for more in others {
            let found = set(&check(&folder, name, flags, &[more, &["--format=json"]].concat()));
            assert_eq!(found, optimal, "{name} {more:?}");
        }
    }
}

#[test]
fn every_bug_is_replayed_from_its_file() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    for (name, flags) in PROGRAMS {
        let ran = check(&folder, name, flags, &["--format=json"]);
        let result: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        for (position, bug) in result["bugs"].as_array().expect("a list").iter().enumerate() {
            let file = if position == 0 { "trace.json".to_owned() } else { format!("trace-{}.json", position + 1) };
            assert_eq!(bug["replay"]["file"], file.as_str());
            let again = folder.run(["replay", "--format=json", &file]).ended_with(1);
            let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
            assert_eq!(again["notes"], serde_json::json!([]), "{name} {file}");
            for field in ["kind", "message", "file", "line", "trace"] {
                assert_eq!(again["bug"][field], bug[field], "{name} {file}");
            }
        }
    }
}

#[test]
fn each_is_shown_with_how_often_it_was_seen() {
    if !has_clang() {
        return;
    }
    let ran = check(&Folder::new(), "keep_going.c", &[], &[]);
    ran.says(&[
        "bug 1 of 2, in 2 executions",
        "bug 2 of 2, in 2 executions",
        "everyway replay trace.json",
        "everyway replay trace-2.json",
        "3 executions explored: 0 complete, 0 blocked, 0 redundant, 3 failed",
    ]);
}

#[test]
fn what_cannot_be_explored_does_not_hide_what_was_found() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\nvoid missing(void);\n\
                static void *other(void *unused) {\n    assert(x == 1);\n    missing();\n    return 0;\n}\n\
                int main(void) {\n    pthread_t thread;\n    pthread_create(&thread, 0, other, 0);\n    x = 1;\n}\n";
    folder.write("both.c", text);
    let first = "--first=highest";
    folder.run(["check", "both.c", "--keep-going", first]).ended_with(1).says(&[
        "assertion failure",
        "the exploration ended at both.c:8:5",
        "missing",
    ]);
    folder.run(["check", "both.c", "--keep-going", "--first=lowest"]).ended_with(2).complains(&["missing", "both.c:8"]);
}
