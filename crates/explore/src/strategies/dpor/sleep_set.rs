//! Sleep sets: the steps that need not be explored from a state, because executions that start with them are
//! equivalent to explored ones.
//!
//! With observers they hold what is left of the paper's `done` sets (TACAS 2018, Definition 3): a step explored from
//! some prefix `w` of the execution stays in the sets of all longer ones `w.w'` until it is certain that it is not a
//! weak initial of `w'` followed by anything. A sequence is redundant if some step of the set is a weak initial of
//! `w'` followed by the sequence; what `w'` has to do with it is the step's [`WeakInitialTest`]. So a step of the set need
//! not sleep: a store that was overtaken may have to be taken, and observed, for a sequence not to be redundant.
//! Without observers nothing is overtaken, and these are the sleep sets of JACM.

use super::observation::{ObservedConflicts, Relation};
use super::remaining::{Own, Remaining, WeakInitial};
use super::weak_initials::{Alternatives, Verdict, WeakInitialTest, is_weak_initial};
use crate::happens_before::Dependence as _;
use crate::trace::Event;
use everyway_runtime::{Footprint, State, Status, Step, ThreadId};
use smallvec::SmallVec;

/// A step that was explored, with what it did. It would still do the same: whatever came in between is independent
/// of it, or would have woken it. Alternatives that do nothing else are one.
#[derive(Clone, Debug)]
struct Sleeper {
    steps: Alternatives,
    /// Which event of its thread it was, counted from 1.
    index: u32,
    footprints: SmallVec<[Footprint; 2]>,
    test: WeakInitialTest,
}

impl Sleeper {
    /// A copy of one that nothing has overtaken.
    fn untouched(&self) -> Self {
        let footprints = SmallVec::from_slice(&self.footprints);
        Self { steps: self.steps, index: self.index, footprints, test: WeakInitialTest::default() }
    }
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

    /// Whether `step` sleeps: whether all executions that go on with it are redundant.
    pub(crate) fn contains(&self, step: Step) -> bool {
        self.sleepers.iter().any(|sleeper| sleeper.steps.contain(step) && sleeper.test.is_untouched())
    }

    /// Puts an event, which did `footprints`, to sleep.
    pub(crate) fn add(&mut self, &Event { step, index, .. }: &Event, footprints: &[Footprint]) {
        debug_assert!(!self.contains(step), "{step:?} sleeps already");
        // Whatever an overtaken step stands for, the same step explored from here stands for too.
        self.sleepers.retain(|sleeper| !sleeper.steps.contain(step) || sleeper.test.is_taken());
        if let Some(last) = self.sleepers.last_mut()
            && footprints.is_empty()
            && last.footprints.is_empty()
            && last.test.is_untouched()
            && last.steps.extend(step)
        {
            return;
        }
        let footprints = SmallVec::from_slice(footprints);
        self.sleepers.push(Sleeper { steps: step.into(), index, footprints, test: WeakInitialTest::default() });
    }

    /// How many steps of `thread` without accesses sleep.
    pub(crate) fn count_local(&self, thread: ThreadId) -> u32 {
        let local = |sleeper: &&Sleeper| sleeper.steps.thread == thread && sleeper.footprints.is_empty();
        self.sleepers.iter().filter(local).map(|sleeper| sleeper.steps.count()).sum()
    }

    /// Becomes the part of `before` that is left after a step that did `footprints`:
    /// `{ q in sleep(E) | E |- p <> q }`.
    pub(crate) fn assign_independent(
        &mut self,
        before: &Self,
        step: Step,
        footprints: &[Footprint],
        relation: &ObservedConflicts<'_>,
    ) {
        self.sleepers.clear();
        if before.is_empty() {
            return;
        }
        if relation.counts_every_conflict() {
            let stays = |sleeper: &&Sleeper| {
                sleeper.steps.thread != step.thread && !relation.conflict_by_class(&sleeper.footprints, footprints)
            };
            return self.sleepers.extend(before.sleepers.iter().filter(stays).map(Sleeper::untouched));
        }
        for sleeper in &before.sleepers {
            let mut test = sleeper.test.clone();
            let own = (sleeper.steps, &sleeper.footprints[..]);
            if test.pass(own, (step, footprints), relation) != Verdict::No {
                let footprints = SmallVec::from_slice(&sleeper.footprints);
                self.sleepers.push(Sleeper { steps: sleeper.steps, index: sleeper.index, footprints, test });
            }
        }
    }

    /// Whether `sleep(E') ∩ WI(v)` is not empty: whether an execution equivalent to one that starts with the sequence
    /// has been explored.
    #[inline]
    pub(crate) fn covers(&self, sequence: &Remaining<'_>) -> bool {
        let is_weak_initial = |Sleeper { steps, index, footprints, test }: &Sleeper| {
            let own = Own { steps: *steps, index: *index, footprints };
            sequence.weak_initial(test, own) != WeakInitial::No
        };
        self.sleepers.iter().any(is_weak_initial)
    }

    /// Whether `sleep(E) ∩ WI(w)` is not empty, `w` being `steps`.
    pub(crate) fn has_weak_initial_of<'a, I: Iterator<Item = (Step, &'a [Footprint])>>(
        &self,
        steps: impl Fn() -> I,
        relation: &impl Relation,
    ) -> bool {
        let is_weak_initial = |Sleeper { steps: own, footprints, test, .. }: &Sleeper| {
            is_weak_initial(test.clone(), (*own, footprints), steps(), relation)
        };
        self.sleepers.iter().any(is_weak_initial)
    }

    /// Asserts what holds in `state`, after the prefix that it is the sleep set of.
    pub(crate) fn verify(&self, state: &dyn State) {
        let asleep = || self.sleepers.iter().filter(|sleeper| sleeper.test.is_untouched());
        for Sleeper { steps, footprints, .. } in asleep() {
            let (step, last) = (steps.first(), steps.last());
            let same = |other: &&Sleeper| other.steps.contain(step) || other.steps.contain(last);
            assert_eq!(asleep().filter(same).count(), 1, "{step:?} sleeps twice");
            assert_eq!(state.status(step.thread), Status::Ready, "{step:?} sleeps, and cannot be taken");
            assert!(last.choice < state.choices(step.thread), "{last:?} sleeps, and is no alternative");
            let accesses = &state.operation(step.thread).accesses;
            let locations = footprints.iter().map(|footprint| footprint.location);
            let does_the_same = locations.zip(accesses).all(|(location, access)| location == access.location);
            assert!(does_the_same, "{step:?} sleeps, and would do something else now");
        }
    }
}
