//! The static part of reads, stored once for all events that share it.
//!
//! Events are copied often, so they are small, with a handle to the data that is needed only when they are added or
//! revisited.

use super::event::{Cell, Event, Kind, Object};
use everyway_ids::id;
use everyway_runtime::Access;
use rustc_hash::FxHashMap;

id!(
    /// The static part of a read.
    TouchId,
    "a"
);

/// An access to memory, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) cell: Cell,
    pub(super) object: Object,
    id: TouchId,
}

/// What is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Details {
    access: Access,
    /// The initial value of the cell.
    initial: u64,
}

/// From so many on, those that are not in use are looked for.
const MANY: usize = 1 << 16;

/// Everything that reads are about.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    details: Vec<Details>,
    known: FxHashMap<Details, TouchId>,
    /// By location, the two that were met last: what is asked again and again is mostly one of them.
    last: Vec<[Option<Touch>; 2]>,
    /// How many there may be before those that are not in use are dropped.
    limit: usize,
    has_mailbox: bool,
}

impl Default for Touches {
    fn default() -> Self {
        let (details, last, known) = (Vec::new(), Vec::new(), FxHashMap::default());
        Self { details, known, last, limit: MANY, has_mailbox: false }
    }
}

impl Touches {
    /// What is accessed, if it was met lately.
    #[inline]
    pub(super) fn met(&self, object: Object, access: &Access, initial: u64) -> Option<Touch> {
        let is_same = |touch: &&Touch| {
            let Details { access: met, initial: held } = &self.details[touch.id.index()];
            touch.object == object && *held == initial && met == access
        };
        self.last.get(access.location.index())?.iter().flatten().find(is_same).copied()
    }

    /// What is accessed, in a cell.
    #[inline(never)]
    pub(super) fn touch(&mut self, cell: Cell, object: Object, access: &Access, initial: u64) -> Touch {
        self.has_mailbox |= object == Object::Mailbox;
        let details = Details { access: *access, initial };
        let id = *self.known.entry(details).or_insert_with(|| {
            self.details.push(details);
            TouchId::new(self.details.len() - 1)
        });
        let touch = Touch { cell, object, id };
        let location = access.location.index();
        if self.last.len() <= location {
            self.last.resize(location + 1, [None; 2]);
        }
        let [last, before] = &mut self.last[location];
        if *last != Some(touch) {
            (*last, *before) = (Some(touch), *last);
        }
        touch
    }

    #[inline]
    pub(super) fn access(&self, touch: Touch) -> &Access {
        &self.details[touch.id.index()].access
    }

    /// The initial value of the cell.
    #[inline]
    pub(super) fn initial(&self, touch: Touch) -> u64 {
        self.details[touch.id.index()].initial
    }

    /// Whether something was a mailbox.
    pub(super) fn have_mailbox(&self) -> bool {
        self.has_mailbox
    }

    /// Whether it is time to [`Touches::retain`] what is in use.
    #[inline]
    pub(super) fn are_many(&self) -> bool {
        self.details.len() > self.limit
    }

    /// Forgets all that `events`, which are all there are, do not use.
    pub(super) fn retain<'e>(&mut self, events: impl Iterator<Item = &'e mut Event>) {
        let old = std::mem::take(&mut self.details);
        self.known.clear();
        self.last.clear();
        for event in events {
            if let Kind::Read { touch, .. } | Kind::Overtaken { touch, .. } = &mut event.kind {
                let Details { access, initial } = old[touch.id.index()];
                *touch = self.touch(touch.cell, touch.object, &access, initial);
            }
        }
        self.limit = MANY.max(2 * self.details.len());
    }
}
