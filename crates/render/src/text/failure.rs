//! The page about a bug, from the headline to the command that shows it again; and its parts, for several.

use super::names::{Names, line};
use super::numbers::{count, duration, thousands};
use super::paint::Ink;
use super::wrap::{clean, clean_lines, fill};
use super::{Style, calls, divergence, execution, messages, remarks, solver, waits, why};
use everyway_report::{Bug, BugKind, Executions, RacingAccess, Report};

/// The page about `bug`, the only one of `report`.
pub(super) fn render(report: &Report, bug: &Bug, style: Style) -> String {
    join([story(bug, style), counts(report, style), replay(bug, style)])
}

/// What went wrong, why, how it came to that, and what to do.
pub(super) fn story(bug: &Bug, style: Style) -> String {
    let names = Names::new(&bug.execution);
    let shown = match &bug.divergence {
        Some(divergence) => divergence::render(divergence, &bug.execution, style),
        None => execution::render(bug, &names, style),
    };
    join([
        headline(bug, &names, style),
        waits::render(&bug.waits, &names, style) + &messages::render(&bug.unreceived, &names, style),
        accesses(&bug.accesses, &names),
        shown,
        calls::render(&bug.execution, style),
        why::render(bug, style),
        tips(bug, style),
    ])
}

/// Those that are not empty, with an empty line between them.
pub(super) fn join(sections: impl IntoIterator<Item = String>) -> String {
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}

/// What went wrong and where, and what the program or the checker said about it.
fn headline(bug: &Bug, names: &Names, style: Style) -> String {
    let (what, message) = told(bug, names);
    let mut text = format!("{}{}\n", style.paint(Ink::Error, "error"), style.paint(Ink::Strong, &format!(": {what}")));
    for line in message {
        text.push_str(format!("  {line}").trim_end());
        text.push('\n');
    }
    if let Some(source) = bug.source.as_ref().filter(|_| !says_where(bug)) {
        text.push_str(&format!("  {} {}\n", style.paint(Ink::Faint, "-->"), clean(&source.to_string())));
    }
    text + &calls::of_bug(bug, style)
}

/// What the headline says, and what there is to say besides, in lines.
pub(crate) fn told(bug: &Bug, names: &Names) -> (String, Vec<String>) {
    let mut message = clean_lines(&bug.message);
    let what = what(bug, names, &mut message);
    // The words of the program are shown even if they happen to be in the headline; ours need not be.
    let is_repetition = bug.kind != BugKind::Panic
        && message.iter().all(|line| what.to_lowercase().contains(line.trim().to_lowercase().as_str()));
    if is_repetition {
        message.clear();
    }
    (what, message)
}

/// Who waits for whom, which messages were not received, and which accesses race.
pub(crate) fn causes(bug: &Bug, names: &Names, style: Style) -> String {
    let waits = waits::render(&bug.waits, names, style) + &messages::render(&bug.unreceived, names, style);
    waits + &accesses(&bug.accesses, names)
}

/// What the headline says. It may take the words of the `message`, which then need not follow.
pub(super) fn what(bug: &Bug, names: &Names, message: &mut Vec<String>) -> String {
    let at = bug.source.as_ref().map(|source| format!(" at {}", clean(&source.to_string()))).unwrap_or_default();
    let thread = bug.thread.map(|thread| names.thread(thread));
    match bug.kind {
        BugKind::Panic => format!("{} panicked{at}", thread.as_deref().unwrap_or("a thread")),
        BugKind::Deadlock => "deadlock: no thread can go on".to_owned(),
        BugKind::Livelock => "livelock: threads spin for something that never happens".to_owned(),
        BugKind::DataRace => match bug.accesses.first().filter(|access| !access.object.is_empty()) {
            Some(access) => format!("data race on {}", clean(&access.object)),
            None => "data race".to_owned(),
        },
        BugKind::Misuse => format!("misuse{}{at}", thread.map(|thread| format!(" in {thread}")).unwrap_or_default()),
        BugKind::Nondeterminism => "the test does not do the same thing twice".to_owned(),
        // The message has the limit.
        BugKind::StepLimit if !message.is_empty() => message.remove(0),
        BugKind::StepLimit => {
            format!("an execution is longer than {}", count(bug.execution.events.len() as u64, "step"))
        }
        kind @ (BugKind::Leak | BugKind::Unsupported) => kind.to_string(),
        kind => format!("{kind}{}{at}", thread.map(|thread| format!(" in {thread}")).unwrap_or_default()),
    }
}

