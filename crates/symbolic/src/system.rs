//! A program as a transition system: state variables, and for each thread the places where it can stand.
//!
//! Places are just before visible steps. A step is one action, which touches at most one shared location, and all
//! that the thread computes after it up to its next place. What a step does is written as terms over the state
//! variables before it, so that a time frame of Sect. 3.1 is these terms with the values of that frame.

use crate::term::{Term, Terms};
use everyway_ir::SourceLocation;

/// The program counter of a thread that does not exist yet.
pub const UNBORN: u16 = 0;
/// The program counter of a thread that has ended.
pub const ENDED: u16 = 1;
/// The program counter of a thread whose assumption does not hold.
pub const STUCK: u16 = 2;
/// The first program counter that is a place.
pub const FIRST: u16 = 3;
/// How wide program counters are; high bits that are never set cost nothing.
pub(crate) const COUNTER_BITS: u32 = 16;
/// How wide a pointer is: an object in the higher bits, and an offset in it in the lower ones. An offset is wide enough
/// for the multiples of sizes that an index of 32 bits can make, so that it does not wrap around into the object.
pub(crate) const POINTER_BITS: u32 = OBJECT_BITS + OFFSET_BITS;
pub(crate) const OBJECT_BITS: u32 = 16;
pub(crate) const OFFSET_BITS: u32 = 48;

/// How wide the value of a lock is.
pub(crate) const LOCK_BITS: u32 = 8;

/// What the program does that is not supported, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Unsupported {
    /// What it does.
    pub what: String,
    /// Where.
    pub location: Option<SourceLocation>,
}

/// A program as a transition system.
#[derive(Debug)]
pub struct System {
    /// The terms that everything is written in.
    pub terms: Terms,
    /// The variables of threads, their program counters among them.
    pub variables: Vec<StateVariable>,
    /// What threads share, by the number that pointers have for it.
    pub objects: Vec<Object>,
    /// The threads; the first one runs `main`.
    pub threads: Vec<Thread>,
    /// The inputs that were asked for before the first step, in order.
    pub first_inputs: Vec<Input>,
    /// The locks that are not free at the start: object, offset, value.
    pub first_locks: Vec<(u32, u32, u8)>,
    /// Whether the program fails before its first step, whatever its input is.
    pub fails_at_once: bool,
    /// When it fails before its first step.
    pub first_fails: Option<Term>,
    /// When it does something that is not supported before its first step.
    pub first_unsupported: Vec<(Term, Unsupported)>,
    /// The first place where something may depend on a value that was not set; it was taken for any value.
    pub uninitialised: Option<Unsupported>,
}

/// A variable of a thread, and what it starts with.
#[derive(Clone, Copy, Debug)]
pub struct StateVariable {
    /// The variable.
    pub term: Term,
    /// Its value in the initial state.
    pub initial: Term,
}

/// A value that comes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The free variable that stands for it.
    pub term: Term,
    /// How many bits of it the program gets.
    pub bits: u32,
    /// Whether it is a truth value.
    pub is_bool: bool,
}

/// Memory that threads share.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// What people call it.
    pub name: String,
    /// Its size in bytes.
    pub size: u32,
    /// Its bytes in the initial state; empty if it is no shared memory.
    pub bytes: Vec<Term>,
    /// Whether a pointer to it may be where the program does not show it: in a variable, in memory.
    pub is_held: bool,
}

/// A thread.
#[derive(Debug)]
pub struct Thread {
    /// What people call it.
    pub name: String,
    /// The variable that is its program counter.
    pub counter: Term,
    /// The variable that says whether a thread has joined it.
    pub joined: Term,
    /// The places where it can stand, from [`FIRST`] on.
    pub places: Vec<Place>,
}

impl Thread {
    /// The place with this program counter, if it is one.
    pub fn place(&self, counter: u16) -> Option<&Place> {
        self.places.get(usize::from(counter.checked_sub(FIRST)?))
    }
}

/// Where a thread can stand, and what its step from there does.
#[derive(Clone, Debug)]
pub struct Place {
    /// What the step does to what is shared.
    pub action: Action,
    /// What the step does to variables, in terms of their values before it.
    pub effect: Effect,
    /// Where in the source.
    pub location: Option<SourceLocation>,
}

/// What a step does to what is shared.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing: the step is there to end a loop that does nothing visible.
    Nothing,
    /// It takes a value from outside.
    Input(Input),
    /// It touches memory or a lock.
    Access(Access),
    /// It waits for a thread to end.
    Join {
        /// The number of the thread, from 1 on.
        handle: Term,
    },
}

/// An access to one scalar in shared memory, or to a lock.
#[derive(Clone, Debug)]
pub struct Access {
    /// Whether it is a lock that is accessed, not the memory it lies in.
    pub kind: AccessKind,
    /// The pointer.
    pub address: Term,
    /// How many bytes.
    pub bytes: u32,
    /// What offsets are multiples of, as far as is known.
    pub divisor: u32,
    /// The free variable that stands for the value before.
    pub old: Term,
    /// The value after, if it is written, in terms of `old`.
    pub new: Option<Term>,
    /// What must hold of `old` for the step to be possible.
    pub enabled: Option<Term>,
}

/// What an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// The bytes of an object.
    Memory,
    /// The lock that lies there: 0, or the number of its holder.
    Lock,
}

/// What a step does to variables.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The variables that it changes, and their values after it.
    pub assigned: Vec<(Term, Term)>,
    /// The program counters that its thread may have after it.
    pub successors: Vec<u16>,
    /// The threads that it may start, with the program counters that they may have then.
    pub started: Vec<(usize, Vec<u16>)>,
    /// The objects of one thread that others can reach after it.
    pub published: Vec<Published>,
    /// When the step fails; what fails is found out by running it.
    pub fails: Option<Term>,
    /// When the step does something that is not supported.
    pub unsupported: Vec<(Term, Unsupported)>,
}

/// An object that only one thread could reach so far.
#[derive(Clone, Debug)]
pub struct Published {
    /// The number that pointers have for it.
    pub object: u32,
    /// When others can reach it.
    pub when: Term,
    /// Its bytes.
    pub bytes: Vec<Term>,
}
