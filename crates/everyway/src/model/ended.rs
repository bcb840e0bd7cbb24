//! Reasons for ending an execution early.

use super::detail::Detail;
use super::{CodeSite, owners, program};
use crate::alloc;
use everyway_report::BugKind;
use everyway_runtime::ThreadId;

/// Something that went wrong.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) kind: BugKind,
    pub(crate) message: String,
    pub(crate) source: Option<everyway_report::Source>,
    pub(crate) thread: Option<ThreadId>,
    /// The two accesses of a data race.
    pub(crate) accesses: Vec<everyway_report::RacingAccess>,
    /// When what is wrong was freed, or allocated.
    pub(crate) moment: Option<alloc::Moment>,
    /// The steps as they were before, where the program did not take them again.
    pub(crate) before: Vec<program::Logged>,
    /// Where the current execution parts from that one, if that is not its last step.
    pub(crate) parts_at: Option<usize>,
}

/// Why an execution ended before its time.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Something went wrong.
    Failed(Failure),
    /// The program looks at a detail that is not kept track of: the exploration has to start over with it.
    Wants(Detail),
    /// The program can tell how many owners something shared of this type has, or which is the last one, which is not kept
    /// track of: the exploration has to start over with it.
    WantsCount(owners::Counted),
    /// The program does this, which cannot be done where reads are told their sources, here.
    Refused(&'static str, CodeSite),
}

impl Ended {
    /// Whether something went wrong.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self, Ended::Failed(_))
    }

    /// Whether the execution could as well go on ([`Detail::is_found_right`]).
    pub(super) fn is_found_right(&self) -> bool {
        matches!(self, Ended::Wants(detail) if detail.is_found_right())
    }
}

impl Failure {
    pub(crate) fn new(kind: BugKind, message: String) -> Self {
        Self {
            kind,
            message,
            source: None,
            thread: None,
            accesses: Vec::new(),
            moment: None,
            before: Vec::new(),
            parts_at: None,
        }
    }
}
