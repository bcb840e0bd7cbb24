//! [`std::sync::Condvar`], as models see it. Its value is the number of threads that wait on it.
//!
//! A wait is three steps: the thread unlocks the mutex and joins those that wait, in one; it takes the token
//! that a notification gives it; it locks the mutex. Threads come and go by adding to the value without
//! looking at it, so that only notifications are ordered with respect to the others. A notification that
//! finds no thread waiting is a read.

use super::mutex::{Mutex, MutexGuard, poison};
use crate::model::kind::Kind;
use crate::model::object::{Handle, Named};
use crate::model::{self, CodeSite, Label, Model, Pending, Show, Special};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Verb};
use std::fmt;
use std::panic::Location as Caller;
use std::sync::{LockResult, PoisonError};
use std::time::{Duration, Instant};

/// Waiting for a notification; as [`std::sync::Condvar`].
///
/// In a model:
///
/// - There are no spurious wake-ups. A wait outside of a loop may pass here and fail in the real program.
/// - Whom [`notify_one`](Self::notify_one) wakes is explored for all that wait.
/// - No time passes. Whether a wait with a timeout is notified is explored: it gives up if it has not been
///   notified when the thread goes on. A loop around it that never ends without a notification runs into the
///   limit on steps.
/// - A notification does not put memory accesses in an order: only the mutex does.
pub struct Condvar {
    handle: Handle,
    outside: std::sync::Condvar,
}

