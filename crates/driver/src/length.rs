//! Executions that exceed the limit on steps: which loop they are in.

use crate::found::{Current, Found, Shown};
use crate::subject::Subject;
use everyway_explore::Trace;
use everyway_report::{Bug, BugKind, Execution, Source};

/// The loop is looked for among so many of the last steps.
const TAIL: usize = 100;

/// What happens before what is told of executions of up to so many steps: of longer ones it takes long to tell.
const MOST_ORDERED: usize = 20_000;

/// The current execution, which has reached the limit of `limit` steps.
pub(crate) fn too_long<S: Subject>(current: &Current<'_, S>, limit: usize) -> Found {
    let (unordered, is_ordered) = (Trace::new(), current.trace.len() <= MOST_ORDERED);
    let trace = if is_ordered { current.trace } else { &unordered };
    let execution = current.subject.describe(current.execution, trace);
    let (place, thread) = end_of(&execution);
    let tips = current.subject.tips_on_length(place.as_ref());
    let bug = Bug {
        kind: BugKind::StepLimit,
        message: format!("an execution is longer than {limit} steps"),
        source: place,
        thread,
        execution,
        calls: Vec::new(),
        waits: Vec::new(),
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips,
        divergence: None,
        passing: None,
        replay: None,
        executions: 1,
    };
    current.found(bug, Shown::All)
}

/// The place that the end of the execution comes by most often, which is in the loop, and the thread that was there
/// last.
fn end_of(execution: &Execution) -> (Option<Source>, Option<usize>) {
    let tail = &execution.events[execution.events.len().saturating_sub(TAIL)..];
    let times = |source: &Source| tail.iter().filter(|event| event.source.as_ref() == Some(source)).count();
    let place = tail.iter().filter_map(|event| event.source.as_ref()).max_by_key(|&source| times(source)).cloned();
    let last = tail.iter().rev().find(|event| event.source == place && place.is_some());
    (place, last.map(|event| event.thread))
}
