//! Threads: starting, ending, waiting for the end.

use super::errno::EINVAL;
use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::{Cell, mask};
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::thread::{Phase, number_of, thread_numbered};
use everyway_ir::FunctionId;
use everyway_report::BugKind;
use everyway_runtime::{Access, Condition, Effect, Ordering, State as _, ThreadId, Verb};

impl Machine {
    /// The thread that `parent` starts next: the same in every execution.
    fn next_child(&mut self, parent: ThreadId) -> ThreadId {
        let (child, is_new) = self.threads.child(parent, self.threads[parent].core.children);
        if is_new {
            self.add_thread();
        }
        child
    }

    /// Starts the next thread of `parent`.
    fn spawn(&mut self, parent: ThreadId, function: FunctionId, argument: Cell) -> Result<ThreadId, Failure> {
        if self.started >= self.settings.threads {
            let message = format!("the program starts more than {} threads", self.settings.threads);
            return Err(Failure::new(BugKind::StepLimit, message));
        }
        let child = self.next_child(parent);
        self.save_core(child);
        self.begin_thread(child, function);
        self.threads[child].core.born = self.started;
        self.threads[child].core.born_at = self.steps.len() as u32;
        self.started += 1;
        self.note_spawn(parent, child);
        self.threads[parent].core.children += 1;
        self.push_first_frame(child, function)?;
        if let Some(lane) = self.threads[child].lanes.first_mut() {
            *lane = argument;
        }
        self.newborn.push(child);
        Ok(child)
    }

    /// The thread that the program calls by this number.
    pub(super) fn thread_numbered(&self, number: u64, what: &str) -> Result<ThreadId, Failure> {
        let known = thread_numbered(number).filter(|&thread| self.threads.get(thread).is_some());
        match known {
            Some(thread) if self.threads[thread].core.phase != Phase::Unborn => Ok(thread),
            _ => Err(Failure::misuse(format!("{what} a thread that does not exist"))),
        }
    }

    /// Changes what others have done about the end of a thread, if they have done nothing.
    fn settle(&self, thread: ThreadId, how: u64) -> Access {
        let access = Access::new(self.threads[thread].handle, Effect::Write(how)).ordered(Ordering::Relaxed);
        access.if_now(Condition::Equals(JOINABLE))
    }
}

/// The thread was neither joined nor detached.
const JOINABLE: u64 = 0;
const JOINED: u64 = 1;
const DETACHED: u64 = 2;

