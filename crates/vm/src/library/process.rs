//! The program as a whole: how it ends, and what it can ask of its environment.

use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::failure::Failure;
use crate::fixed::Fixed;
use crate::machine::Machine;
use crate::memory::address_of;
use crate::script::scripted;
use crate::undo::Undo;
use everyway_report::BugKind;
use everyway_runtime::{Access, Condition, Effect, Verb};

impl Machine {
    /// The same operation, which also begins the end of the program if others can notice that: what is called then is
    /// called once, and another thread that comes to this point waits there for ever.
    pub(crate) fn begin_exit(&self, request: Request) -> Request {
        if !self.code.has_exit_handlers {
            return request;
        }
        request.with(Access::new(self.ending, Effect::Write(1)).once(Condition::Equals(0)))
    }

    /// The text at an address, as far as it has one, for a message.
    pub(crate) fn text_at(&self, address: u64) -> String {
        const LONGEST: u64 = 1000;
        let byte = |at| {
            let (object, offset) = self.memory.locate(address.wrapping_add(at), 1).ok()?;
            self.memory.byte(object, offset).filter(|&byte| byte != 0)
        };
        let bytes: Vec<u8> = (0..LONGEST).map_while(byte).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

pub(super) fn assert_fail(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.text_at(call.number(0)?);
    let message = format!("assertion failed: {}", text);
    Err(Failure::new(BugKind::Assertion, message))
}

/// In a verification task, an execution that the program rules out.
pub(super) fn abort(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    if machine.code.is_verification_task {
        return Ok(Reply::Stuck);
    }
    Err(Failure::new(BugKind::Abort, "the program aborts"))
}

/// The end of the program: of the calling thread, while others run on ([`Machine::has_exited`]).
pub(super) fn exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let status = call.int(0)?;
    scripted(machine, call, |script| {
        if script.machine.code.has_exit_handlers {
            script.perform(|machine| Ok(machine.begin_exit(Request::new(Verb::Exit, 0))))?;
        }
        script.machine.exit_status = Some(status);
        script.machine.threads[script.thread].core.exiting = true;
        Ok(Ok(Reply::End(call.cell(0))))
    })
}

/// The end of the program without further ado.
pub(super) fn exit_at_once(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.exit_status = Some(call.int(0)?);
    let core = &mut machine.threads[call.thread].core;
    (core.exiting, core.at_once) = (true, true);
    Ok(Reply::End(call.cell(0)))
}

/// Registers something to be called at the end. In which order, and whether before the end, is for all to notice.
fn register(machine: &mut Machine, call: &Invocation<'_>, handler: (u64, Option<u64>)) -> Answer {
    scripted(machine, call, |script| {
        script.perform(|machine| {
            let keep = Effect::Modify(|ending, _| ending, 0);
            Ok(Request::new(Verb::AtExit, 0).with(Access::new(machine.ending, keep)))
        })?;
        script.machine.exit_handlers.push(handler);
        script.machine.log.push(Undo::ExitHandler(None));
        Ok(Reply::int(0))
    })
}

pub(super) fn at_exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    register(machine, call, (call.number(0)?, None))
}

pub(super) fn cxa_at_exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    register(machine, call, (call.number(0)?, Some(call.number(1)?)))
}

pub(super) fn errno(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(address_of(machine.errno(call.thread)))
}

pub(super) fn getenv(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Variables);
    Reply::word(0)
}

pub(super) fn signal(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Signals);
    Reply::word(0)
}

pub(super) fn processors(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Processors);
    Reply::word(1)
}

pub(super) fn one(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Reply::word(1)
}
