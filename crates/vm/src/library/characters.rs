//! The tables by which glibc's macros classify and convert characters.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::{Origin, Owner, address_of};

/// The tables start at character -128.
const BEFORE: i64 = 128;
const COUNT: i64 = 384;

/// The bits of a character, in the order of glibc's `ctype.h` on little-endian machines.
fn bits(byte: u8) -> u64 {
    let classes = [
        byte.is_ascii_uppercase(),
        byte.is_ascii_lowercase(),
        byte.is_ascii_alphabetic(),
        byte.is_ascii_digit(),
        byte.is_ascii_hexdigit(),
        byte.is_ascii_whitespace() || byte == 0x0b,
        byte.is_ascii_graphic() || byte == b' ',
        byte.is_ascii_graphic(),
        byte == b' ' || byte == b'\t',
        byte.is_ascii_control(),
        byte.is_ascii_punctuation(),
        byte.is_ascii_alphanumeric(),
    ];
    let bit =
        |(position, &holds): (usize, &bool)| u64::from(holds) << if position < 8 { position + 8 } else { position - 8 };
    classes.iter().enumerate().map(bit).sum()
}

/// A pointer to a pointer to the entry of character 0.
pub(super) fn table(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let name = machine.module.function(call.function).name.clone();
    let which = ["__ctype_b_loc", "__ctype_toupper_loc", "__ctype_tolower_loc"].iter().position(|&other| other == name);
    let which = which.unwrap_or(0);
    if machine.tables[which] == 0 {
        machine.tables[which] = make(machine, which)?;
    }
    Reply::word(machine.tables[which])
}

/// Makes a table, which is there for good: it is the same in every execution.
fn make(machine: &mut Machine, which: usize) -> Result<u64, Failure> {
    let size = if which == 0 { 2 } else { 4 };
    let table = machine.memory.reserve(0);
    let pointer = machine.memory.reserve(0);
    for (object, size, name) in [(table, size * COUNT, "character table"), (pointer, 8, "character table")] {
        machine.memory.give_life(object, size as u64, Origin::Internal(name), Owner::Shared);
        machine.memory.object_mut(object).state.constant = true;
    }
    let logged = std::mem::replace(&mut machine.log.is_on, false);
    for character in -BEFORE..COUNT - BEFORE {
        let byte = u8::try_from(character).unwrap_or(0);
        let value = match which {
            0 => bits(byte),
            _ if !(0..128).contains(&character) => character as u32 as u64,
            1 => byte.to_ascii_uppercase().into(),
            _ => byte.to_ascii_lowercase().into(),
        };
        machine.write(table, (size * (character + BEFORE)) as u64, size as u32, Cell::new(value));
    }
    machine.write(pointer, 0, 8, Cell::new(address_of(table) + (size * BEFORE) as u64));
    machine.log.is_on = logged;
    Ok(address_of(pointer))
}
