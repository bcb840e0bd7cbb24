//! [`std::sync::Barrier`], as models see it.
//!
//! Each round has a location of its own, which counts the threads that have arrived. They arrive by adding to it
//! without looking at it, and pass once it is full; so the order in which they arrive is not explored, and
//! threads that are late to leave a round do not interact with those that arrive for the next.
//!
//! That is all there is to know as long as no thread asks which was last, and none has a choice of rounds: the
//! threads that arrive for a round all know that the round before is full. If this turns out not to be so,
//! the exploration starts over with [`Detail::BarrierOrder`]: the arrivals are
//! then counted by one number, and each looks which it is.

use crate::model::detail::Detail;
use crate::model::kind::Kind;
use crate::model::object::Handle;
use crate::model::{self, CodeSite, Label, Model, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Verb};
use std::fmt;
use std::panic::Location as Caller;

/// A place where threads wait for each other; as [`std::sync::Barrier`].
///
/// In a model, the order in which threads arrive is explored only if it matters: if some thread asks whether
/// it [is the leader](BarrierWaitResult::is_leader), or if more threads meet than the barrier lets through at
/// once.
pub struct Barrier {
    handle: Handle,
    outside: std::sync::Barrier,
    size: u64,
}

/// What a thread that has passed a [`Barrier`] is told; as [`std::sync::BarrierWaitResult`].
pub struct BarrierWaitResult {
    /// Whether it was the last to arrive, if that is known.
    leader: Option<bool>,
}

impl Barrier {
    /// A barrier that lets through `n` threads at once.
    #[must_use]
    pub const fn new(n: usize) -> Self {
        Self { handle: Handle::new(), outside: std::sync::Barrier::new(n), size: n as u64 }
    }

    /// Waits until as many threads have arrived as the barrier lets through.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let caller = Caller::caller();
        let leader = model::with(|model| {
            let location = self.handle.location(model, Kind::Barrier, caller, || 0);
            match self.size {
                0 | 1 => Some(true),
                _ if model.has(Detail::BarrierOrder) || model.is_told() => {
                    Some(self.wait_in_order(model, location, caller))
                }
                _ => {
                    self.wait_in_any_order(model, location, caller);
                    None
                }
            }
        });
        BarrierWaitResult { leader: leader.unwrap_or_else(|| Some(self.outside.wait().is_leader())) }
    }

    fn wait_in_any_order(&self, model: &Model, barrier: Location, caller: CodeSite) {
        let Some(round) = self.next_round(model, barrier) else { return needs_order(model) };
        let before = perform(model, barrier, caller, Verb::Arrive, Access::new(round, Effect::Add(1)));
        if before >= self.size {
            return needs_order(model);
        }
        perform(model, barrier, caller, Verb::Pass, self.pass(round));
    }

    /// The round that a thread which arrives now is part of; `None` if it might have been another one.
    fn next_round(&self, model: &Model, barrier: Location) -> Option<Location> {
        let mut state = model.state();
        let rounds = state.object(barrier).rounds;
        if let Some(last) = rounds.checked_sub(1) {
            let last = state.round(barrier, last);
            if state.value(last) < self.size {
                return Some(last);
            }
            drop(state);
            model.needs(Detail::Synchronisation);
            state = model.state();
            let running = state.running;
            if !state.detector.has_acquired(running, last) {
                return None;
            }
        }
        Some(state.round(barrier, rounds))
    }

    /// Waits, and tells whether the thread was the last to arrive.
    fn wait_in_order(&self, model: &Model, barrier: Location, caller: CodeSite) -> bool {
        let arrive = Access::new(barrier, Effect::Modify(|arrived, _| arrived + 1, 0));
        let before = perform(model, barrier, caller, Verb::Arrive, arrive);
        let round = model.state().round(barrier, (before / self.size) as usize);
        let is_last = before % self.size == self.size - 1;
        let access = if is_last { Access::new(round, Effect::Write(self.size)) } else { self.pass(round) };
        perform(model, barrier, caller, Verb::Pass, access);
        is_last
    }

    fn pass(&self, round: Location) -> Access {
        Access::new(round, Effect::Read).once(Condition::AtLeast(self.size))
    }
}

/// Carries out an access of a wait, and returns what it found.
fn perform(model: &Model, barrier: Location, caller: CodeSite, verb: Verb, access: Access) -> u64 {
    let show = Show::Ending(if verb == Verb::Arrive { &["arrives"] } else { &["passes"] });
    let label = Label { verb, object: Some(barrier), show, caller };
    model.perform(Operation::new([access]), label).before
}

fn needs_order(model: &Model) {
    model.needs(Detail::BarrierOrder);
}

impl BarrierWaitResult {
    /// Whether the thread was the last to arrive: exactly one of those that passed together was.
    #[must_use]
    pub fn is_leader(&self) -> bool {
        self.leader.unwrap_or_else(|| {
            model::with(needs_order);
            false
        })
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Barrier").finish_non_exhaustive()
    }
}

impl fmt::Debug for BarrierWaitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BarrierWaitResult").field("is_leader", &self.is_leader()).finish()
    }
}
