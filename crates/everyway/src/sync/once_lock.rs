//! [`std::sync::OnceLock`], as models see it.

use super::once::{Once, Poison};
use crate::model::kind::Kind;
use crate::model::payload::Payload;
use crate::model::{self, CodeSite};
use everyway_runtime::Verb;
use std::fmt;
use std::panic::{Location as Caller, RefUnwindSafe, UnwindSafe};

/// A cell that is written once; as [`std::sync::OnceLock`].
///
/// A static is fresh in each execution of a model. **A reference to the contents of a static must not outlive
/// the execution** that it was got in, although its type allows it: the contents are dropped when the
/// execution ends.
///
/// ```
/// use everyway::sync::OnceLock;
///
/// static NAME: OnceLock<String> = OnceLock::new();
///
/// everyway::check(|| {
///     assert_eq!(NAME.get(), None);
///     assert_eq!(NAME.get_or_init(|| "everyway".to_owned()), "everyway");
/// });
/// ```
pub struct OnceLock<T> {
    once: Once,
    data: Payload<Option<T>>,
}

// SAFETY: as for std's: a shared cell can be used to read the value, and to send it to another thread.
unsafe impl<T: Sync + Send> Sync for OnceLock<T> {}
// SAFETY: as for std's.
unsafe impl<T: Send> Send for OnceLock<T> {}

impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}
impl<T: UnwindSafe> UnwindSafe for OnceLock<T> {}

impl<T> OnceLock<T> {
    /// An empty cell.
    pub const fn new() -> Self {
        Self { once: Once::of_kind(Kind::OnceLock), data: Payload::new(None) }
    }

    /// The value, if there is one.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        let caller = Caller::caller();
        let is_set = model::with(|model| self.once.look(model, Verb::Get, caller))
            .unwrap_or_else(|| self.once.outside().is_completed());
        // SAFETY: the value is there, and does not change any more.
        if is_set { unsafe { &*self.pointer() }.as_ref() } else { None }
    }

    /// The value, if there is one: the borrow is exclusive.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        if self.once.is_done() { self.data.get_mut().as_mut() } else { None }
    }

    /// Waits until there is a value.
    #[track_caller]
    pub fn wait(&self) -> &T {
        let caller = Caller::caller();
        if model::with(|model| self.once.wait_inside(model, Verb::WaitOnce, Poison::Ignore, caller)).is_none() {
            self.once.outside().wait_force();
        }
        self.value()
    }

    /// Writes the value, if there is none.
    ///
    /// # Errors
    /// The new value, if there is one already.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.initialise(Verb::Set, Caller::caller(), || value.take());
        value.map_or(Ok(()), Err)
    }

    /// The value, which is written by the closure if there is none. Others wait while the closure runs.
    #[track_caller]
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        self.initialise(Verb::GetOrInit, Caller::caller(), || Some(f()));
        self.value()
    }

    /// The value.
    pub fn into_inner(mut self) -> Option<T> {
        self.take()
    }

    /// Takes the value, leaving the cell empty.
    pub fn take(&mut self) -> Option<T> {
        if !self.once.is_done() {
            return None;
        }
        self.once.reset();
        self.data.get_mut().take()
    }

    /// Writes what `f` returns, if there is no value; waits if another thread is at it.
    fn initialise(&self, verb: Verb, caller: CodeSite, f: impl FnOnce() -> Option<T>) {
        let mut f = Some(f);
        let mut write = || {
            let value = f.take().and_then(|f| f());
            // SAFETY: the running thread has claimed the cell, and the value is not read before it is done.
            unsafe { *self.pointer() = value };
        };
        let inside = model::with(|model| {
            // There is no poison to be respected: a panic leaves the cell empty.
            let _ = self.once.run(model, verb, caller, Poison::Ignore, |_| write());
        });
        if inside.is_none() {
            self.once.outside().call_once_force(|_| write());
        }
    }

    fn pointer(&self) -> *mut Option<T> {
        model::with(|model| self.data.inside(model)).unwrap_or_else(|| self.data.outside())
    }

    /// The value, which is there.
    fn value(&self) -> &T {
        // SAFETY: it was found to be done, and from then on the value does not change.
        match unsafe { &*self.pointer() } {
            Some(value) => value,
            // While a panic unwinds, a thread cannot wait.
            None => panic!("everyway: a OnceLock is waited for while a panic unwinds"),
        }
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("OnceLock");
        match self.get() {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.get().map_or_else(Self::new, |value| Self::from(value.clone()))
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> Self {
        let lock = Self { once: Once::of_kind(Kind::OnceLock), data: Payload::new(Some(value)) };
        // No other thread knows it yet: this is not an event.
        lock.once.outside().call_once(|| {});
        lock
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}
