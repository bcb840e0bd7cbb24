//! The program as a whole: how it ends, and what it can ask of its environment.

use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::Cell;
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

/// `llvm.ubsantrap`: a check that clang has put there fails. They are told apart by clang's `SanitizerHandler`.
pub(super) fn check_fails(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let overflow = |what: &str| Failure::new(BugKind::SignedOverflow, format!("signed overflow in {what}"));
    Err(match call.number(0)? & 0xff {
        0 => overflow("an addition"),
        3 => overflow("a division"),
        12 => overflow("a multiplication"),
        13 => overflow("a negation"),
        21 => overflow("a subtraction"),
        11 => Failure::new(BugKind::Abort, "a function that returns a value ends without `return`"),
        _ => Failure::new(BugKind::Abort, "a check that the compiler was asked for fails"),
    })
}

/// `__ubsan_handle_out_of_bounds_abort(data, index)`: an index into an array. The data has a place in the source, 16 bytes
/// long, and two descriptions of types: of the array, and of the index.
pub(super) fn index_fails(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    const ARRAY: u64 = 16;
    const INDEX: u64 = 24;
    let data = call.number(0)?;
    let describe = |at: u64| -> Result<(u64, String), Failure> {
        let (object, offset) = machine.follow(Cell::new(data.wrapping_add(at)), 8)?;
        let description = machine.memory.read(object, offset, 8).bits;
        let (object, offset) = machine.follow(Cell::new(description), 4)?;
        // A kind, what else is to know of an integer, and the name of the type.
        let info = machine.memory.read(object, offset + 2, 2).bits;
        Ok((info, machine.text_at(description.wrapping_add(4))))
    };
    let message = match (describe(ARRAY), describe(INDEX)) {
        (Ok((_, array)), Ok((info, _))) => {
            // Twice the logarithm of how many bits it has, and whether it is signed.
            let (index, is_signed, unused) = (
                call.number(1)?,
                info & 1 == 1,
                64_u64.saturating_sub(1_u64.checked_shl((info >> 1) as u32).unwrap_or(64)),
            );
            let index = if is_signed { ((index << unused) as i64 >> unused).to_string() } else { index.to_string() };
            let array = array.trim_matches('\'').replace(" [", "[");
            format!("the index {index} is outside of the bounds of an array of type `{array}`")
        }
        _ => "an index is outside of the bounds of its array".to_owned(),
    };
    Err(Failure::new(BugKind::OutOfBounds, message))
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

/// No time passes.
pub(super) fn time(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Time);
    let target = call.arguments.first().filter(|target| target.bits != 0 && target.is_defined());
    scripted(machine, call, |script| {
        if let Some(target) = target {
            script.write(target.bits, 8, Cell::new(0))?;
        }
        Ok(Reply::word(0))
    })
}

pub(super) fn clock_gettime(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Time);
    let position = usize::from(machine.module.function(call.function).name == "clock_gettime");
    let target = call.number(position)?;
    scripted(machine, call, |script| {
        script.write(target, 8, Cell::new(0))?;
        script.write(target + 8, 8, Cell::new(0))?;
        Ok(Reply::int(0))
    })
}
