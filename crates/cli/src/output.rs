//! Printing the result, and the exit status of the command.

use crate::arguments::{Format, Output};
use crate::error::Error;
use crate::view;
use everyway_explore::MemoryModel;
use everyway_render::{dot, github, sarif, terminal, text};
use everyway_report::{Bug, Event, Report, Source, Verdict};
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// The status of a command that could not run.
const COULD_NOT_RUN: u8 = 2;
/// The status of a check that stopped before its end.
pub(crate) const STOPPED: u8 = 3;

/// What a command comes to.
pub(crate) enum Outcome {
    /// Something that has a report.
    Report(Box<Report>),
    /// An exploration.
    Checked(Box<Report>, Circumstances),
    /// A program that ended by itself, with this status.
    Ended(u8),
    /// Something to print.
    Text(String),
}

/// What an exploration was about, beside its report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circumstances {
    pub(crate) model: MemoryModel,
    /// The part of the property that is violated, if one was asked for.
    pub(crate) violated: Option<&'static str>,
}

impl From<Report> for Outcome {
    fn from(report: Report) -> Self {
        Self::Report(Box::new(report))
    }
}

/// Prints what a command came to.
pub(crate) fn finish(result: Result<Outcome, Error>, output: &Output) -> ExitCode {
    let result = result.and_then(|outcome| match (&outcome, &output.html) {
        (Outcome::Report(report) | Outcome::Checked(report, _), Some(path)) => {
            view::write(report, path).map(|()| outcome)
        }
        _ => Ok(outcome),
    });
    let (text, status) = match result {
        Ok(Outcome::Text(text)) => (text, 0),
        Ok(Outcome::Ended(status)) => (String::new(), status),
        Ok(Outcome::Report(report)) => (rendered(&report, None, output.format), status(&report)),
        Ok(Outcome::Checked(report, about)) => (rendered(&report, Some(about), output.format), status(&report)),
        Err(error) => {
            complain(&format_args!("{error}"));
            let text = if output.format == Format::Json { lines(&error_as_json(&error)) } else { String::new() };
            (text, COULD_NOT_RUN)
        }
    };
    match print(text.as_bytes()) {
        Ok(()) => ExitCode::from(status),
        Err(error) => {
            complain(&format_args!("error: the result could not be printed: {error}"));
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// Prints what the program has printed.
pub(crate) fn print_output(output: &[u8], errors: &[u8]) -> Result<(), Error> {
    let printed = print(output).and_then(|()| io::stderr().write_all(errors));
    printed.map_err(|error| Error::new(format!("the output cannot be printed: {error}")))
}

/// Prints to standard output. A reader that closes it has read enough.
pub(crate) fn print(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let result = output.write_all(bytes).and_then(|()| output.flush());
    result.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

fn rendered(report: &Report, about: Option<Circumstances>, format: Format) -> String {
    match format {
        Format::Text => page(report),
        Format::Json => lines(&report_as_json(report, about)),
        Format::Sarif => sarif::render(report),
        Format::Github => github::render(report),
        Format::Dot => dot::render(report),
    }
}

/// A report as people read it.
pub(crate) fn page(report: &Report) -> String {
    text::render(report, terminal::style(io::stdout().is_terminal()))
}

fn status(report: &Report) -> u8 {
    match report.verdict {
        Verdict::Verified => 0,
        Verdict::Bug => 1,
        Verdict::Incomplete => STOPPED,
    }
}

fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

/// The fields of a report, and those that the command promises besides: see `README.md`.
fn report_as_json(report: &Report, about: Option<Circumstances>) -> Value {
    let mut value = json!(report);
    if let Some(Circumstances { model, violated }) = about {
        value["memory_model"] = json!(model.name());
        if let Some(violated) = violated {
            value["violated"] = json!(violated);
        }
    }
    value["algorithm"] = json!(report.strategy);
    value["bug"] = report.bug.as_ref().map(bug_as_json).into();
    value["bugs"] = report.bugs().map(bug_as_json).collect();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("further_bugs");
    }
    value
}

fn bug_as_json(bug: &Bug) -> Value {
    let mut value = json!(bug);
    value["file"] = json!(bug.source.as_ref().map(|source| &source.file));
    value["line"] = json!(bug.source.as_ref().map(|source| source.line));
    value["trace"] = bug.execution.events.iter().map(|event| step_as_json(bug, event)).collect();
    value
}

fn step_as_json(bug: &Bug, event: &Event) -> Value {
    json!({
        "thread": bug.execution.threads.get(event.thread).map(|thread| &thread.name),
        "operation": event.operation,
        "object": event.object,
        "value": event.value,
        "file": event.source.as_ref().map(|source| &source.file),
        "line": event.source.as_ref().map(|source| source.line),
    })
}

fn error_as_json(error: &Error) -> Value {
    let Source { file, line, .. } = match error.source.clone() {
        Some(source) => source,
        None => return json!({"verdict": "error", "error": {"message": error.message, "file": null, "line": null}}),
    };
    json!({"verdict": "error", "error": {"message": error.message, "file": file, "line": line}})
}

/// Prints a line to the standard error, unless that is closed.
pub(crate) fn complain(line: &dyn std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
