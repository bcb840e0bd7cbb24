//! The page about several bugs: each as it would be shown alone, as many as people read, then the rest by name.

use super::Style;
use super::failure::{counts, join, replay, story};
use super::names::Names;
use super::numbers::count;
use super::paint::Ink;
use everyway_report::{Bug, Report};

/// So many are shown with their executions.
const SHOWN: usize = 10;

/// The page about all bugs of `report`.
pub(super) fn render(report: &Report, style: Style) -> String {
    let number = report.bugs().count();
    let mut sections = Vec::new();
    for (position, bug) in report.bugs().take(SHOWN).enumerate() {
        let title = format!("bug {} of {number}, in {}", position + 1, count(bug.executions, "execution"));
        let title = format!("{}\n", style.paint(Ink::Strong, &format!("==== {title} ====")));
        sections.push(join([title, story(bug, style), replay(bug, style)]));
    }
    let others: String = report.bugs().skip(SHOWN).map(|bug| summary(bug, style)).collect();
    let lead = if others.is_empty() { String::new() } else { format!("besides:\n\n{others}") };
    sections.extend([lead, counts(report, style)]);
    join(sections)
}

/// A bug in two lines: what, and how to see it.
fn summary(bug: &Bug, style: Style) -> String {
    let headline = super::failure::what(bug, &Names::new(&bug.execution), &mut Vec::new());
    let command = bug.replay.as_ref().map(|replay| format!("    {}\n", super::wrap::clean(&replay.command)));
    let error = style.paint(Ink::Error, "error");
    format!("{error}: {headline}, in {}\n{}", count(bug.executions, "execution"), command.unwrap_or_default())
}
