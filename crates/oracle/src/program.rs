//! A tiny concurrent language as data: what the engine is tested with.
//!
//! A program is a list of threads over shared locations and registers of their own. Threads that no statement
//! spawns exist from the start. A thread's id is its position in the list, in every execution.
//!
//! Statements that touch shared locations, joins and choices are visible; the others are local and run as part
//! of the step before them.

pub use everyway_explore::Condition;
use std::fmt;

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

/// A shared location, perhaps an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The location, or the first one of the array.
    pub base: u32,
    /// The register that holds the index.
    pub index: Option<Register>,
}

impl Place {
    /// The location with this number.
    pub const fn at(base: u32) -> Self {
        Self { base, index: None }
    }

    /// The element of the array from `base` on whose index `register` holds.
    pub const fn element(base: u32, register: Register) -> Self {
        Self { base, index: Some(register) }
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
    /// Reads once the condition is met.
    Await(Register, Place, Condition),
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
    /// Takes the next message from a queue once there is one. A queue has one receiving thread.
    Receive(Register, Place),
    /// Takes the next message plus one from a queue, or 0 if there is none.
    TryReceive(Register, Place),
    /// Takes the next message plus one from a queue, or 0 once there is none and the second location holds 0: the
    /// number of those who may still send.
    ReceiveUnlessClosed(Register, Place, Place),
    /// Appends a message to a queue once the second location, the number of free slots, is 1 or more.
    SendBounded(Place, Place, Value),
    /// Takes the next message from a queue once there is one, and frees its slot.
    ReceiveBounded(Register, Place, Place),
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

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Held(register) => register.fmt(f),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "x{}", self.base),
            Some(register) => write!(f, "x[{} + {register}]", self.base),
        }
    }
}

struct Shown(Condition);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::Always => write!(f, "is anything"),
            Condition::Equals(v) => write!(f, "= {v}"),
            Condition::Differs(v) => write!(f, "!= {v}"),
            Condition::AtLeast(v) => write!(f, ">= {v}"),
            Condition::Below(v) => write!(f, "< {v}"),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.register, Shown(self.condition))
    }
}

impl Statement {
    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        write!(f, "{:indent$}", "")?;
        match self {
            Statement::Load(to, place) => writeln!(f, "{to} = {place}"),
            Statement::Store(place, value) => writeln!(f, "{place} = {value}"),
            Statement::LoadByte(to, place, byte) => writeln!(f, "{to} = byte {byte} of {place}"),
            Statement::StoreByte(place, byte, value) => writeln!(f, "byte {byte} of {place} = {value}"),
            Statement::Add(place, n) => writeln!(f, "{place} += {}", *n as i64),
            Statement::FetchAdd(to, place, n) => writeln!(f, "{to} = fetch-add {place}, {}", *n as i64),
            Statement::CompareExchange(to, place, expected, new) => {
                writeln!(f, "{to} = compare-exchange {place}, {expected} -> {new}")
            }
            Statement::Await(to, place, condition) => writeln!(f, "{to} = await {place} {}", Shown(*condition)),
            Statement::AwaitByte(to, place, byte, condition) => {
                writeln!(f, "{to} = await byte {byte} of {place} {}", Shown(*condition))
            }
            Statement::Lock(mutex) => writeln!(f, "lock {mutex}"),
            Statement::Unlock(mutex) => writeln!(f, "unlock {mutex}"),
            Statement::TryLock(to, mutex) => writeln!(f, "{to} = trylock {mutex}"),
            Statement::ReadLock(lock) => writeln!(f, "read-lock {lock}"),
            Statement::ReadUnlock(lock) => writeln!(f, "read-unlock {lock}"),
            Statement::WriteLock(lock) => writeln!(f, "write-lock {lock}"),
            Statement::WriteUnlock(lock) => writeln!(f, "write-unlock {lock}"),
            Statement::Acquire(semaphore) => writeln!(f, "acquire {semaphore}"),
            Statement::Wait { condvar, mutex } => writeln!(f, "wait {condvar} with {mutex}"),
            Statement::NotifyOne(condvar) => writeln!(f, "notify-one {condvar}"),
            Statement::NotifyAll(condvar) => writeln!(f, "notify-all {condvar}"),
            Statement::Send(queue, value) => writeln!(f, "send {queue}, {value}"),
            Statement::Receive(to, queue) => writeln!(f, "{to} = receive {queue}"),
            Statement::TryReceive(to, queue) => writeln!(f, "{to} = try-receive {queue}"),
            Statement::ReceiveUnlessClosed(to, queue, senders) => {
                writeln!(f, "{to} = receive {queue} unless {senders} = 0")
            }
            Statement::SendBounded(queue, slots, value) => writeln!(f, "send {queue}, {value} with a slot of {slots}"),
            Statement::ReceiveBounded(to, queue, slots) => writeln!(f, "{to} = receive {queue} with a slot of {slots}"),
            Statement::Spawn(thread) => writeln!(f, "spawn t{thread}"),
            Statement::Join(thread) => writeln!(f, "join t{thread}"),
            Statement::Choose(to, among) => writeln!(f, "{to} = any below {among}"),
            Statement::Compute(to, a, Arithmetic::Plus, b) => writeln!(f, "{to} = {a} + {b}"),
            Statement::Compute(to, a, Arithmetic::Minus, b) => writeln!(f, "{to} = {a} - {b}"),
            Statement::Compute(to, a, Arithmetic::Modulo, b) => writeln!(f, "{to} = {a} % {b}"),
            Statement::Assume(test) => writeln!(f, "assume {test}"),
            Statement::If(test, body) => {
                writeln!(f, "if {test}:")?;
                body.iter().try_for_each(|statement| statement.write(f, indent + 2))
            }
            Statement::While(test, body) => {
                writeln!(f, "while {test}:")?;
                body.iter().try_for_each(|statement| statement.write(f, indent + 2))
            }
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (location, value) in &self.initial {
            writeln!(f, "initially x{location} = {value}")?;
        }
        for (thread, body) in self.threads.iter().enumerate() {
            if !body.is_empty() {
                writeln!(f, "t{thread}:")?;
                body.iter().try_for_each(|statement| statement.write(f, 2))?;
            }
        }
        Ok(())
    }
}
