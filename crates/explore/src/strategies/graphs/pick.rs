//! The choice of the next thread: a function of the graph, so that each graph continues in one way only.
//!
//! It is the thread that leaves the least to be changed later (`Urgency` in `movers.rs`): a write that exists before a
//! read is tried as its source at the end of the list; one that comes later takes a revisit that goes back to the read.
//!
//! Under `sc` any thread will do, because failures are shown in another order anyway, as interleavings. Under the other
//! models an execution is shown as it was found. There a thread continues until it is in conflict, so that its steps
//! stand together.
//!
//! A thread that waits continues when the newest write satisfies it. Otherwise it is postponed: the value that it waits
//! for may still be written, and as long as the wait is not in the graph nothing has to be revisited. When no other
//! thread can continue, waits that an older write satisfies come first; the others then wait for ever.

use super::Graphs;
use super::event::{Cell, Object, Position};
use super::model::MemoryModel;
use super::movers::Urgency;
use super::step::object_of;
use crate::strategies::Order;
use everyway_runtime::{Access, Operation, State, ThreadId, evaluate};

/// What satisfies a thread that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Satisfying {
    /// The newest write, or whatever it is if the thread does not wait.
    Newest,
    /// Some write.
    Any,
}

impl Graphs {
    /// The thread that goes on.
    pub(super) fn pick(&mut self, state: &dyn State) -> Option<ThreadId> {
        self.find_movers(state);
        let count = self.movers.threads().len();
        if count <= 1 {
            return self.movers.threads().first().copied();
        }
        match self.order {
            Order::Lowest if self.graph.model == MemoryModel::Sc => {
                // The thread that starts the others often looks at what came of them: it is the first by its path, and
                // the last to go on.
                let others = usize::from(self.paths.is_first(self.movers.threads()[0]));
                self.most_urgent((others..count).chain(0..others), state)
            }
            Order::Lowest => self.most_urgent(0..count, state),
            Order::Highest => self.most_urgent((0..count).rev(), state),
            Order::Random(seed) => {
                let length = |thread: ThreadId| self.graph.threads[thread.index()].events.len() as u64;
                let mut turns: Vec<usize> = (0..count).collect();
                fastrand::Rng::with_seed(self.paths.hash(seed, length)).shuffle(&mut turns);
                self.first_of(turns.iter().copied(), state)
            }
        }
    }

    /// The first of the threads that can go on, in this order, of which none is more urgent.
    #[inline]
    fn most_urgent(&mut self, turns: impl Iterator<Item = usize> + Clone, state: &dyn State) -> Option<ThreadId> {
        let mut most = None;
        let mut found = None;
        for turn in turns.clone() {
            if let Some(urgency) = self.urgency(turn, most, state)
                && (!self.movers.may_wait(turn) || self.is_satisfied_now(turn, state))
            {
                (most, found) = (Some(urgency), Some(turn));
                if urgency == Urgency::Free {
                    break;
                }
            }
        }
        match found {
            Some(turn) => Some(self.movers.threads()[turn]),
            None => self.first_of(turns, state),
        }
    }

    /// How soon the thread with this turn is to go on, if that is sooner than `most`.
    #[inline]
    fn urgency(&self, turn: usize, most: Option<Urgency>, state: &dyn State) -> Option<Urgency> {
        match self.graph.model {
            MemoryModel::Sc => self.movers.urgency(turn, most, state),
            MemoryModel::Tso | MemoryModel::Pso | MemoryModel::Rc11 => {
                let urgency = if self.movers.conflicts(turn, state) { Urgency::InConflict } else { Urgency::Free };
                most.is_none_or(|most| urgency < most).then_some(urgency)
            }
        }
    }

    /// The first of the threads that can go on, in this order, among those that are to go on as soon as any.
    fn first_of(&mut self, turns: impl Iterator<Item = usize> + Clone, state: &dyn State) -> Option<ThreadId> {
        let mut find = |by| {
            turns.clone().find_map(|turn| {
                let thread = self.movers.threads()[turn];
                self.is_satisfied(thread, by, state).then_some(thread)
            })
        };
        let first = find(Satisfying::Newest).or_else(|| find(Satisfying::Any));
        first.or_else(|| turns.clone().next().map(|turn| self.movers.threads()[turn]))
    }

