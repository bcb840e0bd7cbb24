//! [`std::sync::mpsc`], as models see it.
//!
//! Whether a channel is a model's is settled when it is made. One that is made inside of a model belongs to that
//! execution, and using it anywhere else is a panic. One that is made outside of models is std's, also if it is
//! used inside: models do not see it, and where they would have to wait for it they panic. So an ordinary
//! channel can carry results out of a check.
//!
//! In a model, a timeout is a choice: [`Receiver::recv_timeout`] gives up if there is no message when the thread
//! goes on.

mod receiver;
mod sender;
mod shared;

pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use sender::{Sender, SyncSender};
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use crate::model;
use shared::Shared;
use std::panic::Location;
use std::sync::Arc;

/// A channel whose senders never wait; as [`std::sync::mpsc::channel`].
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let caller = Location::caller();
    match model::with(|model| Arc::new(Shared::new(model, None))) {
        Some(shared) => (Sender::inside(shared.clone(), caller), Receiver::inside(shared, caller)),
        None => {
            let (sender, receiver) = std::sync::mpsc::channel();
            (Sender::outside(sender), Receiver::outside(receiver, caller))
        }
    }
}

/// A channel that holds `bound` messages: a send beyond that waits until there is room. If `bound` is 0, a sender waits
/// until its message is taken. As [`std::sync::mpsc::sync_channel`].
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let caller = Location::caller();
    match model::with(|model| Arc::new(Shared::new(model, Some(bound)))) {
        Some(shared) => (SyncSender::inside(shared.clone(), caller), Receiver::inside(shared, caller)),
        None => {
            let (sender, receiver) = std::sync::mpsc::sync_channel(bound);
            (SyncSender::outside(sender), Receiver::outside(receiver, caller))
        }
    }
}

/// What waiting inside of a model for a channel of outside comes to.
#[track_caller]
fn would_wait(what: &str) -> ! {
    panic!("everyway: `{what}` would wait for a channel that was made outside of the model, which the model cannot see")
}
