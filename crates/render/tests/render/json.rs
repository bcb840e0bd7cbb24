//! The names of the fields are an interface.

use everyway_render::json;
use everyway_report::{
    BugKind, Call, Change, Divergence, EstimateSoFar, Executions, Lengths, Passing, Profile, RacingPlaces, Report,
    Verdict,
};
use serde_json::{Value, json};

use crate::samples::{access, at, bug, deadlock, event, execution, failed, panic, passed, unreceived};

/// A report in which nothing is empty.
fn full() -> Report {
    let mut event = event(0, "fetch_add", "AtomicU32 #2", "1 -> 2", 12, &[0]);
    event.happens_after = vec![0];
    let mut bug = bug(BugKind::DataRace, "two accesses", execution(&["main"], vec![event.clone()]));
    bug.source = at(12);
    bug.thread = Some(0);
    bug.waits = deadlock().bug.map(|bug| bug.waits[1..2].to_vec()).unwrap_or_default();
    bug.unreceived = vec![unreceived("Release(1)", 0, "'server'", 14)];
    bug.accesses = vec![access(0, "write", "x", 9)];
    bug.tips = vec!["use a lock".to_owned()];
    bug.calls = vec![Call { function: "add".to_owned(), source: at(12), left_out: 0 }];
    bug.passing = Some(Passing {
        execution: execution(&["main"], Vec::new()),
        first_difference: 1,
        change: Some(Change::Order { overtaken: 1, moved: Some(2), moved_to: 1 }),
        is_only: true,
    });
    bug.divergence = Some(Divergence { before: execution(&["main"], Vec::new()), first_difference: 0 });
    let mut report = failed(bug, 10, 1);
    report.seconds = 0.25;
    report.profile = Some(Profile {
        pairs: vec![RacingPlaces { one: at(3), other: None, executions: 7 }],
        others: 2,
        lengths: Lengths { shortest: 4, longest: 6, mean: 5.5 },
        estimates: vec![EstimateSoFar { executions: 1, seconds: 0.5, total: 12.0 }],
    });
    report.cut = vec!["the time was up".to_owned()];
    report.notes = vec!["sequentially consistent".to_owned()];
    report
}

fn value(report: &Report) -> Value {
    serde_json::to_value(report).expect("a report is JSON")
}

#[test]
fn every_field_has_its_name() {
    let source = |line: u32| json!({"file": "src/x.rs", "line": line, "column": 9});
    let expected = json!({
        "assumed": [],
        "verdict": "bug",
        "strategy": "optimal",
        "executions": {"complete": 10, "blocked": 1, "redundant": 0, "failed": 1},
        "seconds": 0.25,
        "cut": ["the time was up"],
        "notes": ["sequentially consistent"],
        "bug": {
            "kind": "data-race",
            "message": "two accesses",
            "source": source(12),
            "calls": [{"function": "add", "source": source(12)}],
            "thread": 0,
            "execution": {
                "threads": [{"name": "main"}],
                "events": [{
                    "thread": 0,
                    "operation": "fetch_add",
                    "object": "AtomicU32 #2",
                    "value": "1 -> 2",
                    "source": source(12),
                    "happens_after": [0],
                    "reads_from": [0],
                    "effects": [
                        {"effect": "reads", "object": "AtomicU32 #2", "value": "1"},
                        {"effect": "writes", "object": "AtomicU32 #2", "value": "2"},
                    ],
                }],
            },
            "waits": [{
                "thread": 1,
                "operation": "lock Mutex #2",
                "source": source(10),
                "waits_for": 2,
                "because": "held since src/x.rs:22",
            }],
            "unreceived": [{
                "message": "Release(1)",
                "sender": 0,
                "receiver": "'server'",
                "source": source(14),
            }],
            "accesses": [{"thread": 0, "operation": "write", "object": "x", "source": source(9)}],
            "tips": ["use a lock"],
            "divergence": {"before": {"threads": [{"name": "main"}], "events": []}, "first_difference": 0},
            "passing": {
                "execution": {"threads": [{"name": "main"}], "events": []},
                "first_difference": 1,
                "change": {"overtaken": 1, "moved": 2, "moved_to": 1},
                "is_only": true,
            },
            "replay": {
                "file": "target/everyway/test.json",
                "command": "EVERYWAY_REPLAY=target/everyway/test.json cargo test test",
            },
            "executions": 1,
        },
        "profile": {
            "pairs": [{"one": source(3), "other": null, "executions": 7}],
            "others": 2,
            "lengths": {"shortest": 4, "longest": 6, "mean": 5.5},
            "estimates": [{"executions": 1, "seconds": 0.5, "total": 12.0}],
        },
    });
    assert_eq!(value(&full()), expected);
}

#[test]
fn verdicts_and_kinds_have_their_names() {
    let verdicts = [Verdict::Verified, Verdict::Bug, Verdict::Incomplete];
    assert_eq!(json!(verdicts), json!(["verified", "bug", "incomplete"]));
    let kinds = [
        BugKind::Panic,
        BugKind::Deadlock,
        BugKind::Livelock,
        BugKind::DataRace,
        BugKind::Misuse,
        BugKind::Nondeterminism,
        BugKind::StepLimit,
    ];
    let names = ["panic", "deadlock", "livelock", "data-race", "misuse", "nondeterminism", "step-limit"];
    assert_eq!(json!(kinds), json!(names));
}

#[test]
fn what_is_not_known_is_null() {
    let report = value(&passed(Verdict::Verified, Executions::default()));
    assert_eq!(report["bug"], Value::Null);
    assert_eq!(report["cut"], json!([]));
    assert_eq!(value(&deadlock())["bug"]["thread"], Value::Null);
}

#[test]
fn further_bugs_are_there_if_there_are_any() {
    let mut report = panic();
    assert!(value(&report).get("further_bugs").is_none());
    report.further_bugs = deadlock().bug.into_iter().collect();
    assert_eq!(value(&report)["further_bugs"], json!([value(&deadlock())["bug"]]));
    assert_eq!(json::from_str(&value(&report).to_string()).expect("it was one"), report);
}

#[test]
fn a_report_survives_the_journey() {
    for report in [full(), panic(), deadlock(), passed(Verdict::Incomplete, Executions::default())] {
        let text = json::to_string(&report).expect("a report is JSON");
        assert_eq!(json::from_str(&text).expect("it was one"), report);
    }
}

#[test]
fn fields_of_later_versions_are_ignored() {
    let mut report = value(&panic());
    report["invented"] = json!("later");
    assert_eq!(json::from_str(&report.to_string()).expect("still a report"), panic());
}

#[test]
fn what_is_no_report_is_refused() {
    let error = json::from_str("{\"verdict\": \"maybe\"}").expect_err("no such verdict");
    assert!(error.to_string().contains("unknown variant `maybe`"), "{error}");
}
