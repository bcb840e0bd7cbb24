//! A channel of a model: its locations, and the operations on them.
//!
//! | location | value |
//! |---|---|
//! | queue | a mailbox whose receives match everything |
//! | senders | how many there are |
//! | receiver | 1 as long as there is one |
//! | slots of a bounded channel | how many are free |
//! | slots of a rendezvous channel | how many messages were taken |
//! | arrival (rendezvous) | 1 while the receiver waits and no message was sent to it |
//!
//! A receive takes the oldest message *or else* looks whether there are senders left, so one that
//! finds its message depends on nothing but the sending of it. It tells the slots in a step of its own: no step
//! of another thread between the two makes a difference, because only the sending of the message
//! that was taken conflicts with the first.

use crate::model::detail::Detail;
use crate::model::kind::Kind;
use crate::model::{self, CodeSite, Label, Model, Pending, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Message, Operation, Ordering, Then, Verb};
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, SendError, TrySendError};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A channel of a model.
pub(super) struct Shared<T> {
    /// The execution that it belongs to.
    epoch: u64,
    queue: Location,
    senders: Location,
    receiver: Location,
    room: Room,
    messages: Mutex<Messages<T>>,
}

/// How many messages there is room for.
#[derive(Clone, Copy)]
enum Room {
    Unbounded,
    Bounded { free: Location },
    Rendezvous { taken: Location, arrival: Location },
}

/// The messages on their way, and how many were taken.
struct Messages<T> {
    waiting: VecDeque<(Message, T)>,
    taken: u32,
}

/// How long a receive waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// As long as there are senders.
    Waits,
    /// Until it gives up, which it may do at any time.
    GivesUp,
    /// Not at all.
    Never,
}

impl<T> Shared<T> {
    /// A channel with a sender and a receiver.
    pub(super) fn new(model: &Model, bound: Option<usize>) -> Self {
        let mut state = model.state();
        let queue = state.add_channel();
        let senders = state.make_object(Kind::Senders, 1);
        let receiver = state.make_object(Kind::Receiver, 1);
        let room = match bound {
            None => Room::Unbounded,
            Some(0) => Room::Rendezvous {
                taken: state.make_object(Kind::Slots, 0),
                arrival: state.make_object(Kind::Arrival, 0),
            },
            Some(bound) => Room::Bounded { free: state.make_object(Kind::Slots, bound as u64) },
        };
        let messages = Mutex::new(Messages { waiting: VecDeque::new(), taken: 0 });
        Self { epoch: state.epoch, queue, senders, receiver, room, messages }
    }

    /// Calls `f` with the model, if the caller is part of the execution that the channel belongs to.
    fn with_model<R>(&self, f: impl FnOnce(&Model) -> R) -> Option<R> {
        model::with(|model| {
            let here = model.state().epoch == self.epoch;
            here.then(|| f(model))
        })
        .flatten()
    }

    #[track_caller]
    fn inside<R>(&self, f: impl FnOnce(&Model) -> R) -> R {
        self.with_model(f).expect("everyway: a channel is used outside of the execution that it was made in")
    }

