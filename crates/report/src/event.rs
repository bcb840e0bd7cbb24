//! One event of an execution: in words, and as data that a picture can be drawn from.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Source;

/// An event of an execution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The thread, as an index into the execution's threads.
    pub thread: usize,
    /// What was done: `load`, `lock`, `fetch_add`.
    pub operation: String,
    /// To what: `AtomicU32 #2`, `x`. Empty if to nothing.
    pub object: String,
    /// What came of it: the value that was read, `1 -> 2`, `failed`. Empty if nothing did.
    pub value: String,
    /// Where in the program.
    pub source: Option<Source>,
    /// The events that happen before this one with no other in between, as indices.
    pub happens_after: Vec<usize>,
    /// The events whose writes this one read, as indices.
    pub reads_from: Vec<usize>,
    /// What it did to threads, locks and objects. Empty if the front end does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
    /// The memory ordering, as the language spells it. Empty if there is none, or if it makes no difference.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ordering: String,
    /// The calls that lead to it, the innermost first; `source` is where that one is. Empty if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The events that this one synchronises with: their releases are acquired by it. As indices; empty if the front
    /// end does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synchronises_with: Vec<usize>,
    /// The events whose writes this one could have read instead, as indices, where everything that does not depend on it
    /// is as it is. Only where the memory model leaves a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub could_read: Vec<usize>,
    /// Whether it could have read the initial value instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub could_read_initial: bool,
    /// The event whose write comes right before the one of this event in the modification order of their object, as an
    /// index. Only for objects whose modification order is not the order of the events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overwrites: Option<usize>,
}

/// What was done: `fetch_add AtomicU32 #2: 1 -> 2`. Neither the thread nor the place is part of it.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.operation)?;
        match (self.object.is_empty(), self.value.is_empty()) {
            (true, true) => Ok(()),
            (true, false) => write!(f, " {}", self.value),
            (false, true) => write!(f, " {}", self.object),
            (false, false) => write!(f, " {}: {}", self.object, self.value),
        }
    }
}

/// One thing that an event did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Effect {
    /// A thread was started.
    Starts {
        /// The thread, as an index into the execution's threads.
        thread: usize,
    },
    /// The end of a thread was waited for, and is known.
    Joins {
        /// The thread, as an index into the execution's threads.
        thread: usize,
    },
    /// A lock was taken. One that is held by its thread already is held once more.
    Acquires {
        /// The lock, as events call it.
        object: String,
        /// Whether others can hold it as well.
        mode: Mode,
    },
    /// A lock was given back.
    Releases {
        /// The lock, as events call it.
        object: String,
    },
    /// The object was found to have a value.
    Reads {
        /// The object, as events call it.
        object: String,
        /// The value, as events show it.
        value: String,
    },
    /// The object has a value from here on, be it the one that it had.
    Writes {
        /// The object, as events call it.
        object: String,
        /// The value, as events show it.
        value: String,
    },
    /// The thread waits from here to its next event.
    Waits {
        /// What for: an object, as events call it.
        object: String,
    },
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// By one thread.
    Exclusive,
    /// By any number of threads.
    Shared,
}

/// A call that an event is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub function: String,
    /// Where in it: of the innermost the event, of any other the call of the next inner one.
    pub source: Option<Source>,
    /// How many calls between this one and the next outer one are left out: of a deep recursion, the middle says nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
