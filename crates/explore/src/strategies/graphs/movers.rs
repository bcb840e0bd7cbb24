//! The threads that can continue, and their next operations.
//!
//! Both are kept from one step to the next: a step usually changes only its own thread's operation, so the cost of
//! picking the next thread does not grow with the number of threads.

use super::Graphs;
use super::event::{Cell, Position};
use super::graph::Graph;
use everyway_runtime::{Access, Location, Operation, State, Status, ThreadId};
use smallvec::SmallVec;

/// What is about to be done to a location.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// How many threads are about to access it.
    threads: u32,
    /// How many of them may change it.
    changing: u32,
}

/// What threads are about to do.
#[derive(Clone, Debug, Default)]
struct PendingOperations {
    /// By location.
    at: Vec<Pending>,
    /// By thread: what it is about to access, each location once, and whether it may change it.
    of: Vec<SmallVec<[(Location, bool); 2]>>,
}

impl PendingOperations {
    /// A thread is about to make these accesses.
    fn set(&mut self, thread: ThreadId, accesses: &[Access]) {
        self.clear(thread);
        if self.of.len() <= thread.index() {
            self.of.resize_with(thread.index() + 1, SmallVec::new);
        }
        let of = &mut self.of[thread.index()];
        for access in accesses {
            match of.iter_mut().find(|(location, _)| *location == access.location) {
                Some((_, changing)) => *changing |= access.effect.may_write(),
                None => of.push((access.location, access.effect.may_write())),
            }
        }
        for &(location, changing) in of.iter() {
            if self.at.len() <= location.index() {
                self.at.resize(location.index() + 1, Pending::default());
            }
            let pending = &mut self.at[location.index()];
            pending.threads += 1;
            pending.changing += u32::from(changing);
        }
    }

    /// A thread is about to do nothing.
    fn clear(&mut self, thread: ThreadId) {
        let Some(of) = self.of.get_mut(thread.index()) else { return };
        for (location, changing) in of.drain(..) {
            let pending = &mut self.at[location.index()];
            pending.threads -= 1;
            pending.changing -= u32::from(changing);
        }
    }

    /// Whether what a thread is about to do conflicts with what another one is.
    fn conflicts(&self, thread: ThreadId) -> bool {
        let of = self.of.get(thread.index()).into_iter().flatten();
        of.into_iter().any(|&(location, _)| self.are_in_conflict_at(location))
    }

    /// Whether what threads are about to do to a location conflicts.
    #[inline]
    fn are_in_conflict_at(&self, location: Location) -> bool {
        let Pending { threads, changing } = self.at[location.index()];
        threads > 1 && changing > 0
    }
}

/// Where something is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Nowhere,
    At(Location),
    Several,
}

/// What a thread is about to do, as far as it matters to which thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Next {
    place: Where,
    /// Whether it may change something.
    changes: bool,
    /// How soon it is to go on as far as no other thread is about to do anything.
    alone: Urgency,
    may_wait: bool,
    /// The newest write to a cell by which what it waits for is not there yet.
    waits_at: Option<(Cell, Position)>,
}

impl Next {
    #[inline]
    fn of(operation: &Operation) -> Self {
        match &operation.accesses[..] {
            // Mostly it is one.
            [access] => {
                let changes = access.effect.may_write();
                Self::at(Where::At(access.location), changes, access.looks(), access.may_block())
            }
            [] => Self::at(Where::Nowhere, false, false, false),
            several => {
                let any = |is: fn(&Access) -> bool| several.iter().any(is);
                let changes = any(|access| access.effect.may_write());
                Self::at(Where::Several, changes, any(Access::looks), any(Access::may_block))
            }
        }
    }

    #[inline(always)]
    fn at(place: Where, changes: bool, looks: bool, may_wait: bool) -> Self {
        let alone = match (place, changes, looks) {
            (Where::Nowhere, ..) => Urgency::Free,
            (_, true, false) => Urgency::Writes,
            (_, true, true) => Urgency::ChangesAlone,
            (_, false, _) => Urgency::ReadsAlone,
        };
        Self { place, changes, alone, may_wait, waits_at: None }
    }
}

/// How soon a thread is to go on: the sooner, the less there will be to change about what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    /// It accesses nothing: what it does is what it will always do. Or nothing more is asked than that it is in no conflict.
    Free,
    /// It looks at nothing, so that no revisit leads to it; and whatever comes later may see it at once.
    Writes,
    /// It changes something that no other thread is about to access.
    ChangesAlone,
    /// It looks at something that no other thread is about to change.
    ReadsAlone,
    /// Another thread is about to do something that makes a difference to it.
    InConflict,
}

