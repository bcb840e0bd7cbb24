//! Output to `std::cout` and `std::cerr`: text, characters, numbers in the default format, `std::endl`.

use super::{Answer, Invocation, Reply};
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::Origin;
use crate::script::scripted;

impl Machine {
    /// Prints to a stream, and returns it. What goes to the standard error is not output of the program.
    fn stream(&mut self, stream: u64, text: &[u8]) -> Answer {
        let found = self.memory.resolve(stream).map(|found| self.memory.object(found.0).state.origin);
        let name = match found {
            Some(Origin::Global(global)) => self.module.global(global).name.clone(),
            _ => String::new(),
        };
        match name.as_str() {
            "_ZSt4cout" => self.print(text),
            "_ZSt4cerr" | "_ZSt4clog" => {}
            _ => return Err(Failure::unsupported("output to a stream other than cout, cerr and clog is not modelled")),
        }
        Reply::word(stream)
    }
}

pub(super) fn put_string(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (stream, address) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let text = script.string(address, u64::MAX)?;
        Ok(script.machine.stream(stream, &text))
    })
}

/// A `std::string` starts with a pointer to its characters, and their number.
pub(super) fn put_std_string(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (stream, address) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let (start, length) = (script.word(address)?, script.word(address + 8)?);
        let text = script.bytes(start, length)?;
        Ok(script.machine.stream(stream, &text))
    })
}

pub(super) fn put_char(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.stream(call.number(0)?, &[call.number(1)? as u8])
}

/// A number; the last letter of the function's name says of which type.
pub(super) fn put_number(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let bits = call.number(1)?;
    let text = match machine.module.function(call.function).name.chars().last() {
        Some('i') => (bits as u32 as i32).to_string(),
        Some('j') => (bits as u32).to_string(),
        Some('s') => (bits as u16 as i16).to_string(),
        Some('t') => (bits as u16).to_string(),
        Some('b') => (bits & 1).to_string(),
        Some('l' | 'x') => (bits as i64).to_string(),
        Some('d') => super::format::shortest(f64::from_bits(bits), 6, false),
        Some('f') => super::format::shortest(f32::from_bits(bits as u32).into(), 6, false),
        _ => bits.to_string(),
    };
    machine.stream(call.number(0)?, text.as_bytes())
}

/// A manipulator: `std::endl` and `std::flush` are known.
pub(super) fn manipulate(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let function = machine.function_at(call.cell(1))?;
    let name = machine.module.function(function).name.clone();
    match name.as_str() {
        name if name.starts_with("_ZSt4endl") => machine.stream(call.number(0)?, b"\n"),
        name if name.starts_with("_ZSt5flush") => machine.stream(call.number(0)?, b""),
        _ => {
            let name = machine.function_name(function);
            Err(Failure::unsupported(format!("the manipulator `{name}` of streams is not modelled")))
        }
    }
}

pub(super) fn flush(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::cell(call.cell(0))
}

/// What the parameter points to does not change any more. Called before other threads are started.
pub(super) fn seal(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, _) = machine.reach(call.thread, call.cell(0), 1)?;
    machine.memory.object_mut(object).state.constant = true;
    Reply::nothing()
}

/// What the parameter points to is a standard stream: how it formats and whether it is good makes no difference to other
/// threads, which may use it at the same time. Called before other threads are started.
pub(super) fn unobserved(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, _) = machine.reach(call.thread, call.cell(0), 1)?;
    machine.memory.object_mut(object).state.unobserved = true;
    Reply::nothing()
}
