//! A quick test whether a waiting operation might come before an event at all; the answer is mostly no.
//!
//! [`super::enabling_prefixes`] searches for the parts of `notdep(e, E)` after which the operation is enabled and
//! conflicts with `e`. Nothing is searched here: the test asks of one access after the other how it may go after *any*
//! such part, from the recorded accesses to its location. A yes may be wrong, a no is not.
//!
//! - A receive finds something if the message that it took was sent before `e`, for then it is there.
//! - It finds nothing if that message was sent by `e` or by something that happens after `e`, and sends are ordered:
//!   the messages that it matches and that were sent before had been taken by earlier receives, and those that were
//!   sent later happen after `e` as well.
//! - The value of a location lies between its value before `e` with every later add that makes it smaller, and with
//!   every later add that makes it larger. If anything but adds was done, nothing is known.
//! - An access that follows a receive only if that finds nothing comes after parts in which the message that the
//!   receive took was not sent, and so without anything that happens after the sending.
//!
//! So a receive that has got its message is not tried before each of the senders that have left: as long as one of them
//! is there, it does not matter that others are missing. And one of them is there as long as its message was not sent.

use crate::happens_before::{Dependence, Ordered};
use crate::ids::EventId;
use crate::trace::Event;
use everyway_runtime::{Access, Bytes, Class, Condition, Effect, Footprint, State, Then, Visit};

/// Which ways an access may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ways {
    holds: bool,
    fails: bool,
}

impl Ways {
    const BOTH: Self = Self { holds: true, fails: true };
}

/// Whether an event is in a part of `notdep(e, E)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Always,
    Perhaps,
    Never,
}

/// An operation that may have to wait.
pub(super) struct Reach<'a, R> {
    pub(super) ordered: Ordered<'a>,
    pub(super) relation: &'a R,
    pub(super) state: &'a dyn State,
    pub(super) accesses: &'a [Access],
    /// What precedes it in its thread: whatever happens before that is in every part.
    pub(super) start: Option<EventId>,
    /// What it did, if it was carried out.
    pub(super) visits: &'a [Visit],
}

