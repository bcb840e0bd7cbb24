//! Condition variables and barriers, and how threads are woken.
//!
//! A wait on a condition variable is two steps: the thread unlocks the mutex and joins those that wait; when a signal
//! has taken it out of these, it locks the mutex again. With a limit on time there is a step in between, in which it
//! leaves those that wait if it is still among them. A wait at a barrier is two steps as well, unless it is the last:
//! to arrive, and to pass.

use super::Builder;
use super::places::VariableKey;
use super::sync::{After, DESTROYED, Performed, THREADS};
use super::walk::{Region, Walk};
use crate::system::{Access, Action, Choice, POINTER_BITS, RunAs, SYNC_BITS, Unsupported};
use crate::term::Term;
use everyway_ir::Instruction;
use smallvec::smallvec;

/// What one of the threads that pass a barrier is told.
const SERIAL_THREAD: i32 = -1;

impl Builder<'_> {
    /// Wakes a thread that waits, if there is one: any of them.
    pub(super) fn perform_signal(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Performed, Unsupported> {
        let old = self.old(walk, 0, SYNC_BITS);
        let (zero, gone) = (self.number(0), self.number(DESTROYED));
        let is_gone = self.terms.equal(old, gone);
        self.fail_if(walk, is_gone, region);
        // The first one of those that the choice singles out, or of all, if it singles out none.
        let term = self.choice(walk);
        let singled = self.terms.and(old, term);
        let none = self.terms.equal(singled, zero);
        let among = self.terms.choose(none, old, singled);
        let negative = self.terms.sub(zero, among);
        let woken = self.terms.and(among, negative);
        let new = self.terms.xor(old, woken);
        self.give(walk, instruction, 0)?;
        let access = self.sync_access(arguments[0], old, Some(new), None);
        let choice = Choice::Waiter { term, waiting: old, woken };
        let mut action = Action { accesses: smallvec![access], choice, run_as: RunAs::One, ..Action::default() };
        self.add_life(walk, arguments[0], &mut action, region);
        Ok(Performed::next(action))
    }

    pub(super) fn perform_wait(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        refusal: Option<i32>,
        region: &mut Region,
    ) -> Result<Performed, Unsupported> {
        let bit = self.bit(walk, instruction.location)?;
        let (mutex, condvar) = (self.old(walk, 0, SYNC_BITS), self.old(walk, 1, SYNC_BITS));
        let (zero, gone) = (self.number(0), self.number(DESTROYED));
        let me = self.number(walk.thread as u128 + 1);
        let condvar_is_gone = self.terms.equal(condvar, gone);
        let own = self.terms.and(condvar, bit);
        let is_out = self.terms.equal(own, zero);
        // One that is gone has let go those that waited.
        let is_out = self.terms.or(is_out, condvar_is_gone);
        let mut action = Action { run_as: RunAs::One, ..Action::default() };
        let stage = std::mem::take(&mut walk.stage);
        let after = match (stage, refusal) {
            (0, _) => {
                let is_misused = self.is_misused((mutex, me), condvar_is_gone);
                self.fail_if(walk, is_misused, region);
                let joined = self.terms.or(condvar, bit);
                let unlock = self.sync_access(arguments[1], mutex, Some(zero), None);
                let come = self.sync_access(arguments[0], condvar, Some(joined), None);
                action.accesses.extend([unlock, come]);
                self.add_life(walk, arguments[0], &mut action, region);
                self.add_life(walk, arguments[1], &mut action, region);
                After::Stage(1)
            }
            (1, None) => {
                let take = self.lock_again(walk, arguments[1], mutex, region);
                let woken = self.sync_access(arguments[0], condvar, None, Some(is_out));
                action.accesses.extend([take, woken]);
                action.run_as = RunAs::Two;
                self.give(walk, instruction, 0)?;
                After::Next
            }
            (1, Some(_)) => {
                let left = self.terms.not(bit);
                let left = self.terms.and(condvar, left);
                // The only access of this step is to the condition variable.
                let leave = self.sync_access(arguments[0], condvar, Some(left), None);
                action.accesses.push(leave);
                return Ok(self.in_time_or_not(walk, is_out, action));
            }
            (_, _) => {
                action.accesses.push(self.lock_again(walk, arguments[1], mutex, region));
                let result = if stage == 2 { refusal.unwrap_or(0) } else { 0 };
                self.give(walk, instruction, result as u32 as u128)?;
                After::Next
            }
        };
        Ok(Performed { action, after, other: None })
    }

    /// Locks a mutex after a wait, as soon as it is free.
    fn lock_again(&mut self, walk: &mut Walk, pointer: Term, mutex: Term, region: &mut Region) -> Access {
        let (zero, gone) = (self.number(0), self.number(DESTROYED));
        let me = self.number(walk.thread as u128 + 1);
        let (is_free, is_gone) = (self.terms.equal(mutex, zero), self.terms.equal(mutex, gone));
        self.fail_if(walk, is_gone, region);
        let enabled = self.terms.or(is_free, is_gone);
        self.sync_access(pointer, mutex, Some(me), Some(enabled))
    }

    /// Whether a wait is a mistake: the mutex is not `me`'s, or the condition variable is gone.
    fn is_misused(&mut self, (mutex, me): (Term, Term), condvar_is_gone: Term) -> Term {
        let held = self.terms.equal(mutex, me);
        let not_held = self.terms.not(held);
        self.terms.or(not_held, condvar_is_gone)
    }

    /// Goes on in two ways: as one that was woken in time, where `is_out` holds, and as one whose time was up.
    fn in_time_or_not(&mut self, walk: &mut Walk, is_out: Term, action: Action) -> Performed {
        let mut in_time = walk.clone();
        in_time.guard = self.terms.and(walk.guard, is_out);
        let not = self.terms.not(is_out);
        walk.guard = self.terms.and(walk.guard, not);
        Performed { action, after: After::Stage(2), other: Some((in_time, After::Stage(3))) }
    }

    pub(super) fn perform_arrive(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Performed, Unsupported> {
        let bit = self.bit(walk, instruction.location)?;
        let old = self.old(walk, 0, SYNC_BITS);
        let zero = self.number(0);
        let mut action = Action { run_as: RunAs::One, ..Action::default() };
        if std::mem::take(&mut walk.stage) == 1 {
            let own = self.terms.and(old, bit);
            let is_out = self.terms.equal(own, zero);
            action.accesses.push(self.sync_access(arguments[0], old, None, Some(is_out)));
            self.give(walk, instruction, 0)?;
            return Ok(Performed::next(action));
        }
        let (gone, shift) = (self.number(DESTROYED), self.number(THREADS.into()));
        let count = self.terms.shift_right(old, shift);
        let (is_gone, is_unmade) = (self.terms.equal(old, gone), self.terms.equal(count, zero));
        let misuse = self.terms.or(is_gone, is_unmade);
        self.fail_if(walk, misuse, region);
        let arrived = self.terms.or(old, bit);
        let mut present = zero;
        for thread in 0..THREADS {
            let one = self.terms.extract(arrived, thread, 1);
            let one = self.terms.extend_zero(one, SYNC_BITS);
            present = self.terms.add(present, one);
        }
        self.add_life(walk, arguments[0], &mut action, region);
        let is_last = self.terms.equal(present, count);
        let empty = self.terms.shift_left(count, shift);
        let new = self.terms.choose(is_last, empty, arrived);
        action.accesses.insert(0, self.sync_access(arguments[0], old, Some(new), None));
        let mut last = walk.clone();
        last.guard = self.terms.and(walk.guard, is_last);
        // A machine that runs the program has it open the barrier in a step of its own.
        last.passed += 1;
        self.give(&mut last, instruction, SERIAL_THREAD as u32 as u128)?;
        let not = self.terms.not(is_last);
        walk.guard = self.terms.and(walk.guard, not);
        Ok(Performed { action, after: After::Stage(1), other: Some((last, After::Next)) })
    }

    fn choice(&mut self, walk: &Walk) -> Term {
        let key = VariableKey::Input { thread: walk.thread, origin: walk.origin };
        debug_assert_eq!(POINTER_BITS, SYNC_BITS, "an input is as wide as the value of a synchronisation object");
        self.variable(key, "input", SYNC_BITS)
    }
}
