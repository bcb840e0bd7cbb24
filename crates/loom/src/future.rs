//! Driving futures.

pub use everyway::future::block_on;

use std::task::Waker;

/// A place for the waker of one task, which others take to wake it.
#[derive(Debug, Default)]
pub struct AtomicWaker(everyway::future::AtomicWaker);

impl AtomicWaker {
    /// A place without a waker.
    pub const fn new() -> Self {
        Self(everyway::future::AtomicWaker::new())
    }

    /// Puts a waker there, in place of the one that was.
    #[track_caller]
    pub fn register(&self, waker: Waker) {
        self.0.register(&waker);
    }

    /// Puts a clone of the waker there, in place of the one that was.
    #[track_caller]
    pub fn register_by_ref(&self, waker: &Waker) {
        self.0.register(waker);
    }

    /// Takes the waker, if there is one, and wakes its task.
    #[track_caller]
    pub fn wake(&self) {
        self.0.wake();
    }

    /// Takes the waker, if there is one.
    #[track_caller]
    pub fn take_waker(&self) -> Option<Waker> {
        self.0.take()
    }
}
