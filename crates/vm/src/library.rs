//! The functions that programs expect of their environment.
//!
//! A modelled function is called with its arguments, and answers what happens next: return, let other threads notice
//! something first, call back, end the thread. When that is done, it is called again at the stage that it named. One
//! that reads or writes memory of the program is a [script](crate::script): it does so in steps that others can notice,
//! as if it were written in C - strings byte by byte, `memcpy` and its like word by word.

mod barriers;
mod cancellation;
mod characters;
mod checks;
mod clock;
mod containers;
mod counters;
mod cxx;
mod environment;
mod exceptions;
mod format;
mod futex;
mod generic_atomics;
mod heap;
mod input;
mod jumps;
mod keys;
mod locks;
mod memory;
mod names;
mod numbers;
mod once;
mod phased_barriers;
mod print;
mod process;
mod scan;
mod semaphores;
mod sort;
mod stack;
mod streams;
mod strings;
mod text;
mod threads;
mod types;
mod verifier;
mod waiting;

pub(crate) use cancellation::REQUEST;
pub use environment::environment;
pub(crate) use jumps::Destination;
pub(crate) use names::{ATOMIC, find, is_random, takes_precedence};

use crate::access::Request;
use crate::calls::Arguments;
use crate::cell::Cell;
use crate::code::Looks;
use crate::failure::Failure;
use crate::ids::SectionId;
use crate::interpret::undecided;
use crate::machine::Machine;
use everyway_ir::FunctionId;
use everyway_runtime::ThreadId;
use smallvec::SmallVec;

/// How a function is modelled.
pub(crate) type Handler = fn(&mut Machine, &Invocation<'_>) -> Answer;
pub(crate) type Answer = Result<Reply, Failure>;

/// A call of a modelled function.
#[derive(Debug)]
pub(crate) struct Invocation<'a> {
    pub(crate) thread: ThreadId,
    /// How far it has got; 0 at the start.
    pub(crate) stage: u8,
    pub(crate) function: FunctionId,
    pub(crate) arguments: &'a [Cell],
    /// What the program wants to know of what it returns.
    pub(crate) looks: Looks,
    /// The atomic section that begins with it, if it is known what that touches.
    pub(crate) section: Option<SectionId>,
}

impl Invocation<'_> {
    /// An argument; undefined if the program does not pass that many.
    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.arguments.get(index).copied().unwrap_or(Cell::undefined(64))
    }

    /// An argument that the function depends on.
    pub(crate) fn number(&self, index: usize) -> Result<u64, Failure> {
        let cell = self.cell(index);
        if cell.is_defined() { Ok(cell.bits) } else { Err(undecided("what a library function does")) }
    }

    /// An argument of type `int`.
    pub(crate) fn int(&self, index: usize) -> Result<i32, Failure> {
        Ok(self.number(index)? as u32 as i32)
    }
}

/// What is to happen next.
#[derive(Debug)]
pub(crate) enum Reply {
    /// The function returns these lanes.
    Return(SmallVec<[Cell; 2]>),
    /// Others can notice this; the function goes on at its stage.
    Visible(Request),
    /// This function is called, and then the modelled one goes on; the result is in `outcome.before`.
    Enter { function: FunctionId, arguments: Arguments, stage: u8 },
    /// The thread ends with this result.
    End(Cell),
    /// The thread goes back to where `setjmp` was called.
    Jump(Destination),
    /// The exception that is under way goes on to where it is caught.
    Unwind,
    /// The thread does not go on: what it assumes does not hold.
    Stuck,
}

impl Reply {
    pub(crate) fn nothing() -> Answer {
        Ok(Reply::Return(SmallVec::new()))
    }

    pub(crate) fn cell(cell: Cell) -> Answer {
        Ok(Reply::Return(SmallVec::from_slice(&[cell])))
    }

    /// A pointer, or an integer of 64 bits.
    pub(crate) fn word(bits: u64) -> Answer {
        Self::cell(Cell::new(bits))
    }

    /// An `int`.
    pub(crate) fn int(value: i32) -> Answer {
        Self::word(u64::from(value as u32))
    }
}

/// `errno` values, as on Linux.
pub(crate) mod errno {
    pub(crate) const EPERM: i32 = 1;
    pub(crate) const EAGAIN: i32 = 11;
    pub(crate) const ENOMEM: i32 = 12;
    pub(crate) const EBUSY: i32 = 16;
    pub(crate) const EINVAL: i32 = 22;
    pub(crate) const ENOSYS: i32 = 38;
    pub(crate) const EDEADLK: i32 = 35;
    pub(crate) const ETIMEDOUT: i32 = 110;
}

impl Machine {
    /// Fails as library functions that return an `int` do: with -1, and the reason in `errno`.
    pub(crate) fn minus_one(&mut self, thread: ThreadId, reason: i32) -> Answer {
        self.set_errno(thread, reason);
        Reply::int(-1)
    }

    /// The same for those that return a `long`.
    pub(crate) fn syscall_fails(&mut self, thread: ThreadId, reason: i32) -> Answer {
        self.set_errno(thread, reason);
        Reply::word(u64::MAX)
    }

    pub(crate) fn set_errno(&mut self, thread: ThreadId, reason: i32) {
        let object = self.errno(thread);
        self.write(object, 0, 4, Cell::new(u64::from(reason as u32)));
    }
}

/// A function that does nothing and returns 0.
pub(crate) fn zero(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Reply::word(0)
}
