//! Throwing and catching (the Itanium C++ ABI, Exception Handling), and `std::exception_ptr`.

use super::{Answer, Invocation, Reply};
use crate::access::Mode;
use crate::cell::Cell;
use crate::exception::{Exception, Field};
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::Life;
use crate::script::{Paused, Script, scripted};
use everyway_report::BugKind;
use everyway_runtime::{Effect, Ordering, Verb};

pub(super) fn allocate(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let exception = machine.new_exception(call.thread, call.number(0)?)?;
    Reply::word(exception.0)
}

/// What was to be thrown is not, because to make it has thrown something else.
pub(super) fn free(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, _) = machine.follow(call.cell(0), 0)?;
    machine.end_object(object, Life::Freed);
    Reply::nothing()
}

/// `__cxa_throw(exception, class, destructor)`
pub(super) fn throw(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage == 0 {
        let exception = describe(machine, call)?;
        begin(machine, call, exception);
    }
    Ok(Reply::Unwind)
}

/// A function of the library that throws one of its classes, which the program does not name anywhere: so nothing catches it
/// but what catches all.
pub(super) fn throw_unnamed(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage == 0 {
        let exception = machine.new_exception(call.thread, 0)?;
        let class = machine.addresses.functions[call.function.index()];
        machine.set_of_exception(exception, Field::Class, class);
        machine.set_of_exception(exception, Field::References, 1);
        begin(machine, call, exception);
    }
    Ok(Reply::Unwind)
}

/// `__cxa_init_primary_exception(exception, class, destructor)`
pub(super) fn initialise(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let exception = describe(machine, call)?;
    machine.set_of_exception(exception, Field::References, 0);
    Reply::word(exception.0)
}

fn describe(machine: &mut Machine, call: &Invocation<'_>) -> Result<Exception, Failure> {
    let exception = Exception(call.number(0)?);
    let fields = [(Field::Class, call.number(1)?), (Field::Destructor, call.number(2)?), (Field::References, 1)];
    fields.into_iter().for_each(|(field, value)| machine.set_of_exception(exception, field, value));
    Ok(exception)
}

/// An exception is under way.
fn begin(machine: &mut Machine, call: &Invocation<'_>, exception: Exception) {
    let core = &mut machine.threads[call.thread].core;
    core.exception = exception.0;
    core.uncaught += 1;
}

/// `_Unwind_Resume`, after a clean-up.
pub(super) fn resume(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage == 0 {
        machine.threads[call.thread].core.exception = call.number(0)?;
    }
    Ok(Reply::Unwind)
}

/// `__cxa_rethrow`
pub(super) fn rethrow(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage == 0 {
        let exception = Exception(machine.threads[call.thread].core.caught);
        if exception.0 == 0 {
            return Err(Failure::new(BugKind::Abort, "an exception is thrown again where none was caught"));
        }
        let handlers = machine.of_exception(exception, Field::Handlers);
        machine.set_of_exception(exception, Field::Handlers, handlers.wrapping_neg());
        begin(machine, call, exception);
    }
    Ok(Reply::Unwind)
}

/// Whether an exception has left the call before.
pub(super) fn unwinds(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let lands = std::mem::take(&mut machine.threads[call.thread].core.lands);
    Reply::word(lands.into())
}

/// The exception that has come to a landing pad, and the number of its type.
pub(super) fn landing(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let core = &machine.threads[call.thread].core;
    let values = [core.exception, core.selector.into()].map(Cell::new);
    Ok(Reply::Return(values.into_iter().collect()))
}

/// `llvm.eh.typeid.for`
pub(super) fn selector(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(crate::unwind::selector_of(call.number(0)?).into())
}

/// `__cxa_begin_catch(exception)`: what the handler is given.
pub(super) fn begin_catch(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let exception = Exception(call.number(0)?);
    let handlers = machine.of_exception(exception, Field::Handlers) as i64;
    machine.set_of_exception(exception, Field::Handlers, (handlers.abs() + 1) as u64);
    let core = &mut machine.threads[call.thread].core;
    core.uncaught = core.uncaught.saturating_sub(1);
    let before = std::mem::replace(&mut core.caught, exception.0);
    if before != exception.0 {
        machine.set_of_exception(exception, Field::Next, before);
    }
    Reply::word(machine.of_exception(exception, Field::Caught))
}

/// `__cxa_get_exception_ptr(exception)`
pub(super) fn caught_object(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(machine.of_exception(Exception(call.number(0)?), Field::Caught))
}

/// `__cxa_end_catch()`: an exception that is not used any more, and that was not thrown again, is gone.
pub(super) fn end_catch(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    scripted(machine, call, |script| {
        let thread = script.thread;
        let caught = script.once(|machine| Ok(Cell::new(machine.threads[thread].core.caught)))?;
        let exception = Exception(caught.bits);
        if exception.0 == 0 {
            return Ok(Reply::nothing());
        }
        let is_done = script.once(|machine| Ok(Cell::new(machine.leave_handler(thread, exception).into())))?;
        if is_done.bits == 1 {
            script.release(exception)?;
        }
        Ok(Reply::nothing())
    })
}

impl Machine {
    /// A handler of the exception ends; whether it was the last, and the exception was not thrown again.
    fn leave_handler(&mut self, thread: everyway_runtime::ThreadId, exception: Exception) -> bool {
        let handlers = self.of_exception(exception, Field::Handlers) as i64;
        let left = handlers - handlers.signum();
        self.set_of_exception(exception, Field::Handlers, left as u64);
        if left == 0 {
            self.threads[thread].core.caught = self.of_exception(exception, Field::Next);
        }
        left == 0 && handlers > 0
    }
}

