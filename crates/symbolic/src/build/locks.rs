//! Mutexes and spin locks: the value of a lock is 0, the number of its holder, or [`DESTROYED`].

use super::calls::Known;
use super::memory::Reach;
use super::walk::{Flow, Region, Stop, Walk};
use super::{Builder, Owner};
use crate::system::{Access, AccessKind, Action, LOCK_BITS, OFFSET_BITS, POINTER_BITS, Unsupported};
use crate::term::{Term, mask};
use everyway_ir::Instruction;

/// The value of a lock that must not be used any more.
const DESTROYED: u128 = 255;

impl Builder<'_> {
    /// Stops before an access to a lock, unless no other thread can notice it.
    pub(super) fn reach_lock(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Known,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        if known == Known::InitLock {
            let is_pointer = |&attribute: &Term| self.terms.width(attribute) == POINTER_BITS;
            if arguments.get(1).is_some_and(|a| is_pointer(a) && self.terms.value(*a) != Some(0)) {
                return self.unsupported("mutexes with attributes are not supported by bmc", location);
            }
        }
        match self.valid_reach(walk, arguments[0], 1, region)? {
            Err(flow) => Ok(flow),
            Ok(Reach::Shared) => Ok(Flow::Stop(Stop::Visible)),
            Ok(Reach::Own) if self.alone => self.lock_alone(walk, instruction, known, arguments[0], region),
            Ok(Reach::Own) => self.unsupported("a lock that only one thread knows is not supported by bmc", location),
        }
    }

    /// What a thread does to a lock while there is no other.
    fn lock_alone(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Known,
        address: Term,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        let Some(pointer) = self.terms.value(address) else {
            return self.unsupported("a lock that is not known before the program runs", location);
        };
        let (object, offset) = ((pointer >> OFFSET_BITS) as u32, (pointer & mask(OFFSET_BITS)) as u32);
        let holder = self.first_locks.get(&(object, offset)).copied().unwrap_or(0);
        let me = walk.thread as u8 + 1;
        let (after, result) = match (known, holder) {
            (Known::InitLock, _) => (0, 0),
            (Known::Lock | Known::TryLock(_), 0) => (me, 0),
            (Known::TryLock(busy), _) if holder == me => (me, busy),
            (Known::Unlock, _) if holder == me => (0, 0),
            (Known::DestroyLock, 0) => (DESTROYED as u8, 0),
            (Known::Lock, _) if holder == me => {
                return self.unsupported("a thread waits for itself before it has started others", location);
            }
            _ => {
                region.fails.push(walk.guard);
                return Ok(Flow::Failed);
            }
        };
        self.first_locks.insert((object, offset), after);
        self.give(walk, instruction, result)
    }

    /// The action of a place before an access to a lock, which is carried out.
    pub(super) fn perform_lock(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Known,
        address: Term,
        region: &mut Region,
    ) -> Result<Action, Unsupported> {
        let old = self.old(walk, LOCK_BITS);
        let me = self.terms.constant(LOCK_BITS, walk.thread as u128 + 1);
        let (free, gone) = (self.terms.constant(LOCK_BITS, 0), self.terms.constant(LOCK_BITS, DESTROYED));
        let (is_free, is_gone) = (self.terms.equal(old, free), self.terms.equal(old, gone));
        self.give(walk, instruction, 0)?;
        let (new, enabled, misuse) = match known {
            // No thread waits for what is gone.
            Known::Lock => (me, Some(self.terms.or(is_free, is_gone)), is_gone),
            Known::TryLock(refusal) => {
                if let Some(&reg) = instruction.results.first() {
                    let (zero, busy) = (self.terms.constant(32, 0), self.terms.constant(32, refusal));
                    let result = self.terms.choose(is_free, zero, busy);
                    walk.set(reg, result);
                }
                (self.terms.choose(is_free, me, old), None, is_gone)
            }
            Known::InitLock => (free, None, self.terms.bool(false)),
            Known::DestroyLock => (gone, None, self.terms.not(is_free)),
            _ => {
                // A thread that does not hold it must not give it back.
                let held = self.terms.equal(old, me);
                (free, None, self.terms.not(held))
            }
        };
        self.fail_if(walk, misuse, region);
        let divisor = self.aligned_divisor(address, 4);
        Ok(Action::Access(Access { kind: AccessKind::Lock, address, bytes: 1, divisor, old, new: Some(new), enabled }))
    }

    /// The locks that are not free when the first thread is started, or that are gone.
    pub(super) fn locks_taken(&self) -> Vec<(u32, u32, u8)> {
        let shared = |object: u32| self.things.get(object as usize).is_some_and(|t| t.owner == Owner::Everybody);
        let taken = self.first_locks.iter().filter(|((object, _), holder)| **holder != 0 && shared(*object));
        let mut taken: Vec<_> = taken.map(|(&(object, offset), &holder)| (object, offset, holder)).collect();
        taken.sort_unstable();
        taken
    }
}
