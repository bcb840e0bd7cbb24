//! Functions that write strings: what they read, then what they write, byte by byte.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::address_of;
use crate::script::{Paused, Script, scripted};
use everyway_runtime::ThreadId;

const ALL: u64 = u64::MAX;

/// Copies a string of at most `most` bytes, without its zero; how long it is.
fn copy(script: &mut Script<'_>, to: u64, from: u64, most: u64) -> Paused<u64> {
    let mut length = 0;
    while length < most {
        let byte = script.byte(from.wrapping_add(length))?;
        if byte == 0 {
            break;
        }
        script.write(to.wrapping_add(length), 1, Cell::new(byte.into()))?;
        length += 1;
    }
    Ok(length)
}

fn end_at(script: &mut Script<'_>, end: u64) -> Paused<()> {
    script.write(end, 1, Cell::new(0))
}

pub(super) fn strcpy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (to, from) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let length = copy(script, to, from, ALL)?;
        end_at(script, to + length)?;
        Ok(Reply::word(to))
    })
}

pub(super) fn stpcpy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (to, from) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let length = copy(script, to, from, ALL)?;
        end_at(script, to + length)?;
        Ok(Reply::word(to + length))
    })
}

pub(super) fn strncpy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (to, from, most) = (call.number(0)?, call.number(1)?, call.number(2)?);
    scripted(machine, call, |script| {
        for at in copy(script, to, from, most)?..most {
            end_at(script, to + at)?;
        }
        Ok(Reply::word(to))
    })
}

fn concatenate(machine: &mut Machine, call: &Invocation<'_>, most: u64) -> Answer {
    let (to, from) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let end = to + script.string(to, ALL)?.len() as u64;
        let length = copy(script, end, from, most)?;
        end_at(script, end + length)?;
        Ok(Reply::word(to))
    })
}

pub(super) fn strcat(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    concatenate(machine, call, ALL)
}

pub(super) fn strncat(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    concatenate(machine, call, call.number(2)?)
}

fn duplicate(machine: &mut Machine, call: &Invocation<'_>, most: u64) -> Answer {
    let from = call.number(0)?;
    scripted(machine, call, |script| {
        let string = script.string(from, most)?;
        let to = script.allocate(string.len() as u64 + 1)?;
        script.write_bytes(to, &string)?;
        end_at(script, to + string.len() as u64)?;
        Ok(Reply::word(to))
    })
}

pub(super) fn strdup(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    duplicate(machine, call, ALL)
}

pub(super) fn strndup(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    duplicate(machine, call, call.number(1)?)
}

/// The next token of the string at `start`: its address, and where to go on.
fn token(script: &mut Script<'_>, start: u64, separators: u64) -> Paused<(u64, u64)> {
    if start == 0 {
        return Ok((0, 0));
    }
    let separators = script.string(separators, ALL)?;
    let mut begin = start;
    loop {
        match script.byte(begin)? {
            0 => return Ok((0, 0)),
            byte if separators.contains(&byte) => begin += 1,
            _ => break,
        }
    }
    let mut end = begin + 1;
    loop {
        match script.byte(end)? {
            0 => return Ok((begin, 0)),
            byte if separators.contains(&byte) => break,
            _ => end += 1,
        }
    }
    end_at(script, end)?;
    Ok((begin, end + 1))
}

pub(super) fn strtok_r(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (given, separators, kept) = (call.number(0)?, call.number(1)?, call.number(2)?);
    scripted(machine, call, |script| {
        let start = if given == 0 { script.word(kept)? } else { given };
        let (found, next) = token(script, start, separators)?;
        script.write(kept, 8, Cell::new(next))?;
        Ok(Reply::word(found))
    })
}

pub(super) fn strerror(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = format!("error {}\0", call.int(0)?);
    Reply::word(constant_string(machine, call.thread, text.as_bytes())?)
}

/// A string of the machine's own.
fn constant_string(machine: &mut Machine, thread: ThreadId, text: &[u8]) -> Result<u64, Failure> {
    let object = machine.birth(thread, text.len() as u64, crate::memory::Origin::Internal("message"), true)?;
    for (offset, &byte) in text.iter().enumerate() {
        machine.write(object, offset as u64, 1, Cell::new(byte.into()));
    }
    Ok(address_of(object))
}
