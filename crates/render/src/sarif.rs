//! A report in the Static Analysis Results Interchange Format, SARIF 2.1.0 (OASIS), which code scanning services and
//! editors read.
//!
//! Each bug is a result. Its execution is a code flow with a thread flow for each thread, whose locations are numbered by
//! the order of the execution (sections 3.36 to 3.38). What was left out of a check and what its notes say are
//! notifications of the invocation.

use everyway_report::{Bug, Effect, Event, Relevance, Report, Source};
use serde_json::{Map, Value, json};

use crate::picture::Picture;
use crate::text::{Names, Style, causes, clean, endings, told, why};

/// How many steps of an execution are told, those at its end: tools that read them take no more.
const MOST_STEPS: usize = 10_000;

/// Where the format is defined.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The viewer breaks lines.
const WIDE: Style = Style { color: false, width: 10_000 };

/// `report` as a SARIF log with one run.
pub fn render(report: &Report) -> String {
    let report = &*report.sound();
    let report = &*report.with_accesses();
    let mut rules: Vec<String> = Vec::new();
    let mut descriptions = Vec::new();
    let mut results = Vec::new();
    for bug in report.bugs() {
        let rule = json!(bug.kind).as_str().unwrap_or_default().to_owned();
        let index = rules.iter().position(|known| *known == rule).unwrap_or_else(|| {
            descriptions.push(json!({"id": rule, "shortDescription": {"text": format!("{}.", bug.kind)}}));
            rules.push(rule.clone());
            rules.len() - 1
        });
        results.push(result(bug, &rule, index));
    }
    let cut = report.cut.iter().map(|text| notification("warning", text));
    let assumed = report.assumed.iter().map(|what| format!("assuming {what}"));
    let notes = assumed.chain(report.notes.iter().cloned()).map(|text| notification("note", &text));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "everyway", "version": env!("CARGO_PKG_VERSION"), "rules": descriptions}},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": cut.chain(notes).collect::<Vec<_>>(),
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "verdict": report.verdict,
                "strategy": report.strategy,
                "executions": report.executions,
                "seconds": report.seconds,
            },
        }],
    });
    format!("{log:#}\n")
}

fn notification(level: &str, text: &str) -> Value {
    json!({"level": level, "message": {"text": text}})
}

fn result(bug: &Bug, rule: &str, index: usize) -> Value {
    let names = Names::new(&bug.execution);
    let (what, message) = told(bug, &names);
    let mut text = vec![what];
    text.extend(message);
    text.extend(causes(bug, &names, WIDE).lines().map(|line| line.trim_start().to_owned()));
    text.extend(why(bug).map(|why| format!("why: {why}")));
    let mut result = json!({
        "ruleId": rule,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": text.join("\n")},
        "occurrenceCount": bug.executions.max(1),
    });
    if let Some(source) = &bug.source {
        result["locations"] = json!([{"physicalLocation": place(source)}]);
    }
    let related = related(bug, &names);
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    let flows = thread_flows(bug, &names);
    if !flows.is_empty() {
        let message = match omitted(bug) {
            0 => "An execution that fails.".to_owned(),
            omitted => format!("An execution that fails, without its first {omitted} steps."),
        };
        result["codeFlows"] = json!([{"message": {"text": message}, "threadFlows": flows}]);
    }
    if let Some(replay) = &bug.replay {
        result["properties"] = json!({"replay": {"file": replay.file, "command": replay.command}});
    }
    result
}

/// Where threads wait, and where accesses race.
fn related(bug: &Bug, names: &Names) -> Vec<Value> {
    let waits = bug.waits.iter().map(|wait| {
        let text = format!("{} waits in {}", names.thread(wait.thread), clean(&wait.operation));
        (wait.source.as_ref(), text)
    });
    let accesses = bug.accesses.iter().map(|access| {
        let (operation, object) = (clean(&access.operation), clean(&access.object));
        (access.source.as_ref(), format!("{operation} of {object} by {}", names.thread(access.thread)))
    });
    let located = waits.chain(accesses).filter_map(|(source, text)| Some((source?, text)));
    let location = |(id, (source, text)): (usize, (&Source, String))| json!({"id": id, "physicalLocation": place(source), "message": {"text": text}});
    located.enumerate().map(location).collect()
}

/// How many steps are left out, from the beginning.
fn omitted(bug: &Bug) -> usize {
    bug.execution.events.len().saturating_sub(MOST_STEPS)
}

