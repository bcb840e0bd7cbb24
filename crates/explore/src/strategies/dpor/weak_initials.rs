//! Weak initials: whether some execution that starts with a step is equivalent to one that starts with a sequence
//! (JACM, Lemma 4.2(2); TACAS 2018, Definition 2).
//!
//! Sleep sets and wakeup trees ask the same question about a step that was, or will be, explored from a state: after
//! some part of a sequence from that state, could an equivalent sequence still have begun with the step? No, once an
//! event that conflicts with the step has come first. With observers, a step may be *overtaken* by events that conflict
//! with it only if that is observed. It stays a weak initial until that is observed; for a store, this can only be
//! after the store was taken, and no longer once there is another store to the same bytes.

use super::observation::{Conflict, Relation, Visibility};
use everyway_runtime::{Footprint, Step, ThreadId};

/// A step, or steps of one thread that differ in nothing but the alternative: consecutive ones of an operation without
/// accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alternatives {
    pub(crate) thread: ThreadId,
    first: u32,
    last: u32,
}

impl Alternatives {
    /// Whether `step` is one of them.
    #[inline]
    pub(crate) fn contain(self, step: Step) -> bool {
        self.thread == step.thread && self.first <= step.choice && step.choice <= self.last
    }

    /// The first of them.
    pub(crate) fn first(self) -> Step {
        Step { thread: self.thread, choice: self.first }
    }

    /// The last of them.
    pub(crate) fn last(self) -> Step {
        Step { thread: self.thread, choice: self.last }
    }

    /// How many they are.
    pub(crate) fn count(self) -> u32 {
        self.last - self.first + 1
    }

    /// Adds `step`, if it comes right after the last of them.
    pub(crate) fn extend(&mut self, step: Step) -> bool {
        let follows = self.thread == step.thread && self.last + 1 == step.choice;
        self.last += u32::from(follows);
        follows
    }
}

impl From<Step> for Alternatives {
    #[inline]
    fn from(Step { thread, choice }: Step) -> Self {
        Self { thread, first: choice, last: choice }
    }
}

/// The test whether a step is a weak initial, after a part of a sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct WeakInitialTest {
    taken: bool,
    /// The accesses of others that overtook some of its own, whose order may still be observed. Mostly none.
    overtaken: Vec<Overtaking>,
}

#[derive(Clone, Copy, Debug)]
struct Overtaking {
    /// The position of the step's own access among all of them.
    own: u32,
    by: Footprint,
}

/// What another step of the sequence says of a step's test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is a weak initial so far.
    Undecided,
    /// It is a weak initial, whatever comes.
    Yes,
    /// It is not a weak initial.
    No,
}

impl WeakInitialTest {
    /// Whether the step has not been taken, and nothing that was makes a difference to it.
    pub(crate) fn is_untouched(&self) -> bool {
        !self.taken && self.overtaken.is_empty()
    }

    /// Whether the step has been taken.
    pub(crate) fn is_taken(&self) -> bool {
        self.taken
    }

    /// The step `own` (one of them, if they are several), which does `footprints`, after the sequence goes on with the step `next`, which does `others`.
    #[inline(always)]
    pub(crate) fn pass(
        &mut self,
        own: (Alternatives, &[Footprint]),
        next: (Step, &[Footprint]),
        relation: &impl Relation,
    ) -> Verdict {
        // Nearly always.
        if let ([a], [b]) = (own.1, next.1)
            && self.is_untouched()
            && own.0.thread != next.0.thread
            && relation.are_elsewhere(a, b)
        {
            return Verdict::Undecided;
        }
        self.meet(own, next, relation)
    }

    fn meet(
        &mut self,
        (own, footprints): (Alternatives, &[Footprint]),
        (next, others): (Step, &[Footprint]),
        relation: &impl Relation,
    ) -> Verdict {
        if !self.overtaken.is_empty() && self.is_observed(footprints, others, relation) {
            return Verdict::No;
        }
        if self.taken {
            return if self.overtaken.is_empty() { Verdict::Yes } else { Verdict::Undecided };
        }
        if own.thread == next.thread {
            self.taken = own.contain(next);
            return match (self.taken, self.overtaken.is_empty()) {
                (false, _) => Verdict::No,
                (true, true) => Verdict::Yes,
                (true, false) => Verdict::Undecided,
            };
        }
        for (index, footprint) in footprints.iter().enumerate() {
            for other in others {
                match relation.conflict(footprint, other) {
                    Conflict::Never => {}
                    Conflict::Always => return Verdict::No,
                    Conflict::Observed => self.overtaken.push(Overtaking { own: index as u32, by: *other }),
                }
            }
        }
        Verdict::Undecided
    }

    /// Whether one of `others` observes that the step was overtaken.
    fn is_observed(&mut self, footprints: &[Footprint], others: &[Footprint], relation: &impl Relation) -> bool {
        let mut seen = false;
        let taken = self.taken;
        self.overtaken.retain(|&Overtaking { own, by }| {
            let mut found =
                others.iter().map(|other| relation.visibility(&by, &footprints[own as usize], taken, other));
            let visibility =
                found.find(|&visibility| visibility != Visibility::Unaffected).unwrap_or(Visibility::Unaffected);
            seen |= visibility == Visibility::Observed;
            visibility == Visibility::Unaffected
        });
        seen
    }
}

/// Whether a step that is left with this `test` by what came before is a weak initial of all of it and `steps`.
#[inline]
pub(crate) fn is_weak_initial<'a>(
    mut test: WeakInitialTest,
    own: (Alternatives, &[Footprint]),
    steps: impl Iterator<Item = (Step, &'a [Footprint])>,
    relation: &impl Relation,
) -> bool {
    for next in steps {
        match test.pass(own, next, relation) {
            Verdict::Undecided => {}
            Verdict::Yes => return true,
            Verdict::No => return false,
        }
    }
    true
}
