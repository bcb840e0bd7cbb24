//! Values that must not be leaked.

use crate::model;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a model has allocated at this address has to be freed before it ends: otherwise it fails, with the place of the caller.
/// Nothing happens outside of models.
#[track_caller]
pub fn must_be_freed(memory: *const u8) {
    let caller = Location::caller();
    model::with(|model| model.owe(memory.addr(), caller));
}

/// A value that a model has to drop before it ends: one that is leaked is a failure, with the place where it was made.
///
/// ```
/// use everyway::alloc::Track;
///
/// let report = everyway::explore(|| std::mem::forget(Track::new(1)));
/// assert_eq!(report.bug.unwrap().kind, everyway::report::BugKind::Leak);
/// ```
pub struct Track<T> {
    value: T,
    number: u64,
}

impl<T> Track<T> {
    /// Looks after `value`.
    #[track_caller]
    pub fn new(value: T) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let (caller, number) = (Location::caller(), NUMBERS.fetch_add(1, Ordering::Relaxed));
        model::with(|model| model.state().tracked.insert(number, caller));
        Self { value, number }
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.value
    }

    /// The value.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// The value, which is not looked after any more.
    pub fn into_inner(self) -> T {
        model::with(|model| model.state().tracked.remove(&self.number));
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: read once: `this` is not dropped.
        unsafe { std::ptr::read(&raw const this.value) }
    }
}

impl<T> Drop for Track<T> {
    fn drop(&mut self) {
        model::with(|model| model.state().tracked.remove(&self.number));
    }
}

impl<T> Deref for Track<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Track<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Track<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Track").field(&self.value).finish()
    }
}
