//! Scoped threads: they may borrow from the stack, and end before the scope does.

use super::handle::Thread;
use super::spawn::{Builder, Packet, spawn_in, take};
use crate::model::{self, CodeSite, Model};
use everyway_runtime::ThreadId;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// A scope to spawn threads in; as [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope> {
    inner: Inner<'scope, 'env>,
    /// As in std: both lifetimes are invariant.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

enum Inner<'scope, 'env: 'scope> {
    /// The threads that have not been joined yet, with whether they panicked.
    Inside(Mutex<Vec<Unjoined>>),
    Outside(&'scope std::thread::Scope<'scope, 'env>),
}

struct Unjoined {
    id: ThreadId,
    panicked: Box<dyn Fn() -> bool + Send>,
}

/// Calls `f` with a scope, and returns when the closures of all threads spawned in it have; as [`std::thread::scope`], which does not
/// wait for their thread-local variables to be dropped.
///
/// # Panics
/// If a thread of the scope panicked and was not joined.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let caller = Location::caller();
    let mut f = Some(f);
    match model::with(|model| scope_inside(model, caller, f.take().expect("called once"))) {
        Some(result) => result,
        None => scope_outside(f.take().expect("not called inside")),
    }
}

fn scope_inside<'env, F, T>(model: &Model, caller: CodeSite, f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope { inner: Inner::Inside(Mutex::default()), scope: PhantomData, env: PhantomData };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    let mut panicked = false;
    while let Some(thread) = scope.next_unjoined() {
        model.await_end_in_scope(thread.id, caller);
        panicked |= (thread.panicked)();
    }
    match result {
        Err(payload) => resume_unwind(payload),
        Ok(_) if panicked => panic!("a scoped thread panicked"),
        Ok(result) => result,
    }
}

fn scope_outside<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    // Outlives std's scope, and so all threads that have a reference to it.
    let mut holder = None;
    std::thread::scope(|outside| {
        let scope: &Scope<'_, 'env> = holder.insert(Box::new(Scope {
            // SAFETY: only the lifetime is changed, to one that ends when std's scope has.
            inner: Inner::Outside(unsafe {
                std::mem::transmute::<&std::thread::Scope<'_, '_>, &std::thread::Scope<'_, '_>>(outside)
            }),
            scope: PhantomData,
            env: PhantomData,
        }));
        f(scope)
    })
}

impl<'scope> Scope<'scope, '_> {
    fn next_unjoined(&self) -> Option<Unjoined> {
        let Inner::Inside(threads) = &self.inner else { return None };
        let mut threads = threads.lock().unwrap_or_else(PoisonError::into_inner);
        (!threads.is_empty()).then(|| threads.remove(0))
    }

    fn forget(&self, id: ThreadId) {
        if let Inner::Inside(threads) = &self.inner {
            threads.lock().unwrap_or_else(PoisonError::into_inner).retain(|thread| thread.id != id);
        }
    }

    /// Spawns a thread in the scope.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }
}

impl Builder {
    /// Spawns a thread in a scope.
    ///
    /// # Errors
    /// If the system cannot make another thread; not in a model.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        match &scope.inner {
            Inner::Outside(outside) => {
                let handle = self.outside().spawn_scoped(outside, f)?;
                let thread = Thread::outside(handle.thread());
                Ok(ScopedJoinHandle { thread, inner: Handle::Outside(handle) })
            }
            Inner::Inside(threads) => {
                let name = self.into_name();
                let spawned = model::with(|model| {
                    // SAFETY: the scope joins the thread before it returns, and when an execution is torn
                    // down children are unwound before their parents.
                    unsafe { spawn_in(model, name.clone(), f) }
                });
                let (id, packet) = spawned.expect("a scope of a model is used inside of it");
                let result = packet.clone();
                let panicked: Box<dyn Fn() -> bool + Send + '_> = Box::new(move || result.has_panicked());
                // SAFETY: called by the scope at its end at the latest, and then dropped.
                let panicked: Box<dyn Fn() -> bool + Send> = unsafe { std::mem::transmute(panicked) };
                let mut threads = threads.lock().unwrap_or_else(PoisonError::into_inner);
                model::with(|model| {
                    model.state().thread(id).is_in_scope = true;
                    model.unnamed(|| threads.push(Unjoined { id, panicked }));
                });
                let thread = Thread::inside(id, name.as_deref());
                let forget = ForgetIn { scope };
                Ok(ScopedJoinHandle { thread, inner: Handle::Inside { id, packet, forget } })
            }
        }
    }
}

/// The right to join a thread of a scope; as [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T> {
    thread: Thread,
    inner: Handle<'scope, T>,
}

enum Handle<'scope, T> {
    Inside { id: ThreadId, packet: Packet<T>, forget: ForgetIn<'scope> },
    Outside(std::thread::ScopedJoinHandle<'scope, T>),
}

/// The scope of a handle, whatever its environment.
struct ForgetIn<'scope> {
    scope: &'scope dyn Forget,
}

trait Forget: Sync {
    fn forget(&self, id: ThreadId);
}

impl Forget for Scope<'_, '_> {
    fn forget(&self, id: ThreadId) {
        Scope::forget(self, id);
    }
}

impl<T> ScopedJoinHandle<'_, T> {
    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Waits for the thread to end, and returns its result.
    ///
    /// # Errors
    /// If the thread panicked; as for [`JoinHandle::join`](super::JoinHandle::join).
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        let caller = Location::caller();
        match self.inner {
            Handle::Outside(handle) => handle.join(),
            Handle::Inside { id, packet, forget } => {
                model::with(|model| model.join(id, caller));
                forget.scope.forget(id);
                take(&packet)
            }
        }
    }

    /// Whether the thread has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let caller = Location::caller();
        match &self.inner {
            Handle::Inside { id, .. } => model::with(|model| model.has_ended(*id, caller)).unwrap_or(true),
            Handle::Outside(handle) => handle.is_finished(),
        }
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").field("thread", &self.thread).finish_non_exhaustive()
    }
}
