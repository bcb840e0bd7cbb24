//! `psc` of RC11: the order of `seq_cst` accesses and fences has no cycles.
//!
//! `psc_base = ([Esc] u [Fsc];hb?) ; scb ; ([Esc] u hb?;[Fsc])`, `psc_F = [Fsc] ; (hb u hb;eco;hb) ; [Fsc]`, where
//! `scb = po u po|diff-loc;hb;po|diff-loc u hb|same-loc u mo u fr`.
//!
//! As nothing happens after the last event, what it adds to the order begins with a step of modification order or from-read
//! away from it. It takes part in a cycle only if there is such a step, and if it is `seq_cst` itself or after a
//! `seq_cst` fence.

use super::event::{Cell, Event, Label, Position};
use super::graph::Graph;
use everyway_runtime::ThreadId;

/// The search for a cycle, with its memory.
///
/// A new cycle begins with a step away from the last event: from that event, if it is `seq_cst`, or from a fence that happens
/// before it. So it is looked for from there, and found where it comes back to one of these.
///
/// It goes from `seq_cst` event to `seq_cst` event, by way of the other events: a fence leads to all that happens after
/// it, from there a step of `scb` or `eco` leads on, and to all fences after that. What happens after an event is, of each
/// thread, everything from one event on; and of the `seq_cst` events of a thread the first leads to all others. So one
/// event of each thread is looked for, and every event and every write is left once.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    now: u32,
    /// By event: the search in which it was last come to; it is `seq_cst`.
    met: Vec<u32>,
    /// By event: the search in which it was last left, and how.
    left: Vec<(u32, Leaving)>,
    /// By event: the search in which the fences that it happens before were last come to.
    followed: Vec<u32>,
    /// By cell: the last search that came to writes to it, and the places after which it has come to all of them, by `mo`
    /// or `fr` and by `eco`.
    written: Vec<(u32, [Label; 2])>,
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
    /// Whether adding the last event, after whose place in modification order there is a write, has made no cycle.
    pub(super) fn is_acyclic(&mut self, graph: &Graph, last: Position) -> bool {
        let event = graph.event(last);
        if !graph.has_seq_cst() {
            return true;
        }
        self.begin(graph);
        if event.is_seq_cst() && (self.leads_back(graph, last, Leaving::Accesses) || self.met[last.index()] == self.now)
        {
            return false;
        }
        let is_before = |fences: &[Position]| fences.first().is_some_and(|&fence| graph.happens_before(fence, last));
        let is_after_fence = graph.threads.iter().any(|thread| is_before(&thread.fences));
        !(is_after_fence && self.leads_back(graph, last, Leaving::AfterFence))
    }

    fn begin(&mut self, graph: &Graph) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            *self = Self { now: 1, ..Self::default() };
        }
        let length = self.met.len().max(graph.len());
        self.met.resize(length, 0);
        self.left.resize(length, (0, Leaving::Not));
        self.followed.resize(length, 0);
        self.written.resize(self.written.len().max(graph.cells.len()), (0, [0; 2]));
        self.pending.clear();
    }

    /// Whether what the last event is left to leads to a fence that happens before it.
    fn leads_back(&mut self, graph: &Graph, last: Position, how: Leaving) -> bool {
        self.leave(graph, last, how);
        while let Some(at) = self.pending.pop() {
            let is_fence = graph.event(at).is_fence();
            if is_fence && graph.happens_before(at, last) {
                return true;
            }
            self.leave(graph, at, Leaving::Accesses);
            if is_fence {
                self.leave_all_after(graph, at);
                self.follow(graph, at);
            }
        }
        false
    }

    /// Leaves all that happens after a fence. What happens after events that have been left like this has been, too.
    fn leave_all_after(&mut self, graph: &Graph, fence: Position) {
        for thread in &graph.threads {
            let first = thread.events.partition_point(|&event| !graph.happens_before(fence, event));
            for &after in &thread.events[first..] {
                if self.left[after.index()] == (self.now, Leaving::AfterFence) {
                    break;
                }
                self.leave(graph, after, Leaving::AfterFence);
            }
        }
    }

    /// Comes to what one step away from an event leads to.
    fn leave(&mut self, graph: &Graph, from: Position, how: Leaving) {
        let left = &mut self.left[from.index()];
        if left.0 == self.now && left.1 >= how {
            return;
        }
        *left = (self.now, how);
        let event = graph.event(from);
        let thread = &graph.threads[event.thread.index()];
        // Program order.
        self.come_to_first(graph, event.thread, event.index as usize);
        if let Some(&next) = thread.events.get(event.index as usize) {
            self.follow(graph, next);
        }
        self.leave_around(graph, event);
        if let Some(cell) = event.cell() {
            self.leave_by_hb(graph, from, cell);
            self.leave_by_place(graph, from, cell, how);
        }
    }

    /// Comes to the first `seq_cst` event of a thread after its first `index` ones; it leads to the others.
    fn come_to_first(&mut self, graph: &Graph, thread: ThreadId, index: usize) {
        let events = &graph.threads[thread.index()].seq_cst;
        let first = events.partition_point(|&event| graph.event(event).index as usize <= index);
        if let Some(&first) = events.get(first) {
            self.come_to(first);
        }
    }

    /// `hb|same-loc`, to other threads.
    fn leave_by_hb(&mut self, graph: &Graph, from: Position, cell: Cell) {
        let own = graph.event(from).thread;
        for of in graph.accesses(cell).of_threads.iter().filter(|of| of.thread != own) {
            for list in [&of.reads, &of.writes] {
                let first = list.partition_point(|&(_, access)| !graph.happens_before(from, access));
                if let Some(&(_, first)) = list.get(first) {
                    self.follow(graph, first);
                }
                let mut later = list[first..].iter().map(|&(_, access)| access);
                if let Some(seq_cst) = later.find(|&access| graph.event(access).is_seq_cst()) {
                    self.come_to(seq_cst);
                }
            }
        }
    }

    /// `mo` and `fr` and, after a fence, `eco`.
    fn leave_by_place(&mut self, graph: &Graph, from: Position, cell: Cell, how: Leaving) {
        let by_eco = how == Leaving::AfterFence;
        if by_eco && graph.event(from).is_write() {
            graph.readers(from).iter().for_each(|&read| self.follow(graph, read));
        }
        let place = graph.place(from);
        let (search, done) = &mut self.written[cell.index()];
        if *search != self.now {
            (*search, *done) = (self.now, [Label::MAX; 2]);
        }
        let lowest = &mut done[usize::from(by_eco)];
        let done = std::mem::replace(lowest, place.min(*lowest));
        for &write in graph.writes_after(cell, place).iter().take_while(|&&write| graph.label(Some(write)) <= done) {
            if graph.event(write).is_seq_cst() {
                self.come_to(write);
            }
            self.follow(graph, write);
            if by_eco {
                graph.readers(write).iter().for_each(|&read| self.follow(graph, read));
            }
        }
    }

    /// `po|diff-loc ; hb ; po|diff-loc`, to other threads: of each of them, to all from one event on.
    fn leave_around(&mut self, graph: &Graph, one: &Event) {
        let differs = |a: &Event, b: &Event| a.cell().is_none() || a.cell() != b.cell();
        let later = &graph.threads[one.thread.index()].events[one.index as usize..];
        let Some(&first) = later.iter().find(|&&position| differs(one, graph.event(position))) else { return };
        for (thread, state) in graph.threads.iter().enumerate().filter(|&(thread, _)| thread != one.thread.index()) {
            let start = state.events.partition_point(|&event| !graph.happens_before(first, event));
            let Some((&start, later)) = state.events[start..].split_first() else { continue };
            let start = graph.event(start);
            if let Some(&to) = later.iter().find(|&&to| differs(start, graph.event(to))) {
                self.follow(graph, to);
                self.come_to_first(graph, ThreadId::new(thread), graph.event(to).index as usize - 1);
            }
        }
    }

    /// Comes to the fences that an event happens before: of each thread to the first, which leads to the others.
    fn follow(&mut self, graph: &Graph, event: Position) {
        if std::mem::replace(&mut self.followed[event.index()], self.now) == self.now {
            return;
        }
        for thread in &graph.threads {
            let first = thread.fences.partition_point(|&fence| !graph.happens_before(event, fence));
            if let Some(&fence) = thread.fences.get(first) {
                self.come_to(fence);
            }
        }
    }

    fn come_to(&mut self, event: Position) {
        if std::mem::replace(&mut self.met[event.index()], self.now) != self.now {
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
}
