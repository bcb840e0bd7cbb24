//! Threads: starting, ending, waiting for the end.

use super::errno::EINVAL;
use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::{Cell, mask};
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::thread::Phase;
use everyway_explore::ThreadId;
use everyway_ir::FunctionId;

/// The number by which the program calls a thread.
pub(super) fn number_of(thread: usize) -> u64 {
    thread as u64 + 1
}

impl Machine {
    /// The thread that `parent` starts next: the same in every execution.
    fn next_child(&mut self, parent: usize) -> usize {
        let position = self.threads[parent].core.children as usize;
        while self.threads[parent].known_children.len() <= position {
            let mut path = self.threads[parent].path.clone();
            path.push(self.threads[parent].known_children.len() as u32);
            let child = self.new_thread(path);
            self.threads[parent].known_children.push(child as u32);
        }
        self.threads[parent].known_children[position] as usize
    }

    /// Starts the next thread of `parent`.
    fn spawn(&mut self, parent: usize, function: FunctionId, argument: Cell) -> Result<usize, Failure> {
        let child = self.next_child(parent);
        self.save_core(child);
        self.begin_thread(child, function.0);
        self.threads[child].core.born = self.started;
        self.threads[child].core.born_at = self.steps.len() as u32;
        self.started += 1;
        if self.settings.races {
            self.races.spawn(parent, child);
        }
        self.threads[parent].core.children += 1;
        self.push_first_frame(child, function)?;
        if let Some(lane) = self.threads[child].lanes.first_mut() {
            *lane = argument;
        }
        self.publish(argument);
        self.newborn.push(child as u32);
        Ok(child)
    }

    /// The thread that the program calls by this number.
    fn thread_numbered(&self, number: u64, what: &str) -> Result<usize, Failure> {
        let known = (number as usize).checked_sub(1).filter(|&thread| thread < self.threads.len());
        match known {
            Some(thread) if self.threads[thread].core.phase != Phase::Unborn => Ok(thread),
            _ => Err(Failure::misuse(format!("{what} a thread that does not exist"))),
        }
    }

    /// The thread that the program calls by this number, if it can be joined by `thread`.
    fn joinable(&self, thread: usize, number: u64) -> Result<usize, Failure> {
        let joined = self.thread_numbered(number, "join of")?;
        let misuse = |what: &str| Err(Failure::misuse(format!("{} {what}", self.thread_name(joined))));
        let core = &self.threads[joined].core;
        if core.joined {
            return misuse("is joined a second time");
        }
        if core.detached {
            return misuse("is joined, but it is detached");
        }
        if joined == thread {
            return misuse("joins itself");
        }
        Ok(joined)
    }
}

impl Script<'_> {
    /// Starts a thread whose number goes to `target`: in the same step, if that can be noticed. `after` is what is
    /// to be deleted when its function has returned, or 0.
    pub(super) fn start_thread(&mut self, target: u64, function: FunctionId, argument: Cell, after: u64) -> Paused<()> {
        let parent = self.thread;
        let number = Cell::new(number_of(self.machine.next_child(parent)));
        self.write_as("create", target, 8, number)?;
        self.once(|machine| {
            let child = machine.spawn(parent, function, argument)?;
            machine.threads[child].core.after = after;
            Ok(Cell::new(0))
        })?;
        Ok(())
    }

    /// Waits for a thread to end; what it returned.
    pub(super) fn join(&mut self, number: u64) -> Paused<Cell> {
        let thread = self.thread;
        self.perform(|machine| {
            let joined = machine.joinable(thread, number)?;
            Ok(Request { joins: Some(ThreadId::new(joined)), ..Request::new("join", 0) })
        })?;
        self.once(|machine| {
            // Another thread may have joined it in the meantime.
            let joined = machine.joinable(thread, number)?;
            machine.save_core(joined);
            machine.threads[joined].core.joined = true;
            Ok(machine.threads[joined].core.result)
        })
    }
}

pub(super) fn create(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    start(machine, call, 2)
}

pub(super) fn create_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    start(machine, call, 1)
}

/// Starts the function at this argument, with the next one.
fn start(machine: &mut Machine, call: &Invocation<'_>, position: usize) -> Answer {
    let target = call.number(0)?;
    let function = machine.function_at(call.cell(position))?;
    scripted(machine, call, |script| {
        script.start_thread(target, function, call.cell(position + 1), 0)?;
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
    detach_numbered(machine, call.number(0)?)
}

pub(super) fn detach_numbered(machine: &mut Machine, number: u64) -> Answer {
    let Ok(thread) = machine.thread_numbered(number, "detach of") else { return Reply::int(EINVAL) };
    machine.save_core(thread);
    machine.threads[thread].core.detached = true;
    Reply::int(0)
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
