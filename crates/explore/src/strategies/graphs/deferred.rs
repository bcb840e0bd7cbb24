//! Revisits that are deferred until nothing deeper is left.
//!
//! A revisit goes back to the revisited read, which may be far above its write. If it is explored at once, as in the
//! paper, everything in between has to be run again for the alternatives that remain there. So a revisit waits until
//! all of them are explored: the program only ever goes back. Alternatives share nothing, so their order is free.
//!
//! Meanwhile, what the revisit needs of the graph it was planned in is kept. Revisits that were planned along one list
//! of events share it.
//!
//! There can be exponentially many of them. When there are too many, a revisit is explored at once after all: the graph
//! is *suspended*, with its remaining work, and resumed when the revisit is explored completely. Meanwhile further
//! revisits may be deferred, half as many at each level. So memory is linear in the length of an execution, times the
//! depth to which revisits nest.

use super::Graphs;
use super::alternative::{Alternative, Revisit};
use super::event::{Event, Kind, Position};
use crate::estimate::Share;
use everyway_ids::id;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::ops::Range;

id!(
    /// A list of events that is kept.
    ListId,
    "l"
);

/// A revisit that waits.
#[derive(Clone, Debug)]
pub(super) struct Deferred {
    pub(super) list: ListId,
    /// The number of events of the graph that it belongs to.
    pub(super) len: usize,
    pub(super) revisit: Revisit,
    /// Which events it leaves in the graph.
    staying: Staying,
    /// How much of the exploration it may be.
    pub(super) share: Share,
}

/// Which events of a graph a revisit leaves there: all up to one, and some after that.
#[derive(Clone, Debug, Default)]
pub(super) struct Staying {
    /// The first that leaves.
    pub(super) first: usize,
    /// Of those from `first` on, a bit for each.
    later: SmallVec<[u64; 2]>,
}

impl Staying {
    /// Of the events from `first` on to `len`, those for which `stays` holds.
    pub(super) fn new(first: usize, len: usize, stays: impl Fn(Position) -> bool) -> Self {
        let mut later = SmallVec::from_elem(0, (len - first).div_ceil(WORD));
        for later_by in (0..len - first).filter(|&later_by| stays(Position::new(first + later_by))) {
            later[later_by / WORD] |= 1 << (later_by % WORD);
        }
        Self { first, later }
    }

    /// Of all events from the first that leaves on, those that stay.
    pub(super) fn of<'e>(&self, left: &'e [Event]) -> impl Iterator<Item = &'e Event> {
        let stays = |later_by: usize| self.later[later_by / WORD] >> (later_by % WORD) & 1 == 1;
        left.iter().enumerate().filter(move |&(later_by, _)| stays(later_by)).map(|(_, event)| event)
    }

    /// Where an event is after the revisit; none if it has left.
    pub(super) fn moved(&self, old: Position) -> Option<Position> {
        let Some(later_by) = old.index().checked_sub(self.first) else { return Some(old) };
        let (word, bit) = (later_by / WORD, 1 << (later_by % WORD));
        if self.later[word] & bit == 0 {
            return None;
        }
        let before = self.later[..word].iter().map(|word| word.count_ones()).sum::<u32>();
        Some(Position::new(self.first + (before + (self.later[word] & (bit - 1)).count_ones()) as usize))
    }

    /// An event that stays, as it is after the revisit; none if it depends on one that has left.
    pub(super) fn moved_event(&self, mut event: Event) -> Option<Event> {
        if let Kind::Read { source: Some(old), .. } | Kind::Overtaken { by: old, .. } = &mut event.kind {
            *old = self.moved(*old)?;
        }
        Some(event)
    }
}

const WORD: usize = u64::BITS as usize;

/// What is taken up again: a revisit, and the events of its graph from `depth` on are handed over with it.
struct Resumed {
    depth: usize,
    revisit: Revisit,
    staying: Staying,
    share: Share,
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
type Waiting = BTreeMap<(usize, u64), Deferred>;

/// A graph that is left for a while.
#[derive(Clone, Debug)]
struct Suspended {
    events: Vec<Event>,
    /// How many of them are still those of the current graph.
    same: usize,
    waiting: Waiting,
    /// How many alternatives were left then.
    alternatives: usize,
    /// What the revisits in its `waiting` keep.
    weight: usize,
}

/// What is left of a graph: of the current one, or of one that is suspended.
pub(super) struct Scope<'a> {
    pub(super) events: &'a [Event],
    /// Its alternatives on the stack.
    pub(super) alternatives: Range<usize>,
    waiting: &'a Waiting,
}

