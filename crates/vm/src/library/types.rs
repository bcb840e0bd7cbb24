//! `dynamic_cast`: a walk through what the compiler writes down about classes (the Itanium C++ ABI, 2.9.5).

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::Origin;
use crate::script::{Pause, Paused, Script, scripted};

/// How a type describes itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Without bases.
    None,
    /// A class with one base.
    Single,
    /// A class with several bases, or with others than public ones at its start.
    Several,
    /// A pointer.
    Pointer,
}

/// How memory is read on the walk: in steps that others can notice, or not.
trait Reader {
    type Error;
    fn read(&mut self, address: u64, size: u32) -> Result<u64, Self::Error>;
    fn machine(&self) -> &Machine;
}

impl Reader for Script<'_> {
    type Error = Pause;

    fn read(&mut self, address: u64, size: u32) -> Paused<u64> {
        Ok(Script::read(self, address, size)?.bits)
    }

    fn machine(&self) -> &Machine {
        self.machine
    }
}

impl Reader for &Machine {
    type Error = Failure;

    fn read(&mut self, address: u64, size: u32) -> Result<u64, Failure> {
        let (object, offset) = self.follow(Cell::new(address), size.into())?;
        Ok(self.memory.read(object, offset, size).bits)
    }

    fn machine(&self) -> &Machine {
        self
    }
}

/// The kind of the description at `class`: it starts with a pointer into a table of the C++ runtime.
fn kind_of<R: Reader>(reader: &mut R, class: u64) -> Result<Kind, R::Error> {
    let machine = reader.machine();
    match machine.memory.resolve(class).map(|found| machine.memory.object(found.0).state.origin) {
        // What the library throws, and the program does not name: it has no description.
        Some(Origin::Function(_)) | None => return Ok(Kind::None),
        // The library describes pointers to what is built in.
        Some(Origin::Global(global)) if machine.module.global(global).name.starts_with("_ZTIP") => {
            return Ok(Kind::Pointer);
        }
        Some(_) => {}
    }
    let table = reader.read(class, 8)?;
    let machine = reader.machine();
    let found = machine.memory.resolve(table).map(|found| machine.memory.object(found.0).state.origin);
    let Some(Origin::Global(global)) = found else { return Ok(Kind::None) };
    Ok(match machine.module.global(global).name.as_str() {
        "_ZTVN10__cxxabiv120__si_class_type_infoE" => Kind::Single,
        "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => Kind::Several,
        "_ZTVN10__cxxabiv119__pointer_type_infoE" => Kind::Pointer,
        _ => Kind::None,
    })
}

/// The part of class `wanted` of the object at `object`, which is of class `class`.
fn part_of<R: Reader>(reader: &mut R, object: u64, class: u64, wanted: u64) -> Result<Option<u64>, R::Error> {
    if class == wanted {
        return Ok(Some(object));
    }
    match kind_of(reader, class)? {
        Kind::None | Kind::Pointer => Ok(None),
        Kind::Single => {
            let base = reader.read(class + 16, 8)?;
            part_of(reader, object, base, wanted)
        }
        Kind::Several => {
            for index in 0..reader.read(class + 20, 4)? {
                let (base, flags) =
                    (reader.read(class + 24 + 16 * index, 8)?, reader.read(class + 32 + 16 * index, 8)?);
                let offset = (flags as i64) >> 8;
                let at = if flags & 1 == 0 || object == 0 {
                    object.wrapping_add_signed(offset)
                } else {
                    // A virtual base: its offset is in the table of the object.
                    let table = reader.read(object, 8)?;
                    let offset = reader.read(table.wrapping_add_signed(offset), 8)?;
                    object.wrapping_add(offset)
                };
                if let Some(found) = part_of(reader, at, base, wanted)? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
    }
}

impl Machine {
    /// What a handler of type `wanted` is given of the exception at `object`, which is of type `class`; nothing if it does
    /// not catch it. A pointer is caught as one to a base, or to `void`, and is given by its value.
    pub(crate) fn as_class(&self, object: u64, class: u64, wanted: u64) -> Result<Option<u64>, Failure> {
        let mut reader = self;
        if kind_of(&mut reader, class)? != Kind::Pointer {
            return part_of(&mut reader, object, class, wanted);
        }
        let pointer = reader.read(object, 8)?;
        if class == wanted {
            return Ok(Some(pointer));
        }
        if kind_of(&mut reader, wanted)? != Kind::Pointer {
            return Ok(None);
        }
        let (from, to) = (reader.read(class + 24, 8)?, reader.read(wanted + 24, 8)?);
        let is_void = matches!(self.memory.resolve(to).map(|found| self.memory.object(found.0).state.origin),
            Some(Origin::Global(global)) if self.module.global(global).name == "_ZTIv");
        if is_void {
            return Ok(Some(pointer));
        }
        part_of(&mut reader, pointer, from, to)
    }
}

/// `__dynamic_cast(object, class, wanted class, hint)`. All bases are taken to be public and unambiguous.
pub(super) fn dynamic_cast(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, wanted) = (call.number(0)?, call.number(2)?);
    scripted(machine, call, |script| {
        let table = script.word(object)?;
        let (to_top, class) = (script.word(table.wrapping_sub(16))?, script.word(table.wrapping_sub(8))?);
        let found = part_of(script, object.wrapping_add(to_top), class, wanted)?;
        Ok(Reply::word(found.unwrap_or(0)))
    })
}
