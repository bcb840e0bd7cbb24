//! [`std::sync::LazyLock`], as models see it.

use super::once::{Once, Poison};
use crate::model::kind::Kind;
use crate::model::payload::Payload;
use crate::model::{self, CodeSite};
use everyway_runtime::Verb;
use std::fmt;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::panic::{Location as Caller, RefUnwindSafe, UnwindSafe};

/// What std says, too.
const IS_POISONED: &str = "LazyLock instance has previously been poisoned";

/// A value that is computed when it is first used; as [`std::sync::LazyLock`].
///
/// A static is fresh in each execution of a model. **A reference to the contents of a static must not outlive
/// the execution** that it was got in, although its type allows it: the contents are dropped when the
/// execution ends.
///
/// ```
/// use everyway::sync::LazyLock;
///
/// static NUMBERS: LazyLock<Vec<u32>> = LazyLock::new(|| vec![1, 2, 3]);
///
/// everyway::check(|| assert_eq!(NUMBERS.len(), 3));
/// ```
pub struct LazyLock<T, F = fn() -> T> {
    once: Once,
    data: Payload<Data<T, F>>,
}

enum Data<T, F> {
    Uninitialised(F),
    Value(T),
    /// The closure panicked, or is running.
    Gone,
}

// SAFETY: as for std's: the closure is called by one thread, which may be any.
unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}

impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}

impl<T, F> LazyLock<T, F> {
    fn pointer(&self) -> *mut Data<T, F> {
        model::with(|model| self.data.inside(model)).unwrap_or_else(|| self.data.outside())
    }

    /// The value, if it has been computed.
    #[track_caller]
    pub fn get(this: &Self) -> Option<&T> {
        let caller = Caller::caller();
        let is_done = model::with(|model| this.once.look(model, Verb::Get, caller))
            .unwrap_or_else(|| this.once.outside().is_completed());
        // SAFETY: the value is there, and does not change any more.
        match unsafe { is_done.then(|| &*this.pointer()) } {
            Some(Data::Value(value)) => Some(value),
            _ => None,
        }
    }

    /// The value, if it has been computed: the borrow is exclusive.
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        match (this.once.is_done(), this.data.get_mut()) {
            (true, Data::Value(value)) => Some(value),
            _ => None,
        }
    }
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// A value that is to be computed by the closure.
    pub const fn new(f: F) -> Self {
        Self { once: Once::of_kind(Kind::LazyLock), data: Payload::new(Data::Uninitialised(f)) }
    }

    /// The value, which is computed if it has not been. Others wait while the closure runs.
    ///
    /// # Panics
    /// If the closure panics, or did so before.
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        this.value(Verb::Force, Caller::caller())
    }

    /// The value, which is computed if it has not been: the borrow is exclusive.
    ///
    /// # Panics
    /// If the closure panics, or did so before.
    #[track_caller]
    pub fn force_mut(this: &mut Self) -> &mut T {
        this.value(Verb::ForceMut, Caller::caller());
        match this.data.get_mut() {
            Data::Value(value) => value,
            _ => panic!("{IS_POISONED}"),
        }
    }

    fn value(&self, verb: Verb, caller: CodeSite) -> &T {
        let inside =
            model::with(|model| self.once.run(model, verb, caller, Poison::Respect, |_| self.compute()).is_ok());
        match inside {
            Some(true) => {}
            Some(false) => panic!("{IS_POISONED}"),
            None => self.once.outside().call_once_force(|state| {
                if state.is_poisoned() {
                    panic!("{IS_POISONED}");
                }
                self.compute();
            }),
        }
        // SAFETY: it is done, and from then on the value does not change.
        match unsafe { &*self.pointer() } {
            Data::Value(value) => value,
            // While a panic unwinds, a thread cannot wait.
            _ => panic!("everyway: a LazyLock is waited for while a panic unwinds"),
        }
    }

    /// Calls the closure and keeps what it returns.
    fn compute(&self) {
        let data = self.pointer();
        // SAFETY: the caller has claimed the lock, and the data is not read before it is done.
        let value = match unsafe { mem::replace(&mut *data, Data::Gone) } {
            Data::Uninitialised(f) => f(),
            // The lock was made outside of the model, and an earlier execution has used up the closure.
            Data::Value(value) => value,
            Data::Gone => panic!("{IS_POISONED}"),
        };
        // SAFETY: as above.
        unsafe { *data = Data::Value(value) };
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        self.value(Verb::Deref, Caller::caller())
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        Self::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    fn default() -> Self {
        Self::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("LazyLock");
        match Self::get(self) {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}
