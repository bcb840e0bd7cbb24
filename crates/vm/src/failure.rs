//! The failures of a program.

use crate::describe::Stack;
use everyway_ir::SourceLocation;
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::ThreadId;
use std::ops::{Deref, DerefMut};

/// Something that went wrong in an execution.
///
/// It is one pointer: nearly all that may fail does not, and what comes of it is passed in registers.
#[derive(Clone, Debug)]
pub struct Failure(Box<FailureDetails>);

/// What is known of a failure.
#[derive(Clone, Debug)]
pub struct FailureDetails {
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
    #[cold]
    pub fn new(kind: BugKind, message: impl Into<String>) -> Self {
        let (location, stack, thread, accesses) = Default::default();
        Self(Box::new(FailureDetails { kind, message: message.into(), location, stack, thread, accesses }))
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new(BugKind::Unsupported, message)
    }

    pub(crate) fn misuse(message: impl Into<String>) -> Self {
        Self::new(BugKind::Misuse, message)
    }
}

impl Deref for Failure {
    type Target = FailureDetails;

    fn deref(&self) -> &FailureDetails {
        &self.0
    }
}

impl DerefMut for Failure {
    fn deref_mut(&mut self) -> &mut FailureDetails {
        &mut self.0
    }
}
