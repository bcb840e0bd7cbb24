//! The receiving end.

use super::shared::{Patience, Shared};
use super::{RecvError, RecvTimeoutError, TryRecvError, would_wait};
use crate::model::{self, CodeSite};
use everyway_runtime::Verb;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// The receiving end of a channel; as [`std::sync::mpsc::Receiver`].
pub struct Receiver<T> {
    end: End<T>,
    /// Where it was made.
    caller: CodeSite,
    /// As in std: only one thread at a time can have it.
    not_sync: PhantomData<Cell<()>>,
}

enum End<T> {
    Inside(Arc<Shared<T>>),
    Outside(std::sync::mpsc::Receiver<T>),
}

impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}

impl<T> Receiver<T> {
    pub(super) fn inside(shared: Arc<Shared<T>>, caller: CodeSite) -> Self {
        Self { end: End::Inside(shared), caller, not_sync: PhantomData }
    }

    pub(super) fn outside(receiver: std::sync::mpsc::Receiver<T>, caller: CodeSite) -> Self {
        Self { end: End::Outside(receiver), caller, not_sync: PhantomData }
    }

    /// Takes a message, waiting for one.
    ///
    /// # Errors
    /// If there is none and no sender any more.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        match &self.end {
            End::Inside(shared) => {
                shared.receive(Verb::Receive, Patience::Waits, Location::caller()).map_err(|_| RecvError)
            }
            End::Outside(receiver) if model::with(|_| ()).is_some() => match receiver.try_recv() {
                Ok(message) => Ok(message),
                Err(TryRecvError::Disconnected) => Err(RecvError),
                Err(TryRecvError::Empty) => would_wait("recv"),
            },
            End::Outside(receiver) => receiver.recv(),
        }
    }

    /// Takes a message, if there is one.
    ///
    /// # Errors
    /// If there is none, with whether there are senders.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        match &self.end {
            End::Inside(shared) => {
                shared.receive(Verb::TryReceive, Patience::Never, Location::caller()).map_err(|error| match error {
                    RecvTimeoutError::Timeout => TryRecvError::Empty,
                    RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
                })
            }
            End::Outside(receiver) => receiver.try_recv(),
        }
    }

    /// Takes a message, waiting for one for some time. In a model, where no time passes, it gives up if there is
    /// none when the thread goes on; both are explored.
    ///
    /// # Errors
    /// If there is none, with whether there are senders.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        match &self.end {
            End::Inside(shared) => shared.receive(Verb::TimedReceive, Patience::GivesUp, Location::caller()),
            End::Outside(receiver) => receiver.recv_timeout(timeout),
        }
    }

    /// The messages, waiting for each, until there are no senders any more.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self }
    }

    /// The messages that are there.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        if let End::Inside(shared) = &self.end {
            shared.remove_receiver(self.caller);
        }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

/// Messages of a [`Receiver`], until there are no senders; as [`std::sync::mpsc::Iter`].
#[derive(Debug)]
pub struct Iter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
}

/// Messages that a [`Receiver`] has; as [`std::sync::mpsc::TryIter`].
#[derive(Debug)]
pub struct TryIter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
}

/// Messages of a [`Receiver`] that it owns, until there are no senders; as [`std::sync::mpsc::IntoIter`].
#[derive(Debug)]
pub struct IntoIter<T> {
    receiver: Receiver<T>,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv().ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv().ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self }
    }
}