impl<R: Dependence> Reach<'_, R> {
    /// Whether the operation might be enabled, and conflict with `earlier`, after some part of what does not happen after
    /// that.
    pub(super) fn may_meet(&self, earlier: EventId) -> bool {
        self.may_end(0, false, earlier)
    }

    /// Only events before this one may be met by an access of the operation, carried out after the first `before` events,
    /// that is not its first one: if that is a receive that has taken a message, and no other access follows then, those that
    /// came after the sending of the message are not.
    ///
    /// There is none at all that the operation might come before if all that follows a receive in vain is to wait, for as
    /// long as the message is not sent: it [waits for its message](crate::trace::Record::waits_for_its_message).
    pub(super) fn limit(&self, before: usize) -> Option<usize> {
        let is_done = self.accesses.first().is_some_and(|first| first.holds == Then::Done);
        match (self.sending_of(0).filter(|_| is_done), self.accesses) {
            (None, _) => Some(before),
            (Some(sending), [_, wait]) if wait.fails == Then::Block && !self.may_hold_without(wait, sending) => None,
            (Some(sending), _) => Some(before.min(sending.index() + 1)),
        }
    }

    /// Whether the condition of an access may hold after a part that `sending` is not in.
    fn may_hold_without(&self, access: &Access, sending: EventId) -> bool {
        let Ordered { trace, order } = self.ordered;
        let &Event { step, index, .. } = trace.event(sending);
        // How many events of each thread are in every part.
        let known = self.start.map_or(&[][..], |start| order.clock(start));
        let presence = |id| {
            let event = trace.event(id);
            match known.get(event.step.thread.index()) {
                _ if order.clock_entry(id, step.thread) >= index => Presence::Never,
                Some(&count) if count >= event.index => Presence::Always,
                _ => Presence::Perhaps,
            }
        };
        self.ways_after(access, 0, presence).holds
    }

    /// The sending of the message that a receive took.
    fn sending_of(&self, position: usize) -> Option<EventId> {
        match self.visits.get(position)? {
            Visit { class: Class::Receive { message, .. }, access, .. } if access.when == Condition::Differs(0) => {
                self.ordered.trace.sending(*message)
            }
            _ => None,
        }
    }

    fn may_end(&self, position: usize, met: bool, earlier: EventId) -> bool {
        let Some(access) = self.accesses.get(position) else { return met };
        let potential = access.potential();
        let met = met || self.ordered.trace.footprints(earlier).iter().any(|footprint| footprint.overlaps(&potential));
        let leads_to_end = |then| match then {
            Then::Next => self.may_end(position + 1, met, earlier),
            Then::Done => met,
            Then::Block => false,
        };
        if access.when == Condition::Always {
            return leads_to_end(access.holds);
        }
        let ways = match access.effect.receive() {
            Some(_) => self.ways_of_receive(position, earlier),
            None => self.ways_of_value(access, earlier),
        };
        ways.holds && leads_to_end(access.holds) || ways.fails && leads_to_end(access.fails)
    }

    fn ways_of_receive(&self, position: usize, earlier: EventId) -> Ways {
        match self.sending_of(position) {
            Some(sending) if sending < earlier => Ways { holds: true, fails: false },
            Some(sending) if self.relation.counts_every_conflict() && self.ordered.happens_before(earlier, sending) => {
                Ways { holds: false, fails: true }
            }
            _ => Ways::BOTH,
        }
    }

    fn ways_of_value(&self, access: &Access, earlier: EventId) -> Ways {
        let trace = self.ordered.trace;
        // What was done to it later happens after a write to all of it.
        let writes = |footprint: &Footprint| footprint.class == Class::Write && footprint.covers(&access.potential());
        if self.relation.counts_every_conflict() && trace.footprints(earlier).iter().any(writes) {
            let value = self.value_after(earlier.index(), access);
            return ways_within(access, value, value);
        }
        self.ways_after(access, earlier.index(), |event| match self.ordered.happens_before(earlier, event) {
            true => Presence::Never,
            false => Presence::Perhaps,
        })
    }

    fn value_after(&self, prefix: usize, access: &Access) -> u64 {
        let value = self.ordered.trace.value_after(prefix, access.location);
        value.unwrap_or_else(|| self.state.value(access.location))
    }

    /// Which ways an access may go after the first `prefix` events, and those of the others that are there.
    fn ways_after(&self, access: &Access, prefix: usize, presence: impl Fn(EventId) -> Presence) -> Ways {
        let start = i128::from(self.value_after(prefix, access));
        let (mut least, mut most) = (start, start);
        for (event, visit) in self.ordered.trace.accesses_from(prefix, access.location) {
            if !visit.class.changes() {
                continue;
            }
            let presence = presence(event);
            match (presence, visit.class, visit.access.effect, visit.access.bytes) {
                (Presence::Never, ..) => {}
                (_, Class::Add, Effect::Add(n), Bytes::ALL) => {
                    let n = i128::from(n.cast_signed());
                    let is_there = presence == Presence::Always;
                    least += if is_there { n } else { n.min(0) };
                    most += if is_there { n } else { n.max(0) };
                }
                _ => return Ways::BOTH,
            }
        }
        let range = u64::try_from(least).ok().zip(u64::try_from(most).ok());
        range.map_or(Ways::BOTH, |(least, most)| ways_within(access, least, most))
    }
}

/// Which ways an access may go that finds something from `least` to `most`.
fn ways_within(access: &Access, least: u64, most: u64) -> Ways {
    match access.when {
        _ if least == most => {
            let holds = access.when.holds(access.bytes.get(least));
            Ways { holds, fails: !holds }
        }
        Condition::Equals(value) if access.bytes == Bytes::ALL => {
            Ways { holds: least <= value && value <= most, fails: true }
        }
        _ => Ways::BOTH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway_runtime::Location;

    #[test]
    fn a_range_of_values_tells_what_cannot_be() {
        let waits = |condition| Access::new(Location(0), Effect::Read).once(condition);
        let none = waits(Condition::Equals(0));
        assert_eq!(ways_within(&none, 1, 3), Ways { holds: false, fails: true });
        assert_eq!(ways_within(&none, 0, 3), Ways::BOTH);
        assert_eq!(ways_within(&none, 0, 0), Ways { holds: true, fails: false });
        assert_eq!(ways_within(&waits(Condition::AtLeast(2)), 2, 3), Ways::BOTH);
    }
}