/// Whether a wait ended because its time was up; as [`std::sync::WaitTimeoutResult`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the wait ended because its time was up.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// A condition variable that no thread waits on.
    pub const fn new() -> Self {
        Self { handle: Handle::new(), outside: std::sync::Condvar::new() }
    }

    fn location(&self, model: &Model, caller: CodeSite) -> Location {
        self.handle.location(model, Kind::Condvar, caller, || 0)
    }

    /// Unlocks the mutex, waits for a notification, and locks the mutex again.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let caller = Caller::caller();
        let (mutex, outside) = guard.dissolve();
        if let Some(outside) = outside {
            return match self.outside.wait(outside) {
                Ok(guard) => Ok(MutexGuard::assemble(mutex, Some(guard), caller)),
                Err(error) => Err(PoisonError::new(MutexGuard::assemble(mutex, Some(error.into_inner()), caller))),
            };
        }
        let poisoned = model::with(|model| {
            if model.happens_for_no_reason(caller) {
                mutex.unlock_inside(model, caller);
            } else {
                self.wait_inside(model, mutex, Verb::Wait, caller, |token, _| {
                    Operation::new([token.once(Condition::Equals(1))])
                });
            }
            mutex.lock_inside(model, Verb::Relock, caller)
        });
        poison(MutexGuard::assemble(mutex, None, caller), poisoned == Some(true))
    }

    /// Waits while the condition holds.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_while<'a, T, F>(&self, mut guard: MutexGuard<'a, T>, mut condition: F) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Waits for a notification, or until the time is up.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[deprecated(note = "replaced by `Condvar::wait_timeout`")]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        milliseconds: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let notified = |(guard, result): (_, WaitTimeoutResult)| (guard, !result.timed_out());
        match self.wait_timeout(guard, Duration::from_millis(u64::from(milliseconds))) {
            Ok(ended) => Ok(notified(ended)),
            Err(error) => Err(PoisonError::new(notified(error.into_inner()))),
        }
    }

    /// Waits for a notification, or until the time is up.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        duration: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let caller = Caller::caller();
        let (mutex, outside) = guard.dissolve();
        if let Some(outside) = outside {
            let assemble = |(guard, result): (_, std::sync::WaitTimeoutResult)| {
                (MutexGuard::assemble(mutex, Some(guard), caller), WaitTimeoutResult(result.timed_out()))
            };
            return match self.outside.wait_timeout(outside, duration) {
                Ok(ended) => Ok(assemble(ended)),
                Err(error) => Err(PoisonError::new(assemble(error.into_inner()))),
            };
        }
        let ended = model::with(|model| {
            let gave_up = self.wait_inside(model, mutex, Verb::TimedWait, caller, |token, condvar| {
                let leave = Access::new(condvar, Effect::Add(1_u64.wrapping_neg()));
                Operation::new([token.or_else(Condition::Equals(1)), leave])
            });
            (mutex.lock_inside(model, Verb::Relock, caller), gave_up)
        });
        let (poisoned, gave_up) = ended.unwrap_or_default();
        poison((MutexGuard::assemble(mutex, None, caller), WaitTimeoutResult(gave_up)), poisoned)
    }

    /// Waits while the condition holds, or until the time is up.
    ///
    /// # Errors
    /// If the mutex is poisoned.
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        duration: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let start = model::with(|_| ()).is_none().then(Instant::now);
        let mut rest = duration;
        let mut is_over = false;
        loop {
            if !condition(&mut *guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            if is_over {
                return Ok((guard, WaitTimeoutResult(true)));
            }
            let (again, result) = self.wait_timeout(guard, rest)?;
            guard = again;
            match start {
                // In a model, the time is up when a wait has given up.
                None => is_over = result.timed_out(),
                Some(start) => match duration.checked_sub(start.elapsed()) {
                    Some(left) => rest = left,
                    None => is_over = true,
                },
            }
        }
    }

    /// Wakes one of those that wait.
    #[track_caller]
    pub fn notify_one(&self) {
        let caller = Caller::caller();
        model::with(|model| {
            let one = |condvar| Access::new(condvar, Effect::Modify(|waiting, _| waiting - 1, 0));
            self.notify(model, Verb::NotifyOne, caller, one, Special::WakeOne);
        })
        .unwrap_or_else(|| self.outside.notify_one());
    }

    /// Wakes all that wait.
    #[track_caller]
    pub fn notify_all(&self) {
        let caller = Caller::caller();
        model::with(|model| {
            let all = |condvar| Access::new(condvar, Effect::Write(0));
            self.notify(model, Verb::NotifyAll, caller, all, Special::WakeAll);
        })
        .unwrap_or_else(|| self.outside.notify_all());
    }

    fn notify(
        &self,
        model: &Model,
        verb: Verb,
        caller: CodeSite,
        wake: impl FnOnce(Location) -> Access,
        special: impl FnOnce(Location) -> Special<Location>,
    ) {
        let condvar = self.location(model, caller);
        let label = Label { verb, object: Some(condvar), show: Show::Success("", "no thread waits"), caller };
        let operation = Operation::new([wake(condvar).if_now(Condition::Differs(0))]);
        model.perform_pending(Pending::new(operation, label).special(special(condvar)));
    }

    /// Unlocks the mutex and waits, by the operation that `until` makes of taking the token; whether the thread
    /// went on without it.
    fn wait_inside<T: ?Sized>(
        &self,
        model: &Model,
        mutex: &Mutex<T>,
        verb: Verb,
        caller: CodeSite,
        until: impl FnOnce(Access, Location) -> Operation,
    ) -> bool {
        let condvar = self.location(model, caller);
        let begin = Operation::new([
            Access::new(mutex.location(model, caller), Effect::Write(0)).unlocking(),
            Access::new(condvar, Effect::Add(1)),
        ]);
        let label = Label { verb, object: Some(condvar), show: Show::Ending(&["", "unlocks and waits"]), caller };
        model.perform_pending(Pending::new(begin, label).special(Special::Enqueue(condvar)));
        let token = Named::Token(model.state().running).location();
        let end = until(Access::new(token, Effect::Write(0)), condvar);
        let label = Label { show: Show::Ending(&["is notified", "gives up"]), ..label };
        model.perform_pending(Pending::new(end, label).special(Special::Dequeue(condvar))).last > 0
    }
}

impl Default for Condvar {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}
