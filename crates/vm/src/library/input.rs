//! What comes from outside: nothing. Standard input is empty, and there is nothing to wait for.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::fixed::Fixed;
use crate::machine::Machine;
use crate::script::scripted;

/// `getchar` and `scanf`: the end of the input.
pub(super) fn end(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Input);
    Reply::int(-1)
}

/// `fgets`: nothing was read.
pub(super) fn no_line(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Input);
    Reply::word(0)
}

/// `read(file, buffer, size)`
pub(super) fn read(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.int(0)? != 0 {
        return Err(Failure::unsupported("the program calls `read` for a file, which is not modelled"));
    }
    machine.fix(Fixed::Input);
    Reply::word(0)
}

/// A file is looked for that the program has not made.
pub(super) fn no_file(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Files);
    Reply::nothing()
}

/// The parts of the libraries that are written in C refuse something, and say what.
pub(super) fn refuse(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = call.number(0)?;
    scripted(machine, call, |script| {
        let text = script.string(text, u64::MAX)?;
        Ok(Err(Failure::unsupported(String::from_utf8_lossy(&text).into_owned())))
    })
}

/// `poll(files, count, timeout)` as a way to pass the time.
pub(super) fn poll(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.number(1)? != 0 {
        return Err(Failure::unsupported("the program calls `poll` for files, which is not modelled"));
    }
    Reply::int(0)
}

/// `select(end, readable, writable, exceptional, timeout)` as a way to pass the time.
pub(super) fn select(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    for set in 1..4 {
        if call.number(set)? != 0 {
            return Err(Failure::unsupported("the program calls `select` for files, which is not modelled"));
        }
    }
    Reply::int(0)
}

/// `getrlimit(which, limits)`: there are none.
pub(super) fn limits(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let target = call.number(1)?;
    scripted(machine, call, |script| {
        for at in [0, 8] {
            script.write(target + at, 8, Cell::new(u64::MAX))?;
        }
        Ok(Reply::int(0))
    })
}
