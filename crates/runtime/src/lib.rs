//! The common ground of the front ends, below their languages, and their interface to the engine.
//!
//! An [`Operation`] is what a thread announces before it moves: a short list of guarded accesses to locations, with
//! their memory orderings. [`Execution`] is a program that can be run one such step at a time, and rewound: what a
//! front end provides to the engine.
//!
//! This crate knows no language, and no strategy.

mod announcement;
mod bytes;
mod carry_out;
mod clock;
mod condition;
mod effect;
mod execution;
mod few;
mod ids;
mod mailbox;
mod modification_order;
mod names;
mod operation;
mod ordering;
mod races;
mod synchronisation;
mod thread_set;
mod verb;
mod waiters;

pub use announcement::{Choices, Manner, Outcome, Special, Waiting};
pub use bytes::Bytes;
pub use carry_out::{Carried, Store, carry_out, take_effect};
pub use clock::{Clock, Epoch};
pub use condition::Condition;
pub use effect::Effect;
pub use execution::{Execution, Halt, Performed, Source, State, Status, blocked, ready};
pub use few::append_few;
pub use ids::{EventId, Location, Step, ThreadId};
pub use mailbox::{Matching, Message, oldest};
pub use modification_order::ModificationOrders;
pub use names::{NotAPath, ThreadPath, Threads};
pub use operation::{
    Access, Class, Evaluation, Footprint, Operation, Resolved, Then, Visit, conflict, evaluate, potentials,
};
pub use ordering::Ordering;
pub use races::{Race, Races, Stamp, Touch};
pub use synchronisation::{Site, Weak};
pub use thread_set::ThreadSet;
pub use verb::Verb;
pub use waiters::{Reasons, Waiters};
