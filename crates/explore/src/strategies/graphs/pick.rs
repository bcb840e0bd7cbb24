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

/// How soon a thread is to go on, the first first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// It does not wait, or the newest write satisfies it.
    Now,
    /// An older write satisfies it.
    Late,
    /// Nothing does.
    Last,
}

impl Graphs {
    fn can_go_on(&self, thread: ThreadId, state: &dyn State) -> bool {
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
        let all = (0..state.threads()).map(ThreadId::new);
        match self.order {
            Order::Lowest => self.first_of(all, state),
            Order::Highest => self.first_of(all.rev(), state),
            Order::Random(seed) => {
                let lengths = self.graph.threads.iter().map(|thread| thread.events.len() as u64);
                let hash = lengths.fold(seed, |hash, length| (hash ^ length).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1);
                let mut threads: Vec<ThreadId> = all.collect();
                fastrand::Rng::with_seed(hash).shuffle(&mut threads);
                self.first_of(threads, state)
            }
        }
    }

    /// The first of some threads among those that are to go on as soon as any.
    fn first_of(&mut self, threads: impl IntoIterator<Item = ThreadId>, state: &dyn State) -> Option<ThreadId> {
        let mut best: Option<(Turn, ThreadId)> = None;
        for thread in threads {
            if !self.can_go_on(thread, state) {
                continue;
            }
            match self.turn(thread, state) {
                Turn::Now => return Some(thread),
                turn if best.is_none_or(|(soonest, _)| turn < soonest) => best = Some((turn, thread)),
                _ => {}
            }
        }
        best.map(|(_, thread)| thread)
    }

    fn turn(&mut self, thread: ThreadId, state: &dyn State) -> Turn {
        let operation = state.operation(thread);
        if !operation.may_block() {
            return Turn::Now;
        }
        match operation.accesses[..] {
            [access] => self.turn_of(thread, access, object_of(operation.verb, &access), state),
            _ => self.turn_of_several(operation, state),
        }
    }

    /// When an operation with one access is to be taken.
    fn turn_of(&mut self, thread: ThreadId, access: Access, object: Object, state: &dyn State) -> Turn {
        // What is not modelled is refused when it is added.
        let Ok(touch) = self.touch(access, object, state) else { return Turn::Now };
        let read = self.template(thread);
        let is_overtaken = self.graph.is_overtaken(thread, read.index);
        let satisfies = |source: Option<Position>| {
            touch.access.when.holds(self.found(touch, source, state))
                && (!is_overtaken || self.may_read(&read, touch, source, state))
        };
        let writes = &self.graph.accesses(touch.cell).writes;
        if satisfies(writes.last().copied()) {
            Turn::Now
        } else if writes.iter().any(|&write| satisfies(Some(write))) || satisfies(None) {
            Turn::Late
        } else {
            Turn::Last
        }
    }

    /// When an operation with several accesses is to be taken.
    fn turn_of_several(&mut self, operation: &Operation, state: &dyn State) -> Turn {
        let newest = |access: &Access| {
            // What is not modelled is refused when it is added.
            let Ok(touch) = self.touch(*access, object_of(operation.verb, access), state) else { return 0 };
            let newest = self.graph.newest(touch.cell);
            touch.access.bytes.set(0, self.found(touch, newest, state))
        };
        if evaluate(&operation.accesses, newest, |_| {}).is_enabled() { Turn::Now } else { Turn::Late }
    }
}
