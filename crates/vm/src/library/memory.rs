//! Functions on stretches of memory that the instructions for them do.

use super::{Answer, Invocation, after};
use crate::cell::Cell;
use crate::machine::Machine;

pub(super) fn copy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bulk = machine.copy(call.thread, call.cell(0), call.cell(1), call.cell(2), call.stage)?;
    after(bulk, call.cell(0))
}

pub(super) fn copy_and_end(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bulk = machine.copy(call.thread, call.cell(0), call.cell(1), call.cell(2), call.stage)?;
    after(bulk, Cell::new(call.number(0)?.wrapping_add(call.number(2)?)))
}

pub(super) fn set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bulk = machine.set(call.thread, call.cell(0), call.cell(1), call.cell(2), call.stage)?;
    after(bulk, call.cell(0))
}

pub(super) fn clear(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bulk = machine.set(call.thread, call.cell(0), Cell::new(0), call.cell(1), call.stage)?;
    after(bulk, call.cell(0))
}
