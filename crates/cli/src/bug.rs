//! A failure of the virtual machine as reports show it.

use everyway_explore::Trace;
use everyway_report::{Bug, BugKind, Source, Wait};
use everyway_runtime::{Step, ThreadId};
use everyway_vm::{Failure, Machine};

/// A failure and the steps that lead to it.
pub(crate) struct Found {
    pub(crate) bug: Bug,
    pub(crate) schedule: Vec<Step>,
}

impl Found {
    /// Leaves out what has nothing to do with the last step: an execution in which others have failed before, and did
    /// not go on, looks like one that cannot happen.
    fn keep_what_leads_to_the_last_step(&mut self, trace: &Trace) -> Vec<usize> {
        let Some(last) = trace.events_from(0).next_back() else { return Vec::new() };
        let kept: Vec<usize> =
            trace.events_from(0).filter(|&e| trace.happens_before(e, last)).map(|e| e.index()).collect();
        let renumber = |events: &mut Vec<usize>| {
            *events = events.iter().filter_map(|event| kept.binary_search(event).ok()).collect();
        };
        let events = &mut self.bug.execution.events;
        *events = kept.iter().map(|&event| events[event].clone()).collect();
        for event in events {
            renumber(&mut event.happens_after);
            renumber(&mut event.reads_from);
        }
        self.schedule = kept.iter().map(|&event| self.schedule[event]).collect();
        kept
    }

    /// Numbers the threads by the order in which they were started in the steps that are `kept`, as a replay will.
    fn number_threads(&mut self, machine: &Machine, kept: impl Fn(usize) -> bool) {
        let position = machine.birth_order(kept);
        let bug = &mut self.bug;
        let names = bug.execution.threads.clone();
        for (thread, name) in names.into_iter().enumerate() {
            bug.execution.threads[position[thread]] = name;
        }
        bug.execution.events.iter_mut().for_each(|event| event.thread = position[event.thread]);
        bug.accesses.iter_mut().for_each(|access| access.thread = position[access.thread]);
        bug.waits.iter_mut().for_each(|wait| {
            wait.thread = position[wait.thread];
            wait.waits_for = wait.waits_for.map(|thread| position[thread]);
        });
        bug.thread = bug.thread.map(|thread| position[thread]);
        self.schedule.iter_mut().for_each(|step| step.thread = ThreadId::new(position[step.thread.index()]));
    }
}

/// The failure of the program in the state that `trace` has led it to.
pub(crate) fn describe(machine: &Machine, trace: &Trace, failure: Failure) -> Found {
    let mut found = describe_as_explored(machine, trace, failure);
    found.number_threads(machine, |_| true);
    found
}

/// The same, with no other steps than those that lead to the last one.
pub(crate) fn describe_causes(machine: &Machine, trace: &Trace, failure: Failure) -> Found {
    let mut found = describe_as_explored(machine, trace, failure);
    let kept = found.keep_what_leads_to_the_last_step(trace);
    found.number_threads(machine, |step| kept.binary_search(&step).is_ok());
    found
}

fn describe_as_explored(machine: &Machine, trace: &Trace, failure: Failure) -> Found {
    let waits = match failure.kind {
        BugKind::Deadlock | BugKind::Livelock => machine.waits(),
        _ => Vec::new(),
    };
    let tips = tips(&failure);
    let source = machine.source(failure.location);
    let bug = Bug {
        kind: failure.kind,
        message: failure.message,
        source: source.or_else(|| heart(&waits).and_then(|wait| wait.source.clone())),
        thread: failure.thread.map(ThreadId::index),
        execution: machine.describe(trace),
        waits,
        unreceived: Vec::new(),
        accesses: failure.accesses,
        tips,
        divergence: None,
        replay: None,
        executions: 1,
    };
    Found { bug, schedule: trace.steps().collect() }
}

/// The wait that the others come down to: one of those who wait for each other, or one that waits for nobody in
/// particular.
fn heart(waits: &[Wait]) -> Option<&Wait> {
    let next = |wait: &&Wait| waits.iter().find(|other| Some(other.thread) == wait.waits_for);
    // After as many steps as there are waits, the rest is a cycle.
    std::iter::successors(waits.first(), next).take(waits.len() + 1).last()
}

/// The execution that has reached the limit on its steps.
pub(crate) fn too_long(machine: &Machine, trace: &Trace, limit: usize) -> Found {
    /// The loop is looked for among so many of the last steps.
    const TAIL: usize = 100;

    // Which of so many steps comes before which nobody reads, and it takes long to tell.
    let execution = machine.describe(&Trace::new());
    let tail = &execution.events[execution.events.len().saturating_sub(TAIL)..];
    // The place that the end of the execution comes by most often is in the loop.
    let times = |source: &Source| tail.iter().filter(|event| event.source.as_ref() == Some(source)).count();
    let place = tail.iter().filter_map(|event| event.source.as_ref()).max_by_key(|&source| times(source)).cloned();
    let stuck = tail.iter().rev().find(|event| event.source == place && place.is_some());
    let thread = stuck.map(|event| event.thread);
    let bug = Bug {
        kind: BugKind::StepLimit,
        message: format!("an execution is longer than {limit} steps"),
        source: place,
        thread,
        execution,
        waits: Vec::new(),
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips: vec!["if the execution is just long, raise the limit with --max-steps".to_owned()],
        divergence: None,
        replay: None,
        executions: 1,
    };
    let mut found = Found { bug, schedule: trace.steps().collect() };
    found.number_threads(machine, |_| true);
    found
}

fn tips(failure: &Failure) -> Vec<String> {
    match failure.kind {
        BugKind::StepLimit => {
            vec!["a loop that waits for another thread has to read what that thread writes".to_owned()]
        }
        _ => Vec::new(),
    }
}
