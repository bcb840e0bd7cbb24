//! Output. It is kept if the settings ask for it, and cannot be noticed by other threads; what it is made of can
//! be changed by them.

use super::format::{Source, format};
use super::{Answer, Invocation, Reply};
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::undo::Undo;

impl Machine {
    pub(super) fn print(&mut self, text: &[u8]) {
        if self.settings.output {
            let length = self.output.len();
            self.output.extend_from_slice(text);
            self.log.push(Undo::Printed { length });
        }
    }

    fn complain(&mut self, text: &[u8]) {
        if self.settings.output {
            let length = self.errors.len();
            self.errors.extend_from_slice(text);
            self.log.push(Undo::Complained { length });
        }
    }

    /// Whether a stream is the standard error.
    fn is_stderr(&self, stream: u64) -> bool {
        let found = self.memory.resolve(stream);
        let Some(crate::memory::Origin::Global(global)) = found.map(|f| self.memory.object(f.0).state.origin) else {
            return false;
        };
        matches!(self.module.global(global).name.as_str(), "stderr" | "__stderrp")
    }

    fn print_to(&mut self, stream: u64, text: &[u8]) {
        if self.is_stderr(stream) { self.complain(text) } else { self.print(text) }
    }
}

impl Script<'_> {
    /// What the format at this argument makes of the arguments after it.
    fn formatted(&mut self, call: &Invocation<'_>, position: usize) -> Paused<Vec<u8>> {
        let pattern = self.string(call.number(position)?, u64::MAX)?;
        let lanes = call.arguments.get(position + 1..).unwrap_or(&[]);
        format(self, &pattern, &mut Source::Lanes(lanes))
    }

    /// The same with the arguments of a `va_list`, which lies where the target has it.
    fn formatted_list(&mut self, call: &Invocation<'_>, position: usize) -> Paused<Vec<u8>> {
        let pattern = self.string(call.number(position)?, u64::MAX)?;
        let list = call.number(position + 1)?;
        let target = &self.machine.module.target;
        let area = if target.starts_with("x86_64") {
            self.word(list + 8)?
        } else if target.starts_with("aarch64") && target.contains("linux") {
            self.word(list)?
        } else {
            list
        };
        format(self, &pattern, &mut Source::Area(area))
    }
}

fn length(text: &[u8]) -> Answer {
    Reply::int(text.len() as i32)
}

/// Where a text goes.
#[derive(Clone, Copy)]
enum Sink {
    Output,
    Stream(u64),
    /// Memory that has room for so many bytes.
    Memory(u64, u64),
}

/// Writes `text` and returns its length, or how long it would be if it had room.
fn deliver(script: &mut Script<'_>, text: &[u8], sink: Sink) -> Paused<Answer> {
    match sink {
        Sink::Output => script.machine.print(text),
        Sink::Stream(stream) => script.machine.print_to(stream, text),
        Sink::Memory(_, 0) => {}
        Sink::Memory(to, most) => {
            let kept = text.len().min(usize::try_from(most - 1).unwrap_or(usize::MAX));
            script.write_bytes(to, &text[..kept])?;
            script.write_bytes(to + kept as u64, &[0])?;
        }
    }
    Ok(length(text))
}

fn print_format(machine: &mut Machine, call: &Invocation<'_>, position: usize, sink: Sink) -> Answer {
    scripted(machine, call, |script| {
        let text = script.formatted(call, position)?;
        deliver(script, &text, sink)
    })
}

fn print_list(machine: &mut Machine, call: &Invocation<'_>, position: usize, sink: Sink) -> Answer {
    scripted(machine, call, |script| {
        let text = script.formatted_list(call, position)?;
        deliver(script, &text, sink)
    })
}

pub(super) fn printf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_format(machine, call, 0, Sink::Output)
}

pub(super) fn fprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_format(machine, call, 1, Sink::Stream(call.number(0)?))
}

pub(super) fn fprintf_checked(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_format(machine, call, 2, Sink::Stream(call.number(0)?))
}

pub(super) fn vprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_list(machine, call, 0, Sink::Output)
}

pub(super) fn vfprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_list(machine, call, 1, Sink::Stream(call.number(0)?))
}

pub(super) fn sprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_format(machine, call, 1, Sink::Memory(call.number(0)?, u64::MAX))
}

pub(super) fn snprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_format(machine, call, 2, Sink::Memory(call.number(0)?, call.number(1)?))
}

pub(super) fn vsprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_list(machine, call, 1, Sink::Memory(call.number(0)?, u64::MAX))
}

pub(super) fn vsnprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    print_list(machine, call, 2, Sink::Memory(call.number(0)?, call.number(1)?))
}

pub(super) fn puts(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| {
        let mut text = script.string(address, u64::MAX)?;
        text.push(b'\n');
        deliver(script, &text, Sink::Output)
    })
}

pub(super) fn fputs(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, stream) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let text = script.string(address, u64::MAX)?;
        script.machine.print_to(stream, &text);
        Ok(Reply::int(1))
    })
}

pub(super) fn putchar(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let stream = if call.arguments.len() > 1 { call.number(1)? } else { 0 };
    let byte = call.number(0)? as u8;
    machine.print_to(stream, &[byte]);
    Reply::int(byte.into())
}

pub(super) fn fwrite(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, size, count, stream) = (call.number(0)?, call.number(1)?, call.number(2)?, call.number(3)?);
    scripted(machine, call, |script| {
        let bytes = script.bytes(address, size.saturating_mul(count))?;
        script.machine.print_to(stream, &bytes);
        Ok(Reply::word(count))
    })
}

pub(super) fn write(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (to, address, count) = (call.int(0)?, call.number(1)?, call.number(2)?);
    scripted(machine, call, |script| {
        let bytes = script.bytes(address, count)?;
        match to {
            1 => script.machine.print(&bytes),
            2 => script.machine.complain(&bytes),
            _ => {}
        }
        Ok(Reply::word(count))
    })
}

/// What the number in `errno` means is not known here; the number is.
pub(super) fn perror(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| {
        let mut text = if address == 0 { Vec::new() } else { script.string(address, u64::MAX)? };
        let errno = script.machine.errno(script.thread);
        let number = script.machine.memory.read(errno, 0, 4).bits;
        let colon = if text.is_empty() { "" } else { ": " };
        text.extend_from_slice(format!("{colon}error {number}\n").as_bytes());
        script.machine.complain(&text);
        Ok(Reply::nothing())
    })
}
