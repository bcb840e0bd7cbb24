//! Memory: objects with bounds and a life, in words of eight bytes.
//!
//! An object is named by who made it and how many that thread had made before, so that its address is the same
//! in every execution of an exploration, whatever the interleaving. Addresses are numbers with a stretch of
//! `2^24` to each object (several for a large one): the object of a pointer can be read off it, whatever the
//! program did to it in between, and arithmetic never leads from the inside of one object to that of another.
//! The first and the last page of a stretch are part of no object.
//!
//! An object is *private* until its address is written to where another thread could find it.

use crate::cell::{Cell, mask};
use crate::ids::ObjectId;
use everyway_ir::{FunctionId, GlobalId, SlotId};
use everyway_runtime::{Location, Stamp, ThreadId};

/// Who can reach an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This thread alone.
    Thread(ThreadId),
    /// Several threads.
    Shared,
}

pub(crate) const STRETCH_BITS: u32 = 24;
const GUARD: u64 = 4096;
/// Addresses have 47 bits, as on real machines: programs hide things in the others.
const ADDRESS_MASK: u64 = (1 << 47) - 1;

/// Eight bytes, and which bits of them have no value.
pub(crate) type Word = Cell;

/// Where an object is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Unborn,
    Alive,
    /// Its memory was given back by `free` or `delete`.
    Freed,
    /// Its function has returned, or its thread has ended.
    Left,
    /// Its scope has ended.
    OutOfScope,
    /// This stretch belongs to the object that begins this many stretches before.
    Part(u32),
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Nothing,
    Global(GlobalId),
    Function(FunctionId),
    Stack(FunctionId, SlotId),
    /// From `malloc` and its like; this is the site of the call, for naming it.
    Heap(FunctionId, u32),
    /// From `new` (one object or an array), which `free` does not take back.
    New(FunctionId, u32),
    /// The variable of a thread.
    ThreadLocal(GlobalId),
    Internal(&'static str),
}

#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) state: ObjectState,
    pub(crate) words: Vec<Word>,
    /// The engine's name of each word that a step has accessed.
    pub(crate) locations: Vec<Option<Location>>,
    /// The engine's name of the object as a whole, for large ones: its end is a write to it.
    pub(crate) lifetime: Option<Location>,
    /// The number of stretches that belong to it.
    run: u32,
}

/// What changes about an object, apart from its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectState {
    pub(crate) life: Life,
    /// Who can reach it.
    pub(crate) owner: Owner,
    /// The next older object of the same frame.
    pub(crate) link: Option<ObjectId>,
    pub(crate) size: u64,
    pub(crate) origin: Origin,
    /// How many steps had been taken when it came into being.
    pub(crate) born: u32,
    /// Who made it, and what time it was for them then, as data races have it.
    pub(crate) made: (ThreadId, u32),
    /// Whether it may not be written.
    pub(crate) constant: bool,
    /// Whether what a thread does to it makes no difference to others.
    pub(crate) unobserved: bool,
    /// Whether it is no leak if it is never freed.
    pub(crate) kept: bool,
    /// What counts as having written what was in it when others could first access it, for data races.
    pub(crate) initialised: Option<Stamp>,
}

/// Why memory cannot be accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryFault {
    Null { offset: u64 },
    Wild { address: u64 },
    OutOfBounds { object: ObjectId, offset: i64, size: u64 },
    Dead { object: ObjectId, offset: u64 },
    Constant { object: ObjectId },
    NotData { object: ObjectId },
}

#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) objects: Vec<Object>,
}

/// The address of the first byte of an object.
pub(crate) fn address_of(object: ObjectId) -> u64 {
    (u64::from(object.0) << STRETCH_BITS) + GUARD
}

/// A part of an access: a word of an object, the position in it, and where in the value it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) granule: u32,
    pub(crate) first: u32,
    pub(crate) bytes: u32,
    /// The position of these bytes in the whole access.
    pub(crate) at: u32,
}

impl Part {
    /// The bytes of the word as a mask with a bit for each.
    pub(crate) fn byte_mask(self) -> u8 {
        ((((1_u32 << self.bytes) - 1) << self.first) & 0xff) as u8
    }

    /// The same bytes, so many of them at once.
    pub(crate) fn pieces(self, at_once: u32) -> impl Iterator<Item = Part> {
        (0..self.bytes).step_by(at_once as usize).map(move |done| {
            let bytes = at_once.min(self.bytes - done);
            Part { first: self.first + done, bytes, at: self.at + done, ..self }
        })
    }
}

