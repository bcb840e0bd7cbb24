//! Latches: units that are waited at, and where no thread has to wait once something is written.
//!
//! A wait is a read that comes only after certain writes. In general that is not enough to let it have a source like any
//! other read, and to leave the order of writes open. Algorithm 1 finds the source `s` of a read `e` in executions in which
//! `e` has another source: all that `s` depends on is executed, then `e`, which finds whatever was written last, then `s`.
//! If what was written last is not what `e` waits for, there is no such execution. For example
//!
//! ```text
//! x = 1  ||  x = 0  ||  z = 5  ||  a = x; b = x; c = z; if (a == 1 && b == 0 && c == 0) x = 1  ||  d = z; await x == 1
//! ```
//!
//! has executions with `d = 5` in which the await finds what the fourth thread has written, but that is not written in any
//! execution in which the await finds the first thread's: there `x = 0` comes before `x = 1`, or after the await, and so after
//! `z = 5`. So elsewhere units that are waited at are ordered (`super::unit`).
//!
//! On a latch, a wait is over if anything has been written there: because every write satisfies it, or because the waiting
//! thread comes after all writes that do not. (A thread that has joined the others, and waits for what it has read.) So this
//! cannot happen. Let `e` wait, and be executed after the events `τ`; let `E` be an execution that has all
//! of `τ`, in which `e` finds `s`, or waits for ever.
//!
//! - `e` does not wait for ever in `E`: what it found is in `τ`, hence in `E`.
//! - If `s` is in `τ`, it is tried as soon as `e` has been executed.
//! - Otherwise let `S` be `τ`, what `s` depends on, and `s`, in the order of `E`. Nothing in `S` depends on `s`. If `s` does
//!   not look, put it at the end, and `e` before it: `e` finds what is written last in the rest of `S`, and goes on: there
//!   is something, what it found when it was executed. If `s` is a read-modify-write and its source is
//!   something written, put `s` right behind `e`, where `e` is in `E`: in between nothing is written, so `e` finds
//!   the source of `s`, and goes on. If it is the initial value, put `e` at the end: it finds something else than `s`, since there
//!   is something else written in `S`, and `s` is the first. In each case the paper's induction goes on, as it does for reads.
//!
//! What is written while there is only one thread need not be waited for: it comes before everything else, and is the same
//! as an initial value.
//!
//! That a unit is a latch is learnt from what was explored. Let every wait go on as soon as something was written, and let its
//! thread stop if that is not what it waits for. Of this program, all units that are waited at are latches, so that all
//! its classes are explored; it is the program itself until a wait comes to read something else than it waits for. So
//! sources that a wait would not go on with are tried, too ([`Detection::would_wait`]). If there is an execution in which it
//! comes upon one, or a thread waits for ever where something was written, the exploration starts over with an ordered unit.
//!
//! On a sum (`super::sum`), nothing is written that others find: it is a latch if what is waited for, once it has been reached, is not left again: if all adds are up, or
//! all are down, and the condition holds for no value between the first and the last of an execution without holding for all
//! that follow. For then what has been added when the wait was executed lets it go on in `S`, whatever else has been added
//! there. (A counter of finished threads, with a thread that waits for all of them.)

use super::candidate::Candidate;
use super::detect::Detection;
use super::linearization::{Entry, Source};
use everyway_runtime::{Access, Bytes, Condition, Effect, Then, Visit};
use smallvec::SmallVec;

/// What is waited for.
#[derive(Debug, Default)]
pub(super) struct Latches {
    /// By part of a location.
    conditions: Vec<SmallVec<[Condition; 1]>>,
}

impl Latches {
    /// Whether nothing is waited for anywhere.
    pub(super) fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Takes note that `condition` is waited for at the part with this number; whether that was not known.
    pub(super) fn add(&mut self, part: usize, condition: Condition) -> bool {
        if self.conditions.len() <= part {
            self.conditions.resize_with(part + 1, SmallVec::new);
        }
        let known = &mut self.conditions[part];
        let is_new = !known.contains(&condition);
        if is_new {
            known.push(condition);
        }
        is_new
    }

    /// Whether something is waited for at the part with this number.
    pub(super) fn has(&self, part: usize) -> bool {
        self.conditions.get(part).is_some_and(|known| !known.is_empty())
    }

    /// The parts where something is waited for.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.conditions.len()).filter(|&part| self.has(part))
    }

    /// Whether an event that waits at the part with this number may go on somewhere on its course, and not later on.
    pub(super) fn is_left(&self, part: usize, course: &Course) -> bool {
        self.conditions.get(part).is_some_and(|known| known.iter().any(|&condition| course.leaves(condition)))
    }

    /// What is waited for at the part with this number.
    pub(super) fn conditions(&self, part: usize) -> &[Condition] {
        self.conditions.get(part).map_or(&[], |known| known)
    }

    /// Whether it is known that `condition` is waited for there.
    pub(super) fn knows(&self, part: usize, condition: Condition) -> bool {
        self.conditions.get(part).is_some_and(|known| known.contains(&condition))
    }
}

impl Detection<'_> {
    /// Whether `candidate` has an execution, of which the target is a wait that would not go on with its source. What is written
    /// while there is only one thread does not count.
    pub(super) fn would_wait(&mut self, candidate: &Candidate) -> bool {
        let Some(Entry { source: Source::Event(source), .. }) = candidate.altered.last() else { return false };
        !self.view.is_alone(*source)
            && (self.direct.try_out(&self.view, self.trace, candidate).is_some() || self.decide(candidate).is_some())
    }
}

/// The condition of an access that waits, and only looks.
pub(super) fn waits_for(access: &Access) -> Option<Condition> {
    let only_looks =
        matches!(access.effect, Effect::Read) && access.fails == Then::Block && access.holds != Then::Block;
    only_looks.then_some(access.when)
}

/// The values of a sum in an execution, in whatever order what is added to it comes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    bytes: Bytes,
    start: i128,
    end: i128,
    rises: bool,
    falls: bool,
}

impl Course {
    /// Longer ones are not looked at.
    const LONGEST: u128 = 1 << 12;

    /// One that starts with what `visit` finds.
    pub(super) fn from(visit: &Visit) -> Self {
        let start = visit.access.bytes.get(visit.before).into();
        Self { bytes: visit.access.bytes, start, end: start, rises: false, falls: false }
    }

    /// Adds `number`, of which as many bits count as the bytes have.
    pub(super) fn add(&mut self, number: u64) {
        let unused = 64 - 8 * self.bytes.0.count_ones();
        let number = (number << unused).cast_signed() >> unused;
        self.rises |= number > 0;
        self.falls |= number < 0;
        self.end += i128::from(number);
    }

    /// Whether `condition` is met somewhere on the way, and not further on; also if that is not known.
    fn leaves(&self, condition: Condition) -> bool {
        let length = self.start.abs_diff(self.end);
        let values = 0..1i128 << (8 * self.bytes.0.count_ones());
        if self.rises && self.falls || !values.contains(&self.end) || length > Self::LONGEST {
            return true;
        }
        let forth = if self.falls { -1 } else { 1 };
        let way = (0..=length as i128).map(|step| self.start + forth * step);
        let mut rest = way.skip_while(|&value| !condition.holds(value as u64));
        rest.any(|value| !condition.holds(value as u64))
    }
}
