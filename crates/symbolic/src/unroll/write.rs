//! What a step writes to shared memory.

use super::Unrolling;
use crate::frame::{State, split};
use crate::layout::{Layout, whole};
use crate::store::Contents;
use crate::system::{AccessKind, OBJECT_BITS, Published};
use crate::term::{Term, Terms};
use std::collections::BTreeMap;

/// What writes that share a writer have in common: kind, size, which of their place's they are, and the objects that
/// they may be to.
type Key = (AccessKind, u32, usize, Vec<u32>);

/// A write to shared memory, under a condition.
struct Writer {
    kind: AccessKind,
    bytes: u32,
    condition: Term,
    address: Term,
    value: Term,
}

impl Writer {
    /// This write if it is made, else the other one.
    fn or(self, terms: &mut Terms, other: &Writer) -> Writer {
        Writer {
            condition: terms.or(other.condition, self.condition),
            address: terms.choose(self.condition, self.address, other.address),
            value: terms.choose(self.condition, self.value, other.value),
            ..self
        }
    }

    fn write(&self, terms: &mut Terms, layout: &Layout, next: &mut State) {
        let (object, offset) = split(terms, self.address);
        for candidate in layout.candidates(terms, self.address) {
            let spot = (self.kind, candidate);
            let known = (next.contents.get_mut(&spot), layout.cells.get(&spot));
            let (Some(contents), Some(layout)) = known else { continue };
            let number = terms.constant(OBJECT_BITS, candidate.into());
            let same = terms.equal(object, number);
            let condition = terms.and(self.condition, same);
            let count = layout.touched(self.kind, self.bytes);
            contents.write(terms, layout, condition, (offset, count), self.value);
        }
    }
}

impl Unrolling {
    /// What the step writes to shared memory. Writers whose address is not known share one writer for each size, and so
    /// do all writers to an object that is kept as a log.
    pub(super) fn write(&mut self, chosen: &[Term], next: &mut State) {
        let mut shared: BTreeMap<Key, Writer> = BTreeMap::new();
        for (thread, counter, condition) in self.taken(chosen) {
            for (nth, access) in self.action(thread, counter).accesses.into_iter().enumerate() {
                let Some(new) = access.new else { continue };
                let terms = &mut self.system.terms;
                let (changes, new) = access.changes(terms, new);
                let changes = self.frame.now.apply(terms, changes);
                let condition = terms.and(condition, changes);
                let (address, value) = (self.frame.now.apply(terms, access.address), self.frame.now.apply(terms, new));
                let writer = Writer { kind: access.kind, bytes: access.bytes, condition, address, value };
                let objects = self.layout.candidates(terms, address);
                let is_log =
                    |object: &u32| matches!(next.contents.get(&(access.kind, *object)), Some(Contents::Log(_)));
                if terms.value(address).is_some() && !objects.iter().any(is_log) {
                    writer.write(terms, &self.layout, next);
                    continue;
                }
                let key = (access.kind, access.bytes, nth, objects);
                let merged = match shared.remove(&key) {
                    None => writer,
                    Some(others) => writer.or(terms, &others),
                };
                shared.insert(key, merged);
            }
        }
        for writer in shared.into_values() {
            writer.write(&mut self.system.terms, &self.layout, next);
        }
        self.publish(chosen, next);
    }

    /// Moves the bytes of objects that become shared to shared memory.
    fn publish(&mut self, chosen: &[Term], next: &mut State) {
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter) else { continue };
            for Published { object, when, bytes } in place.effect.published.clone() {
                let spot = (AccessKind::Memory, object);
                let known = (next.contents.get_mut(&spot), self.layout.cells.get(&spot));
                let (Some(Contents::Cells(cells)), Some(layout)) = known else { continue };
                let terms = &mut self.system.terms;
                let when = self.frame.now.apply(terms, when);
                let when = terms.and(condition, when);
                for (cell, bytes) in cells.iter_mut().zip(bytes.chunks_exact(layout.grain as usize)) {
                    let value = whole(terms, bytes);
                    let value = self.frame.now.apply(terms, value);
                    *cell = terms.choose(when, value, *cell);
                }
            }
        }
    }
}