/// The threads that can go on, as it was found out last.
#[derive(Clone, Debug, Default)]
pub(super) struct Movers {
    /// How many events there were then; none if the graph has changed otherwise than by adding to it.
    events: Option<usize>,
    /// In the order of their paths.
    threads: Vec<ThreadId>,
    /// What each of them is about to do.
    next: Vec<Next>,
    /// The others that have not ended.
    still: Vec<ThreadId>,
    /// Whether they were many; if not, what they are about to do is compared one by one, and `pending` knows nothing.
    are_many: bool,
    pending: PendingOperations,
}

/// So many threads are compared with each other sooner than they are kept account of.
const FEW: usize = 4;

impl Movers {
    /// Something has happened by which other threads may go on, or not.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.events = None;
    }

    /// Whether there is only one: what that is about to do is nothing to any other, and not kept.
    #[inline]
    fn is_one(&self) -> bool {
        self.threads.len() == 1
    }

    /// All of them, in the order of their paths.
    #[inline]
    pub(super) fn threads(&self) -> &[ThreadId] {
        &self.threads
    }

    /// Whether the thread with this turn may have to wait.
    #[inline]
    pub(super) fn may_wait(&self, turn: usize) -> bool {
        self.next[turn].may_wait
    }

    /// The newest write by which the thread with this turn was found to wait.
    #[inline]
    pub(super) fn waits_at(&self, turn: usize) -> Option<(Cell, Position)> {
        self.next[turn].waits_at
    }

    /// The thread with this turn waits as long as this is the newest write to the cell.
    pub(super) fn note_wait(&mut self, turn: usize, newest: (Cell, Position)) {
        self.next[turn].waits_at = Some(newest);
    }

    /// How soon the thread with this turn is to go on, if that is sooner than `most`.
    #[inline]
    pub(super) fn urgency(&self, turn: usize, most: Option<Urgency>, state: &dyn State) -> Option<Urgency> {
        let alone = self.next[turn].alone;
        let is_sooner = |urgency: Urgency| most.is_none_or(|most| urgency < most);
        // It is not asked what makes no difference.
        if !is_sooner(alone) {
            return None;
        }
        let may_conflict = alone >= Urgency::ChangesAlone;
        let urgency = if may_conflict && self.conflicts(turn, state) { Urgency::InConflict } else { alone };
        is_sooner(urgency).then_some(urgency)
    }

    /// Whether what one of them is about to do conflicts with what another one is.
    #[inline]
    pub(super) fn conflicts(&self, turn: usize, state: &dyn State) -> bool {
        let own = self.next[turn];
        if self.are_many {
            return match own.place {
                Where::Nowhere => false,
                Where::At(location) => self.pending.are_in_conflict_at(location),
                Where::Several => self.pending.conflicts(self.threads[turn]),
            };
        }
        let conflicts = |(other, next): (usize, &Next)| match (own.place, next.place) {
            _ if other == turn || !own.changes && !next.changes => false,
            (Where::Nowhere, _) | (_, Where::Nowhere) => false,
            (Where::At(location), Where::At(other)) => location == other,
            _ => {
                let accesses = |turn: usize| &state.operation(self.threads[turn]).accesses;
                conflict(accesses(turn), accesses(other))
            }
        };
        self.next.iter().enumerate().any(conflicts)
    }

    /// A thread is about to do something else than before.
    #[inline]
    fn moved(&mut self, thread: ThreadId, operation: &Operation) {
        if self.is_one() {
            return;
        }
        if let Some(turn) = self.threads.iter().position(|&mover| mover == thread) {
            self.next[turn] = Next::of(operation);
        }
        if self.are_many {
            self.pending.set(thread, &operation.accesses);
        }
    }

    /// A thread has ended, or cannot go on now.
    fn remove(&mut self, thread: ThreadId) {
        if let Some(turn) = self.threads.iter().position(|&mover| mover == thread) {
            self.threads.remove(turn);
            self.next.remove(turn);
        }
        self.pending.clear(thread);
    }
}

/// Whether operations of two threads conflict.
fn conflict(one: &[Access], other: &[Access]) -> bool {
    let conflicts = |one: &Access, other: &Access| {
        one.location == other.location && (one.effect.may_write() || other.effect.may_write())
    };
    one.iter().any(|one| other.iter().any(|other| conflicts(one, other)))
}

