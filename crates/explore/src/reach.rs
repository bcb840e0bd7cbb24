//! A quick "no" for the search of enabling prefixes (`race.rs`), which is exponential in the events that may be
//! left out: whether *some* part of a sequence could enable an operation at all.
//!
//! Each location is given the interval of values that it may have after any part of the sequence. A yes may be
//! wrong, a no is not.

use crate::ids::EventId;
use crate::mailbox::Matching;
use crate::operation::{Access, Class, Condition, Effect, Footprint, Then};
use crate::trace::Trace;

/// The values that a location may have: all from `low` to `high`, or any at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    Between(i128, i128),
    Any,
}

impl Values {
    fn may_meet(self, condition: Condition) -> bool {
        let Values::Between(low, high) = self else { return true };
        match condition {
            Condition::Always => true,
            Condition::Equals(v) => (low..=high).contains(&i128::from(v)),
            Condition::Differs(v) => low != high || low != i128::from(v),
            Condition::AtLeast(v) => high >= i128::from(v),
            Condition::Below(v) => low < i128::from(v),
        }
    }

    fn may_fail(self, condition: Condition) -> bool {
        match condition {
            Condition::Always => false,
            Condition::Equals(v) => self.may_meet(Condition::Differs(v)),
            Condition::Differs(v) => self.may_meet(Condition::Equals(v)),
            Condition::AtLeast(v) => self.may_meet(Condition::Below(v)),
            Condition::Below(v) => self.may_meet(Condition::AtLeast(v)),
        }
    }
}

/// A sequence of events after a prefix of the execution, any part of which may be left out.
pub(crate) struct Parts<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) matching: &'a dyn Matching,
    pub(crate) prefix: usize,
    pub(crate) events: &'a [EventId],
}

impl Parts<'_> {
    /// Whether `accesses` might be enabled after some part of the sequence, and meet one of `footprints` on the
    /// way.
    pub(crate) fn may_enable(&self, accesses: &[Access], footprints: &[Footprint]) -> bool {
        self.may_end(accesses, footprints, false)
    }

    fn may_end(&self, accesses: &[Access], footprints: &[Footprint], met: bool) -> bool {
        let [access, rest @ ..] = accesses else { return met };
        let met = met || footprints.iter().any(|footprint| footprint.overlaps(&access.potential()));
        let values = self.values(access);
        let leads_to_end = |then| match then {
            Then::Next => self.may_end(rest, footprints, met),
            Then::Done => met,
            Then::Block => false,
        };
        values.may_meet(access.when) && leads_to_end(access.holds)
            || values.may_fail(access.when) && leads_to_end(access.fails)
    }

    fn values(&self, access: &Access) -> Values {
        if let Effect::Receive(number) = access.effect {
            return self.findings(access, number);
        }
        let Some(start) = self.trace.value_after(self.prefix, access.location) else { return Values::Any };
        let start = i128::from(start);
        let (mut low, mut high) = (start, start);
        for (event, visit) in self.trace.accesses_from(self.prefix, access.location) {
            if self.events.binary_search(&event).is_err() {
                continue;
            }
            let change = match (visit.class, visit.access.effect) {
                (Class::Read, _) => 0,
                (Class::Add, Effect::Add(n)) => i128::from(n as i64),
                _ => return Values::Any,
            };
            (low, high) = (low + change.min(0), high + change.max(0));
        }
        // Where an addition might wrap around, or be to a part of the location, intervals do not tell.
        let exact = access.bytes == crate::operation::Bytes::ALL && low >= 0 && high <= i128::from(i64::MAX);
        if exact { Values::Between(low, high) } else { Values::Any }
    }

    /// What a receive may find, as far as whether it is something is concerned: 0 or 1.
    fn findings(&self, access: &Access, receive: u32) -> Values {
        let found = |is_there: &dyn Fn(EventId) -> bool| {
            i128::from(self.trace.found(access.location, receive, self.matching, is_there).is_some())
        };
        let in_prefix = |event: EventId| event.index() < self.prefix;
        let low = found(&in_prefix);
        let high = found(&|event| in_prefix(event) || self.events.binary_search(&event).is_ok());
        Values::Between(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_tell_what_cannot_be() {
        let few = Values::Between(1, 3);
        assert!(!few.may_meet(Condition::Equals(0)) && few.may_fail(Condition::Equals(0)));
        assert!(few.may_meet(Condition::AtLeast(3)) && !few.may_meet(Condition::AtLeast(4)));
        assert!(few.may_meet(Condition::Below(2)) && !few.may_meet(Condition::Below(1)));
        assert!(!few.may_fail(Condition::AtLeast(1)));
        assert!(!Values::Between(2, 2).may_meet(Condition::Differs(2)));
        assert!(Values::Any.may_meet(Condition::Equals(9)) && Values::Any.may_fail(Condition::Equals(9)));
    }
}
