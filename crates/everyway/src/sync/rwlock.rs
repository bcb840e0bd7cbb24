//! [`std::sync::RwLock`], as models see it. Its value is the number of its readers, or [`WRITER`].
//!
//! Readers come and go by adding to the value without looking at it, so they commute: without a writer their
//! order is not explored. The condition under which a reader may enter does not depend on other readers.

use super::mutex::{poison, show_lock};
use crate::model::detail::Detail;
use crate::model::kind::Kind;
use crate::model::names::Name;
use crate::model::object::Handle;
use crate::model::payload::Payload;
use crate::model::{self, CodeSite, Label, Model, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Then, Verb};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{Location as Caller, RefUnwindSafe, UnwindSafe};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// The value of a lock that is held for writing.
const WRITER: u64 = 1 << 63;

/// What a reader that leaves adds.
const LEAVE: u64 = 1_u64.wrapping_neg();

/// A lock for many readers or one writer; as [`std::sync::RwLock`].
///
/// In a model, neither readers nor writers are preferred: any thread that can take the lock may get it next. But a thread
/// that takes a second read lock waits for a waiting writer, as std permits, and so deadlocks.
pub struct RwLock<T: ?Sized> {
    handle: Handle,
    outside: Outside,
    data: Payload<T>,
}

// SAFETY: as for std's; the data is accessed only under the lock.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above; readers share the data.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

/// What is locked outside of models; it also keeps track of poisoning there.
#[derive(Debug)]
struct Outside {
    lock: std::sync::RwLock<()>,
    /// Held by a thread that writes or waits to write, so that a writer can become a reader with no other writer
    /// in between.
    writers: std::sync::Mutex<()>,
}

/// Writing outside of models.
#[derive(Debug)]
struct OutsideWrite<'a> {
    lock: std::sync::RwLockWriteGuard<'a, ()>,
    writers: std::sync::MutexGuard<'a, ()>,
}

impl Outside {
    fn write(&self) -> LockResult<OutsideWrite<'_>> {
        // Its poisoning is that of the lock, which tells of it.
        let writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        match self.lock.write() {
            Ok(lock) => Ok(OutsideWrite { lock, writers }),
            Err(error) => Err(PoisonError::new(OutsideWrite { lock: error.into_inner(), writers })),
        }
    }

    fn try_write(&self) -> TryLockResult<OutsideWrite<'_>> {
        let writers = match self.writers.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(TryLockError::WouldBlock),
        };
        match self.lock.try_write() {
            Ok(lock) => Ok(OutsideWrite { lock, writers }),
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Err(TryLockError::Poisoned(error)) => {
                Err(PoisonError::new(OutsideWrite { lock: error.into_inner(), writers }).into())
            }
        }
    }

    fn downgrade<'a>(&'a self, guard: OutsideWrite<'a>) -> std::sync::RwLockReadGuard<'a, ()> {
        let OutsideWrite { lock, writers } = guard;
        drop(lock);
        let lock = self.lock.read().unwrap_or_else(PoisonError::into_inner);
        drop(writers);
        lock
    }
}

/// The operation that takes a lock by `access`. A writer that waits may keep others from reading, says std: also those
/// who do so already, who then wait for each other. So once a thread is seen to read a lock that it holds, writers tell that
/// they wait, and such a thread waits for them.
fn acquisition(model: &Model, access: Access, verb: Verb, caller: CodeSite) -> Operation {
    let lock = access.location;
    let holds = model.state().current_thread().reading.contains(&lock);
    match verb {
        Verb::ReadLock if holds => model.needs(Detail::WaitingWriters),
        Verb::WriteLock if model.has(Detail::WaitingWriters) => {}
        _ => return Operation::one(access),
    }
    let waiting = model.state().named_object(Name::Writers(lock), Kind::WaitingWriters, 0);
    let none_waits = Access {
        when: Condition::Equals(0),
        holds: Then::Next,
        fails: Then::Block,
        ..Access::new(waiting, Effect::Read).ordered(everyway_runtime::Ordering::Relaxed)
    };
    let change = |n| Access::new(waiting, Effect::Add(n)).ordered(everyway_runtime::Ordering::Relaxed);
    if verb == Verb::ReadLock {
        return Operation::new([none_waits, access]);
    }
    let label = Label { verb: Verb::Arrive, object: Some(lock), show: Show::Nothing, caller };
    model.perform(Operation::one(change(1)), label);
    Operation::new([Access { holds: Then::Next, ..access }, change(u64::MAX)])
}

impl<T> RwLock<T> {
    /// A lock that is free.
    pub const fn new(value: T) -> Self {
        let outside = Outside { lock: std::sync::RwLock::new(()), writers: std::sync::Mutex::new(()) };
        Self { handle: Handle::new(), outside, data: Payload::new(value) }
    }