impl Scope<'_> {
    /// Its deferred revisits, the last to be explored first.
    pub(super) fn deferred(&self) -> impl DoubleEndedIterator<Item = (usize, &Deferred)> {
        self.waiting.iter().map(|(&(depth, _), deferred)| (depth, deferred))
    }
}

/// Revisits and events that may be kept before the first graph is suspended: some 2 to 4 MB, in all twice that.
const LIMIT: usize = 1 << 14;

/// The revisits that wait, in the current graph and in those that are suspended.
#[derive(Clone, Debug)]
pub(super) struct DeferredRevisits {
    /// How many of them, and of events, may be kept before the first graph is suspended.
    limit: usize,
    waiting: Waiting,
    /// How many revisits wait in the current graph, and events are kept for them.
    weight: usize,
    /// The innermost last.
    suspended: Vec<Suspended>,
    next: u64,
    lists: Vec<List>,
    free: Vec<ListId>,
    /// The list that was kept last, and how many events of the graph are still as it has them.
    last: Option<(ListId, usize)>,
}

impl Default for DeferredRevisits {
    fn default() -> Self {
        Self::keeping(LIMIT)
    }
}

impl DeferredRevisits {
    /// None, of which about so many may be kept, or events for them.
    pub(super) fn keeping(limit: usize) -> Self {
        Self {
            limit,
            waiting: Waiting::new(),
            weight: 0,
            suspended: Vec::new(),
            next: 0,
            lists: Vec::new(),
            free: Vec::new(),
            last: None,
        }
    }

    /// How many events of the current graph stay for the revisit that is next.
    pub(super) fn depth(&self) -> Option<usize> {
        self.waiting.last_key_value().map(|(&(depth, _), _)| depth)
    }

    /// How many of the alternatives on the stack belong to graphs that are suspended.
    #[inline]
    pub(super) fn suspended_alternatives(&self) -> usize {
        self.suspended.last().map_or(0, |suspended| suspended.alternatives)
    }

    /// What is left of all graphs, the current one of which has these `events` and is the last.
    pub(super) fn scopes<'a>(&'a self, events: &'a [Event], alternatives: usize) -> Vec<Scope<'a>> {
        let suspended = self.suspended.iter().map(|it| (&it.events[..], &it.waiting, it.alternatives));
        let current = [(events, &self.waiting, alternatives)];
        let mut start = 0;
        let scope = |(events, waiting, end)| {
            let alternatives = std::mem::replace(&mut start, end)..end;
            Scope { events, alternatives, waiting }
        };
        suspended.chain(current).map(scope).collect()
    }

    /// Whether no more should be put off.
    pub(super) fn are_too_many(&self) -> bool {
        let limit = u32::try_from(self.suspended.len()).ok().and_then(|level| self.limit.checked_shr(level));
        self.weight >= limit.unwrap_or(0)
    }

