//! Spawning and joining.

use super::handle::Thread;
use crate::model::object::Named;
use crate::model::{self, CodeSite, Label, Model, Show};
use everyway_runtime::{Operation, ThreadId, Verb};
use std::any::Any;
use std::cell::UnsafeCell;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a thread leaves its result.
pub(super) type Packet<T> = Arc<Left<T>>;

/// What a thread leaves when it ends.
pub(super) struct Left<T> {
    result: UnsafeCell<Option<std::thread::Result<T>>>,
    /// Whether it has left that, and nobody has taken it.
    is_there: AtomicBool,
    has_panicked: AtomicBool,
}

// SAFETY: the result is written once, before it is said to be there, and then taken by the one who finds it there.
unsafe impl<T: Send> Sync for Left<T> {}

impl<T> Left<T> {
    fn nothing() -> Self {
        Self { result: UnsafeCell::new(None), is_there: AtomicBool::new(false), has_panicked: AtomicBool::new(false) }
    }

    /// Leaves the result.
    ///
    /// # Safety
    /// To be called once.
    unsafe fn leave(&self, result: std::thread::Result<T>) {
        self.has_panicked.store(result.is_err(), Ordering::Relaxed);
        // SAFETY: nothing else is done to it before it is there.
        unsafe { *self.result.get() = Some(result) };
        self.is_there.store(true, Ordering::Release);
    }

    /// Whether the thread has ended with a panic.
    pub(super) fn has_panicked(&self) -> bool {
        self.has_panicked.load(Ordering::Relaxed)
    }

    fn take(&self) -> Option<std::thread::Result<T>> {
        // SAFETY: who finds it there is alone with it from here on.
        self.is_there.swap(false, Ordering::AcqRel).then(|| unsafe { (*self.result.get()).take() }).flatten()
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
    let packet: Packet<T> = Arc::new(Left::nothing());
    let result = packet.clone();
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

/// Waits for `thread` to end.
pub(super) fn join_in(model: &Model, thread: ThreadId, caller: CodeSite) {
    let label = Label { verb: Verb::Join, object: Some(Named::Token(thread).location()), show: Show::Nothing, caller };
    model.perform(Operation::join(thread), label);
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
        if model::with(|_| ()).is_none() {
            let handle = self.outside().spawn(f)?;
            return Ok(JoinHandle(Inner::Outside { thread: Thread::outside(handle.thread()), handle }));
        }
        let name = self.into_name();
        // SAFETY: `f` borrows nothing.
        let spawned = model::with(|model| unsafe { spawn_in(model, name.clone(), f) });
        let (id, packet) = spawned.expect("it was there just now");
        Ok(JoinHandle(Inner::Inside { thread: Thread::inside(id, name.as_deref()), id, packet }))
    }
}

/// The right to join a thread; as [`std::thread::JoinHandle`].
pub struct JoinHandle<T>(Inner<T>);

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
                model::with(|model| join_in(model, id, caller));
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
