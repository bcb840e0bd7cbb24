//! The events of an execution graph.

use everyway_ids::id;
use everyway_runtime::{Access, Ordering, ThreadId};

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
    /// It has its value, and is followed by the write of the same operation.
    Modifies {
        /// What that writes.
        value: u64,
    },
    /// Its value is not what it waits for. Its thread stands still, and the program knows nothing of this event.
    Waits,
}

/// An access to memory, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) cell: Cell,
    pub(super) access: Access,
    /// The initial value of the cell.
    pub(super) initial: u64,
}

/// How far a thread has come: to the event with this index, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) thread: ThreadId,
    pub(super) index: u32,
}

/// What an event does.
#[derive(Clone, Copy, Debug)]
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
        /// Whether it belongs to a read-modify-write, whose read is its thread's previous event.
        modifies: bool,
    },
    Fence,
    /// Waited for the end of a thread, which had come this far.
    Join(Option<Reached>),
    /// Nothing that others can notice.
    Local,
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) thread: ThreadId,
    /// Which of its thread's events it is, from 1.
    pub(super) index: u32,
    pub(super) stamp: Stamp,
    pub(super) kind: Kind,
    pub(super) ordering: Ordering,
    /// Which alternative its thread took.
    pub(super) choice: u32,
    /// Of the first event of a thread: where it was spawned; none for the threads of the initial state.
    pub(super) origin: Option<Reached>,
    /// Whether the program takes a step for it. The write of a read-modify-write comes with the step of its read.
    pub(super) is_step: bool,
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
