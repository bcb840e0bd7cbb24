//! Synchronisation objects: what operations on them do to their value. It is 0 at first, [`DESTROYED`] in the end, and
//!
//! - of a mutex or spin lock, the number of its holder;
//! - of a read-write lock, for each reader how often it has it, or the number of the writer above those;
//! - of a condition variable, a bit for each thread that waits;
//! - of a semaphore, one more than the number of units that are left;
//! - of a barrier, a bit for each thread that waits, and above those for how many it is.
//!
//! `waiting` has those operations that are several steps, or that wake others.

use super::Builder;
use super::memory::Reach;
use super::walk::{Flow, Region, Stop, Walk};
use crate::system::{Access, AccessKind, Action, OFFSET_BITS, RunAs, SYNC_BITS, Unsupported};
use crate::term::{Term, mask};
use everyway_ir::Instruction;
use smallvec::smallvec;

/// The value of what must not be used any more.
pub(super) const DESTROYED: u128 = u64::MAX as u128;
/// So many threads have a bit.
pub(super) const THREADS: u32 = 32;
/// So many threads can use read-write locks, and have so many bits for how often they have one to read.
const READERS: u32 = 16;
const READER_BITS: u32 = 3;
const HELD_TOO_OFTEN: &str = "a thread has a read-write lock more than 7 times";

/// What is done to a synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyncOp {
    Lock,
    /// With what it returns if the lock cannot be had.
    TryLock(i32),
    Unlock,
    InitMutex,
    /// Makes one whose value is 0.
    Init,
    /// Ends one that must not be in use.
    DestroyIdle,
    Destroy,
    ReadLock,
    WriteLock,
    TryReadLock(i32),
    TryWriteLock(i32),
    UnlockRw,
    InitSemaphore,
    Take,
    TryTake,
    Give,
    Count,
    Wait,
    /// With what it returns if there was no signal.
    TimedWait(i32),
    Signal,
    Broadcast,
    InitBarrier,
    Arrive,
}

/// What an operation does to a value.
struct Outcome {
    new: Option<Term>,
    enabled: Option<Term>,
    /// When the operation must not be used.
    misuse: Term,
    /// What it returns; 0 if nothing else is said.
    result: Option<Term>,
    /// When there is no room for the new value.
    overflows: Option<Term>,
}

/// What becomes of a path after an action.
#[derive(Clone, Debug)]
pub(super) enum After {
    /// The call is done.
    Next,
    /// The call goes on with another step.
    Stage(u32),
}

/// The action of a place, and the paths from there. The first one is that which was given.
pub(super) struct Performed {
    pub(super) action: Action,
    pub(super) after: After,
    pub(super) other: Option<(Walk, After)>,
}

impl Performed {
    pub(super) fn next(action: Action) -> Self {
        Self { action, after: After::Next, other: None }
    }
}

