//! Threads: their frames, and what they have announced.

use crate::cell::Cell;
use crate::ids::{KeyId, ObjectId, SectionId, SyncId};
use crate::reclaim::{Vacancies, Vacant};
use crate::script::Record;
use crate::sync::Queue;
use everyway_ir::FunctionId;
use everyway_runtime::{Location, Manner, Operation, ThreadId, Threads};
use rustc_hash::FxHashMap;
use std::ops::{Index, IndexMut};

/// The number by which the program calls a thread, and its locks their holder; 0 is none.
pub(crate) fn number_of(thread: ThreadId) -> u64 {
    u64::from(thread.0) + 1
}

/// The thread that the program calls by this number.
pub(crate) fn thread_numbered(number: u64) -> Option<ThreadId> {
    number.checked_sub(1).and_then(|thread| u32::try_from(thread).ok()).map(ThreadId)
}

/// A function that is being executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    /// The instruction to execute, or the call that is being executed.
    pub(crate) pc: u32,
    /// The first of its lanes.
    pub(crate) base: u32,
    /// The youngest of its objects.
    pub(crate) objects: Option<ObjectId>,
    /// The address of its variadic arguments, or 0.
    pub(crate) variadic: u64,
    pub(crate) back: Back,
    /// The record of the modelled function that called back.
    pub(crate) record: Record,
    /// Whether it is an atomic section that ends with it.
    pub(crate) section: bool,
}

/// What happens when a frame is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Back {
    /// The call's results are assigned.
    Results,
    /// A modelled function, which called back, goes on at this stage.
    Handler(u8),
    /// The thread ends.
    End,
}

/// How a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Unborn,
    Running,
    /// It will not go on: an assumption does not hold.
    Stuck,
    Ended,
}

/// What is saved of a thread as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core {
    pub(crate) phase: Phase,
    /// The first function of the user's own that it has entered, for its name.
    pub(crate) named: Option<FunctionId>,
    /// How many threads had been started before it.
    pub(crate) born: u32,
    /// How many steps had been taken when it was started, with that which started it.
    pub(crate) born_at: u32,
    /// How what it has announced waits and chooses, and what it is beyond its accesses.
    pub(crate) manner: Manner<Queue>,
    /// The synchronisation object that what it has announced uses.
    pub(crate) uses: Option<SyncId>,
    /// How far a modelled function has got.
    pub(crate) stage: u8,
    /// What it has announced something on.
    pub(crate) address: u64,
    /// The record of the modelled function that is running.
    pub(crate) record: Record,
    /// How many numbers it has given to objects that it made.
    pub(crate) allocations: u32,
    /// The numbers that it gives again.
    pub(crate) vacancies: Vacancies,
    /// How many threads it has started.
    pub(crate) children: u32,
    /// How many keys it has made.
    pub(crate) keys: u32,
    /// The threads whose ends happen before what it does, by joins alone: a bit for each of the
    /// first 64.
    pub(crate) joined: u64,
    /// What it returned.
    pub(crate) result: Cell,
    /// It has called `exit` or the like, or returned from `main`.
    pub(crate) exiting: bool,
    /// It has ended the program without calling what was to be called then.
    pub(crate) at_once: bool,
    /// The exception that is under way, or has come to a landing pad.
    pub(crate) exception: u64,
    /// The exception that was caught last, and whose handler has not ended.
    pub(crate) caught: u64,
    /// How many exceptions are under way.
    pub(crate) uncaught: u32,
    /// The number of the type by which the exception is caught.
    pub(crate) selector: u32,
    /// An exception has left the call that is asked about next.
    pub(crate) lands: bool,
    /// One of its weak compare-exchanges has failed spuriously.
    pub(crate) failed_weakly: bool,
    /// One of its waits on a condition variable has ended spuriously.
    pub(crate) woken_for_nothing: bool,
    /// What time it is for the thread, in nanoseconds (`library/clock.rs`).
    pub(crate) clock: u64,
    /// It has announced that functions are left by an exception.
    pub(crate) leaves: bool,
    /// The buffer of the handler that `pthread_cleanup_push` registered last, or 0.
    pub(crate) cleanup: u64,
    /// The atomic section that it is in, if it is known what that touches.
    pub(crate) section: Option<SectionId>,
    /// How many atomic sections it has entered inside of the one that it is in.
    pub(crate) nested_sections: u16,
    /// Rounds of destructors of keys that have been run.
    pub(crate) rounds: u8,
    pub(crate) random: u64,
    /// How many functions that run before `main` have returned.
    pub(crate) startup: u16,
    /// The thread has ended in the middle of its functions.
    pub(crate) left: bool,
    /// An object to be deleted, through its virtual destructor, when the function of the thread has returned.
    pub(crate) after: u64,
    /// The number of steps before the round of the loop in which the thread waits, or has given up, began.
    pub(crate) round: Option<u32>,
}

