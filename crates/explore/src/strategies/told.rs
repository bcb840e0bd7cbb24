//! A step of an execution whose reads are told their sources, under names that are the same in every process.

use everyway_runtime::{Source, ThreadPath};

/// A step, and what it is told. Events are named by their positions in the list of steps.
#[derive(Clone, Debug)]
pub struct ToldStep {
    /// The thread that takes it; none if what was read is no path.
    pub thread: Option<ThreadPath>,
    /// Which alternative it takes.
    pub choice: u32,
    /// The source of each access of its operation; empty if reads are not told.
    pub sources: Vec<Source>,
    /// What its write comes right after among those so far, if it does not come after all of them.
    pub place: Option<Source>,
}
