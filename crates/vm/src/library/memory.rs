//! Functions on stretches of memory that the instructions for them do.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::machine::Machine;
use crate::script::scripted;

pub(super) fn copy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    scripted(machine, call, |script| {
        script.copy(call.cell(0), call.cell(1), call.cell(2))?;
        Ok(Reply::cell(call.cell(0)))
    })
}

pub(super) fn copy_and_end(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let end = call.number(0)?.wrapping_add(call.number(2)?);
    scripted(machine, call, |script| {
        script.copy(call.cell(0), call.cell(1), call.cell(2))?;
        Ok(Reply::word(end))
    })
}

pub(super) fn set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    scripted(machine, call, |script| {
        script.set(call.cell(0), call.cell(1), call.cell(2))?;
        Ok(Reply::cell(call.cell(0)))
    })
}

pub(super) fn clear(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    scripted(machine, call, |script| {
        script.set(call.cell(0), Cell::new(0), call.cell(1))?;
        Ok(Reply::nothing())
    })
}
