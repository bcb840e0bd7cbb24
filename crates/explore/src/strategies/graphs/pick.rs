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
use smallvec::SmallVec;

/// What satisfies a thread that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Satisfying {
    /// The newest write, or whatever it is if the thread does not wait.
    Newest,
    /// Some write.
    Any,
}

/// The threads that can go on, as it was found out last.
#[derive(Clone, Debug, Default)]
pub(super) struct Movers {
    /// How many events there were then; none if the graph has changed otherwise than by adding to it.
    events: Option<usize>,
    threads: Vec<ThreadId>,
}

impl Movers {
    /// Something has happened by which other threads may go on, or not.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.events = None;
    }
}

/// What threads are about to do to a location.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// When it was noted.
    round: u32,
    thread: ThreadId,
    /// Whether other threads are about to access it, too.
    several: bool,
    /// Whether some are about to change it.
    changed: bool,
}

/// What all threads are about to do.
#[derive(Clone, Debug, Default)]
pub(super) struct PendingOperations {
    /// By location.
    at: Vec<Option<Pending>>,
    round: u32,
}

impl PendingOperations {
    fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.at.clear();
        }
    }

    fn add(&mut self, thread: ThreadId, accesses: &[Access]) {
        for access in accesses {
            let (index, changed) = (access.location.index(), access.effect.may_write());
            if self.at.len() <= index {
                self.at.resize(index + 1, None);
            }
            match &mut self.at[index] {
                Some(known) if known.round == self.round => {
                    known.several |= known.thread != thread;
                    known.changed |= changed;
                }
                first => *first = Some(Pending { round: self.round, thread, several: false, changed }),
            }
        }
    }

    /// Whether an operation that was added conflicts with one of another thread.
    fn conflicts(&self, accesses: &[Access]) -> bool {
        accesses.iter().any(|access| {
            let pending = self.at.get(access.location.index()).copied().flatten();
            pending.is_some_and(|pending| pending.round == self.round && pending.several && pending.changed)
        })
    }
}

/// Whether operations of two threads conflict.
fn conflict(one: &[Access], other: &[Access]) -> bool {
    let conflicts = |one: &Access, other: &Access| {
        one.location == other.location && (one.effect.may_write() || other.effect.may_write())
    };
    one.iter().any(|one| other.iter().any(|other| conflicts(one, other)))
}

/// A thread that can go on, and what it does then.
type Candidate<'a> = (ThreadId, &'a Operation);

impl Graphs {
    /// What a thread that has not ended does if it goes on; none if it cannot.
    #[inline]
    fn next_operation<'a>(&self, thread: ThreadId, state: &'a dyn State) -> Option<&'a Operation> {
        if self.graph.stands_still(thread) {
            return None;
        }
        // Whether one that reads can go on is a matter of what it is told to read.
        let operation = state.operation(thread);
        let reads = !operation.accesses.is_empty() && operation.joins.is_none();
        (reads || state.status(thread) == Status::Ready).then_some(operation)
    }

    pub(super) fn can_go_on(&self, thread: ThreadId, state: &dyn State) -> bool {
        state.is_alive(thread) && self.next_operation(thread, state).is_some()
    }

    /// Finds out which threads can go on, in the order of their paths.
    fn find_movers(&mut self, state: &dyn State) {
        let movers = |graphs: &Self, thread: &ThreadId| graphs.next_operation(*thread, state).is_some();
        if self.are_movers_the_same(state) {
            let movers = self.paths.alive(state).filter(|thread| movers(self, thread));
            debug_assert!(movers.eq(self.movers.threads.iter().copied()), "a step changes what its thread does");
        } else {
            let mut threads = std::mem::take(&mut self.movers.threads);
            threads.clear();
            threads.extend(self.paths.alive(state).filter(|thread| movers(self, thread)));
            self.movers.threads = threads;
        }
        self.movers.events = Some(self.graph.len());
    }

    /// Whether those that could go on can, and no others: all that was added since is a step of one access, and its thread is about
    /// to make another one. So no thread has ended, nor been spawned, nor is there one more that waits.
    fn are_movers_the_same(&self, state: &dyn State) -> bool {
        let added = self.movers.events.and_then(|events| self.graph.events.get(events..));
        let Some(added @ ([event] | [event, _])) = added else { return false };
        added.iter().all(|of| of.is_alone() && of.is_of_step(event))
            && state.is_alive(event.thread)
            && self.next_operation(event.thread, state).is_some_and(|operation| !operation.accesses.is_empty())
    }

    /// The thread that goes on.
    pub(super) fn pick(&mut self, state: &dyn State) -> Option<ThreadId> {
        self.find_movers(state);
        if let [] | [_] = self.movers.threads[..] {
            return self.movers.threads.first().copied();
        }
        let candidate = |&thread: &ThreadId| (thread, state.operation(thread));
        // Extended, as what is collected is moved.
        let mut threads: SmallVec<[Candidate<'_>; 32]> = SmallVec::new();
        threads.extend(self.movers.threads.iter().map(candidate));
        match self.order {
            Order::Lowest => {}
            Order::Highest => threads.reverse(),
            Order::Random(seed) => {
                let length = |thread: ThreadId| self.graph.threads[thread.index()].events.len() as u64;
                fastrand::Rng::with_seed(self.paths.hash(seed, length)).shuffle(&mut threads);
            }
        }
        let picked = match self.order {
            Order::Lowest | Order::Highest => self.first_alone(&threads, state),
            Order::Random(_) => None,
        };
        picked.or_else(|| self.first_of(&threads, state))
    }

    /// The first of some threads whose next operation does not conflict with that of another one. The later the steps are
    /// in the list that leave something to choose, the less is run again.
    fn first_alone(&mut self, threads: &[Candidate<'_>], state: &dyn State) -> Option<ThreadId> {
        let are_alone = match threads {
            [(_, one), (_, other)] => Some(!conflict(&one.accesses, &other.accesses)),
            _ => None,
        };
        if are_alone.is_none() {
            self.pending.clear();
            threads.iter().for_each(|(thread, operation)| self.pending.add(*thread, &operation.accesses));
        }
        let alone = threads.iter().find(|(thread, operation)| {
            are_alone.unwrap_or_else(|| !self.pending.conflicts(&operation.accesses))
                && self.is_satisfied(*thread, operation, Satisfying::Newest, state)
        });
        alone.map(|&(thread, _)| thread)
    }

    /// The first of some threads among those that are to go on as soon as any.
    fn first_of(&mut self, threads: &[Candidate<'_>], state: &dyn State) -> Option<ThreadId> {
        let mut find =
            |by| threads.iter().find(|(thread, operation)| self.is_satisfied(*thread, operation, by, state)).copied();
        let first = find(Satisfying::Newest).or_else(|| find(Satisfying::Any)).or(threads.first().copied());
        first.map(|(thread, _)| thread)
    }

    fn is_satisfied(&mut self, thread: ThreadId, operation: &Operation, by: Satisfying, state: &dyn State) -> bool {
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
        if let (Some(newest), Satisfying::Newest, Object::Memory | Object::Chained) =
            (self.graph.newest(cell), by, object)
        {
            // Mostly nothing else has to be known.
            let holds = access.when.holds(self.graph.value(0, Some(newest)));
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
