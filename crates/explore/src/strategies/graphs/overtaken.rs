//! Waits that are overtaken.
//!
//! A wait that was satisfied may be revisited by a write that does not satisfy it: a lock that one thread has taken is
//! taken by another one instead. To let it wait in its place, and read that write, would be TruSt as it is in the paper;
//! but then every later write makes two graphs, one in which the wait reads it and one in which it goes on waiting, and
//! all of the latter kind that do not lead to a revisit are explored in vain. So the wait leaves the graph, and comes
//! back like any other operation: when the newest write satisfies it, or nothing else can go on.
//!
//! What stays in its place, with its stamp, is an event that says by which write it was overtaken. It sees to it that
//! nothing is explored twice:
//!
//! - Where it is asked whether events were added maximally (`revisit.rs`), it stands for the wait in its old place: see
//!   below for what that would read.
//! - The wait may only read what would have come to it by revisits in its old place. Before a read with stamp `s` can be
//!   revisited by a write `w`, it has to read the newest write among those with lower stamps and those that come before `w`
//!   in porf: the write that *precedes* `w`. So the writes that revisit it one after the other are a chain that is known from
//!   its end. A wait that was overtaken reads a write whose chain goes through the one by which it was overtaken, and in
//!   which whatever does not satisfy it comes after the one that precedes it in modification order.
//! - What it may not read is nothing to it, wherever it is in modification order: neither where it is asked whether it
//!   was added maximally, nor, if it is overtaken again, among what precedes a write.

use super::Graphs;
use super::event::{Cell, Event, Kind, Position, Reached, Stamp};
use super::graph::Graph;
use super::touches::Touch;
use everyway_runtime::{State, ThreadId};
use smallvec::SmallVec;

impl Graph {
    /// The marks of the waits in this place of a thread that were overtaken; the last first. A thread goes on only after its
    /// wait has come back, so that those of later places come after them.
    #[inline]
    fn overtaken(&self, reader: Reached) -> impl Iterator<Item = Position> {
        let marks = self.threads[reader.thread.index()].overtaken.iter().rev().copied();
        let marks = marks.skip_while(move |&mark| self.event(mark).index > reader.index);
        marks.take_while(move |&mark| self.event(mark).index == reader.index)
    }

    /// Whether a wait in this place of a thread was overtaken.
    #[inline]
    pub(super) fn is_overtaken(&self, thread: ThreadId, index: u32) -> bool {
        self.overtaken(Reached { thread, index }).next().is_some()
    }

    /// The writes to a cell with lower stamps and those that come before a write, whose thread had come to `base`; the
    /// newest first.
    fn writes_there(&self, cell: Cell, stamp: Stamp, base: Option<Position>) -> impl Iterator<Item = Position> + '_ {
        let is_there = move |&write: &Position| {
            let event = self.event(write);
            event.stamp < stamp || self.is_porf_before(event, base)
        };
        self.accesses(cell).writes.iter().rev().copied().filter(is_there)
    }
}

impl Graphs {
    /// Whether a wait may read a write of the graph.
    pub(super) fn may_read(&self, read: &Event, touch: Touch, source: Option<Position>, state: &dyn State) -> bool {
        let mut marks = self.graph.overtaken(Reached { thread: read.thread, index: read.index });
        marks.all(|mark| self.is_on_chain(mark, touch, source, state))
    }

    /// Whether a wait may be revisited by a write that satisfies it, and whose thread has come to `base`.
    pub(super) fn may_be_revisited(
        &self,
        read: &Event,
        touch: Touch,
        base: Option<Position>,
        state: &dyn State,
    ) -> bool {
        let mut marks = self.graph.overtaken(Reached { thread: read.thread, index: read.index });
        marks.all(|mark| self.is_revisited_by_way_of(mark, touch, base, state))
    }

    /// Whether the chain of a write whose thread has come to `base` would go through the one that a mark is about.
    pub(super) fn is_revisited_by_way_of(
        &self,
        mark: Position,
        touch: Touch,
        base: Option<Position>,
        state: &dyn State,
    ) -> bool {
        let preceding = self.preceding(mark, touch, base, state);
        self.is_on_chain(mark, touch, preceding, state)
    }

    /// The newest write that the wait of a mark would have seen in its place before a write, whose thread had come to
    /// `base`.
    fn preceding(&self, mark: Position, touch: Touch, base: Option<Position>, state: &dyn State) -> Option<Position> {
        let Event { thread, index, stamp, .. } = *self.graph.event(mark);
        let may_read = |write: &Position| {
            let marks = self.graph.overtaken(Reached { thread, index });
            let mut earlier = marks.filter(|&earlier| self.graph.event(earlier).stamp < stamp);
            earlier.all(|earlier| self.is_on_chain(earlier, touch, Some(*write), state))
        };
        self.graph.writes_there(touch.cell, stamp, base).find(may_read)
    }

    /// Whether the chain of a write goes through the one that a mark is about.
    fn is_on_chain(&self, mark: Position, touch: Touch, source: Option<Position>, state: &dyn State) -> bool {
        let Event { kind: Kind::Overtaken { by, .. }, stamp, .. } = *self.graph.event(mark) else { return false };
        let Some(write) = source.filter(|&write| self.graph.event(write).stamp > stamp) else { return false };
        if write == by {
            return true;
        }
        if let Some(known) = self.chains.borrow().get(mark, write) {
            return known;
        }
        let preceding = self.preceding(mark, touch, self.graph.before(write), state);
        let is_satisfied = || self.graph.touches.access(touch).when.holds(self.found(touch, Some(write), state));
        let goes_on = self.graph.label(preceding) <= self.graph.label(Some(write)) || is_satisfied();
        let is_on_chain = goes_on && self.is_on_chain(mark, touch, preceding, state);
        self.chains.borrow_mut().insert(mark, write, is_on_chain);
        is_on_chain
    }
}

/// What is known of the chains of writes: whether they go through those that marks are about.
///
/// It is the same as long as both are in the list of events: it depends on what comes before the later of them there.
/// Events with lower stamps than a mark come before it, unless they are reads that were revisited, and what comes before a
/// write in porf comes before it in the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// By the later of a mark and a write, the other one, and whether the mark is on the chain of the write. What is beyond
    /// the list of events is empty, and kept for its memory.
    known: Vec<SmallVec<[(Position, bool); 2]>>,
    /// Nothing is known of this position and later ones.
    end: usize,
}

impl Chains {
    fn get(&self, mark: Position, write: Position) -> Option<bool> {
        let known = self.known.get(mark.max(write).index())?;
        known.iter().find(|(other, _)| *other == mark.min(write)).map(|&(_, is_on_chain)| is_on_chain)
    }

    fn insert(&mut self, mark: Position, write: Position, is_on_chain: bool) {
        let later = mark.max(write).index();
        if self.known.len() <= later {
            self.known.resize_with(later + 1, SmallVec::new);
        }
        self.known[later].push((mark.min(write), is_on_chain));
        self.end = self.end.max(later + 1);
    }

    /// Forgets what is known of the events from `depth` on.
    pub(super) fn truncate(&mut self, depth: usize) {
        if depth < self.end {
            self.known[depth..self.end].iter_mut().for_each(SmallVec::clear);
            self.end = depth;
        }
    }
}
