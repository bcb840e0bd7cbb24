//! Sleep sets: the steps that need not be explored from a state, because executions that start with them are
//! equivalent to explored ones.

use crate::ids::Step;
use crate::mailbox::Matching;
use crate::operation::{Footprint, conflict};
use crate::sequence::Sequence;
use crate::trace::Trace;
use smallvec::SmallVec;

/// A step that sleeps, with what it did when it was explored. It would still do the same: whatever came in
/// between is independent of it, or would have woken it.
#[derive(Clone, Debug)]
struct Sleeper {
    step: Step,
    footprints: SmallVec<[Footprint; 2]>,
}

/// A sleep set.
#[derive(Clone, Debug, Default)]
pub(crate) struct SleepSet {
    sleepers: Vec<Sleeper>,
}

impl SleepSet {
    pub(crate) fn clear(&mut self) {
        self.sleepers.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sleepers.is_empty()
    }

    pub(crate) fn contains(&self, step: Step) -> bool {
        self.sleepers.iter().any(|sleeper| sleeper.step == step)
    }

    /// Puts `step`, which did `footprints`, to sleep.
    pub(crate) fn add(&mut self, step: Step, footprints: &[Footprint]) {
        debug_assert!(!self.contains(step), "{step:?} sleeps already");
        self.sleepers.push(Sleeper { step, footprints: SmallVec::from_slice(footprints) });
    }

    /// Becomes the part of `before` that sleeps on after a step that did `footprints`:
    /// `{ q in sleep(E) | E |- p <> q }`.
    pub(crate) fn assign_independent(
        &mut self,
        before: &Self,
        step: Step,
        footprints: &[Footprint],
        matching: &dyn Matching,
    ) {
        self.sleepers.clear();
        let sleeps_on = |s: &&Sleeper| s.step.thread != step.thread && !conflict(&s.footprints, footprints, matching);
        let copy = |s: &Sleeper| Sleeper { step: s.step, footprints: SmallVec::from_slice(&s.footprints) };
        self.sleepers.extend(before.sleepers.iter().filter(sleeps_on).map(copy));
    }

    /// Whether `sleep(E') ∩ WI(v)` is not empty: whether an execution equivalent to one that starts with the
    /// sequence has been explored.
    pub(crate) fn covers(&self, sequence: &Sequence, trace: &Trace, matching: &dyn Matching) -> bool {
        self.sleepers.iter().any(|s| sequence.has_weak_initial(trace, s.step, &s.footprints, matching))
    }
}
