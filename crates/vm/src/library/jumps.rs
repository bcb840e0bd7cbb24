//! `setjmp` and `longjmp`, and the handlers of `pthread_cleanup_push`, which glibc builds on them in C.
//!
//! A buffer holds where its `setjmp` was called: the depth of the frame, the function, and the instruction. That of a handler
//! holds the one that was registered before it, too.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};

const DEPTH: u64 = 0;
const FUNCTION: u64 = 8;
const INSTRUCTION: u64 = 16;
const BEFORE: u64 = 24;

/// Where a thread goes back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Destination {
    /// The frame.
    pub(crate) depth: usize,
    /// The call of `setjmp` in it, which returns this now.
    pub(crate) instruction: u32,
    pub(crate) result: u64,
    /// The handler that is the next one then, if this is for calling one.
    pub(crate) cleanup: Option<u64>,
}

pub(super) fn set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let buffer = call.number(0)?;
    let frames = &machine.threads[call.thread].frames;
    let Some(frame) = frames.last() else { return Reply::int(0) };
    let place = [(DEPTH, frames.len() as u64), (FUNCTION, frame.function.0.into()), (INSTRUCTION, frame.pc.into())];
    scripted(machine, call, |script| {
        for (at, value) in place {
            script.write(buffer + at, 8, Cell::new(value))?;
        }
        Ok(Reply::int(0))
    })
}

pub(super) fn jump(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (buffer, result) = (call.number(0)?, call.number(1)? & 0xffff_ffff);
    scripted(machine, call, |script| Ok(Ok(script.jump_to(buffer, result.max(1))?)))
}

impl Script<'_> {
    fn jump_to(&mut self, buffer: u64, result: u64) -> Paused<Reply> {
        let (depth, function) = (self.word(buffer + DEPTH)?, self.word(buffer + FUNCTION)?);
        let instruction = self.word(buffer + INSTRUCTION)? as u32;
        let frames = &self.machine.threads[self.thread].frames;
        let frame = (depth as usize).checked_sub(1).and_then(|depth| frames.get(depth));
        if frame.is_none_or(|frame| u64::from(frame.function.0) != function) {
            return Err(Failure::misuse("`longjmp` goes to a function that has returned").into());
        }
        Ok(Reply::Jump(Destination { depth: depth as usize - 1, instruction, result, cleanup: None }))
    }
}

/// `__pthread_register_cancel(buffer)`
pub(super) fn register(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let buffer = call.number(0)?;
    let before = machine.threads[call.thread].core.cleanup;
    scripted(machine, call, |script| {
        script.write(buffer + BEFORE, 8, Cell::new(before))?;
        script.machine.threads[script.thread].core.cleanup = buffer;
        Ok(Reply::nothing())
    })
}

/// `__pthread_unregister_cancel(buffer)`
pub(super) fn unregister(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let buffer = call.number(0)?;
    scripted(machine, call, |script| {
        let before = script.word(buffer + BEFORE)?;
        script.machine.threads[script.thread].core.cleanup = before;
        Ok(Reply::nothing())
    })
}

/// `pthread_exit(result)`: the handlers that are registered come first.
pub(super) fn exit_thread(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.threads[call.thread].core.result = call.cell(0);
    next_handler(machine, call)
}

/// `__pthread_unwind_next(buffer)`, at the end of a handler; and the end of the thread if there is none left.
pub(super) fn next_handler(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let core = &machine.threads[call.thread].core;
    let (buffer, result) = (core.cleanup, core.result);
    if buffer == 0 {
        return Ok(Reply::End(result));
    }
    scripted(machine, call, |script| {
        let before = script.word(buffer + BEFORE)?;
        let Reply::Jump(destination) = script.jump_to(buffer, 1)? else { return Ok(Reply::nothing()) };
        Ok(Ok(Reply::Jump(Destination { cleanup: Some(before), ..destination })))
    })
}
