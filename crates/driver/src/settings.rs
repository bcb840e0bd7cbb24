//! The settings of a check: how to explore, and the limits.

use crate::memory_model::ModelChoice;
use everyway_explore::{Algorithm, Cut, Limits, MemoryModel, Order, Verification};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// How many executions a strategy that never ends by itself explores if nothing else limits it.
const SAMPLES: u64 = 10_000;
/// The steps taken under `optimal` before a program counts as worth sharing: some tenths of a second.
const TRIAL: u64 = 300_000;
/// How often the thread that waits for the workers checks whether to end, and reports progress.
pub(crate) const PERIOD: Duration = Duration::from_millis(20);

/// How to check a program.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The strategy.
    pub algorithm: Algorithm,
    /// Whether the strategy was asked for, and what to do if it does not suit the program.
    pub suitability: Suitability,
    /// How many steps one worker takes, under `optimal` if possible, before a program counts as not small
    /// ([`Suitability::Assumed`]).
    pub trial: u64,
    /// The memory model. One that is weaker than `sc` requires `graphs` ([`Settings::contradiction`]).
    pub memory_model: ModelChoice,
    /// Which thread to try first.
    pub order: Order,
    /// The limits.
    pub limits: Limits,
    /// What to do after a failure.
    pub after_failure: AfterFailure,
    /// How an execution beyond the limit on steps counts.
    pub too_long: TooLong,
    /// Whether the engine checks its own invariants.
    pub verification: Verification,
    /// How much of the time limit was spent before the check began, on compiling, for example.
    pub spent: Duration,
    /// Whether to find out where executions come from.
    pub profiling: Profiling,
    /// How many workers explore. A strategy that cannot be shared uses one.
    pub jobs: NonZeroUsize,
    /// How often the host gets the remaining work to save ([`Host::checkpoint`](crate::Host::checkpoint)).
    pub checkpoints: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            suitability: Suitability::default(),
            trial: TRIAL,
            memory_model: ModelChoice::default(),
            order: Order::default(),
            limits: Limits::default(),
            after_failure: AfterFailure::default(),
            too_long: TooLong::default(),
            verification: Verification::default(),
            spent: Duration::ZERO,
            jobs: NonZeroUsize::MIN,
            checkpoints: Duration::from_secs(60),
            profiling: Profiling::default(),
        }
    }
}

impl Settings {
    /// What is wrong with these settings, and what to do about it, if they cannot all be kept.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let ModelChoice::Explicit(model) = self.memory_model else { return None };
        let is_known = match self.algorithm {
            Algorithm::Graphs { .. } => true,
            Algorithm::Optimal => self.suitability != Suitability::Given,
            _ => false,
        } || model == MemoryModel::Sc;
        (!is_known).then(|| Contradiction {
            what: format!("`{}` explores interleavings, which is not all that {model} allows", self.algorithm.name()),
            tip: format!("`graphs` explores what {model} allows; `{}` goes with sc", self.algorithm.name()),
        })
    }

    /// What is left of the limits of the check that began at `started`, and whose time began to run before.
    pub(crate) fn remaining(&self, started: Instant) -> Limits {
        remaining(&self.limits, started.checked_sub(self.spent).unwrap_or(started))
    }

    /// The limits, with one on the number of executions if nothing else would end the exploration.
    pub(crate) fn effective_limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        if self.algorithm.is_sampling() && limits.time.is_none() {
            limits.executions = limits.executions.or(Some(SAMPLES));
        }
        limits
    }
}

/// Why settings cannot all be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub tip: String,
}

/// The limit, other than those on numbers, that what began at `started` has exceeded.
pub(crate) fn exceeded(limits: &Limits, started: Instant) -> Option<Cut> {
    match limits.time {
        _ if limits.is_cancelled() => Some(Cut::Interrupted),
        Some(limit) if started.elapsed() >= limit => Some(Cut::Time(limit)),
        _ => None,
    }
}

/// What is left of the limits of a check that began at `started`.
pub(crate) fn remaining(limits: &Limits, started: Instant) -> Limits {
    Limits { time: limits.time.map(|limit| limit.saturating_sub(started.elapsed())), ..limits.clone() }
}

/// The same limits for one execution of `steps` steps.
pub(crate) fn for_one(limits: &Limits, steps: usize) -> Limits {
    Limits { steps, executions: None, ..limits.clone() }
}

/// Whether the strategy was asked for. If not, a program that does not suit `graphs` under `sc` is explored otherwise: one with
/// operations that commute, which are one execution under `optimal`; one that does something that graphs do not model; or a
/// small one, which takes longer to share than to explore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suitability {
    /// It was: what it cannot explore is refused, or reported as explored otherwise.
    Given,
    /// It was not; a program with weak orderings is explored by another one, without a remark.
    #[default]
    Unasked,
    /// It was not, and it may not suit the program: then the program is explored under `optimal`. Whether the program is
    /// small is tried first: one that takes more steps is explored as graphs, from the beginning.
    Assumed,
}

/// Whether to find out where executions come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profiling {
    /// No.
    #[default]
    Off,
    /// Yes, which takes time.
    On,
}

/// What to do after a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterFailure {
    /// End the check.
    #[default]
    Stop,
    /// Continue, and collect the failures that are different bugs.
    GoOn,
}

/// How an execution beyond the limit on steps counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TooLong {
    /// As a failure.
    #[default]
    Fails,
    /// As cut: the verdict is incomplete.
    IsCut,
}
