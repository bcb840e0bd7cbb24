//! A strategy that runs one given execution, by its steps: for replays.

use super::{Choice, Continue, Guarantee, Guidance, Schedules, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::trace::Trace;
use everyway_runtime::{State, Step};

/// Takes the given steps and no others.
#[derive(Debug)]
pub struct Script {
    steps: Vec<Step>,
}

impl Script {
    /// A strategy that takes these steps.
    pub fn new(steps: Vec<Step>) -> Self {
        Self { steps }
    }
}

impl Strategy for Script {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Nothing
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {}

    fn backtrack(&mut self, _: &Trace, _: &dyn State) -> Continue {
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate::unknown(0)
    }
}

impl Schedules for Script {
    fn needs_order(&self) -> bool {
        false
    }

    /// Whether the thread can take the step is for the program to say: if not, it is not the same program.
    fn choose(&mut self, trace: &Trace, _: &dyn State) -> Choice {
        self.steps.get(trace.len()).map_or(Choice::Redundant, |&step| Choice::Take(step))
    }
}
