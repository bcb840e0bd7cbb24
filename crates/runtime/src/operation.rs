//! Visible operations: what a step does to which locations, and when it can be taken.
//!
//! An operation is a short list of guarded accesses. Each access looks at its location; if the value meets
//! the access's condition, its effect takes place; what follows - the next access, the end of the operation,
//! or waiting - depends on whether the condition was met. Everything that threads can do to one another is an
//! instance:
//!
//! | operation | accesses |
//! |---|---|
//! | load, store, fetch-and-add | one access, unconditional |
//! | compare-exchange, try-lock | a write under `Equals(expected)`; done either way |
//! | lock, semaphore, await | a write or read under a condition; *blocks* where it fails |
//! | receive | takes the oldest message that it matches; done either way, or *blocks* if there is none, or else notices that no sender is left |
//!
//! So there is one mechanism for everything that can block, and the outcome of an operation in any other
//! context - what race analysis asks - is computed from recorded values without running the program.
//!
//! This module knows no execution and no strategy.

#[cfg(test)]
mod tests;

use crate::bytes::Bytes;
use crate::condition::Condition;
use crate::effect::Effect;
use crate::ids::Location;
use crate::mailbox::{Matching, Message};
use crate::ordering::Ordering;
use crate::verb::Verb;
use smallvec::SmallVec;

/// What follows an access, depending on its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// The next access of the operation; after the last one, the operation is done.
    Next,
    /// The operation is done.
    Done,
    /// The operation cannot be taken now.
    Block,
}

/// One guarded access of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// What is accessed.
    pub location: Location,
    /// Which bytes of it.
    pub bytes: Bytes,
    /// What happens to it if the condition is met. If it is not, the access is a read.
    pub effect: Effect,
    /// The condition.
    pub when: Condition,
    /// What follows if the condition is met.
    pub holds: Then,
    /// What follows if it is not.
    pub fails: Then,
    /// Its memory ordering if the condition is met.
    pub ordering: Ordering,
    /// Its memory ordering, as a read, if it is not.
    pub ordering_unmet: Ordering,
}

impl Access {
    /// An unconditional access to a whole location, `seq_cst`.
    #[inline]
    pub fn new(location: Location, effect: Effect) -> Self {
        Self {
            location,
            bytes: Bytes::ALL,
            effect,
            when: Condition::Always,
            holds: Then::Next,
            fails: Then::Next,
            ordering: Ordering::SeqCst,
            ordering_unmet: Ordering::SeqCst,
        }
    }

    /// The same access with this memory ordering, whether its condition is met or not.
    #[inline]
    pub fn ordered(self, ordering: Ordering) -> Self {
        Self { ordering, ordering_unmet: ordering, ..self }
    }

    /// The same access, which takes a lock: it acquires if its condition is met, and orders nothing if it is not.
    #[inline]
    pub fn locking(self) -> Self {
        Self { ordering: Ordering::Acquire, ordering_unmet: Ordering::Relaxed, ..self }
    }

    /// The same access, which gives a lock back.
    #[inline]
    pub fn unlocking(self) -> Self {
        self.ordered(Ordering::Release)
    }

    /// The same access, which waits until `condition` is met.
    #[inline]
    pub fn once(self, condition: Condition) -> Self {
        Self { when: condition, holds: Then::Done, fails: Then::Block, ..self }
    }

    /// The same access, which takes place only if `condition` is met now; either way the operation is done.
    #[inline]
    pub fn if_now(self, condition: Condition) -> Self {
        Self { when: condition, holds: Then::Done, fails: Then::Done, ..self }
    }

    /// The same access under `condition`; otherwise the following accesses are tried.
    #[inline]
    pub fn or_else(self, condition: Condition) -> Self {
        Self { when: condition, holds: Then::Done, fails: Then::Next, ..self }
    }

    /// Whether two of these, of operations called `verb` and the like, may commute and yet be ordered where all accesses to
    /// something that is not memory are: it adds without a result, or leaves a lock as it is.
    #[inline]
    pub fn may_commute(&self, verb: Verb) -> bool {
        let leaves = self.effect == Effect::Read || self.when != Condition::Always && !self.may_block();
        // Waits on condition variables are ordered by a lock.
        let is_memory = verb == Verb::None || verb.is_memory_access() || verb.may_find_older();
        let is_ordered = matches!(verb, Verb::Wait | Verb::TimedWait);
        (matches!(self.effect, Effect::Add(_)) || leaves && !is_memory) && !is_ordered
    }

