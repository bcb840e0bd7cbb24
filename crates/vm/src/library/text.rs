//! Functions that look at strings and memory.
//!
//! Where others could change what is looked at, all of the object from there on counts as read, in one step: how
//! far the function really gets depends on what it finds.

use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::interpret::undecided;
use crate::machine::Machine;

impl Machine {
    /// The step in which `strings` - addresses, and how many bytes of them at most - are read, if there has to be
    /// one.
    pub(super) fn reading(
        &mut self,
        call: &Invocation<'_>,
        strings: &[(u64, u64)],
    ) -> Result<Option<Request>, Failure> {
        if call.stage != 0 || self.started <= 1 {
            return Ok(None);
        }
        let mut request = Request::new("read string", strings.first().map_or(0, |string| string.0));
        for &(address, most) in strings {
            let length = if most == 0 { 0 } else { self.rest(address)?.min(most) };
            self.add_reads(call.thread, &mut request, address, length)?;
        }
        Ok((!request.accesses.is_empty()).then_some(request))
    }

    /// The byte at an address.
    fn char_at(&self, address: u64) -> Result<u8, Failure> {
        let (object, offset) = self.follow(Cell::new(address), 1)?;
        self.memory.byte(object, offset).ok_or_else(|| undecided("a string"))
    }

    /// The bytes from an address to the next zero, `most` at most.
    pub(super) fn string(&self, address: u64, most: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < most {
            match self.char_at(address + bytes.len() as u64)? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// `length` bytes from an address on.
    pub(super) fn bytes(&self, address: u64, length: u64) -> Result<Vec<u8>, Failure> {
        (0..length).map(|at| self.char_at(address + at)).collect()
    }
}

const ALL: u64 = u64::MAX;

/// Calls `f` with the strings at the first two arguments.
fn two(machine: &mut Machine, call: &Invocation<'_>, most: u64, f: impl Fn(&[u8], &[u8]) -> Answer) -> Answer {
    let (a, b) = (call.number(0)?, call.number(1)?);
    if let Some(request) = machine.reading(call, &[(a, most), (b, most)])? {
        return Ok(Reply::Visible(request));
    }
    f(&machine.string(a, most)?, &machine.string(b, most)?)
}

/// Calls `f` with the string at the first argument.
fn one(machine: &mut Machine, call: &Invocation<'_>, most: u64, f: impl Fn(&[u8]) -> Answer) -> Answer {
    let address = call.number(0)?;
    if let Some(request) = machine.reading(call, &[(address, most)])? {
        return Ok(Reply::Visible(request));
    }
    f(&machine.string(address, most)?)
}

/// A pointer into the string at the first argument, or null.
fn pointer(call: &Invocation<'_>, position: Option<usize>) -> Answer {
    let start = call.number(0)?;
    Reply::word(position.map_or(0, |position| start + position as u64))
}

fn order(a: &[u8], b: &[u8]) -> Answer {
    Reply::int(a.cmp(b) as i32)
}

pub(super) fn strlen(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    one(machine, call, ALL, |string| Reply::word(string.len() as u64))
}

pub(super) fn strnlen(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    one(machine, call, call.number(1)?, |string| Reply::word(string.len() as u64))
}

pub(super) fn strcmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, ALL, order)
}

pub(super) fn strncmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, call.number(2)?, order)
}

pub(super) fn strcasecmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, ALL, |a, b| order(&a.to_ascii_lowercase(), &b.to_ascii_lowercase()))
}

pub(super) fn strchr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let wanted = call.number(1)? as u8;
    one(machine, call, ALL, |string| {
        let end = (wanted == 0).then_some(string.len());
        pointer(call, string.iter().position(|&byte| byte == wanted).or(end))
    })
}

pub(super) fn strrchr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let wanted = call.number(1)? as u8;
    one(machine, call, ALL, |string| {
        let end = (wanted == 0).then_some(string.len());
        pointer(call, end.or(string.iter().rposition(|&byte| byte == wanted)))
    })
}

pub(super) fn strstr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, ALL, |string, wanted| {
        let found = (0..=string.len()).find(|&at| string[at..].starts_with(wanted));
        pointer(call, found)
    })
}

pub(super) fn strspn(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, ALL, |string, set| {
        Reply::word(string.iter().take_while(|byte| set.contains(byte)).count() as u64)
    })
}

pub(super) fn strcspn(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, ALL, |string, set| {
        Reply::word(string.iter().take_while(|byte| !set.contains(byte)).count() as u64)
    })
}

pub(super) fn strpbrk(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, ALL, |string, set| pointer(call, string.iter().position(|byte| set.contains(byte))))
}

pub(super) fn memcmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (a, b, length) = (call.number(0)?, call.number(1)?, call.number(2)?);
    if length == 0 {
        return Reply::int(0);
    }
    if let Some(request) = machine.reading(call, &[(a, length), (b, length)])? {
        return Ok(Reply::Visible(request));
    }
    order(&machine.bytes(a, length)?, &machine.bytes(b, length)?)
}

pub(super) fn memchr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, wanted, length) = (call.number(0)?, call.number(1)? as u8, call.number(2)?);
    if let Some(request) = machine.reading(call, &[(address, length)])? {
        return Ok(Reply::Visible(request));
    }
    for at in 0..length {
        if machine.char_at(address + at)? == wanted {
            return Reply::word(address + at);
        }
    }
    Reply::word(0)
}
