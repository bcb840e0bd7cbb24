//! The messages that were sent to a queue, and who asked for which.

use super::Machine;
use crate::code::Instruction;
use crate::declare::Context;
use crate::program::{Condition, Inbox};
use everyway_runtime::{Location, Matching, Message};

/// A message that was sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) message: Message,
    pub(super) content: u64,
    /// The number of the receive that took it.
    pub(super) taken_by: Option<u32>,
}

/// A queue.
#[derive(Clone, Debug, Default)]
pub(super) struct Mailbox {
    /// In the order in which they were sent.
    pub(super) sent: Vec<Sent>,
    /// What the receives from it matched, in order, whether they took something or not.
    pub(super) receives: Vec<Condition>,
}

impl Mailbox {
    /// The position of the oldest message that is there and matches.
    pub(super) fn find(&self, matching: Condition) -> Option<usize> {
        self.sent.iter().position(|sent| sent.taken_by.is_none() && matching.holds(sent.content))
    }
}

impl Machine {
    /// The message that `thread` would take from its inbox.
    pub(super) fn find(&self, thread: usize, inbox: &Inbox) -> Option<Message> {
        let mailbox = &self.mailboxes[self.own(thread).location(&inbox.queue) as usize];
        mailbox.find(inbox.matching).map(|position| mailbox.sent[position].message)
    }

    /// What the thread that waits for messages of `mailbox`, if there is one, wants.
    fn announced_pattern(&self, mailbox: Location) -> Option<Condition> {
        (0..self.threads.len()).find_map(|thread| match self.instruction(thread) {
            Some(Instruction::Do(statement)) => {
                let inbox = statement.inbox()?;
                (self.own(thread).location(&inbox.queue) == mailbox.0).then_some(inbox.matching)
            }
            _ => None,
        })
    }

    /// The content of a message that its sender is about to send.
    fn announced_content(&self, mailbox: Location, message: Message) -> Option<u64> {
        let own = self.own(message.sender.index());
        let Some(Instruction::Do(statement)) = self.instruction(message.sender.index()) else { return None };
        let (queue, content) = statement.sending()?;
        (own.location(queue) == mailbox.0 && own.next_message() == message).then(|| own.value(content))
    }
}

impl Matching for Machine {
    /// # Panics
    /// When it is asked what decides no conflict.
    fn matches(&self, mailbox: Location, receive: u32, message: Message) -> bool {
        let Mailbox { sent, receives } = &self.mailboxes[mailbox.index()];
        let announced = || {
            assert_eq!(receives.len(), receive as usize, "a receive that is far ahead");
            self.announced_pattern(mailbox)
        };
        let pattern = receives.get(receive as usize).copied().or_else(announced);
        let pattern = pattern.expect("a receive that was carried out or announced");
        let content = match sent.iter().find(|sent| sent.message == message) {
            Some(sent) if sent.taken_by.is_some_and(|by| by < receive) => return false,
            Some(sent) => Some(sent.content),
            None => self.announced_content(mailbox, message),
        };
        pattern.holds(content.expect("a message that was sent or announced"))
    }

    fn matches_everything(&self, mailbox: Location) -> bool {
        let taken = &self.mailboxes[mailbox.index()].receives;
        taken.iter().chain(&self.announced_pattern(mailbox)).all(|&pattern| pattern == Condition::Always)
    }
}
