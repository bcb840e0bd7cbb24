//! The ids of threads, events, locations and steps.
//!
//! Ids are dense `u32`s, so data about them lives in plain vectors. They print the way the engine's messages spell
//! them.

use everyway_ids::id;
use std::fmt;

id!(
    /// A thread, under a name that does not depend on the interleaving: the `k`-th child of one parent has
    /// the same id in every execution. Wakeup trees are carried from one execution to another, and rely on it.
    ThreadId,
    "t"
);

id!(
    /// An event of the current execution: its position in it.
    EventId,
    "e"
);

id!(
    /// What an access touches: a unit of at most eight bytes of memory, or a synchronisation object.
    ///
    /// A location has the same id in all executions: ids are assigned from names - an object by its static, or by
    /// which thread made it and how many that one had made before, and the offset in it - that depend on nothing but
    /// what happens before. Sleep sets, wakeup trees and schedules are carried from one execution to another, and rely
    /// on it.
    Location,
    "x"
);

/// One step of an execution: a thread, and the alternative it takes where its operation offers several.
///
/// This is what the papers call a process: two alternatives of one operation are two steps that disable each
/// other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The thread that moves.
    pub thread: ThreadId,
    /// Which of the alternatives of its operation it takes; 0 where there is only one.
    pub choice: u32,
}

impl Step {
    /// The step of `thread` that takes the first alternative.
    pub fn of(thread: ThreadId) -> Self {
        Self { thread, choice: 0 }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.choice {
            0 => write!(f, "{}", self.thread),
            c => write!(f, "{}:{c}", self.thread),
        }
    }
}
