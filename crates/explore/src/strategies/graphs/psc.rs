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
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    nodes: Vec<Position>,
    met: Vec<bool>,
    pending: Vec<usize>,
}

impl Search {
    /// Whether adding the last event has made no cycle.
    pub(super) fn is_acyclic(&mut self, graph: &Graph, last: Position) -> bool {
        let event = graph.event(last);
        let Some(cell) = event.cell() else { return true };
        if !graph.has_seq_cst() || graph.first_after(cell, graph.place(last)).is_none() {
            return true;
        }
        self.nodes.clear();
        let all = (0..graph.len()).map(Position::new);
        self.nodes.extend(all.filter(|&position| graph.event(position).is_seq_cst()));
        let is_start = |position: Position| {
            position == last || graph.event(position).is_fence() && graph.happens_before(position, last)
        };
        for start in 0..self.nodes.len() {
            if is_start(self.nodes[start]) && self.is_on_cycle(graph, start) {
                return false;
            }
        }
        true
    }

    fn is_on_cycle(&mut self, graph: &Graph, start: usize) -> bool {
        self.met.clear();
        self.met.resize(self.nodes.len(), false);
        self.pending.clear();
        self.pending.push(start);
        while let Some(at) = self.pending.pop() {
            for next in 0..self.nodes.len() {
                if !self.met[next] && graph.is_psc(self.nodes[at], self.nodes[next]) {
                    if next == start {
                        return true;
                    }
                    self.met[next] = true;
                    self.pending.push(next);
                }
            }
        }
        false
    }
}

impl Graph {
    /// Whether one event happens before another, by RC11.
    #[inline]
    pub(super) fn happens_before(&self, earlier: Position, later: Position) -> bool {
        let event = self.event(earlier);
        earlier != later && self.hb.get(later, event.thread) >= event.index
    }

    fn is_psc(&self, from: Position, to: Position) -> bool {
        let all = || (0..self.len()).map(Position::new);
        let after = || all().filter(|&position| self.happens_before(from, position));
        let before = || all().filter(|&position| self.happens_before(position, to));
        match (self.event(from).is_fence(), self.event(to).is_fence()) {
            (false, false) => self.is_scb(from, to),
            (true, false) => self.is_scb(from, to) || after().any(|between| self.is_scb(between, to)),
            (false, true) => self.is_scb(from, to) || before().any(|between| self.is_scb(from, between)),
            (true, true) => {
                self.happens_before(from, to) || after().any(|one| before().any(|other| self.is_eco(one, other)))
            }
        }
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
