//! The sending ends.

use super::shared::Shared;
use super::{SendError, TrySendError, would_wait};
use crate::model::{self, CodeSite};
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

/// A sending end: the model's, or std's.
enum End<T, O> {
    Inside {
        shared: Arc<Shared<T>>,
        /// Where it was made.
        caller: CodeSite,
    },
    Outside(O),
}

impl<T, O: Clone> End<T, O> {
    #[track_caller]
    fn another(&self) -> Self {
        match self {
            End::Inside { shared, .. } => {
                let caller = Location::caller();
                shared.add_sender(caller);
                End::Inside { shared: shared.clone(), caller }
            }
            End::Outside(sender) => End::Outside(sender.clone()),
        }
    }
}

impl<T, O> Drop for End<T, O> {
    fn drop(&mut self) {
        if let End::Inside { shared, caller } = self {
            shared.remove_sender(caller);
        }
    }
}

/// The sending end of a [`channel`](super::channel()); as [`std::sync::mpsc::Sender`].
pub struct Sender<T> {
    end: End<T, std::sync::mpsc::Sender<T>>,
}

impl<T> Sender<T> {
    pub(super) fn inside(shared: Arc<Shared<T>>, caller: CodeSite) -> Self {
        Self { end: End::Inside { shared, caller } }
    }

    pub(super) fn outside(sender: std::sync::mpsc::Sender<T>) -> Self {
        Self { end: End::Outside(sender) }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// The message, if there is no receiver any more.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.end {
            End::Inside { shared, .. } => shared.send(message, Location::caller()),
            End::Outside(sender) => sender.send(message),
        }
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Self { end: self.end.another() }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

/// The sending end of a [`sync_channel`](super::sync_channel); as [`std::sync::mpsc::SyncSender`].
pub struct SyncSender<T> {
    end: End<T, std::sync::mpsc::SyncSender<T>>,
}

impl<T> SyncSender<T> {
    pub(super) fn inside(shared: Arc<Shared<T>>, caller: CodeSite) -> Self {
        Self { end: End::Inside { shared, caller } }
    }

    pub(super) fn outside(sender: std::sync::mpsc::SyncSender<T>) -> Self {
        Self { end: End::Outside(sender) }
    }

    /// Sends a message, waiting until there is room for it; if the channel holds none, until it is taken.
    ///
    /// # Errors
    /// The message, if there is no receiver any more.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.end {
            End::Inside { shared, .. } => shared.send(message, Location::caller()),
            End::Outside(sender) if model::with(|_| ()).is_some() => match sender.try_send(message) {
                Ok(()) => Ok(()),
                Err(TrySendError::Disconnected(message)) => Err(SendError(message)),
                Err(TrySendError::Full(_)) => would_wait("send"),
            },
            End::Outside(sender) => sender.send(message),
        }
    }

    /// Sends a message, if there is room for it; if the channel holds none, if a receiver is waiting.
    ///
    /// # Errors
    /// The message, if there is no room for it or no receiver any more.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        match &self.end {
            End::Inside { shared, .. } => shared.try_send(message, Location::caller()),
            End::Outside(sender) => sender.try_send(message),
        }
    }
}

impl<T> Clone for SyncSender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Self { end: self.end.another() }
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}
