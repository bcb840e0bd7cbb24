//! Weak initials: whether some execution that starts with a step is equivalent to one that starts with a sequence
//! (JACM, Lemma 4.2(2); TACAS 2018, Definition 2).
//!
//! Sleep sets and wakeup trees ask the same question of a step that was, or will be, explored from a state: going
//! through a sequence from that state, is the step still what one could have begun with? It is not once something
//! conflicts with it that comes first. With observers, a store may be *overtaken* by stores to the same bytes, which
//! conflict with it only if it is observed: it then stands to be taken, and after that until somebody looks, or
//! until another such store makes sure that nobody will.

use crate::ids::Step;
use crate::observe::{Conflict, Relation};
use crate::operation::Footprint;
use smallvec::SmallVec;

/// Where a step stands after a part of a sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    taken: bool,
    /// Which of its stores were overtaken by others; once it is taken, of those, the ones somebody may observe.
    overtaken: SmallVec<[u32; 2]>,
}

/// What another step of the sequence says of a step's standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is a weak initial so far.
    Open,
    /// It is a weak initial, whatever comes.
    Yes,
    /// It is not a weak initial.
    No,
}

impl Standing {
    /// Whether the step has not been taken, and nothing that was makes a difference to it.
    pub(crate) fn is_untouched(&self) -> bool {
        !self.taken && self.overtaken.is_empty()
    }

    /// Whether the step has been taken.
    pub(crate) fn is_taken(&self) -> bool {
        self.taken
    }

    /// The step `own`, which does `footprints`, after the sequence goes on with the step `next`, which does `others`.
    #[inline]
    pub(crate) fn pass(
        &mut self,
        (own, footprints): (Step, &[Footprint]),
        (next, others): (Step, &[Footprint]),
        relation: &impl Relation,
    ) -> Verdict {
        if self.taken {
            return self.be_observed(footprints, others, relation);
        }
        if own.thread == next.thread {
            self.taken = own == next;
            return match (self.taken, self.overtaken.is_empty()) {
                (false, _) => Verdict::No,
                (true, true) => Verdict::Yes,
                (true, false) => Verdict::Open,
            };
        }
        for (index, footprint) in footprints.iter().enumerate() {
            for other in others {
                match relation.conflict(footprint, other) {
                    Conflict::Never => {}
                    Conflict::Always => return Verdict::No,
                    Conflict::Observed if self.overtaken.contains(&(index as u32)) => {}
                    Conflict::Observed => self.overtaken.push(index as u32),
                }
            }
        }
        Verdict::Open
    }

    fn be_observed(&mut self, footprints: &[Footprint], others: &[Footprint], relation: &impl Relation) -> Verdict {
        let store = |index: u32| &footprints[index as usize];
        if self.overtaken.iter().any(|&index| others.iter().any(|other| relation.observes(store(index), other))) {
            return Verdict::No;
        }
        self.overtaken.retain(|index| !others.iter().any(|other| relation.hides(store(*index), other)));
        if self.overtaken.is_empty() { Verdict::Yes } else { Verdict::Open }
    }
}
