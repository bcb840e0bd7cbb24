//! What a thread announces, and what comes of it.

use super::{CodeSite, Special};
use everyway_runtime::{Location, Operation, ThreadId, Verb};
use std::panic::Location as Caller;

/// How an event is shown to people.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    /// What is done.
    pub(crate) verb: Verb,
    /// To which object.
    pub(crate) object: Option<Location>,
    /// How its value reads.
    pub(crate) show: Show,
    /// By which line of the program.
    pub(crate) caller: CodeSite,
}

/// How the value of an event reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// There is none.
    Nothing,
    /// As an unsigned number.
    Unsigned,
    /// As a signed number.
    Signed,
    /// As `true` or `false`.
    Bool,
    /// As an address, which differs from run to run: not at all but for null.
    Pointer,
    /// As whether a conditional write took place: these words for yes and no.
    Success(&'static str, &'static str),
    /// By which access of the operation ended it.
    Ending(&'static [&'static str]),
    /// By the alternative that was chosen.
    Choice,
    /// As this.
    Word(&'static str),
}

/// What came of an operation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// The access that ended it.
    pub(crate) last: usize,
    /// The value before that access.
    pub(crate) before: u64,
    /// Whether that access changed its location, or might have.
    pub(crate) changed: bool,
    /// The alternative that was chosen.
    pub(crate) choice: u32,
}

/// An operation that a thread has announced.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) operation: Operation,
    pub(crate) label: Label,
    pub(crate) special: Special,
    /// Among how many alternatives it chooses, if that does not depend on the state.
    pub(crate) choices: u32,
    /// How it waits.
    pub(crate) waiting: Waiting,
}

/// Whether an operation waits, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// It never does.
    Never,
    /// Until its accesses can be carried out.
    Access,
    /// Like [`Waiting::Access`], but the program would really spin.
    Spin,
    /// Until this thread ends.
    Join(ThreadId),
    /// For ever: an assumption does not hold.
    Assumption,
}

impl Pending {
    /// What a thread has announced that has not run yet.
    #[track_caller]
    pub(super) fn nothing() -> Self {
        let label = Label { verb: Verb::None, object: None, show: Show::Nothing, caller: Caller::caller() };
        Self::new(Operation::local(), label)
    }

    #[inline]
    pub(crate) fn new(operation: Operation, label: Label) -> Self {
        let waiting = match operation.joins {
            Some(thread) => Waiting::Join(thread),
            None if operation.may_block() => Waiting::Access,
            None => Waiting::Never,
        };
        Self { operation: operation.named(label.verb), label, special: Special::None, choices: 1, waiting }
    }

    pub(crate) fn special(self, special: Special) -> Self {
        Self { special, ..self }
    }
}
