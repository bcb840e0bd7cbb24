//! Synchronisation objects: mutexes, condition variables, semaphores and the like.
//!
//! Their state is kept here, by address, and not in the memory of the program. An object that the program has
//! initialised statically is registered on its first use.

use crate::access::Request;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::ids::{ObjectId, SyncId};
use crate::interpret::undecided;
use crate::machine::{Machine, Place};
use crate::memory::{MemoryFault, parts};
use crate::races::Role;
use crate::undo::Undo;
use everyway_runtime::{Access, Effect, Location, Ordering, Reasons, ThreadId, Threads, Verb, Waiters};
use rustc_hash::FxHashMap;

/// What a synchronisation object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Mutex,
    Condvar,
    RwLock,
    Barrier,
    Semaphore,
    Once,
    Spin,
    Futex,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Mutex => "mutex",
            Kind::Condvar => "condition variable",
            Kind::RwLock => "read-write lock",
            Kind::Barrier => "barrier",
            Kind::Semaphore => "semaphore",
            Kind::Once => "once",
            Kind::Spin => "spin lock",
            Kind::Futex => "futex",
        }
    }
}

/// How a mutex treats its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    Normal,
    Recursive,
    ErrorCheck,
}

/// Where a synchronisation object is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Not met in this execution.
    Fresh,
    Ready,
    Destroyed,
}

/// What changes about a synchronisation object, apart from its value and its waiting threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SyncState {
    pub(crate) stage: Stage,
    pub(crate) kind: Kind,
    pub(crate) flavour: Flavour,
    /// How often a recursive mutex is held beyond once; how many threads a barrier lets through; the number of the mutex that the last
    /// thread which came to wait on a condition variable had unlocked, from 1 on.
    pub(crate) count: u64,
}

#[derive(Debug)]
struct Sync {
    state: SyncState,
    address: u64,
    location: Location,
    waiters: Waiters,
    /// The locations of a barrier's rounds, which count the threads that have arrived, if the order of arrivals is not explored. If it is,
    /// the first one counts the rounds that are over. Of a condition variable, the first one is the mutex with which threads wait.
    rounds: Vec<Location>,
    /// By thread, how often it has arrived at a barrier or passed it, which it does in turn.
    turns: Vec<u32>,
    /// The rounds of a barrier in which a thread left it for good.
    drops: Vec<u32>,
}

/// Those that wait at a synchronisation object, as a wait or a wake-up names them: for these reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queue {
    pub(crate) sync: SyncId,
    pub(crate) reasons: Reasons,
}

impl From<SyncId> for Queue {
    fn from(sync: SyncId) -> Self {
        Self { sync, reasons: Reasons::ALL }
    }
}

/// All that were met in any execution so far.
#[derive(Debug, Default)]
pub(crate) struct Syncs {
    by_address: FxHashMap<u64, SyncId>,
    list: Vec<Sync>,
}

impl Syncs {
    pub(crate) fn waiters(&self, sync: SyncId) -> &Waiters {
        &self.list[sync.index()].waiters
    }

    pub(crate) fn state(&self, sync: SyncId) -> &SyncState {
        &self.list[sync.index()].state
    }

    pub(crate) fn location(&self, sync: SyncId) -> Location {
        self.list[sync.index()].location
    }

    /// The object whose state is at this location, if there is one.
    pub(crate) fn of(&self, location: Location) -> Option<SyncId> {
        self.list.iter().position(|sync| sync.location == location).map(SyncId::new)
    }

    pub(crate) fn address(&self, sync: SyncId) -> u64 {
        self.list[sync.index()].address
    }

    /// Those that were met in this execution.
    pub(crate) fn met(&self) -> impl Iterator<Item = SyncId> + '_ {
        let is_met = |sync: &SyncId| self.state(*sync).stage != Stage::Fresh;
        (0..self.list.len()).map(SyncId::new).filter(is_met)
    }

    pub(crate) fn at(&self, address: u64) -> Option<SyncId> {
        self.by_address.get(&address).copied()
    }

    pub(crate) fn restore(&mut self, sync: SyncId, state: SyncState) {
        self.list[sync.index()].state = state;
    }

    pub(crate) fn join(&mut self, queue: Queue, thread: ThreadId, names: &Threads) {
        self.list[queue.sync.index()].waiters.insert(thread, queue.reasons, names);
    }

    /// How often the thread has arrived at a barrier, or passed it, if the order of arrivals is not explored.
    pub(crate) fn turns(&self, sync: SyncId, thread: ThreadId) -> u32 {
        self.list[sync.index()].turns.get(thread.index()).copied().unwrap_or(0)
    }

    /// Whether a thread has arrived at a barrier, if the order of arrivals is not explored.
    pub(crate) fn has_arrivals(&self, sync: SyncId) -> bool {
        self.list[sync.index()].turns.iter().any(|&turns| turns > 0)
    }

    /// How many threads have left a barrier for good before a round.
    pub(crate) fn drops_before(&self, sync: SyncId, round: u32) -> u64 {
        self.list[sync.index()].drops.iter().filter(|&&drop| drop < round).count() as u64
    }

    /// The thread has not arrived at the barrier, or passed it, when it did so last.
    pub(crate) fn take_back_turn(&mut self, sync: SyncId, thread: ThreadId) {
        self.list[sync.index()].turns[thread.index()] -= 1;
    }

    /// The thread that left the barrier last did not.
    pub(crate) fn take_back_drop(&mut self, sync: SyncId) {
        self.list[sync.index()].drops.pop();
    }

    /// For which reasons the thread waited, if it was one of those that wait.
    pub(crate) fn leave(&mut self, sync: SyncId, thread: ThreadId) -> Option<Reasons> {
        self.list[sync.index()].waiters.remove(thread)
    }
}