/// The words that `size` bytes from `offset` on are parts of.
pub(crate) fn parts(offset: u64, size: u64) -> impl Iterator<Item = Part> {
    let mut at = 0;
    std::iter::from_fn(move || {
        (at < size).then(|| {
            let position = offset + at;
            let first = (position % 8) as u32;
            let bytes = (8 - first).min((size - at) as u32);
            let part = Part { granule: (position / 8) as u32, first, bytes, at: at as u32 };
            at += u64::from(bytes);
            part
        })
    })
}

impl Memory {
    /// Room for an object of `size` bytes that is not yet born.
    pub(crate) fn reserve(&mut self, size: u64) -> ObjectId {
        let run = stretches(size);
        let first = ObjectId::new(self.objects.len());
        for part in 0..run {
            let life = if part == 0 { Life::Unborn } else { Life::Part(part) };
            let state = ObjectState {
                life,
                owner: Owner::Shared,
                link: None,
                size: 0,
                origin: Origin::Nothing,
                born: 0,
                made: (ThreadId(0), 0),
                constant: false,
                unobserved: false,
                kept: false,
                initialised: None,
            };
            self.objects.push(Object { state, words: Vec::new(), locations: Vec::new(), lifetime: None, run });
        }
        first
    }

    /// An object comes into being, its bytes zero.
    pub(crate) fn give_life(&mut self, object: ObjectId, size: u64, origin: Origin, owner: Owner) {
        let this = self.object_mut(object);
        this.state = ObjectState {
            life: Life::Alive,
            owner,
            link: None,
            size,
            origin,
            born: 0,
            made: (ThreadId(0), 0),
            constant: false,
            unobserved: false,
            kept: false,
            initialised: None,
        };
        this.words.clear();
        this.words.resize(size.div_ceil(8) as usize, Word::new(0));
    }

    /// All objects, born or not.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.objects.len()).map(ObjectId::new)
    }

    /// Whether the object has room for `size` bytes.
    pub(crate) fn fits(&self, object: ObjectId, size: u64) -> bool {
        stretches(size) <= self.object(object).run
    }

    #[inline(always)]
    pub(crate) fn object(&self, object: ObjectId) -> &Object {
        &self.objects[object.index()]
    }

    #[inline(always)]
    pub(crate) fn object_mut(&mut self, object: ObjectId) -> &mut Object {
        &mut self.objects[object.index()]
    }

    /// The object and offset of an access to `size` bytes.
    #[inline(always)]
    pub(crate) fn locate(&self, address: u64, size: u64) -> Result<(ObjectId, u64), MemoryFault> {
        let slot = (address >> STRETCH_BITS) as usize;
        let offset = (address & ((1 << STRETCH_BITS) - 1)).wrapping_sub(GUARD);
        if let Some(Object { state, .. }) = self.objects.get(slot)
            && state.life == Life::Alive
            && offset <= state.size
            && size <= state.size - offset
        {
            return Ok((ObjectId(slot as u32), offset));
        }
        self.locate_slowly(address, size)
    }

    #[cold]
    fn locate_slowly(&self, address: u64, size: u64) -> Result<(ObjectId, u64), MemoryFault> {
        let Some((object, offset)) = self.resolve(address) else {
            let null = address >> STRETCH_BITS == 0;
            return Err(if null { MemoryFault::Null { offset: address } } else { MemoryFault::Wild { address } });
        };
        let state = &self.object(object).state;
        match state.life {
            Life::Freed | Life::Left | Life::OutOfScope => {
                return Err(MemoryFault::Dead { object, offset: offset as u64 });
            }
            Life::Unborn | Life::Part(_) => return Err(MemoryFault::Wild { address }),
            Life::Alive => {}
        }
        if matches!(state.origin, Origin::Function(_)) {
            return Err(MemoryFault::NotData { object });
        }
        if u64::try_from(offset).is_ok_and(|at| self.holds(object, at, size)) {
            Ok((object, offset as u64))
        } else {
            Err(MemoryFault::OutOfBounds { object, offset, size })
        }
    }

    /// Whether the object, dead or alive, has these bytes.
    pub(crate) fn holds(&self, object: ObjectId, offset: u64, size: u64) -> bool {
        let bound = self.object(object).state.size;
        offset <= bound && size <= bound - offset
    }

    /// The object to whose stretch an address belongs, dead or alive, and the offset.
    pub(crate) fn resolve(&self, address: u64) -> Option<(ObjectId, i64)> {
        let slot = (address >> STRETCH_BITS) as u32;
        let before = match self.objects.get(slot as usize)?.state.life {
            Life::Part(before) => before,
            _ => 0,
        };
        let object = ObjectId(slot - before);
        if self.object(object).state.origin == Origin::Nothing {
            return None;
        }
        Some((object, address.wrapping_sub(address_of(object)) as i64))
    }

    /// The private object, dead or alive, that a word may be a pointer to.
    #[inline]
    pub(crate) fn private_target(&self, word: Word) -> Option<ObjectId> {
        let first = self.stretch_of(word.bits)?;
        (self.object(first).state.owner != Owner::Shared && word.undef == 0).then_some(first)
    }

    /// The object that bits may be a pointer to, whatever is hidden in those that no address has.
    #[inline]
    pub(crate) fn stretch_of(&self, bits: u64) -> Option<ObjectId> {
        let slot = ((bits & ADDRESS_MASK) >> STRETCH_BITS) as usize;
        Some(match self.objects.get(slot)?.state.life {
            Life::Part(before) => ObjectId(slot as u32 - before),
            _ => ObjectId(slot as u32),
        })
    }

    /// Up to eight bytes of an object.
    #[inline(always)]
    pub(crate) fn read(&self, object: ObjectId, offset: u64, size: u32) -> Cell {
        let words = &self.object(object).words;
        let (index, first) = ((offset / 8) as usize, (offset % 8) as u32);
        let word = words[index];
        let low = Cell { bits: word.bits >> (8 * first), undef: word.undef >> (8 * first) };
        if first + size <= 8 {
            let mask = mask(8 * size);
            return Cell { bits: low.bits & mask, undef: low.undef & mask };
        }
        let (next, shift, mask) = (words[index + 1], 8 * (8 - first), mask(8 * size));
        Cell { bits: (low.bits | next.bits << shift) & mask, undef: (low.undef | next.undef << shift) & mask }
    }

    /// A byte, if it has a value.
    pub(crate) fn byte(&self, object: ObjectId, offset: u64) -> Option<u8> {
        let cell = self.read(object, offset, 1);
        cell.is_defined().then_some(cell.bits as u8)
    }
}

