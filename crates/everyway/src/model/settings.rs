//! The settings of a model.

use super::detail::Details;
use super::owners;
use everyway_driver::Rules;

/// What becomes of a panic that ends a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panics {
    /// It is a failure of the execution, whichever thread it is.
    #[default]
    Fail,
    /// As in std: the thread that joins gets the panic. Only a panic of the main thread is a failure.
    Join,
}

/// What has to be freed before an execution ends, besides what is tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaks {
    Nothing,
    /// What is shared by everyway's `Arc`.
    Arcs,
    Everything,
}

/// How a model treats what std leaves open.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) panics: Panics,
    /// Whether a hint to spin waits for something to change.
    pub(crate) await_hints: bool,
    /// How many rounds of a loop a thread may take while it finds nothing new and others could go on.
    pub(crate) max_rounds: u32,
    pub(crate) stack_size: usize,
    /// Whether output of the program is shown.
    pub(crate) verbose: bool,
    /// Whether the calls that steps are in are taken note of.
    pub(crate) calls: bool,
    /// What is kept track of because the program looks at it.
    pub(crate) details: Details,
    /// Of which types owners are counted.
    pub(crate) counted: Vec<owners::Counted>,
    /// Whether weak compare-exchanges fail and threads wake up spuriously.
    pub(crate) spurious: bool,
    /// What is a failure if it is not freed when an execution ends.
    pub(crate) leaks: Leaks,
    /// Whether an execution goes on after a failure.
    pub(crate) keeps_going: bool,
    /// Whether steps that are taken again are known by what they did, and not carried out anew (`again.rs`).
    pub(crate) repeats: bool,
    /// By which rules executions are run.
    pub(crate) rules: Rules,
}
