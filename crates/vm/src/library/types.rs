//! `dynamic_cast`: a walk through what the compiler writes down about classes (the Itanium C++ ABI, 2.9.5).

use super::{Answer, Invocation, Reply};
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::Origin;
use crate::script::{Paused, Script, scripted};

/// How a class describes its bases.
enum Kind {
    None,
    Single,
    Several,
}

impl Script<'_> {
    /// The kind of the description at `class`: it starts with a pointer into a table of the C++ runtime.
    fn kind_of(&mut self, class: u64) -> Paused<Kind> {
        let table = self.word(class)?;
        let found = self.machine.memory.resolve(table).map(|found| self.machine.memory.object(found.0).state.origin);
        let Some(Origin::Global(global)) = found else { return Ok(Kind::None) };
        Ok(match self.machine.module.global(global).name.as_str() {
            "_ZTVN10__cxxabiv120__si_class_type_infoE" => Kind::Single,
            "_ZTVN10__cxxabiv121__vmi_class_type_infoE" => Kind::Several,
            _ => Kind::None,
        })
    }

    /// The part of class `wanted` of the object at `object`, which is of class `class`.
    fn part_of(&mut self, object: u64, class: u64, wanted: u64) -> Paused<Option<u64>> {
        if class == wanted {
            return Ok(Some(object));
        }
        match self.kind_of(class)? {
            Kind::None => Ok(None),
            Kind::Single => {
                let base = self.word(class + 16)?;
                self.part_of(object, base, wanted)
            }
            Kind::Several => {
                for index in 0..self.read(class + 20, 4)?.bits {
                    let (base, flags) = (self.word(class + 24 + 16 * index)?, self.word(class + 32 + 16 * index)?);
                    let offset = (flags as i64) >> 8;
                    let at = if flags & 1 == 0 {
                        object.wrapping_add_signed(offset)
                    } else {
                        // A virtual base: its offset is in the table of the object.
                        let table = self.word(object)?;
                        let offset = self.word(table.wrapping_add_signed(offset))?;
                        object.wrapping_add(offset)
                    };
                    if let Some(found) = self.part_of(at, base, wanted)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
        }
    }
}

/// `__dynamic_cast(object, class, wanted class, hint)`. All bases are taken to be public and unambiguous.
pub(super) fn dynamic_cast(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, wanted) = (call.number(0)?, call.number(2)?);
    scripted(machine, call, |script| {
        let table = script.word(object)?;
        let (to_top, class) = (script.word(table.wrapping_sub(16))?, script.word(table.wrapping_sub(8))?);
        let found = script.part_of(object.wrapping_add(to_top), class, wanted)?;
        Ok(Reply::word(found.unwrap_or(0)))
    })
}

/// A cast to a reference that fails.
pub(super) fn bad_cast(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::unsupported("a `dynamic_cast` to a reference fails, and the exception is not supported"))
}