    /// Whether it waits where its condition is not met.
    #[inline]
    pub fn may_block(&self) -> bool {
        self.fails == Then::Block
    }

    /// The class of a store that takes place: under a condition, it looks.
    fn stored(&self) -> Class {
        if self.when == Condition::Always { Class::Store } else { Class::Write }
    }

    /// Whether its thread learns nothing of the value that it finds: it has no condition, and no result.
    #[inline]
    pub fn is_blind(&self) -> bool {
        self.when == Condition::Always
            && matches!(self.effect, Effect::Write(_) | Effect::Store(_) | Effect::Add(_) | Effect::Send(_))
    }

    /// Whether what it does, or what its thread learns, depends on what it finds. Unlike [`Access::is_blind`], this is
    /// so of an add.
    #[inline]
    pub fn looks(&self) -> bool {
        self.when != Condition::Always || !matches!(self.effect, Effect::Write(_) | Effect::Store(_) | Effect::Send(_))
    }

    /// The class of the access if it is the same whatever the location holds.
    #[inline]
    pub fn class_anywhere(&self) -> Option<Class> {
        let depends = self.when != Condition::Always || matches!(self.effect, Effect::Try(..));
        let always = !depends && self.holds == Then::Next;
        (always && self.effect.receive().is_none()).then(|| self.potential().class)
    }

    /// What follows it where its location holds `before`.
    #[inline]
    pub fn then(&self, before: u64) -> Then {
        if self.when.holds(self.bytes.get(before)) { self.holds } else { self.fails }
    }

    /// What it comes to where its location holds `before`.
    // What there is of a class of memory accesses is its name: to copy room for more, as soon as that is written, makes the
    // processor wait.
    #[inline(always)]
    pub fn resolve(&self, before: u64) -> Resolved {
        let value = self.bytes.get(before);
        let met = self.when.holds(value);
        let class = match self.effect {
            Effect::Receive(_) | Effect::Peek(_) | Effect::Send(_) => self.class_of_mail(value, met),
            _ if !met => Class::Read,
            Effect::Read => Class::Read,
            Effect::Write(_) | Effect::Modify(..) | Effect::End => Class::Write,
            Effect::Store(_) => self.stored(),
            Effect::Add(_) => Class::Add,
            Effect::Try(f, operand) => f(value, operand).map_or(Class::Read, |_| Class::Write),
        };
        let after = if met { self.bytes.set(before, self.effect.apply(value)) } else { before };
        Resolved { class, after, met }
    }

    /// The class of an access to a mailbox, whose condition was met or not.
    #[inline(never)]
    fn class_of_mail(&self, value: u64, met: bool) -> Class {
        match self.effect {
            Effect::Receive(number) | Effect::Peek(number) => match Message::decode(value) {
                Some(message) => Class::Receive { number, message },
                None => Class::Miss { number },
            },
            Effect::Send(message) if met => Class::Send(message),
            _ => Class::Read,
        }
    }

    /// The access with its condition met. A receive, which may find any message that it matches, stands for one that
    /// misses them all.
    #[inline]
    pub fn potential(&self) -> Footprint {
        let class = match self.effect {
            Effect::Read => Class::Read,
            Effect::Write(_) | Effect::Modify(..) | Effect::Try(..) | Effect::End => Class::Write,
            Effect::Store(_) => self.stored(),
            Effect::Add(_) => Class::Add,
            Effect::Send(message) => Class::Send(message),
            Effect::Receive(number) | Effect::Peek(number) => Class::Miss { number },
        };
        Footprint { location: self.location, bytes: self.bytes, class }
    }
}

/// How an access that was carried out relates to others: its effect with the condition resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Looked, changed nothing.
    Read,
    /// Replaced the value, perhaps knowing the old one.
    Write,
    /// Replaced the value without looking.
    Store,
    /// Added without looking.
    Add,
    /// Sent this message.
    Send(Message),
    /// Took a message, or looked at it.
    Receive {
        /// The number of the receive.
        number: u32,
        /// What it found.
        message: Message,
    },
    /// Looked for a message, and found none.
    Miss {
        /// The number of the receive.
        number: u32,
    },
}

