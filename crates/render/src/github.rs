//! A report as workflow commands of GitHub Actions: what a job prints to have notes beside the lines of a change.
//!
//! One error for each bug, with a notice wherever a thread waits or an access races; a warning if not everything was
//! explored. A job shows a few of each kind only, so the bugs come first.

use everyway_report::{Report, Source, Verdict};

use crate::text::{Names, Style, causes, clean, render as text, told, why};

/// The runner breaks lines.
const WIDE: Style = Style { color: false, width: 10_000 };

/// `report` as workflow commands, each a line.
pub fn render(report: &Report) -> String {
    let report = &*report.with_accesses();
    let (mut first, mut then) = (String::new(), String::new());
    for bug in report.bugs() {
        let names = Names::new(&bug.execution);
        let (what, message) = told(bug, &names);
        let mut lines = message;
        lines.extend(causes(bug, &names, WIDE).lines().map(|line| line.trim_start().to_owned()));
        lines.extend(why(bug).map(|why| format!("why: {why}")));
        lines.extend(bug.tips.iter().map(|tip| format!("tip: {}", clean(tip))));
        lines.extend(bug.replay.as_ref().map(|replay| format!("to run it again: {}", clean(&replay.command))));
        let body = if lines.is_empty() { what.clone() } else { lines.join("\n") };
        first.push_str(&command("error", bug.source.as_ref(), &what, &body));
        for wait in &bug.waits {
            let body = format!("{} waits in {}", names.thread(wait.thread), clean(&wait.operation));
            then.push_str(&command("notice", wait.source.as_ref(), &what, &body));
        }
        for access in &bug.accesses {
            let (operation, object) = (clean(&access.operation), clean(&access.object));
            let body = format!("{operation} of {object} by {}", names.thread(access.thread));
            then.push_str(&command("notice", access.source.as_ref(), &what, &body));
        }
    }
    match report.verdict {
        Verdict::Bug => {
            for cut in &report.cut {
                then.push_str(&command("warning", None, "not everything was explored", cut));
            }
        }
        Verdict::Verified => then.push_str(&command("notice", None, "verified", text(report, WIDE).trim_end())),
        Verdict::Incomplete => then.push_str(&command("warning", None, "incomplete", text(report, WIDE).trim_end())),
    }
    first + &then
}

fn command(level: &str, source: Option<&Source>, title: &str, body: &str) -> String {
    let mut properties = Vec::new();
    if let Some(source) = source {
        properties.push(format!("file={}", property(&source.file)));
        properties.push(format!("line={}", source.line));
        properties.extend((source.column > 0).then(|| format!("col={}", source.column)));
    }
    properties.push(format!("title={}", property(title)));
    format!("::{level} {}::{}\n", properties.join(","), data(body))
}

/// What follows the second `::`. Lines are kept; the reader of the command decodes the escapes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
