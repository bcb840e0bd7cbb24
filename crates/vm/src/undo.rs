//! The log of changes, for rewinding.
//!
//! Memory, objects and synchronisation are logged change by change. The registers of a thread are not: a step saves the
//! frame it starts in, and each older frame it returns to, when it gets there. So a step pays for a frame or two, and
//! nothing for the instructions in between. What every step saves - the state of its thread as a whole, its
//! announcement, and the frame it starts in - is not in the log: rewinding takes it from the step.

use crate::cell::Cell;
use crate::code::Code;
use crate::ids::{KeyId, ObjectId, SyncId};
use crate::machine::Logged;
use crate::memory::{ObjectState, Word};
use crate::sync::{Queue, SyncState};
use crate::thread::{Core, Frame};
use everyway_runtime::{Access, Location, Operation, ThreadId, append_few};

/// A change that was made, with what was there before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    Word {
        object: ObjectId,
        granule: u32,
        old: Word,
    },
    /// Bytes of a word were changed, and are what they had been before: only data races ask.
    Touched {
        object: ObjectId,
        granule: u32,
        bytes: u8,
    },
    /// The state is on the stack of object states.
    Object {
        object: ObjectId,
    },
    /// The contents, in an earlier life, are on the stack of contents.
    Contents {
        object: ObjectId,
    },
    Value {
        location: Location,
        old: u64,
    },
    /// The state is on the stack of states of synchronisation objects.
    Sync {
        sync: SyncId,
    },
    /// `thread` joined those that wait.
    Joined {
        sync: SyncId,
        thread: ThreadId,
    },
    /// `thread` left those that wait.
    Left {
        queue: Queue,
        thread: ThreadId,
    },
    /// `thread` arrived at a barrier, or passed it.
    Turn {
        sync: SyncId,
        thread: ThreadId,
    },
    /// A thread left a barrier for good.
    Dropped {
        sync: SyncId,
    },
    /// The state is on the stack of cores.
    Core {
        thread: ThreadId,
    },
    /// The frame and its lanes are on the stacks of frames and lanes.
    Frame {
        thread: ThreadId,
        depth: u32,
    },
    /// What was at this position of the records of a thread.
    Recorded {
        thread: ThreadId,
        at: u32,
        old: Cell,
    },
    /// The value that a thread had for a key.
    Key {
        thread: ThreadId,
        key: KeyId,
        old: u64,
    },
    /// A key was made, perhaps again.
    KeyMade {
        key: KeyId,
        old: Option<u64>,
    },
    /// A function was registered to be called at the end, or this one was taken to be called.
    ExitHandler(Option<(u64, Option<u64>)>),
    /// A thread registered the destructor of a thread-local variable, or took this one to be called.
    Destructor {
        thread: ThreadId,
        taken: Option<(u64, u64)>,
    },
    /// The clock of a thread, as data races have it, went on from this time; that is not undone here.
    Time {
        thread: ThreadId,
        time: u32,
    },
    /// The same, at a fence.
    Fence {
        thread: ThreadId,
        time: u32,
    },
    /// A step wrote to the location for the first time.
    FirstWrite {
        location: Location,
    },
    Complained {
        length: usize,
    },
    Printed {
        length: usize,
    },
}

/// The log.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Whether changes are logged: the initial state is never taken back.
    pub(crate) is_on: bool,
    pub(crate) changes: Vec<Undo>,
    /// How long it is when it is looked through for what is not needed.
    pub(crate) next_look: usize,
    pub(crate) cores: Vec<Core>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) lanes: Vec<Cell>,
    /// The accesses that were announced for each step, one step after the other.
    pub(crate) accesses: Vec<Access>,
    pub(crate) objects: Vec<ObjectState>,
    pub(crate) syncs: Vec<SyncState>,
    pub(crate) contents: Vec<Vec<Word>>,
}

impl Log {
    #[inline(always)]
    pub(crate) fn push(&mut self, undo: Undo) {
        if self.is_on {
            self.changes.push(undo);
        }
    }

    /// Keeps only some of the changes from `start` on.
    pub(crate) fn keep_of_step(&mut self, start: usize, is_kept: &[bool]) {
        // The states of synchronisation objects are saved in the order of the changes.
        let changes = self.changes[start..].iter().zip(is_kept);
        let syncs = changes.filter(|(undo, _)| matches!(undo, Undo::Sync { .. })).map(|(_, &kept)| kept);
        let syncs: Vec<bool> = syncs.collect();
        keep_last(&mut self.syncs, &syncs);
        keep_last(&mut self.changes, is_kept);
    }

    /// Saves the contents that an object had in an earlier life.
    pub(crate) fn save_contents(&mut self, object: ObjectId, words: Vec<Word>) {
        self.contents.push(words);
        self.changes.push(Undo::Contents { object });
    }

    /// Saves what a thread is as a whole: from where it is, without a copy on the way.
    #[inline]
    pub(crate) fn save_core(&mut self, core: &Core) {
        self.cores.extend_from_slice(std::slice::from_ref(core));
    }

    /// Saves a frame, whose lanes are among `lanes`.
    pub(crate) fn save_frame(&mut self, code: &Code, frame: &Frame, lanes: &[Cell]) {
        let count = code.body(frame.function).map_or(0, |body| body.lanes as usize);
        let base = frame.base as usize;
        self.lanes.extend_from_slice(&lanes[base..base + count]);
        self.frames.push(*frame);
    }

    /// Forgets what every step saves, of this step, the last one.
    pub(crate) fn forget_start(&mut self, code: &Code, logged: &Logged) {
        if logged.frame.is_some()
            && let Some(frame) = self.frames.pop()
        {
            let count = code.body(frame.function).map_or(0, |body| body.lanes as usize);
            self.lanes.truncate(self.lanes.len() - count);
        }
        self.accesses.truncate(logged.accesses as usize);
        self.cores.pop();
    }

    /// Saves the accesses that a thread has announced; where they are.
    pub(crate) fn save_accesses(&mut self, accesses: &[Access]) -> u32 {
        let start = self.accesses.len() as u32;
        append_few(&mut self.accesses, accesses);
        start
    }

    /// Makes what a thread has announced what it was before this step, the last one.
    pub(crate) fn restore_operation(&mut self, logged: &Logged, operation: &mut Operation) {
        let start = logged.accesses as usize;
        operation.accesses.clear();
        match &self.accesses[start..] {
            // Mostly it is one.
            [access] => operation.accesses.push(*access),
            accesses => operation.accesses.extend_from_slice(accesses),
        }
        self.accesses.truncate(start);
        operation.verb = logged.verb;
        operation.joins = logged.joins;
        operation.fence = logged.fence;
    }
}

/// Keeps some of the last elements of a list, and all before them.
fn keep_last<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    let before = list.len() - is_kept.len();
    let mut is_kept = std::iter::repeat_n(true, before).chain(is_kept.iter().copied());
    list.retain(|_| is_kept.next().unwrap_or(true));
}
