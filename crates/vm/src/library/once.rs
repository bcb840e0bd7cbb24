//! What the first caller does once: `pthread_once`, and in C++ the initialisation of static local variables and
//! `std::call_once`. If the first call ends with an exception, the next caller does it.

use super::{Answer, Invocation, Reply};
use crate::calls::Arguments;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::scripted;
use crate::sync::Kind;
use everyway_runtime::{Condition, Effect, Verb};

const NOT_BEGUN: u64 = 0;
const BEGUN: u64 = 1;
const DONE: u64 = 2;

/// What the steps are called.
struct Verbs {
    begin: Verb,
    wait: Verb,
}

/// Whether the caller is to do it; otherwise, it is done. Its stages are 0 to 2.
fn begin(machine: &mut Machine, call: &Invocation<'_>, verbs: &Verbs) -> Result<Begun, Failure> {
    let once = machine.sync(call.cell(0), Kind::Once)?;
    let begin = |machine: &mut Machine| {
        let begin = machine.sync_access(once, Effect::Write(BEGUN)).if_now(Condition::Equals(NOT_BEGUN));
        Begun::Waits(Reply::Visible(machine.sync_request(verbs.begin, once).with(begin)))
    };
    Ok(match call.stage {
        0 => begin(machine),
        1 if machine.outcome.changed => Begun::ByCaller,
        1 if machine.outcome.before == BEGUN => {
            let ended = machine.sync_access(once, Effect::Read).once(Condition::Differs(BEGUN));
            Begun::Waits(Reply::Visible(machine.sync_request(verbs.wait, once).with(ended).stage(2)))
        }
        // Who began it has left it by an exception.
        2 if machine.outcome.before == NOT_BEGUN => begin(machine),
        _ => Begun::Done,
    })
}

/// Who does what is to be done once.
#[expect(clippy::large_enum_variant, reason = "it is looked at where it is made")]
enum Begun {
    ByCaller,
    Done,
    Waits(Reply),
}

/// `pthread_once(once, function)` in C, where nothing leaves the function but its end.
pub(super) fn once(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    const RETURNED: u8 = 3;
    const ENDED: u8 = 4;
    match call.stage {
        RETURNED => {
            let once = machine.sync(call.cell(0), Kind::Once)?;
            let done = machine.sync_access(once, Effect::Write(DONE));
            Ok(Reply::Visible(machine.sync_request(Verb::OnceDone, once).with(done).stage(ENDED)))
        }
        ENDED => Reply::int(0),
        _ => match begin(machine, call, &Verbs { begin: Verb::Once, wait: Verb::OnceWait })? {
            Begun::ByCaller => {
                let function = machine.function_at(call.cell(1))?;
                Ok(Reply::Enter { function, arguments: Arguments::new(), stage: RETURNED })
            }
            Begun::Done => Reply::int(0),
            Begun::Waits(reply) => Ok(reply),
        },
    }
}

fn is_to_begin(machine: &mut Machine, call: &Invocation<'_>, verbs: &Verbs) -> Answer {
    match begin(machine, call, verbs)? {
        Begun::ByCaller => Reply::int(1),
        Begun::Done => Reply::int(0),
        Begun::Waits(reply) => Ok(reply),
    }
}

fn end(machine: &mut Machine, call: &Invocation<'_>, verb: Verb, value: u64) -> Answer {
    if call.stage != 0 {
        return Reply::nothing();
    }
    let once = machine.sync(call.cell(0), Kind::Once)?;
    let end = machine.sync_access(once, Effect::Write(value));
    Ok(Reply::Visible(machine.sync_request(verb, once).with(end)))
}

/// `__everyway_once_begin(once)`: whether the caller is to call the function (`llvm/support/once.cpp`).
pub(super) fn once_begin(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    is_to_begin(machine, call, &Verbs { begin: Verb::Once, wait: Verb::OnceWait })
}

/// `__everyway_once_end(once, done)`
pub(super) fn once_end(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let value = if call.number(1)? & 1 == 1 { DONE } else { NOT_BEGUN };
    end(machine, call, Verb::OnceDone, value)
}

/// Whether the caller is to initialise a static local variable. The program itself looks at the first byte of the
/// guard to see whether that is done.
pub(super) fn guard_acquire(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    is_to_begin(machine, call, &Verbs { begin: Verb::Guard, wait: Verb::GuardWait })
}

pub(super) fn guard_release(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| {
        script.perform(|machine| {
            let guard = machine.sync(Cell::new(address), Kind::Once)?;
            let done = machine.sync_access(guard, Effect::Write(DONE));
            Ok(machine.sync_request(Verb::GuardDone, guard).with(done))
        })?;
        // The program acquires what was initialised with this byte.
        script.store(address, 1, Cell::new(1))?;
        Ok(Reply::nothing())
    })
}

/// An exception leaves the initialisation.
pub(super) fn guard_abort(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    end(machine, call, Verb::GuardDone, NOT_BEGUN)
}
