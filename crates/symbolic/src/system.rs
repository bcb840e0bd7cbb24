//! A program as a transition system: state variables, and for each thread the places where it can stand.
//!
//! Places are just before visible steps. A step is one action, which touches few shared locations, most often one, and
//! all that the thread computes after it up to its next place. What a step does is written as terms over the state
//! variables before it, so that a time frame of Sect. 3.1 is these terms with the values of that frame.

use crate::term::{Node, Term, Terms};
use everyway_ir::SourceLocation;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// The program counter of a thread that does not exist yet.
pub const UNBORN: u16 = 0;
/// The program counter of a thread that has ended.
pub const ENDED: u16 = 1;
/// The program counter of a thread whose assumption does not hold.
pub const STUCK: u16 = 2;
/// The program counter of a thread that has ended the program: the others need not get anywhere.
pub const EXITED: u16 = 3;
/// The program counter of a thread whose assumption does not hold, in an atomic section: no other thread goes on.
pub const STUCK_INSIDE: u16 = 4;
/// The first program counter that is a place.
pub const FIRST: u16 = 5;
/// How wide program counters are; high bits that are never set cost nothing.
pub(crate) const COUNTER_BITS: u32 = 16;
/// How wide a pointer is: an object in the higher bits, and an offset in it in the lower ones. An offset is wide enough
/// for the multiples of sizes that an index of 32 bits can make, so that it does not wrap around into the object.
pub(crate) const POINTER_BITS: u32 = OBJECT_BITS + OFFSET_BITS;
pub(crate) const OBJECT_BITS: u32 = 16;
pub(crate) const OFFSET_BITS: u32 = 48;

/// How wide the value of a synchronisation object is; high bits that are never set cost nothing.
pub(crate) const SYNC_BITS: u32 = 64;

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
    pub first_inputs: Vec<FirstInput>,
    /// What is to hold after every step.
    pub invariant: Option<Invariant>,
    /// The threads that are started before the first step.
    pub first_started: Vec<Started>,
    /// How many beginnings and ends of atomic sections each thread comes by before the first step.
    pub first_passed: Vec<(usize, Term)>,
    /// The synchronisation objects that were used before the start: object and offset, and the value.
    pub first_syncs: BTreeMap<(u32, u32), Term>,
    /// The objects that are gone at the start.
    pub first_dead: Vec<u32>,
    /// Whether the program fails before its first step, whatever its input is.
    pub fails_at_once: bool,
    /// When it fails before its first step.
    pub first_fails: Option<Term>,
    /// When it does something that is not supported before its first step.
    pub first_unsupported: Vec<(Term, Unsupported)>,
    /// The first place where something may depend on a value that was not initialised; it was taken for any value.
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

/// A property of the state.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// What people call it.
    pub name: String,
    /// What it reads, in an order in which no address depends on a later read.
    pub reads: Vec<Access>,
    /// That it holds, in terms of what was read.
    pub holds: Term,
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

/// A value that came from outside before the first step.
#[derive(Clone, Copy, Debug)]
pub struct FirstInput {
    /// The value.
    pub input: Input,
    /// When it was asked for.
    pub when: Term,
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
    /// The variable that says what others have done about its end: see [`JOINED`] and [`DETACHED`].
    pub settled: Term,
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
    /// Whether it is in an atomic section.
    pub section: Section,
    /// Whether it may change what the invariant reads.
    pub is_observed: bool,
    /// Where in the source.
    pub location: Option<SourceLocation>,
}

impl Place {
    /// Whether the step waits until memory has a certain value.
    pub(crate) fn waits_for_value(&self) -> bool {
        let waits = |access: &Access| access.kind == AccessKind::Memory && access.enabled.is_some();
        self.action.accesses.iter().any(waits)
    }
}

/// What a step does to what is shared.
#[derive(Clone, Debug, Default)]
pub struct Action {
    /// The locations that it touches; no two of them can be the same.
    pub accesses: SmallVec<[Access; 1]>,
    /// What it takes from outside.
    pub choice: Choice,
    /// What it does about the end of a thread.
    pub settles: Option<Settles>,
    /// The thread that it starts itself, by writing its number.
    pub creates: Option<usize>,
    /// How many steps of its thread a machine that runs the program takes for it and just before it.
    pub run_as: RunAs,
}

