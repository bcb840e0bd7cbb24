//! Pointers, and memory that no other thread can see: that of a thread, or all of it while there is only one.
//!
//! A pointer is an object in its higher half and an offset in its lower one. Bytes are terms of eight bits.

use super::walk::{Memory, Walk};
use super::{Builder, Owner};
use crate::system::{OBJECT_BITS, OFFSET_BITS, POINTER_BITS, Unsupported};
use crate::term::{Node, Term};
use everyway_ir::{CastOp, Instruction, IntPredicate, Operation, SourceLocation, Symbol, Value};
use std::rc::Rc;

/// What a pointer may point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// This object.
    One(u32),
    /// One of these objects.
    Some(Vec<u32>),
    /// Anything that pointers are held to, as far as is known.
    Any,
}

/// Whom an access concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Only the thread itself; the memory may be written if it is the thread's.
    Own,
    /// All threads.
    Shared,
}

impl Builder<'_> {
    pub(super) fn pointer_to(&mut self, thing: u32, offset: i64) -> Term {
        let low = offset as u128 & crate::term::mask(OFFSET_BITS);
        self.terms.constant(POINTER_BITS, u128::from(thing) << OFFSET_BITS | low)
    }

    pub(super) fn object_of(&mut self, pointer: Term) -> Term {
        self.terms.extract(pointer, OFFSET_BITS, OBJECT_BITS)
    }

    pub(super) fn offset_of(&mut self, pointer: Term) -> Term {
        self.terms.extract(pointer, 0, OFFSET_BITS)
    }

    /// What `pointer` may point to.
    pub(super) fn target(&mut self, pointer: Term) -> Target {
        let object = self.object_of(pointer);
        let mut found = Vec::new();
        if !self.terms.leaves(object, &mut found) {
            return Target::Any;
        }
        match found[..] {
            [one] => Target::One(one),
            _ => Target::Some(found),
        }
    }

    /// Whether the object that a number would point to is that of a pointer, or what was found in memory: bits that are
    /// combined may be a pointer in disguise, of which nothing is known.
    pub(super) fn is_plain_pointer(&mut self, value: Term) -> bool {
        let value = self.terms.extend_zero(value, POINTER_BITS);
        let object = self.object_of(value);
        let mut work = vec![object];
        while let Some(term) = work.pop() {
            match self.terms.node(term) {
                Node::Choose(_, then, otherwise) => work.extend([then, otherwise]),
                Node::Extract(inner, _) if matches!(self.terms.node(inner), Node::Xor(..)) => return false,
                Node::Xor(..) => return false,
                _ => {}
            }
        }
        true
    }

    /// Whether what an instruction takes is a pointer that the same block has made to a number.
    pub(super) fn was_pointer(&self, walk: &Walk, operation: &Operation) -> bool {
        let Some(frame) = walk.frames.last() else { return false };
        let block = self.body(frame.function).block(frame.block);
        operation.values().into_iter().filter_map(Value::reg).any(|taken| {
            let makes = |it: &&Instruction| it.results.first() == Some(&taken);
            let made_by = block.instructions[..frame.index].iter().rev().find(makes);
            made_by.is_some_and(|it| matches!(it.operation, Operation::Cast { op: CastOp::PtrToInt, .. }))
        })
    }

    /// That a number is the address of an object. Its lower bits say nothing about what they are elsewhere, where no object is at a
    /// multiple of 2^32, say.
    pub(super) fn is_address(&mut self, number: Term) -> Term {
        let object = self.object_of(number);
        let (none, beyond) = (0, self.things.len() as u128);
        let [none, beyond] = [none, beyond].map(|it| self.terms.constant(OBJECT_BITS, it));
        let is_none = self.terms.equal(object, none);
        let is_some = self.terms.not(is_none);
        let is_known = self.compare(IntPredicate::Ult, object, beyond);
        self.terms.and(is_some, is_known)
    }

    /// A pointer to what this value points to is kept where the program does not show it.
    pub(super) fn hold(&mut self, value: Term) {
        if self.terms.width(value) != POINTER_BITS {
            return;
        }
        let object = self.object_of(value);
        let mut found = Vec::new();
        self.terms.leaves(object, &mut found);
        for object in found {
            if let Some(thing) = self.things.get_mut(object as usize) {
                thing.is_held = true;
            }
        }
    }

    /// Marks the globals whose addresses are used for more than accessing them.
    pub(super) fn mark_held(&mut self) {
        let bodies = self.module.functions.iter().filter_map(|function| function.body.as_ref());
        for block in bodies.flat_map(|body| &body.blocks) {
            let mut values: Vec<Value> = block.values_at_ends().collect();
            for instruction in &block.instructions {
                let address = match &instruction.operation {
                    // What is computed from an address and then used for an access stays in sight.
                    Operation::Offset { base, .. } => Some(*base),
                    operation => operation.address(),
                };
                let mut operands = instruction.operation.values();
                if let Some(position) = operands.iter().position(|value| Some(*value) == address) {
                    operands.remove(position);
                }
                values.extend(operands);
            }
            for value in values {
                if let Value::Address { symbol: Symbol::Global(id), .. } = value {
                    let thing = self.globals[id.index()];
                    self.things[thing as usize].is_held = true;
                }
            }
        }
    }

    /// Whom an access through `pointer` by this thread concerns.
    pub(super) fn reach(
        &mut self,
        walk: &Walk,
        pointer: Term,
        location: Option<SourceLocation>,
    ) -> Result<Reach, Unsupported> {
        if self.alone {
            return Ok(Reach::Own);
        }
        let among = match self.target(pointer) {
            Target::One(object) => vec![object],
            Target::Some(objects) => objects,
            Target::Any => return Ok(Reach::Shared),
        };
        let (mut own, mut shared) = (false, false);
        for object in among {
            match self.things.get(object as usize).map(|thing| thing.owner) {
                Some(Owner::Thread(thread)) if thread == walk.thread && !walk.published.contains(&object) => {
                    own = true;
                }
                // Others only know of it once it is shared.
                Some(Owner::Thread(_)) => shared = true,
                Some(Owner::Constant) => own = true,
                Some(Owner::Shared) => shared = true,
                // The access fails.
                Some(Owner::Null | Owner::Function(_)) | None => {}
            }
        }
        match (own, shared) {
            (true, true) => self.unsupported("a pointer that may point to what is shared and to what is not", location),
            (_, true) => Ok(Reach::Shared),
            _ => Ok(Reach::Own),
        }
    }

    /// When an access of this many bytes through `pointer` stays within an object.
    pub(super) fn is_valid(&mut self, pointer: Term, bytes: u32) -> Term {
        let (object, offset) = (self.object_of(pointer), self.offset_of(pointer));
        let among: Vec<u32> = match self.target(pointer) {
            Target::One(object) => vec![object],
            Target::Some(objects) => objects,
            Target::Any => {
                let held = |thing: &super::Thing| thing.is_held && (thing.owner == Owner::Shared || thing.is_published);
                (0..self.things.len() as u32).filter(|&thing| held(&self.things[thing as usize])).collect()
            }
        };
        let mut valid = Vec::new();
        for candidate in among {
            let Some(thing) = self.things.get(candidate as usize) else { continue };
            if thing.size < bytes || matches!(thing.owner, Owner::Null | Owner::Function(_)) {
                continue;
            }
            let last = thing.size - bytes;
            let number = self.terms.constant(OBJECT_BITS, candidate.into());
            let beyond = self.terms.constant(OFFSET_BITS, u128::from(last));
            let (same, over) = (self.terms.equal(object, number), self.terms.less(beyond, offset));
            let within = self.terms.not(over);
            valid.push(self.terms.and(same, within));
        }
        self.terms.any(valid)
    }

    /// The bytes of an object in the memory of a thread, or those that it has from the start.
    pub(super) fn own_bytes(&self, memory: &Memory, object: u32) -> Rc<Vec<Term>> {
        match memory.get(&object) {
            Some(bytes) => Rc::clone(bytes),
            None => Rc::new(self.things.get(object as usize).map(|thing| thing.bytes.clone()).unwrap_or_default()),
        }
    }

    /// Reads memory that no other thread can write. The access is valid.
    pub(super) fn read_own(&mut self, walk: &Walk, pointer: Term, bytes: u32) -> Term {
        let (object, offset) = (self.object_of(pointer), self.offset_of(pointer));
        let mut objects = Vec::new();
        self.terms.leaves(object, &mut objects);
        let mut result = self.terms.constant(8 * bytes, 0);
        for candidate in objects {
            let contents = self.own_bytes(&walk.memory, candidate);
            let value = self.read_at(&contents, offset, bytes);
            let number = self.terms.constant(OBJECT_BITS, candidate.into());
            let same = self.terms.equal(object, number);
            result = self.terms.choose(same, value, result);
        }
        result
    }

    fn read_at(&mut self, contents: &[Term], offset: Term, bytes: u32) -> Term {
        let whole = |builder: &mut Self, start: usize| -> Option<Term> {
            let mut parts = contents.get(start..start + bytes as usize)?.iter().rev().copied();
            let first = parts.next()?;
            Some(parts.fold(first, |high, low| builder.terms.concat(high, low)))
        };
        if let Some(start) = self.terms.value(offset) {
            let zero = self.terms.constant(8 * bytes, 0);
            return whole(self, start as usize).unwrap_or(zero);
        }
        let mut result = self.terms.constant(8 * bytes, 0);
        let step = self.divisor(offset).min(bytes.next_power_of_two()).max(1) as usize;
        for start in (0..contents.len()).step_by(step) {
            let Some(value) = whole(self, start) else { break };
            let number = self.terms.constant(OFFSET_BITS, start as u128);
            let here = self.terms.equal(offset, number);
            result = self.terms.choose(here, value, result);
        }
        result
    }

    /// Writes memory that no other thread can see. The access is valid.
    pub(super) fn write_own(&mut self, walk: &mut Walk, pointer: Term, value: Term) {
        let (object, offset) = (self.object_of(pointer), self.offset_of(pointer));
        let mut objects = Vec::new();
        self.terms.leaves(object, &mut objects);
        for candidate in objects {
            let number = self.terms.constant(OBJECT_BITS, candidate.into());
            let same = self.terms.equal(object, number);
            let mut contents = self.own_bytes(&walk.memory, candidate).to_vec();
            self.write_at(&mut contents, same, offset, value);
            walk.memory.insert(candidate, Rc::new(contents));
        }
    }

    fn write_at(&mut self, contents: &mut [Term], condition: Term, offset: Term, value: Term) {
        let bytes = self.terms.width(value) as usize / 8;
        for (position, content) in contents.iter_mut().enumerate() {
            for byte in 0..bytes.min(position + 1) {
                let start = self.terms.constant(OFFSET_BITS, (position - byte) as u128);
                let here = self.terms.equal(offset, start);
                let here = self.terms.and(condition, here);
                let part = self.terms.extract(value, 8 * byte as u32, 8);
                *content = self.terms.choose(here, part, *content);
            }
        }
    }

    /// Writes into an object before the program runs.
    pub(super) fn write_bytes_of(&mut self, thing: u32, offset: usize, value: Term) {
        for byte in 0..self.terms.width(value) as usize / 8 {
            let part = self.terms.extract(value, 8 * byte as u32, 8);
            if let Some(place) = self.things[thing as usize].bytes.get_mut(offset + byte) {
                *place = part;
            }
        }
    }

    /// A number that all values of the offset are multiples of; 0 if it is always zero.
    pub(super) fn divisor(&self, term: Term) -> u32 {
        fn gcd(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { gcd(b, a % b) }
        }
        match self.terms.node(term) {
            Node::Const(bits) => bits as u32,
            Node::Add(a, b) => gcd(self.divisor(a), self.divisor(b)),
            Node::Choose(_, a, b) => gcd(self.divisor(a), self.divisor(b)),
            Node::Mul(a, b) => match self.terms.value(b) {
                Some(factor) => (self.divisor(a)).checked_mul(factor as u32).unwrap_or(factor as u32),
                None => 1,
            },
            Node::Concat(high, low) if self.terms.value(low) == Some(0) => {
                let shift = self.terms.width(low).min(16);
                self.divisor(high).checked_mul(1 << shift).unwrap_or(1 << shift)
            }
            _ => 1,
        }
    }
}
