//! Which thread goes on: a function of the graph, so that each graph goes on in one way only.
//!
//! A thread that waits goes on when the newest write satisfies it. Otherwise it is left for later: what it waits for may
//! still be written, and as long as it is not in the graph nothing has to be revisited. When nothing else can go on, those
//! come first that an older write satisfies; the others then wait for ever.

use super::Graphs;
use super::event::{Object, Position};
use super::step::object_of;
use crate::strategies::Order;
use everyway_runtime::{Access, Operation, State, Status, ThreadId, evaluate};

/// What satisfies a thread that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Satisfying {
    /// The newest write, or whatever it is if the thread does not wait.
    Newest,
    /// Some write.
    Any,
}

impl Graphs {
    pub(super) fn can_go_on(&self, thread: ThreadId, state: &dyn State) -> bool {
        let last = self.graph.threads[thread.index()].events.last();
        if last.is_some_and(|&last| self.graph.event(last).waits()) {
            return false;
        }
        match state.status(thread) {
            Status::Ended => false,
            Status::Ready => true,
            Status::Blocked => !state.is_stuck(thread) && state.operation(thread).joins.is_none(),
        }
    }

    /// The thread that goes on.
    pub(super) fn pick(&mut self, state: &dyn State) -> Option<ThreadId> {
        let all: smallvec::SmallVec<[ThreadId; 16]> = self.paths.in_order(state).collect();
        match self.order {
            Order::Lowest => self.first_of(all, state),
            Order::Highest => self.first_of(all.into_iter().rev(), state),
            Order::Random(seed) => {
                let length = |thread: ThreadId| self.graph.threads[thread.index()].events.len() as u64;
                let mut threads = all;
                fastrand::Rng::with_seed(self.paths.hash(seed, length)).shuffle(&mut threads);
                self.first_of(threads, state)
            }
        }
    }

    /// The first of some threads among those that are to go on as soon as any.
    fn first_of(&mut self, threads: impl IntoIterator<Item = ThreadId>, state: &dyn State) -> Option<ThreadId> {
        let mut waiting: smallvec::SmallVec<[ThreadId; 16]> = smallvec::SmallVec::new();
        for thread in threads {
            if self.can_go_on(thread, state) {
                if self.is_satisfied(thread, Satisfying::Newest, state) {
                    return Some(thread);
                }
                waiting.push(thread);
            }
        }
        let late = waiting.iter().copied().find(|&thread| self.is_satisfied(thread, Satisfying::Any, state));
        late.or(waiting.first().copied())
    }

    fn is_satisfied(&mut self, thread: ThreadId, by: Satisfying, state: &dyn State) -> bool {
        let operation = state.operation(thread);
        if !operation.may_block() {
            return true;
        }
        match (&operation.accesses[..], by) {
            (&[access], _) => self.is_satisfied_by(thread, access, object_of(operation.verb, &access), by, state),
            (_, Satisfying::Newest) => self.can_all_be_taken(operation, state),
            (_, Satisfying::Any) => true,
        }
    }

    /// Whether an operation with one access can be taken.
    fn is_satisfied_by(
        &mut self,
        thread: ThreadId,
        access: Access,
        object: Object,
        by: Satisfying,
        state: &dyn State,
    ) -> bool {
        // What is not modelled is refused when it is added.
        let Ok(touch) = self.touch(access, object, state) else { return true };
        let satisfies = |source: Option<Position>| {
            let is_free = || {
                let read = self.template(thread);
                !self.graph.is_overtaken(thread, read.index) || self.may_read(&read, touch, source, state)
            };
            touch.access.when.holds(self.found(touch, source, state)) && is_free()
        };
        let writes = &self.graph.accesses(touch.cell).writes;
        match by {
            Satisfying::Newest => satisfies(writes.last().copied()),
            Satisfying::Any => writes.iter().any(|&write| satisfies(Some(write))) || satisfies(None),
        }
    }

    /// Whether an operation with several accesses can be taken, each of which sees the newest write.
    fn can_all_be_taken(&mut self, operation: &Operation, state: &dyn State) -> bool {
        let newest = |access: &Access| {
            // What is not modelled is refused when it is added.
            let Ok(touch) = self.touch(*access, object_of(operation.verb, access), state) else { return 0 };
            let newest = self.graph.newest(touch.cell);
            touch.access.bytes.set(0, self.found(touch, newest, state))
        };
        evaluate(&operation.accesses, newest, |_| {}).is_enabled()
    }
}
