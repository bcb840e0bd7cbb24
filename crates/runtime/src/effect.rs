//! The effects of accesses on their locations.

use crate::mailbox::Message;
use std::hash::{Hash, Hasher};

/// What an access does to its location when its condition is met.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// Looks at the value.
    Read,
    /// Replaces the value. Whatever comes before and after may depend on its place.
    Write(u64),
    /// Replaces the value, and that is all: where it came among other stores to the same bytes shows in nothing
    /// but the value. For front ends to promise: where a store could fail, or is what gives a lock
    /// back, it is a `Write`. (`observe.rs` has what this is good for.)
    Store(u64),
    /// Adds, wrapping, without a result: two such adds commute. Under a condition, this is
    /// for front ends to promise: that no other add to the location changes whether the condition is met. (A
    /// reader takes a lock once no writer holds it: fine. Taking one of the last units of a semaphore is not an
    /// `Add` but a `Modify`.)
    Add(u64),
    /// Replaces the value by a function of it and an operand, and knows the old value.
    Modify(fn(u64, u64) -> u64, u64),
    /// Looks at the value, and goes on to replace it by a function of it and an operand where that gives something: a load,
    /// after which a compare-exchange is tried only if there is something to be changed.
    Try(fn(u64, u64) -> Option<u64>, u64),
    /// Leaves the value as it is, and ends what the location is part of. For front ends to promise: a thread that accesses
    /// the location afterwards takes no further step.
    End,
    /// Appends this message to a mailbox.
    Send(Message),
    /// Takes the oldest message that the receive with this number matches from a mailbox. The value that its condition
    /// is about is what it finds ([`Message::encode`]).
    Receive(u32),
    /// Looks for what [`Effect::Receive`] takes, and leaves it.
    Peek(u32),
}

/// Functions are the same only if they are at the same address: effects that differ may do the same.
impl PartialEq for Effect {
    fn eq(&self, other: &Self) -> bool {
        use Effect::*;
        match (*self, *other) {
            (Read, Read) | (End, End) => true,
            (Write(a), Write(b)) | (Store(a), Store(b)) | (Add(a), Add(b)) => a == b,
            (Modify(f, a), Modify(g, b)) => std::ptr::fn_addr_eq(f, g) && a == b,
            (Try(f, a), Try(g, b)) => std::ptr::fn_addr_eq(f, g) && a == b,
            (Send(a), Send(b)) => a == b,
            (Receive(a), Receive(b)) | (Peek(a), Peek(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Effect {}

impl Hash for Effect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match *self {
            Effect::Read | Effect::End => {}
            Effect::Write(value) | Effect::Store(value) | Effect::Add(value) => value.hash(state),
            Effect::Modify(function, operand) => (function as usize, operand).hash(state),
            Effect::Try(function, operand) => (function as usize, operand).hash(state),
            Effect::Send(message) => message.hash(state),
            Effect::Receive(number) | Effect::Peek(number) => number.hash(state),
        }
    }
}

impl Effect {
    /// The number of the receive, if it is one, or looks for what one takes.
    #[inline]
    pub fn receive(self) -> Option<u32> {
        match self {
            Effect::Receive(number) | Effect::Peek(number) => Some(number),
            _ => None,
        }
    }

    /// Whether it may change what it finds.
    #[inline]
    pub fn may_write(self) -> bool {
        !matches!(self, Effect::Read)
    }

    /// Whether it is about messages, and not about a value.
    #[inline]
    pub fn is_of_messages(self) -> bool {
        matches!(self, Effect::Send(_) | Effect::Receive(_) | Effect::Peek(_))
    }

    #[inline]
    pub(crate) fn apply(self, value: u64) -> u64 {
        match self {
            Effect::Read | Effect::End | Effect::Send(_) | Effect::Receive(_) | Effect::Peek(_) => value,
            Effect::Write(new) | Effect::Store(new) => new,
            Effect::Add(n) => value.wrapping_add(n),
            Effect::Modify(f, operand) => f(value, operand),
            Effect::Try(f, operand) => f(value, operand).unwrap_or(value),
        }
    }
}
