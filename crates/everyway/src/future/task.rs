//! A task: what its wakers and its handles do to it, and the loop that drives its future.

#[cfg(feature = "model")]
use super::inside;
use super::outside;
use std::any::type_name;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Which future a task drives, and where it was told to.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only reports of models have it"))]
pub(crate) struct Origin {
    pub(crate) future: &'static str,
    pub(crate) caller: &'static Location<'static>,
}

impl Origin {
    pub(super) fn of<F>(caller: &'static Location<'static>) -> Self {
        Self { future: type_name::<F>(), caller }
    }
}

/// What has come to a task since it looked last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Wake,
    Abort,
}

/// What became of the future of a task.
pub(super) enum Driven<T> {
    Ready(T),
    Cancelled,
}

/// A task, as its wakers know it: the model's, or one of the operating system.
pub(super) enum Task {
    #[cfg(feature = "model")]
    Inside(inside::Task),
    Outside(outside::Task),
}

impl Task {
    /// The calling thread as a task, whose first poll is due at once.
    pub(super) fn of_caller(origin: Origin) -> Arc<Self> {
        Self::new(origin, None)
    }

    /// A task that has to look for a signal before its first poll, and finds a wake-up if nothing else.
    pub(super) fn to_be_spawned(origin: Origin) -> Arc<Self> {
        Self::new(origin, Some(Signal::Wake))
    }

    fn new(origin: Origin, pending: Option<Signal>) -> Arc<Self> {
        #[cfg(feature = "model")]
        if let Some(task) = inside::Task::new(origin, pending) {
            return Arc::new(Task::Inside(task));
        }
        let _ = origin;
        Arc::new(Task::Outside(outside::Task::new(pending)))
    }

    pub(super) fn send(&self, signal: Signal) {
        match self {
            #[cfg(feature = "model")]
            Task::Inside(task) => task.send(signal),
            Task::Outside(task) => task.send(signal),
        }
    }

    /// Waits for a signal, and takes it.
    fn receive(&self) -> Signal {
        match self {
            #[cfg(feature = "model")]
            Task::Inside(task) => task.receive(),
            Task::Outside(task) => task.receive(),
        }
    }

    /// Gives way to other tasks. Whatever has come meanwhile is taken; without anything, it counts as a wake-up.
    fn give_way(&self) -> Signal {
        match self {
            #[cfg(feature = "model")]
            Task::Inside(task) => task.give_way(),
            Task::Outside(task) => task.give_way(),
        }
    }

    /// Polls `future` until it is ready or the task is aborted.
    pub(super) fn drive<F: Future>(self: &Arc<Self>, mut future: Pin<&mut F>) -> Driven<F::Output> {
        let waker = Waker::from(self.clone());
        let mut context = Context::from_waker(&waker);
        loop {
            let (polled, yields) = super::yield_now::noting(&waker, || future.as_mut().poll(&mut context));
            let signal = match polled {
                Poll::Ready(output) => return Driven::Ready(output),
                Poll::Pending if yields => self.give_way(),
                Poll::Pending => self.receive(),
            };
            if signal == Signal::Abort {
                return Driven::Cancelled;
            }
        }
    }

    /// [`Task::drive`] for a task that was spawned: it may have been aborted before it starts.
    pub(super) fn start<F: Future>(self: &Arc<Self>, future: Pin<&mut F>) -> Driven<F::Output> {
        match self.receive() {
            Signal::Wake => self.drive(future),
            Signal::Abort => Driven::Cancelled,
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        self.send(Signal::Wake);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.send(Signal::Wake);
    }
}
