//! The log of changes: what going back undoes.
//!
//! Memory, objects and synchronisation are logged change by change. The registers of a thread are not: a step
//! saves the frame it starts in, and each older frame it returns to, when it gets there. So a step pays for a
//! frame or two, and the instructions in between for nothing.

use crate::cell::Cell;
use crate::memory::{ObjectState, Word};
use crate::sync::SyncState;
use crate::thread::{Core, Frame};
use everyway_explore::Operation;

/// A change that was made, with what was there before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    Word {
        object: u32,
        granule: u32,
        old: Word,
    },
    /// The state is on the stack of object states.
    Object {
        object: u32,
    },
    Value {
        location: u32,
        old: u64,
    },
    /// The state is on the stack of states of synchronisation objects.
    Sync {
        sync: u32,
    },
    /// `thread` joined those that wait.
    Joined {
        sync: u32,
        thread: u32,
    },
    /// `thread` left those that wait.
    Left {
        sync: u32,
        thread: u32,
    },
    /// The state is on the stack of cores.
    Core {
        thread: u32,
    },
    /// The frame and its lanes are on the stacks of frames and lanes.
    Frame {
        thread: u32,
        depth: u32,
    },
    /// What the thread had announced is on the stack of operations.
    Operation {
        thread: u32,
    },
    /// What was at this position of the records of a thread.
    Recorded {
        thread: u32,
        at: u32,
        old: Cell,
    },
    /// The value that a thread had for a key.
    Key {
        thread: u32,
        key: u32,
        old: u64,
    },
    /// A key was made, perhaps again.
    KeyMade {
        key: u32,
        old: Option<u64>,
    },
    /// A function was registered to be called at the end, or this one was taken to be called.
    ExitHandler(Option<(u64, Option<u64>)>),
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
    pub(crate) cores: Vec<Core>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) lanes: Vec<Cell>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) objects: Vec<ObjectState>,
    pub(crate) syncs: Vec<SyncState>,
}

impl Log {
    #[inline(always)]
    pub(crate) fn push(&mut self, undo: Undo) {
        if self.is_on {
            self.changes.push(undo);
        }
    }
}
