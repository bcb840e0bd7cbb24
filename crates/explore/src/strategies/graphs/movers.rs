//! The threads that can go on, and what they are about to do.
//!
//! Both are kept from one step to the next: mostly a step changes what its own thread does, and nothing else, so that what
//! it takes to find out which thread goes on does not grow with their number.

use super::Graphs;
use everyway_runtime::{Access, Location, State, Status, ThreadId};
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
        let conflicts = |Pending { threads, changing }| threads > 1 && changing > 0;
        let of = self.of.get(thread.index()).into_iter().flatten();
        of.into_iter().any(|(location, _)| conflicts(self.at[location.index()]))
    }
}

/// The threads that can go on, as it was found out last.
#[derive(Clone, Debug, Default)]
pub(super) struct Movers {
    /// How many events there were then; none if the graph has changed otherwise than by adding to it.
    events: Option<usize>,
    /// In the order of their paths.
    threads: Vec<ThreadId>,
    /// Whether there was no other thread that had not ended.
    are_all: bool,
    /// Whether they were many; if not, what they are about to do is looked at where it is, and `pending` knows nothing.
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

    /// All of them, in the order of their paths.
    #[inline]
    pub(super) fn threads(&self) -> &[ThreadId] {
        &self.threads
    }

    /// Whether what one of them is about to do conflicts with what another one is.
    #[inline]
    pub(super) fn conflicts(&self, thread: ThreadId, state: &dyn State) -> bool {
        if self.are_many {
            return self.pending.conflicts(thread);
        }
        let own = &state.operation(thread).accesses;
        let mut others = self.threads.iter().filter(|&&other| other != thread);
        others.any(|&other| conflict(own, &state.operation(other).accesses))
    }
}

/// Whether operations of two threads conflict.
#[inline]
fn conflict(one: &[Access], other: &[Access]) -> bool {
    let conflicts = |one: &Access, other: &Access| {
        one.location == other.location && (one.effect.may_write() || other.effect.may_write())
    };
    one.iter().any(|one| other.iter().any(|other| conflicts(one, other)))
}

/// What has become of the threads that could go on.
enum Since {
    /// They still can, and no others; this one has moved.
    Moved(ThreadId),
    /// The same, but for this one, which has ended.
    Ended(ThreadId),
    /// That has to be found out.
    Unknown,
}

impl Graphs {
    /// Whether a thread that has not ended can go on.
    #[inline]
    fn can_move(&self, thread: ThreadId, state: &dyn State) -> bool {
        // Whether one that reads can go on is a matter of what it is told to read.
        let operation = state.operation(thread);
        let reads = !operation.accesses.is_empty() && operation.joins.is_none();
        !self.graph.stands_still(thread) && (reads || state.status(thread) == Status::Ready)
    }

    pub(super) fn can_go_on(&self, thread: ThreadId, state: &dyn State) -> bool {
        state.is_alive(thread) && self.can_move(thread, state)
    }

    /// Finds out which threads can go on.
    pub(super) fn find_movers(&mut self, state: &dyn State) {
        match self.since_last_move(state) {
            Since::Moved(thread) if self.movers.are_many => {
                self.movers.pending.set(thread, &state.operation(thread).accesses);
            }
            Since::Moved(_) => {}
            Since::Ended(thread) => {
                self.movers.threads.retain(|&mover| mover != thread);
                self.movers.pending.clear(thread);
            }
            Since::Unknown => self.find_all_movers(state),
        }
        self.movers.events = Some(self.graph.len());
        debug_assert!(
            self.are_movers_right(state),
            "a step of one access changes what its thread does, and nothing else"
        );
    }

    /// Whether what is kept is what would be found out.
    fn are_movers_right(&self, state: &dyn State) -> bool {
        let movers = self.paths.alive(state).filter(|&thread| self.can_move(thread, state));
        let mut pending = PendingOperations::default();
        let mut is_kept = |&thread: &ThreadId| {
            pending.set(thread, &state.operation(thread).accesses);
            pending.of[thread.index()] == self.movers.pending.of[thread.index()]
        };
        movers.eq(self.movers.threads.iter().copied())
            && (!self.movers.are_many || self.movers.threads.iter().all(&mut is_kept))
    }

    /// What has become of those that could go on, if all that was added since is a step of one access. By that, no other thread has
    /// ended or been spawned, and what waits for the end of another one was among them only if it could go on.
    #[inline]
    fn since_last_move(&self, state: &dyn State) -> Since {
        let added = self.movers.events.and_then(|events| self.graph.events.get(events..));
        let Some(added @ ([event] | [event, _])) = added else { return Since::Unknown };
        let thread = event.thread;
        if !added.iter().all(|of| of.is_alone() && of.is_of_step(event)) {
            return Since::Unknown;
        }
        match state.is_alive(thread) {
            true if !state.operation(thread).accesses.is_empty() && self.can_move(thread, state) => {
                Since::Moved(thread)
            }
            false if self.movers.are_all => Since::Ended(thread),
            _ => Since::Unknown,
        }
    }

    #[inline(never)]
    fn find_all_movers(&mut self, state: &dyn State) {
        let mut movers = std::mem::take(&mut self.movers);
        for thread in movers.threads.drain(..) {
            movers.pending.clear(thread);
        }
        movers.are_all = true;
        for thread in self.paths.alive(state) {
            match self.can_move(thread, state) {
                true => movers.threads.push(thread),
                false => movers.are_all = false,
            }
        }
        movers.are_many = movers.threads.len() > FEW;
        if movers.are_many {
            for &thread in &movers.threads {
                movers.pending.set(thread, &state.operation(thread).accesses);
            }
        }
        self.movers = movers;
    }
}
