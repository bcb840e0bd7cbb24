//! Happens-before by the book, and the classes it divides executions into.
//!
//! Nothing here is shared with the engine: the relation that says which touches conflict is written down
//! anew, and happens-before is the transitive closure of program order, spawns, joins and conflicts, kept as a
//! set of predecessors for each event.

use everyway_explore::EventId;
use everyway_runtime::{Condition, Message};
use std::fmt;

/// How an event touches a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Depends on the value.
    Look,
    /// Leaves a value of its own, or one computed from the old one that it knows.
    Replace,
    /// Leaves a value of its own, and only the value tells when.
    Store,
    /// Leaves the value, and ends the location.
    End,
    /// Changes the value by a fixed amount, without knowing it.
    Increase,
    /// Sends a message with this content.
    Send(Message, u64),
    /// Takes a message; any other with a content like this would have done. Whether it would have waited for one.
    Take(Message, Condition, bool),
    /// Finds that there is no message with such a content.
    Miss(Condition),
}

impl Manner {
    /// Whether something else is there afterwards, or may be.
    pub(crate) fn changes(self) -> bool {
        matches!(self, Manner::Store | Manner::Replace | Manner::Increase | Manner::Send(..))
    }
}

/// What an event does to one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The location.
    pub location: u32,
    /// Which of its bytes, a bit for each.
    pub bytes: u8,
    /// How it is touched.
    pub manner: Manner,
}

/// Whether the order of two touches can matter.
pub(crate) fn conflicts(one: &Touch, other: &Touch) -> bool {
    use Manner::{End, Increase, Look, Miss, Replace, Send, Store, Take};
    one.location == other.location
        && one.bytes & other.bytes != 0
        && match (one.manner, other.manner) {
            (Look, Look) => false,
            (Look, Replace | Store | End | Increase | Send(..) | Take(..) | Miss(_)) => true,
            (Replace | Store | End, _) => true,
            (Increase, Increase) => false,
            (Increase, Look | Replace | Store | End | Send(..) | Take(..) | Miss(_)) => true,
            (Send(..), Look | Replace | Store | End | Increase | Send(..)) => true,
            (Send(sent, _), Take(taken, ..)) | (Take(taken, ..), Send(sent, _)) => sent == taken,
            (Send(_, content), Miss(wanted)) | (Miss(wanted), Send(_, content)) => wanted.holds(content),
            (Take(..) | Miss(_), Look | Replace | Store | End | Increase | Take(..) | Miss(_)) => true,
        }
}

/// What a step did, as far as happens-before is concerned.
#[derive(Clone, Debug, Default)]
pub struct Deed {
    /// Who moved.
    pub thread: usize,
    /// Which alternative was taken.
    pub choice: u32,
    /// What was touched.
    pub touches: Vec<Touch>,
    /// The threads that came into being.
    pub spawned: Vec<usize>,
    /// The thread whose end was waited for.
    pub joined: Option<usize>,
    /// Whether its operation is to read one thing, at once, and nothing else.
    pub only_reads: bool,
    /// What the step would have waited for if it had not been there.
    pub waits: Vec<Wanted>,
    /// The bytes of locations that it changed, or might have, and what the locations held then.
    pub left: Vec<(u32, u8, u64)>,
    /// What it stored, in which bytes of which location.
    pub stored: Vec<(u32, u8, u64)>,
    /// What it added, and to which value, of which location.
    pub added: Vec<(u32, u64, u64)>,
    /// Whether there was no other thread that could have done anything.
    pub is_alone: bool,
}

/// What a step waits for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Where,
    pub location: u32,
    /// in which of its bytes, a bit for each,
    pub bytes: u8,
    /// and what.
    pub condition: Condition,
}

/// How a thread stands when no thread can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was never spawned.
    Unborn,
    /// It has ended.
    Ended,
    /// It waits for ever.
    Blocked,
}

/// An execution with its happens-before relation.
#[derive(Clone, Debug, Default)]
pub struct History {
    deeds: Vec<Deed>,
    /// For each event the set of events before it, itself included, a bit for each.
    before: Vec<u128>,
}

impl History {
    /// Appends a step.
    pub fn push(&mut self, deed: Deed) {
        self.push_by(deed, conflicts);
    }

    /// The steps.
    pub fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// Appends a step that comes after the earlier ones with a touch that `conflict` says so of.
    pub(crate) fn push_by(&mut self, deed: Deed, conflict: impl Fn(&Touch, &Touch) -> bool) {
        let id = self.deeds.len();
        assert!(id < 128, "an execution of the oracle has at most 128 events");
        let mut before = 1 << id;
        for (earlier, other) in self.deeds.iter().enumerate() {
            if precedes(other, &deed, &conflict) {
                before |= self.before[earlier];
            }
        }
        self.deeds.push(deed);
        self.before.push(before);
    }

