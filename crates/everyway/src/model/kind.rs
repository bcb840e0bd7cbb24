//! The kinds of objects.

use std::fmt;

/// What an object is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not met yet.
    #[default]
    Unknown,
    /// An atomic, whose type has this name.
    Atomic(&'static str),
    Cell,
    Mutex,
    RwLock,
    Condvar,
    Barrier,
    /// One round of a barrier.
    Round,
    Once,
    OnceLock,
    LazyLock,
    /// Whether one of these is done.
    Done,
    /// The messages of a channel.
    Channel,
    /// How many senders a channel has.
    Senders,
    /// Whether a channel has a receiver.
    Receiver,
    /// How many messages a channel has room for, or how many were taken.
    Slots,
    /// Whether a receiver waits at a rendezvous.
    Arrival,
    /// The mailbox of a process.
    Mailbox,
    /// What has come to a task: wake-ups, and whether it was aborted.
    Task,
    /// Whether a task has ended.
    TaskEnd,
    /// Whether a place for a waker has one.
    AtomicWaker,
    /// Whether a thread has ended.
    ThreadEnd,
    /// What wakes a thread from a park.
    ParkToken,
    /// How many wait to write what a lock protects.
    WaitingWriters,
    /// Whether a lock is poisoned.
    Poison,
    /// How many owners something shared has.
    Arc,
    /// How many refer to it without owning it.
    Weak,
}

impl Kind {
    /// Whether a thread that waits for it waits for the one that holds it.
    pub(crate) fn is_lock(self) -> bool {
        matches!(self, Kind::Mutex | Kind::RwLock)
    }
}

/// As reports call it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Unknown => "object",
            Kind::Atomic(name) => name,
            Kind::Cell => "UnsafeCell",
            Kind::Mutex => "Mutex",
            Kind::RwLock => "RwLock",
            Kind::Condvar => "Condvar",
            Kind::Barrier => "Barrier",
            Kind::Round => "barrier round",
            Kind::Once => "Once",
            Kind::OnceLock => "OnceLock",
            Kind::LazyLock => "LazyLock",
            Kind::Done => "done flag",
            Kind::Channel => "channel",
            Kind::Senders => "channel senders",
            Kind::Receiver => "channel receiver",
            Kind::Slots => "channel slots",
            Kind::Arrival => "channel arrival",
            Kind::Mailbox => "mailbox",
            Kind::Task => "task",
            Kind::TaskEnd => "task end",
            Kind::AtomicWaker => "AtomicWaker",
            Kind::ThreadEnd => "thread end",
            Kind::ParkToken => "park token",
            Kind::WaitingWriters => "waiting writers",
            Kind::Poison => "poison flag",
            Kind::Arc => "Arc",
            Kind::Weak => "Weak",
        })
    }
}
