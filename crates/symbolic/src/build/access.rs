//! Accesses to memory: those that others can notice end a path, and are the actions of places; the others are
//! carried out at once.

use super::memory::Reach;
use super::places::VariableKey;
use super::sync::{After, Performed};
use super::walk::{Flow, Region, Stop, Walk};
use super::{Builder, Owner, Undefined};
use crate::system::{Access, AccessKind, Action, OFFSET_BITS, RunAs, Unsupported};
use crate::term::Term;
use everyway_ir::{Instruction, Operation, SlotId, Test, Type, Until, Value};
use smallvec::smallvec;
use std::rc::Rc;

/// The address, size and alignment of an access.
struct Spot {
    pointer: Term,
    bytes: u32,
    align: u32,
}

/// Whether an access is not atomic.
fn is_plain(operation: &Operation) -> bool {
    matches!(operation, Operation::Load { ordering: None, .. } | Operation::Store { ordering: None, .. })
}

impl Builder<'_> {
    /// The type that an access is of.
    fn accessed(&self, walk: &Walk, instruction: &Instruction) -> Option<Type> {
        let frame = walk.frames.last()?;
        let body = self.body(frame.function);
        match &instruction.operation {
            Operation::Store { value, .. } | Operation::AtomicRmw { value, .. } => value.ty(body),
            Operation::CompareExchange { new, .. } => new.ty(body),
            _ => instruction.results.first().map(|&reg| body.register(reg).ty),
        }
    }

    fn spot(&mut self, walk: &Walk, instruction: &Instruction) -> Result<Spot, Unsupported> {
        let ty = self.accessed(walk, instruction).filter(|ty| !ty.is_float());
        let (Some(ty), Some(address)) = (ty, instruction.operation.address()) else {
            return self.unsupported("floating point is not supported by bmc", instruction.location);
        };
        let align = match &instruction.operation {
            Operation::Load { align, .. } | Operation::Store { align, .. } => *align,
            // Atomic ones are aligned to their size.
            _ => ty.bytes().next_power_of_two(),
        };
        Ok(Spot { pointer: self.value(walk, address)?, bytes: ty.bytes(), align })
    }

    /// Executes an access unless others can notice it. What it waits for does not change then: it is an assumption.
    pub(super) fn execute_access(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        until: Option<&Until>,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let Spot { pointer, bytes, align } = self.spot(walk, instruction)?;
        match self.valid_reach(walk, pointer, bytes, region)? {
            Err(flow) => return Ok(flow),
            Ok(Reach::Shared) => {
                if until.is_some() && self.observed.is_some() {
                    return self.unsupported("an invariant must not wait", instruction.location);
                }
                self.check_alignment(walk, pointer, align, region);
                let observed = self.observe(walk, instruction, (pointer, bytes, align))?;
                return Ok(observed.unwrap_or(Flow::Stop(Stop::Visible)));
            }
            Ok(Reach::Own) => {}
        }
        let old = self.read_own(walk, pointer, bytes);
        if let Some(until) = until {
            let holds = self.is_met(walk, until, old)?;
            let not = self.terms.not(holds);
            match self.assume_not(walk, not, region) {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        let Some(new) = self.results(walk, instruction, old)? else { return Ok(Flow::Next) };
        if let super::memory::Target::One(object) = self.target(pointer) {
            match self.things.get(object as usize).map(|thing| thing.owner) {
                Some(Owner::Constant) => {
                    region.fail(walk, walk.guard);
                    return Ok(Flow::Failed);
                }
                Some(Owner::Shared) => self.publish(walk, new),
                _ => {}
            }
        }
        self.write_own(walk, pointer, new);
        Ok(Flow::Next)
    }

    /// That what an access finds meets the condition it waits for.
    fn is_met(&mut self, walk: &mut Walk, until: &Until, found: Term) -> Result<Term, Unsupported> {
        let mut clauses = Vec::new();
        for clause in until {
            let mut tests = Vec::new();
            for &Test { mask, predicate, operand } in clause {
                let operand = self.value(walk, operand)?;
                let mut value = self.terms.extract(found, 0, self.terms.width(operand));
                if let Some(mask) = mask {
                    let mask = self.value(walk, mask)?;
                    value = self.terms.and(value, mask);
                }
                tests.push(self.compare(predicate, value, operand));
            }
            clauses.push(self.terms.any(tests));
        }
        let met = self.terms.all(clauses);
        self.decides(walk, met);
        Ok(met)
    }

    fn check_alignment(&mut self, walk: &Walk, pointer: Term, align: u32, region: &mut Region) {
        let offset = self.offset_of(pointer);
        if align <= 1 || self.divisor(offset).is_multiple_of(align) {
            return;
        }
        let low = self.terms.extract(offset, 0, align.trailing_zeros());
        let zero = self.terms.constant(align.trailing_zeros(), 0);
        let aligned = self.terms.equal(low, zero);
        let misaligned = self.terms.not(aligned);
        self.note_unsupported(walk, misaligned, "an access that is not aligned as its type asks", region);
    }

    /// Assigns what an access gives, in terms of the value before; the value that it writes, if it does.
    pub(super) fn results(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        old: Term,
    ) -> Result<Option<Term>, Unsupported> {
        let wide = self.terms.width(old);
        let Some(ty) = self.accessed(walk, instruction) else { return Ok(None) };
        let before = self.terms.extract(old, 0, ty.bits());
        let new = match &instruction.operation {
            Operation::Store { value, .. } => self.value(walk, *value)?,
            Operation::AtomicRmw { op, value, .. } => {
                let value = self.value(walk, *value)?;
                let Some(new) = self.modified(*op, before, value) else {
                    return self.unsupported(format!("atomic `{op}` is not supported by bmc"), instruction.location);
                };
                walk.set(instruction.results[0], before);
                new
            }
            Operation::CompareExchange { expected, new, .. } => {
                let (expected, new) = (self.value(walk, *expected)?, self.value(walk, *new)?);
                self.decides(walk, expected);
                let same = self.terms.equal(before, expected);
                walk.set(instruction.results[0], before);
                walk.set(instruction.results[1], same);
                self.terms.choose(same, new, before)
            }
            _ => {
                walk.set(instruction.results[0], before);
                return Ok(None);
            }
        };
        Ok(Some(self.terms.extend_zero(new, wide)))
    }

    /// The action of a place before an access, which is carried out; and the path on which it comes to nothing, if
    /// that is told apart.
    pub(super) fn perform_access(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        until: Option<&Until>,
        region: &mut Region,
    ) -> Result<Performed, Unsupported> {
        let Spot { pointer, bytes, align } = self.spot(walk, instruction)?;
        let old = self.old(walk, 0, 8 * bytes);
        let divisor = self.aligned_divisor(pointer, align);
        let kind = AccessKind::Memory;
        let enabled = until.map(|until| self.is_met(walk, until, old)).transpose()?;
        let is_plain = is_plain(&instruction.operation);
        let access = Access { kind, address: pointer, bytes, is_plain, divisor, old, new: None, enabled };
        let mut action = Action { accesses: smallvec![access], run_as: RunAs::One, ..Action::default() };
        self.add_life(walk, pointer, &mut action, region);
        action.accesses[0].new = self.results(walk, instruction, old)?;
        let other = self.publish_written(walk, instruction, region)?;
        Ok(Performed { action, after: After::Next, other: other.map(|other| (other, After::Next)) })
    }

    /// What an access writes becomes known to others. A compare-exchange that fails writes nothing: that is a path of
    /// its own, if it matters.
    fn publish_written(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        region: &mut Region,
    ) -> Result<Option<Walk>, Unsupported> {
        let (value, success) = match &instruction.operation {
            Operation::Store { value, .. } | Operation::AtomicRmw { value, .. } => (*value, None),
            Operation::CompareExchange { new, .. } => (*new, Some(instruction.results[1])),
            _ => return Ok(None),
        };
        let value = self.value(walk, value)?;
        let mut other = None;
        if let Some(reg) = success.filter(|_| self.shares(walk, value)) {
            let frame = walk.frames.last().expect("a path that goes on is in a function");
            let success = frame.registers[&reg];
            let mut failed = walk.clone();
            let not = self.terms.not(success);
            failed.guard = self.terms.and(walk.guard, not);
            walk.guard = self.terms.and(walk.guard, success);
            failed.forks += 1;
            walk.forks += 1;
            other = Some(failed);
        }
        self.publish_later(walk, value, region, instruction.location)?;
        Ok(other)
    }

    /// What the offset of a pointer is a multiple of, given what the program promises.
    pub(super) fn aligned_divisor(&mut self, pointer: Term, align: u32) -> u32 {
        fn gcd(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { gcd(b, a % b) }
        }
        let offset = self.offset_of(pointer);
        match self.divisor(offset) {
            0 => 0,
            // Powers of two and constants are all that the two differ in.
            known => known / gcd(known, align) * align,
        }
    }

    /// The variable that stands for the value that an access of the place that the path comes from finds.
    pub(super) fn old(&mut self, walk: &Walk, nth: usize, width: u32) -> Term {
        let key = VariableKey::Old { thread: walk.thread, origin: walk.origin, nth, width };
        self.variable(key, "old", width)
    }

    /// A new object on the stack.
    pub(super) fn alloca(&mut self, walk: &mut Walk, slot: SlotId, count: Option<Value>) -> Result<Term, Unsupported> {
        let location = self.here(walk);
        let frame = walk.frames.last().expect("a path that goes on is in a function");
        let (call, declared) = (frame.call, self.body(frame.function).slot(slot));
        let count = match count {
            None => Some(1),
            Some(count) => {
                let count = self.value(walk, count)?;
                self.terms.value(count).and_then(|count| u64::try_from(count).ok())
            }
        };
        let size = count.and_then(|count| u32::try_from(count.checked_mul(declared.size)?).ok());
        let Some(size) = size else {
            return self.unsupported("an array whose size is not known before the program runs", location);
        };
        let name = declared.name.as_deref().unwrap_or("a variable").to_owned();
        let known = self.slots.get(&(call, slot.0)).copied();
        let usable = known.filter(|&thing| {
            let thing = &self.things[thing as usize];
            thing.owner == Owner::Thread(walk.thread) && thing.size == size
        });
        let thing = match usable {
            Some(thing) => thing,
            None => {
                let thing = self.thing(name, size, Owner::Thread(walk.thread));
                self.slots.insert((call, slot.0), thing);
                thing
            }
        };
        if walk.published.contains(&thing) {
            return self.unsupported("a variable that other threads know is made anew", location);
        }
        let key = VariableKey::Fresh { thing };
        let nothing = self.variable(key, "uninitialised", 8);
        self.rigid.insert(nothing);
        self.undefined.insert(Undefined::Memory { thread: walk.thread, thing }, nothing);
        let bytes = vec![nothing; size as usize];
        walk.memory.insert(thing, Rc::new(bytes));
        Ok(self.pointer_to(thing, 0))
    }

    /// Copies memory of one thread, byte by byte.
    pub(super) fn copy(
        &mut self,
        walk: &mut Walk,
        to: Term,
        from: Term,
        length: Term,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = self.here(walk);
        let Some(length) = self.terms.value(length).and_then(|length| u32::try_from(length).ok()) else {
            return self.unsupported("a copy whose length is not known before the program runs", location);
        };
        if length == 0 {
            return Ok(Flow::Next);
        }
        for pointer in [from, to] {
            match self.valid_reach(walk, pointer, length, region)? {
                Err(flow) => return Ok(flow),
                Ok(Reach::Shared) => {
                    return self.unsupported("copying memory that is shared is not supported by bmc", location);
                }
                Ok(Reach::Own) => {}
            }
        }
        let mut bytes = Vec::new();
        for byte in 0..length {
            let pointer = self.moved(from, byte);
            bytes.push(self.read_own(walk, pointer, 1));
        }
        for (byte, value) in bytes.into_iter().enumerate() {
            let pointer = self.moved(to, byte as u32);
            self.write_own(walk, pointer, value);
        }
        Ok(Flow::Next)
    }

    fn moved(&mut self, pointer: Term, by: u32) -> Term {
        let (object, offset) = (self.object_of(pointer), self.offset_of(pointer));
        let by = self.terms.constant(OFFSET_BITS, by.into());
        let offset = self.terms.add(offset, by);
        self.terms.concat(object, offset)
    }

    pub(super) fn set_memory(
        &mut self,
        walk: &mut Walk,
        to: Term,
        byte: Term,
        length: Term,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = self.here(walk);
        let Some(length) = self.terms.value(length).and_then(|length| u32::try_from(length).ok()) else {
            return self.unsupported("memory is set, and how much is not known before the program runs", location);
        };
        if length == 0 {
            return Ok(Flow::Next);
        }
        match self.valid_reach(walk, to, length, region)? {
            Err(flow) => return Ok(flow),
            Ok(Reach::Shared) => {
                return self.unsupported("setting memory that is shared is not supported by bmc", location);
            }
            Ok(Reach::Own) => {}
        }
        for position in 0..length {
            let pointer = self.moved(to, position);
            self.write_own(walk, pointer, byte);
        }
        Ok(Flow::Next)
    }
}
