//! Happens-before with observers, straight from the definition (TACAS 2018, Definition 1 and Sect. 6).
//!
//! Two stores to the same bytes are ordered only if what the later one left is observed: something else than
//! such a store touches these bytes, or some of them, before the next such store. Two messages to one queue are ordered
//! only if the one sent first is taken by a receive that would have taken the other, and could have: it had not been
//! taken before. All else is as in [`relation`].
//!
//! Stores to a location that some thread may have to wait at are ordered always, as otherwise the order of two of them
//! would decide, without an observer, which thread can move.
//!
//! [`relation`]: crate::relation

use crate::relation::{Deed, History, Manner, Touch, Wanted, conflicts};
use everyway_runtime::Message;
use std::collections::BTreeSet;

impl History {
    /// The same execution with the order that is observed in it; stores to `watched` locations are ordered always.
    #[must_use]
    pub fn observed(&self, watched: &[u32]) -> History {
        let deeds = self.deeds();
        let mut observed = History::default();
        for (id, deed) in deeds.iter().enumerate() {
            observed.push_by(deed.clone(), |earlier, later| {
                let is_observed = if same_stores(earlier, later) {
                    watched.contains(&later.location) || is_observed(later, &deeds[id + 1..])
                } else if let (Manner::Send(first, _), Manner::Send(second, content)) = (earlier.manner, later.manner) {
                    order_is_observed(deeds, later.location, first, (second, content))
                } else {
                    true
                };
                conflicts(earlier, later) && is_observed
            });
        }
        observed
    }

    /// The locations that a thread may have to wait at, in this execution with `waiting` at its end, while the order
    /// of stores to them by different threads might be left open in it, and not all of what is stored would let it go on,
    /// or would not.
    pub fn watched(&self, waiting: &[Wanted]) -> Vec<u32> {
        let deeds = self.deeds();
        let waits = deeds.iter().flat_map(|deed| deed.waits.iter()).chain(waiting);
        let waits = waits.filter(|wanted| is_contested(deeds, wanted.location) && matters(deeds, wanted));
        let mut watched: Vec<u32> = waits.map(|wanted| wanted.location).collect();
        watched.sort_unstable();
        watched.dedup();
        watched
    }
}

/// Whether it depends on which of the stores comes last whether a wait for this goes on.
fn matters(deeds: &[Deed], wanted: &Wanted) -> bool {
    let stored = deeds.iter().flat_map(|deed| &deed.stored);
    let stored = stored.filter(|(location, bytes, _)| *location == wanted.location && bytes & wanted.bytes != 0);
    let answers: BTreeSet<_> =
        stored.map(|&(_, bytes, value)| (bytes != wanted.bytes, wanted.condition.holds(value))).collect();
    answers.len() > 1 || answers.iter().any(|&(is_other, _)| is_other)
}

/// Whether a thread stores what another has just stored, of the bytes concerned.
fn is_contested(deeds: &[Deed], location: u32) -> bool {
    let touches: Vec<(usize, &Touch)> =
        deeds.iter().flat_map(|deed| deed.touches.iter().map(|touch| (deed.thread, touch))).collect();
    touches.iter().enumerate().any(|(at, (thread, later))| {
        let overlaps = |touch: &Touch| touch.location == location && touch.bytes & later.bytes != 0;
        let last = touches[..at].iter().rev().find(|(_, earlier)| overlaps(earlier));
        later.location == location
            && last.is_some_and(|(other, earlier)| other != thread && same_stores(earlier, later))
    })
}

fn is_store(touch: &Touch) -> bool {
    touch.manner == Manner::Store
}

fn same_stores(one: &Touch, other: &Touch) -> bool {
    is_store(one) && is_store(other) && one.location == other.location && one.bytes == other.bytes
}

/// Whether one of `deeds`, which come next, looks at what `store` left.
fn is_observed(store: &Touch, deeds: &[Deed]) -> bool {
    let touches = deeds.iter().flat_map(|deed| &deed.touches);
    let mut visible = touches.take_while(|touch| !same_stores(store, touch));
    visible.any(|touch| touch.location == store.location && touch.bytes & store.bytes != 0 && !is_store(touch))
}

/// Whether a receive takes `first` that would have taken `second`, which has the content `content`, as well.
fn order_is_observed(deeds: &[Deed], queue: u32, first: Message, (second, content): (Message, u64)) -> bool {
    let touches = deeds.iter().flat_map(|deed| &deed.touches).filter(|touch| touch.location == queue);
    let mut taken = touches.filter_map(|touch| match touch.manner {
        Manner::Take(message, wanted, _) => Some((message, wanted)),
        _ => None,
    });
    let choice = taken.find(|(message, _)| *message == first || *message == second);
    choice.is_some_and(|(message, wanted)| message == first && wanted.holds(content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::{Class, Fate};

    fn deed(thread: usize, manner: Manner) -> Deed {
        Deed { thread, touches: vec![Touch { location: 0, bytes: 0xff, manner }], ..Deed::default() }
    }

    fn class(deeds: &[(usize, Manner)], watched: &[u32]) -> Class {
        let mut history = History::default();
        deeds.iter().for_each(|&(thread, manner)| history.push(deed(thread, manner)));
        history.observed(watched).class([Fate::Ended; 4].into_iter())
    }

    #[test]
    fn only_the_last_store_before_a_look_has_a_place() {
        use Manner::{Look, Store};
        let stores = |a, b, c| class(&[(a, Store), (b, Store), (c, Store), (3, Look)], &[]);
        assert_eq!(stores(0, 1, 2), stores(1, 0, 2));
        assert_ne!(stores(0, 1, 2), stores(0, 2, 1));
        assert_eq!(class(&[(3, Look), (0, Store), (1, Store)], &[]), class(&[(3, Look), (1, Store), (0, Store)], &[]));
    }

    #[test]
    fn stores_are_ordered_where_a_thread_waits() {
        use Manner::Store;
        assert_ne!(class(&[(0, Store), (1, Store)], &[0]), class(&[(1, Store), (0, Store)], &[0]));
    }
}
