//! A report as people read it.
//!
//! What is found in a report is printed in the order in which it is asked for: what went wrong, why, how it
//! came to that, what to do, and how to see it again. Whether there is a terminal, and how wide it is, the
//! caller knows. Steps are counted from 1, so the event with index 0 is step 1.

mod calls;
mod divergence;
mod execution;
mod failure;
mod fold;
mod grid;
mod layout;
mod messages;
mod names;
mod numbers;
mod paint;
mod profile;
mod several;
mod solver;
mod unordered;
mod waits;
mod why;
mod wrap;

pub(crate) use execution::endings;
pub(crate) use failure::{causes, counts, told};
pub(crate) use names::{Names, line};
pub use numbers::thousands;
pub(crate) use why::sentence as why;
pub(crate) use wrap::{clean, clean_lines, cut_end};

use everyway_report::frontier::GO_ON;
use everyway_report::{Executions, Report, Verdict};
use numbers::{count, duration};
use paint::Ink;
use wrap::paragraph;

/// The narrowest page: below it, tables are as wide as this.
const NARROWEST: usize = 40;

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to use the colours of a terminal.
    pub color: bool,
    /// How many characters fit in a line. Messages of the program and commands are never broken; everything
    /// else is, unless less than 40 are asked for.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 100 }
    }
}

impl Style {
    fn width(self) -> usize {
        self.width.max(NARROWEST)
    }
}

/// The report in a plain style, to be printed: `println!("{}", plain(&report))`.
pub fn plain(report: &Report) -> String {
    render(report, Style::default())
}

/// `report` as people read it: whole lines, the last of which is ended too.
pub fn render(report: &Report, style: Style) -> String {
    let report = &*report.with_accesses();
    failure::join([findings(report, style), profile(report, style)])
}

/// Where executions come from; empty if that was not asked for.
pub(crate) fn profile(report: &Report, style: Style) -> String {
    report.profile.as_ref().map_or(String::new(), |profile| profile::render(profile, style))
}

/// The report but for where executions come from.
fn findings(report: &Report, style: Style) -> String {
    match (&report.bug, report.verdict) {
        (Some(_), _) if !report.further_bugs.is_empty() => several::render(report, style),
        (Some(bug), _) => failure::render(report, bug, style),
        (None, Verdict::Bug) => {
            format!("{}{}\n", style.paint(Ink::Error, "error"), style.paint(Ink::Strong, ": an execution fails"))
        }
        // What was cut is said, whatever the verdict is called.
        (None, Verdict::Verified) if report.cut.is_empty() => verified(report, style),
        (None, Verdict::Verified | Verdict::Incomplete) => incomplete(report, style),
    }
}

fn verified(report: &Report, style: Style) -> String {
    let fails = match report.executions.all() {
        _ if report.solver.is_some() => solver::verified(report),
        1 => "1 execution, which does not fail".to_owned(),
        all => format!("{}, none fails", count(all, "execution")),
    };
    let mut text = format!("{}: {fails} ({})\n", style.paint(Ink::Good, "verified"), effort(report));
    text.push_str(&remarks("assuming", Ink::Warning, &report.assumed, style));
    text.push_str(&remarks("note", Ink::Strong, &report.notes, style));
    text
}

fn incomplete(report: &Report, style: Style) -> String {
    let word = style.paint(Ink::Warning, "incomplete");
    let all = match &report.solver {
        Some(solver) => solver::looked_at(solver),
        None => count(report.executions.all(), "execution"),
    };
    let mut text = format!("{word}: no failure in {all}, but not everything was explored ({})\n", effort(report));
    for cut in &report.cut {
        text.push_str(&paragraph(cut, "  - ", style.width()));
    }
    text.push_str(&remarks("assuming", Ink::Warning, &report.assumed, style));
    text.push_str(&remarks("note", Ink::Strong, &report.notes, style));
    text
}

/// The time, and how many of the executions did not end as programs should, if any did not.
fn effort(report: &Report) -> String {
    let Executions { blocked, redundant, .. } = report.executions;
    let mut text = duration(report.seconds);
    if let Some(solver) = &report.solver {
        text.push_str(&solver::effort(solver));
    }
    for (number, kind) in [(blocked, "blocked"), (redundant, "redundant")] {
        if number > 0 {
            text.push_str(&format!(", {} {kind}", thousands(number)));
        }
    }
    text
}

/// A paragraph for each of `sentences`, led by `word`.
fn remarks(word: &str, ink: Ink, sentences: &[String], style: Style) -> String {
    let lead = format!("{word}: ");
    let painted = style.paint(ink, &lead);
    let remark = |sentence: &String| match sentence.strip_prefix(GO_ON) {
        // A command is copied: it stays in one line.
        Some(command) => {
            format!("{painted}{}\n\n    {}\n", GO_ON.trim_end(), style.paint(Ink::Strong, &clean(command)))
        }
        None => paragraph(sentence, &lead, style.width()).replacen(&lead, &painted, 1),
    };
    sentences.iter().map(remark).collect()
}
