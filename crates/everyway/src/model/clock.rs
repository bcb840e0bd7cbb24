//! Synchronisation order, for telling data races.
//!
//! This is happens-before in the language's sense - what a release made visible to an acquire - and not the
//! engine's, which also orders, say, two stores without a read in between. Every atomic access is treated
//! as sequentially consistent, so every store releases and every load acquires.

use super::object::Named;
use super::{Inner, Pending};
use everyway_runtime::{Class, Condition, Effect, Message, ThreadId, Visit};
use rustc_hash::FxHashMap;

/// A vector clock; missing entries are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(Vec<u32>);

impl Clock {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    /// Moves the entry of `thread` on.
    pub(crate) fn tick(&mut self, thread: ThreadId) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] += 1;
    }

    pub(crate) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (entry, theirs) in self.0.iter_mut().zip(&other.0) {
            *entry = (*entry).max(*theirs);
        }
    }

    /// Whether everything that this clock knows of is known to `other`.
    fn is_known_to(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(thread, &time)| time <= other.get(ThreadId::new(thread)))
    }

    pub(crate) fn assign(&mut self, other: &Self) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
    }
}

/// What an object passes on from those that released it to those that acquire it.
#[derive(Debug, Default)]
pub(crate) struct Release {
    /// By writes: acquired by everybody.
    written: Clock,
    /// By adds since the last write: acquired by all but other adds. The readers of a lock do not
    /// synchronise with each other, a writer after them does with all.
    added: Clock,
    /// By sends: acquired with the message.
    sent: FxHashMap<Message, Clock>,
}

impl Release {
    pub(crate) fn clear(&mut self) {
        self.written.clear();
        self.added.clear();
        self.sent.clear();
    }

    /// Whether a thread with this clock has acquired all that was released.
    pub(crate) fn is_known_to(&self, thread: &Clock) -> bool {
        self.written.is_known_to(thread) && self.added.is_known_to(thread)
    }

    /// `thread` accesses the object, knowing (`blind`: not knowing) the old value.
    pub(crate) fn access(&mut self, class: Class, blind: bool, thread: &mut Clock) {
        match class {
            Class::Read => {
                thread.join(&self.written);
                thread.join(&self.added);
            }
            Class::Write | Class::Store => {
                if !blind {
                    thread.join(&self.written);
                    thread.join(&self.added);
                }
                self.written.assign(thread);
                self.added.clear();
            }
            Class::Add => {
                thread.join(&self.written);
                self.added.join(thread);
            }
            Class::Send(message) => {
                self.sent.insert(message, thread.clone());
            }
            Class::Receive { message, .. } => {
                if let Some(sent) = self.sent.get(&message) {
                    thread.join(sent);
                }
            }
            // One that finds nothing learns nothing.
            Class::Miss { .. } => {}
        }
    }
}

impl Inner {
    /// Takes note of what `thread` releases and acquires by an operation that did `visits`.
    pub(super) fn note_synchronisation(&mut self, thread: ThreadId, pending: &Pending, visits: &[Visit]) {
        let mut clock = std::mem::take(&mut self.thread(thread).clock);
        for visit in visits {
            let location = visit.access.location;
            // A condition variable orders nothing by itself; its mutex does.
            if let Named::Object(index) = Named::of(location)
                && pending.special.condvar() != Some(location)
            {
                let blind = matches!(visit.access.effect, Effect::Write(_) | Effect::Store(_))
                    && visit.access.when == Condition::Always;
                self.objects[index].release.access(visit.class, blind, &mut clock);
            }
        }
        if let Some(joined) = pending.operation.joins {
            clock.join(&self.thread(joined).clock);
        }
        clock.tick(thread);
        self.thread(thread).clock = clock;
    }
}
