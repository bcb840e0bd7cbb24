//! A report as a page for a browser: one file that needs no other, and no network.
//!
//! The page is static markup, a style and a script, each from its own file here, and the report as data
//! ([`data`]), which the script draws. What comes from the program - its source, names, values and messages - is in the
//! data, and the script only ever makes text of it. The page's policy lets no other script and no other style in: they
//! are named by their digests.

mod data;
mod orders;

use everyway_report::Report;

use crate::sha256::base64_digest;
use crate::text::{self, Style};

/// A file of the program's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFile<'a> {
    /// The file, as the places in the report have it.
    pub name: &'a str,
    /// What is in it.
    pub text: &'a str,
}

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");
/// In the order in which they build upon each other.
const SCRIPTS: [&str; 5] = [
    include_str!("trace.js"),
    include_str!("rows.js"),
    include_str!("lanes.js"),
    include_str!("panels.js"),
    include_str!("page.js"),
];

/// `report` as a page. The source is shown of those of its files that are among `sources`.
pub fn render(report: &Report, sources: &[SourceFile<'_>]) -> String {
    let report = &*report.sound();
    let report = &*report.with_accesses();
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let digest = |content: &str| format!("'sha256-{}'", base64_digest(content.as_bytes()));
    let (script_digest, style_digest) = (digest(&script), digest(STYLE));
    let title = escape(&data::title(report));
    let text = escape(&text::render(report, Style { color: false, width: 120 }));
    let data = data::json(report, sources);
    [
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        &format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {script_digest}; \
             style-src {style_digest}; base-uri 'none'; form-action 'none'\">\n"
        ),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        "<meta name=\"color-scheme\" content=\"light dark\">\n",
        &format!("<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"),
        BODY,
        &format!("<details id=\"text\"><summary>The report as text</summary>\n<pre>{text}</pre></details>\n"),
        &format!("<script type=\"application/json\" id=\"data\">{data}</script>\n"),
        &format!("<script>{script}</script>\n</body>\n</html>\n"),
    ]
    .concat()
}

/// The files that the places in `report` are in, each once: those that [`render`] shows if it is given them.
pub fn files(report: &Report) -> Vec<&str> {
    let mut files = Vec::new();
    for bug in report.bugs() {
        let events = bug.execution.events.iter();
        let calls = events.clone().flat_map(|event| event.calls.iter().map(|call| &call.source));
        let sources = events.map(|event| &event.source).chain(calls).chain(bug.waits.iter().map(|wait| &wait.source));
        for source in sources.chain([&bug.source]).flatten() {
            if !files.contains(&source.file.as_str()) {
                files.push(source.file.as_str());
            }
        }
    }
    files
}

/// `text` between tags.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
