//! One execution, by the lasting names of the threads that take its steps.

use crate::settings::Limits;
use everyway_explore::{Budget, Choice, Continue, Cut, Estimate, Strategy, Trace};
use everyway_report::replay::ScheduledStep;
use everyway_runtime::{State, Step, ThreadId, ThreadPath};
use std::time::Instant;

/// Takes the steps of a schedule and no others.
#[derive(Debug)]
pub(crate) struct Schedule {
    /// What is no path names no thread.
    steps: Vec<(Option<ThreadPath>, u32)>,
    limits: Limits,
    started: Instant,
    stopped: Option<Cut>,
}

impl Schedule {
    /// A strategy that takes these steps, as long as the limits of what began at `started` allow.
    pub(crate) fn new(steps: &[ScheduledStep], limits: &Limits, started: Instant) -> Self {
        let steps = steps.iter().map(|step| (step.thread.parse().ok(), step.choice)).collect();
        Self { steps, limits: limits.clone(), started, stopped: None }
    }

    /// What has kept it from taking all steps.
    pub(crate) fn stopped(&self) -> Option<Cut> {
        self.stopped
    }
}

impl Strategy for Schedule {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn needs_order(&self) -> bool {
        false
    }

    fn is_exhaustive(&self) -> bool {
        false
    }

    /// Whether the thread can take the step is for the program to say: if not, or if there is no such thread, it is not
    /// the same program.
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        let Some((path, choice)) = self.steps.get(trace.len()) else { return Choice::Redundant };
        self.stopped = self.limits.exceeded(self.started);
        if self.stopped.is_some() {
            return Choice::Redundant;
        }
        let mut threads = (0..state.threads()).map(ThreadId::new);
        let named = |thread: &ThreadId| path.as_ref() == Some(&state.path(*thread));
        let thread = threads.find(named).unwrap_or(ThreadId::new(state.threads()));
        Choice::Take(Step { thread, choice: *choice })
    }

    fn taken(&mut self, _: &Trace, _: &dyn State) {}

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {}

    fn backtrack(&mut self, _: &Trace) -> Continue {
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate { explored: 0, total: None }
    }
}
