//! The parts of an announcement beside its operation: how the thread waits, among what it chooses, and how it affects
//! waiting threads.
//!
//! Queues of waiting threads are named by the front end (`Q`).

use crate::ids::ThreadId;
use crate::operation::Operation;

/// Whether an operation waits, and for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It never does.
    Never,
    /// Until its accesses can be carried out.
    Access,
    /// Like [`Waiting::Access`], but the program would really spin.
    Spin,
    /// Like [`Waiting::Access`], but the program could really go on: it lets others go first.
    Turn,
    /// Until this thread ends.
    Join(ThreadId),
    /// For ever: an assumption does not hold.
    Assumption,
}

impl Waiting {
    /// How an operation waits by itself.
    #[inline]
    pub fn of(operation: &Operation) -> Self {
        match operation.joins {
            Some(thread) => Waiting::Join(thread),
            None if operation.may_block() => Waiting::Access,
            None => Waiting::Never,
        }
    }
}

/// Among what an operation chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices<Q> {
    /// There is no choice.
    One,
    /// So many alternatives.
    Among(u32),
    /// Those that wait here.
    Waiters(Q),
}

/// What an operation does beyond its accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special<Q> {
    /// Nothing.
    None,
    /// The thread joins those that wait here, if the condition of the access that ends the operation is met.
    Enqueue(Q),
    /// The thread leaves those that wait here, if the operation ends with its last access.
    Dequeue(Q),
    /// One of those that wait here is woken: each is an alternative.
    WakeOne(Q),
    /// All that wait here are woken.
    WakeAll(Q),
}

/// What a thread announces beside its operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner<Q> {
    /// How it waits.
    pub waiting: Waiting,
    /// Among what it chooses.
    pub choices: Choices<Q>,
    /// What it does beyond its accesses.
    pub special: Special<Q>,
}

impl<Q> Manner<Q> {
    /// Of an operation that neither waits nor chooses, and is nothing but its accesses.
    pub const PLAIN: Self = Self { waiting: Waiting::Never, choices: Choices::One, special: Special::None };

    /// Of an operation that is nothing but its accesses.
    #[inline]
    pub fn of(operation: &Operation) -> Self {
        Self { waiting: Waiting::of(operation), ..Self::PLAIN }
    }
}

/// What came of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The access that ended it.
    pub last: u32,
    /// The value of its location before that access.
    pub before: u64,
    /// Whether that access changed its location, or might have.
    pub changed: bool,
    /// Whether that access is the last of the operation.
    pub is_last: bool,
    /// The alternative that was chosen.
    pub choice: u32,
    /// Whether the thread has joined those that wait.
    pub enqueued: bool,
    /// How many threads were woken.
    pub woken: u32,
}