/// Whether the place of the bug is on the page anyway, in the headline or right below it.
fn says_where(bug: &Bug) -> bool {
    match bug.kind {
        BugKind::DataRace => bug.accesses.iter().any(|access| access.source == bug.source),
        BugKind::Deadlock | BugKind::Livelock => bug.waits.iter().any(|wait| wait.source == bug.source),
        BugKind::Nondeterminism | BugKind::StepLimit | BugKind::Leak | BugKind::Unsupported => false,
        _ => true,
    }
}

/// Both sides of a data race.
fn accesses(accesses: &[RacingAccess], names: &Names) -> String {
    let mut text = String::new();
    for access in accesses {
        let (operation, object) = (clean(&access.operation), clean(&access.object));
        let at = access.source.as_ref().map(|source| format!(" at {}", line(source))).unwrap_or_default();
        text.push_str(&format!("  {operation} of {object} by {}{at}\n", names.thread(access.thread)));
    }
    if accesses.len() > 1 {
        text.push_str("  nothing orders these accesses: they can happen at the same time\n");
    }
    text
}

/// What to do about it.
fn tips(bug: &Bug, style: Style) -> String {
    let mut text = if bug.kind == BugKind::Nondeterminism { divergence::suspects(style) } else { String::new() };
    text.push_str(&remarks("tip", Ink::Tip, &bug.tips, style));
    text
}

/// How much was explored, with the executions that the bugs are about and that did not get to their end.
pub(crate) fn counts(report: &Report, style: Style) -> String {
    let pieces = match &report.solver {
        Some(solver) => solver::found(report, solver),
        None => explored(report),
    };
    let mut text = fill(&pieces, style.width(), 2).join("\n") + "\n";
    text.push_str(&remarks("note", Ink::Strong, &report.cut, style));
    text.push_str(&remarks("note", Ink::Strong, &report.notes, style));
    text
}

/// The executions by how they ended, in pieces between which a line may end.
fn explored(report: &Report) -> Vec<String> {
    let of_kind = |kind| report.bugs().filter(|bug| bug.kind == kind).count() as u64;
    let cut = of_kind(BugKind::StepLimit);
    let mut executions = report.executions;
    executions.failed = executions.failed.saturating_add(of_kind(BugKind::Nondeterminism));
    let Executions { complete, blocked, redundant, failed } = executions;
    let numbers =
        [(complete, "complete"), (blocked, "blocked"), (redundant, "redundant"), (failed, "failed"), (cut, "cut")];
    let said = numbers.iter().enumerate().filter(|&(position, &(number, _))| position < 3 || number > 0);
    let said: Vec<String> = said.map(|(_, &(number, kind))| format!("{} {kind}", thousands(number))).collect();
    let mut pieces = vec![format!("{} explored:", count(executions.all().saturating_add(cut), "execution"))];
    let (last, others) = said.split_last().expect("three at least");
    pieces.extend(others.iter().map(|piece| format!("{piece},")));
    pieces.push(last.clone());
    pieces.push(format!("({}, strategy {})", duration(report.seconds), clean(&report.strategy)));
    pieces
}

/// The command, on a line of its own that is never broken: it is meant to be copied.
pub(super) fn replay(bug: &Bug, style: Style) -> String {
    let Some(replay) = &bug.replay else { return String::new() };
    format!("to run this execution again:\n\n    {}\n", style.paint(Ink::Strong, &clean(&replay.command)))
}
