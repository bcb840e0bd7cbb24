//! Sorting and searching, with comparisons that the program brings along: an insertion sort and a binary search,
//! so that a comparison sees elements where they are.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::machine::Machine;
use crate::memory::parts;
use crate::script::{Paused, Script, scripted};
use everyway_ir::FunctionId;

fn compare(script: &mut Script<'_>, function: FunctionId, a: u64, b: u64) -> Paused<i32> {
    Ok(script.call(function, &[Cell::new(a), Cell::new(b)])?.bits as u32 as i32)
}

/// Exchanges two elements, word by word.
fn swap(script: &mut Script<'_>, a: u64, b: u64, size: u64) -> Paused<()> {
    for part in parts(a % 8, size) {
        let at = u64::from(part.at);
        let first = script.read(a + at, part.bytes)?;
        let second = script.read(b + at, part.bytes)?;
        script.write(a + at, part.bytes, second)?;
        script.write(b + at, part.bytes, first)?;
    }
    Ok(())
}

pub(super) fn qsort(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (base, count, size) = (call.number(0)?, call.number(1)?, call.number(2)?);
    let function = machine.function_at(call.cell(3))?;
    let element = |index: u64| base + index * size;
    scripted(machine, call, |script| {
        // The element that is being inserted, and the position it has got to.
        let [mut inserted, mut at] = script.resume([1, 1]);
        while inserted < count {
            if at > 0 && compare(script, function, element(at - 1), element(at))? > 0 {
                swap(script, element(at - 1), element(at), size)?;
                at -= 1;
            } else {
                inserted += 1;
                at = inserted;
            }
            script.save([inserted, at]);
        }
        Ok(Reply::nothing())
    })
}

pub(super) fn bsearch(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (key, base, count, size) = (call.number(0)?, call.number(1)?, call.number(2)?, call.number(3)?);
    let function = machine.function_at(call.cell(4))?;
    scripted(machine, call, |script| {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            match compare(script, function, key, base + middle * size)? {
                0 => return Ok(Reply::word(base + middle * size)),
                order if order < 0 => high = middle,
                _ => low = middle + 1,
            }
        }
        Ok(Reply::word(0))
    })
}