impl Class {
    /// Whether two accesses to the same bytes do not commute (the conflict relation); `matches`
    /// tells whether the receive with a number matches a message. On sends and receives, see `mailbox.rs`.
    #[inline]
    pub fn conflicts(self, other: Self, matches: impl FnOnce(u32, Message) -> bool) -> bool {
        use Class::*;
        match (self, other) {
            (Read, Read) | (Add, Add) => false,
            (Send(sent), Receive { message, .. }) | (Receive { message, .. }, Send(sent)) => sent == message,
            (Send(sent), Miss { number }) | (Miss { number }, Send(sent)) => matches(number, sent),
            _ => true,
        }
    }

    /// Whether everything that conflicts with an access to the same bytes, and comes before one of this class,
    /// happens before the one of this class - so that a search backwards may end here.
    fn dominates(self) -> bool {
        // No send dominates another: a receive may have missed the later one that does not match the earlier one.
        matches!(self, Class::Write | Class::Store)
    }

    /// Whether it is about messages.
    #[inline]
    pub fn is_message(self) -> bool {
        matches!(self, Class::Send(_) | Class::Receive { .. } | Class::Miss { .. })
    }

    /// Whether the access may change the value.
    #[inline]
    pub fn changes(self) -> bool {
        matches!(self, Class::Write | Class::Store | Class::Add | Class::Send(_))
    }
}

/// What an access comes to in some context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Its class there.
    pub class: Class,
    /// The value of the whole location after it.
    pub after: u64,
    /// Whether its condition was met.
    pub met: bool,
}

/// An access that was carried out, or would be in some context: how, and what it found and left.
///
/// Values are those of the whole location, whichever bytes are accessed. For a receive they are what it finds; the
/// mailbox itself has no value.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The access.
    pub access: Access,
    /// Its class there.
    pub class: Class,
    /// The value before.
    pub before: u64,
    /// The value after.
    pub after: u64,
}

impl Visit {
    /// Carries out `access` where its location holds `before`. Also tells whether the condition was met.
    #[inline(always)]
    pub fn carry_out(access: &Access, before: u64) -> (Self, bool) {
        let Resolved { class, after, met } = access.resolve(before);
        (Self { access: *access, class, before, after }, met)
    }

    /// The memory ordering it had, which depends on whether its condition was met.
    #[inline]
    pub fn ordering(&self) -> Ordering {
        let met = self.access.when.holds(self.access.bytes.get(self.before));
        if met { self.access.ordering } else { self.access.ordering_unmet }
    }

    /// What matters of the access to the conflict relation.
    #[inline]
    pub fn footprint(&self) -> Footprint {
        Footprint { location: self.access.location, bytes: self.access.bytes, class: self.class }
    }

    /// The value that this access leaves where it finds `value`; for re-computing a location's value along
    /// a sequence in which independent accesses come in another order.
    #[inline]
    pub fn replay(&self, value: u64) -> u64 {
        match self.class {
            Class::Read | Class::Send(_) | Class::Receive { .. } | Class::Miss { .. } => value,
            Class::Write | Class::Store => self.access.bytes.set(value, self.access.bytes.get(self.after)),
            Class::Add => self.access.bytes.set(value, self.access.effect.apply(self.access.bytes.get(value))),
        }
    }
}

/// What matters of an access to the conflict relation: where it is, and its class there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// What is accessed.
    pub location: Location,
    /// Which bytes of it.
    pub bytes: Bytes,
    /// How.
    pub class: Class,
}

impl Footprint {
    /// Whether the two accesses have bytes in common.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.location == other.location && self.bytes.overlaps(other.bytes)
    }

    /// Whether this access touches all bytes that the other one does.
    #[inline]
    pub fn covers(&self, other: &Self) -> bool {
        self.location == other.location && self.bytes.covers(other.bytes)
    }

    /// Whether the two accesses conflict.
    #[inline]
    pub fn conflicts(&self, other: &Self, matching: &dyn Matching) -> bool {
        let matches = |receive, message| matching.matches(self.location, receive, message);
        self.overlaps(other) && self.class.conflicts(other.class, matches)
    }

    /// Whether a search for accesses that conflict with `later`, going backwards, may end at this one.
    #[inline]
    pub fn dominates(&self, later: &Self) -> bool {
        self.bytes.covers(later.bytes) && self.class.dominates()
    }
}

