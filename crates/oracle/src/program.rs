//! A tiny concurrent language as data: what the engine is tested with.
//!
//! A program is a list of threads over shared locations and registers of their own. Threads that no statement
//! spawns exist from the start. A thread's id is its position in the list, in every execution.
//!
//! Statements that touch shared locations, joins and choices are visible; the others are local and run as part
//! of the step before them.

mod text;

pub use everyway_runtime::{Condition, Ordering};

/// A register of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register(pub u8);

/// How many registers a thread has.
pub const REGISTERS: usize = 8;

/// The value of a reader-writer lock that a writer holds; the readers are counted below it.
pub const WRITER: u64 = 1 << 32;

/// A constant or what a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// This number.
    Number(u64),
    /// What the register holds.
    Held(Register),
}

/// A shared location, perhaps an element of an array, and how it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The location, or the first one of the array.
    pub base: u32,
    /// The register that holds the index.
    pub index: Option<Register>,
    /// The memory ordering of the access.
    pub ordering: Ordering,
    /// That of an access whose condition is not met: of a compare-exchange that fails.
    pub ordering_unmet: Ordering,
}

impl Place {
    /// The location with this number.
    pub const fn at(base: u32) -> Self {
        Self { base, index: None, ordering: Ordering::SeqCst, ordering_unmet: Ordering::SeqCst }
    }

    /// The element of the array from `base` on whose index `register` holds.
    pub const fn element(base: u32, register: Register) -> Self {
        Self { index: Some(register), ..Self::at(base) }
    }

    /// The same place, accessed with this memory ordering.
    pub const fn ordered(self, ordering: Ordering) -> Self {
        self.ordered_or(ordering, ordering)
    }

    /// The same place, accessed with the second ordering where the condition of the access is not met.
    pub const fn ordered_or(self, ordering: Ordering, ordering_unmet: Ordering) -> Self {
        Self { base: self.base, index: self.index, ordering, ordering_unmet }
    }
}

/// A queue, and which of its messages are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inbox {
    /// The queue.
    pub queue: Place,
    /// What a message must meet to be taken.
    pub matching: Condition,
}

impl From<Place> for Inbox {
    /// All messages of the queue.
    fn from(queue: Place) -> Self {
        Self { queue, matching: Condition::Always }
    }
}

/// Arithmetic on registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Sum, wrapping.
    Plus,
    /// Difference, wrapping.
    Minus,
    /// Remainder.
    Modulo,
}

/// A condition on a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The register.
    pub register: Register,
    /// What its value must meet.
    pub condition: Condition,
}

/// A loop that goes round until a round succeeds, and does nothing otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spin {
    /// Reads places, which are all different, one after the other; goes round at the first one that does not meet its
    /// condition.
    Reads(Vec<(Register, Place, Condition)>),
    /// Exchanges what the place holds for this until it is something else.
    Exchange(Register, Place, u64),
    /// Replaces the first value by the second one; goes round while it is not there.
    CompareExchange(Register, Place, u64, u64),
    /// Reads, and replaces what was read by that plus a number; reads again while it is something else. The register has
    /// what was replaced. It ends without doing so if that is [`UPDATED`] or more.
    Update(Register, Place, u64),
}

/// What an [update](Spin::Update) may find.
pub const UPDATED: u64 = 32;

