//! Which steps of a long execution are shown: runs of steps that have no part in how it ends are told in a line, and so is
//! what is in the middle of one that is too long all the same.

use super::names::Names;
use super::numbers::count;
use everyway_report::{Bug, BugKind, Change, Relevance};
use std::collections::BTreeSet;
use std::ops::Range;

/// Shorter executions are shown as they are.
const LONG: usize = 30;

/// A remark on fewer steps would take as many lines as they do.
const SHORTEST_FOLD: usize = 2;

/// How many lines are shown of the start and of the end of a long execution: its end is what fails.
const SHOWN: (usize, usize) = (20, 60);

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// This step.
    Step(usize),
    /// A remark on these steps.
    Folded(Range<usize>, Why),
}

/// Why steps are not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// They have no part in how the execution ends, or only their own thread knows of them.
    NoPart,
    /// There are too many.
    TooMany,
}

impl Line {
    fn steps(&self) -> Range<usize> {
        match self {
            Line::Step(step) => *step..step + 1,
            Line::Folded(steps, _) => steps.clone(),
        }
    }
}

/// The lines of the table for the execution of `bug`.
pub(super) fn lines(bug: &Bug) -> Vec<Line> {
    let count = bug.execution.events.len();
    let mut lines = Vec::new();
    let mentioned = mentioned(bug);
    let relevance = if count > LONG && is_about_others(bug) { bug.relevance() } else { Vec::new() };
    let is_folded = |step: usize| {
        relevance.get(step).is_some_and(|relevance| *relevance != Relevance::Relevant) && !mentioned.contains(&step)
    };
    let mut step = 0;
    while step < count {
        let end = (step..count).find(|&later| !is_folded(later)).unwrap_or(count);
        if end - step >= SHORTEST_FOLD {
            lines.push(Line::Folded(step..end, Why::NoPart));
            step = end;
        } else {
            lines.push(Line::Step(step));
            step += 1;
        }
    }
    let excess = lines.len().saturating_sub(SHOWN.0 + SHOWN.1);
    if excess > 1 {
        let omitted = SHOWN.0..SHOWN.0 + excess;
        let steps = lines[omitted.start].steps().start..lines[omitted.end - 1].steps().end;
        lines.splice(omitted, [Line::Folded(steps, Why::TooMany)]);
    }
    lines
}

/// Whether what threads do by themselves is not what the execution is shown for.
fn is_about_others(bug: &Bug) -> bool {
    let events = &bug.execution.events;
    let is_alone = events.iter().all(|event| event.thread == events[0].thread);
    !is_alone && bug.kind != BugKind::StepLimit
}

/// What the report names by number besides.
fn mentioned(bug: &Bug) -> BTreeSet<usize> {
    let change = bug.passing.as_ref().and_then(|passing| passing.change);
    let steps = match change {
        None => Vec::new(),
        Some(Change::Order { overtaken, moved, .. }) => vec![Some(overtaken), moved],
        Some(Change::Source { step, instead_of, found, .. }) => vec![Some(step), instead_of, found],
    };
    steps.into_iter().flatten().collect()
}

/// `12 steps of 'a' and 'b' not shown: they have no part in it`.
pub(super) fn remark(bug: &Bug, names: &Names, steps: &Range<usize>, why: Why) -> String {
    let length = count(steps.len() as u64, "step");
    match why {
        Why::TooMany => {
            let kept = if bug.replay.is_some() { " (all are in the replay file)" } else { "" };
            format!("{length} not shown{kept}")
        }
        Why::NoPart => {
            let events = bug.execution.events[steps.clone()].iter();
            let threads: BTreeSet<usize> = events.map(|event| event.thread).collect();
            let threads: Vec<String> = threads.into_iter().map(|thread| format!("'{}'", names.name(thread))).collect();
            let threads = match &threads[..] {
                [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
                threads => threads.concat(),
            };
            format!("{length} of {threads} not shown: they have no part in it")
        }
    }
}
