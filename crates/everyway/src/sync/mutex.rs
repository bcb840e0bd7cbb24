//! [`std::sync::Mutex`], as models see it. Its value is 0 if it is free, and otherwise its holder's id plus 1.

use crate::model::kind::Kind;
use crate::model::object::Handle;
use crate::model::payload::Payload;
use crate::model::{self, CodeSite, Label, Model, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Verb};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{Location as Caller, RefUnwindSafe, UnwindSafe};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// A mutual exclusion lock; as [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized> {
    handle: Handle,
    /// What is locked outside of models; it also keeps track of poisoning there.
    outside: std::sync::Mutex<()>,
    data: Payload<T>,
}

// SAFETY: as for std's; the data is accessed only under the lock.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

impl<T> Mutex<T> {
    /// A mutex that is free.
    pub const fn new(value: T) -> Self {
        Self { handle: Handle::new(), outside: std::sync::Mutex::new(()), data: Payload::new(value) }
    }

    /// The data: the borrow is exclusive.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn into_inner(mut self) -> LockResult<T> {
        let poisoned = self.owned_poison();
        poison(self.data.into_inner(), poisoned)
    }
}

impl<T: ?Sized> Mutex<T> {
    pub(crate) fn location(&self, model: &Model, caller: CodeSite) -> Location {
        self.handle.location(model, Kind::Mutex, caller, || 0)
    }

    /// Locks the mutex, waiting until it is free.
    ///
    /// # Errors
    /// If it is poisoned: a thread panicked while it held it.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let caller = Caller::caller();
        if let Some(poisoned) = model::with(|model| self.lock_inside(model, Verb::Lock, caller)) {
            return poison(self.guard_inside(caller), poisoned);
        }
        match self.outside.lock() {
            Ok(guard) => Ok(self.guard_outside(guard, caller)),
            Err(error) => Err(PoisonError::new(self.guard_outside(error.into_inner(), caller))),
        }
    }

    /// Locks the mutex, if it is free.
    ///
    /// # Errors
    /// If it is not, or if it is poisoned.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let caller = Caller::caller();
        let inside = model::with(|model| {
            let location = self.location(model, caller);
            let label =
                Label { verb: Verb::TryLock, object: Some(location), show: Show::Success("locked", "busy"), caller };
            let lock = Access::new(location, Effect::Write(holder(model))).locking().if_now(Condition::Equals(0));
            let outcome = model.perform_access(lock, label);
            outcome.changed.then(|| model.finds_poison(location, caller))
        });
        match inside {
            Some(None) => return Err(TryLockError::WouldBlock),
            Some(Some(poisoned)) => return Ok(poison(self.guard_inside(caller), poisoned)?),
            None => {}
        }
        match self.outside.try_lock() {
            Ok(guard) => Ok(self.guard_outside(guard, caller)),
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Err(TryLockError::Poisoned(error)) => {
                Err(PoisonError::new(self.guard_outside(error.into_inner(), caller)).into())
            }
        }
    }

    /// Whether a thread panicked while it held the mutex.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        let caller = Caller::caller();
        model::with(|model| {
            let location = self.location(model, caller);
            model.look_for_poison(location, caller)
        })
        .unwrap_or_else(|| self.outside.is_poisoned())
    }

    /// Takes a poisoning back.
    #[track_caller]
    pub fn clear_poison(&self) {
        let caller = Caller::caller();
        model::with(|model| {
            let location = self.location(model, caller);
            model.clear_poison(location, caller);
        })
        .unwrap_or_else(|| self.outside.clear_poison());
    }

    /// Whether it is poisoned, as only its owner may ask.
    #[track_caller]
    fn owned_poison(&mut self) -> bool {
        let caller = Caller::caller();
        model::with(|model| {
            model.catch_up();
            let location = self.location(model, caller);
            model.finds_poison(location, caller)
        })
        .unwrap_or_else(|| self.outside.is_poisoned())
    }

    /// The data: the borrow is exclusive.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.owned_poison();
        poison(self.data.get_mut(), poisoned)
    }

    /// Takes the lock in a model, and tells whether it is poisoned.
    pub(super) fn lock_inside(&self, model: &Model, verb: Verb, caller: CodeSite) -> bool {
        let location = self.location(model, caller);
        let label = Label { verb, object: Some(location), show: Show::Nothing, caller };
        let lock = Access::new(location, Effect::Write(holder(model))).locking().once(Condition::Equals(0));
        model.perform_access(lock, label);
        model.finds_poison(location, caller)
    }

    /// Gives the lock back, which the calling thread holds.
    pub(super) fn unlock_inside(&self, model: &Model, caller: CodeSite) {
        let location = self.location(model, caller);
        let label = Label { verb: Verb::Unlock, object: Some(location), show: Show::Nothing, caller };
        model.perform_access(Access::new(location, Effect::Write(0)).unlocking(), label);
    }

    fn guard_inside(&self, caller: CodeSite) -> MutexGuard<'_, T> {
        MutexGuard { mutex: self, outside: None, panicking: std::thread::panicking(), caller, not_send: PhantomData }
    }

    fn guard_outside<'a>(&'a self, guard: std::sync::MutexGuard<'a, ()>, caller: CodeSite) -> MutexGuard<'a, T> {
        MutexGuard { mutex: self, outside: Some(guard), panicking: false, caller, not_send: PhantomData }
    }

    fn pointer(&self) -> *mut T {
        model::with(|model| self.data.inside(model)).unwrap_or_else(|| self.data.outside())
    }
}

