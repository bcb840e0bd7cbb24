//! Faults as failures: what went wrong, in words of the program.

use crate::arithmetic::Fault;
use crate::describe::Wording;
use crate::failure::Failure;
use crate::interpret::undecided;
use crate::machine::Machine;
use crate::memory::MemoryFault;
use everyway_report::BugKind;
use everyway_runtime::ThreadId;

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
                let wording = Wording::new(self);
                let (name, allocated) = (wording.object(object), wording.allocated(object));
                let message = format!("{size} bytes at offset {offset} of {name}, which has {bound} bytes{allocated}");
                Failure::new(BugKind::OutOfBounds, message)
            }
            MemoryFault::Dead { object, offset } => {
                let wording = Wording::new(self);
                let (name, ended) = (wording.at(object, offset), wording.ended(object));
                let message = format!("{name} is accessed, which {ended}{}", wording.allocated(object));
                Failure::new(BugKind::UseAfterFree, message)
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
    pub(crate) fn locate_failure(&self, thread: ThreadId, mut failure: Failure) -> Failure {
        let location = failure.location.or_else(|| self.place_of(thread));
        let is_there = location == self.place_of(thread) && failure.thread.is_none_or(|failing| failing == thread);
        if is_there {
            failure.stack = self.stack(thread);
        }
        failure.location = location;
        failure.thread = failure.thread.or(Some(thread));
        failure
    }
}