impl Core {
    pub(crate) fn new() -> Self {
        Self {
            phase: Phase::Unborn,
            named: None,
            born: 0,
            born_at: 0,
            manner: Manner::PLAIN,
            uses: None,
            stage: 0,
            address: 0,
            record: Record::default(),
            allocations: 0,
            vacancies: Vacancies::default(),
            children: 0,
            keys: 0,
            joined: 0,
            result: Cell::new(0),
            exiting: false,
            at_once: false,
            exception: 0,
            caught: 0,
            uncaught: 0,
            selector: 0,
            lands: false,
            failed_weakly: false,
            woken_for_nothing: false,
            clock: 0,
            leaves: false,
            cleanup: 0,
            section: None,
            nested_sections: 0,
            rounds: 0,
            random: 1,
            startup: 0,
            left: false,
            after: 0,
            round: None,
        }
    }

    /// Announces something that others can neither delay nor choose, and that is nothing but its accesses.
    pub(crate) fn announce(&mut self, address: u64) {
        self.manner = Manner::PLAIN;
        self.uses = None;
        self.address = address;
        self.stage = 1;
        self.round = None;
    }
}

/// A thread.
#[derive(Debug)]
pub(crate) struct Thread {
    pub(crate) core: Core,
    pub(crate) frames: Vec<Frame>,
    pub(crate) lanes: Vec<Cell>,
    pub(crate) operation: Operation,
    /// Objects by the number of those made before; known from all executions so far.
    pub(crate) objects: Vec<ObjectId>,
    /// Numbers of objects that are gone, and are given again; see [`Core::vacancies`].
    pub(crate) vacant: Vec<Vacant>,
    /// The objects that take several stretches, by the number of those made before and how many they take.
    pub(crate) large_objects: FxHashMap<(u32, u32), ObjectId>,
    /// Keys by the number of those made before; known from all executions so far.
    pub(crate) known_keys: Vec<KeyId>,
    /// The records of modelled functions.
    pub(crate) script: Vec<Cell>,
    /// The values for keys.
    pub(crate) keys: Vec<u64>,
    /// The destructors of its thread-local variables, with what they are called with, in the order of construction.
    pub(crate) destructors: Vec<(u64, u64)>,
    /// The engine's name of its token: whether it has been notified.
    pub(crate) token: Location,
    /// The engine's name of what others have done about its end: nothing, joined it, detached it.
    pub(crate) handle: Location,
    /// The oldest frame that the current step has not touched yet is the one below this.
    pub(crate) watermark: usize,
}

impl Thread {
    pub(crate) fn new([token, handle]: [Location; 2]) -> Self {
        Self {
            core: Core::new(),
            frames: Vec::new(),
            lanes: Vec::new(),
            operation: Operation::local(),
            objects: Vec::new(),
            vacant: Vec::new(),
            large_objects: FxHashMap::default(),
            known_keys: Vec::new(),
            script: Vec::new(),
            keys: Vec::new(),
            destructors: Vec::new(),
            token,
            handle,
            watermark: 0,
        }
    }
}

/// The threads that were met in any execution so far.
#[derive(Debug, Default)]
pub(crate) struct ThreadTable {
    list: Vec<Thread>,
    names: Threads,
}

impl ThreadTable {
    /// An upper bound of the ids in use.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.list.len()).map(ThreadId::new)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Thread> {
        self.list.iter()
    }

    pub(crate) fn get(&self, thread: ThreadId) -> Option<&Thread> {
        self.list.get(thread.index())
    }

    /// What the thread is called in every execution.
    pub(crate) fn names(&self) -> &Threads {
        &self.names
    }

    /// The thread that `parent` starts after `nth` others, and whether it was not met before: then it is to be added.
    pub(crate) fn child(&mut self, parent: ThreadId, nth: u32) -> (ThreadId, bool) {
        let child = self.names.child(parent, nth);
        (child, child.index() == self.list.len())
    }

    pub(crate) fn add(&mut self, thread: Thread) {
        self.list.push(thread);
    }
}

impl Index<ThreadId> for ThreadTable {
    type Output = Thread;

    #[inline]
    fn index(&self, thread: ThreadId) -> &Thread {
        &self.list[thread.index()]
    }
}

impl IndexMut<ThreadId> for ThreadTable {
    #[inline]
    fn index_mut(&mut self, thread: ThreadId) -> &mut Thread {
        &mut self.list[thread.index()]
    }
}
