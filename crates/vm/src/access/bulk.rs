//! Copying and filling stretches of memory.
//!
//! The part that others can notice is done word by word, in the order of addresses (backwards, if a copy overlaps its
//! source): for each word of the target, a step that reads the new value, and one that writes it. No C program can rely
//! on more atomicity than that, or on less.

use super::Went;
use crate::cell::{Cell, mask};
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::interpret::{Run, undecided};
use crate::library::Reply;
use crate::machine::Machine;
use crate::memory::{MemoryFault, Part, address_of, parts};
use crate::script::{Got, Paused, Script};

/// A stretch of memory.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    object: ObjectId,
    offset: u64,
}

impl Stretch {
    fn address(self, part: Part) -> u64 {
        address_of(self.object) + self.offset + u64::from(part.at)
    }
}

impl Machine {
    pub(crate) fn copy_instruction(
        &mut self,
        run: &mut Run<'_>,
        to: Cell,
        from: Cell,
        length: Cell,
    ) -> Result<Went, Failure> {
        self.bulk_instruction(run, |script| script.copy(to, from, length))
    }

    pub(crate) fn set_instruction(
        &mut self,
        run: &mut Run<'_>,
        to: Cell,
        byte: Cell,
        length: Cell,
    ) -> Result<Went, Failure> {
        self.bulk_instruction(run, |script| script.set(to, byte, length))
    }

    fn bulk_instruction(
        &mut self,
        run: &mut Run<'_>,
        script: impl FnOnce(&mut Script<'_>) -> Paused<()>,
    ) -> Result<Went, Failure> {
        let stage = if std::mem::take(&mut run.granted) { self.threads[run.thread].core.stage } else { 0 };
        match Script::run(self, run.thread, stage, script)? {
            Got::Done(()) => Ok(Went::On),
            Got::WaitsFor(Reply::Visible(mut request)) => {
                self.announce(run.thread, &mut request);
                Ok(Went::Announced)
            }
            Got::WaitsFor(_) => unreachable!("copying and filling call nobody back"),
        }
    }

    /// Copies bytes that no other thread can access.
    fn copy_at_once(&mut self, to: Stretch, from: Stretch, length: u64) {
        let order = WritingOrder::new(to, from, length);
        for part in (0..order.count).filter_map(|round| order.part(round)) {
            let value = self.memory.read(from.object, from.offset + u64::from(part.at), part.bytes);
            self.write(to.object, to.offset + u64::from(part.at), part.bytes, value);
            if part.bytes == 8 {
                self.note_pointer(to.object, value);
            }
        }
    }

    fn check_writable(&self, object: ObjectId) -> Result<(), Failure> {
        if self.memory.object(object).state.constant {
            return Err(self.memory_failure(MemoryFault::Constant { object }));
        }
        Ok(())
    }
}

impl Script<'_> {
    /// Copies bytes, as `memmove`.
    pub(crate) fn copy(&mut self, to: Cell, from: Cell, length: Cell) -> Paused<()> {
        let length = known_length(length)?;
        if length == 0 {
            return Ok(());
        }
        let to = self.stretch(to, length)?;
        let from = self.stretch(from, length)?;
        self.machine.check_writable(to.object)?;
        if !self.is_visible(to) && !self.is_visible(from) {
            self.machine.copy_at_once(to, from, length);
            return Ok(());
        }
        let order = WritingOrder::new(to, from, length);
        let [done] = self.resume([0]);
        for round in done..order.count {
            let Some(part) = order.part(round) else { break };
            let value = self.read(from.address(part), part.bytes)?;
            self.write(to.address(part), part.bytes, value)?;
            self.save([round + 1]);
        }
        Ok(())
    }

    /// Sets bytes, as `memset`.
    pub(crate) fn set(&mut self, to: Cell, byte: Cell, length: Cell) -> Paused<()> {
        let length = known_length(length)?;
        if length == 0 {
            return Ok(());
        }
        let to = self.stretch(to, length)?;
        self.machine.check_writable(to.object)?;
        let repeat = |value: u64| (value & 0xff) * 0x0101_0101_0101_0101;
        let word = Cell { bits: repeat(byte.bits), undef: repeat(byte.undef) };
        if !self.is_visible(to) {
            for part in parts(to.offset, length) {
                self.machine.write(to.object, to.offset + u64::from(part.at), part.bytes, word);
            }
            return Ok(());
        }
        let [done] = self.resume([0]);
        for round in done..count(to.offset, length) {
            let Some(part) = nth_part(to.offset, length, round) else { break };
            let mask = mask(8 * part.bytes);
            self.write(to.address(part), part.bytes, Cell { bits: word.bits & mask, undef: word.undef & mask })?;
            self.save([round + 1]);
        }
        Ok(())
    }

    fn stretch(&self, pointer: Cell, length: u64) -> Result<Stretch, Failure> {
        let (object, offset) = self.machine.reach(self.thread, pointer, length)?;
        Ok(Stretch { object, offset })
    }

    fn is_visible(&self, stretch: Stretch) -> bool {
        self.machine.is_visible(self.thread, stretch.object)
    }
}

/// The order in which the words of a copy are written.
struct WritingOrder {
    offset: u64,
    length: u64,
    count: u64,
    backwards: bool,
}

impl WritingOrder {
    fn new(to: Stretch, from: Stretch, length: u64) -> Self {
        let overlaps = to.object == from.object && to.offset < from.offset + length;
        let backwards = overlaps && to.offset > from.offset;
        Self { offset: to.offset, length, count: count(to.offset, length), backwards }
    }

    fn part(&self, round: u64) -> Option<Part> {
        let index = if self.backwards { self.count - 1 - round } else { round };
        nth_part(self.offset, self.length, index)
    }
}

/// How many words have a part in a stretch.
fn count(offset: u64, length: u64) -> u64 {
    (offset + length).div_ceil(8) - offset / 8
}

fn nth_part(offset: u64, length: u64, index: u64) -> Option<Part> {
    let first = offset % 8;
    let at = if index == 0 { 0 } else { 8 * index - first };
    parts(offset + at, length.checked_sub(at)?).next().map(|part| Part { at: at as u32, ..part })
}

fn known_length(length: Cell) -> Result<u64, Failure> {
    if length.is_defined() { Ok(length.bits) } else { Err(undecided("the length of a stretch of memory")) }
}
