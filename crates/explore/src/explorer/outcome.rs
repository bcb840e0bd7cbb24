//! The limits and the outcome of an exploration: counts and reasons for its end, without the executions themselves.

use crate::strategies::{DataRace, Unsupported};
use everyway_runtime::Halt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits of an exploration.
#[derive(Clone, Debug)]
pub struct Limits {
    /// At most this many executions.
    pub executions: Option<u64>,
    /// At most this long.
    pub time: Option<Duration>,
    /// At most this many steps in one execution.
    pub steps: usize,
    /// Steps that a thread takes while it is the only one do not count, up to this many times the limit; with 1, they count.
    pub alone: usize,
    /// The exploration ends when this is set, through a copy of it: by another thread, or when a signal is received.
    pub cancelled: Arc<AtomicBool>,
}

impl Limits {
    /// Whether the exploration was cancelled, and has to end as soon as it can.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { executions: None, time: None, steps: 10_000, alone: 1, cancelled: Arc::default() }
    }
}

/// The numbers of executions, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Every thread ended.
    pub complete: u64,
    /// A thread is stuck for good.
    pub blocked: u64,
    /// Begun, then found to be equivalent to an explored one.
    pub redundant: u64,
    /// Something failed in a step. These are not among the complete and the blocked ones; those that fail because
    /// no thread can continue are among the blocked ones.
    pub failed: u64,
    /// Begun, and given up because they exceeded the limit on steps. Only sampling continues after one.
    pub too_long: u64,
    /// The steps of all of them that had not been taken before, and those on the way to subtrees.
    pub steps: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.complete = self.complete.saturating_add(other.complete);
        self.blocked = self.blocked.saturating_add(other.blocked);
        self.redundant = self.redundant.saturating_add(other.redundant);
        self.failed = self.failed.saturating_add(other.failed);
        self.too_long = self.too_long.saturating_add(other.too_long);
        self.steps = self.steps.saturating_add(other.steps);
    }
}

impl Counts {
    /// All executions that were begun.
    pub fn executions(&self) -> u64 {
        let others = [self.blocked, self.redundant, self.failed, self.too_long];
        others.into_iter().fold(self.complete, u64::saturating_add)
    }
}

/// The reason why an exploration was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The limit on executions was reached.
    Executions(u64),
    /// The limit on time was reached.
    Time(Duration),
    /// The current execution reached the limit on its length.
    Steps(usize),
    /// The watcher asked to stop, or [`Limits::cancelled`] was set.
    Interrupted,
    /// The program does something that the strategy does not model.
    Unsupported(Unsupported),
    /// The current execution has a data race, which the strategy looks for.
    DataRace(DataRace),
}

/// Why the exploration ended.
#[derive(Debug)]
pub enum End<F> {
    /// Everything was explored.
    Finished,
    /// The current execution fails.
    Failed(F),
    /// The program did not repeat what it had done before.
    Diverged(F),
    /// A limit was reached.
    Stopped(Cut),
}

/// How one execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every thread ended.
    Complete,
    /// No thread can move, but not all have ended.
    Blocked,
    /// Given up as redundant.
    Redundant,
    /// No thread can move, and something has failed in a step.
    Failed,
    /// Given up because it exceeded the limit on steps.
    TooLong,
}

impl<F> From<Halt<F>> for End<F> {
    fn from(halt: Halt<F>) -> Self {
        match halt {
            Halt::Failure(failure) => End::Failed(failure),
            Halt::Diverged(failure) => End::Diverged(failure),
        }
    }
}
