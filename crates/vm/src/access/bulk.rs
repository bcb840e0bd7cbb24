//! Copying and filling stretches of memory.
//!
//! What others can notice of it is one step for all that is read, and one for all that is written: with the
//! values known, so that the engine can tell what the step does in other contexts. No C program can rely on
//! more atomicity than that.

use super::{Request, Went, part_access};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::interpret::{Run, undecided};
use crate::machine::Machine;
use crate::memory::{MemoryFault, Part, address_of, parts};
use everyway_explore::Effect;

/// The reading has been carried out.
const HAS_READ: u8 = 1;
/// The writing has been carried out.
const HAS_WRITTEN: u8 = 2;

/// What comes of an operation on a stretch of memory.
pub(crate) enum Bulk {
    Done,
    /// This has to be carried out first.
    Visible(Request),
}

/// A stretch of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    object: u32,
    offset: u64,
}

impl Machine {
    pub(crate) fn copy_instruction(
        &mut self,
        run: &mut Run<'_>,
        to: Cell,
        from: Cell,
        length: Cell,
    ) -> Result<Went, Failure> {
        let stage = self.granted_stage(run);
        let bulk = self.copy(run.thread, to, from, length, stage)?;
        Ok(self.announce_bulk(run.thread, bulk))
    }

    pub(crate) fn set_instruction(
        &mut self,
        run: &mut Run<'_>,
        to: Cell,
        byte: Cell,
        length: Cell,
    ) -> Result<Went, Failure> {
        let stage = self.granted_stage(run);
        let bulk = self.set(run.thread, to, byte, length, stage)?;
        Ok(self.announce_bulk(run.thread, bulk))
    }

    fn granted_stage(&self, run: &mut Run<'_>) -> u8 {
        if std::mem::take(&mut run.granted) { self.threads[run.thread].core.stage } else { 0 }
    }

    fn announce_bulk(&mut self, thread: usize, bulk: Bulk) -> Went {
        match bulk {
            Bulk::Done => Went::On,
            Bulk::Visible(request) => {
                self.announce(thread, request);
                Went::Announced
            }
        }
    }

    /// Copies bytes, as `memmove`.
    pub(crate) fn copy(
        &mut self,
        thread: usize,
        to: Cell,
        from: Cell,
        length: Cell,
        stage: u8,
    ) -> Result<Bulk, Failure> {
        let length = known_length(length)?;
        if length == 0 {
            return Ok(Bulk::Done);
        }
        let (target, target_offset) = self.follow(to, length)?;
        let (source, source_offset) = self.follow(from, length)?;
        self.check_writable(target)?;
        let to = Stretch { object: target, offset: target_offset };
        let from = Stretch { object: source, offset: source_offset };
        if stage == 0 && self.is_visible(thread, source) {
            let mut request = Request::new("copy from", address_of(source) + source_offset).stage(HAS_READ);
            self.touch(&mut request, from, length, |_, _| Effect::Read);
            return Ok(Bulk::Visible(request));
        }
        let visible = self.is_visible(thread, target);
        if visible && stage != HAS_WRITTEN {
            let mut request = Request::new("copy to", address_of(target) + target_offset).stage(HAS_WRITTEN);
            self.touch(&mut request, to, length, |machine, part| {
                Effect::Write(machine.memory.read(source, source_offset + u64::from(part.at), part.bytes).bits)
            });
            return Ok(Bulk::Visible(request));
        }
        self.copy_at_once(to, from, length, visible);
        Ok(Bulk::Done)
    }

    /// Copies bytes; if the engine has done so already, only what it does not know of.
    fn copy_at_once(&mut self, to: Stretch, from: Stretch, length: u64, written: bool) {
        let count = parts(to.offset, length).count();
        let backwards = to.object == from.object && to.offset > from.offset;
        for index in 0..count {
            let index = if backwards { count - 1 - index } else { index };
            let Some(part) = nth_part(to.offset, length, index) else { continue };
            let value = self.memory.read(from.object, from.offset + u64::from(part.at), part.bytes);
            let offset = to.offset + u64::from(part.at);
            if !written {
                self.write(to.object, offset, part.bytes, value);
            } else if !value.is_defined() {
                let old = self.memory.read(to.object, offset, part.bytes);
                self.write(to.object, offset, part.bytes, Cell { undef: value.undef, ..old });
            }
        }
        self.note_pointers(to, length);
    }

