//! Spawning and joining.

use super::handle::Thread;
use crate::model::{self, Model};
use everyway_runtime::ThreadId;
use std::any::Any;
use std::cell::UnsafeCell;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What a thread leaves when it ends.
struct Left<T> {
    result: UnsafeCell<Option<std::thread::Result<T>>>,
    /// Whether it has left that, and it has not been taken.
    is_there: AtomicBool,
    has_panicked: AtomicBool,
    owners: AtomicU32,
}

/// Where a thread leaves its result: owned by the thread, and by its handles. (An `Arc`, but for what that does
/// when one is made of two, and when the last owner goes.)
pub(super) struct Packet<T>(NonNull<Left<T>>);

// SAFETY: the result is written once, before it is said to be there, and then taken by the one who finds it there. The last owner
// frees it, and comes after the others have left.
unsafe impl<T: Send> Send for Packet<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Packet<T> {}

impl<T> Packet<T> {
    /// One of two owners.
    fn two() -> [Self; 2] {
        let left = Left {
            result: UnsafeCell::new(None),
            is_there: AtomicBool::new(false),
            has_panicked: AtomicBool::new(false),
            owners: AtomicU32::new(2),
        };
        let left = NonNull::from(Box::leak(Box::new(left)));
        [Self(left), Self(left)]
    }

    fn left(&self) -> &Left<T> {
        // SAFETY: it is there as long as it has an owner.
        unsafe { self.0.as_ref() }
    }

    /// Leaves the result.
    ///
    /// # Safety
    /// To be called once.
    unsafe fn leave(&self, result: std::thread::Result<T>) {
        let left = self.left();
        left.has_panicked.store(result.is_err(), Ordering::Relaxed);
        // SAFETY: nothing else is done to it before it is there.
        unsafe { *left.result.get() = Some(result) };
        left.is_there.store(true, Ordering::Release);
    }

    /// Whether the thread has ended with a panic.
    pub(super) fn has_panicked(&self) -> bool {
        self.left().has_panicked.load(Ordering::Relaxed)
    }

    fn take(&self) -> Option<std::thread::Result<T>> {
        let left = self.left();
        // SAFETY: who finds it there is alone with it from here on.
        left.is_there.swap(false, Ordering::AcqRel).then(|| unsafe { (*left.result.get()).take() }).flatten()
    }
}

impl<T> Clone for Packet<T> {
    fn clone(&self) -> Self {
        self.left().owners.fetch_add(1, Ordering::Relaxed);
        Self(self.0)
    }
}

impl<T> Drop for Packet<T> {
    fn drop(&mut self) {
        let owners = &self.left().owners;
        // Who is the only owner stays that.
        if owners.load(Ordering::Acquire) == 1 || owners.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: there is no other owner, and it was boxed.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

/// Spawns a thread of `model` that runs `f` and leaves its result in the packet.
///
/// # Safety
/// The thread must have ended, or be gone with its execution, before anything that `f` borrows is.
pub(super) unsafe fn spawn_in<F, T>(model: &Model, name: Option<String>, f: F) -> (ThreadId, Packet<T>)
where
    F: FnOnce() -> T,
{
    let [packet, result] = Packet::two();
    // SAFETY: the body, which is run once, calls this at its end, and nothing else does.
    let leave = move |ended| unsafe { result.leave(ended) };
    let body: Box<dyn FnOnce() + '_> = if model.hands_panics_over() {
        Box::new(move || match catch_unwind(AssertUnwindSafe(f)) {
            Err(payload) if model::is_torn_down(&*payload) => resume_unwind(payload),
            ended => leave(ended),
        })
    } else {
        Box::new(move || leave(Ok(f())))
    };
    // SAFETY: promised by the caller.
    let body: Box<dyn FnOnce()> = unsafe { std::mem::transmute(body) };
    (model.spawn(name, body), packet)
}

/// Takes what a thread that has ended left.
pub(super) fn take<T>(packet: &Packet<T>) -> std::thread::Result<T> {
    packet.take().unwrap_or_else(|| {
        let message: Box<dyn Any + Send> = Box::new("the thread did not leave a result");
        Err(message)
    })
}

/// Spawns a thread; as [`std::thread::spawn`].
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

/// Settings of a thread to be spawned; as [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

impl Builder {
    /// The default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// The thread's name, by which reports call it, too.
    pub fn name(self, name: String) -> Self {
        Self { name: Some(name), ..self }
    }