    /// Leaves the graph of these `events`, of which so many alternatives are on the stack, for a while.
    pub(super) fn suspend(&mut self, events: &[Event], alternatives: usize) {
        let (waiting, weight) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.weight));
        let (events, same) = (events.to_vec(), events.len());
        self.suspended.push(Suspended { events, same, waiting, alternatives, weight });
        self.last = None;
    }

    /// Goes back to the graph that was suspended last: its events, and how many of them the current graph has, too.
    pub(super) fn resume(&mut self) -> Option<(usize, Vec<Event>)> {
        let Suspended { events, same, waiting, weight, .. } = self.suspended.pop()?;
        debug_assert!(self.waiting.is_empty(), "what was put off is explored first");
        (self.waiting, self.weight, self.last) = (waiting, weight, None);
        Some((same, events))
    }

    /// Puts off a revisit in the graph of `events`, of which the first `depth` are still there when it is its turn.
    pub(super) fn put_off(
        &mut self,
        depth: usize,
        events: &[Event],
        (revisit, staying): (Revisit, Staying),
        share: Share,
    ) {
        let list = self.keep(depth, events);
        self.lists[list.index()].users += 1;
        self.waiting.insert((depth, self.next), Deferred { list, len: events.len(), revisit, staying, share });
        self.next += 1;
        self.weight += 1;
    }

    /// Takes the next one, with the events of its graph from its depth on.
    fn take(&mut self, graph_from: &mut Vec<Event>) -> Option<Resumed> {
        let ((depth, _), deferred) = self.waiting.pop_last()?;
        graph_from.clear();
        graph_from.extend_from_slice(self.events(depth, &deferred));
        self.weight -= 1 + self.release(deferred.list);
        let Deferred { revisit, staying, share, .. } = deferred;
        Some(Resumed { depth, revisit, staying, share })
    }

    /// Forgets the one that would be explored last in a scope, by its number.
    pub(super) fn give_up_last(&mut self, scope: usize) {
        let waiting = self.suspended.get_mut(scope).map_or(&mut self.waiting, |suspended| &mut suspended.waiting);
        if let Some((_, deferred)) = waiting.pop_first() {
            let weight = 1 + self.release(deferred.list);
            *self.suspended.get_mut(scope).map_or(&mut self.weight, |suspended| &mut suspended.weight) -= weight;
        }
    }

    /// The alternative at this place of the stack is gone.
    pub(super) fn removed_alternative(&mut self, place: usize) {
        for suspended in self.suspended.iter_mut().filter(|suspended| place < suspended.alternatives) {
            suspended.alternatives -= 1;
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
        if let Some(Suspended { same, .. }) = self.suspended.last_mut() {
            *same = (*same).min(position);
        }
    }

    /// All events that are kept.
    pub(super) fn kept(&self) -> impl Iterator<Item = &Event> {
        let suspended = self.suspended.iter().flat_map(|suspended| &suspended.events);
        self.lists.iter().flat_map(|list| &list.events).chain(suspended)
    }

    /// All events that are kept.
    pub(super) fn kept_mut(&mut self) -> impl Iterator<Item = &mut Event> {
        let suspended = self.suspended.iter_mut().flat_map(|suspended| &mut suspended.events);
        self.lists.iter_mut().flat_map(|list| &mut list.events).chain(suspended)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::keeping(self.limit);
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
        self.weight += events.len() - depth;
        self.last = Some((id, events.len()));
        id
    }

    /// One revisit less needs a list; how many events are not kept any more.
    fn release(&mut self, id: ListId) -> usize {
        let list = &mut self.lists[id.index()];
        list.users -= 1;
        if list.users > 0 {
            return 0;
        }
        let freed = list.events.len();
        list.events.clear();
        self.free.push(id);
        self.last = self.last.filter(|&(last, _)| last != id);
        freed
    }
}

impl Graphs {
    /// Explores a revisit, if nothing is left that the program would have to come back for; otherwise puts it off. Whether
    /// the graph that comes of it is the current one, and consistent.
    pub(super) fn revisit_or_defer(&mut self, revisit: Revisit) -> bool {
        let staying = self.staying(revisit);
        let first = staying.first;
        let deepest = self.own_alternatives().last().map(|next| next.depth).max(self.deferred.depth());
        if deepest.is_some_and(|deepest| deepest > first) {
            if !self.deferred.are_too_many() {
                let own = self.own_alternatives().iter().rev();
                let depth = own.fold(first, |depth, alternative| alternative.kept_at(depth));
                let share = self.shares.put_off();
                self.deferred.put_off(depth, &self.graph.events, (revisit, staying), share);
                return false;
            }
            self.deferred.suspend(&self.graph.events, self.alternatives.len());
        }
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend_from_slice(&self.graph.events[first..]);
        let is_consistent = self.revisit(revisit, &staying, (first, &left));
        self.left = left;
        is_consistent
    }

    /// Goes on with the deferred revisit that is next, if nothing deeper is left.
    pub(super) fn take_deferred(&mut self) -> Option<bool> {
        let depth = self.deferred.depth()?;
        if self.own_alternatives().last().is_some_and(|next| next.depth > depth) {
            return None;
        }
        let mut left = std::mem::take(&mut self.left);
        let Resumed { depth, revisit, staying, share } = self.deferred.take(&mut left)?;
        self.shares.go_on(share);
        let is_consistent = self.revisit(revisit, &staying, (depth, &left));
        self.left = left;
        Some(is_consistent)
    }

    /// Goes back to the graph that was suspended last; whether there was one.
    pub(super) fn resume(&mut self) -> bool {
        let Some((same, events)) = self.deferred.resume() else { return false };
        self.truncate(same);
        for event in &events[same..] {
            self.graph.push(event);
        }
        true
    }

    /// The alternatives that belong to the current graph, and not to one that is suspended.
    pub(super) fn own_alternatives(&self) -> &[Alternative] {
        &self.alternatives[self.deferred.suspended_alternatives()..]
    }
}