    /// The data: the borrow is exclusive.
    ///
    /// # Errors
    /// If the lock is poisoned.
    #[track_caller]
    pub fn into_inner(mut self) -> LockResult<T> {
        let poisoned = self.owned_poison();
        poison(self.data.into_inner(), poisoned)
    }
}

impl<T: ?Sized> RwLock<T> {
    fn location(&self, model: &Model, caller: CodeSite) -> Location {
        self.handle.location(model, Kind::RwLock, caller, || 0)
    }

    /// Carries out an access in a model; if the lock was got, tells whether it is poisoned.
    fn acquire(
        &self,
        model: &Model,
        verb: Verb,
        caller: CodeSite,
        access: impl FnOnce(Location) -> Access,
    ) -> Option<bool> {
        let location = self.location(model, caller);
        let access = access(location);
        let waits = access.fails == Then::Block;
        let show = if waits { Show::Nothing } else { Show::Success("locked", "busy") };
        let label = Label { verb, object: Some(location), show, caller };
        let outcome = model.perform(acquisition(model, access, verb, caller), label);
        let reads = matches!(verb, Verb::ReadLock | Verb::TryReadLock);
        if reads && (waits || outcome.changed) {
            model.unnamed(|| model.state().current_thread().reading.push(location));
        }
        (waits || outcome.changed).then(|| model.finds_poison(location, caller))
    }

    /// Locks for reading, waiting until no writer holds it.
    ///
    /// # Errors
    /// If the lock is poisoned: a thread panicked while it wrote.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let caller = Caller::caller();
        let inside = model::with(|model| {
            self.acquire(model, Verb::ReadLock, caller, |location| {
                Access::new(location, Effect::Add(1)).locking().once(Condition::Below(WRITER))
            })
        });
        if let Some(poisoned) = inside {
            return poison(self.reader(None, caller), poisoned == Some(true));
        }
        match self.outside.lock.read() {
            Ok(guard) => Ok(self.reader(Some(guard), caller)),
            Err(error) => Err(PoisonError::new(self.reader(Some(error.into_inner()), caller))),
        }
    }

    /// Locks for reading, if no writer holds it.
    ///
    /// # Errors
    /// If it is held so, or if it is poisoned.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        let caller = Caller::caller();
        let inside = model::with(|model| {
            self.acquire(model, Verb::TryReadLock, caller, |location| {
                Access::new(location, Effect::Add(1)).locking().if_now(Condition::Below(WRITER))
            })
        });
        match inside {
            Some(None) => return Err(TryLockError::WouldBlock),
            Some(Some(poisoned)) => return Ok(poison(self.reader(None, caller), poisoned)?),
            None => {}
        }
        match self.outside.lock.try_read() {
            Ok(guard) => Ok(self.reader(Some(guard), caller)),
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Err(TryLockError::Poisoned(error)) => {
                Err(PoisonError::new(self.reader(Some(error.into_inner()), caller)).into())
            }
        }
    }

    /// Locks for writing, waiting until it is free.
    ///
    /// # Errors
    /// If the lock is poisoned: a thread panicked while it wrote.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let caller = Caller::caller();
        let inside = model::with(|model| {
            self.acquire(model, Verb::WriteLock, caller, |location| {
                Access::new(location, Effect::Write(WRITER)).locking().once(Condition::Equals(0))
            })
        });
        if let Some(poisoned) = inside {
            return poison(self.writer(None, caller), poisoned == Some(true));
        }
        match self.outside.write() {
            Ok(guard) => Ok(self.writer(Some(guard), caller)),
            Err(error) => Err(PoisonError::new(self.writer(Some(error.into_inner()), caller))),
        }
    }

    /// Locks for writing, if it is free.
    ///
    /// # Errors
    /// If it is held so, or if it is poisoned.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        let caller = Caller::caller();
        let inside = model::with(|model| {
            self.acquire(model, Verb::TryWriteLock, caller, |location| {
                Access::new(location, Effect::Write(WRITER)).locking().if_now(Condition::Equals(0))
            })
        });
        match inside {
            Some(None) => return Err(TryLockError::WouldBlock),
            Some(Some(poisoned)) => return Ok(poison(self.writer(None, caller), poisoned)?),
            None => {}
        }
        match self.outside.try_write() {
            Ok(guard) => Ok(self.writer(Some(guard), caller)),
            Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
            Err(TryLockError::Poisoned(error)) => {
                Err(PoisonError::new(self.writer(Some(error.into_inner()), caller)).into())
            }
        }
    }

    /// Whether a thread panicked while it wrote.
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        let caller = Caller::caller();
        model::with(|model| {
            let location = self.location(model, caller);
            model.look_for_poison(location, caller)
        })
        .unwrap_or_else(|| self.outside.lock.is_poisoned())
    }

    /// Takes a poisoning back.
    #[track_caller]
    pub fn clear_poison(&self) {
        let caller = Caller::caller();
        model::with(|model| {
            let location = self.location(model, caller);
            model.clear_poison(location, caller);
        })
        .unwrap_or_else(|| self.outside.lock.clear_poison());
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
        .unwrap_or_else(|| self.outside.lock.is_poisoned())
    }

    /// The data: the borrow is exclusive.
    ///
    /// # Errors
    /// If the lock is poisoned.
    #[track_caller]
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.owned_poison();
        poison(self.data.get_mut(), poisoned)
    }

    fn reader<'a>(
        &'a self,
        outside: Option<std::sync::RwLockReadGuard<'a, ()>>,
        caller: CodeSite,
    ) -> RwLockReadGuard<'a, T> {
        RwLockReadGuard { lock: self, outside, caller, not_send: PhantomData }
    }

    fn writer<'a>(&'a self, outside: Option<OutsideWrite<'a>>, caller: CodeSite) -> RwLockWriteGuard<'a, T> {
        RwLockWriteGuard { lock: self, outside, panicking: std::thread::panicking(), caller, not_send: PhantomData }
    }

    fn pointer(&self) -> *mut T {
        model::with(|model| self.data.inside(model)).unwrap_or_else(|| self.data.outside())
    }

    /// Leaves the lock in a model: at once, or when a panic that is unwinding has been caught. Then the lock is
    /// poisoned, if that is what such a panic does.
    fn leave(&self, model: &Model, caller: CodeSite, effect: Effect, poisons: bool) {
        let location = self.location(model, caller);
        let label = Label { verb: Verb::Unlock, object: Some(location), show: Show::Nothing, caller };
        let unlock = Operation::new([Access::new(location, effect).unlocking()]);
        if std::thread::panicking() {
            model.unlock_later(location, unlock, label, poisons);
        } else {
            model.perform(unlock, label);
        }
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show_lock(f, "RwLock", || self.try_read(), || self.is_poisoned())
    }
}

