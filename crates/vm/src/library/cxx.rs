//! The C++ runtime, as far as libstdc++ keeps it out of its headers.

use super::{Answer, Invocation, Reply, waiting};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::scripted;
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

pub(super) fn pure_virtual(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Abort, "a pure virtual function is called"))
}

pub(super) fn terminate(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Abort, "std::terminate is called"))
}
