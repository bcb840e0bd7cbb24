//! The interface of a front end to the engine: a program that can be run one visible step at a time.
//!
//! The engine never learns how [`Execution::rewind`] works. A virtual machine undoes its steps, a Rust closure runs
//! again from the start; both keep their own list of the steps taken.

use crate::ids::{EventId, Location, Step, ThreadId};
use crate::mailbox::Matching;
use crate::modification_order::ModificationOrders;
use crate::names::ThreadPath;
use crate::operation::{Operation, Visit};

/// Whether a thread can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can take its next step.
    Ready,
    /// Its next operation has to wait for others, perhaps for ever.
    Blocked,
    /// It has ended, or does not exist in this execution.
    Ended,
}

/// What a step did. The engine hands the same value to every step, so that nothing is allocated.
#[derive(Debug, Default)]
pub struct Performed {
    /// The accesses of the operation that were carried out, in order, then any that came with it.
    pub visits: Vec<Visit>,
    /// The threads that came into being during the step.
    pub spawned: Vec<ThreadId>,
}

impl Performed {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.visits.clear();
        self.spawned.clear();
    }
}

/// Where a read gets its value, where that is not the last write of the interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The initial value of the location.
    Initial,
    /// The write that this event of the current execution did to the location.
    Event(EventId),
}

/// Why an execution cannot continue.
#[derive(Debug)]
pub enum Halt<F> {
    /// The step showed a failure: an assertion, a panic, a data race.
    Failure(F),
    /// The program did not repeat what it had done before in the same circumstances.
    Diverged(F),
}

/// The state that a program under exploration is in.
pub trait State: Matching {
    /// An upper bound of the thread ids in use: every id below it is valid.
    fn threads(&self) -> usize;

    /// Whether `thread` can move.
    fn status(&self, thread: ThreadId) -> Status;

    /// Whether `thread` exists in this execution and has not ended.
    fn is_alive(&self, thread: ThreadId) -> bool {
        self.status(thread) != Status::Ended
    }

    /// The first thread from `start` on that has not ended, and exists in this execution.
    fn next_alive(&self, start: usize) -> Option<ThreadId> {
        (start..self.threads()).map(ThreadId::new).find(|&thread| self.is_alive(thread))
    }

    /// The first thread from `start` on that has this status.
    fn next_with(&self, start: usize, status: Status) -> Option<ThreadId> {
        (start..self.threads()).map(ThreadId::new).find(|&thread| self.status(thread) == status)
    }

    /// The next operation of `thread`; without meaning if it has ended.
    fn operation(&self, thread: ThreadId) -> &Operation;

    /// The number of alternatives (1 or more) of `thread`'s next step.
    fn choices(&self, thread: ThreadId) -> u32;

    /// The name of `thread` in every execution and every process. The default is for programs all of whose threads
    /// exist from the start.
    fn path(&self, thread: ThreadId) -> ThreadPath {
        ThreadPath::first().child(thread.0)
    }

    /// The value of `location`.
    fn value(&self, location: Location) -> u64;

    /// The value of `location` before any write to it, whatever has been written since.
    fn initial_value(&self, location: Location) -> u64 {
        self.value(location)
    }

    /// Whether `thread`, which is blocked, stays blocked whatever other threads do and whatever its reads are told: one of
    /// its assumptions, or the thread itself, has failed. The default is for front ends in which such a thread announces an
    /// operation that accesses nothing.
    fn is_stuck(&self, thread: ThreadId) -> bool {
        let operation = self.operation(thread);
        self.status(thread) == Status::Blocked && operation.accesses.is_empty() && operation.joins.is_none()
    }
}

/// A program under exploration.
///
/// A step consists of one visible operation and everything its thread does after it, up to just before its
/// next visible operation. A new thread runs up to its first visible operation within the step that spawns
/// it. In the initial state, too, every thread that exists stands before its first visible operation.
pub trait Execution: State {
    /// The front end's description of a failure.
    type Failure;

