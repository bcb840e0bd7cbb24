//! Sleep sets: the steps that need not be explored from a state, because executions that start with them are
//! equivalent to explored ones.
//!
//! With observers they hold what is left of the paper's `done` sets (TACAS 2018, Definition 3): a step explored from
//! some prefix `w` of the execution stays in the sets of all longer ones `w.w'` until it is certain that it is not a
//! weak initial of `w'` followed by anything. A sequence is redundant if some step of the set is a weak initial of
//! `w'` followed by the sequence; what `w'` has to do with it is the step's [`Standing`]. So a step of the set need
//! not sleep: a store that was overtaken may have to be taken, and observed, for a sequence not to be redundant.
//! Without observers nothing is overtaken, and these are the sleep sets of JACM.

use super::observation::{Known, Relation};
use super::remaining::{Remaining, WeakInitial};
use super::weak_initials::{Standing, Verdict, is_weak_initial};
use everyway_runtime::{Footprint, State, Status, Step};
use smallvec::SmallVec;

/// A step that was explored, with what it did. It would still do the same: whatever came in between is independent
/// of it, or would have woken it.
#[derive(Clone, Debug)]
struct Sleeper {
    step: Step,
    footprints: SmallVec<[Footprint; 2]>,
    standing: Standing,
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
        self.sleepers.iter().any(|sleeper| sleeper.step == step && sleeper.standing.is_untouched())
    }

    /// Puts `step`, which did `footprints`, to sleep.
    pub(crate) fn add(&mut self, step: Step, footprints: &[Footprint]) {
        debug_assert!(!self.contains(step), "{step:?} sleeps already");
        // Whatever an overtaken step stands for, the same step explored from here stands for too.
        self.sleepers.retain(|sleeper| sleeper.step != step || sleeper.standing.is_taken());
        let footprints = SmallVec::from_slice(footprints);
        self.sleepers.push(Sleeper { step, footprints, standing: Standing::default() });
    }

    /// Becomes the part of `before` that is left after a step that did `footprints`:
    /// `{ q in sleep(E) | E |- p <> q }`.
    pub(crate) fn assign_independent(
        &mut self,
        before: &Self,
        step: Step,
        footprints: &[Footprint],
        relation: &impl Relation,
    ) {
        self.sleepers.clear();
        for sleeper in &before.sleepers {
            let mut standing = sleeper.standing.clone();
            let own = (sleeper.step, &sleeper.footprints[..]);
            if standing.pass(own, (step, footprints), relation) != Verdict::No {
                let footprints = SmallVec::from_slice(&sleeper.footprints);
                self.sleepers.push(Sleeper { step: sleeper.step, footprints, standing });
            }
        }
    }

    /// Whether `sleep(E') ∩ WI(v)` is not empty: whether an execution equivalent to one that starts with the sequence
    /// has been explored.
    pub(crate) fn covers(&self, sequence: &Remaining<'_>, relation: &Known<'_>) -> bool {
        let is_weak_initial = |Sleeper { step, footprints, standing }: &Sleeper| {
            sequence.weak_initial(standing, (*step, footprints), relation) != WeakInitial::No
        };
        self.sleepers.iter().any(is_weak_initial)
    }

    /// Whether `sleep(E) ∩ WI(w)` is not empty, `w` being `steps`.
    pub(crate) fn has_weak_initial_of<'a, I: Iterator<Item = (Step, &'a [Footprint])>>(
        &self,
        steps: impl Fn() -> I,
        relation: &impl Relation,
    ) -> bool {
        let is_weak_initial = |Sleeper { step, footprints, standing }: &Sleeper| {
            is_weak_initial(standing.clone(), (*step, footprints), steps(), relation)
        };
        self.sleepers.iter().any(is_weak_initial)
    }

    /// Asserts what holds in `state`, after the prefix that it is the sleep set of.
    pub(crate) fn verify(&self, state: &dyn State) {
        let asleep = || self.sleepers.iter().filter(|sleeper| sleeper.standing.is_untouched());
        for Sleeper { step, footprints, .. } in asleep() {
            assert_eq!(asleep().filter(|other| other.step == *step).count(), 1, "{step:?} sleeps twice");
            assert_eq!(state.status(step.thread), Status::Ready, "{step:?} sleeps, and cannot be taken");
            assert!(step.choice < state.choices(step.thread), "{step:?} sleeps, and is no alternative");
            let accesses = &state.operation(step.thread).accesses;
            let locations = footprints.iter().map(|footprint| footprint.location);
            let does_the_same = locations.zip(accesses).all(|(location, access)| location == access.location);
            assert!(does_the_same, "{step:?} sleeps, and would do something else now");
        }
    }
}
