//! Output. It is kept if the settings ask for it, and cannot be noticed by other threads.

use super::format::{Source, format};
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::undo::Undo;

impl Machine {
    fn print(&mut self, text: &[u8]) {
        if self.settings.output {
            let length = self.output.len();
            self.output.extend_from_slice(text);
            self.log.push(Undo::Printed { length });
        }
    }

    /// Whether a stream is the standard error: what goes there is not output of the program.
    fn is_stderr(&self, stream: u64) -> bool {
        let found = self.memory.resolve(stream);
        let Some(crate::memory::Origin::Global(global)) = found.map(|f| self.memory.object(f.0).state.origin) else {
            return false;
        };
        matches!(self.module.global(global).name.as_str(), "stderr" | "__stderrp")
    }

    fn print_to(&mut self, stream: u64, text: &[u8]) {
        if !self.is_stderr(stream) {
            self.print(text);
        }
    }

    fn formatted(&mut self, call: &Invocation<'_>, position: usize) -> Result<Vec<u8>, Failure> {
        let pattern = self.string(call.number(position)?, u64::MAX)?;
        let lanes = call.arguments.get(position + 1..).unwrap_or(&[]);
        format(self, &pattern, &mut Source::Lanes(lanes))
    }

    /// Formats with the arguments of a `va_list`, which lies where the target has it.
    fn formatted_list(&mut self, call: &Invocation<'_>, position: usize) -> Result<Vec<u8>, Failure> {
        let pattern = self.string(call.number(position)?, u64::MAX)?;
        let list = call.number(position + 1)?;
        let area = if self.module.target.starts_with("x86_64") {
            let (object, offset) = self.follow(Cell::new(list + 8), 8)?;
            self.memory.read(object, offset, 8).bits
        } else if self.module.target.starts_with("aarch64") && self.module.target.contains("linux") {
            let (object, offset) = self.follow(Cell::new(list), 8)?;
            self.memory.read(object, offset, 8).bits
        } else {
            list
        };
        format(self, &pattern, &mut Source::Area(area))
    }
}

fn length(text: &[u8]) -> Answer {
    Reply::int(text.len() as i32)
}

pub(super) fn printf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted(call, 0)?;
    machine.print(&text);
    length(&text)
}

pub(super) fn fprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted(call, 1)?;
    machine.print_to(call.number(0)?, &text);
    length(&text)
}

pub(super) fn fprintf_checked(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted(call, 2)?;
    machine.print_to(call.number(0)?, &text);
    length(&text)
}

pub(super) fn vprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted_list(call, 0)?;
    machine.print(&text);
    length(&text)
}

pub(super) fn vfprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted_list(call, 1)?;
    machine.print_to(call.number(0)?, &text);
    length(&text)
}

/// Writes `text`, of at most `most` bytes with its zero, and returns how long it would be.
fn print_into(machine: &mut Machine, call: &Invocation<'_>, text: &[u8], most: u64) -> Answer {
    if most > 0 && call.stage == 0 {
        let kept = text.len().min(usize::try_from(most - 1).unwrap_or(usize::MAX));
        let mut bytes = text[..kept].to_vec();
        bytes.push(0);
        if let Some(request) = machine.write_bytes(call, call.number(0)?, &bytes)? {
            return Ok(Reply::Visible(request));
        }
    }
    length(text)
}

pub(super) fn sprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted(call, 1)?;
    print_into(machine, call, &text, u64::MAX)
}

pub(super) fn snprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted(call, 2)?;
    print_into(machine, call, &text, call.number(1)?)
}

pub(super) fn vsprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted_list(call, 1)?;
    print_into(machine, call, &text, u64::MAX)
}

pub(super) fn vsnprintf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.formatted_list(call, 2)?;
    print_into(machine, call, &text, call.number(1)?)
}

pub(super) fn puts(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let mut text = machine.string(call.number(0)?, u64::MAX)?;
    text.push(b'\n');
    machine.print(&text);
    length(&text)
}

pub(super) fn fputs(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let text = machine.string(call.number(0)?, u64::MAX)?;
    machine.print_to(call.number(1)?, &text);
    Reply::int(1)
}

pub(super) fn putchar(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let stream = if call.arguments.len() > 1 { call.number(1)? } else { 0 };
    let byte = call.number(0)? as u8;
    machine.print_to(stream, &[byte]);
    Reply::int(byte.into())
}

pub(super) fn fwrite(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bytes = machine.bytes(call.number(0)?, call.number(1)?.saturating_mul(call.number(2)?))?;
    machine.print_to(call.number(3)?, &bytes);
    Reply::word(call.number(2)?)
}

pub(super) fn write(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bytes = machine.bytes(call.number(1)?, call.number(2)?)?;
    if call.int(0)? == 1 {
        machine.print(&bytes);
    }
    Reply::word(bytes.len() as u64)
}

pub(super) fn perror(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Reply::nothing()
}