/// A flow for each thread that does something.
fn thread_flows(bug: &Bug, names: &Names) -> Vec<Value> {
    let execution = &bug.execution;
    let picture = Picture::of_bug(bug);
    let endings = endings(bug);
    let relevance = bug.relevance();
    let count = execution.threads.len();
    let mut flows: Vec<Vec<Value>> = vec![Vec::new(); count];
    for (index, event) in execution.events.iter().enumerate().skip(omitted(bug)) {
        let fails = endings.is_empty() && index + 1 == execution.events.len();
        let importance = match relevance[index] {
            _ if fails => "essential",
            Relevance::Relevant => "important",
            Relevance::Private | Relevance::Unrelated => "unimportant",
        };
        let mut step = location(&event.to_string(), event.source.as_ref(), index + 1, importance);
        describe(&mut step, event, &picture.effects[index], fails);
        flows[event.thread].push(step);
    }
    for (thread, pieces, source) in &endings {
        let mut step = location(&pieces.join(" "), *source, execution.events.len() + 1, "essential");
        step["kinds"] = json!(["danger"]);
        if let Some(flow) = flows.get_mut(*thread) {
            flow.push(step);
        }
    }
    let flow = |(thread, locations): (usize, Vec<Value>)| {
        let name = names.name(thread);
        json!({"id": name, "message": {"text": names.thread(thread)}, "locations": locations})
    };
    flows.into_iter().enumerate().filter(|(_, locations)| !locations.is_empty()).map(flow).collect()
}

/// A location of a thread flow.
fn location(text: &str, source: Option<&Source>, order: usize, importance: &str) -> Value {
    let mut location = json!({"message": {"text": clean(text)}});
    if let Some(source) = source {
        location["physicalLocation"] = place(source);
    }
    json!({"location": location, "executionOrder": order, "importance": importance})
}

/// Adds what an event is about: the kinds that section 3.38.8 suggests, the values, the calls.
fn describe(step: &mut Value, event: &Event, effects: &[Effect], fails: bool) {
    let mut kinds: Vec<&str> = Vec::new();
    let mut state = Map::new();
    for effect in effects {
        match effect {
            Effect::Acquires { .. } => kinds.extend(["acquire", "lock"]),
            Effect::Releases { .. } => kinds.extend(["release", "lock"]),
            Effect::Reads { object, value } | Effect::Writes { object, value } => {
                kinds.push("memory");
                state.insert(clean(object), json!({"text": clean(value)}));
            }
            _ => {}
        }
    }
    if fails {
        kinds.push("danger");
    }
    kinds.dedup();
    if !kinds.is_empty() {
        step["kinds"] = json!(kinds);
    }
    if !state.is_empty() {
        step["state"] = Value::Object(state);
    }
    if !event.calls.is_empty() {
        let frames = event.calls.iter().map(|call| {
            let mut location = json!({"logicalLocations": [{"fullyQualifiedName": call.function}]});
            if let Some(source) = &call.source {
                location["physicalLocation"] = place(source);
            }
            json!({"location": location})
        });
        step["stack"] = json!({"frames": frames.collect::<Vec<_>>()});
    }
}

fn place(source: &Source) -> Value {
    let mut region = json!({"startLine": source.line.max(1)});
    if source.column > 0 {
        region["startColumn"] = json!(source.column);
    }
    json!({"artifactLocation": {"uri": uri(&source.file)}, "region": region})
}

/// A path as a reference to a file (RFC 3986, RFC 8089): relative ones stay so.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    let lead = match () {
        () if path.starts_with("//") => "file:",
        () if path.starts_with('/') => "file://",
        () if has_drive => "file:///",
        () => "",
    };
    let mut uri = lead.to_owned();
    for byte in path.bytes() {
        let is_plain =
            byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) || (has_drive && byte == b':');
        if is_plain { uri.push(char::from(byte)) } else { uri.push_str(&format!("%{byte:02X}")) }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("src/a queue.rs"), "src/a%20queue.rs");
        assert_eq!(uri("/home/me/x#1.c"), "file:///home/me/x%231.c");
        assert_eq!(uri("C:\\src\\x.rs"), "file:///C:/src/x.rs");
        assert_eq!(uri("src/a:b/\u{e9}.c"), "src/a%3Ab/%C3%A9.c");
    }
}
