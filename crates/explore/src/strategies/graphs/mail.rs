//! Mailboxes: what a receive finds after given accesses to a mailbox.
//!
//! Every access to a mailbox is a read-modify-write, so modification order is the order in which messages were sent and
//! taken. The value that an access leaves is what it did: the message that it sent, or took, or 0. A receive
//! synchronises with the sending of the message that it takes, and with nothing else.

use super::event::{Cell, Kind, Position};
use super::graph::Graph;
use super::touches::Touch;
use everyway_runtime::{Class, Effect, Message, State};

/// Marks a message that was taken.
const TAKEN: u64 = 1 << 63;

/// What an access leaves in the mailbox.
pub(super) fn left_by(effect: Effect, class: Class) -> u64 {
    match (effect, class) {
        (_, Class::Send(message)) => Message::encode(Some(message)),
        (Effect::Receive(_), Class::Receive { message, .. }) => Message::encode(Some(message)) | TAKEN,
        _ => 0,
    }
}

impl Graph {
    /// The write that sent what a receive has taken, by what that left.
    pub(super) fn send_of(&self, cell: Cell, left: u64) -> Option<Position> {
        let sent = (left & TAKEN != 0).then_some(left & !TAKEN)?;
        let writes = self.accesses(cell).writes.iter().copied();
        writes.into_iter().find(|&write| matches!(self.event(write).kind, Kind::Write { value, .. } if value == sent))
    }

    /// What a receive finds after the accesses up to `source`, and one more that leaves `then`.
    pub(super) fn mail(&self, touch: Touch, source: Option<Position>, then: Option<u64>, state: &dyn State) -> u64 {
        let Some(receive) = self.touches.access(touch).effect.receive() else { return 0 };
        let last = self.label(source);
        let writes = self.accesses(touch.cell).writes.iter().map(|&write| self.event(write).kind);
        let left = writes.filter_map(|kind| match kind {
            Kind::Write { value, label, .. } if label <= last => Some(value),
            _ => None,
        });
        let left: Vec<u64> = left.chain(then).filter(|&left| left != 0).collect();
        let is_there = |sent: &&u64| **sent & TAKEN == 0 && !left.contains(&(**sent | TAKEN));
        let location = self.touches.access(touch).location;
        let mut sent = left.iter().filter(is_there).filter_map(|&sent| Message::decode(sent));
        Message::encode(sent.find(|&message| state.matches(location, receive, message)))
    }
}
