//! Mailboxes of a model.
//!
//! The messages and the patterns are here, because here their type is known; the model is told by name which message is
//! where, and which receive matches which. A message is tried on all patterns so far when its sending is announced, and
//! a pattern on all messages when its receive is announced: the engine's documentation of mailboxes says why.

use super::{Patience, Pattern};
use crate::model::detail::Detail;
use crate::model::{self, CodeSite, Label, Model, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Message, Operation, Verb};
use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mailbox of a model.
pub(super) struct Mailbox<M> {
    /// The execution that it belongs to.
    epoch: u64,
    location: Location,
    name: String,
    contents: Mutex<Contents<M>>,
}

struct Contents<M> {
    /// Those that are announced, or were sent and not taken.
    messages: Vec<(Message, M)>,
    /// What the receives so far match, by their numbers; none: everything.
    patterns: Vec<Option<Pattern<M>>>,
}

impl<M> Mailbox<M> {
    pub(super) fn new(model: &Model, name: String) -> Self {
        let mut state = model.state();
        let location = state.add_process_mailbox(&name);
        let contents = Mutex::new(Contents { messages: Vec::new(), patterns: Vec::new() });
        Self { epoch: state.epoch, location, name, contents }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn contents(&self) -> MutexGuard<'_, Contents<M>> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[track_caller]
    fn inside<R>(&self, f: impl FnOnce(&Model) -> R) -> R {
        let here = |model: &Model| model.state().epoch == self.epoch;
        model::with(|model| here(model).then(|| f(model)))
            .flatten()
            .expect("everyway: a mailbox is used outside of the execution that it was made in")
    }

    fn label(&self, verb: Verb, caller: CodeSite) -> Label {
        Label { verb, object: Some(self.location), show: Show::Nothing, caller }
    }
}

impl<M: Debug> Mailbox<M> {
    #[track_caller]
    pub(super) fn send(&self, message: M, caller: CodeSite) {
        self.inside(|model| {
            model.refuse_in_pattern(Verb::Send, caller);
            let name = model.state().next_message();
            let text = model.has(Detail::Texts).then(|| model.in_pattern(|| format!("{message:?}")));
            let mut contents = self.contents();
            let matches = |pattern: &Option<Pattern<M>>| pattern.as_ref().is_some_and(|matches| matches(&message));
            let matching: Vec<u32> = model.in_pattern(|| {
                let patterns = contents.patterns.iter().enumerate();
                patterns.filter(|(_, pattern)| matches(pattern)).map(|(number, _)| number as u32).collect()
            });
            model.unnamed(|| contents.messages.push((name, message)));
            drop(contents);
            model.state().announce_message(self.location, name, &matching, text);
            let send = Operation::one(Access::new(self.location, Effect::Send(name)));
            model.perform(send, self.label(Verb::Send, caller));
        });
    }

    #[track_caller]
    pub(super) fn receive(&self, pattern: Option<Pattern<M>>, patience: Patience, caller: CodeSite) -> Option<M> {
        self.inside(|model| {
            model.refuse_in_pattern(Verb::SelectiveReceive, caller);
            let mut contents = self.contents();
            let on_trial = model.state().on_trial;
            let number = (contents.patterns.len() as u32).saturating_sub(on_trial.into());
            match &pattern {
                // It goes round a loop on trial: this stands for its last receive.
                _ if on_trial => {}
                None => model.state().announce_receive_of_all(self.location, number),
                Some(matches) => {
                    let matching: Vec<Message> = model.in_pattern(|| {
                        let messages = contents.messages.iter().filter(|(_, message)| matches(message));
                        messages.map(|(name, _)| *name).collect()
                    });
                    model.state().announce_receive(self.location, number, &matching);
                }
            }
            if !on_trial {
                model.unnamed(|| contents.patterns.push(pattern));
            }
            drop(contents);
            let access = Access::new(self.location, Effect::Receive(number));
            let access = match patience {
                Patience::Waits => access.once(Condition::Differs(0)),
                Patience::GivesUp(_) => access.if_now(Condition::Differs(0)),
            };
            let outcome = model.perform_access(access, self.label(Verb::SelectiveReceive, caller));
            let taken = Message::decode(outcome.before)?;
            let mut contents = self.contents();
            let position = contents.messages.iter().position(|(name, _)| *name == taken)?;
            Some(contents.messages.remove(position).1)
        })
    }
}

/// What waiting inside of a model for a mailbox of outside comes to.
#[track_caller]
pub(super) fn would_wait() -> ! {
    panic!(
        "everyway: `receive` would wait for a mailbox that was made outside of the model, which the model cannot see"
    )
}
