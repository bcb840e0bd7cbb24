//! Consistency under `sc`, `tso` and `pso`, where a graph is consistent if one relation has no cycles.
//!
//! The event that was added last depends on everything and nothing depends on it, except for the writes that come after
//! it in modification order: a read comes before the write that follows its source, a write before the write that
//! follows it. So there is a new cycle only if a path leads from there back to it, and none at all if it reads, or is,
//! the newest write.
//!
//! `sc`: program order, spawns, joins, reads-from, modification order, and from-read, between steps.
//!
//! `tso`: without pairs of a write and a later read in program order, and without reads-from within a thread. After
//! what x86 compilers emit, there is a fence after a `seq_cst` store, around a read-modify-write - also if it
//! fails, since its instruction is locked - and where the program has a `seq_cst` fence. Other orderings cost nothing.
//!
//! `pso`: without pairs of writes, too. There is a store barrier before a release store, and where the program has a
//! release fence.
//!
//! In both, all accesses of a thread to one cell keep their order (`coherence.rs`).

use super::event::{Event, Kind, Outcome, Position, Reached};
use super::graph::Graph;
use super::model::MemoryModel;
use everyway_runtime::{Ordering, ThreadId};

/// The search for a path, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    /// When each event was last met.
    met: Vec<u32>,
    now: u32,
    pending: Vec<Position>,
}

/// What stands between a write and what comes later in its thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Buffered {
    /// Nothing yet.
    Freely,
    /// A store barrier.
    AfterBarrier,
}

impl Search {
    /// Whether a path leads from an event to the last one.
    #[inline(never)]
    pub(super) fn leads_back(&mut self, graph: &Graph, from: Position, last: Position) -> bool {
        self.begin(graph);
        self.meet(from);
        self.leads_to(graph, |at| at == last)
    }

    /// Whether the step of the last event, as far as it is there, is on no cycle as a whole. Only `sc` asks for that: it is
    /// about interleavings of steps. In other models a step's accesses are one only for what depends on them.
    pub(super) fn is_atomic(&mut self, graph: &Graph, event: Position) -> bool {
        let last = graph.event(event);
        if graph.model != MemoryModel::Sc || !last.has_others() {
            return true;
        }
        self.begin(graph);
        self.meet_after_step(graph, last);
        !self.leads_to(graph, |at| graph.event(at).is_of_step(last))
    }

    fn begin(&mut self, graph: &Graph) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.met.fill(0);
            self.now = 1;
        }
        self.met.resize(self.met.len().max(graph.len()), 0);
        self.pending.clear();
    }

    /// Whether a path leads from what was met to an event.
    fn leads_to(&mut self, graph: &Graph, is_it: impl Fn(Position) -> bool) -> bool {
        while let Some(at) = self.pending.pop() {
            if is_it(at) {
                return true;
            }
            self.follow(graph, at);
        }
        false
    }

    /// Meets the writes that come after accesses of the step of the last event.
    fn meet_after_step(&mut self, graph: &Graph, last: &Event) {
        for position in graph.step(last) {
            let next = graph.next_after(graph.event(position));
            if let Some(next) = next.filter(|&next| !graph.event(next).is_of_step(last)) {
                self.meet(next);
            }
        }
    }

    fn meet(&mut self, position: Position) {
        let met = &mut self.met[position.index()];
        if *met != self.now {
            *met = self.now;
            self.pending.push(position);
        }
    }

    fn follow(&mut self, graph: &Graph, at: Position) {
        let event = graph.event(at);
        if graph.model == MemoryModel::Sc && event.has_others() && event.index > event.first && !graph.is_waiting(event)
        {
            // What comes after some of a step comes after all of it.
            self.meet(graph.at(Reached { thread: event.thread, index: event.first }));
        }
        self.follow_thread(graph, event);
        let thread = &graph.threads[event.thread.index()];
        for &(join, index) in &thread.joins {
            if event.index <= index {
                self.meet(join);
            }
        }
        for &(child, index) in &thread.children {
            if event.index <= index {
                self.meet_all(graph, child, 0);
            }
        }
        if let Some(next) = graph.next_after(event) {
            self.meet(next);
        }
        for &read in graph.readers(at) {
            if graph.model == MemoryModel::Sc || graph.event(read).thread != event.thread {
                self.meet(read);
            }
        }
    }

    /// Meets the events of a thread from a position on, up to one after which everything follows.
    fn meet_all(&mut self, graph: &Graph, thread: ThreadId, from: usize) {
        for &later in &graph.threads[thread.index()].events[from..] {
            self.meet(later);
            if graph.model == MemoryModel::Sc || orders_everything_later(graph.event(later)) {
                return;
            }
        }
    }

    fn follow_thread(&mut self, graph: &Graph, event: &Event) {
        if graph.model == MemoryModel::Sc || orders_everything_later(event) {
            return self.meet_all(graph, event.thread, event.index as usize);
        }
        if !event.is_write() {
            // A fence that is none in hardware.
            return;
        }
        let mut buffered = Buffered::Freely;
        for &later in &graph.threads[event.thread.index()].events[event.index as usize..] {
            let next = graph.event(later);
            let is_barrier = |event: &Event| event.is_fence() && event.ordering.releases();
            match next.kind {
                Kind::Fence if next.ordering == Ordering::SeqCst => return self.meet(later),
                Kind::Read { locked: true, .. } => return self.meet(later),
                Kind::Write { .. } if graph.model == MemoryModel::Tso => return self.meet(later),
                Kind::Write { .. } if buffered == Buffered::AfterBarrier => self.meet(later),
                Kind::Write { .. } if next.ordering.releases() => return self.meet(later),
                _ if is_barrier(next) => buffered = Buffered::AfterBarrier,
                _ => {}
            }
        }
    }
}

/// Whether everything later in its thread comes after the event in the order of memory.
fn orders_everything_later(event: &Event) -> bool {
    match event.kind {
        Kind::Read { outcome, .. } => outcome != Outcome::Waits,
        Kind::Write { modifies, .. } => modifies || event.ordering == Ordering::SeqCst,
        Kind::Fence => event.ordering == Ordering::SeqCst,
        Kind::Join(_) => true,
        Kind::Local | Kind::Overtaken { .. } => false,
    }
}