impl Machine {
    /// The synchronisation object at an address, whatever state it is in.
    pub(crate) fn sync_at(&mut self, address: u64, kind: Kind) -> SyncId {
        if let Some(sync) = self.syncs.at(address) {
            return sync;
        }
        let location = self.new_location(Place::Value(0), Role::Synchronisation);
        let state = SyncState { stage: Stage::Fresh, kind, flavour: Flavour::Normal, count: 0 };
        let (waiters, rounds, turns, drops) = Default::default();
        self.syncs.list.push(Sync { state, address, location, waiters, rounds, turns, drops });
        let sync = SyncId::new(self.syncs.list.len() - 1);
        self.syncs.by_address.insert(address, sync);
        sync
    }

    /// The synchronisation object that `pointer` points to, which is to be used. Whether it can be is looked at when
    /// it is ([`Machine::check_use`]): who makes it ready, destroys it or frees its memory may come before or after.
    pub(crate) fn sync(&mut self, pointer: Cell, kind: Kind) -> Result<SyncId, Failure> {
        let size = if kind == Kind::Spin { 4 } else { 1 };
        match self.memory.locate(pointer.bits, size) {
            _ if !pointer.is_defined() => return Err(undecided("an address")),
            Ok(_) => {}
            Err(MemoryFault::Dead { object, offset }) if self.memory.holds(object, offset, size) => {}
            Err(fault) => return Err(self.memory_failure(fault)),
        }
        let sync = self.sync_at(pointer.bits, kind);
        let state = *self.syncs.state(sync);
        match state.stage {
            Stage::Fresh => self.syncs.restore(sync, SyncState { kind, ..state }),
            Stage::Ready if state.kind != kind => {
                let (name, is) = (self.name_at(pointer.bits), state.kind.name());
                return Err(Failure::misuse(format!("{name} is used as a {}, but it is a {is}", kind.name())));
            }
            Stage::Ready | Stage::Destroyed => {}
        }
        Ok(sync)
    }

    /// Makes sure that a synchronisation object, which is being used, can be.
    pub(crate) fn check_use(&mut self, sync: SyncId) -> Result<(), Failure> {
        let (address, state) = (self.syncs.address(sync), *self.syncs.state(sync));
        let (object, offset) = self.follow(Cell::new(address), 1)?;
        let name = state.kind.name();
        match state.stage {
            Stage::Ready => Ok(()),
            Stage::Destroyed => {
                let message = format!("the {name} {} is used after it was destroyed", self.name_at(address));
                Err(Failure::misuse(message))
            }
            // Statically initialised, or not at all.
            Stage::Fresh if !self.memory.read(object, offset, 1).is_defined() => {
                Err(undecided(&format!("the use of a {name}")))
            }
            Stage::Fresh if matches!(state.kind, Kind::Semaphore | Kind::Barrier) => {
                let message = format!("the {name} {} is used without being initialised", self.name_at(address));
                Err(Failure::misuse(message))
            }
            Stage::Fresh => {
                let flavour = self.flavour(sync);
                self.set_sync(sync, SyncState { stage: Stage::Ready, flavour, ..state });
                Ok(())
            }
        }
    }

    /// How a mutex treats its holder, whether it has been used or not.
    pub(crate) fn flavour(&self, sync: SyncId) -> Flavour {
        let state = self.syncs.state(sync);
        match self.memory.resolve(self.syncs.address(sync)) {
            Some((object, offset)) if state.stage == Stage::Fresh && state.kind == Kind::Mutex && offset >= 0 => {
                self.static_flavour(object, offset as u64)
            }
            _ => state.flavour,
        }
    }

