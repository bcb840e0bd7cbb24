//! Which sums are not, because a thread that adds to them may have to wait (`super::super::share`).

use super::super::share::{Range, adds_once};
use super::{Part, Unit, Units};
use crate::trace::Trace;
use everyway_runtime::{Effect, State};
use smallvec::SmallVec;

impl Units {
    /// Orders what is added to under conditions and is no sum, or whose conditions are not met by all that it may come to;
    /// whether there is some. There is more than one thread from `start` on.
    pub(super) fn order_broken_shares(&mut self, trace: &Trace, start: usize, state: &dyn State) -> bool {
        if self.shares.is_empty() {
            return false;
        }
        let mut changed = false;
        for thread in everyway_runtime::blocked(state) {
            let accesses = &state.operation(thread).accesses;
            for access in accesses.iter().filter(|access| adds_once(access).is_some()) {
                changed |= self.order(Part::of(access));
            }
        }
        let parts = self.shares.parts().map(|part| Part(part as u32));
        let parts: SmallVec<[Part; 4]> = parts.filter(|&part| self.root(part) == part).collect();
        for part in parts {
            let may_wait = !self.is_sum(Unit(part.0)) || {
                let range = self.range(trace, start, part);
                range.is_some_and(|range| self.shares.conditions(part.index()).iter().any(|&it| !range.meets(it)))
            };
            if may_wait {
                changed |= self.order(part);
            }
        }
        changed
    }

    /// What the sum may come to.
    fn range(&self, trace: &Trace, start: usize, sum: Part) -> Option<Range> {
        let mut range: Option<Range> = None;
        for id in trace.events_from(start) {
            for visit in trace.visits(id) {
                if let Effect::Add(number) = visit.access.effect
                    && self.root(Part::of(&visit.access)) == sum
                {
                    let range = range.get_or_insert_with(|| Range::from(visit));
                    range.add(trace.event(id).step.thread, number);
                }
            }
        }
        range
    }
}
