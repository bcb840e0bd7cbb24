//! The classification of states in which no thread can continue.
//!
//! - Threads that wait for each other's locks are in a *deadlock*.
//! - A thread that waits in a loop, or has given up because a round of a loop would do nothing, would spin. If
//!   everything that it has read in that round is still current, so is the next round, and if that holds for all such
//!   threads, they spin for ever: a *livelock*. If something has changed, the loop would continue; that execution is
//!   explored elsewhere, and this one says nothing.
//! - A thread whose assumption does not hold makes the execution one that the program rules out.
//! - Once the program has ended, threads that wait or spin need not get anywhere ([`Machine::has_exited`]).

use crate::code::Instruction;
use crate::failure::Failure;
use crate::interpret::undecided;
use crate::machine::{Logged, Machine, Place};
use crate::memory::{Life, MemoryFault};
use crate::thread::Phase;
use everyway_report::BugKind;
use everyway_runtime::{State as _, Status, ThreadId, Verb, Waiting};

/// Why a thread does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    /// What it assumes does not hold.
    Assumes,
    /// It is in a loop that goes round and does nothing, and nothing that it reads there has changed.
    Spins,
    /// It is in a loop that would find something else in its next round.
    WouldGoOn,
    /// It waits for another thread: to unlock, to notify, to end.
    Waits,
}

impl Machine {
    /// What is wrong, if anything is, now that no thread can go on.
    pub(crate) fn stalemate(&self) -> Option<Failure> {
        let blocked = self.threads.ids().filter(|&thread| self.status(thread) == Status::Blocked);
        let stands: Vec<(ThreadId, Stand)> = blocked.map(|thread| (thread, self.stand(thread))).collect();
        // Whatever the others do: that an access waits is our doing.
        let mut in_place = stands.iter().map(|(thread, _)| *thread).filter(|&thread| self.waits_in_place(thread));
        if let Some(failure) = in_place.find_map(|thread| self.waits_for_nothing(thread)) {
            return Some(failure);
        }
        let is_any = |wanted: Stand| stands.iter().any(|(_, stand)| *stand == wanted);
        if is_any(Stand::Assumes) || is_any(Stand::WouldGoOn) {
            return None;
        }
        let spinning = || stands.iter().filter(|(_, stand)| *stand == Stand::Spins).map(|(thread, _)| *thread);
        if self.has_exited() {
            return None;
        }
        match spinning().next() {
            Some(thread) if !self.has_cycle() => (!self.settings.allow_livelocks).then(|| {
                let message = "no thread can go on, and some of them spin for ever";
                let mut failure = Failure::new(BugKind::Livelock, message);
                failure.thread = Some(thread);
                failure
            }),
            _ => (!self.settings.allow_deadlocks).then(|| Failure::new(BugKind::Deadlock, "no thread can go on")),
        }
    }

    /// Whether a thread is waiting for another one to unlock, to notify or to end, or is not there.
    pub(crate) fn waits_or_has_ended(&self, thread: ThreadId) -> bool {
        match self.threads[thread].core.phase {
            Phase::Unborn | Phase::Ended => true,
            Phase::Stuck => false,
            Phase::Running => !self.waits_in_place(thread),
        }
    }

    /// Whether a thread is in an await.
    fn waits_in_place(&self, thread: ThreadId) -> bool {
        self.threads[thread].core.manner.waiting == Waiting::Access && self.await_of(thread).is_some()
    }

    /// Why a thread that is blocked does not go on.
    pub(crate) fn stand(&self, thread: ThreadId) -> Stand {
        let core = &self.threads[thread].core;
        let waits_in_place = self.waits_in_place(thread);
        match core.phase {
            Phase::Stuck if core.round.is_none() => Stand::Assumes,
            Phase::Running if waits_in_place && core.round.is_none() => Stand::Assumes,
            Phase::Running if !waits_in_place => Stand::Waits,
            _ if self.would_repeat(thread) => Stand::Spins,
            _ => Stand::WouldGoOn,
        }
    }