/// What a thread can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Reads.
    Load(Register, Place),
    /// Writes.
    Store(Place, Value),
    /// Reads one byte (0 to 7) of a location.
    LoadByte(Register, Place, u8),
    /// Writes one byte of a location.
    StoreByte(Place, u8, Value),
    /// Adds; the result is not used, so that adds commute.
    Add(Place, u64),
    /// Adds, and tells the old value.
    FetchAdd(Register, Place, u64),
    /// Replaces the first value by the second one if it is there; tells whether it was (1 or 0).
    CompareExchange(Register, Place, Value, Value),
    /// Replaces, and tells the old value.
    Exchange(Register, Place, Value),
    /// Reads once the condition is met.
    Await(Register, Place, Condition),
    /// Replaces once the old value meets the condition, and tells it.
    AwaitExchange(Register, Place, Condition, Value),
    /// Waits until one of the places, which are all different, holds something else than the register beside it.
    AwaitChange(Vec<(Register, Place)>),
    /// Reads one byte once it meets the condition.
    AwaitByte(Register, Place, u8, Condition),
    /// Takes a mutex.
    Lock(Place),
    /// Gives a mutex back.
    Unlock(Place),
    /// Takes a mutex if it is free; tells whether it was (1 or 0).
    TryLock(Register, Place),
    /// Takes a reader-writer lock together with other readers.
    ReadLock(Place),
    /// Gives it back.
    ReadUnlock(Place),
    /// Takes a reader-writer lock alone.
    WriteLock(Place),
    /// Gives it back.
    WriteUnlock(Place),
    /// Decrements a semaphore once it is 1 or more.
    Acquire(Place),
    /// Waits for a notification of a condition variable, without the mutex.
    Wait {
        /// The condition variable.
        condvar: Place,
        /// The mutex.
        mutex: Place,
    },
    /// Wakes one of those that wait, if any.
    NotifyOne(Place),
    /// Wakes all that wait.
    NotifyAll(Place),
    /// Appends a message to a queue.
    Send(Place, Value),
    /// Takes the oldest matching message from a queue once there is one. A queue has one receiving thread.
    Receive(Register, Inbox),
    /// Takes the oldest matching message plus one from a queue, or 0 if there is none: a receive that may time out.
    TryReceive(Register, Inbox),
    /// Takes the oldest matching message plus one from a queue, or 0 once there is none and the second location holds
    /// 0: the number of threads that may still send.
    ReceiveUnlessClosed(Register, Inbox, Place),
    /// Takes the oldest matching message plus two from a queue, or 1 if there is none but might be, or 0 if no thread may
    /// send.
    TryReceiveUnlessClosed(Register, Inbox, Place),
    /// Appends a message to a queue once the second location, the number of free slots, is 1 or more.
    SendBounded(Place, Place, Value),
    /// Takes the oldest matching message from a queue once there is one, and frees its slot.
    ReceiveBounded(Register, Inbox, Place),
    /// Ends all of these places, which are all different, at once. Who accesses one of them afterwards learns nothing, and goes
    /// no further.
    Free(Vec<Place>),
    /// A fence.
    Fence(Ordering),
    /// Starts a thread. Each thread has at most one statement that starts it.
    Spawn(u32),
    /// Waits for the end of a thread.
    Join(u32),
    /// Any number below the given one.
    Choose(Register, u32),
    /// Computes.
    Compute(Register, Value, Arithmetic, Value),
    /// Gives up, for good, unless the test succeeds.
    Assume(Test),
    /// Runs the body if the test succeeds.
    If(Test, Vec<Statement>),
    /// Runs the body while the test succeeds.
    While(Test, Vec<Statement>),
    /// Spins. A machine runs it with [awaits](crate::spin::Loops::Awaits); [`crate::spin`] has the other ways.
    Spin(Spin),
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// How many locations there are.
    pub locations: u32,
    /// The locations that do not start with 0.
    pub initial: Vec<(u32, u64)>,
    /// The threads.
    pub threads: Vec<Vec<Statement>>,
}

impl Statement {
    /// What the statement receives from, if it is a receive.
    pub fn inbox(&self) -> Option<&Inbox> {
        match self {
            Statement::Receive(_, inbox)
            | Statement::TryReceive(_, inbox)
            | Statement::ReceiveUnlessClosed(_, inbox, _)
            | Statement::TryReceiveUnlessClosed(_, inbox, _)
            | Statement::ReceiveBounded(_, inbox, _) => Some(inbox),
            _ => None,
        }
    }

    /// Where the statement sends what, if it is a send.
    pub fn sending(&self) -> Option<(&Place, &Value)> {
        match self {
            Statement::Send(queue, message) | Statement::SendBounded(queue, _, message) => Some((queue, message)),
            _ => None,
        }
    }
}

impl Program {
    /// A program of these threads with all of `locations` holding 0.
    pub fn new(locations: u32, threads: Vec<Vec<Statement>>) -> Self {
        Self { locations, initial: Vec::new(), threads }
    }

    /// The same program where `location` starts with `value`.
    #[must_use]
    pub fn starting_with(mut self, location: u32, value: u64) -> Self {
        self.initial.push((location, value));
        self
    }
}
