//! Handles to tasks: waiting for their output, and cancelling them.

#[cfg(feature = "model")]
use super::inside;
use super::outside;
use super::task::{Driven, Origin, Signal, Task};
#[cfg(feature = "model")]
use crate::model;
use crate::thread;
use std::any::Any;
use std::fmt;
#[cfg(feature = "model")]
use std::panic::Location;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

/// Whether a task has ended, and the waker to call then: of a model, or of the operating system.
enum Completion {
    #[cfg(feature = "model")]
    Inside(inside::Completion),
    Outside(outside::Completion),
}

impl Completion {
    fn new(origin: Origin) -> Self {
        #[cfg(feature = "model")]
        if let Some(completion) = model::with(|model| inside::Completion::new(model, origin)) {
            return Completion::Inside(completion);
        }
        let _ = origin;
        Completion::Outside(outside::Completion::default())
    }
}

/// What a task and its handle share.
struct Shared<T> {
    completion: Completion,
    output: Mutex<Option<Result<T, JoinError>>>,
}

impl<T> Shared<T> {
    fn take(&self) -> Option<Result<T, JoinError>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Leaves the output for the handle, and wakes the waiting task. If the handle was dropped, the output is dropped here.
    fn complete(&self, output: Result<T, JoinError>) {
        *self.output.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
        match &self.completion {
            #[cfg(feature = "model")]
            Completion::Inside(completion) => {
                if completion.complete() == inside::Handle::Dropped {
                    drop(self.take());
                }
            }
            Completion::Outside(completion) => completion.complete(),
        }
    }
}

/// A future of a task's output; see [`spawn`](super::spawn).
///
/// Dropping it does not end the task.
pub struct JoinHandle<T> {
    task: Arc<Task>,
    shared: Arc<Shared<T>>,
    thread: thread::JoinHandle<()>,
    /// Whether the output has been taken.
    is_taken: bool,
}

impl<T: Send + 'static> JoinHandle<T> {
    #[track_caller]
    pub(super) fn spawn(origin: Origin, future: impl Future<Output = T> + Send + 'static) -> Self {
        let task = Task::to_be_spawned(origin);
        let shared = Arc::new(Shared { completion: Completion::new(origin), output: Mutex::default() });
        let (driver, result) = (task.clone(), shared.clone());
        let thread = thread::spawn(move || {
            let driven = catch_unwind(AssertUnwindSafe(move || driver.start(pin!(future))));
            result.complete(match driven {
                Ok(Driven::Ready(output)) => Ok(output),
                Ok(Driven::Cancelled) => Err(JoinError(Reason::Cancelled)),
                Err(payload) if !hands_panics_over(&*payload) => resume_unwind(payload),
                Err(payload) => Err(JoinError(Reason::Panicked(Mutex::new(payload)))),
            });
        });
        Self { task, shared, thread, is_taken: false }
    }
}

/// Whether a panic is handed to the code that waits for the task. In a model it is a failure unless the settings say otherwise.
fn hands_panics_over(payload: &(dyn Any + Send)) -> bool {
    #[cfg(feature = "model")]
    if let Some(hands_over) = model::with(model::Model::hands_panics_over) {
        return hands_over && !model::is_torn_down(payload);
    }
    let _ = payload;
    true
}

impl<T> JoinHandle<T> {
    /// Has the task drop its future instead of polling it again. A task that has ended, or that ends with the poll it is in,
    /// is not cancelled.
    pub fn abort(&self) {
        self.task.send(Signal::Abort);
    }

    /// Another handle to cancel the task by.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle { task: self.task.clone() }
    }

    /// Whether the task has ended.
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        match &self.shared.completion {
            #[cfg(feature = "model")]
            Completion::Inside(completion) => completion.is_complete(Location::caller()),
            Completion::Outside(completion) => completion.is_complete(),
        }
    }

    /// Lets the task go on by itself for as long as it likes: in a model, it is no deadlock if it still waits when all others
    /// have ended.
    pub fn detach(self) {
        #[cfg(feature = "model")]
        self.thread.let_it_idle();
    }
}

impl<T> Future for JoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        assert!(!self.is_taken, "a JoinHandle is polled after it was ready");
        let waker = context.waker().clone();
        let is_complete = match &self.shared.completion {
            #[cfg(feature = "model")]
            Completion::Inside(completion) => completion.poll(waker),
            Completion::Outside(completion) => completion.poll(waker),
        };
        if !is_complete {
            return Poll::Pending;
        }
        self.is_taken = true;
        Poll::Ready(self.shared.take().unwrap_or(Err(JoinError(Reason::Cancelled))))
    }
}

impl<T> Drop for JoinHandle<T> {
    fn drop(&mut self) {
        // In a model, who drops the output is not left to the counts of an `Arc`, which it does not see.
        #[cfg(feature = "model")]
        if std::mem::needs_drop::<T>()
            && !self.is_taken
            && let Completion::Inside(completion) = &self.shared.completion
            && completion.drop_handle() == inside::End::Complete
        {
            drop(self.shared.take());
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").field("thread", self.thread.thread()).finish_non_exhaustive()
    }
}

/// A handle to cancel a task by; see [`JoinHandle::abort_handle`].
#[derive(Clone)]
pub struct AbortHandle {
    task: Arc<Task>,
}

impl AbortHandle {
    /// As [`JoinHandle::abort`].
    pub fn abort(&self) {
        self.task.send(Signal::Abort);
    }
}

impl fmt::Debug for AbortHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AbortHandle").finish_non_exhaustive()
    }
}

/// Why a task has no output.
pub struct JoinError(Reason);

enum Reason {
    Cancelled,
    /// Never locked: so the error can be shared if the payload cannot.
    Panicked(Mutex<Box<dyn Any + Send>>),
}

impl JoinError {
    /// Whether the task was aborted.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0, Reason::Cancelled)
    }

    /// Whether the task panicked. In a model that is a failure of the execution instead, unless
    /// `everyway::Builder::panics` says otherwise.
    pub fn is_panic(&self) -> bool {
        matches!(self.0, Reason::Panicked(_))
    }

    /// What the task panicked with.
    ///
    /// # Panics
    /// If it did not.
    #[track_caller]
    pub fn into_panic(self) -> Box<dyn Any + Send> {
        match self.0 {
            Reason::Panicked(payload) => payload.into_inner().unwrap_or_else(PoisonError::into_inner),
            Reason::Cancelled => panic!("the task was cancelled, and did not panic"),
        }
    }
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Reason::Cancelled => "the task was cancelled",
            Reason::Panicked(_) => "the task panicked",
        })
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinError({self})")
    }
}

impl std::error::Error for JoinError {}