    fn messages(&self) -> MutexGuard<'_, Messages<T>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn label(&self, verb: Verb, show: Show, caller: CodeSite) -> Label {
        Label { verb, object: Some(self.queue), show, caller }
    }

    /// Sends, waiting for room.
    #[track_caller]
    pub(super) fn send(&self, message: T, caller: CodeSite) -> Result<(), SendError<T>> {
        self.inside(|model| {
            let room = match self.room {
                Room::Unbounded => None,
                Room::Bounded { free } => Some(take_slot(free, Then::Block)),
                Room::Rendezvous { arrival, .. } => {
                    model.has(Detail::Arrivals).then(|| Access::new(arrival, Effect::Write(0)))
                }
            };
            let Ok(sent) = self.enqueue(model, room, Verb::Send, caller) else { return Err(SendError(message)) };
            model.unnamed(|| self.messages().waiting.push_back((sent, message)));
            match self.room {
                Room::Rendezvous { taken, .. } => self.await_receiver(model, taken, sent, caller),
                _ => Ok(()),
            }
        })
    }

    /// Sends, if there is room now.
    #[track_caller]
    pub(super) fn try_send(&self, message: T, caller: CodeSite) -> Result<(), TrySendError<T>> {
        self.inside(|model| {
            let room = match self.room {
                Room::Unbounded => None,
                Room::Bounded { free } => Some(take_slot(free, Then::Done)),
                Room::Rendezvous { arrival, .. } => {
                    model.needs(Detail::Arrivals);
                    let meet = Access::new(arrival, Effect::Write(0)).if_now(Condition::Equals(1));
                    Some(Access { holds: Then::Next, ..meet })
                }
            };
            match self.enqueue(model, room, Verb::TrySend, caller) {
                Ok(sent) => {
                    model.unnamed(|| self.messages().waiting.push_back((sent, message)));
                    Ok(())
                }
                Err(0) => Err(TrySendError::Disconnected(message)),
                Err(_) => Err(TrySendError::Full(message)),
            }
        })
    }

    /// Appends a message if there is a receiver, and `room` allows it; its name, or else the access that forbade it.
    fn enqueue(&self, model: &Model, room: Option<Access>, verb: Verb, caller: CodeSite) -> Result<Message, usize> {
        let message = model.state().next_message();
        let alive = Access::new(self.receiver, Effect::Read).or_else(Condition::Equals(0));
        let send = Access::new(self.queue, Effect::Send(message));
        let label = |words| self.label(verb, Show::Ending(words), caller);
        let outcome = match room {
            None => model.perform_accesses([alive, send], label(&["no receiver", ""])),
            Some(room) => model.perform_accesses([alive, room, send], label(&["no receiver", "full", ""])),
        };
        if outcome.is_last { Ok(message) } else { Err(outcome.last as usize) }
    }

    /// Waits until the message, the last one that was sent, is taken; if that is not going to happen, takes it back.
    fn await_receiver(
        &self,
        model: &Model,
        taken: Location,
        message: Message,
        caller: CodeSite,
    ) -> Result<(), SendError<T>> {
        let sent = model.state().mailbox(self.queue).sent() as u64;
        let accesses = [
            Access::new(taken, Effect::Read).or_else(Condition::AtLeast(sent)),
            Access::new(self.receiver, Effect::Read).once(Condition::Equals(0)),
        ];
        let label = self.label(Verb::AwaitReceiver, Show::Ending(&["", "no receiver"]), caller);
        if model.perform_accesses(accesses, label).last == 0 {
            return Ok(());
        }
        let mut messages = self.messages();
        match messages.waiting.iter().position(|(sent, _)| *sent == message) {
            Some(position) => {
                let (_, message) = messages.waiting.remove(position).expect("it is at this position");
                Err(SendError(message))
            }
            None => Ok(()),
        }
    }

    /// Takes the next message.
    #[track_caller]
    pub(super) fn receive(&self, verb: Verb, patience: Patience, caller: CodeSite) -> Result<T, RecvTimeoutError> {
        self.inside(|model| match self.room {
            Room::Rendezvous { arrival, .. } if model.has(Detail::Arrivals) && patience != Patience::Never => {
                let arrive = Access::new(arrival, Effect::Write(1));
                match self.dequeue(model, Some(arrive), Patience::Never, Verb::ArriveToReceive, caller) {
                    Err(RecvTimeoutError::Timeout) => {}
                    ended => return ended,
                }
                let leave = Access::new(arrival, Effect::Write(0));
                self.dequeue(model, (patience == Patience::GivesUp).then_some(leave), patience, verb, caller)
            }
            _ => self.dequeue(model, None, patience, verb, caller),
        })
    }

    /// Takes the next message, or finds that there are no senders, or waits or gives up; `otherwise` takes
    /// place if it gives up.
    fn dequeue(
        &self,
        model: &Model,
        otherwise: Option<Access>,
        patience: Patience,
        verb: Verb,
        caller: CodeSite,
    ) -> Result<T, RecvTimeoutError> {
        let next = self.messages().taken;
        let receive = Access::new(self.queue, Effect::Receive(next)).or_else(Condition::Differs(0));
        // To find that there are senders left orders nothing.
        let senders = Access { ordering_unmet: Ordering::Relaxed, ..Access::new(self.senders, Effect::Read) };
        let senders = match (patience, otherwise) {
            (Patience::Waits, _) => senders.once(Condition::Equals(0)),
            (_, None) => senders.if_now(Condition::Equals(0)),
            (_, Some(_)) => senders.or_else(Condition::Equals(0)),
        };
        let words: &[&str] = match patience {
            Patience::Waits => &["", "no senders"],
            _ => &["", "nothing", "nothing"],
        };
        let label = self.label(verb, Show::Ending(words), caller);
        let outcome = match otherwise {
            None => model.perform_accesses([receive, senders], label),
            Some(otherwise) => model.perform_accesses([receive, senders, otherwise], label),
        };
        match outcome.last {
            0 => self.take(model, outcome.before, caller).ok_or(RecvTimeoutError::Disconnected),
            // A receive that waits and gets here has found no senders - or must not wait, as a panic unwinds.
            1 if outcome.before == 0 || patience == Patience::Waits => Err(RecvTimeoutError::Disconnected),
            _ => Err(RecvTimeoutError::Timeout),
        }
    }

    /// Takes the message that the queue's location says is there, and makes room.
    fn take(&self, model: &Model, found: u64, caller: CodeSite) -> Option<T> {
        let taken = Message::decode(found)?;
        let mut messages = self.messages();
        let (name, message) = messages.waiting.pop_front()?;
        debug_assert_eq!(name, taken, "channels are first in, first out");
        messages.taken += 1;
        drop(messages);
        let (slots, verb) = match self.room {
            Room::Unbounded => return Some(message),
            Room::Bounded { free } => (free, Verb::FreeSlot),
            Room::Rendezvous { taken, .. } => (taken, Verb::ReleaseSender),
        };
        let add = Access::new(slots, Effect::Add(1));
        model.perform_access(add, self.label(verb, Show::Nothing, caller));
        Some(message)
    }

    /// There is one more sender.
    #[track_caller]
    pub(super) fn add_sender(&self, caller: CodeSite) {
        self.inside(|model| {
            let add = Access::new(self.senders, Effect::Add(1));
            model.perform_access(add, self.label(Verb::CloneSender, Show::Nothing, caller));
        });
    }

    /// There is one sender less.
    pub(super) fn remove_sender(&self, caller: CodeSite) {
        self.leave(Access::new(self.senders, Effect::Add(u64::MAX)), Verb::DropSender, caller);
    }

    /// There is no receiver any more, and the messages on their way are lost.
    pub(super) fn remove_receiver(&self, caller: CodeSite) {
        self.leave(Access::new(self.receiver, Effect::Write(0)), Verb::DropReceiver, caller);
        // Those to a rendezvous are given back to their senders, who wait.
        if !matches!(self.room, Room::Rendezvous { .. }) {
            let unwanted = std::mem::take(&mut self.messages().waiting);
            drop(unwanted);
        }
    }

    /// Carries out the access with which an end of the channel is dropped.
    fn leave(&self, access: Access, verb: Verb, caller: CodeSite) {
        self.with_model(|model| {
            let label = self.label(verb, Show::Nothing, caller);
            if std::thread::panicking() {
                model.defer(Pending::new(Operation::new([access]), label));
            } else {
                model.perform_access(access, label);
            }
        });
    }
}

/// Takes one of the free slots; if there is none, what follows is `full`.
fn take_slot(free: Location, full: Then) -> Access {
    // Not an add: two senders that take the last slot do not commute.
    let take = Access::new(free, Effect::Modify(|slots, _| slots - 1, 0));
    Access { when: Condition::AtLeast(1), holds: Then::Next, fails: full, ..take }
}