/// What has become of the threads that could go on.
enum Since<'s> {
    /// They still can, and no others; this one has moved, and is about to carry out this operation.
    Moved(ThreadId, &'s Operation),
    /// The same, but for this one, which has ended, and which no other one waits for.
    Ended(ThreadId),
    /// The same, but for this one, which has to wait.
    Stopped(ThreadId),
    /// That has to be found out.
    Unknown,
}

impl Graph {
    /// Whether a thread that has not ended, and is about to carry out `operation`, can go on.
    #[inline(always)]
    fn can_move(&self, thread: ThreadId, operation: &Operation, state: &dyn State) -> bool {
        // Whether one that reads can go on is a matter of what it is told to read.
        let reads = !operation.accesses.is_empty() && operation.joins.is_none();
        !self.stands_still(thread) && (reads || state.status(thread) == Status::Ready)
    }
}

impl Graphs {
    pub(super) fn can_go_on(&self, thread: ThreadId, state: &dyn State) -> bool {
        state.is_alive(thread) && self.graph.can_move(thread, state.operation(thread), state)
    }

    /// Finds out which threads can go on.
    #[inline]
    pub(super) fn find_movers(&mut self, state: &dyn State) {
        match self.since_last_move(state) {
            Since::Moved(thread, operation) => self.movers.moved(thread, operation),
            Since::Ended(thread) => self.movers.remove(thread),
            Since::Stopped(thread) => {
                self.movers.remove(thread);
                self.movers.still.push(thread);
            }
            Since::Unknown => self.find_all_movers(state),
        }
        self.movers.events = Some(self.graph.len());
        debug_assert!(self.are_movers_right(state), "a small step changes what its thread does, and nothing else");
    }

    /// Whether what is kept is what would be found out.
    fn are_movers_right(&self, state: &dyn State) -> bool {
        let can_move = |&thread: &ThreadId| self.graph.can_move(thread, state.operation(thread), state);
        let movers = self.paths.alive(state).filter(can_move);
        let mut pending = PendingOperations::default();
        let mut is_kept = |&thread: &ThreadId| {
            pending.set(thread, &state.operation(thread).accesses);
            pending.of[thread.index()] == self.movers.pending.of[thread.index()]
        };
        let next = self.movers.threads.iter().map(|&thread| Next::of(state.operation(thread)));
        let are_next_kept = || {
            next.eq(self.movers.next.iter().map(|next| Next { waits_at: None, ..*next }))
                && (!self.movers.are_many || self.movers.threads.iter().all(&mut is_kept))
        };
        movers.eq(self.movers.threads.iter().copied()) && (self.movers.is_one() || are_next_kept())
    }

    /// What has become of those that could go on, if all that was added since is a step that has no aftermath, and accesses one
    /// thing at most. By that, no other thread was spawned (those are forgotten then), and none has ended; and what waits for
    /// the end of another one was among them only if it could go on.
    #[inline]
    fn since_last_move<'s>(&self, state: &'s dyn State) -> Since<'s> {
        let added = self.movers.events.and_then(|events| self.graph.events.get(events..));
        let thread = match added {
            Some([event]) if event.is_small() => event.thread,
            Some([read, write]) if read.is_alone() && write.is_alone() && write.is_of_step(read) => read.thread,
            _ => return Since::Unknown,
        };
        if !state.is_alive(thread) {
            let waits_for_it = |&other: &ThreadId| {
                let operation = state.operation(other);
                operation.joins.map_or(operation.accesses.is_empty(), |joined| joined == thread)
            };
            return if self.movers.still.iter().any(waits_for_it) { Since::Unknown } else { Since::Ended(thread) };
        }
        let operation = state.operation(thread);
        match self.graph.can_move(thread, operation, state) {
            true => Since::Moved(thread, operation),
            false => Since::Stopped(thread),
        }
    }

    #[inline(never)]
    fn find_all_movers(&mut self, state: &dyn State) {
        let Self { movers, graph, paths, .. } = self;
        for thread in movers.threads.drain(..) {
            movers.pending.clear(thread);
        }
        movers.next.clear();
        movers.still.clear();
        for thread in paths.alive(state) {
            let operation = state.operation(thread);
            match graph.can_move(thread, operation, state) {
                true => {
                    movers.threads.push(thread);
                    movers.next.push(Next::of(operation));
                }
                false => movers.still.push(thread),
            }
        }
        movers.are_many = movers.threads.len() > FEW;
        if movers.are_many {
            for &thread in &movers.threads {
                movers.pending.set(thread, &state.operation(thread).accesses);
            }
        }
    }
}