impl Script<'_> {
    /// Starts a thread whose number goes to `target`: in the same step, if that can be noticed. `after` is what is
    /// to be deleted when its function has returned, or 0.
    pub(super) fn start_thread(
        &mut self,
        target: u64,
        function: FunctionId,
        argument: Cell,
        after: u64,
    ) -> Paused<ThreadId> {
        let parent = self.thread;
        let number = Cell::new(number_of(self.machine.next_child(parent)));
        let bytes = self.machine.long_bytes;
        self.write_as(Verb::Create, target, bytes, number)?;
        let child = self.once(|machine| {
            let child = machine.spawn(parent, function, argument)?;
            if let Some((state, 0)) = machine.memory.resolve(after).filter(|_| after != 0) {
                machine.hand_over(state, child);
            } else {
                machine.publish(argument);
            }
            machine.threads[child].core.after = after;
            Ok(Cell::new(child.0.into()))
        })?;
        Ok(ThreadId(child.bits as u32))
    }

    /// Waits for a thread to end; what it returned.
    pub(super) fn join(&mut self, number: u64) -> Paused<Cell> {
        let joined = self.machine.thread_numbered(number, "join of")?;
        let misuse = |this: &Self, what: &str| {
            let name = this.machine.thread_name(joined);
            Err(Failure::misuse(format!("{name} {what}")).into())
        };
        if joined == self.thread {
            return misuse(self, "joins itself");
        }
        let request = || Request { joins: Some(joined), ..Request::new(Verb::Join, 0) };
        let before = self.settle(request, joined, JOINED)?;
        match before {
            JOINED => misuse(self, "is joined a second time"),
            DETACHED => misuse(self, "is joined, but it is detached"),
            _ => {
                let core = &self.machine.threads[joined].core;
                let (result, known) = (core.result, core.joined | 1u64.checked_shl(joined.0).unwrap_or(0));
                self.machine.threads[self.thread].core.joined |= known;
                Ok(result)
            }
        }
    }

    /// Decides what becomes of a thread; what it was before. Whether that was decided already is no access where reads
    /// are told what they see: to decide twice is a mistake in whichever order.
    fn settle(&mut self, request: impl FnOnce() -> Request, thread: ThreadId, state: u64) -> Paused<u64> {
        if !self.machine.is_told() {
            return self.perform(|machine| Ok(request().with(machine.settle(thread, state))));
        }
        self.perform(|_| Ok(request()))?;
        let before = self.once(|machine| {
            let location = machine.threads[thread].handle;
            let before = machine.value(location);
            if before == JOINABLE {
                machine.set_value(location, state);
            }
            Ok(Cell::new(before))
        })?;
        Ok(before.bits)
    }

    /// Detaches a thread; what is returned for that.
    pub(super) fn detach(&mut self, number: u64) -> Paused<i32> {
        let Ok(thread) = self.machine.thread_numbered(number, "detach of") else { return Ok(EINVAL) };
        let before = self.settle(|| Request::new(Verb::Detach, 0), thread, DETACHED)?;
        Ok(if before == JOINABLE { 0 } else { EINVAL })
    }
}

/// `pthread_create(thread, attributes, function, argument)`. POSIX does not say that the thread has a number before it runs.
pub(super) fn create(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (target, attributes, bytes) = (call.number(0)?, call.number(1)?, machine.long_bytes);
    let function = machine.function_at(call.cell(2))?;
    scripted(machine, call, |script| {
        let is_detached = attributes != 0 && script.read(attributes, 4)?.bits == 1;
        let child = script.start_thread(target, function, call.cell(3), 0)?;
        script.once(|machine| {
            machine.note_late_write(call.thread, target, bytes);
            Ok(Cell::default())
        })?;
        if is_detached {
            script.detach(number_of(child))?;
        }
        Ok(Reply::int(0))
    })
}

/// `thrd_create(thread, function, argument)`, which has given the thread its number before it runs.
pub(super) fn create_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let target = call.number(0)?;
    let function = machine.function_at(call.cell(1))?;
    scripted(machine, call, |script| {
        script.start_thread(target, function, call.cell(2), 0)?;
        Ok(Reply::int(0))
    })
}

fn join_into(machine: &mut Machine, call: &Invocation<'_>, size: u32) -> Answer {
    let (number, target) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let result = script.join(number)?;
        if target != 0 {
            let mask = mask(8 * size);
            script.write(target, size, Cell { bits: result.bits & mask, undef: result.undef & mask })?;
        }
        Ok(Reply::int(0))
    })
}

pub(super) fn join(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    join_into(machine, call, 8)
}

pub(super) fn join_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    join_into(machine, call, 4)
}

pub(super) fn detach(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let number = call.number(0)?;
    scripted(machine, call, |script| Ok(Reply::int(script.detach(number)?)))
}

pub(super) fn stack_size(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    const SIZE: u64 = 8 << 20;
    let target = call.number(1)?;
    scripted(machine, call, |script| {
        script.write(target, 8, Cell::new(SIZE))?;
        Ok(Reply::int(0))
    })
}

pub(super) fn exit(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Ok(Reply::End(call.cell(0)))
}

pub(super) fn this(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(number_of(call.thread))
}

pub(super) fn equal(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::int(i32::from(call.number(0)? == call.number(1)?))
}
