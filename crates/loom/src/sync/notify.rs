//! Waiting for another thread, without knowing which.

use everyway::sync::{Condvar, Mutex};
use std::sync::PoisonError;

/// A token that one thread waits for and others make available, as in parking. It synchronises them.
#[derive(Debug, Default)]
pub struct Notify {
    state: Mutex<State>,
    notified: Condvar,
}

#[derive(Debug, Default)]
struct State {
    notified: bool,
    waiting: bool,
}

impl Notify {
    /// A token that is not available.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the token available.
    #[track_caller]
    pub fn notify(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).notified = true;
        self.notified.notify_one();
    }

    /// Waits for the token, and takes it.
    ///
    /// # Panics
    /// If another thread waits for it.
    #[track_caller]
    pub fn wait(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(!state.waiting, "only a single thread may wait on `Notify`");
        state.waiting = true;
        while !state.notified {
            state = self.notified.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        *state = State::default();
    }
}
