//! Members: the parts of an ordered unit, for reads of only one of them.
//!
//! Locations that one operation accesses together are one ordered unit: a change of one of them comes before or after a
//! change of another. For a read of only one of them, that makes no difference: its source is the last write to *that
//! location*. So it is a read of a plain unit of its own, the member, which is written by the events of the ordered unit
//! that change it. (A thread that waits until one of several locations changes makes them one unit. Others read them one
//! by one.)
//!
//! - The read is given other sources as on any plain unit (`super::super::detect`). For Algorithm 1 let `E` be an
//!   execution in which it has the source `s`, and `S` what `s` depends on, and `s`, in the order of `E`. Right before `s`,
//!   the read finds another source; as it changes nothing and never waits, all the others do what they did.
//! - What is said there of ordered units holds without it. That what comes next after `s` instead of `e` is found, and that
//!   such branches exclude each other, follows from the order of changes alone; and a read can be where it is whenever what
//!   it found was written before it, and overwritten later.
//!
//! A part that overlaps another one is no member, and neither is what may end (`super::super::life`).

use super::{Members, Part, Unit, Units};
use everyway_runtime::{Access, Visit};
use smallvec::SmallVec;

impl Part {
    /// Where the numbers of members begin, among those of a location.
    const MEMBERS: u32 = 8;

    /// What stands for it as a member.
    fn as_member(self) -> Unit {
        Unit(self.0 + Self::MEMBERS)
    }

    /// The part whose number as a member this is.
    pub(super) fn of_member(self) -> Option<Self> {
        (self.0 % Self::PER_LOCATION >= Self::MEMBERS).then(|| Self(self.0 - Self::MEMBERS))
    }
}

impl Units {
    /// The member that an access touches, if its unit has several.
    pub(in super::super) fn member(&self, access: &Access) -> Option<Unit> {
        let part = Part::of(access);
        let has_others = self.next[part.index()] != part;
        let overlaps = |other: &u8| *other != access.bytes.0 && other & access.bytes.0 != 0;
        let is_apart =
            || !self.parts[access.location.index()].iter().any(overlaps) && self.lives.of(access.location).is_none();
        (has_others && is_apart()).then(|| part.as_member())
    }

    /// The members that these visits change.
    pub(in super::super) fn changed_members<'a>(&self, visits: impl Iterator<Item = &'a Visit>) -> Members {
        let changing = visits.filter(|visit| visit.class.changes());
        let members: SmallVec<[Unit; 4]> = changing.filter_map(|visit| self.member(&visit.access)).collect();
        (!members.is_empty()).then(|| members[..].into())
    }

    /// Whether an access touches `unit`, which may be a member.
    pub(in super::super) fn is_of(&self, access: &Access, unit: Unit) -> bool {
        match Part(unit.0).of_member() {
            Some(_) => self.member(access) == Some(unit),
            None => self.of(access) == unit,
        }
    }
}