    /// glibc has the kind of a mutex at offset 16, and static initialisers that set it.
    fn static_flavour(&self, object: ObjectId, offset: u64) -> Flavour {
        if self.memory.object(object).state.size < offset + 20 {
            return Flavour::Normal;
        }
        match self.memory.read(object, offset + 16, 4) {
            Cell { bits: 1, undef: 0 } => Flavour::Recursive,
            Cell { bits: 2, undef: 0 } => Flavour::ErrorCheck,
            _ => Flavour::Normal,
        }
    }

    pub(crate) fn set_sync(&mut self, sync: SyncId, state: SyncState) {
        if self.log.is_on {
            self.log.syncs.push(*self.syncs.state(sync));
            self.log.changes.push(Undo::Sync { sync });
        }
        self.syncs.restore(sync, state);
    }

    /// Whether a synchronisation object is as good as one that was never used: no thread uses it, and all that its uses order
    /// comes before whatever other threads will do, because there are none yet.
    pub(crate) fn is_at_rest(&self, sync: SyncId) -> bool {
        let SyncState { stage, kind, .. } = *self.syncs.state(sync);
        let is_free = kind == Kind::Mutex && self.sync_value(sync) == 0;
        self.started <= 1 && self.syncs.waiters(sync).is_empty() && (stage == Stage::Destroyed || is_free)
    }

    /// What was at an address where there is something else from now on has not been met.
    pub(crate) fn forget_sync(&mut self, sync: SyncId) {
        let state = *self.syncs.state(sync);
        self.set_sync(sync, SyncState { stage: Stage::Fresh, flavour: Flavour::Normal, count: 0, ..state });
        self.set_value(self.syncs.location(sync), 0);
    }

    pub(crate) fn add_waiter(&mut self, queue: Queue, thread: ThreadId) {
        self.syncs.join(queue, thread, self.threads.names());
        self.log.push(Undo::Joined { sync: queue.sync, thread });
    }

    pub(crate) fn remove_waiter(&mut self, sync: SyncId, thread: ThreadId) {
        if let Some(reasons) = self.syncs.leave(sync, thread) {
            self.log.push(Undo::Left { queue: Queue { sync, reasons }, thread });
        }
    }

    /// The location of a round of a barrier.
    pub(crate) fn round(&mut self, barrier: SyncId, round: u32) -> Location {
        while self.syncs.list[barrier.index()].rounds.len() <= round as usize {
            let location = self.new_location(Place::Value(0), Role::Synchronisation);
            self.syncs.list[barrier.index()].rounds.push(location);
        }
        self.syncs.list[barrier.index()].rounds[round as usize]
    }

    /// The thread arrives at a barrier, or passes it.
    pub(crate) fn take_turn(&mut self, barrier: SyncId, thread: ThreadId) {
        let turns = &mut self.syncs.list[barrier.index()].turns;
        if turns.len() <= thread.index() {
            turns.resize(thread.index() + 1, 0);
        }
        turns[thread.index()] += 1;
        self.log.push(Undo::Turn { sync: barrier, thread });
    }

    /// A thread leaves a barrier for good in this round.
    pub(crate) fn drop_out(&mut self, barrier: SyncId, round: u32) {
        self.syncs.list[barrier.index()].drops.push(round);
        self.log.push(Undo::Dropped { sync: barrier });
    }

    /// An operation on a synchronisation object: it depends on the object that holds it being alive.
    pub(crate) fn sync_request(&mut self, verb: Verb, sync: SyncId) -> Request {
        let address = self.syncs.address(sync);
        let mut request = Request { uses: Some(sync), ..Request::new(verb, address) };
        if let Some((object, offset)) = self.memory.resolve(address)
            && !self.is_told()
            && crate::access::ends(self.memory.object(object).state.origin)
            && offset >= 0
        {
            self.hold(object, &mut request, Ordering::Relaxed);
            if request.accesses.is_empty()
                && let Some(part) = parts(offset as u64, 1).next()
            {
                let location = self.location(object, part.granule);
                request.accesses.push(crate::access::part_access(location, part, Effect::Read, Ordering::Relaxed));
            }
        }
        request
    }

    /// An access to the value of a synchronisation object.
    pub(crate) fn sync_access(&self, sync: SyncId, effect: Effect) -> Access {
        let access = Access::new(self.syncs.location(sync), effect);
        // Locks and the like acquire and release. They take no part in the order of `seq_cst` accesses, which POSIX does
        // not promise. A condition variable orders nothing: only its mutex does.
        let is_silent = self.syncs.state(sync).kind == Kind::Condvar;
        access.ordered(if is_silent { Ordering::Relaxed } else { Ordering::AcqRel })
    }

    /// The value of a synchronisation object.
    pub(crate) fn sync_value(&self, sync: SyncId) -> u64 {
        match self.locations[self.syncs.location(sync).index()] {
            Place::Value(value) => value,
            Place::Memory { .. } => unreachable!("a synchronisation object is kept apart from memory"),
        }
    }
}