/// What a mutex holds while the running thread holds it.
fn holder(model: &Model) -> u64 {
    u64::from(model.state().running.0) + 1
}

/// `value` as the result of locking what may be poisoned.
pub(super) fn poison<V>(value: V, poisoned: bool) -> LockResult<V> {
    if poisoned { Err(PoisonError::new(value)) } else { Ok(value) }
}

/// Shows a lock with its data. In a model, looking at that would be an operation of the program's, which it did not
/// ask for.
pub(super) fn show_lock<G: Deref<Target: fmt::Debug>>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    look: impl FnOnce() -> TryLockResult<G>,
    is_poisoned: impl FnOnce() -> bool,
) -> fmt::Result {
    let mut shown = f.debug_struct(name);
    if model::with(|_| ()).is_none() {
        match look() {
            Ok(guard) => shown.field("data", &&*guard),
            Err(TryLockError::Poisoned(error)) => shown.field("data", &&**error.get_ref()),
            Err(TryLockError::WouldBlock) => shown.field("data", &format_args!("<locked>")),
        };
        shown.field("poisoned", &is_poisoned());
    }
    shown.finish_non_exhaustive()
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_lock(f, "Mutex", || self.try_lock(), || self.is_poisoned())
    }
}

/// The right to the data of a [`Mutex`], which is unlocked when this is dropped.
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    outside: Option<std::sync::MutexGuard<'a, ()>>,
    /// Whether a panic was unwinding already when the lock was taken.
    panicking: bool,
    /// Where it was taken.
    caller: CodeSite,
    not_send: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives shared access to the data.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// Takes the guard apart without unlocking.
    pub(super) fn dissolve(mut self) -> (&'a Mutex<T>, Option<std::sync::MutexGuard<'a, ()>>) {
        let parts = (self.mutex, self.outside.take());
        std::mem::forget(self);
        parts
    }

    /// Puts a guard together for a mutex that the calling thread holds.
    pub(super) fn assemble(
        mutex: &'a Mutex<T>,
        outside: Option<std::sync::MutexGuard<'a, ()>>,
        caller: CodeSite,
    ) -> Self {
        Self { mutex, outside, panicking: std::thread::panicking(), caller, not_send: PhantomData }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.mutex.pointer() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held.
        unsafe { &mut *self.mutex.pointer() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if self.outside.is_some() {
            return;
        }
        model::with(|model| {
            let location = self.mutex.location(model, self.caller);
            let label = Label { verb: Verb::Unlock, object: Some(location), show: Show::Nothing, caller: self.caller };
            let unlock = Access::new(location, Effect::Write(0)).unlocking();
            if !std::thread::panicking() {
                model.perform_access(unlock, label);
                return;
            }
            model.unlock_later(location, Operation::one(unlock), label, !self.panicking);
        });
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
