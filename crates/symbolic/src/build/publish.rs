//! Reachability for other threads: objects of a thread become shared when their address does.
//!
//! While there is only one thread, an object is shared from then on. Later it depends on the path: a path knows which
//! objects of its thread are shared by now, and two paths that differ in that do not lead to the same place. The step
//! that shares an object moves its bytes from the variables of the thread to shared memory.

use super::walk::{Region, Walk};
use super::{Builder, Owner};
use crate::system::{POINTER_BITS, Published, Unsupported};
use crate::term::Term;
use everyway_ir::SourceLocation;

impl Builder<'_> {
    /// The objects of threads that a value may point to.
    fn private_targets(&mut self, value: Term) -> Vec<u32> {
        if self.terms.width(value) != POINTER_BITS {
            return Vec::new();
        }
        self.hold(value);
        let object = self.object_of(value);
        let mut found = Vec::new();
        self.terms.leaves(object, &mut found);
        let is_private = |&object: &u32| {
            self.things.get(object as usize).is_some_and(|thing| matches!(thing.owner, Owner::Thread(_)))
        };
        found.retain(is_private);
        found
    }

    /// The pointers in an object.
    fn words(&mut self, bytes: &[Term]) -> Vec<Term> {
        let word = |builder: &mut Self, word: &[Term]| {
            word[..7].iter().rev().fold(word[7], |high, &low| builder.terms.concat(high, low))
        };
        bytes.chunks_exact(8).map(|bytes| word(self, bytes)).collect()
    }

    /// All threads can reach what `value` points to from now on, and so on transitively: while there is only one thread.
    pub(super) fn publish(&mut self, walk: &Walk, value: Term) {
        for object in self.private_targets(value) {
            self.things[object as usize].owner = Owner::Shared;
            let bytes = self.own_bytes(&walk.memory, object);
            for word in self.words(&bytes) {
                self.publish(walk, word);
            }
        }
    }

    /// The same of what shared objects hold: on one way an object may have become shared, and on another one, before they met,
    /// a pointer may have been put into it.
    pub(super) fn publish_contents(&mut self, walk: &Walk) {
        for (&object, bytes) in &walk.memory {
            if self.things[object as usize].owner == Owner::Shared {
                for word in self.words(bytes) {
                    self.publish(walk, word);
                }
            }
        }
    }

    /// The same when there are several threads: on this path, after the action of its place.
    pub(super) fn publish_later(
        &mut self,
        walk: &mut Walk,
        value: Term,
        region: &mut Region,
        location: Option<SourceLocation>,
    ) -> Result<(), Unsupported> {
        for object in self.private_targets(value) {
            if self.things[object as usize].owner != Owner::Thread(walk.thread) || walk.published.contains(&object) {
                continue;
            }
            let Some(bytes) = walk.memory.remove(&object) else {
                return self.unsupported("the address of something that is gone becomes known to others", location);
            };
            walk.published.push(object);
            walk.published.sort_unstable();
            self.things[object as usize].is_published = true;
            region.published.push(Published { object, when: walk.guard, bytes: bytes.to_vec() });
            for word in self.words(&bytes) {
                self.publish_later(walk, word, region, location)?;
            }
        }
        Ok(())
    }

    /// Whether others would come to know something new with this value.
    pub(super) fn shares(&mut self, walk: &Walk, value: Term) -> bool {
        let own = |builder: &Self, object: u32| {
            builder.things[object as usize].owner == Owner::Thread(walk.thread) && !walk.published.contains(&object)
        };
        self.private_targets(value).into_iter().any(|object| own(self, object))
    }

    /// Whether what a pointer of a thread points to is still there.
    pub(super) fn exists(&mut self, walk: &Walk, pointer: Term) -> bool {
        let object = self.object_of(pointer);
        let mut found = Vec::new();
        self.terms.leaves(object, &mut found);
        let is_gone = |object: &u32| {
            let owner = self.things.get(*object as usize).map(|thing| thing.owner);
            owner == Some(Owner::Thread(walk.thread)) && !walk.memory.contains_key(object)
        };
        self.alone || !found.iter().any(is_gone)
    }

    /// The variables of the function that returns are gone.
    pub(super) fn forget_variables(&mut self, walk: &mut Walk) -> Result<(), Unsupported> {
        let location = self.here(walk);
        let Some(call) = walk.frames.last().map(|frame| frame.call) else { return Ok(()) };
        // Those of the first function of the program stay for the others.
        let is_main = walk.thread == 0 && walk.frames.len() == 1;
        if self.alone || is_main {
            return Ok(());
        }
        let variables: Vec<u32> =
            self.slots.iter().filter(|(slot, _)| slot.0 == call).map(|(_, thing)| *thing).collect();
        for thing in variables {
            walk.memory.remove(&thing);
            if walk.published.contains(&thing) {
                let name = &self.things[thing as usize].name;
                let what = format!("`{name}`, which other threads know, ends with its function: not supported by bmc");
                return self.unsupported(what, location);
            }
        }
        Ok(())
    }
}