/// How many stretches an object of `size` bytes takes.
pub(crate) fn stretches(size: u64) -> u32 {
    (size.saturating_add(2 * GUARD)).div_ceil(1 << STRETCH_BITS).min(1 << 20) as u32
}

/// `word` with the bytes of `part` replaced by the low bytes of `value`.
#[inline]
pub(crate) fn splice(word: Word, part: Part, value: Cell) -> Word {
    let shift = 8 * part.first;
    let field = mask(8 * part.bytes) << shift;
    Word {
        bits: word.bits & !field | value.bits << shift & field,
        undef: word.undef & !field | value.undef << shift & field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_across_words_is_several_parts() {
        let list: Vec<Part> = parts(6, 4).collect();
        assert_eq!(list[0], Part { granule: 0, first: 6, bytes: 2, at: 0 });
        assert_eq!(list[1], Part { granule: 1, first: 0, bytes: 2, at: 2 });
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].byte_mask(), 0b1100_0000);
    }

    #[test]
    fn addresses_beside_an_object_belong_to_nobody_else() {
        let mut memory = Memory::default();
        memory.reserve(0);
        let object = memory.reserve(16);
        memory.object_mut(object).state = ObjectState {
            life: Life::Alive,
            owner: Owner::Shared,
            link: None,
            size: 16,
            origin: Origin::Internal("test"),
            born: 0,
            made: (ThreadId(0), 0),
            constant: false,
            unobserved: false,
            kept: false,
            initialised: None,
        };
        let address = address_of(object);
        assert_eq!(memory.locate(address + 8, 8), Ok((object, 8)));
        assert_eq!(memory.locate(address + 9, 8), Err(MemoryFault::OutOfBounds { object, offset: 9, size: 8 }));
        assert_eq!(memory.locate(address - 1, 1), Err(MemoryFault::OutOfBounds { object, offset: -1, size: 1 }));
        assert_eq!(memory.locate(8, 4), Err(MemoryFault::Null { offset: 8 }));
    }
}
