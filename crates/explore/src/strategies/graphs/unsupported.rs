//! The constructs that cannot be explored as execution graphs, by name.

use everyway_runtime::ThreadId;

/// Something that a program does, and that the strategy does not model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The front end cannot take a step whose reads are told their sources.
    Sources,
    /// A nondeterministic choice in the same step as an access to memory.
    ChoiceWithAccess,
    /// A step that did not do what it had announced: less, or something else.
    Announcement,
    /// Bytes of a location that are accessed together here and apart there, by what this thread does next.
    MixedSizes(ThreadId),
    /// A subtree of another program, or none at all: its choices are not those that the program has.
    Subtree,
}

impl Unsupported {
    /// The thread that does it next, if that is known.
    pub fn thread(self) -> Option<ThreadId> {
        match self {
            Unsupported::MixedSizes(thread) => Some(thread),
            _ => None,
        }
    }
}
