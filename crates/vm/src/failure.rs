//! What goes wrong in a program.

use crate::describe::Stack;
use everyway_ir::SourceLocation;
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::ThreadId;

/// Something that went wrong in an execution.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What kind of thing.
    pub kind: BugKind,
    /// What went wrong, in a sentence.
    pub message: String,
    /// Where in the source.
    pub location: Option<SourceLocation>,
    /// The calls that it is in, if they are known.
    pub(crate) stack: Stack,
    /// In which thread.
    pub thread: Option<ThreadId>,
    /// The two accesses of a data race.
    pub accesses: Vec<RacingAccess>,
}

impl Failure {
    /// A failure of which no more is known yet.
    pub fn new(kind: BugKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            location: None,
            stack: Stack::default(),
            thread: None,
            accesses: Vec::new(),
        }
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new(BugKind::Unsupported, message)
    }

    pub(crate) fn misuse(message: impl Into<String>) -> Self {
        Self::new(BugKind::Misuse, message)
    }
}
