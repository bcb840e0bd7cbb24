//! [`std::thread`], as models see it.

pub use everyway::thread::{
    AccessError, LocalKey, Result, Scope, ScopedJoinHandle, Thread, ThreadId, current, panicking, park, park_timeout,
    scope, sleep, yield_now,
};

use std::fmt;
use std::io;

/// What goes from one thread of a model to another without being `Send`.
struct Carried<T>(T);

// SAFETY: where `T` is not `Send`, it is made in models only (`spawn`), whose threads are all on one thread of the operating
// system.
unsafe impl<T> Send for Carried<T> {}

impl<T> Carried<T> {
    fn into_inner(self) -> T {
        self.0
    }
}

/// Spawns a thread. As in loom, what it takes with it and what it returns need not be `Send`.
///
/// # Panics
/// Outside of models.
#[track_caller]
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + 'static,
    T: 'static,
{
    crate::model::assert_inside("`loom::thread::spawn`");
    let f = Carried(f);
    JoinHandle(everyway::thread::spawn(move || Carried(f.into_inner()())))
}

/// Settings of a thread to be spawned; as [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct Builder(everyway::thread::Builder);

impl Builder {
    /// The default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// The thread's name, by which reports call it, too.
    pub fn name(self, name: String) -> Self {
        Self(self.0.name(name))
    }

    /// The size of the thread's stack; of no effect in models.
    pub fn stack_size(self, size: usize) -> Self {
        Self(self.0.stack_size(size))
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
        self.0.spawn(move || Carried(f())).map(JoinHandle)
    }
}

/// The right to join a thread; as [`std::thread::JoinHandle`].
pub struct JoinHandle<T>(everyway::thread::JoinHandle<Carried<T>>);

impl<T> JoinHandle<T> {
    /// Waits for the thread to end, and returns its result.
    ///
    /// # Errors
    /// If the thread panicked; in a model, the execution has failed then.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        self.0.join().map(Carried::into_inner)
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        self.0.thread()
    }

    /// Whether the thread has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
