//! Memory from the heap: allocating it, giving it back, and whether it is still there.
//!
//! Memory that only one thread knows is given back at once. For memory that others know, whether it is gone is part of
//! what is shared: giving it back writes that, and every access to it reads it.

use super::library::Builtin;
use super::memory::{Reach, Target};
use super::places::VariableKey;
use super::walk::{Flow, Region, Stop, Walk};
use super::{Builder, Owner, Undefined};
use crate::system::{Access, AccessKind, Action, OBJECT_BITS, OFFSET_BITS, RunAs, Unsupported};
use crate::term::Term;
use everyway_ir::Instruction;
use smallvec::smallvec;
use std::rc::Rc;

/// What memory from the heap is called.
const HEAP: &str = "allocated memory";
/// Which of a place's accesses the first one to the life of an object is; the others come before.
const LIFE: usize = 2;

impl Builder<'_> {
    pub(super) fn allocate(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Builtin,
        arguments: &[Term],
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        let factors = arguments.iter().map(|&factor| self.terms.value(factor));
        let size = factors.into_iter().try_fold(1u128, |size, factor| size.checked_mul(factor?));
        let Some(size) = size.and_then(|size| u32::try_from(size).ok()).filter(|size| *size < 1 << 20) else {
            return self.unsupported("an allocation whose size is not known before the program runs", location);
        };
        let thing = self.heap_object(walk, size);
        if walk.memory.contains_key(&thing) || walk.published.contains(&thing) {
            let what =
                "memory is allocated in a loop whose number of rounds is not known, which is not supported by bmc";
            return self.unsupported(what, location);
        }
        let mut byte = self.terms.constant(8, 0);
        if known == Builtin::Malloc {
            byte = self.variable(VariableKey::Fresh { thing }, "uninitialised", 8);
            self.rigid.insert(byte);
            self.undefined.insert(Undefined::Memory { thread: walk.thread, thing }, byte);
        }
        let bytes = vec![byte; size as usize];
        walk.memory.insert(thing, Rc::new(bytes));
        let pointer = self.pointer_to(thing, 0);
        if let Some(&reg) = instruction.results.first() {
            walk.set(reg, pointer);
        }
        Ok(Flow::Next)
    }

    /// The object of an allocation: a new one while there is only one thread; else the same whenever a path from one
    /// place comes there for the same time.
    fn heap_object(&mut self, walk: &mut Walk, size: u32) -> u32 {
        let owner = Owner::Thread(walk.thread);
        let new = |builder: &mut Self| builder.thing(HEAP, size, owner);
        let Some(frame) = walk.frames.last().filter(|_| !self.alone) else { return new(self) };
        let site = frame.site();
        let nth = walk.allocations.iter().filter(|known| **known == site).count();
        walk.allocations.push(site);
        let key = (self.unrolled_from(walk), site, nth);
        if let Some(&known) = self.heap.get(&key) {
            return known;
        }
        let thing = new(self);
        self.heap.insert(key, thing);
        thing
    }

    fn is_heap(&self, object: u32) -> bool {
        self.things.get(object as usize).is_some_and(|thing| thing.name == HEAP)
    }

    /// The objects from the heap that a pointer may point to.
    fn heap_targets(&mut self, pointer: Term) -> Vec<u32> {
        let among: Vec<u32> = match self.target(pointer) {
            Target::One(object) => vec![object],
            Target::Some(objects) => objects,
            Target::Any => (0..self.things.len() as u32).filter(|&it| self.things[it as usize].is_held).collect(),
        };
        among.into_iter().filter(|&object| self.is_heap(object)).collect()
    }

    /// Memory is given back: at once, if only the thread itself knows it.
    pub(super) fn free(&mut self, walk: &mut Walk, pointer: Term, region: &mut Region) -> Result<Flow, Unsupported> {
        let location = self.here(walk);
        let null = self.pointer_to(0, 0);
        let is_null = self.terms.equal(pointer, null);
        if self.terms.is_true(is_null) {
            return Ok(Flow::Next);
        }
        if self.must_cut(pointer) {
            return Ok(Flow::Stop(Stop::Cut));
        }
        self.decides(walk, pointer);
        let can = self.is_freeable(pointer);
        let can = self.terms.or(can, is_null);
        let cannot = self.terms.not(can);
        if !self.fail_if(walk, cannot, region) {
            return Ok(Flow::Failed);
        }
        if self.alone {
            let object = self.object_of(pointer);
            let object = self.terms.value(object).unwrap_or(0) as u32;
            if walk.past.dead.contains(&object) {
                region.fail(walk, walk.guard);
                return Ok(Flow::Failed);
            }
            walk.past.dead.push(object);
            return Ok(Flow::Next);
        }
        if self.reach(walk, pointer, location)? == Reach::Shared {
            return Ok(Flow::Stop(Stop::Visible));
        }
        match self.target(pointer) {
            Target::One(object) if walk.memory.remove(&object).is_some() => Ok(Flow::Next),
            Target::One(_) => {
                region.fail(walk, walk.guard);
                Ok(Flow::Failed)
            }
            _ => self.unsupported("freeing one of several objects of one thread is not supported by bmc", location),
        }
    }

    /// When a pointer is to the start of memory from the heap.
    fn is_freeable(&mut self, pointer: Term) -> Term {
        let mut conditions = Vec::new();
        for object in self.heap_targets(pointer) {
            let start = self.pointer_to(object, 0);
            conditions.push(self.terms.equal(pointer, start));
        }
        self.terms.any(conditions)
    }

    /// The action that gives back memory that others know.
    pub(super) fn perform_free(
        &mut self,
        walk: &mut Walk,
        pointer: Term,
        region: &mut Region,
    ) -> Result<Action, Unsupported> {
        let mut action = Action { run_as: RunAs::One, ..Action::default() };
        let mut access = self.life(walk, pointer, LIFE);
        self.fail_if(walk, access.old, region);
        access.new = Some(self.terms.bool(true));
        action.accesses = smallvec![access];
        Ok(action)
    }

    /// An access to whether an object is gone.
    fn life(&mut self, walk: &Walk, pointer: Term, nth: usize) -> Access {
        let object = self.object_of(pointer);
        debug_assert_eq!(self.terms.width(object), OBJECT_BITS, "a pointer has an object");
        let start = self.terms.constant(OFFSET_BITS, 0);
        let address = self.terms.concat(object, start);
        let old = self.old(walk, nth, 1);
        let kind = AccessKind::Life;
        Access { kind, address, bytes: 1, is_plain: false, divisor: 0, old, new: None, enabled: None }
    }

    /// An action that touches memory fails if that is gone.
    pub(super) fn add_life(&mut self, walk: &mut Walk, pointer: Term, action: &mut Action, region: &mut Region) {
        if !self.has_free || self.heap_targets(pointer).is_empty() {
            return;
        }
        let access = self.life(walk, pointer, LIFE + action.accesses.len());
        self.fail_if(walk, access.old, region);
        action.accesses.push(access);
    }

    /// Whether an object that a thread uses while it is alone is gone.
    pub(super) fn is_dead_alone(&mut self, walk: &Walk, pointer: Term) -> bool {
        let object = self.object_of(pointer);
        self.alone && self.terms.value(object).is_some_and(|object| walk.past.dead.contains(&(object as u32)))
    }
}
