//! Steps whose reads are told their sources.
//!
//! What is written is kept with the step that wrote it. The values of locations in the model have no meaning then,
//! except for cells and the like: accesses to those are ordered by happens-before, and come in that order.

use super::carry_out::blocks;
use super::program::Program;
use super::{Inner, Pending};
use everyway_runtime::{Access, EventId, Location, ModificationOrders, Source, State as _, Step, ThreadId};
use smallvec::SmallVec;

/// What a step was told, and what it left, where reads are told their sources.
#[derive(Clone, Debug, Default)]
pub(super) struct ToldStep {
    /// By access.
    pub(super) sources: SmallVec<[Source; 2]>,
    /// What the locations that it wrote to held after it.
    pub(super) left: SmallVec<[(Location, u64); 2]>,
}

/// What the step of this event left at the location, if it wrote there.
#[inline]
fn left(told: &[ToldStep], event: EventId, location: Location) -> Option<u64> {
    let left = told.get(event.index()).map_or(&[][..], |step| &step.left[..]);
    left.iter().find(|(other, _)| *other == location).map(|&(_, value)| value)
}

impl Inner {
    /// What an access finds that is told this source, after these steps.
    #[inline]
    pub(super) fn found_told(&self, access: &Access, source: Option<&Source>, told: &[ToldStep]) -> u64 {
        match source {
            _ if access.effect.receive().is_some() => self.found(access),
            Some(Source::Event(event)) => left(told, *event, access.location).unwrap_or(0),
            Some(Source::Initial) | None => self.initial_value(access.location),
        }
    }
}

impl Program<'_> {
    /// What the accesses of the announced operation of `thread` find, if the step at `depth` is told.
    pub(super) fn values(&self, depth: usize, thread: ThreadId) -> SmallVec<[u64; 2]> {
        let Some(ToldStep { sources, .. }) = self.told.get(depth) else { return SmallVec::new() };
        let state = self.model().state();
        let accesses = self.operation(thread).accesses.iter();
        let found = |(position, access): (usize, &Access)| state.found_told(access, sources.get(position), &self.told);
        accesses.enumerate().map(found).collect()
    }

    /// Makes locations hold the newest writes.
    pub(super) fn hold_newest(&mut self) {
        let mut state = self.model().state();
        for (location, event) in self.orders.iter().flat_map(ModificationOrders::newest) {
            if let Some(value) = left(&self.told, event, location) {
                state.set_value(location, value);
            }
        }
    }

    /// The sources that the step at `depth` was told.
    pub(crate) fn sources(&self, depth: usize) -> &[Source] {
        self.told.get(depth).map_or(&[], |step| &step.sources)
    }

    /// Whether an operation that has been announced could be carried out now. One whose reads are told what they find
    /// depends on what that will be.
    pub(super) fn can_go(&self, pending: &Pending) -> bool {
        let depends = pending.waits_at_accesses() && self.model().is_told();
        !depends && self.model().state().can_go(pending)
    }

    /// Whether `thread` can take the step at `depth`.
    pub(super) fn can_step(&self, depth: usize, step: Step) -> bool {
        let Some(pending) = self.pending(step.thread) else { return false };
        if pending.waits_at_accesses() && self.model().is_told() {
            let (sources, state) = (self.sources(depth), self.model().state());
            let found = |position, access: &Access| state.found_told(access, sources.get(position), &self.told);
            return !blocks(&pending.operation.accesses, found);
        }
        self.model().state().can_go(pending)
    }
}
