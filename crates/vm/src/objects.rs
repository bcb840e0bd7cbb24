//! The lives of objects: they are created, change, become reachable for other threads, and end.

use crate::cell::{Cell, mask};
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::{Machine, Place};
use crate::memory::{Life, Origin, Owner, Word, parts, splice, stretches};
use crate::races::{Role, Tracking};
use crate::settings::Privacy;
use crate::undo::Undo;
use everyway_ir::GlobalId;
use everyway_report::BugKind;
use everyway_runtime::{Location, ThreadId};
use std::sync::Arc;

/// How many objects a thread's numbers are reserved for at a time.
const BLOCK: usize = 32;
/// How many bytes are allocated for each look whether everything is to end, for want of memory.
const BYTES_PER_LOOK: u64 = 16 << 20;
/// More than this is never allocated.
pub(crate) const GREATEST_SIZE: u64 = 1 << 30;

impl Machine {
    /// A new object of `thread`, whose bytes are zero if `defined`, and otherwise have no value.
    pub(crate) fn birth(
        &mut self,
        thread: ThreadId,
        size: u64,
        origin: Origin,
        defined: bool,
    ) -> Result<ObjectId, Failure> {
        if size > GREATEST_SIZE {
            let message = format!("an object of {size} bytes is larger than the machine allows");
            return Err(Failure::new(BugKind::StackOverflow, message));
        }
        self.unwatched += size;
        if self.unwatched > BYTES_PER_LOOK {
            self.unwatched = 0;
            self.look_for_cancellation()?;
        }
        let number = self.next_number(thread);
        let object = self.numbered(thread, number, size);
        self.save_contents(object);
        self.save_object(object);
        let owner = if self.settings.privacy == Privacy::None { Owner::Shared } else { Owner::Thread(thread) };
        self.memory.give_life(object, size, origin, owner);
        let made = (thread, self.time_of(thread));
        let state = &mut self.memory.object_mut(object).state;
        (state.born, state.made) = (self.steps.len() as u32, made);
        if self.race_tracking() == Tracking::On && owner == Owner::Shared {
            self.memory.object_mut(object).state.initialised = Some(self.initialised_now(thread));
        }
        if !defined {
            self.memory.object_mut(object).words.fill(self.settings.unset.cell(64));
        }
        Ok(object)
    }

    /// The object that `thread` makes after `number` others.
    fn numbered(&mut self, thread: ThreadId, number: usize, size: u64) -> ObjectId {
        while self.threads[thread].objects.len() <= number {
            for _ in 0..BLOCK {
                let object = self.memory.reserve(0);
                self.threads[thread].objects.push(object);
            }
        }
        let object = self.threads[thread].objects[number];
        if self.memory.fits(object, size) {
            return object;
        }
        // What is large in one execution may be small in another, and each keeps its address.
        let key = (number as u32, stretches(size));
        if let Some(&larger) = self.threads[thread].large_objects.get(&key) {
            return larger;
        }
        let larger = self.memory.reserve(size);
        self.threads[thread].large_objects.insert(key, larger);
        larger
    }

    /// Fails if `thread` has got hold of an object that it cannot know of: then the accesses of its owner should have
    /// been steps.
    #[inline]
    pub(crate) fn check_privacy(&mut self, thread: ThreadId, object: ObjectId) -> Result<(), Failure> {
        let owner = self.memory.object(object).state.owner;
        if owner == Owner::Shared || owner == Owner::Thread(thread) { Ok(()) } else { self.note_escape(object) }
    }

    #[cold]
    fn note_escape(&mut self, object: ObjectId) -> Result<(), Failure> {
        if self.settings.privacy != Privacy::Checked {
            self.publish_object(object);
            return Ok(());
        }
        self.escaped = true;
        let name = self.object_name(object);
        Err(Failure::unsupported(format!("the address of {name} reaches another thread in disguise")))
    }

    /// The thread-local variables of a thread are the first objects it makes; before them, its `errno`.
    pub(crate) fn birth_thread_locals(&mut self, thread: ThreadId) {
        // Neither is larger than a program can be.
        let _ = self.birth(thread, 8, Origin::Internal("errno"), true);
        let module = Arc::clone(&self.module);
        for index in 0..self.thread_locals.len() {
            let id = self.thread_locals[index];
            let global = module.global(id);
            if let Ok(object) = self.birth(thread, global.size, Origin::ThreadLocal(id), true) {
                self.fill(object, global);
                if global.name == crate::library::REQUEST {
                    let state = &mut self.memory.object_mut(object).state;
                    (state.owner, state.initialised) = (Owner::Shared, None);
                }
            }
        }
    }

    /// The object of a thread-local variable.
    pub(crate) fn thread_local(&self, thread: ThreadId, global: GlobalId) -> ObjectId {
        let position = self.thread_locals.iter().position(|&id| id == global).unwrap_or(0);
        self.threads[thread].objects[position + 1]
    }

    /// The object that holds the `errno` of a thread.
    pub(crate) fn errno(&self, thread: ThreadId) -> ObjectId {
        self.threads[thread].objects[0]
    }

    pub(crate) fn save_object(&mut self, object: ObjectId) {
        if self.log.is_on && !self.is_of_this_step(object) {
            self.log.objects.push(self.memory.object(object).state);
            self.log.changes.push(Undo::Object { object });
        }
    }

