//! Handles to threads.

use crate::model;
use everyway_runtime as engine;
use std::fmt;
use std::sync::Arc;

/// A unique identifier of a running thread; as [`std::thread::ThreadId`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId(Id);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Id {
    Inside(engine::ThreadId),
    Outside(std::thread::ThreadId),
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // As std counts: from 1.
            Id::Inside(id) => write!(f, "ThreadId({})", id.0 + 1),
            Id::Outside(id) => id.fmt(f),
        }
    }
}

/// A handle to a thread; as [`std::thread::Thread`].
#[derive(Clone)]
pub struct Thread(Inner);

#[derive(Clone)]
enum Inner {
    Inside { id: engine::ThreadId, name: Option<Arc<str>> },
    Outside(std::thread::Thread),
}

impl Thread {
    pub(crate) fn inside(id: engine::ThreadId, name: Option<&str>) -> Self {
        Self(Inner::Inside { id, name: name.map(Arc::from) })
    }

    pub(crate) fn outside(thread: &std::thread::Thread) -> Self {
        Self(Inner::Outside(thread.clone()))
    }

    /// The thread's identifier.
    pub fn id(&self) -> ThreadId {
        match &self.0 {
            Inner::Inside { id, .. } => ThreadId(Id::Inside(*id)),
            Inner::Outside(thread) => ThreadId(Id::Outside(thread.id())),
        }
    }

    /// The thread's name.
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Inner::Inside { name, .. } => name.as_deref(),
            Inner::Outside(thread) => thread.name(),
        }
    }

    /// Makes the thread's token available, which ends a [`park()`](super::park()).
    #[track_caller]
    pub fn unpark(&self) {
        match &self.0 {
            Inner::Inside { id, .. } => super::park::unpark(*id),
            Inner::Outside(thread) => thread.unpark(),
        }
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("id", &self.id()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A handle to the calling thread.
pub fn current() -> Thread {
    model::with(|model| {
        let mut state = model.state();
        let id = state.running;
        let name = if id == model::MAIN { Some("main") } else { state.thread(id).name.as_deref() };
        Thread::inside(id, name)
    })
    .unwrap_or_else(|| Thread::outside(&std::thread::current()))
}
