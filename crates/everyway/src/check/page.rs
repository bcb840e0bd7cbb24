//! The page that shows a failing execution in a browser. It is written beside the replay file, and a note says so.

use everyway_render::html::{self, SourceFile};
use everyway_report::Report;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The report, with a note on where its page is, and that page; as it is if nothing was saved.
pub(super) fn with_page(mut report: Report) -> (Report, Option<String>) {
    let mut page = None;
    let replay = report.bug.as_ref().and_then(|bug| bug.replay.as_ref());
    if let Some(path) = replay.map(|replay| Path::new(&replay.file).with_extension("html")) {
        let shown = path.display();
        report.notes.push(match write(&report, &path) {
            Ok(()) => {
                page = Some(shown.to_string());
                format!("to see the execution in a browser, open {shown}")
            }
            Err(error) => format!("the page {shown} could not be written: {error}"),
        });
    }
    (report, page)
}

fn write(report: &Report, path: &Path) -> io::Result<()> {
    let files = html::files(report).into_iter();
    let texts: Vec<(&str, String)> = files.filter_map(|name| Some((name, read(name)?))).collect();
    let sources: Vec<SourceFile<'_>> = texts.iter().map(|(name, text)| SourceFile { name, text }).collect();
    fs::write(path, html::render(report, &sources))
}

/// What is in a file of the program's source. The compiler names it from the folder of the workspace; a test runs in the
/// folder of its package, which is below.
fn read(name: &str) -> Option<String> {
    let here = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    here.ancestors().find_map(|folder| fs::read_to_string(folder.join(name)).ok())
}