impl Builder<'_> {
    /// Stops before an operation on a synchronisation object, unless there is no other thread.
    pub(super) fn reach_sync(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        op: SyncOp,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        if op == SyncOp::InitMutex && self.terms.value(arguments[1]) != Some(0) {
            return self.unsupported("mutexes with attributes are not supported by bmc", location);
        }
        let waits_with = matches!(op, SyncOp::Wait | SyncOp::TimedWait(_)).then(|| arguments[1]);
        for pointer in [Some(arguments[0]), waits_with].into_iter().flatten() {
            match self.valid_reach(walk, pointer, 1, region)? {
                Err(flow) => return Ok(flow),
                Ok(Reach::Own) if !self.alone => self.keep_apart(pointer),
                Ok(_) => {}
            }
        }
        if self.alone {
            return self.sync_alone(walk, instruction, op, arguments, region);
        }
        Ok(Flow::Stop(Stop::Visible))
    }

    /// The value of a synchronisation object is no part of the memory it lies in, which may be that of one thread.
    fn keep_apart(&mut self, pointer: Term) {
        let object = self.object_of(pointer);
        let mut found = Vec::new();
        self.terms.leaves(object, &mut found);
        for object in found {
            if let Some(thing) = self.things.get_mut(object as usize) {
                thing.has_sync = true;
            }
        }
    }

    /// What a thread does to a synchronisation object while there is no other.
    fn sync_alone(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        op: SyncOp,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        let Some(pointer) = self.terms.value(arguments[0]) else { return Ok(Flow::Stop(Stop::Cut)) };
        let spot = ((pointer >> OFFSET_BITS) as u32, (pointer & mask(OFFSET_BITS)) as u32);
        let untouched = self.number(0);
        let old = walk.past.syncs.get(&spot).copied().unwrap_or(untouched);
        // There is no thread that waits for a signal.
        let op = if op == SyncOp::Signal { SyncOp::Broadcast } else { op };
        let has_stages = matches!(op, SyncOp::Wait | SyncOp::TimedWait(_) | SyncOp::Arrive);
        let outcome = self.outcome(walk, op, old, arguments, location)?;
        if has_stages || outcome.enabled.is_some_and(|enabled| !self.terms.is_true(enabled)) {
            return Ok(Flow::Stop(Stop::Cut));
        }
        if !self.fail_if(walk, outcome.misuse, region) {
            return Ok(Flow::Failed);
        }
        if let Some(overflows) = outcome.overflows {
            self.note_unsupported(walk, overflows, HELD_TOO_OFTEN, region);
        }
        if let Some(new) = outcome.new {
            walk.past.syncs.insert(spot, new);
        }
        self.conclude(walk, instruction, op, arguments, outcome.result, region)?;
        Ok(Flow::Next)
    }

    /// The results of an operation.
    fn conclude(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        op: SyncOp,
        arguments: &[Term],
        result: Option<Term>,
        region: &mut Region,
    ) -> Result<(), Unsupported> {
        if op == SyncOp::Count {
            let count = result.unwrap_or_else(|| self.terms.constant(32, 0));
            self.write_result(walk, arguments[1], count, region, instruction)?;
            self.give(walk, instruction, 0)?;
            return Ok(());
        }
        self.give(walk, instruction, 0)?;
        if let (Some(result), Some(&reg)) = (result, instruction.results.first()) {
            walk.set(reg, result);
        }
        Ok(())
    }

    /// Writes what a call gives to memory of the thread.
    pub(super) fn write_result(
        &mut self,
        walk: &mut Walk,
        target: Term,
        value: Term,
        region: &mut Region,
        instruction: &Instruction,
    ) -> Result<(), Unsupported> {
        let bytes = self.terms.width(value) / 8;
        match self.valid_reach(walk, target, bytes, region)? {
            Ok(Reach::Own) => {
                self.write_own(walk, target, value);
                Ok(())
            }
            _ => self.unsupported("a result that goes to memory that is shared", instruction.location),
        }
    }

    pub(super) fn number(&mut self, value: u128) -> Term {
        self.terms.constant(SYNC_BITS, value)
    }

    /// The bit of a thread.
    pub(super) fn bit(
        &mut self,
        walk: &Walk,
        location: Option<everyway_ir::SourceLocation>,
    ) -> Result<Term, Unsupported> {
        if walk.thread as u32 >= THREADS {
            return self.unsupported("more than 32 threads with condition variables or the like", location);
        }
        Ok(self.number(1 << walk.thread))
    }

    /// What an operation does to a value, if it is one step.
    fn outcome(
        &mut self,
        walk: &Walk,
        op: SyncOp,
        old: Term,
        arguments: &[Term],
        location: Option<everyway_ir::SourceLocation>,
    ) -> Result<Outcome, Unsupported> {
        let (zero, gone) = (self.number(0), self.number(DESTROYED));
        let me = self.number(walk.thread as u128 + 1);
        let (is_zero, is_gone) = (self.terms.equal(old, zero), self.terms.equal(old, gone));
        let never = self.terms.bool(false);
        let free_or_gone = self.terms.or(is_zero, is_gone);
        let plain =
            |new: Term, misuse: Term| Outcome { new: Some(new), enabled: None, misuse, result: None, overflows: None };
        Ok(match op {
            // What is gone is not waited for.
            SyncOp::Lock => Outcome { enabled: Some(free_or_gone), ..plain(me, is_gone) },
            SyncOp::TryLock(refusal) => self.attempt(old, is_zero, me, is_gone, refusal),
            SyncOp::Unlock => {
                // A thread that does not hold it must not give it back.
                let held = self.terms.equal(old, me);
                plain(zero, self.terms.not(held))
            }
            SyncOp::InitMutex | SyncOp::Init => plain(zero, never),
            SyncOp::DestroyIdle => plain(gone, self.terms.not(is_zero)),
            SyncOp::Destroy => plain(gone, is_gone),
            SyncOp::ReadLock
            | SyncOp::WriteLock
            | SyncOp::TryReadLock(_)
            | SyncOp::TryWriteLock(_)
            | SyncOp::UnlockRw => return self.read_write(walk, op, old, location),
            SyncOp::InitSemaphore | SyncOp::Take | SyncOp::TryTake | SyncOp::Give | SyncOp::Count => {
                self.semaphore(op, old, arguments)
            }
            SyncOp::Broadcast => plain(zero, is_gone),
            SyncOp::InitBarrier => {
                let count = self.terms.extend_zero(arguments[2], SYNC_BITS);
                let shift = self.number(THREADS.into());
                plain(self.terms.shift_left(count, shift), never)
            }
            SyncOp::Wait | SyncOp::TimedWait(_) | SyncOp::Signal | SyncOp::Arrive => plain(old, is_gone),
        })
    }

    /// Takes something if the condition holds, and returns a refusal otherwise.
    fn attempt(&mut self, old: Term, can: Term, taken: Term, misuse: Term, refusal: i32) -> Outcome {
        let (zero, busy) = (self.terms.constant(32, 0), self.terms.constant(32, refusal as u32 as u128));
        let result = self.terms.choose(can, zero, busy);
        let new = self.terms.choose(can, taken, old);
        Outcome { new: Some(new), enabled: None, misuse, result: Some(result), overflows: None }
    }

    fn read_write(
        &mut self,
        walk: &Walk,
        op: SyncOp,
        old: Term,
        location: Option<everyway_ir::SourceLocation>,
    ) -> Result<Outcome, Unsupported> {
        if walk.thread as u32 >= READERS {
            return self.unsupported("more than 16 threads with read-write locks", location);
        }
        let (zero, gone) = (self.number(0), self.number(DESTROYED));
        let (is_zero, is_gone) = (self.terms.equal(old, zero), self.terms.equal(old, gone));
        let writer = self.number((walk.thread as u128 + 1) << (READERS * READER_BITS));
        let limit = self.number(1 << (READERS * READER_BITS));
        let no_writer = self.terms.less(old, limit);
        let shift = READER_BITS * walk.thread as u32;
        let one = self.number(1 << shift);
        let own = self.terms.extract(old, shift, READER_BITS);
        let (none, all) = (self.terms.constant(READER_BITS, 0), self.terms.constant(READER_BITS, mask(READER_BITS)));
        let more = self.terms.add(old, one);
        let waits = |builder: &mut Self, can: Term, new: Term| Outcome {
            new: Some(new),
            enabled: Some(builder.terms.or(can, is_gone)),
            misuse: is_gone,
            result: None,
            overflows: None,
        };
        let mut outcome = match op {
            SyncOp::ReadLock => waits(self, no_writer, more),
            SyncOp::WriteLock => waits(self, is_zero, writer),
            SyncOp::TryReadLock(refusal) => self.attempt(old, no_writer, more, is_gone, refusal),
            SyncOp::TryWriteLock(refusal) => self.attempt(old, is_zero, writer, is_gone, refusal),
            _ => {
                let writes = self.terms.equal(old, writer);
                let not_reading = self.terms.equal(own, none);
                let reads = self.terms.not(not_reading);
                let reads = self.terms.and(reads, no_writer);
                let less = self.terms.sub(old, one);
                let holds = self.terms.or(writes, reads);
                let new = self.terms.choose(writes, zero, less);
                let misuse = self.terms.not(holds);
                Outcome { new: Some(new), enabled: None, misuse, result: None, overflows: None }
            }
        };
        if matches!(op, SyncOp::ReadLock | SyncOp::TryReadLock(_)) {
            let is_full = self.terms.equal(own, all);
            outcome.overflows = Some(self.terms.and(is_full, no_writer));
        }
        Ok(outcome)
    }

    fn semaphore(&mut self, op: SyncOp, old: Term, arguments: &[Term]) -> Outcome {
        let (zero, one, gone) = (self.number(0), self.number(1), self.number(DESTROYED));
        let (is_zero, is_gone) = (self.terms.equal(old, zero), self.terms.equal(old, gone));
        let misuse = self.terms.or(is_zero, is_gone);
        let is_empty = self.terms.equal(old, one);
        let can = self.terms.not(is_empty);
        let less = self.terms.sub(old, one);
        let mut outcome = Outcome { new: None, enabled: None, misuse, result: None, overflows: None };
        match op {
            SyncOp::InitSemaphore => {
                let count = self.terms.extend_zero(arguments[2], SYNC_BITS);
                outcome.new = Some(self.terms.add(count, one));
                outcome.misuse = self.terms.bool(false);
            }
            SyncOp::Take => (outcome.new, outcome.enabled) = (Some(less), Some(can)),
            SyncOp::TryTake => outcome = self.attempt(old, can, less, misuse, -1),
            SyncOp::Give => outcome.new = Some(self.terms.add(old, one)),
            _ => outcome.result = Some(self.terms.extract(less, 0, 32)),
        }
        outcome
    }

    pub(super) fn sync_access(&mut self, address: Term, old: Term, new: Option<Term>, enabled: Option<Term>) -> Access {
        let divisor = self.aligned_divisor(address, 4);
        Access { kind: AccessKind::Sync, address, bytes: 1, is_plain: false, divisor, old, new, enabled }
    }

    /// The action of a place before an operation, which is carried out.
    pub(super) fn perform_sync(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        op: SyncOp,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Performed, Unsupported> {
        match op {
            SyncOp::Wait => return self.perform_wait(walk, instruction, arguments, None, region),
            SyncOp::TimedWait(refusal) => {
                return self.perform_wait(walk, instruction, arguments, Some(refusal), region);
            }
            SyncOp::Arrive => return self.perform_arrive(walk, instruction, arguments, region),
            SyncOp::Signal => return self.perform_signal(walk, instruction, arguments, region),
            _ => {}
        }
        let old = self.old(walk, 0, SYNC_BITS);
        let outcome = self.outcome(walk, op, old, arguments, instruction.location)?;
        self.fail_if(walk, outcome.misuse, region);
        if let Some(overflows) = outcome.overflows {
            self.note_unsupported(walk, overflows, HELD_TOO_OFTEN, region);
        }
        self.conclude(walk, instruction, op, arguments, outcome.result, region)?;
        let access = self.sync_access(arguments[0], old, outcome.new, outcome.enabled);
        let mut action = Action { accesses: smallvec![access], run_as: RunAs::One, ..Action::default() };
        self.add_life(walk, arguments[0], &mut action, region);
        Ok(Performed::next(action))
    }
}
