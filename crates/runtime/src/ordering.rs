//! Memory orderings: what an access releases, and what it acquires.

use std::fmt;

/// The memory ordering of an access or a fence, as C, C++ and Rust have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// Not atomic at all: it synchronises nothing, and may race.
    Plain,
    /// Atomic, and synchronises nothing.
    Relaxed,
    /// What it reads from a release is known from here on.
    Acquire,
    /// What was done before happens before what follows an acquire operation that reads from it.
    Release,
    /// Both.
    AcqRel,
    /// Both, and in one order with all others of this kind.
    #[default]
    SeqCst,
}

impl Ordering {
    /// Whether accesses with this ordering are atomic.
    #[inline]
    pub fn is_atomic(self) -> bool {
        self != Ordering::Plain
    }

    /// Whether a read with this ordering acquires.
    #[inline]
    pub fn acquires(self) -> bool {
        matches!(self, Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst)
    }

    /// Whether a write with this ordering releases.
    #[inline]
    pub fn releases(self) -> bool {
        matches!(self, Ordering::Release | Ordering::AcqRel | Ordering::SeqCst)
    }

    /// The same ordering, but outside of the one order of `seq_cst`: what locks, channels and the like promise.
    #[inline]
    #[must_use]
    pub fn at_most_acq_rel(self) -> Self {
        if self == Ordering::SeqCst { Ordering::AcqRel } else { self }
    }

    /// As the languages spell it: `seq_cst`.
    pub fn name(self) -> &'static str {
        match self {
            Ordering::Plain => "plain",
            Ordering::Relaxed => "relaxed",
            Ordering::Acquire => "acquire",
            Ordering::Release => "release",
            Ordering::AcqRel => "acq_rel",
            Ordering::SeqCst => "seq_cst",
        }
    }
}

impl fmt::Display for Ordering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
