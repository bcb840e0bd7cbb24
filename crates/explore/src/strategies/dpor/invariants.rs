//! The invariants of sleep sets and wakeup trees; `verify.rs` lists them all.
//!
//! They are asserted from what sleep sets and trees hold alone. Whether a receive would have taken a message is not
//! asked: the branches of a tree come from different executions, and none of them knows the messages of all.

use super::observation::{Observation, ObservedConflicts, UnknownMatches};
use super::sleep_set::SleepSet;
use super::wakeup_tree::{Branches, Forest};
use super::weak_initials::{WeakInitialTest, is_weak_initial};
use everyway_runtime::{Footprint, Step};

type Path<'a> = Vec<(Step, &'a [Footprint])>;

/// Asserts that every branch explored from a state sleeps there, but for the last one, which is under way.
pub(super) fn explored_branches_sleep(sleep: &SleepSet, started: &[Step]) {
    let [explored @ .., _] = started else { return };
    for &step in explored {
        assert!(sleep.contains(step), "{step:?} was explored, and does not sleep");
    }
}

/// Asserts that the wakeup tree with the branches `root` is one of a state with this sleep set, from which the branch
/// `under_way` is being explored (JACM, Definition 6.1).
pub(super) fn wakeup_tree(
    forest: &Forest,
    root: Branches,
    sleep: &SleepSet,
    under_way: (Step, &[Footprint]),
    observation: &Observation,
) {
    let tree = Tree { forest, observation };
    for leaf in tree.leaves(root) {
        tree.refute(|relation| sleep.has_weak_initial_of(|| leaf.iter().copied(), relation), &leaf);
        tree.refute_weak_initial(under_way, &leaf);
    }
    tree.verify(root);
}

struct Tree<'a> {
    forest: &'a Forest,
    observation: &'a Observation,
}

impl<'a> Tree<'a> {
    /// The paths to the leaves below a node.
    fn leaves(&self, branches: Branches) -> Vec<Path<'a>> {
        let mut leaves = Vec::new();
        for (step, footprints, children) in self.forest.branches(branches) {
            let below = if children.is_empty() { vec![Vec::new()] } else { self.leaves(children) };
            leaves.extend(below.into_iter().map(|rest| [vec![(step, footprints)], rest].concat()));
        }
        leaves
    }

    /// Asserts that no branch is a weak initial of a leaf of a later one, here and below.
    fn verify(&self, branches: Branches) {
        let mut rest = branches;
        for (step, footprints, children) in self.forest.branches(branches) {
            rest = self.forest.after_first(rest);
            self.leaves(rest).iter().for_each(|leaf| self.refute_weak_initial((step, footprints), leaf));
            self.verify(children);
        }
    }

    fn refute_weak_initial(&self, step: (Step, &[Footprint]), leaf: &Path<'a>) {
        let own = (step.0.into(), step.1);
        self.refute(|relation| is_weak_initial(WeakInitialTest::default(), own, leaf.iter().copied(), relation), leaf);
    }

    /// Asserts that `holds` is false of the leaf, unless that depends on what receives match.
    fn refute(&self, holds: impl FnOnce(&ObservedConflicts<'_>) -> bool, leaf: &Path<'a>) {
        let holds = holds(&self.observation.among(&UnknownMatches::default()));
        assert!(!holds, "something explored before is a weak initial of {leaf:?}");
    }
}
