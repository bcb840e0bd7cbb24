//! The events of an execution graph.

use super::touches::Touch;
use crate::packed::Packed;
use everyway_ids::id;
use everyway_runtime::{Ordering, ThreadId};

id!(
    /// An event of the current graph: its position in the list of events, in which everything comes after what it
    /// depends on.
    Position,
    "g"
);

id!(
    /// Bytes of a location that are always accessed together.
    Cell,
    "c"
);

/// The place of a write among those to the same cell: greater labels are later. The initial value has 0.
pub(super) type Label = u64;

/// When an event was added to the graph, for the first time: `<G` of the paper.
pub(super) type Stamp = u32;

/// What a read comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It has its value.
    Reads,
    /// It has its value, and is followed by the write of the same access.
    Modifies {
        /// What that writes.
        value: u64,
    },
    /// The same, of an access that changes nothing, but whose place among the others matters.
    Keeps {
        /// What it found.
        value: u64,
    },
    /// Its value is not what it waits for. Its thread stands still, and the program knows nothing of this event.
    Waits,
}

impl Outcome {
    /// What is written with it, if anything is.
    #[inline]
    pub(super) fn written(self) -> Option<u64> {
        match self {
            Outcome::Modifies { value } | Outcome::Keeps { value } => Some(value),
            Outcome::Reads | Outcome::Waits => None,
        }
    }
}

/// What kind of object is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    /// Memory, and atomics inside of what is none to the program.
    Memory,
    /// A lock, a condition variable and the like: every access to it is a read-modify-write, so that no thread finds it
    /// other than it is.
    Chained,
    /// The same of a mailbox, whose value is what the last access did to it (`mail.rs`).
    Mailbox,
}

/// What comes after an event in the same step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// Nothing.
    Nothing,
    /// The read of the next access.
    Access,
    /// The writes of all accesses that write, as far as they are not yet there.
    Writes,
}

/// Which part of a step an event belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The operation that was announced.
    Operation,
    /// What turned out to come with it when the program took the step.
    Aftermath,
}

/// The first alternative of a step.
pub(super) const FIRST: Packed = Packed::some(0);

/// How far a thread has come: to the event with this index, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) thread: ThreadId,
    pub(super) index: u32,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read {
        touch: Touch,
        /// The write that it reads, or `None` for the initial value.
        source: Option<Position>,
        outcome: Outcome,
        /// Whether its instruction locks the bus: it may write.
        locked: bool,
    },
    Write {
        cell: Cell,
        value: u64,
        label: Label,
        /// Whether it belongs to a read-modify-write.
        modifies: bool,
    },
    Fence,
    /// Waited for the end of a thread, which had come this far.
    Join(Option<Reached>),
    /// The next operation of its thread, which waits, was overtaken by a write that does not satisfy it
    /// (`overtaken.rs`). It is in the list of events only: its thread has not moved.
    Overtaken {
        touch: Touch,
        by: Position,
    },
    /// Nothing that others can notice.
    Local,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) thread: ThreadId,
    /// Which of its thread's events it is, from 1.
    pub(super) index: u32,
    pub(super) stamp: Stamp,
    pub(super) kind: Kind,
    pub(super) ordering: Ordering,
    /// Which alternative its thread took; none before that is decided, if there is one that depends on what is found.
    pub(super) choice: Packed,
    /// Of the first event of a thread: where it was spawned; none for the threads of the initial state.
    pub(super) origin: Option<Reached>,
    /// The index of the first event of its step. First come the reads of all accesses, then the writes.
    pub(super) first: u32,
    /// Which access of its operation it belongs to, from 0.
    pub(super) access: u32,
    /// How many accesses its operation has.
    pub(super) accesses: u32,
    /// How many of the accesses before this one write.
    pub(super) writes_before: u32,
    pub(super) follows: Follows,
    pub(super) part: Part,
}

impl Event {
    /// The cell that it accesses.
    #[inline]
    pub(super) fn cell(&self) -> Option<Cell> {
        match self.kind {
            Kind::Read { touch, .. } => Some(touch.cell),
            Kind::Write { cell, .. } => Some(cell),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn is_read(&self) -> bool {
        matches!(self.kind, Kind::Read { .. })
    }

    #[inline]
    pub(super) fn is_write(&self) -> bool {
        matches!(self.kind, Kind::Write { .. })
    }

    #[inline]
    pub(super) fn waits(&self) -> bool {
        matches!(self.kind, Kind::Read { outcome: Outcome::Waits, .. })
    }

    /// The same read, with which its step waits.
    pub(super) fn waiting(self) -> Event {
        match self.kind {
            Kind::Read { touch, source, locked, .. } => {
                let kind = Kind::Read { touch, source, outcome: Outcome::Waits, locked };
                Event { kind, follows: Follows::Nothing, ..self }
            }
            _ => self,
        }
    }

    /// What is left of a read that was overtaken by a write.
    pub(super) fn overtaken(self, touch: Touch, by: Position) -> Event {
        let (kind, ordering) = (Kind::Overtaken { touch, by }, Ordering::Relaxed);
        Event { kind, ordering, choice: FIRST, follows: Follows::Nothing, ..self }
    }

    #[inline]
    pub(super) fn is_overtaken(&self) -> bool {
        matches!(self.kind, Kind::Overtaken { .. })
    }

    /// Whether the program takes its step once this event is known.
    #[inline]
    pub(super) fn ends_step(&self) -> bool {
        self.follows == Follows::Nothing && self.part == Part::Operation && !self.waits() && !self.is_overtaken()
    }

    /// Whether it is all that its step does.
    #[inline]
    pub(super) fn is_alone(&self) -> bool {
        self.accesses == 1 && self.part == Part::Operation
    }

    /// Whether it is all that its step does, or that step accesses nothing.
    #[inline]
    pub(super) fn is_small(&self) -> bool {
        self.accesses <= 1 && self.part == Part::Operation
    }

    /// Whether its step has others, besides the read and the write of one access.
    #[inline]
    pub(super) fn has_others(&self) -> bool {
        self.accesses > 1 || self.part == Part::Aftermath
    }

    /// Whether the two belong to one step.
    #[inline]
    pub(super) fn is_of_step(&self, other: &Event) -> bool {
        self.thread == other.thread && self.first == other.first
    }

    /// Whether it is the write of a read-modify-write.
    #[inline]
    pub(super) fn modifies(&self) -> bool {
        matches!(self.kind, Kind::Write { modifies: true, .. })
    }

    #[inline]
    pub(super) fn is_fence(&self) -> bool {
        matches!(self.kind, Kind::Fence)
    }

    /// A fence or an access that is `seq_cst`.
    #[inline]
    pub(super) fn is_seq_cst(&self) -> bool {
        self.ordering == Ordering::SeqCst && matches!(self.kind, Kind::Read { .. } | Kind::Write { .. } | Kind::Fence)
    }
}
