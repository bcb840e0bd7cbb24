//! What the cancellation of threads, which is written in C (`llvm/support/cancel.c`), is made of.
//!
//! Every thread has a variable that says whether it has been asked to end. Others write to it, so it is theirs from the
//! beginning.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::Machine;
use crate::memory::address_of;
use crate::thread::Phase;
use everyway_runtime::{Access, Condition, Effect, Ordering, Then, ThreadId, Waiting};

/// The variable that says whether its thread has been asked to end.
pub(crate) const REQUEST: &str = "__everyway_cancelled";

impl Machine {
    /// The object in which it is said that a thread has been asked to end.
    fn request_to(&self, thread: ThreadId) -> Option<ObjectId> {
        let &id = self.thread_locals.iter().find(|&&id| self.module.global(id).name == REQUEST)?;
        Some(self.thread_local(thread, id))
    }

    /// What waits until there is a request at an address.
    pub(super) fn until_asked(&mut self, address: Cell) -> Result<Access, Failure> {
        let (object, offset) = self.follow(address, 8)?;
        let location = self.location(object, (offset / 8) as u32);
        let look = Access::new(location, Effect::Read).ordered(Ordering::SeqCst);
        Ok(Access { when: Condition::Equals(1), fails: Then::Block, ..look })
    }
}

/// `__everyway_request_of(thread)`
pub(super) fn request_of(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let thread = machine.thread_numbered(call.number(0)?, "cancellation of")?;
    match machine.request_to(thread) {
        Some(object) => Reply::word(address_of(object)),
        None => Err(Failure::unsupported("the program has a `pthread_cancel` of its own")),
    }
}

/// `__everyway_has_been_asked(thread)`
pub(super) fn has_been_asked(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let core = &machine.threads[machine.thread_numbered(call.number(0)?, "cancellation of")?].core;
    if core.phase == Phase::Running && matches!(core.manner.waiting, Waiting::Join(_)) {
        let message = "the program cancels a thread that waits in `pthread_join`, which is not modelled";
        return Err(Failure::unsupported(message));
    }
    Reply::nothing()
}

/// `__everyway_asynchronous_cancellation()`
pub(super) fn asynchronous(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    let message = "the program calls `pthread_setcanceltype` for cancellation at any time, which is not modelled";
    Err(Failure::unsupported(message))
}
