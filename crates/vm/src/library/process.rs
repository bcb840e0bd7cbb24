//! The program as a whole: how it ends, and what it can ask of its environment.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::address_of;
use crate::undo::Undo;
use everyway_report::BugKind;

pub(super) fn assert_fail(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.string(call.number(0)?, 1000).unwrap_or_default();
    let message = format!("assertion failed: {}", String::from_utf8_lossy(&text));
    Err(Failure::new(BugKind::Assertion, message))
}

/// In a verification task, an execution that the program rules out.
pub(super) fn abort(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    if machine.code.is_verification_task {
        return Ok(Reply::Stuck);
    }
    Err(Failure::new(BugKind::Abort, "the program aborts"))
}

/// The thread ends, and others run on: whatever they do could have happened before the end of the program. But
/// they need not get anywhere.
pub(super) fn exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.exit_status = Some(call.int(0)?);
    let at_once = matches!(machine.module.function(call.function).name.as_str(), "_exit" | "_Exit" | "quick_exit");
    let core = &mut machine.threads[call.thread].core;
    core.exiting = true;
    if at_once {
        while let Some(handler) = machine.exit_handlers.pop() {
            machine.log.push(Undo::ExitHandler(Some(handler)));
        }
    }
    Ok(Reply::End(call.cell(0)))
}

fn register(machine: &mut Machine, handler: (u64, Option<u64>)) -> Answer {
    machine.exit_handlers.push(handler);
    machine.log.push(Undo::ExitHandler(None));
    Reply::int(0)
}

pub(super) fn at_exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    register(machine, (call.number(0)?, None))
}

pub(super) fn cxa_at_exit(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    register(machine, (call.number(0)?, Some(call.number(1)?)))
}

pub(super) fn errno(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(address_of(machine.errno(call.thread)))
}

pub(super) fn one(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Reply::word(1)
}

/// No time passes.
pub(super) fn time(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if let Some(target) = call.arguments.first().filter(|target| target.bits != 0 && target.is_defined()) {
        let (object, offset) = machine.follow(*target, 8)?;
        machine.write(object, offset, 8, Cell::new(0));
    }
    Reply::word(0)
}

pub(super) fn clock_gettime(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let position = usize::from(machine.module.function(call.function).name == "clock_gettime");
    let (object, offset) = machine.follow(call.cell(position), 16)?;
    machine.write_wide(object, offset, 16, Cell::new(0), Cell::new(0));
    Reply::int(0)
}

pub(super) fn unsupported(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let name = &machine.module.function(call.function).name;
    Err(Failure::unsupported(format!("the program calls `{name}`, which is not supported")))
}
