//! The announcement of a thread.

use super::CodeSite;
use everyway_runtime::{Access, Bytes, Choices, Location, Manner, Operation, Special, ThreadId, Verb, Waiting};
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
    /// By what it found: the word at the place of that number.
    Found(&'static [&'static str]),
    /// By the alternative that was chosen.
    Choice,
    /// As this.
    Word(&'static str),
}

/// Makes the access what an operation with this verb does: of what is no access to memory, std promises that it acquires and
/// releases, and nothing about the order of `SeqCst` accesses.
#[inline]
pub(super) fn keep_promise(access: &mut Access, verb: Verb) {
    if !verb.is_memory_access() {
        access.ordering = access.ordering.at_most_acq_rel();
        access.ordering_unmet = access.ordering_unmet.at_most_acq_rel();
    }
}

/// An operation that a thread has announced.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) operation: Operation,
    pub(crate) label: Label,
    /// What it is beyond its accesses.
    pub(crate) manner: Manner<Location>,
    /// The lock that it poisons: a panic unwound past a guard of it.
    pub(crate) poisons: Option<Location>,
}

impl Pending {
    /// What a thread has announced that has not run yet.
    #[track_caller]
    pub(super) fn nothing() -> Self {
        let label = Label { verb: Verb::None, object: None, show: Show::Nothing, caller: Caller::caller() };
        Self::new(Operation::local(), label)
    }

    #[inline]
    pub(crate) fn new(mut operation: Operation, label: Label) -> Self {
        operation.accesses.iter_mut().for_each(|access| keep_promise(access, label.verb));
        operation.verb = label.verb;
        let manner = Manner::of(&operation);
        Self { operation, label, manner, poisons: None }
    }

    /// Announces these accesses, which [keep](keep_promise) what is promised of them, or a join, instead of what was announced
    /// before.
    #[inline]
    pub(super) fn announce(&mut self, accesses: &[Access], joins: Option<ThreadId>, label: &Label) {
        match (self.operation.accesses.as_mut_slice(), accesses) {
            // Mostly.
            ([only], [access]) => *only = *access,
            (kept, _) if kept.len() == accesses.len() => kept.copy_from_slice(accesses),
            _ => {
                self.operation.accesses.clear();
                self.operation.accesses.extend_from_slice(accesses);
            }
        }
        self.operation.verb = label.verb;
        self.operation.joins = joins;
        self.operation.fence = None;
        self.label = *label;
        self.manner = Manner::of(&self.operation);
        self.poisons = None;
    }

    /// Whether it is nothing but its accesses.
    #[inline]
    pub(super) fn is_only_accesses(&self) -> bool {
        self.manner.special == Special::None && self.poisons.is_none()
    }

    /// Whether it is nothing but one access to something that has a value.
    #[inline]
    pub(super) fn is_one_access(&self) -> bool {
        match self.operation.accesses.as_slice() {
            [access] => self.is_only_accesses() && access.bytes == Bytes::ALL && !access.effect.is_of_messages(),
            _ => false,
        }
    }

    /// The same operation, which does this to those that wait on a condition variable.
    pub(crate) fn special(mut self, special: Special<Location>) -> Self {
        self.manner.special = special;
        if let Special::WakeOne(condvar) = special {
            self.manner.choices = Choices::Waiters(condvar);
        }
        self
    }

    /// The same operation, which waits like this.
    pub(crate) fn waiting(mut self, waiting: Waiting) -> Self {
        self.manner.waiting = waiting;
        self
    }

    /// The same operation, which chooses among so many alternatives.
    pub(crate) fn choosing(mut self, count: u32) -> Self {
        self.manner.choices = Choices::Among(count);
        self
    }

    /// The same operation, which poisons this lock, if there is one.
    pub(crate) fn poisoning(self, lock: Option<Location>) -> Self {
        Self { poisons: lock, ..self }
    }

    /// Whether it waits until its accesses can be carried out.
    pub(super) fn waits_at_accesses(&self) -> bool {
        matches!(self.manner.waiting, Waiting::Access | Waiting::Spin | Waiting::Turn)
    }

    /// The condition variable that the operation is one of. It puts no memory accesses in an order.
    pub(super) fn condvar(&self) -> Option<Location> {
        match self.manner.special {
            Special::None => None,
            Special::Enqueue(condvar)
            | Special::Dequeue(condvar)
            | Special::WakeOne(condvar)
            | Special::WakeAll(condvar) => Some(condvar),
        }
    }
}
