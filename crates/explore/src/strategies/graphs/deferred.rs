//! Revisits that are put off until nothing deeper is left.
//!
//! A revisit goes back to where the revisited read is, which may be far above where its write is. If it is explored at once, as in the
//! paper, everything in between has to be run again for the alternatives that are left there. So a revisit waits until
//! all of them are explored: the program only ever goes back. Alternatives share nothing, so their order is free.
//!
//! What a revisit needs of the graph it was planned in is kept meanwhile. Revisits that were planned along one list of events
//! keep it together; so memory is linear in the length of an execution, times how deeply revisits nest.

use super::alternative::Revisit;
use super::event::Event;
use crate::estimate::Share;
use everyway_ids::id;
use std::collections::BTreeMap;

id!(
    /// A list of events that is kept.
    ListId,
    "l"
);

/// A revisit that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deferred {
    pub(super) list: ListId,
    /// The number of events of the graph that it belongs to.
    pub(super) len: usize,
    pub(super) revisit: Revisit,
    /// How much of the exploration it may be.
    pub(super) share: Share,
}

/// A list of events, from one of them on.
#[derive(Clone, Debug, Default)]
struct List {
    start: usize,
    events: Vec<Event>,
    /// How many revisits need it.
    users: usize,
}

/// Revisits that wait, by how many events of the current graph stay as they are, and then by age.
#[derive(Clone, Debug, Default)]
pub(super) struct DeferredRevisits {
    waiting: BTreeMap<(usize, u64), Deferred>,
    next: u64,
    lists: Vec<List>,
    free: Vec<ListId>,
    /// The list that was kept last, and how many events of the graph are still as it has them.
    last: Option<(ListId, usize)>,
}

impl DeferredRevisits {
    /// How many events of the current graph stay for the revisit that is next.
    pub(super) fn depth(&self) -> Option<usize> {
        self.waiting.last_key_value().map(|(&(depth, _), _)| depth)
    }

    /// All of them, the last to be explored first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Deferred)> {
        self.waiting.iter().map(|(&(depth, _), deferred)| (depth, deferred))
    }

    /// Puts off a revisit in the graph of `events`, of which the first `depth` are still there when it is its turn.
    pub(super) fn put_off(&mut self, depth: usize, events: &[Event], (revisit, share): (Revisit, Share)) {
        let list = self.keep(depth, events);
        self.lists[list.index()].users += 1;
        self.waiting.insert((depth, self.next), Deferred { list, len: events.len(), revisit, share });
        self.next += 1;
    }

    /// Takes the next one, with how many events of the graph stay.
    pub(super) fn take(&mut self, graph_from: &mut Vec<Event>) -> Option<(usize, (Revisit, Share))> {
        let ((depth, _), deferred) = self.waiting.pop_last()?;
        graph_from.clear();
        graph_from.extend_from_slice(self.events(depth, &deferred));
        self.release(deferred.list);
        Some((depth, (deferred.revisit, deferred.share)))
    }

    /// Forgets the one that would be explored last.
    pub(super) fn give_up_last(&mut self) {
        if let Some((_, deferred)) = self.waiting.pop_first() {
            self.release(deferred.list);
        }
    }

    /// The events of a list that is kept, and how many of the graph come before them.
    pub(super) fn list(&self, list: ListId) -> (usize, &[Event]) {
        let List { start, events, .. } = &self.lists[list.index()];
        (*start, events)
    }

    /// The events of the graph of a revisit, without the first `depth`.
    fn events(&self, depth: usize, deferred: &Deferred) -> &[Event] {
        let list = &self.lists[deferred.list.index()];
        &list.events[depth - list.start..deferred.len - list.start]
    }

    /// The graph has changed from this event on.
    #[inline]
    pub(super) fn changed_from(&mut self, position: usize) {
        if let Some((_, same)) = &mut self.last {
            *same = (*same).min(position);
        }
    }

    /// All events that are kept.
    pub(super) fn kept(&self) -> impl Iterator<Item = &Event> {
        self.lists.iter().flat_map(|list| &list.events)
    }

    /// All events that are kept.
    pub(super) fn kept_mut(&mut self) -> impl Iterator<Item = &mut Event> {
        self.lists.iter_mut().flat_map(|list| &mut list.events)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The list that has the `events` from `depth` on.
    fn keep(&mut self, depth: usize, events: &[Event]) -> ListId {
        if let Some((list, same)) = self.last
            && self.lists[list.index()].start <= depth
            && events.len() <= same
        {
            return list;
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.lists.push(List::default());
            ListId::new(self.lists.len() - 1)
        });
        let list = &mut self.lists[id.index()];
        list.start = depth;
        list.events.extend_from_slice(&events[depth..]);
        self.last = Some((id, events.len()));
        id
    }

    fn release(&mut self, id: ListId) {
        let list = &mut self.lists[id.index()];
        list.users -= 1;
        if list.users == 0 {
            list.events.clear();
            self.free.push(id);
            self.last = self.last.filter(|&(last, _)| last != id);
        }
    }
}
