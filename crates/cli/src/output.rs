//! Printing the result, and the exit status of the command.

use crate::arguments::{Format, Output};
use crate::error::Error;
use crate::json;
use crate::view;
use everyway_explore::MemoryModel;
use everyway_render::{dot, github, sarif, terminal, text};
use everyway_report::{Report, Verdict};
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
    let page = match (&result, &output.html) {
        (Ok(Outcome::Report(report) | Outcome::Checked(report, _)), Some(path)) => view::write(report, path),
        _ => Ok(()),
    };
    let (was_printed, status) = match result {
        Ok(Outcome::Text(text)) => (print(text.as_bytes()), 0),
        Ok(Outcome::Ended(status)) => (Ok(()), status),
        Ok(Outcome::Report(report)) => printed(*report, None, output.format),
        Ok(Outcome::Checked(report, about)) => printed(*report, Some(about), output.format),
        Err(error) => {
            complain(&format_args!("{error}"));
            let is_json = output.format == Format::Json;
            let was_printed = if is_json { print_with(|output| json::write_error(&error, output)) } else { Ok(()) };
            (was_printed, COULD_NOT_RUN)
        }
    };
    // What was found is told, whatever becomes of the page.
    let status = page.map_or_else(
        |error| {
            complain(&format_args!("{error}"));
            COULD_NOT_RUN
        },
        |()| status,
    );
    match was_printed {
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

/// Prints to standard output.
pub(crate) fn print(bytes: &[u8]) -> io::Result<()> {
    print_with(|output| output.write_all(bytes))
}

/// Has something printed to standard output. A reader that closes it has read enough.
fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = write(&mut output).and_then(|()| output.flush());
    result.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Prints a report; whether that went well, and the status to end with.
fn printed(report: Report, about: Option<Circumstances>, format: Format) -> (io::Result<()>, u8) {
    let status = status(&report);
    let was_printed = match format {
        Format::Text => print(page(&report).as_bytes()),
        Format::Json => print_with(|output| json::write_report(report, about, output)),
        Format::Sarif => print(sarif::render(&report).as_bytes()),
        Format::Github => print(github::render(&report).as_bytes()),
        Format::Dot => print(dot::render(&report).as_bytes()),
    };
    (was_printed, status)
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

/// Prints a line to the standard error, unless that is closed.
pub(crate) fn complain(line: &dyn std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
