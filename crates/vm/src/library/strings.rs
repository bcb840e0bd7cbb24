//! Functions that write strings.

use super::{Answer, Invocation, Reply};
use crate::access::{Request, part_access};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::{MemoryFault, address_of, parts};
use everyway_explore::Effect;

/// The string has been written.
const WRITTEN: u8 = 2;

impl Machine {
    /// Writes `bytes`; the step in which that happens, if others can notice it.
    pub(super) fn write_bytes(
        &mut self,
        call: &Invocation<'_>,
        address: u64,
        bytes: &[u8],
    ) -> Result<Option<Request>, Failure> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let (object, offset) = self.follow(Cell::new(address), bytes.len() as u64)?;
        if self.memory.object(object).state.constant {
            return Err(self.memory_failure(MemoryFault::Constant { object }));
        }
        let visible = self.is_visible(call.thread, object);
        let mut request = Request::new("write string", address_of(object) + offset).stage(WRITTEN);
        if visible {
            self.hold(object, &mut request);
        }
        for part in parts(offset, bytes.len() as u64) {
            let mut whole = [0; 8];
            let piece = &bytes[part.at as usize..(part.at + part.bytes) as usize];
            whole[..piece.len()].copy_from_slice(piece);
            let value = u64::from_le_bytes(whole);
            if visible {
                let location = self.location(object, part.granule);
                request.accesses.push(part_access(location, part, Effect::Write(value)));
            } else {
                self.write(object, offset + u64::from(part.at), part.bytes, Cell::new(value));
            }
        }
        Ok(visible.then_some(request))
    }
}

/// Writes what `make` makes of the string at the second argument to `to`, and returns `result`.
fn write(
    machine: &mut Machine,
    call: &Invocation<'_>,
    most: u64,
    make: impl Fn(&Machine, Vec<u8>) -> Result<(u64, Vec<u8>), Failure>,
    result: impl Fn(u64, usize) -> u64,
) -> Answer {
    let from = call.number(1)?;
    if call.stage == WRITTEN {
        // What was written is known by its end only if it is asked for, which is before others can change it.
        let (to, bytes) = make(machine, machine.string(from, most)?)?;
        return Reply::word(result(to, bytes.len()));
    }
    if let Some(request) = machine.reading(call, &[(from, most)])? {
        return Ok(Reply::Visible(request));
    }
    let (to, bytes) = make(machine, machine.string(from, most)?)?;
    match machine.write_bytes(call, to, &bytes)? {
        Some(request) => Ok(Reply::Visible(request)),
        None => Reply::word(result(to, bytes.len())),
    }
}

fn with_zero(mut string: Vec<u8>) -> Vec<u8> {
    string.push(0);
    string
}

pub(super) fn strcpy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let to = call.number(0)?;
    write(machine, call, u64::MAX, |_, string| Ok((to, with_zero(string))), |_, _| to)
}

pub(super) fn stpcpy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let to = call.number(0)?;
    write(machine, call, u64::MAX, |_, string| Ok((to, with_zero(string))), |to, length| to + length as u64 - 1)
}

pub(super) fn strncpy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (to, most) = (call.number(0)?, call.number(2)?);
    let pad = |_: &Machine, mut string: Vec<u8>| {
        string.resize(most as usize, 0);
        Ok((to, string))
    };
    write(machine, call, most, pad, |_, _| to)
}

fn concatenate(machine: &mut Machine, call: &Invocation<'_>, most: u64) -> Answer {
    let start = call.number(0)?;
    let append = |machine: &Machine, string: Vec<u8>| {
        let end = start + machine.string(start, u64::MAX)?.len() as u64;
        Ok((end, with_zero(string)))
    };
    if call.stage == WRITTEN {
        return Reply::word(start);
    }
    write(machine, call, most, append, |_, _| start)
}

pub(super) fn strcat(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    concatenate(machine, call, u64::MAX)
}

pub(super) fn strncat(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    concatenate(machine, call, call.number(2)?)
}

fn duplicate(machine: &mut Machine, call: &Invocation<'_>, most: u64) -> Answer {
    let from = call.number(0)?;
    if let Some(request) = machine.reading(call, &[(from, most)])? {
        return Ok(Reply::Visible(request));
    }
    let string = with_zero(machine.string(from, most)?);
    let address = machine.allocate(call.thread, string.len() as u64, false)?;
    machine.write_bytes(call, address, &string)?;
    Reply::word(address)
}

pub(super) fn strdup(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    duplicate(machine, call, u64::MAX)
}

pub(super) fn strndup(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    duplicate(machine, call, call.number(1)?)
}

/// The next token of the string at `start`: its address, and where to go on.
fn token(machine: &mut Machine, call: &Invocation<'_>, start: u64) -> Result<(u64, u64), Failure> {
    if start == 0 {
        return Ok((0, 0));
    }
    let separators = machine.string(call.number(1)?, u64::MAX)?;
    let string = machine.string(start, u64::MAX)?;
    let Some(first) = string.iter().position(|byte| !separators.contains(byte)) else { return Ok((0, 0)) };
    let length = string[first..].iter().position(|byte| separators.contains(byte));
    let begin = start + first as u64;
    let Some(length) = length else { return Ok((begin, 0)) };
    let (object, offset) = machine.follow(Cell::new(begin + length as u64), 1)?;
    machine.write(object, offset, 1, Cell::new(0));
    Ok((begin, begin + length as u64 + 1))
}

/// Of strings that other threads cannot reach; otherwise as if they did not.
pub(super) fn strtok(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let start = match call.number(0)? {
        0 => machine.threads[call.thread].core.token,
        start => start,
    };
    let (found, next) = token(machine, call, start)?;
    machine.threads[call.thread].core.token = next;
    Reply::word(found)
}

pub(super) fn strtok_r(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, offset) = machine.follow(call.cell(2), 8)?;
    let start = match call.number(0)? {
        0 => machine.memory.read(object, offset, 8).bits,
        start => start,
    };
    let (found, next) = token(machine, call, start)?;
    machine.write(object, offset, 8, Cell::new(next));
    Reply::word(found)
}

pub(super) fn strerror(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = format!("error {}\0", call.int(0)?);
    let address = machine.allocate(call.thread, text.len() as u64, false)?;
    machine.write_bytes(call, address, text.as_bytes())?;
    Reply::word(address)
}
