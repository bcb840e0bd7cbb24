//! Sorting and searching, with comparisons that the program brings along.
//!
//! Elements are compared by calling back, so these are loops whose state lies in the thread: an insertion sort
//! (`scratch` holds the element that is being inserted and the position it has got to), and a binary search. What
//! is sorted or searched is accessed as if other threads could not reach it.

use super::{Answer, Invocation, Reply};
use crate::calls::Arguments;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;

const COMPARED: u8 = 1;

fn compare(machine: &Machine, call: &Invocation<'_>, function: usize, a: u64, b: u64) -> Answer {
    let function = machine.function_at(call.cell(function))?;
    let arguments = Arguments::from_slice(&[Cell::new(a), Cell::new(b)]);
    Ok(Reply::Enter { function, arguments, stage: COMPARED })
}

/// Exchanges two elements.
fn swap(machine: &mut Machine, a: u64, b: u64, size: u64) -> Result<(), Failure> {
    let (one, one_offset) = machine.follow(Cell::new(a), size)?;
    let (other, other_offset) = machine.follow(Cell::new(b), size)?;
    for at in 0..size {
        let first = machine.memory.read(one, one_offset + at, 1);
        let second = machine.memory.read(other, other_offset + at, 1);
        machine.write(one, one_offset + at, 1, second);
        machine.write(other, other_offset + at, 1, first);
    }
    Ok(())
}

pub(super) fn qsort(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (base, count, size) = (call.number(0)?, call.number(1)?, call.number(2)?);
    let element = |index: u64| base + index * size;
    let [mut inserted, mut at, _] = machine.threads[call.thread].core.scratch;
    if call.stage == 0 {
        (inserted, at) = (1, 1);
    } else if (machine.outcome.before as u32 as i32) > 0 {
        swap(machine, element(at - 1), element(at), size)?;
        at -= 1;
    } else {
        at = 0;
    }
    if at == 0 {
        inserted += 1;
        at = inserted;
    }
    if inserted >= count {
        return Reply::nothing();
    }
    machine.threads[call.thread].core.scratch = [inserted, at, 0];
    compare(machine, call, 3, element(at - 1), element(at))
}

pub(super) fn bsearch(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (key, base, count, size) = (call.number(0)?, call.number(1)?, call.number(2)?, call.number(3)?);
    let [mut low, mut high, middle] = machine.threads[call.thread].core.scratch;
    if call.stage == 0 {
        (low, high) = (0, count);
    } else {
        match machine.outcome.before as u32 as i32 {
            0 => return Reply::word(base + middle * size),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    if low >= high {
        return Reply::word(0);
    }
    let middle = low + (high - low) / 2;
    machine.threads[call.thread].core.scratch = [low, high, middle];
    compare(machine, call, 4, key, base + middle * size)
}
