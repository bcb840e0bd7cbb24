//! A place for one waker.

#[cfg(feature = "model")]
use super::inside;
#[cfg(feature = "model")]
use std::panic::Location;
use std::sync::{Mutex, PoisonError};
use std::task::Waker;

/// A place for the waker of one task, which others take to wake it; as `futures::task::AtomicWaker`.
///
/// A waker that is registered before [`AtomicWaker::wake`] is called is woken by it. A task registers first, and then looks
/// whether what it waits for is there already. In a model, each method is one step.
///
/// ```
/// use everyway::future::{AtomicWaker, block_on};
/// use everyway::sync::Arc;
/// use everyway::sync::atomic::{AtomicBool, Ordering};
/// use std::future::poll_fn;
/// use std::task::Poll;
///
/// everyway::check(|| {
///     let shared = Arc::new((AtomicWaker::new(), AtomicBool::new(false)));
///     let other = shared.clone();
///     everyway::thread::spawn(move || {
///         other.1.store(true, Ordering::Release);
///         other.0.wake();
///     });
///     block_on(poll_fn(|context| {
///         shared.0.register(context.waker());
///         if shared.1.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
///     }));
/// });
/// ```
#[derive(Debug)]
pub struct AtomicWaker {
    #[cfg(feature = "model")]
    inside: inside::Registration,
    waker: Mutex<Option<Waker>>,
}

impl AtomicWaker {
    /// A place without a waker.
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "model")]
            inside: inside::Registration::new(),
            waker: Mutex::new(None),
        }
    }

    /// Puts a waker there, in place of the one that was.
    #[track_caller]
    pub fn register(&self, waker: &Waker) {
        let waker = waker.clone();
        #[cfg(feature = "model")]
        self.inside.register(Location::caller());
        let earlier = self.exchange(Some(waker));
        drop(earlier);
    }

    /// Takes the waker, if there is one, and wakes its task.
    #[track_caller]
    pub fn wake(&self) {
        if let Some(waker) = self.take() {
            waker.wake();
        }
    }

    /// Takes the waker, if there is one.
    #[track_caller]
    pub fn take(&self) -> Option<Waker> {
        #[cfg(feature = "model")]
        if !self.inside.take(Location::caller()) {
            return None;
        }
        self.exchange(None)
    }

    fn exchange(&self, waker: Option<Waker>) -> Option<Waker> {
        std::mem::replace(&mut *self.waker.lock().unwrap_or_else(PoisonError::into_inner), waker)
    }
}

impl Default for AtomicWaker {
    fn default() -> Self {
        Self::new()
    }
}
