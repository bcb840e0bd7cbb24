//! The C++ runtime, as far as libstdc++ keeps it out of its headers.

use super::{Answer, Invocation, Reply, waiting};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::scripted;
use crate::sync::Kind;
use everyway_ir::FunctionId;
use everyway_report::BugKind;
use everyway_runtime::{Condition, Effect, ThreadId, Verb};

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
    pub(crate) fn callable_of_call_once(&self, thread: ThreadId, function: FunctionId) -> Result<FunctionId, Failure> {
        if self.module.function(function).name != "__once_proxy" {
            return Ok(function);
        }
        let mut variables = self.thread_locals.iter();
        let Some(variable) = variables.find(|&&id| self.module.global(id).name == "_ZSt11__once_call") else {
            return Err(Failure::unsupported("`__once_proxy` is used by other than `std::call_once`"));
        };
        self.function_at(self.memory.read(self.thread_local(thread, variable.0), 0, 8))
    }
}

/// `std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)())`: the state has a virtual `_M_run` after
/// its two destructors.
pub(super) fn start_thread(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (target, holder) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let state = script.word(holder)?;
        script.write(holder, 8, Cell::new(0))?;
        let function = script.machine.virtual_function(state, 2)?;
        script.start_thread(target, function, Cell::new(state), state)?;
        Ok(Reply::nothing())
    })
}

pub(super) fn thread_join(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let handle = call.number(0)?;
    scripted(machine, call, |script| {
        let number = script.word(handle)?;
        script.join(number)?;
        script.write(handle, 8, Cell::new(0))?;
        Ok(Reply::nothing())
    })
}

pub(super) fn thread_detach(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let handle = call.number(0)?;
    scripted(machine, call, |script| {
        let number = script.word(handle)?;
        script.write(handle, 8, Cell::new(0))?;
        Ok(Reply::int(script.detach(number)?))
    })
}

/// `std::condition_variable::wait(std::unique_lock<std::mutex> &)`: the lock starts with its mutex.
pub(super) fn condition_wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let lock = call.number(1)?;
    scripted(machine, call, |script| {
        let mutex = script.word(lock)?;
        waiting::wait_with(script, call.cell(0), Cell::new(mutex))
    })
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
            Ok(Reply::Visible(machine.sync_request(Verb::Guard, guard).with(begin)))
        }
        1 if machine.outcome.changed => Reply::int(1),
        1 if machine.outcome.before == BEGUN => {
            let done = machine.sync_access(guard, Effect::Read).once(Condition::Differs(BEGUN));
            Ok(Reply::Visible(machine.sync_request(Verb::GuardWait, guard).with(done).stage(2)))
        }
        _ => Reply::int(0),
    }
}

pub(super) fn guard_release(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| {
        script.perform(|machine| {
            let guard = machine.sync(Cell::new(address), Kind::Once)?;
            let done = machine.sync_access(guard, Effect::Write(DONE));
            Ok(machine.sync_request(Verb::GuardDone, guard).with(done))
        })?;
        script.write(address, 1, Cell::new(1))?;
        Ok(Reply::nothing())
    })
}

/// An exception leaves the initialisation: whoever comes next begins it again.
pub(super) fn guard_abort(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::nothing();
    }
    let guard = machine.sync(call.cell(0), Kind::Once)?;
    let undone = machine.sync_access(guard, Effect::Write(NOT_BEGUN));
    Ok(Reply::Visible(machine.sync_request(Verb::GuardDone, guard).with(undone)))
}

pub(super) fn pure_virtual(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Abort, "a pure virtual function is called"))
}

pub(super) fn terminate(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Abort, "std::terminate is called"))
}
