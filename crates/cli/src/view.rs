//! Pages for the browser: `everyway view`, and `--html` of other commands.

use crate::arguments::{Output, ReplayArguments, ViewArguments};
use crate::error::Error;
use crate::output::Outcome;
use crate::replay;
use everyway_render::html::{self, SourceFile};
use everyway_render::json;
use everyway_report::Report;
use std::fs;
use std::path::Path;

/// Writes the page of a saved execution, which is run again, or of a report.
pub(crate) fn view(arguments: &ViewArguments) -> Result<Outcome, Error> {
    let trace = &arguments.trace;
    let printed = fs::read_to_string(trace).ok().and_then(|text| json::from_str(&text).ok());
    let report = match printed {
        Some(report) => report,
        None => replay::replay(&ReplayArguments { trace: trace.clone(), output: Output::TEXT })?,
    };
    let path = arguments.output.clone().unwrap_or_else(|| trace.with_extension("html"));
    write(&report, &path)?;
    Ok(Outcome::Text(format!("{}\n", path.display())))
}

/// Writes the page of a report, with as much of the source as can be read.
pub(crate) fn write(report: &Report, path: &Path) -> Result<(), Error> {
    let files = html::files(report).into_iter();
    let texts: Vec<(&str, String)> =
        files.filter_map(|name| Some((name, String::from_utf8_lossy(&fs::read(name).ok()?).into_owned()))).collect();
    let sources: Vec<SourceFile<'_>> = texts.iter().map(|(name, text)| SourceFile { name, text }).collect();
    fs::write(path, html::render(report, &sources))
        .map_err(|error| Error::new(format!("the page cannot be written to `{}`: {error}", path.display())))
}
