//! What a front end gives the engine: a program that can be run one visible step at a time.
//!
//! The engine never learns how [`Execution::rewind`] is done. A virtual machine undoes its steps, a Rust
//! closure runs again from the start; both keep their own list of the steps taken.

use crate::ids::{Location, Step, ThreadId};
use crate::mailbox::Matching;
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

/// Why an execution cannot go on.
#[derive(Debug)]
pub enum Halt<F> {
    /// The step showed a failure: an assertion, a panic, a data race.
    Failure(F),
    /// The program did not do again what it had done before in the same circumstances.
    Diverged(F),
}

/// The state that a program under exploration is in.
pub trait State: Matching {
    /// An upper bound of the thread ids in use: every id below it may be asked for.
    fn threads(&self) -> usize;

    /// Whether `thread` can move.
    fn status(&self, thread: ThreadId) -> Status;

    /// The first thread from `start` on that has this status.
    fn next_with(&self, start: usize, status: Status) -> Option<ThreadId> {
        (start..self.threads()).map(ThreadId::new).find(|&thread| self.status(thread) == status)
    }

    /// What `thread`, which has not ended, does next.
    fn operation(&self, thread: ThreadId) -> &Operation;

    /// Among how many alternatives (1 or more) `thread` chooses in its next step.
    fn choices(&self, thread: ThreadId) -> u32;

    /// What `thread` is called in every execution and every process. The default is for programs all of whose threads
    /// exist from the start.
    fn path(&self, thread: ThreadId) -> ThreadPath {
        ThreadPath::first().child(thread.0)
    }

    /// What `location` holds.
    fn value(&self, location: Location) -> u64;
}

/// A program under exploration.
///
/// A step consists of one visible operation and everything its thread does after it, up to just before its
/// next visible operation. A new thread runs up to its first visible operation within the step that spawns
/// it. In the initial state, too, every thread that exists stands before its first visible operation.
pub trait Execution: State {
    /// What a front end says of a failure.
    type Failure;

    /// Takes a step, and says in `performed` what it did. The thread is ready, if the program does what it
    /// did before in the same circumstances.
    ///
    /// # Errors
    /// When the step fails; what it did is in `performed` all the same, and the thread that fails is blocked for good.
    /// When the thread is not ready: [`Halt::Diverged`].
    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Self::Failure>>;

    /// Goes back to the state after the first `depth` steps, by undoing the others or by taking these again. Whatever
    /// was found and left by them, it would be found and left again: also where values are addresses.
    ///
    /// # Errors
    /// When the program does not behave as it did before.
    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Self::Failure>>;

    /// Another failure of the step just taken, or of the initial state: more than one thread may run in a step, and
    /// fail. A thread that has failed is blocked from then on.
    fn further_failure(&mut self) -> Option<Self::Failure> {
        None
    }

    /// Whether the program as a whole has ended, and with it all threads that still wait: such an execution is
    /// complete.
    fn has_ended(&self) -> bool {
        false
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