/// What the accesses of an operation may do, wherever it comes, if it did `visits` where it was carried out. A receive
/// that took a message, as the oldest one that was there for it, depends on no other wherever it is enabled; what it
/// may do is what it did.
#[inline]
pub fn potentials(accesses: &[Access], visits: &[Visit]) -> SmallVec<[Footprint; 2]> {
    let potential = |(position, access): (usize, &Access)| match visits.get(position) {
        Some(visit) if access.effect.receive().is_some() => visit.footprint(),
        _ => access.potential(),
    };
    accesses.iter().enumerate().map(potential).collect()
}

/// Whether some access of one event conflicts with some access of another.
#[inline]
pub fn conflict(one: &[Footprint], other: &[Footprint], matching: &dyn Matching) -> bool {
    match (one, other) {
        // Nearly always.
        ([a], [b]) => a.conflicts(b, matching),
        _ => one.iter().any(|a| other.iter().any(|b| a.conflicts(b, matching))),
    }
}

/// What a thread does next.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What it is called.
    pub verb: Verb,
    /// The accesses, tried in order; no two of them touch the same bytes.
    pub accesses: SmallVec<[Access; 2]>,
    /// The thread whose end is waited for, if the operation is a join.
    pub joins: Option<crate::ThreadId>,
    /// The memory ordering of the fence that it is.
    pub fence: Option<Ordering>,
}

impl Operation {
    /// An operation that consists of `accesses`.
    #[inline]
    pub fn new(accesses: impl IntoIterator<Item = Access>) -> Self {
        Self { verb: Verb::None, accesses: accesses.into_iter().collect(), joins: None, fence: None }
    }

    /// An operation that consists of one access.
    #[inline]
    pub fn one(access: Access) -> Self {
        Self { verb: Verb::None, accesses: smallvec::smallvec![access], joins: None, fence: None }
    }

    /// An operation that touches nothing, such as a nondeterministic choice.
    pub fn local() -> Self {
        Self::new([])
    }

    /// Waiting for `thread` to end. An edge of happens-before, never a race.
    pub fn join(thread: crate::ThreadId) -> Self {
        Self { verb: Verb::Join, joins: Some(thread), ..Self::local() }
    }

    /// A fence.
    pub fn fence(ordering: Ordering) -> Self {
        Self { verb: Verb::Fence, fence: Some(ordering), ..Self::local() }
    }

    /// The same operation under this name.
    #[inline]
    pub fn named(mut self, verb: Verb) -> Self {
        self.verb = verb;
        self
    }

    /// Makes it touch nothing.
    #[inline]
    pub fn clear(&mut self) {
        self.verb = Verb::None;
        self.accesses.clear();
        self.joins = None;
        self.fence = None;
    }

    /// Whether some other thread's step can disable or enable the operation (a join apart: it is enabled
    /// once, for good).
    #[inline]
    pub fn may_block(&self) -> bool {
        self.accesses.iter().any(Access::may_block)
    }
}

/// How an operation turns out in some context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// It can be taken, and ends with the access at this position of its list.
    Done {
        /// The last access that is carried out; 0 also for an operation without accesses.
        last: usize,
    },
    /// It has to wait.
    Blocked,
}

impl Evaluation {
    /// Whether the operation can be taken.
    pub fn is_enabled(self) -> bool {
        self != Evaluation::Blocked
    }
}

/// Carries out `accesses` where locations hold what `value` says, and where receives find it, telling `visit` of each access on the way.
#[inline]
pub fn evaluate(
    accesses: &[Access],
    mut value: impl FnMut(&Access) -> u64,
    mut visit: impl FnMut(Visit),
) -> Evaluation {
    for (index, access) in accesses.iter().enumerate() {
        let (visited, met) = Visit::carry_out(access, value(access));
        visit(visited);
        match if met { access.holds } else { access.fails } {
            Then::Next => {}
            Then::Done => return Evaluation::Done { last: index },
            Then::Block => return Evaluation::Blocked,
        }
    }
    Evaluation::Done { last: accesses.len().saturating_sub(1) }
}
