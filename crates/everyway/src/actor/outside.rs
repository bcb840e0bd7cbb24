//! Mailboxes between threads of the operating system.

use super::Patience;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A mailbox.
pub(super) struct Mailbox<M> {
    name: String,
    messages: Mutex<Messages<M>>,
    arrived: Condvar,
}

struct Messages<M> {
    waiting: VecDeque<M>,
    /// Whether the receiving end is gone.
    closed: bool,
}

impl<M> Mailbox<M> {
    pub(super) fn new(name: String) -> Self {
        let messages = Mutex::new(Messages { waiting: VecDeque::new(), closed: false });
        Self { name, messages, arrived: Condvar::new() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The messages. A pattern that panicked has changed nothing.
    fn messages(&self) -> MutexGuard<'_, Messages<M>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn send(&self, message: M) {
        let mut messages = self.messages();
        if messages.closed {
            // What it does when it is dropped must not be done under the lock: it may well send something.
            drop(messages);
            drop(message);
            return;
        }
        messages.waiting.push_back(message);
        self.arrived.notify_one();
    }

    /// Takes the oldest message that `matches`, waiting for one. Only new messages are tried again when it wakes up.
    pub(super) fn receive(&self, matches: Option<&(dyn Fn(&M) -> bool + Send)>, patience: Patience) -> Option<M> {
        let deadline = match patience {
            Patience::Waits => None,
            // One that is too far away to be told is as good as none.
            Patience::GivesUp(timeout) => Instant::now().checked_add(timeout),
        };
        let mut messages = self.messages();
        let mut tried = 0;
        loop {
            let mut new = messages.waiting.iter().skip(tried);
            if let Some(position) = new.position(|message| matches.is_none_or(|matches| matches(message))) {
                return messages.waiting.remove(tried + position);
            }
            tried = messages.waiting.len();
            messages = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
                None => self.arrived.wait(messages).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return None,
                Some(left) => self.arrived.wait_timeout(messages, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    /// The receiving end is gone.
    pub(super) fn close(&self) {
        let mut messages = self.messages();
        messages.closed = true;
        let unwanted = std::mem::take(&mut messages.waiting);
        drop(messages);
        drop(unwanted);
    }
}