    /// The await that the thread is in.
    pub(crate) fn await_of(&self, thread: ThreadId) -> Option<&crate::code::Await> {
        let frame = self.threads[thread].frames.last()?;
        match self.code.body(frame.function)?.instructions.get(frame.pc as usize)? {
            Instruction::Await(index) => self.code.awaits.get(*index as usize),
            _ => None,
        }
    }

    /// Whether everything that the thread has read in this round of its loop is still what it was.
    fn would_repeat(&self, thread: ThreadId) -> bool {
        let start = self.threads[thread].core.round.map_or(self.steps.len(), |round| round as usize);
        let own = self.steps.iter().skip(start).filter(|logged| logged.step.thread == thread);
        let own: Vec<&Logged> = own.into_iter().collect();
        // What the thread has changed back itself - a mutex that it has unlocked - is what it was then.
        let is_last = |index: usize, logged: &Logged| {
            let location = |it: &Logged| it.ended_by.map(|last| self.log.accesses[last.access as usize].location);
            own[index + 1..].iter().all(|later| location(later) != location(logged))
        };
        let changes = |logged: &Logged| self.ended_by(logged).is_some_and(|visit| visit.before != visit.after);
        own.iter().enumerate().all(|(index, logged)| match logged.verb {
            // Who waits there makes no difference to a wait that gives up, and its mutex is looked at below.
            Verb::Wait | Verb::Woken => true,
            Verb::Relock => self.is_as_before(logged),
            _ => self.is_still_so(logged) || changes(logged) && !is_last(index, logged),
        })
    }

    /// Whether what a step has changed is what the step found.
    fn is_as_before(&self, logged: &Logged) -> bool {
        self.ended_by(logged).is_some_and(|visit| {
            visit.access.bytes.get(self.value(visit.access.location)) == visit.access.bytes.get(visit.before)
        })
    }

    fn is_still_so(&self, logged: &Logged) -> bool {
        let instruction = self.code.body(logged.function).map(|body| &body.instructions[logged.pc as usize]);
        let size = match instruction {
            Some(Instruction::Load { size, .. }) => u64::from(*size),
            _ => 0,
        };
        // Of an access to several words only one is known.
        let is_known = logged.address % 8 + size <= 8;
        is_known
            && self.ended_by(logged).is_some_and(|visit| {
                let now = self.value(visit.access.location);
                visit.access.bytes.get(now) == visit.access.bytes.get(visit.after)
            })
    }

    /// A loop that waits for something in memory that is gone, that has no value, or that others write without being ordered with the
    /// loop, is wrong in its next round; and where something is assumed of that, it can be looked at now.
    fn waits_for_nothing(&self, thread: ThreadId) -> Option<Failure> {
        self.await_of(thread)?;
        let access = self.threads[thread].operation.accesses.last()?;
        let Place::Memory { object, granule } = self.locations[access.location.index()] else { return None };
        let failure = if self.memory.object(object).state.life == Life::Alive {
            if let Some(race) = self.race_of_waiting(thread, access) {
                race
            } else if self.is_known(object, granule, access.bytes.0) {
                return None;
            } else {
                undecided(if self.threads[thread].core.round.is_some() { "a loop" } else { "what is assumed" })
            }
        } else {
            let offset = u64::from(granule) * 8 + u64::from(access.bytes.0.trailing_zeros());
            self.memory_failure(MemoryFault::Dead { object, offset })
        };
        Some(self.locate_failure(thread, failure))
    }

    /// Whether threads wait for each other in a circle.
    fn has_cycle(&self) -> bool {
        let waits = self.waits();
        waits.iter().any(|first| {
            let next = |wait: &&everyway_report::Wait| waits.iter().find(|other| Some(other.thread) == wait.waits_for);
            std::iter::successors(next(&first), next).take(waits.len()).any(|wait| wait.thread == first.thread)
        })
    }
}
