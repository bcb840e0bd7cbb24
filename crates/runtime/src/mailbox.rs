//! Mailboxes: messages that any thread may send, and that the receiver takes in any order.
//!
//! A mailbox is a location. It has no value; it holds the messages that were sent to it and not taken yet, in the order
//! in which they were sent. A receive takes the oldest message that it *matches*, and leaves the others. A channel is a
//! mailbox whose receives match everything. One thread at a time receives from a mailbox, and what a receive matches
//! may depend on everything that this thread knows.
//!
//! **Names.** A message is named by its sender and the number of messages that it sent before, a receive by the number
//! of earlier receives from this mailbox. These names survive the reordering of independent events; the position of a
//! message in the mailbox would not. Several receives may share a number if they match the same messages, and none of
//! them but the last takes anything.
//!
//! **Matches are recorded data.** Race analysis runs no code, but needs to know whether a receive would have taken a
//! message that came too late, or one that another message was preferred to. So the program records what its receives
//! match, and answers [`Matching::matches`] for every pair of the present execution that can be asked for: a receive
//! that was carried out or is announced, and a message that was sent or is announced. If an earlier receive had taken
//! the message, the answer is no: it was not there to be found. A front end whose patterns are data computes the
//! answer. One whose patterns are code keeps them for the rest of the execution. It tries an announced pattern on all
//! messages that are in the mailbox or announced, and an announced message on all patterns so far. An execution may be
//! put in order long after its steps were taken, so the answer must not depend on when it is asked for.
//!
//! **Conflicts** follow Sect. 10 of the JACM paper:
//!
//! - two sends to one mailbox conflict;
//! - a receive that takes a message conflicts with the sending of it, and with no other send;
//! - a receive that finds nothing ([`Class::Miss`](crate::Class::Miss)) conflicts with every send of a message that it
//!   matches.
//!
//! With observers (TACAS 2018, Sect. 6) two sends conflict only if some receive could have taken either: if it took the
//! one and matches the other, which no earlier receive had taken (`observation.rs` of the engine).
//!
//! This module knows neither executions nor strategies.

use crate::effect::Effect;
use crate::ids::{Location, ThreadId};
use crate::operation::{Class, Visit};
use smallvec::SmallVec;
use std::fmt;

/// A message, under a name that does not depend on the interleaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// Who sends it.
    pub sender: ThreadId,
    /// How many messages, to any mailbox, its sender has announced before.
    pub nth: u32,
}

impl Message {
    /// What a receive finds, as the value that its condition is about: 0 is nothing.
    pub fn encode(found: Option<Self>) -> u64 {
        found.map_or(0, |message| u64::from(message.sender.0 + 1) << 32 | u64::from(message.nth))
    }

    /// The message that [`Message::encode`] made this value of.
    pub fn decode(value: u64) -> Option<Self> {
        let sender = (value >> 32).checked_sub(1)? as u32;
        Some(Self { sender: ThreadId(sender), nth: value as u32 })
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}.{}", self.sender.0, self.nth)
    }
}

/// What the receives of the present execution match; see the module.
pub trait Matching {
    /// Whether the receive with this number, from `mailbox`, takes `message` if there is no older one that it
    /// matches; `false` if an earlier receive has taken it.
    ///
    /// A program without mailboxes is never asked, and one whose receives match everything need not say anything.
    fn matches(&self, mailbox: Location, receive: u32, message: Message) -> bool {
        let _ = (mailbox, receive, message);
        true
    }

    /// Whether it is known that all receives from `mailbox`, carried out or announced, match every message. Then messages
    /// are found in the order in which they were sent.
    fn matches_everything(&self, mailbox: Location) -> bool {
        let _ = mailbox;
        false
    }
}

/// The message that the receive with this number finds in `mailbox` after `visits` to it: the oldest one that it matches,
/// and that no earlier receive has taken.
pub fn oldest<'a>(
    visits: impl Iterator<Item = &'a Visit>,
    mailbox: Location,
    receive: u32,
    matching: &dyn Matching,
) -> Option<Message> {
    let (mut sent, mut taken): (SmallVec<[Message; 16]>, SmallVec<[Message; 16]>) = Default::default();
    for Visit { access, class, .. } in visits {
        match (access.effect, *class) {
            (_, Class::Send(message)) => sent.push(message),
            (Effect::Receive(_), Class::Receive { number, message }) if number < receive => taken.push(message),
            _ => {}
        }
    }
    // Mostly they were taken in the order in which they were sent.
    let in_order = sent.iter().zip(&taken).take_while(|(sent, taken)| sent == taken).count();
    let (sent, taken) = (&sent[in_order..], &taken[in_order..]);
    sent.iter().copied().find(|message| !taken.contains(message) && matching.matches(mailbox, receive, *message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_has_a_value_of_its_own() {
        for message in [(0, 0), (0, 1), (1, 0), (u32::MAX - 1, u32::MAX)] {
            let message = Message { sender: ThreadId(message.0), nth: message.1 };
            assert_eq!(Message::decode(Message::encode(Some(message))), Some(message));
        }
        assert_eq!(Message::decode(Message::encode(None)), None);
    }
}