    /// Forgets the last step.
    pub fn pop(&mut self) {
        self.deeds.pop();
        self.before.pop();
    }

    /// Whether the event at one position happens before that at another, or is it.
    pub fn happens_before(&self, earlier: usize, later: usize) -> bool {
        self.before[later] >> earlier & 1 == 1
    }

    /// The events that happen before `event` with no other in between.
    pub fn direct(&self, event: EventId) -> Vec<EventId> {
        let later = event.index();
        let before = |e: usize, l: usize| e != l && self.happens_before(e, l);
        let direct =
            |e: &usize| before(*e, later) && !(0..later).any(|between| before(*e, between) && before(between, later));
        (0..later).filter(direct).map(EventId::new).collect()
    }

    /// What is the same in all executions that differ only in the order of independent events, and in no
    /// others: each event's choice and predecessors, and how the threads ended.
    pub fn class(&self, fates: impl Iterator<Item = Fate>) -> Class {
        let fates: Vec<Fate> = fates.collect();
        let threads = fates.len();
        let mut of_thread = vec![0u128; threads];
        for (id, deed) in self.deeds.iter().enumerate() {
            of_thread[deed.thread] |= 1 << id;
        }
        let mut signature = Vec::with_capacity(threads + self.deeds.len() * (threads + 1));
        for (thread, fate) in fates.iter().enumerate() {
            signature.push(*fate as u8);
            signature.push(of_thread[thread].count_ones() as u8);
            for (id, deed) in self.deeds.iter().enumerate().filter(|(_, deed)| deed.thread == thread) {
                signature.push(deed.choice as u8);
                // Predecessors include all earlier events of their threads, so that counting them names them.
                signature.extend(of_thread.iter().map(|events| (events & self.before[id]).count_ones() as u8));
            }
        }
        Class(signature.into())
    }
}

/// Whether there is an edge of happens-before from one step to a later one by itself.
fn precedes(earlier: &Deed, later: &Deed, conflict: impl Fn(&Touch, &Touch) -> bool) -> bool {
    earlier.thread == later.thread
        || earlier.spawned.contains(&later.thread)
        || later.joined.is_some_and(|joined| earlier.thread == joined || earlier.spawned.contains(&joined))
        || earlier.touches.iter().any(|a| later.touches.iter().any(|b| conflict(a, b)))
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, deed) in self.deeds.iter().enumerate() {
            write!(f, "{id}: t{}", deed.thread)?;
            if deed.choice > 0 {
                write!(f, ":{}", deed.choice)?;
            }
            for touch in &deed.touches {
                write!(f, " {:?}(x{})", touch.manner, touch.location)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The class of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Class(Box<[u8]>);

impl Class {
    /// The class of all executions with this signature.
    pub(crate) fn new(signature: Vec<u8>) -> Self {
        Self(signature.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deed(thread: usize, location: u32, manner: Manner) -> Deed {
        Deed { thread, touches: vec![Touch { location, bytes: 0xff, manner }], ..Deed::default() }
    }

    fn class(deeds: &[Deed]) -> Class {
        let mut history = History::default();
        deeds.iter().for_each(|deed| history.push(deed.clone()));
        history.class([Fate::Ended; 3].into_iter())
    }

    #[test]
    fn the_order_of_independent_events_makes_no_difference() {
        let (a, b) = (deed(0, 0, Manner::Replace), deed(1, 1, Manner::Replace));
        assert_eq!(class(&[a.clone(), b.clone()]), class(&[b, a]));
    }

    #[test]
    fn the_order_of_conflicting_events_makes_a_difference() {
        let (a, b) = (deed(0, 0, Manner::Replace), deed(1, 0, Manner::Look));
        assert_ne!(class(&[a.clone(), b.clone()]), class(&[b, a]));
    }

    #[test]
    fn conflicts_are_symmetric() {
        let message = |nth| Message { sender: everyway_runtime::ThreadId(0), nth };
        let manners = [
            Manner::Look,
            Manner::Replace,
            Manner::Store,
            Manner::Increase,
            Manner::Send(message(1), 5),
            Manner::Take(message(1), Condition::Always, true),
            Manner::Send(message(2), 7),
            Manner::Miss(Condition::Equals(7)),
        ];
        for one in manners.map(|manner| Touch { location: 0, bytes: 0xff, manner }) {
            for other in manners.map(|manner| Touch { location: 0, bytes: 0xff, manner }) {
                assert_eq!(conflicts(&one, &other), conflicts(&other, &one), "{one:?} {other:?}");
            }
        }
    }
}
