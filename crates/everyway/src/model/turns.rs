//! The order of the accesses to a location when steps are taken again.
//!
//! Independent steps may be taken again in another order than before; then a thread need not yield after each of them.
//! So each access of a step has its *turn*: it comes after a given number of changes of its location and, if it is a
//! change, also after a given number of reads since the last one. Steps taken in their turns are in an order that is
//! equivalent to the previous one, and find what they found.

use super::Inner;
use super::object::Named;
use everyway_runtime::{Class, Location, Visit};

/// What has been done to a location before an access to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    changes: u32,
    /// Since the last change.
    looks: u32,
}

/// Whether any other access of this class to the location comes before or after.
#[inline]
fn is_ordered(class: Class) -> bool {
    // Messages are taken in the order in which they were sent.
    class != Class::Read
}

impl Turn {
    /// Takes note of an access of this class.
    #[inline]
    pub(super) fn pass(&mut self, class: Class) {
        if is_ordered(class) {
            *self = Self { changes: self.changes + 1, looks: 0 };
        } else {
            self.looks += 1;
        }
    }

    /// Whether it is the turn of an access of this class which had the turn `before`.
    #[inline]
    pub(super) fn admits(self, before: Self, class: Class) -> bool {
        self.changes == before.changes && (self.looks == before.looks || !is_ordered(class))
    }
}

impl Inner {
    #[inline]
    fn turn_at(&mut self, location: Location) -> &mut Turn {
        match Named::of(location) {
            Named::Object(index) => &mut self.objects[index].turn,
            Named::Token(thread) => &mut self.thread(thread).token_turn,
        }
    }

    /// Takes note of an access that takes place: its turn.
    #[inline]
    pub(super) fn take_turn(&mut self, visit: &Visit) -> Turn {
        let turn = self.turn_at(visit.access.location);
        let taken = *turn;
        turn.pass(visit.class);
        taken
    }

    /// Whether an access that had the turn `before` can come now.
    #[inline]
    pub(super) fn is_turn_of(&mut self, visit: &Visit, before: Turn) -> bool {
        self.turn_at(visit.access.location).admits(before, visit.class)
    }
}
