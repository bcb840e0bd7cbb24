//! Threads: starting, ending, waiting for the end.

use super::errno::EINVAL;
use super::{Answer, Invocation, Reply};
use crate::access::{Request, part_access};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::parts;
use crate::thread::Phase;
use everyway_explore::{Effect, ThreadId};
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
            let child = self.new_thread();
            self.threads[parent].known_children.push(child as u32);
        }
        self.threads[parent].known_children[position] as usize
    }

    /// Starts the next thread of `parent`.
    fn spawn(&mut self, parent: usize, function: FunctionId, argument: Cell) -> Result<usize, Failure> {
        let child = self.next_child(parent);
        self.save_core(child);
        self.begin_thread(child, function.0);
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

    /// Starts a thread whose number goes to `target`: in the same step, if that can be noticed.
    pub(super) fn start_thread(
        &mut self,
        call: &Invocation<'_>,
        target: u64,
        function: FunctionId,
        argument: Cell,
    ) -> Result<Option<Request>, Failure> {
        let child = self.next_child(call.thread);
        let number = number_of(child);
        let (object, offset) = self.follow(Cell::new(target), 8)?;
        if self.is_visible(call.thread, object) {
            if call.stage == 0 {
                return Ok(Some(self.write_request("create", object, offset, 8, number)));
            }
        } else {
            self.write(object, offset, 8, Cell::new(number));
        }
        self.spawn(call.thread, function, argument)?;
        Ok(None)
    }

    /// An operation that writes a few bytes.
    pub(super) fn write_request(
        &mut self,
        what: &'static str,
        object: u32,
        offset: u64,
        size: u64,
        value: u64,
    ) -> Request {
        let mut request = Request::new(what, crate::memory::address_of(object) + offset);
        self.hold(object, &mut request);
        for part in parts(offset, size) {
            let location = self.location(object, part.granule);
            let piece = crate::access::piece(Cell::new(value), Cell::new(0), part);
            request.accesses.push(part_access(location, part, Effect::Write(piece)));
        }
        request
    }

    /// The thread that the program calls by this number.
    fn thread_numbered(&self, number: u64, what: &str) -> Result<usize, Failure> {
        let known = (number as usize).checked_sub(1).filter(|&thread| thread < self.threads.len());
        match known {
            Some(thread) if self.threads[thread].core.phase != Phase::Unborn => Ok(thread),
            _ => Err(Failure::misuse(format!("{what} a thread that does not exist"))),
        }
    }

    /// Waits for a thread to end, from stage 0 on; `None` when it has, at the stage after.
    pub(super) fn join_thread(&mut self, call: &Invocation<'_>, number: u64) -> Result<Option<Request>, Failure> {
        let joined = self.thread_numbered(number, "join of")?;
        let misuse = |what: &str| Err(Failure::misuse(format!("{} {what}", self.thread_name(joined))));
        let core = &self.threads[joined].core;
        if core.joined {
            return misuse("is joined a second time");
        }
        if core.detached {
            return misuse("is joined, but it is detached");
        }
        if joined == call.thread {
            return misuse("joins itself");
        }
        if call.stage == 0 {
            let mut request = Request::new("join", 0);
            request.joins = Some(ThreadId::new(joined));
            return Ok(Some(request));
        }
        self.save_core(joined);
        self.threads[joined].core.joined = true;
        Ok(None)
    }
}

pub(super) fn create(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let function = machine.function_at(call.cell(2))?;
    match machine.start_thread(call, call.number(0)?, function, call.cell(3))? {
        Some(request) => Ok(Reply::Visible(request)),
        None => Reply::int(0),
    }
}

pub(super) fn create_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let function = machine.function_at(call.cell(1))?;
    match machine.start_thread(call, call.number(0)?, function, call.cell(2))? {
        Some(request) => Ok(Reply::Visible(request)),
        None => Reply::int(0),
    }
}

/// The join has been carried out, and what the thread returned has been written.
const DELIVERED: u8 = 2;

fn join_into(machine: &mut Machine, call: &Invocation<'_>, size: u32) -> Answer {
    let number = call.number(0)?;
    if call.stage == DELIVERED {
        return Reply::int(0);
    }
    if let Some(request) = machine.join_thread(call, number)? {
        return Ok(Reply::Visible(request));
    }
    let target = call.number(1)?;
    if target == 0 {
        return Reply::int(0);
    }
    let result = machine.threads[number as usize - 1].core.result;
    let (object, offset) = machine.follow(Cell::new(target), size.into())?;
    if machine.is_visible(call.thread, object) {
        let request = machine.write_request("store result", object, offset, size.into(), result.bits);
        return Ok(Reply::Visible(request.stage(DELIVERED)));
    }
    machine.write(object, offset, size, result);
    Reply::int(0)
}

pub(super) fn join(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    join_into(machine, call, 8)
}

pub(super) fn join_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    join_into(machine, call, 4)
}

pub(super) fn detach(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let Ok(thread) = machine.thread_numbered(call.number(0)?, "detach of") else { return Reply::int(EINVAL) };
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