    /// Takes a step, and records in `performed` what it did. The thread is ready, provided that the program repeats what it
    /// did before in the same circumstances.
    ///
    /// # Errors
    /// If the step fails; what it did is in `performed` all the same, and the thread that fails is blocked for good.
    /// If the thread is not ready: [`Halt::Diverged`].
    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Self::Failure>>;

    /// Whether steps can be taken with the sources of their reads given: [`Execution::step_reading`].
    fn can_be_told(&self) -> bool {
        false
    }

    /// Takes a step whose reads are told their sources. An execution consists of such steps only, or has none.
    ///
    /// `sources` has an entry for each access of the announced operation, in order. The entry of an access that does not
    /// read ([`Access::looks`](crate::Access::looks)) has no meaning. The event of a source is an earlier one
    /// of the current execution, with an access to the same bytes of the same location that took place and wrote. The
    /// step does what it would do if the location had the value that this event left there: the value decides its condition,
    /// a read-modify-write computes from it, and the step gets all of it, with whatever the front end knows about it
    /// beyond its bits. The location's own value and [`State::value`] have no meaning in such an execution;
    /// [`State::initial_value`] does.
    ///
    /// [`Status::Blocked`] means little here: a thread that waits at an access takes its step as soon as it is told a
    /// source that satisfies it, and is never told another one. A thread that [`State::is_stuck`] takes no step, nor does
    /// one that joins another which has not ended.
    ///
    /// [`Execution::rewind`] works as usual, by the number of steps. A front end that runs again keeps the sources with
    /// the steps. Events are named by their positions, so sources remain valid for steps that are taken again.
    ///
    /// Called only if [`Execution::can_be_told`]; the default ignores the sources.
    ///
    /// # Errors
    /// As [`Execution::step`].
    fn step_reading(
        &mut self,
        step: Step,
        sources: &[Source],
        performed: &mut Performed,
    ) -> Result<(), Halt<Self::Failure>> {
        let _ = sources;
        self.step(step, performed)
    }

    /// The sources that the step of this event was told ([`Execution::step_reading`]); empty if there were none.
    fn told(&self, event: EventId) -> &[Source] {
        let _ = event;
        &[]
    }

    /// Goes back to the state after the first `depth` steps, by undoing the others or by taking these again. Steps that are
    /// taken again find and leave the same values, addresses included.
    ///
    /// # Errors
    /// If the program does not behave as it did before.
    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Self::Failure>>;

    /// Another failure of the step just taken, or of the initial state: more than one thread may run in a step, and
    /// fail. A thread that has failed is blocked from then on.
    fn further_failure(&mut self) -> Option<Self::Failure> {
        None
    }

    /// The failure to report if the program is in a state that is impossible if its threads interact only through
    /// the accesses that they announce. None for front ends that see every access: then it is a bug in the engine.
    fn contradicts_itself(&mut self) -> Option<Self::Failure> {
        None
    }

    /// Whether the program as a whole has ended, including threads that still wait: such an execution is complete.
    fn has_ended(&self) -> bool {
        false
    }

    /// Receives the order of the writes to each location in an execution whose reads were told their sources. Called before
    /// anything that depends on it: [`Execution::blocked`], and descriptions of the execution.
    fn settle(&mut self, orders: ModificationOrders) {
        let _ = orders;
    }

    /// The order of the writes to each location, if it was given ([`Execution::settle`]).
    fn modification_orders(&self) -> Option<&ModificationOrders> {
        None
    }

    /// A failure of the whole execution, which ended with some thread blocked: a deadlock, say, or nothing
    /// at all where a thread gave up by itself.
    fn blocked(&mut self) -> Option<Self::Failure>;
}

/// The threads of `state` that can move.
pub fn ready<S: State + ?Sized>(state: &S) -> impl Iterator<Item = ThreadId> + '_ {
    with(state, Status::Ready)
}

/// The threads of `state` that wait.
pub fn blocked<S: State + ?Sized>(state: &S) -> impl Iterator<Item = ThreadId> + '_ {
    with(state, Status::Blocked)
}

fn with<S: State + ?Sized>(state: &S, status: Status) -> impl Iterator<Item = ThreadId> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let found = state.next_with(start, status)?;
        start = found.index() + 1;
        Some(found)
    })
}
