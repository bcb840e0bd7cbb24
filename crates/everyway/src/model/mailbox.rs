//! Mailboxes of an execution: the order of waiting messages, and which receive matches which message.
//!
//! Only names are kept here. The messages themselves are with the code that knows their type, and so are the patterns
//! of receives, which are tried on messages there (`sync/mpsc`, `actor`).

use super::kind::Kind;
use super::wording;
use super::{CodeSite, Failure, Inner, Model};
use everyway_report::BugKind;
use everyway_runtime::{Access, Bytes, Effect, Location, Message, Verb, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::collections::VecDeque;

/// Which messages the receives from a mailbox match.
#[derive(Debug)]
enum Matches {
    /// All of them.
    Everything,
    /// All of them by some receives; otherwise, these pairs of a receive and a message.
    Pairs { everything: FxHashSet<u32>, pairs: FxHashSet<(u32, Message)> },
}

/// A mailbox.
#[derive(Debug)]
pub(crate) struct Mailbox {
    /// The name of the process that it belongs to; none for a channel.
    owner: Option<String>,
    /// In the order in which they were sent.
    waiting: VecDeque<Message>,
    /// By which receives messages were taken.
    taken: FxHashMap<Message, u32>,
    matches: Matches,
    /// What messages look like, where reports want to know.
    texts: FxHashMap<Message, String>,
}

impl Mailbox {
    fn new(owner: Option<String>, matches: Matches) -> Self {
        let (waiting, taken, texts) = Default::default();
        Self { owner, waiting, taken, matches, texts }
    }

    /// Forgets all messages.
    fn clear(&mut self) {
        self.waiting.clear();
        self.taken.clear();
        self.texts.clear();
    }

    /// The name of the process that it belongs to; none for a channel.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The messages in it, the oldest first.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = Message> + '_ {
        self.waiting.iter().copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What a message looks like.
    pub(crate) fn text(&self, message: Message) -> &str {
        self.texts.get(&message).map_or("a message", String::as_str)
    }

    /// How many messages were ever sent.
    pub(crate) fn sent(&self) -> usize {
        self.waiting.len() + self.taken.len()
    }

    /// Whether the receive with this number takes `message` if there is no older one that it matches.
    pub(crate) fn matches(&self, receive: u32, message: Message) -> bool {
        self.is_matched(receive, message) && self.taken.get(&message).is_none_or(|&by| by >= receive)
    }

    /// Whether the receive with this number matches `message`, whether that was taken or not.
    #[inline]
    fn is_matched(&self, receive: u32, message: Message) -> bool {
        match &self.matches {
            Matches::Everything => true,
            Matches::Pairs { everything, pairs } => {
                everything.contains(&receive) || pairs.contains(&(receive, message))
            }
        }
    }

    /// Whether every receive from it matches every message.
    pub(crate) fn matches_everything(&self) -> bool {
        matches!(self.matches, Matches::Everything)
    }

    /// The message that the receive with this number takes now.
    fn find(&self, receive: u32) -> Option<Message> {
        // What waits was not taken.
        self.waiting.iter().copied().find(|&message| self.is_matched(receive, message))
    }

    /// The receive with this number takes `message`.
    fn take(&mut self, receive: u32, message: Message) {
        let position = self.waiting.iter().position(|&waiting| waiting == message);
        self.waiting.remove(position.expect("only what is there is taken"));
        self.taken.insert(message, receive);
    }
}

impl Inner {
    /// The mailbox of a new channel: a receive from it takes any message. The mailbox of the previous execution is reused.
    pub(crate) fn add_channel(&mut self) -> Location {
        let location = self.make_object(Kind::Channel, 0);
        match &mut self.object_mut(location).mailbox {
            Some(used) if used.matches_everything() => used.clear(),
            mailbox => *mailbox = Some(Box::new(Mailbox::new(None, Matches::Everything))),
        }
        location
    }

    /// The mailbox of a new process.
    pub(crate) fn add_process_mailbox(&mut self, owner: &str) -> Location {
        let matches = Matches::Pairs { everything: FxHashSet::default(), pairs: FxHashSet::default() };
        let location = self.make_object(Kind::Mailbox, 0);
        self.object_mut(location).mailbox = Some(Box::new(Mailbox::new(Some(owner.to_owned()), matches)));
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

    /// A message is about to be sent, which these of the receives so far match.
    pub(crate) fn announce_message(
        &mut self,
        mailbox: Location,
        message: Message,
        receives: &[u32],
        text: Option<String>,
    ) {
        self.untold |= text.is_none();
        let mailbox = self.mailbox(mailbox);
        mailbox.texts.extend(text.map(|text| (message, text)));
        if let Matches::Pairs { pairs, .. } = &mut mailbox.matches {
            pairs.extend(receives.iter().map(|&receive| (receive, message)));
        }
    }

    /// The receive with this number is about to be tried; of the messages so far, it matches these.
    pub(crate) fn announce_receive(&mut self, mailbox: Location, receive: u32, messages: &[Message]) {
        if let Matches::Pairs { pairs, .. } = &mut self.mailbox(mailbox).matches {
            pairs.extend(messages.iter().map(|&message| (receive, message)));
        }
    }

    /// The receive with this number is about to be tried, and matches everything.
    pub(crate) fn announce_receive_of_all(&mut self, mailbox: Location, receive: u32) {
        if let Matches::Pairs { everything, .. } = &mut self.mailbox(mailbox).matches {
            everything.insert(receive);
        }
    }

    /// What `access` finds: the value of its location, or a message.
    #[inline]
    pub(crate) fn found(&self, access: &Access) -> u64 {
        match access.effect.receive() {
            None => self.value(access.location),
            Some(number) => self.found_message(access.location, number),
        }
    }

    fn found_message(&self, mailbox: Location, number: u32) -> u64 {
        let mailbox = self.object(mailbox).mailbox.as_ref().expect("a mailbox");
        Message::encode(mailbox.find(number))
    }

    /// Takes note of what was done to a location.
    #[inline]
    pub(super) fn leave(&mut self, visit: &Visit) {
        match visit.access.effect {
            Effect::Send(_) | Effect::Receive(_) | Effect::Peek(_) => self.leave_in_mailbox(visit),
            // Where reads are told what they find, the other bytes need not be what they were.
            _ if visit.class.changes() => {
                let (location, bytes) = (visit.access.location, visit.access.bytes);
                let after = match bytes {
                    Bytes::ALL => visit.after,
                    _ => bytes.set(self.value(location), bytes.get(visit.after)),
                };
                self.set_value(location, after);
            }
            _ => {}
        }
    }

    fn leave_in_mailbox(&mut self, visit: &Visit) {
        match visit.access.effect {
            Effect::Send(message) => self.mailbox(visit.access.location).waiting.push_back(message),
            Effect::Receive(number) => {
                if let Some(message) = Message::decode(visit.before) {
                    self.mailbox(visit.access.location).take(number, message);
                }
            }
            _ => {}
        }
    }
}

impl Model {
    /// Runs a pattern of a receive, or the code that shows a message: it must not do anything that others can notice.
    pub(crate) fn in_pattern<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Left<'a>(&'a Cell<bool>);
        impl Drop for Left<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        self.in_pattern.set(true);
        let _left = Left(&self.in_pattern);
        // How often it is run, and on what, depends on the interleaving.
        self.unnamed(f)
    }

    /// Ends the execution if a pattern does something visible. Returns only if a panic is unwinding.
    #[inline(always)]
    pub(crate) fn refuse_in_pattern(&self, verb: Verb, caller: CodeSite) {
        if self.in_pattern.get() {
            self.refuse(verb, caller);
        }
    }

    #[cold]
    fn refuse(&self, verb: Verb, caller: CodeSite) {
        self.in_pattern.set(false);
        let what = wording::word(verb);
        let message =
            format!("`{what}` in the pattern of a receive, which must not do anything but look at the message");
        let source = Some(super::describe::source(caller));
        self.fail(Failure { source, ..Failure::new(BugKind::Misuse, message) });
    }
}
