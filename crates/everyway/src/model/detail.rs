//! Details that most programs do not depend on, and that cost executions or time to track.
//!
//! An exploration assumes that the program depends on none of them. A program that does requests the detail
//! ([`Model::needs`]): the execution ends there, and the exploration starts over with the detail.

use super::{Ended, Model};

/// Something that is kept track of only if the program looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The end of a thread is an event, which a thread may look for without waiting.
    ThreadEnds = 1,
    /// It is an event that a receiver arrives at a rendezvous, which a thread may look for without waiting.
    Arrivals = 2,
    /// The order in which threads arrive at a barrier is explored.
    BarrierOrder = 4,
    /// Synchronisation between threads is tracked.
    Synchronisation = 8,
    /// It is known what a thread has done since its last hint to spin.
    Rounds = 16,
    /// It is known what messages look like. Not asked for: an execution that fails is run again with it.
    Texts = 32,
    /// The program has run before. Not kept track of: what it allocates only once, and keeps, is there from now on.
    Repetition = 64,
    /// There are orderings weaker than `SeqCst`.
    Orderings = 128,
    /// A writer that waits for a lock keeps those from reading it who do so already.
    WaitingWriters = 256,
    /// Whether a lock is poisoned is kept apart from the lock, where a thread may look for it without taking that.
    Poison = 512,
    /// Threads have operations in common that commute. Not kept track of: such a program is explored in another way.
    Commuting = 1024,
}

impl Detail {
    const ALL: [Self; 11] = [
        Self::ThreadEnds,
        Self::Arrivals,
        Self::BarrierOrder,
        Self::Synchronisation,
        Self::Rounds,
        Self::Texts,
        Self::Repetition,
        Self::Orderings,
        Self::WaitingWriters,
        Self::Poison,
        Self::Commuting,
    ];

    /// Whether an execution that ends because of it could as well go on: what the program finds is right, for that execution.
    pub(super) fn is_found_right(self) -> bool {
        match self {
            Self::ThreadEnds
            | Self::Synchronisation
            | Self::Rounds
            | Self::Texts
            | Self::Repetition
            | Self::Orderings
            | Self::Poison
            | Self::Commuting => true,
            Self::Arrivals | Self::BarrierOrder | Self::WaitingWriters => false,
        }
    }

    /// As frontiers have it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ThreadEnds => "thread-ends",
            Self::Arrivals => "arrivals",
            Self::BarrierOrder => "barrier-order",
            Self::Synchronisation => "synchronisation",
            Self::Rounds => "rounds",
            Self::Texts => "texts",
            Self::Repetition => "repetition",
            Self::Orderings => "orderings",
            Self::WaitingWriters => "waiting-writers",
            Self::Poison => "poison",
            Self::Commuting => "commuting",
        }
    }

    /// The detail of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|detail| detail.name() == name)
    }
}

/// A set of details.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Details(u16);

impl Details {
    #[inline]
    pub(crate) fn contains(self, detail: Detail) -> bool {
        self.0 & detail as u16 != 0
    }

    /// Those in the set.
    pub(crate) fn iter(self) -> impl Iterator<Item = Detail> {
        Detail::ALL.into_iter().filter(move |&detail| self.contains(detail))
    }

    pub(crate) fn with(self, detail: Detail) -> Self {
        Self(self.0 | detail as u16)
    }
}

impl Model {
    /// Whether the detail is kept track of.
    #[inline]
    pub(crate) fn has(&self, detail: Detail) -> bool {
        self.settings.details.contains(detail)
    }

    /// Asks for a detail. If it is not kept track of, the execution ends here, and this returns only if a panic
    /// is unwinding.
    pub(crate) fn needs(&self, detail: Detail) {
        if !self.has(detail) {
            self.end(Ended::Wants(detail));
        }
    }
}
