//! Faults as failures: what went wrong, in words of the program.

use crate::arithmetic::Fault;
use crate::failure::Failure;
use crate::interpret::undecided;
use crate::machine::Machine;
use crate::memory::{Life, MemoryFault};
use everyway_explore::ThreadId;
use everyway_ir::SourceLocation;
use everyway_report::BugKind;

impl From<Fault> for Failure {
    #[cold]
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::ZeroDivisor => Failure::new(BugKind::DivisionByZero, "division by zero"),
            Fault::DivisionOverflow => {
                Failure::new(BugKind::DivisionByZero, "the least integer is divided by -1, which overflows")
            }
            Fault::UndefinedDivisor => undecided("a division"),
        }
    }
}

impl Machine {
    #[cold]
    pub(crate) fn memory_failure(&self, fault: MemoryFault) -> Failure {
        match fault {
            MemoryFault::Null { offset: 0 } => Failure::new(BugKind::NullPointer, "the null pointer is followed"),
            MemoryFault::Null { offset } => {
                Failure::new(BugKind::NullPointer, format!("a pointer is followed that is {offset} bytes from null"))
            }
            MemoryFault::Wild { address } => {
                Failure::new(BugKind::InvalidPointer, format!("{address:#x} is followed, which points to nothing"))
            }
            MemoryFault::OutOfBounds { object, offset, size } => {
                let bound = self.memory.object(object).state.size;
                let name = self.object_name(object);
                let message = format!("{size} bytes at offset {offset} of {name}, which has {bound} bytes");
                Failure::new(BugKind::OutOfBounds, message)
            }
            MemoryFault::Dead { object, offset } => {
                let name = self.object_name_at(object, offset);
                let gone = match self.memory.object(object).state.life {
                    Life::Freed => "has been freed",
                    _ => "is gone: its function has returned",
                };
                Failure::new(BugKind::UseAfterFree, format!("{name} is accessed, which {gone}"))
            }
            MemoryFault::Constant { object } => {
                let name = self.object_name(object);
                Failure::new(BugKind::InvalidPointer, format!("{name} is written, which is constant"))
            }
            MemoryFault::NotData { object } => {
                let name = self.object_name(object);
                Failure::new(BugKind::InvalidPointer, format!("{name} is accessed as data"))
            }
        }
    }

    /// `failure` with the thread and the place where it happened.
    #[cold]
    pub(crate) fn locate_failure(&self, thread: usize, failure: Failure) -> Failure {
        let location = failure.location.or_else(|| self.place_of(thread));
        Failure { location, thread: failure.thread.or(Some(ThreadId::new(thread))), ..failure }
    }

    /// Where in the source a thread is: in its innermost frame that comes from there.
    pub(crate) fn place_of(&self, thread: usize) -> Option<SourceLocation> {
        let frames = self.threads[thread].frames.iter().rev();
        frames.filter_map(|frame| self.place(frame.function, frame.pc)).next()
    }

    /// The place of an instruction in the source.
    pub(crate) fn place(&self, function: u32, pc: u32) -> Option<SourceLocation> {
        self.code.body(function)?.places.get(pc as usize).copied()?
    }
}