impl Script<'_> {
    /// Changes how many use an exception, by adding; how many did before. Several threads may.
    fn count(&mut self, exception: Exception, by: u64) -> Paused<u64> {
        let (thread, counter) = (self.thread, Cell::new(exception.field(Field::References)));
        let is_visible = self.once(|machine| {
            let (object, _) = machine.reach(thread, counter, 8)?;
            Ok(Cell::new(machine.is_visible(thread, object).into()))
        })?;
        if is_visible.bits == 0 {
            let before = self.once(|machine| {
                let (object, offset) = machine.reach(thread, counter, 8)?;
                let before = machine.memory.read(object, offset, 8).bits;
                machine.write(object, offset, 8, Cell::new(before.wrapping_add(by)));
                Ok(Cell::new(before))
            })?;
            return Ok(before.bits);
        }
        self.perform(|machine| {
            let at = machine.reach(thread, counter, 8)?;
            let mode = Mode { verb: Verb::FetchAdd, ordering: Ordering::AcqRel };
            Ok(machine.access_request(at, 8, |_| Effect::Modify(|old, by| old.wrapping_add(by), by), mode))
        })
    }

    /// One less uses an exception: it is destroyed with the last.
    fn release(&mut self, exception: Exception) -> Paused<()> {
        let mut exception = exception;
        loop {
            if self.count(exception, u64::MAX)? != 1 {
                return Ok(());
            }
            let primary = self.word(exception.field(Field::Primary))?;
            let destructor = self.word(exception.field(Field::Destructor))?;
            if primary == 0 && destructor != 0 {
                let destructor = self.machine.function_at(Cell::new(destructor))?;
                self.call(destructor, &[Cell::new(exception.0)])?;
            }
            self.once(|machine| {
                let (object, _) = machine.follow(Cell::new(exception.0), 0)?;
                machine.end_object(object, Life::Freed);
                Ok(Cell::new(0))
            })?;
            if primary == 0 {
                return Ok(());
            }
            exception = Exception(primary);
        }
    }
}

pub(super) fn uncaught(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(machine.threads[call.thread].core.uncaught.into())
}

pub(super) fn is_uncaught(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word((machine.threads[call.thread].core.uncaught > 0).into())
}

/// `std::current_exception()`, to where the first argument points.
pub(super) fn current(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let target = call.number(0)?;
    let caught = Exception(machine.threads[call.thread].core.caught);
    scripted(machine, call, |script| {
        if caught.0 == 0 {
            script.write(target, 8, Cell::new(0))?;
            return Ok(Reply::nothing());
        }
        let primary = Exception(script.once(|machine| Ok(Cell::new(machine.payload(caught))))?.bits);
        script.count(primary, 1)?;
        script.write(target, 8, Cell::new(primary.0))?;
        Ok(Reply::nothing())
    })
}

/// `std::rethrow_exception(std::exception_ptr)`
pub(super) fn rethrow_pointer(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let pointer = call.number(0)?;
    if machine.threads[call.thread].core.leaves {
        return Ok(Reply::Unwind);
    }
    scripted(machine, call, |script| {
        let primary = Exception(script.word(pointer)?);
        script.count(primary, 1)?;
        let class = script.word(primary.field(Field::Class))?;
        let thread = script.thread;
        let exception = script.once(|machine| {
            let exception = machine.new_exception(thread, 0)?;
            let fields = [(Field::Class, class), (Field::References, 1), (Field::Primary, primary.0)];
            fields.into_iter().for_each(|(field, value)| machine.set_of_exception(exception, field, value));
            Ok(Cell::new(exception.0))
        })?;
        begin(script.machine, call, Exception(exception.bits));
        Ok(Ok(Reply::Unwind))
    })
}

/// `std::exception_ptr::_M_addref()`, or a copy of it to where the first argument points.
pub(super) fn add_reference(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let pointer = call.number(0)?;
    scripted(machine, call, |script| {
        let exception = Exception(script.word(pointer)?);
        if exception.0 != 0 {
            script.count(exception, 1)?;
        }
        Ok(Reply::nothing())
    })
}

/// `std::exception_ptr::_M_release()`, and the destructor.
pub(super) fn drop_reference(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let pointer = call.number(0)?;
    scripted(machine, call, |script| {
        let exception = Exception(script.word(pointer)?);
        if exception.0 != 0 {
            script.write(pointer, 8, Cell::new(0))?;
            script.release(exception)?;
        }
        Ok(Reply::nothing())
    })
}

/// `std::exception_ptr(const std::exception_ptr &)`
pub(super) fn copy_pointer(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (target, from) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let exception = Exception(script.word(from)?);
        if exception.0 != 0 {
            script.count(exception, 1)?;
        }
        script.write(target, 8, Cell::new(exception.0))?;
        Ok(Reply::nothing())
    })
}

/// `std::exception_ptr(void *)`
pub(super) fn make_pointer(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (target, exception) = (call.number(0)?, Exception(call.number(1)?));
    scripted(machine, call, |script| {
        if exception.0 != 0 {
            script.count(exception, 1)?;
        }
        script.write(target, 8, Cell::new(exception.0))?;
        Ok(Reply::nothing())
    })
}
