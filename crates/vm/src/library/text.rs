//! Functions that look at strings and memory: byte by byte, and not beyond what decides the result.

use super::{Answer, Invocation, Reply};
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use std::cmp::Ordering;

const ALL: u64 = u64::MAX;

/// Calls `f` with the string at the first argument.
fn one(machine: &mut Machine, call: &Invocation<'_>, most: u64, f: impl Fn(&[u8]) -> Answer) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| Ok(f(&script.string(address, most)?)))
}

/// Calls `f` with the strings at the second and the first argument, which is what it looks for and where.
fn two(machine: &mut Machine, call: &Invocation<'_>, f: impl Fn(&[u8], &[u8]) -> Answer) -> Answer {
    let (address, wanted) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let wanted = script.string(wanted, ALL)?;
        Ok(f(&script.string(address, ALL)?, &wanted))
    })
}

/// A pointer into what the first argument points to, or null.
fn pointer(call: &Invocation<'_>, position: Option<usize>) -> Answer {
    let start = call.number(0)?;
    Reply::word(position.map_or(0, |position| start + position as u64))
}

pub(super) fn strlen(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    one(machine, call, ALL, |string| Reply::word(string.len() as u64))
}

pub(super) fn strnlen(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    one(machine, call, call.number(1)?, |string| Reply::word(string.len() as u64))
}

/// Compares up to `most` bytes, up to the first zero or difference.
fn compare(
    machine: &mut Machine,
    call: &Invocation<'_>,
    most: u64,
    goes_on: impl Fn(u8) -> bool,
    fold: impl Fn(u8) -> u8,
) -> Answer {
    let (a, b) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        for at in 0..most {
            let (x, y) = (fold(script.byte(a.wrapping_add(at))?), fold(script.byte(b.wrapping_add(at))?));
            match x.cmp(&y) {
                Ordering::Equal if goes_on(x) => {}
                order => return Ok(Reply::int(order as i32)),
            }
        }
        Ok(Reply::int(0))
    })
}

pub(super) fn strcmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    compare(machine, call, ALL, |byte| byte != 0, |byte| byte)
}

pub(super) fn strncmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    compare(machine, call, call.number(2)?, |byte| byte != 0, |byte| byte)
}

pub(super) fn strcasecmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    compare(machine, call, ALL, |byte| byte != 0, |byte| byte.to_ascii_lowercase())
}

pub(super) fn strncasecmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    compare(machine, call, call.number(2)?, |byte| byte != 0, |byte| byte.to_ascii_lowercase())
}

pub(super) fn memcmp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    compare(machine, call, call.number(2)?, |_| true, |byte| byte)
}

/// The first byte for which `f` has an answer, among `most` from `start` on.
fn search(script: &mut Script<'_>, start: u64, most: u64, f: impl Fn(u64, u8) -> Option<u64>) -> Paused<Answer> {
    for at in 0..most {
        let byte = script.byte(start.wrapping_add(at))?;
        if let Some(result) = f(start.wrapping_add(at), byte) {
            return Ok(Reply::word(result));
        }
    }
    Ok(Reply::word(0))
}

pub(super) fn strchr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (start, wanted) = (call.number(0)?, call.number(1)? as u8);
    scripted(machine, call, |script| {
        search(script, start, ALL, |at, byte| match byte {
            found if found == wanted => Some(at),
            0 => Some(0),
            _ => None,
        })
    })
}

pub(super) fn memchr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (start, wanted, length) = (call.number(0)?, call.number(1)? as u8, call.number(2)?);
    scripted(machine, call, |script| search(script, start, length, |at, byte| (byte == wanted).then_some(at)))
}

pub(super) fn strrchr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let wanted = call.number(1)? as u8;
    one(machine, call, ALL, |string| {
        let end = (wanted == 0).then_some(string.len());
        pointer(call, end.or(string.iter().rposition(|&byte| byte == wanted)))
    })
}

pub(super) fn strstr(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    two(machine, call, |string, wanted| {
        let found = (0..=string.len()).find(|&at| string[at..].starts_with(wanted));
        pointer(call, found)
    })
}

/// How many bytes of the string at the first argument come before one that ends the span.
fn span(
    machine: &mut Machine,
    call: &Invocation<'_>,
    ends: impl Fn(&[u8], u8) -> bool,
    result: impl Fn(u64, u8) -> Answer,
) -> Answer {
    let (start, set) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let set = script.string(set, ALL)?;
        let mut length = 0;
        loop {
            match script.byte(start.wrapping_add(length))? {
                byte if byte == 0 || ends(&set, byte) => return Ok(result(length, byte)),
                _ => length += 1,
            }
        }
    })
}

pub(super) fn strspn(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    span(machine, call, |set, byte| !set.contains(&byte), |length, _| Reply::word(length))
}

pub(super) fn strcspn(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    span(machine, call, |set, byte| set.contains(&byte), |length, _| Reply::word(length))
}

pub(super) fn strpbrk(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let found = |length, byte| if byte == 0 { Reply::word(0) } else { pointer(call, Some(length as usize)) };
    span(machine, call, |set, byte| set.contains(&byte), found)
}
