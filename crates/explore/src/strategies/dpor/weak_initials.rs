//! Weak initials: whether some execution that starts with a step is equivalent to one that starts with a sequence
//! (JACM, Lemma 4.2(2); TACAS 2018, Definition 2).
//!
//! Sleep sets and wakeup trees ask the same question of a step that was, or will be, explored from a state: going
//! through a sequence from that state, is the step still what one could have begun with? It is not once something
//! conflicts with it that comes first. With observers, a step may be *overtaken* by others that conflict with it only
//! if that is observed. Then it stands until somebody observes it; for a store that can only be after it was taken,
//! and not any more once there is another store to the same bytes.

use super::observation::{Conflict, Relation, Sight};
use everyway_runtime::{Footprint, Step};

/// Where a step stands after a part of a sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    taken: bool,
    /// The accesses of others that overtook some of its own, where somebody may still observe the order. Mostly none.
    overtaken: Vec<Overtaking>,
}

#[derive(Clone, Copy, Debug)]
struct Overtaking {
    /// The position of the step's own access among all of them.
    own: u32,
    by: Footprint,
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
    #[inline(always)]
    pub(crate) fn pass(
        &mut self,
        own: (Step, &[Footprint]),
        next: (Step, &[Footprint]),
        relation: &impl Relation,
    ) -> Verdict {
        // Nearly always.
        if let ([a], [b]) = (own.1, next.1)
            && self.is_untouched()
            && own.0.thread != next.0.thread
            && relation.are_elsewhere(a, b)
        {
            return Verdict::Open;
        }
        self.meet(own, next, relation)
    }

    fn meet(
        &mut self,
        (own, footprints): (Step, &[Footprint]),
        (next, others): (Step, &[Footprint]),
        relation: &impl Relation,
    ) -> Verdict {
        if !self.overtaken.is_empty() && self.is_observed(footprints, others, relation) {
            return Verdict::No;
        }
        if self.taken {
            return if self.overtaken.is_empty() { Verdict::Yes } else { Verdict::Open };
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
                    Conflict::Observed => self.overtaken.push(Overtaking { own: index as u32, by: *other }),
                }
            }
        }
        Verdict::Open
    }

    /// Whether one of `others` observes that the step was overtaken.
    fn is_observed(&mut self, footprints: &[Footprint], others: &[Footprint], relation: &impl Relation) -> bool {
        let mut seen = false;
        let taken = self.taken;
        self.overtaken.retain(|&Overtaking { own, by }| {
            let mut sights = others.iter().map(|other| relation.sight(&by, &footprints[own as usize], taken, other));
            let sight = sights.find(|&sight| sight != Sight::Nothing).unwrap_or(Sight::Nothing);
            seen |= sight == Sight::Seen;
            sight == Sight::Nothing
        });
        seen
    }
}

/// Whether a step that is left with this `standing` by what came before is a weak initial of all of it and `steps`.
#[inline]
pub(crate) fn is_weak_initial<'a>(
    mut standing: Standing,
    own: (Step, &[Footprint]),
    steps: impl Iterator<Item = (Step, &'a [Footprint])>,
    relation: &impl Relation,
) -> bool {
    for next in steps {
        match standing.pass(own, next, relation) {
            Verdict::Open => {}
            Verdict::Yes => return true,
            Verdict::No => return false,
        }
    }
    true
}