    /// Whether the newest write satisfies the thread with this turn, which may have to wait.
    #[inline(always)]
    fn is_satisfied_now(&mut self, turn: usize, state: &dyn State) -> bool {
        match self.movers.waits_at(turn) {
            Some((cell, newest)) if self.graph.newest(cell) == Some(newest) => false,
            _ => self.find_out_whether_satisfied(turn, state),
        }
    }

    #[inline(never)]
    fn find_out_whether_satisfied(&mut self, turn: usize, state: &dyn State) -> bool {
        let thread = self.movers.threads()[turn];
        let is_satisfied = self.is_satisfied(thread, Satisfying::Newest, state);
        if !is_satisfied && let Some(newest) = self.awaited(thread, state) {
            self.movers.note_wait(turn, newest);
        }
        is_satisfied
    }

    /// The newest write to the cell that a thread, which it does not satisfy, is about to access, if whether it waits depends on
    /// nothing else.
    fn awaited(&mut self, thread: ThreadId, state: &dyn State) -> Option<(Cell, Position)> {
        let operation = state.operation(thread);
        let [access] = &operation.accesses[..] else { return None };
        if object_of(operation.verb, access) == Object::Mailbox {
            return None;
        }
        let cell = self.cells.of(thread, access).ok()?;
        let newest = self.graph.newest(cell)?;
        (!access.when.holds(self.graph.value(0, Some(newest)))).then_some((cell, newest))
    }

    fn is_satisfied(&mut self, thread: ThreadId, by: Satisfying, state: &dyn State) -> bool {
        let operation = state.operation(thread);
        if !operation.may_block() {
            return true;
        }
        match (&operation.accesses[..], by) {
            ([access], _) => self.is_satisfied_by(thread, access, object_of(operation.verb, access), by, state),
            (_, Satisfying::Newest) => self.can_all_be_taken(thread, operation, state),
            (_, Satisfying::Any) => true,
        }
    }

    /// Whether an operation with one access can be taken.
    fn is_satisfied_by(
        &mut self,
        thread: ThreadId,
        access: &Access,
        object: Object,
        by: Satisfying,
        state: &dyn State,
    ) -> bool {
        // What is not modelled is refused when it is added.
        let Ok(cell) = self.cells.of(thread, access) else { return true };
        self.graph.make_cell(cell, access.location);
        let next = self.graph.threads[thread.index()].events.len() as u32 + 1;
        let is_overtaken = self.graph.is_overtaken(thread, next);
        if let (Satisfying::Newest, Object::Memory | Object::Chained) = (by, object) {
            // Mostly nothing else has to be known.
            let initial = || access.bytes.get(state.initial_value(access.location));
            let newest = self.graph.newest(cell);
            let holds = access.when.holds(newest.map_or_else(initial, |newest| self.graph.value(0, Some(newest))));
            if !holds || !is_overtaken {
                return holds;
            }
        }
        let Ok(touch) = self.touch((thread, access), object, state) else { return true };
        let satisfies = |source: Option<Position>| {
            let is_free = || !is_overtaken || self.may_read(&self.template(thread), touch, source, state);
            access.when.holds(self.found(touch, source, state)) && is_free()
        };
        let writes = &self.graph.accesses(touch.cell).writes;
        match by {
            Satisfying::Newest => satisfies(writes.last().copied()),
            Satisfying::Any => writes.iter().any(|&write| satisfies(Some(write))) || satisfies(None),
        }
    }

    /// Whether an operation with several accesses can be taken, each of which sees the newest write.
    fn can_all_be_taken(&mut self, thread: ThreadId, operation: &Operation, state: &dyn State) -> bool {
        let newest = |access: &Access| {
            // What is not modelled is refused when it is added.
            let Ok(touch) = self.touch((thread, access), object_of(operation.verb, access), state) else { return 0 };
            let newest = self.graph.newest(touch.cell);
            access.bytes.set(0, self.found(touch, newest, state))
        };
        evaluate(&operation.accesses, newest, |_| {}).is_enabled()
    }
}
