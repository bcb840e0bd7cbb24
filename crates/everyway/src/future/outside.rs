//! Tasks that are threads of the operating system.

use super::task::Signal;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// A task.
pub(super) struct Task {
    signal: Mutex<Option<Signal>>,
    sent: Condvar,
}

impl Task {
    pub(super) fn new(pending: Option<Signal>) -> Self {
        Self { signal: Mutex::new(pending), sent: Condvar::new() }
    }

    fn signal(&self) -> MutexGuard<'_, Option<Signal>> {
        self.signal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn send(&self, signal: Signal) {
        let mut pending = self.signal();
        if *pending != Some(Signal::Abort) {
            *pending = Some(signal);
        }
        self.sent.notify_one();
    }

    pub(super) fn receive(&self) -> Signal {
        let mut pending = self.signal();
        loop {
            match pending.take() {
                Some(signal) => return signal,
                None => pending = self.sent.wait(pending).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    pub(super) fn give_way(&self) -> Signal {
        std::thread::yield_now();
        self.signal().take().unwrap_or(Signal::Wake)
    }
}

/// Whether a task has ended, and the waker to call then.
#[derive(Default)]
pub(super) struct Completion(Mutex<State>);

#[derive(Default)]
struct State {
    is_complete: bool,
    joiner: Option<Waker>,
}

impl Completion {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn complete(&self) {
        let mut state = self.state();
        state.is_complete = true;
        let joiner = state.joiner.take();
        drop(state);
        if let Some(joiner) = joiner {
            joiner.wake();
        }
    }

    /// Whether the task has ended. If it has not, `joiner` is woken when it does.
    pub(super) fn poll(&self, joiner: Waker) -> bool {
        let mut state = self.state();
        if !state.is_complete {
            state.joiner = Some(joiner);
        }
        state.is_complete
    }

    pub(super) fn is_complete(&self) -> bool {
        self.state().is_complete
    }
}
