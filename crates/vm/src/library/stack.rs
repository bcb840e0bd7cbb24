//! Variables whose sizes are known at run time only: they end with the block that they are declared in, where the stack becomes
//! what it was before it.

use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::ids::ObjectId;
use crate::machine::Machine;
use crate::memory::{Life, address_of};
use everyway_runtime::{ThreadId, Verb};

impl Machine {
    /// The variables of the innermost function of a thread, the youngest first.
    fn variables(&self, thread: ThreadId) -> impl Iterator<Item = ObjectId> + '_ {
        let youngest = self.threads[thread].frames.last().and_then(|frame| frame.objects);
        std::iter::successors(youngest, |&object| self.memory.object(object).state.link)
    }
}

/// `llvm.stacksave()`: how many variables there are. (One whose scope begins again takes the place of the one before.)
pub(super) fn save(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(machine.variables(call.thread).count() as u64)
}

/// `llvm.stackrestore(count)`: those that came later are gone.
pub(super) fn restore(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let thread = call.thread;
    let surplus = machine.variables(thread).count().saturating_sub(call.number(0)? as usize);
    let later: Vec<ObjectId> = machine.variables(thread).take(surplus).collect();
    let Some(&oldest) = later.last() else { return Reply::nothing() };
    if call.stage == 0 && !machine.is_alone(thread) {
        let mut request = Request::new(Verb::Leave, address_of(oldest));
        let visible = |object: &&ObjectId| machine.is_visible(thread, **object);
        let visible: Vec<ObjectId> = later.iter().filter(visible).copied().collect();
        for &object in &visible {
            machine.add_end(object, &mut request);
        }
        if !visible.is_empty() {
            return Ok(Reply::Visible(request));
        }
    }
    let rest = machine.memory.object(oldest).state.link;
    for object in later {
        if machine.memory.object(object).state.life == Life::Alive {
            machine.end_object(object, Life::OutOfScope);
        }
    }
    if let Some(frame) = machine.threads[thread].frames.last_mut() {
        frame.objects = rest;
    }
    Reply::nothing()
}