/// How a step is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunAs {
    /// Not at all: the step is there to end a loop that does nothing visible.
    #[default]
    Nothing,
    /// As one step.
    One,
    /// As two, of which the first one makes no difference to others.
    Two,
}

/// What a step takes from outside.
#[derive(Clone, Copy, Debug, Default)]
pub enum Choice {
    /// Nothing.
    #[default]
    None,
    /// A value.
    Input(Input),
    /// Which thread is woken, of those that wait.
    Waiter {
        /// The free variable that decides.
        term: Term,
        /// The threads that wait, a bit for each.
        waiting: Term,
        /// The one that is woken, as a bit.
        woken: Term,
    },
}

/// What a step does about the end of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Settles {
    /// The number of the thread, from 1 on.
    pub handle: Term,
    /// Whether it waits for the end, or declares that no thread will.
    pub how: Settling,
}

/// Whether the end of a thread is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settling {
    /// It is.
    Join,
    /// It will not be.
    Detach,
}

/// How wide the variable is that says what others have done about the end of a thread.
pub(crate) const SETTLED_BITS: u32 = 2;
/// The end of the thread was waited for.
pub const JOINED: u128 = 1;
/// The end of the thread is not waited for.
pub const DETACHED: u128 = 2;

/// An access to one scalar in shared memory, or to a synchronisation object.
#[derive(Clone, Debug)]
pub struct Access {
    /// What is accessed at the address.
    pub kind: AccessKind,
    /// The pointer.
    pub address: Term,
    /// How many bytes.
    pub bytes: u32,
    /// Whether it is to memory, and not atomic.
    pub is_plain: bool,
    /// What offsets are multiples of, as far as is known.
    pub divisor: u32,
    /// The free variable that stands for the value before.
    pub old: Term,
    /// The value after, if it is written, in terms of `old`.
    pub new: Option<Term>,
    /// What must hold of `old` for the step to be possible.
    pub enabled: Option<Term>,
}

impl Access {
    /// When the access changes something, and what it leaves then: to write what was there before is to write nothing,
    /// and what was there need not be known for that.
    pub(crate) fn changes(&self, terms: &mut Terms, new: Term) -> (Term, Term) {
        match terms.node(new) {
            Node::Choose(condition, value, before) if before == self.old => (condition, value),
            Node::Choose(condition, before, value) if before == self.old => (terms.not(condition), value),
            _ => (terms.bool(true), new),
        }
    }
}

/// What an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// The bytes of an object.
    Memory,
    /// The synchronisation object that lies there: 0 if it is untouched; what else it holds is for `build` to say.
    Sync,
    /// Whether the object is gone.
    Life,
}

/// Where a place is with respect to atomic sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// In none.
    #[default]
    Outside,
    /// At the first visible step of one: it begins with that step.
    Enters,
    /// In one that has begun: while a thread stands here, no other one can move.
    Inside,
}

/// What a step does to variables.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The variables that it changes, and their values after it.
    pub assigned: Vec<(Term, Term)>,
    /// The program counters that its thread may have after it.
    pub successors: Vec<u16>,
    /// Whether its thread may be inside of an atomic section after it.
    pub goes_inside: bool,
    /// The threads that it may start; those of one thread in their order.
    pub started: Vec<Started>,
    /// How many beginnings and ends of atomic sections each thread comes by after the action, which are steps only for
    /// a machine that runs the program.
    pub passed: Vec<(usize, Term)>,
    /// The objects of one thread that others can reach after it.
    pub published: Vec<Published>,
    /// When the step fails; what fails is found out by running it.
    pub fails: Option<Term>,
    /// When the step does something that is not supported.
    pub unsupported: Vec<(Term, Unsupported)>,
}

/// A thread that may be started.
#[derive(Clone, Debug)]
pub struct Started {
    /// By whom.
    pub parent: usize,
    /// The thread.
    pub child: usize,
    /// The program counters that it may have then.
    pub counters: Vec<u16>,
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
