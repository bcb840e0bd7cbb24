//! `psc` of RC11: the order of `seq_cst` accesses and fences has no cycles.
//!
//! `psc_base = ([Esc] u [Fsc];hb?) ; scb ; ([Esc] u hb?;[Fsc])`, `psc_F = [Fsc] ; (hb u hb;eco;hb) ; [Fsc]`, where
//! `scb = po u po|diff-loc;hb;po|diff-loc u hb|same-loc u mo u fr`.
//!
//! As nothing happens after the last event, what it adds to the order begins with a step of modification order or from-read
//! away from it. It takes part in a cycle only if there is such a step, and if it is `seq_cst` itself or after a
//! `seq_cst` fence.

use super::event::{Event, Position};
use super::graph::Graph;

/// The search for a cycle, with its memory.
///
/// It goes from `seq_cst` event to `seq_cst` event, by way of the other events: a fence leads to all that happens after it, from
/// there a step of `scb` or `eco` leads on, and to all fences after that. Every event is left once, not once for each
/// pair of fences around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// The `seq_cst` fences.
    fences: Vec<Position>,
    /// By event: whether it is `seq_cst`, and has been come to.
    met: Vec<bool>,
    /// By event: how it has been left.
    left: Vec<Leaving>,
    /// By event: whether the fences that it happens before have been come to.
    is_followed: Vec<bool>,
    pending: Vec<Position>,
}

/// By which steps an event has been left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Leaving {
    #[default]
    Not,
    /// By those of `scb`.
    Accesses,
    /// Also by those of `eco`: it happens after a fence.
    AfterFence,
}

impl Search {
    /// Whether adding the last event has made no cycle.
    pub(super) fn is_acyclic(&mut self, graph: &Graph, last: Position) -> bool {
        let event = graph.event(last);
        let Some(cell) = event.cell() else { return true };
        if !graph.has_seq_cst() || graph.first_after(cell, graph.place(last)).is_none() {
            return true;
        }
        let is_fence = |&position: &Position| graph.event(position).is_seq_cst() && graph.event(position).is_fence();
        self.fences.clear();
        self.fences.extend(graph.positions().filter(is_fence));
        if event.is_seq_cst() && self.is_on_cycle(graph, last) {
            return false;
        }
        for fence in 0..self.fences.len() {
            let fence = self.fences[fence];
            if graph.happens_before(fence, last) && self.is_on_cycle(graph, fence) {
                return false;
            }
        }
        true
    }

    fn is_on_cycle(&mut self, graph: &Graph, start: Position) -> bool {
        for flags in [&mut self.met, &mut self.is_followed] {
            flags.clear();
            flags.resize(graph.len(), false);
        }
        self.left.clear();
        self.left.resize(graph.len(), Leaving::Not);
        self.pending.clear();
        self.pending.push(start);
        while let Some(at) = self.pending.pop() {
            self.leave(graph, at, Leaving::Accesses);
            if graph.event(at).is_fence() {
                for after in graph.positions().filter(|&after| graph.happens_before(at, after)) {
                    self.leave(graph, after, Leaving::AfterFence);
                }
                self.follow(graph, at);
            }
            if self.met[start.index()] {
                return true;
            }
        }
        false
    }

    /// Comes to all that one step away from an event leads to.
    fn leave(&mut self, graph: &Graph, from: Position, how: Leaving) {
        if self.left[from.index()] >= how {
            return;
        }
        self.left[from.index()] = how;
        for to in graph.positions() {
            if graph.is_scb(from, to) {
                if graph.event(to).is_seq_cst() {
                    self.come_to(to);
                }
                self.follow(graph, to);
            } else if how == Leaving::AfterFence && graph.is_eco(from, to) {
                self.follow(graph, to);
            }
        }
    }

    /// Comes to the fences that an event happens before.
    fn follow(&mut self, graph: &Graph, event: Position) {
        if std::mem::replace(&mut self.is_followed[event.index()], true) {
            return;
        }
        for fence in 0..self.fences.len() {
            let fence = self.fences[fence];
            if graph.happens_before(event, fence) {
                self.come_to(fence);
            }
        }
    }

    fn come_to(&mut self, event: Position) {
        if !std::mem::replace(&mut self.met[event.index()], true) {
            self.pending.push(event);
        }
    }
}

impl Graph {
    /// Whether one event happens before another, by RC11.
    #[inline]
    pub(super) fn happens_before(&self, earlier: Position, later: Position) -> bool {
        let event = self.event(earlier);
        earlier != later && self.hb.get(later, event.thread) >= event.index
    }

    fn positions(&self) -> impl Iterator<Item = Position> + use<> {
        (0..self.len()).map(Position::new)
    }

    fn is_scb(&self, from: Position, to: Position) -> bool {
        let (one, other) = (self.event(from), self.event(to));
        let is_same_cell = one.cell().is_some() && one.cell() == other.cell();
        self.is_po(one, other)
            || is_same_cell && (self.happens_before(from, to) || other.is_write() && self.comes_earlier(from, to))
            || self.is_around(one, other)
    }

    fn is_po(&self, one: &Event, other: &Event) -> bool {
        one.thread == other.thread && one.index < other.index
    }

    /// Whether one access to a cell is earlier than a write to it by modification order or from-read.
    fn comes_earlier(&self, from: Position, to: Position) -> bool {
        from != to && self.place(from) < self.place(to)
    }

    /// `(rf u mo u fr)+`: whether an access to a cell is earlier than another one; reads of one write are not ordered.
    fn is_eco(&self, from: Position, to: Position) -> bool {
        let (one, other) = (self.event(from), self.event(to));
        if one.cell().is_none() || one.cell() != other.cell() || from == to {
            return false;
        }
        let (here, there) = (self.place(from), self.place(to));
        here < there || here == there && one.is_write() && other.is_read()
    }

    /// `po|diff-loc ; hb ; po|diff-loc`.
    fn is_around(&self, one: &Event, other: &Event) -> bool {
        let differs = |a: &Event, b: &Event| a.cell().is_none() || a.cell() != b.cell();
        let later = &self.threads[one.thread.index()].events[one.index as usize..];
        let earlier = &self.threads[other.thread.index()].events[..other.index as usize - 1];
        let first = later.iter().find(|&&position| differs(one, self.event(position)));
        let last = earlier.iter().rev().find(|&&position| differs(self.event(position), other));
        matches!((first, last), (Some(&first), Some(&last)) if self.happens_before(first, last))
    }
}
