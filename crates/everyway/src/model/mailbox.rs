//! Mailboxes of an execution: which messages wait in which order, and which receive matches which.
//!
//! Only names are kept here. The messages themselves are with those who know their type, and so are the patterns of
//! receives, which are tried on messages there (`sync/mpsc`, `actor`).

use super::Inner;
use everyway_explore::{Access, Effect, Location, Message, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Which messages the receives from a mailbox match.
#[derive(Debug)]
pub(crate) enum Matches {
    /// All of them.
    Everything,
    /// These pairs of a receive and a message.
    #[expect(dead_code, reason = "channels take every message")]
    Pairs(FxHashSet<(u32, Message)>),
}

/// A mailbox.
#[derive(Debug)]
pub(crate) struct Mailbox {
    /// In the order in which they were sent.
    waiting: VecDeque<Message>,
    /// By which receives messages were taken.
    taken: FxHashMap<Message, u32>,
    matches: Matches,
}

impl Mailbox {
    fn new(matches: Matches) -> Self {
        Self { waiting: VecDeque::new(), taken: FxHashMap::default(), matches }
    }

    /// How many messages were ever sent.
    pub(crate) fn sent(&self) -> usize {
        self.waiting.len() + self.taken.len()
    }

    /// Whether the receive with this number takes `message` if there is no older one that it matches.
    pub(crate) fn matches(&self, receive: u32, message: Message) -> bool {
        let is_there = self.taken.get(&message).is_none_or(|&by| by >= receive);
        is_there
            && match &self.matches {
                Matches::Everything => true,
                Matches::Pairs(pairs) => pairs.contains(&(receive, message)),
            }
    }

    /// The message that the receive with this number takes now.
    fn find(&self, receive: u32) -> Option<Message> {
        self.waiting.iter().copied().find(|&message| self.matches(receive, message))
    }

    /// The receive with this number takes `message`.
    fn take(&mut self, receive: u32, message: Message) {
        let position = self.waiting.iter().position(|&waiting| waiting == message);
        self.waiting.remove(position.expect("only what is there is taken"));
        self.taken.insert(message, receive);
    }
}

impl Inner {
    /// A new mailbox of this kind.
    pub(crate) fn add_mailbox(&mut self, kind: &'static str, matches: Matches) -> Location {
        let location = self.add_object(kind, 0);
        self.object_mut(location).mailbox = Some(Box::new(Mailbox::new(matches)));
        location
    }

    pub(crate) fn mailbox(&mut self, location: Location) -> &mut Mailbox {
        self.object_mut(location).mailbox.as_mut().expect("a mailbox")
    }

    /// The name of the next message that the running thread sends.
    pub(crate) fn next_message(&mut self) -> Message {
        let sender = self.running;
        let sent = &mut self.current_thread().sent;
        *sent += 1;
        Message { sender, nth: *sent - 1 }
    }

    /// What `access` finds: the value of its location, or a message.
    pub(crate) fn found(&self, access: &Access) -> u64 {
        let Some(number) = access.effect.receive() else { return self.value(access.location) };
        let mailbox = self.object(access.location).mailbox.as_ref().expect("a mailbox");
        Message::encode(mailbox.find(number))
    }

    /// Takes note of what was done to a location.
    pub(super) fn leave(&mut self, visit: &Visit) {
        match visit.access.effect {
            Effect::Send(message) => self.mailbox(visit.access.location).waiting.push_back(message),
            Effect::Receive(number) => {
                if let Some(message) = Message::decode(visit.before) {
                    self.mailbox(visit.access.location).take(number, message);
                }
            }
            Effect::Peek(_) => {}
            _ => self.set_value(visit.access.location, visit.after),
        }
    }
}