/// The right to read the data of an [`RwLock`], which is unlocked when this is dropped.
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    outside: Option<std::sync::RwLockReadGuard<'a, ()>>,
    /// Where it was locked.
    caller: CodeSite,
    not_send: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives shared access to the data.
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held, and while it is there is no writer.
        unsafe { &*self.lock.pointer() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        if self.outside.is_none() {
            model::with(|model| {
                self.lock.leave(model, self.caller, Effect::Add(LEAVE), false);
                let location = self.lock.location(model, self.caller);
                let mut state = model.state();
                let reading = &mut state.current_thread().reading;
                if let Some(position) = reading.iter().rposition(|&lock| lock == location) {
                    reading.remove(position);
                }
            });
        }
    }
}

/// The right to the data of an [`RwLock`], which is unlocked when this is dropped.
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized> {
    lock: &'a RwLock<T>,
    outside: Option<OutsideWrite<'a>>,
    /// Whether a panic was unwinding already when it was locked.
    panicking: bool,
    /// Where it was locked.
    caller: CodeSite,
    not_send: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives shared access to the data.
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// Goes on as a reader, with no writer in between.
    #[track_caller]
    pub fn downgrade(mut guard: Self) -> RwLockReadGuard<'a, T> {
        let caller = Caller::caller();
        let lock = guard.lock;
        let outside = guard.outside.take();
        std::mem::forget(guard);
        if let Some(outside) = outside {
            return lock.reader(Some(lock.outside.downgrade(outside)), caller);
        }
        model::with(|model| {
            let location = lock.location(model, caller);
            let label = Label { verb: Verb::Downgrade, object: Some(location), show: Show::Nothing, caller };
            model.perform(Operation::new([Access::new(location, Effect::Write(1)).unlocking()]), label);
        });
        lock.reader(None, caller)
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.pointer() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held exclusively.
        unsafe { &mut *self.lock.pointer() }
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        if self.outside.is_some() {
            return;
        }
        model::with(|model| self.lock.leave(model, self.caller, Effect::Write(0), !self.panicking));
    }
}

macro_rules! show_data {
    ($($guard:ident),*) => {
        $(
            impl<T: ?Sized + fmt::Debug> fmt::Debug for $guard<'_, T> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    (**self).fmt(f)
                }
            }

            impl<T: ?Sized + fmt::Display> fmt::Display for $guard<'_, T> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    (**self).fmt(f)
                }
            }
        )*
    };
}

show_data!(RwLockReadGuard, RwLockWriteGuard);