    /// Ends the life of an object.
    pub(crate) fn end_object(&mut self, object: ObjectId, life: Life) {
        if self.is_told() {
            self.note_end(object);
        }
        self.save_object(object);
        self.memory.object_mut(object).state.life = life;
    }

    /// Writes up to eight bytes.
    #[inline]
    pub(crate) fn write(&mut self, object: ObjectId, offset: u64, size: u32, value: Cell) {
        if offset.is_multiple_of(8) && size == 8 {
            return self.write_word(object, (offset / 8) as u32, value);
        }
        for part in parts(offset, size.into()) {
            let shift = 8 * part.at;
            let piece = Cell { bits: value.bits >> shift, undef: value.undef >> shift };
            let old = self.memory.object(object).words[part.granule as usize];
            self.write_word(object, part.granule, splice(old, part, piece));
        }
    }

    #[inline]
    pub(crate) fn write_word(&mut self, object: ObjectId, granule: u32, new: Word) {
        let is_private = self.memory.object(object).state.owner != Owner::Shared;
        let is_logged = !is_private || !self.is_of_this_step(object);
        let old = std::mem::replace(&mut self.memory.object_mut(object).words[granule as usize], new);
        if is_logged {
            self.log.push(Undo::Word { object, granule, old });
        }
    }

    /// Writes up to 16 bytes that lie in two lanes.
    pub(crate) fn write_wide(&mut self, object: ObjectId, offset: u64, size: u32, low: Cell, high: Cell) {
        self.write(object, offset, size.min(8), low);
        if size > 8 {
            self.write(object, offset + 8, size - 8, high);
        }
    }

    /// Notes that `value` was written to `object`: if others can reach the one, they can reach what the other
    /// points to.
    #[inline]
    pub(crate) fn note_pointer(&mut self, object: ObjectId, value: Cell) {
        if self.memory.object(object).state.owner == Owner::Shared {
            self.publish(value);
        }
    }

    /// Makes what `value` may point to known to all threads, and what that points to; also if it has ended.
    #[inline]
    pub(crate) fn publish(&mut self, value: Cell) {
        if let Some(target) = self.memory.private_target(value) {
            self.publish_object(target);
        }
    }

    pub(crate) fn publish_object(&mut self, object: ObjectId) {
        let mut list = std::mem::take(&mut self.publishing);
        list.push(object);
        while let Some(object) = list.pop() {
            if self.memory.object(object).state.owner == Owner::Shared {
                continue;
            }
            let is_alive = self.memory.object(object).state.life == Life::Alive;
            let is_noted = is_alive && self.race_tracking() == Tracking::On;
            let initialised = is_noted.then(|| self.note_publication(object));
            self.save_object(object);
            let state = &mut self.memory.object_mut(object).state;
            (state.owner, state.initialised) = (Owner::Shared, initialised);
            let words = if is_alive { &self.memory.object(object).words[..] } else { &[] };
            list.extend(words.iter().filter_map(|&word| self.memory.private_target(word)));
        }
        self.publishing = list;
    }

    /// Gives an object that its owner has forgotten to another thread; what it points to is known to both.
    pub(crate) fn hand_over(&mut self, object: ObjectId, thread: ThreadId) {
        if self.memory.object(object).state.owner == Owner::Shared {
            return;
        }
        self.save_object(object);
        self.memory.object_mut(object).state.owner = Owner::Thread(thread);
        for granule in 0..self.memory.object(object).words.len() {
            let word = self.memory.object(object).words[granule];
            if self.memory.private_target(word) != Some(object) {
                self.publish(word);
            }
        }
    }

    /// The engine's name of a word.
    #[inline]
    pub(crate) fn location(&mut self, object: ObjectId, granule: u32) -> Location {
        match self.memory.object(object).locations.get(granule as usize) {
            Some(&Some(known)) => known,
            _ => self.name_location(object, granule),
        }
    }

    #[cold]
    fn name_location(&mut self, object: ObjectId, granule: u32) -> Location {
        let location = self.new_location(Place::Memory { object, granule }, Role::Data);
        let this = self.memory.object_mut(object);
        if this.locations.len() <= granule as usize {
            let length = (granule as usize + 1).max(this.words.len().min(64));
            this.locations.resize(length, None);
        }
        this.locations[granule as usize] = Some(location);
        location
    }

    /// The engine's name of an object as a whole.
    pub(crate) fn lifetime(&mut self, object: ObjectId) -> Location {
        if let Some(known) = self.memory.object(object).lifetime {
            return known;
        }
        let location = self.new_location(Place::Value(0), Role::Data);
        self.memory.object_mut(object).lifetime = Some(location);
        location
    }

    /// Up to eight bytes of a word, as they are replaced by an access that the engine has carried out.
    pub(crate) fn assign_bytes(&mut self, object: ObjectId, granule: u32, bytes: u8, whole: u64) {
        let mut field = 0;
        for byte in 0..8 {
            if bytes >> byte & 1 == 1 {
                field |= mask(8) << (8 * byte);
            }
        }
        let old = self.memory.object(object).words[granule as usize];
        let new = Word { bits: old.bits & !field | whole & field, undef: old.undef & !field };
        self.write_word(object, granule, new);
    }
}
