//! The C++ runtime, as far as libstdc++ keeps it out of its headers.

use super::{Answer, Invocation, Reply, waiting};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::sync::Kind;
use everyway_explore::{Condition, Effect};
use everyway_ir::FunctionId;
use everyway_report::BugKind;

impl Machine {
    /// A function of the virtual table of an object.
    pub(crate) fn virtual_function(&self, object: u64, index: u64) -> Result<FunctionId, Failure> {
        let (at, offset) = self.follow(Cell::new(object), 8)?;
        let table = self.memory.read(at, offset, 8).bits;
        let (at, offset) = self.follow(Cell::new(table + 8 * index), 8)?;
        self.function_at(self.memory.read(at, offset, 8))
    }

    /// What `function` calls if it is the proxy that `std::call_once` hands to `pthread_once`: what the thread has
    /// put into `std::__once_call`.
    pub(crate) fn callable_of_call_once(&self, thread: usize, function: FunctionId) -> Result<FunctionId, Failure> {
        if self.module.function(function).name != "__once_proxy" {
            return Ok(function);
        }
        let mut variables = self.thread_locals.iter();
        let Some(variable) = variables.find(|&&id| self.module.global(id).name == "_ZSt11__once_call") else {
            return Err(Failure::unsupported("`__once_proxy` is used by other than `std::call_once`"));
        };
        self.function_at(self.memory.read(self.thread_local(thread, variable.0), 0, 8))
    }

    fn word_at(&self, address: u64) -> Result<u64, Failure> {
        let (object, offset) = self.follow(Cell::new(address), 8)?;
        Ok(self.memory.read(object, offset, 8).bits)
    }
}

/// `std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)())`: the state has a virtual `_M_run` after
/// its two destructors.
pub(super) fn start_thread(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (target, holder) = (call.number(0)?, call.number(1)?);
    let state = machine.word_at(holder)?;
    let function = machine.virtual_function(state, 2)?;
    if let Some(request) = machine.start_thread(call, target, function, Cell::new(state))? {
        return Ok(Reply::Visible(request));
    }
    if let Some(&child) = machine.newborn.last() {
        machine.threads[child as usize].core.after = state;
    }
    let (object, offset) = machine.follow(Cell::new(holder), 8)?;
    machine.write(object, offset, 8, Cell::new(0));
    Reply::nothing()
}

/// The thread has ended, and the handle forgets it.
const FORGOTTEN: u8 = 2;

pub(super) fn thread_join(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let handle = call.number(0)?;
    if call.stage == FORGOTTEN {
        return Reply::nothing();
    }
    let number = machine.word_at(handle)?;
    if let Some(request) = machine.join_thread(call, number)? {
        return Ok(Reply::Visible(request));
    }
    let (object, offset) = machine.follow(Cell::new(handle), 8)?;
    if machine.is_visible(call.thread, object) {
        return Ok(Reply::Visible(machine.write_request("store id", object, offset, 8, 0).stage(FORGOTTEN)));
    }
    machine.write(object, offset, 8, Cell::new(0));
    Reply::nothing()
}

pub(super) fn thread_detach(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let handle = call.number(0)?;
    let number = machine.word_at(handle)?;
    super::threads::detach(machine, &Invocation { arguments: &[Cell::new(number)], ..*call })?;
    let (object, offset) = machine.follow(Cell::new(handle), 8)?;
    machine.write(object, offset, 8, Cell::new(0));
    Reply::nothing()
}

/// `std::condition_variable::wait(std::unique_lock<std::mutex> &)`: the lock starts with its mutex.
pub(super) fn condition_wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let mutex = machine.word_at(call.number(1)?)?;
    waiting::wait_with(machine, call, Cell::new(mutex))
}

const NOT_BEGUN: u64 = 0;
const BEGUN: u64 = 1;
const DONE: u64 = 2;

/// Whether the caller is to initialise a static local variable. The program itself looks at the first byte of the
/// guard to see whether that is done.
pub(super) fn guard_acquire(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let guard = machine.sync(call.cell(0), Kind::Once)?;
    match call.stage {
        0 => {
            let begin = machine.sync_access(guard, Effect::Write(BEGUN)).if_now(Condition::Equals(NOT_BEGUN));
            Ok(Reply::Visible(machine.sync_request("guard", guard).with(begin)))
        }
        1 if machine.outcome.changed => Reply::int(1),
        1 if machine.outcome.before == BEGUN => {
            let done = machine.sync_access(guard, Effect::Read).once(Condition::Differs(BEGUN));
            Ok(Reply::Visible(machine.sync_request("wait for guard", guard).with(done).stage(2)))
        }
        _ => Reply::int(0),
    }
}

pub(super) fn guard_release(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let guard = machine.sync(call.cell(0), Kind::Once)?;
    let (object, offset) = machine.follow(call.cell(0), 1)?;
    match call.stage {
        0 => {
            let done = machine.sync_access(guard, Effect::Write(DONE));
            Ok(Reply::Visible(machine.sync_request("guard is done", guard).with(done)))
        }
        1 if machine.is_visible(call.thread, object) => {
            Ok(Reply::Visible(machine.write_request("store guard", object, offset, 1, 1).stage(2)))
        }
        1 => {
            machine.write(object, offset, 1, Cell::new(1));
            Reply::nothing()
        }
        _ => Reply::nothing(),
    }
}

pub(super) fn guard_abort(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::unsupported("an exception leaves the initialisation of a static variable"))
}

pub(super) fn pure_virtual(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Abort, "a pure virtual function is called"))
}

pub(super) fn terminate(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Abort, "std::terminate is called"))
}

pub(super) fn throw(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let name = &machine.module.function(call.function).name;
    Err(Failure::unsupported(format!("an exception is thrown (`{name}`), which is not supported")))
}
