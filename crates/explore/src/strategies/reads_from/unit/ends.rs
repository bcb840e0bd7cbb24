//! Which operations are tied to the end of what they use (`super::super::life`).

use super::super::life::{Life, Lives, is_end};
use super::{Part, Unit, Units, is_message};
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Access, Bytes, Location, State};
use smallvec::SmallVec;

impl Units {
    /// Learns what ends from the events from `start` on, of which `news` are news, and ties uses to ends; whether that changed
    /// anything.
    pub(super) fn learn_lives(&mut self, trace: &Trace, (start, news): (usize, &[EventId]), state: &dyn State) -> bool {
        let mut changed = false;
        self.lives.keep(start);
        let ends = |id: &EventId| trace.declared(*id).iter().any(is_end);
        let ends: SmallVec<[EventId; 4]> = news.iter().copied().filter(ends).collect();
        for &id in &ends {
            let ended = trace.declared(id).iter().filter(|access| is_end(access)).map(|access| access.location);
            changed |= self.lives.end_together(&ended.collect::<SmallVec<[Location; 16]>>());
        }
        if self.lives.is_empty() {
            return changed;
        }
        for &id in &ends {
            let ended = trace.declared(id).iter().find(|access| is_end(access));
            if let Some(life) = ended.and_then(|access| self.lives.of(access.location))
                && self.lives.end_at(life, id)
            {
                changed |= self.lives.be_strict(life);
            }
        }
        loop {
            let mut is_done = true;
            for id in trace.events_from(start) {
                let performed = trace.visits(id).iter().map(|visit| &visit.access);
                let accesses: SmallVec<[&Access; 4]> = trace.declared(id).iter().chain(performed).collect();
                let thread = trace.event(id).step.thread;
                let goes_on = trace.events_of(thread).last() != Some(&id);
                if let Some((life, _)) = self.lives.first(accesses.iter().copied())
                    && self.lives.is_over(life, id)
                    && goes_on
                {
                    is_done &= !self.lives.be_strict(life);
                }
                is_done &= !self.tie(&accesses, trace.event(id).choices > 1);
            }
            for thread in everyway_runtime::blocked(state) {
                let accesses: SmallVec<[&Access; 4]> = state.operation(thread).accesses.iter().collect();
                is_done &= !self.tie(&accesses, state.choices(thread) > 1);
            }
            if is_done {
                return changed;
            }
            changed = true;
        }
    }

    /// Ties an operation with these accesses to the end of what it uses, if it has to be; whether it was not. Otherwise it is
    /// no add to a sum: whether it comes before the end is more than sums know of.
    fn tie(&mut self, accesses: &[&Access], has_choices: bool) -> bool {
        let Some((life, first)) = self.lives.first(accesses.iter().copied()) else { return false };
        let (ends, rest): (SmallVec<[&Access; 4]>, SmallVec<[&Access; 4]>) =
            accesses.iter().copied().partition(|access| is_end(access));
        let primary = self.primary(rest.iter().copied()).map(Part::of);
        let waits = has_choices || rest.iter().any(|access| access.may_block() || is_message(access));
        let is_of_more =
            accesses.iter().any(|access| self.lives.of(access.location).is_some_and(|other| other != life));
        let is_ordered = primary.is_some_and(|primary| self.ordered[self.root(primary).index()]);
        let is_more = primary.is_some() && (waits || is_ordered || is_of_more || !ends.is_empty());
        if !(is_more || self.lives.is_strict(life)) {
            let Some(primary) = primary else { return false };
            let root = self.root(primary);
            let usage = &mut self.usage[root.index()];
            return !std::mem::replace(&mut usage.otherwise, true) && usage.is_added_to;
        }
        let first = Part::new(first, Bytes::ALL);
        let mut changed = self.order(first) | primary.is_some_and(|primary| self.unite(primary, first));
        for &Access { location, .. } in accesses {
            let Some(life) = self.lives.of(*location) else { continue };
            let knot = Part::new(self.lives.tie(life, *location), Bytes::ALL);
            let own = Part::new(*location, Bytes::ALL);
            changed |= self.unite(own, first) | self.unite(own, knot);
        }
        changed
    }

    /// What ends.
    pub(in super::super) fn lives(&self) -> &Lives {
        &self.lives
    }

    /// The unit of those uses of a life that are tied to its end.
    pub(in super::super) fn tied_to(&self, life: Life) -> Option<Unit> {
        self.lives.knot(life).map(|location| Unit(self.root(Part::new(location, Bytes::ALL)).0))
    }
}
