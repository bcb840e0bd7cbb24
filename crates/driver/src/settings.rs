//! How to check a program, and how far to go.

use crate::memory_model::ModelChoice;
use everyway_explore::{Algorithm, Cut, Order, Verification};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many executions a strategy that never ends by itself explores if nothing else limits it.
const SAMPLES: u64 = 10_000;

/// How to check a program.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The strategy.
    pub algorithm: Algorithm,
    /// The memory model. Under one that is weaker than `sc`, the strategy is `graphs`.
    pub memory_model: ModelChoice,
    /// Which thread it tries first.
    pub order: Order,
    /// How far to go.
    pub limits: Limits,
    /// What to do after a failure.
    pub after_failure: AfterFailure,
    /// What an execution beyond the limit on its steps is.
    pub too_long: TooLong,
    /// Whether the engine checks its own invariants.
    pub verification: Verification,
}

impl Settings {
    /// The limits, with one on the number of executions if nothing else would end the exploration.
    pub(crate) fn effective_limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        let samples = matches!(self.algorithm, Algorithm::Random { .. } | Algorithm::Pct { .. });
        if samples && limits.time.is_none() {
            limits.executions = limits.executions.or(Some(SAMPLES));
        }
        limits
    }
}

/// How far to go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// At most this many executions.
    pub executions: Option<u64>,
    /// At most this long, all explorations that start over included.
    pub time: Option<Duration>,
    /// At most this many steps in one execution.
    pub steps: usize,
    /// Once it is set, everything ends as soon as it can.
    pub cancelled: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { executions: None, time: None, steps: 10_000, cancelled: Arc::default() }
    }
}

impl Limits {
    /// Whether everything is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The limit, other than those on numbers, that what began at `started` has exceeded.
    pub(crate) fn exceeded(&self, started: Instant) -> Option<Cut> {
        match self.time {
            _ if self.is_cancelled() => Some(Cut::Interrupted),
            Some(limit) if started.elapsed() >= limit => Some(Cut::Time(limit)),
            _ => None,
        }
    }

    /// What the engine is told of a check that began at `started`.
    pub(crate) fn for_engine(&self, started: Instant) -> everyway_explore::Limits {
        let time = self.time.map(|limit| limit.saturating_sub(started.elapsed()));
        everyway_explore::Limits {
            executions: self.executions,
            time,
            steps: self.steps,
            cancelled: Arc::clone(&self.cancelled),
        }
    }

    /// The same limits for one execution of `steps` steps.
    pub(crate) fn with_steps(&self, steps: usize) -> Self {
        Self { steps, executions: None, ..self.clone() }
    }
}

/// What to do after a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterFailure {
    /// End the check.
    #[default]
    Stop,
    /// Go on, and collect the failures that are different bugs.
    GoOn,
}

/// What an execution beyond the limit on its steps is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TooLong {
    /// A failure.
    #[default]
    Fails,
    /// Something that was cut: the verdict is incomplete.
    IsCut,
}