    /// The size of the thread's stack. In a model all stacks have the size that
    /// [`Builder::stack_size`](crate::Builder::stack_size) says.
    pub fn stack_size(self, size: usize) -> Self {
        Self { stack_size: Some(size), ..self }
    }

    pub(super) fn outside(self) -> std::thread::Builder {
        let mut builder = std::thread::Builder::new();
        if let Some(name) = self.name {
            builder = builder.name(name);
        }
        if let Some(size) = self.stack_size {
            builder = builder.stack_size(size);
        }
        builder
    }

    pub(super) fn into_name(self) -> Option<String> {
        self.name
    }

    /// Spawns the thread.
    ///
    /// # Errors
    /// If the system cannot make another thread; not in a model.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        // SAFETY: `f` and what it returns borrow nothing.
        unsafe { self.spawn_unchecked(f) }
    }

    /// Spawns the thread, which may borrow what the caller looks after.
    ///
    /// # Errors
    /// If the system cannot make another thread; not in a model.
    ///
    /// # Safety
    /// As for [`std::thread::Builder::spawn_unchecked`].
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        if model::with(|_| ()).is_none() {
            // SAFETY: what the caller promises.
            let handle = unsafe { self.outside().spawn_unchecked(f) }?;
            return Ok(JoinHandle(Inner::Outside { thread: Thread::outside(handle.thread()), handle }));
        }
        let name = self.into_name();
        // SAFETY: what the caller promises.
        let spawned = model::with(|model| unsafe { spawn_in(model, name.clone(), f) });
        let (id, packet) = spawned.expect("it was there just now");
        Ok(JoinHandle(Inner::Inside { thread: Thread::inside(id, name.as_deref()), id, packet }))
    }
}

/// The right to join a thread; as [`std::thread::JoinHandle`].
pub struct JoinHandle<T>(Inner<T>);

// SAFETY: as for std's: a thread is only spawned if what it returns can be sent.
unsafe impl<T> Send for JoinHandle<T> {}
// SAFETY: as for std's: a shared handle does not give out what the thread returns.
unsafe impl<T> Sync for JoinHandle<T> {}

enum Inner<T> {
    Inside { thread: Thread, id: ThreadId, packet: Packet<T> },
    Outside { thread: Thread, handle: std::thread::JoinHandle<T> },
}

impl<T> JoinHandle<T> {
    /// The thread.
    pub fn thread(&self) -> &Thread {
        match &self.0 {
            Inner::Inside { thread, .. } | Inner::Outside { thread, .. } => thread,
        }
    }

    /// Waits for the thread to end, and returns its result.
    ///
    /// # Errors
    /// If the thread panicked; in a model this is a failure of the execution instead, unless
    /// [`Builder::panics`](crate::Builder::panics) says otherwise.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        let caller = Location::caller();
        match self.0 {
            Inner::Inside { id, packet, .. } => {
                model::with(|model| model.join(id, caller));
                take(&packet)
            }
            Inner::Outside { handle, .. } => handle.join(),
        }
    }

    /// The thread may wait for messages when all others have ended.
    pub(crate) fn let_it_idle(&self) {
        if let Inner::Inside { id, .. } = &self.0 {
            model::with(|model| model.state().thread(*id).may_idle = true);
        }
    }

    /// Whether the thread has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let caller = Location::caller();
        match &self.0 {
            Inner::Inside { id, .. } => model::with(|model| model.has_ended(*id, caller)).unwrap_or(true),
            Inner::Outside { handle, .. } => handle.is_finished(),
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").field("thread", self.thread()).finish_non_exhaustive()
    }
}
