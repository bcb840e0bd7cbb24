//! A violation as a witness that other verifiers can check, in the YAML format of SV-COMP, version 2.2: `violation_sequence`.
//!
//! An execution is a sequence of segments, each with the point that is passed next: which thread passes it, where, and
//! what an input was. Where threads could go on in any order, the order of the segments is the order. The last segment
//! has the violation; of a data race it has both accesses. What is written is JSON, which is YAML.

use everyway_report::{Bug, BugKind, Event, Report, Source};
use serde_json::{Value, json};

/// What the witness is about, beside the violation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The files, and their SHA-256 in hexadecimal digits.
    pub files: Vec<(String, String)>,
    /// The property, as SV-COMP writes it: `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub specification: String,
    /// The sizes of integers: `ILP32` or `LP64`.
    pub data_model: String,
    /// When the witness was made, as RFC 3339 has it.
    pub created: String,
    /// What the witness is called by.
    pub uuid: String,
}

/// The witness of the first bug, if there is one and it has a place.
pub fn render(report: &Report, task: &Task) -> Option<String> {
    let bug = report.bug.as_ref()?;
    let mut segments: Vec<Value> = Vec::new();
    let mut last = None;
    for (position, event) in bug.execution.events.iter().enumerate() {
        let Some(source) = &event.source else { continue };
        if races(bug, position) {
            continue;
        }
        // What a thread does in one line is passed at once.
        let point = (event.thread, source.file.as_str(), source.line);
        if is_input(event) || last != Some(point) {
            segments.push(segment(vec![passed(event, source)]));
        }
        last = Some(point);
    }
    segments.push(segment(targets(bug)?));
    let names: Vec<&str> = task.files.iter().map(|file| file.0.as_str()).collect();
    let hashes: serde_json::Map<String, Value> =
        task.files.iter().map(|(name, hash)| (name.clone(), json!(hash))).collect();
    let witness = json!([{
        "entry_type": "violation_sequence",
        "metadata": {
            "format_version": "2.2",
            "uuid": task.uuid,
            "creation_time": task.created,
            "producer": {"name": "everyway", "version": env!("CARGO_PKG_VERSION")},
            "task": {
                "input_files": names,
                "input_file_hashes": hashes,
                "specification": task.specification,
                "data_model": task.data_model,
                "language": "C",
            },
        },
        "content": segments,
    }]);
    Some(format!("{witness:#}\n"))
}

fn segment(waypoints: Vec<Value>) -> Value {
    let waypoints: Vec<Value> = waypoints.into_iter().map(|waypoint| json!({"waypoint": waypoint})).collect();
    json!({"segment": waypoints})
}

/// Whether the step at this position is one of the accesses that race: the last one of its thread, where one of them is. They come after
/// all other points, and in no order, which is why they race.
fn races(bug: &Bug, position: usize) -> bool {
    let (event, later) = (&bug.execution.events[position], &bug.execution.events[position + 1..]);
    fn place(source: &Option<Source>) -> Option<(&str, u32)> {
        source.as_ref().map(|source| (source.file.as_str(), source.line))
    }
    let is_at = |source: &Option<Source>| place(source) == place(&event.source);
    bug.kind == BugKind::DataRace
        && later.iter().all(|other| other.thread != event.thread)
        && bug.accesses.iter().any(|access| access.thread == event.thread && is_at(&access.source))
}

fn is_input(event: &Event) -> bool {
    event.operation == "input"
}

/// A point that a thread passes. The column of a place is that of an operation, where the format wants that of a statement;
/// so it is left out.
fn passed(event: &Event, source: &Source) -> Value {
    let mut location = json!({"file_name": source.file, "line": source.line});
    if let Some(call) = event.calls.first() {
        location["function"] = json!(call.function);
    }
    let (kind, constraint) = if is_input(event) {
        let value = format!("\\result == {}", event.value);
        ("function_return", json!({"format": "acsl_expression", "value": value}))
    } else {
        ("assumption", json!({"format": "c_expression", "value": "1"}))
    };
    json!({
        "type": kind,
        "action": "follow",
        "location": location,
        "constraint": constraint,
        "thread_id": event.thread,
    })
}

/// Where the violation is.
fn targets(bug: &Bug) -> Option<Vec<Value>> {
    let target = |source: &Source, thread: Option<usize>| {
        let mut location = json!({"file_name": source.file, "line": source.line});
        if source.column > 0 {
            location["column"] = json!(source.column);
        }
        let mut waypoint = json!({"type": "target", "action": "follow", "location": location});
        if let Some(thread) = thread {
            waypoint["thread_id"] = json!(thread);
        }
        waypoint
    };
    if bug.kind == BugKind::DataRace {
        let places = bug.accesses.iter().map(|access| Some(target(access.source.as_ref()?, Some(access.thread))));
        return places.collect();
    }
    Some(vec![target(bug.source.as_ref()?, bug.thread)])
}