    /// What was written to a stretch may be pointers.
    pub(crate) fn note_pointers(&mut self, to: Stretch, length: u64) {
        for granule in to.offset / 8..(to.offset + length).div_ceil(8) {
            if let Some(&word) = self.memory.object(to.object).words.get(granule as usize) {
                self.note_pointer(to.object, word);
            }
        }
    }

    /// Sets bytes, as `memset`.
    pub(crate) fn set(
        &mut self,
        thread: usize,
        to: Cell,
        byte: Cell,
        length: Cell,
        stage: u8,
    ) -> Result<Bulk, Failure> {
        let length = known_length(length)?;
        if length == 0 {
            return Ok(Bulk::Done);
        }
        let (object, offset) = self.follow(to, length)?;
        self.check_writable(object)?;
        let repeat = |value: u64| (value & 0xff) * 0x0101_0101_0101_0101;
        let word = Cell { bits: repeat(byte.bits), undef: repeat(byte.undef) };
        let visible = self.is_visible(thread, object);
        if visible && stage != HAS_WRITTEN {
            let mut request = Request::new("set", address_of(object) + offset).stage(HAS_WRITTEN);
            let value = |part: Part| word.bits & crate::cell::mask(8 * part.bytes);
            self.touch(&mut request, Stretch { object, offset }, length, |_, part| Effect::Write(value(part)));
            return Ok(Bulk::Visible(request));
        }
        if !visible || !word.is_defined() {
            for part in parts(offset, length) {
                self.write(object, offset + u64::from(part.at), part.bytes, word);
            }
        }
        Ok(Bulk::Done)
    }

    fn check_writable(&self, object: u32) -> Result<(), Failure> {
        if self.memory.object(object).state.constant {
            return Err(self.memory_failure(MemoryFault::Constant { object }));
        }
        Ok(())
    }

    /// Adds accesses to all bytes of a stretch.
    fn touch(&mut self, request: &mut Request, stretch: Stretch, length: u64, effect: impl Fn(&Self, Part) -> Effect) {
        self.hold(stretch.object, request);
        for part in parts(stretch.offset, length) {
            let location = self.location(stretch.object, part.granule);
            let effect = effect(self, part);
            request.accesses.push(part_access(location, part, effect));
        }
    }

    /// Reads of `length` bytes from `address` on, if others can notice them. Never twice of the same word.
    pub(crate) fn add_reads(
        &mut self,
        thread: usize,
        request: &mut Request,
        address: u64,
        length: u64,
    ) -> Result<(), Failure> {
        let (object, offset) = self.follow(Cell::new(address), length)?;
        if self.is_visible(thread, object) {
            for part in parts(offset, length) {
                let location = self.location(object, part.granule);
                let access = part_access(location, part, Effect::Read);
                match request.accesses.iter_mut().find(|known| known.location == access.location) {
                    Some(known) => known.bytes.0 |= access.bytes.0,
                    None => request.accesses.push(access),
                }
            }
        }
        Ok(())
    }

    /// How many bytes there are from `address` to the end of its object.
    pub(crate) fn rest(&self, address: u64) -> Result<u64, Failure> {
        let (object, offset) = self.follow(Cell::new(address), 1)?;
        Ok(self.memory.object(object).state.size - offset)
    }
}

fn nth_part(offset: u64, length: u64, index: usize) -> Option<Part> {
    let first = offset % 8;
    let at = if index == 0 { 0 } else { 8 * index as u64 - first };
    parts(offset + at, length.checked_sub(at)?).next().map(|part| Part { at: at as u32, ..part })
}

fn known_length(length: Cell) -> Result<u64, Failure> {
    if length.is_defined() { Ok(length.bits) } else { Err(undecided("the length of a stretch of memory")) }
}
