//! What `--format json` prints: the fields of a report, and those that the command promises besides (see `README.md`).
//!
//! Steps are written one by one: an execution can have a hundred thousand, and as values in memory they would take a hundred
//! times what the report does.

use crate::error::Error;
use crate::output::Circumstances;
use everyway_report::{Bug, Event, Execution, Report, Source};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes a report, with what it is `about`.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_report(mut report: Report, about: Option<Circumstances>, output: &mut dyn Write) -> io::Result<()> {
    let bugs: Vec<Bug> = report.bug.take().into_iter().chain(std::mem::take(&mut report.further_bugs)).collect();
    let mut fields = match json!(report) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    fields.remove("bug");
    fields.insert("algorithm".to_owned(), json!(report.strategy));
    if let Some(Circumstances { model, violated }) = about {
        fields.insert("memory_model".to_owned(), json!(model.name()));
        if let Some(violated) = violated {
            fields.insert("violated".to_owned(), json!(violated));
        }
    }
    write(&Printed { fields, bugs: bugs.iter().map(PrintedBug::new).collect() }, output)
}

/// Writes why the command could not run.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_error(error: &Error, output: &mut dyn Write) -> io::Result<()> {
    let Place { file, line } = Place::of(error.source.as_ref());
    write(&json!({"verdict": "error", "error": {"message": error.message, "file": file, "line": line}}), output)
}

fn write(value: &impl Serialize, mut output: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut output, value)?;
    output.write_all(b"\n")
}

/// A report: its bugs, and what else there is.
struct Printed<'a> {
    fields: Map<String, Value>,
    bugs: Vec<PrintedBug<'a>>,
}

impl Serialize for Printed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.fields.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.serialize_entry("bug", &self.bugs.first())?;
        map.serialize_entry("bugs", &self.bugs)?;
        map.end()
    }
}

#[derive(serde::Serialize)]
struct PrintedBug<'a> {
    #[serde(flatten)]
    bug: &'a Bug,
    #[serde(flatten)]
    place: Place<'a>,
    trace: Steps<'a>,
}

impl<'a> PrintedBug<'a> {
    fn new(bug: &'a Bug) -> Self {
        Self { bug, place: Place::of(bug.source.as_ref()), trace: Steps(bug) }
    }
}

/// Where something is, `null` where that is not known.
#[derive(serde::Serialize)]
struct Place<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
}

impl<'a> Place<'a> {
    fn of(source: Option<&'a Source>) -> Self {
        Self { file: source.map(|source| source.file.as_str()), line: source.map(|source| source.line) }
    }
}

/// The steps of the execution that shows a bug.
struct Steps<'a>(&'a Bug);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let execution = &self.0.execution;
        serializer.collect_seq(execution.events.iter().map(|event| Step::new(execution, event)))
    }
}

#[derive(serde::Serialize)]
struct Step<'a> {
    thread: Option<&'a str>,
    operation: &'a str,
    object: &'a str,
    value: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

impl<'a> Step<'a> {
    fn new(execution: &'a Execution, event: &'a Event) -> Self {
        Self {
            thread: execution.threads.get(event.thread).map(|thread| thread.name.as_str()),
            operation: &event.operation,
            object: &event.object,
            value: &event.value,
            place: Place::of(event.source.as_ref()),
        }
    }
}
