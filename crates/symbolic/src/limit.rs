//! The limit of a search: a deadline, or a cancellation from outside.
//!
//! Everything that may take long checks it: following paths, unrolling, making clauses, and the solver while it
//! searches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When to stop. Clones share the wish from outside.
#[derive(Clone, Debug, Default)]
pub struct Limit {
    deadline: Option<Instant>,
    wish: Option<Arc<AtomicBool>>,
}

/// The limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached;

impl Limit {
    /// No limit.
    pub fn none() -> Self {
        Self::default()
    }

    /// Stops at this time, if there is one.
    pub fn until(deadline: Option<Instant>) -> Self {
        Self { deadline, wish: None }
    }

    /// Stops also as soon as the flag is set.
    #[must_use]
    pub fn or_when(self, wish: Arc<AtomicBool>) -> Self {
        Self { wish: Some(wish), ..self }
    }

    /// Whether it is time to stop.
    pub fn is_reached(&self) -> bool {
        self.wish.as_ref().is_some_and(|wish| wish.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(crate) fn check(&self) -> Result<(), Reached> {
        if self.is_reached() { Err(Reached) } else { Ok(()) }
    }
}
