//! Backward revisits: which reads may be made to read from a new write, and how the graph changes then.
//!
//! TruSt's condition: a read may be revisited by a write if the read, and everything that was added after it and that
//! the write does not depend on, was *added maximally*: as it would be added if there were no choice. So each graph is
//! reached in one way only.

use super::Graphs;
use super::accesses::AccessesOfThread;
use super::alternative::{Alternative, AlternativeKind, Revisit, Revisiting};
use super::deferred::Staying;
use super::event::{Cell, Event, FIRST, Kind, Object, Part, Position, Reached, Stamp};
use super::graph::Graph;
use super::touches::Touch;
use everyway_runtime::State;

impl Graph {
    /// Whether an event stays if a write revisits an earlier one whose thread has come to know so much of each thread
    /// ([`Graph::known_to`]): it comes before the write. The mark of a wait that was overtaken, and has come back, stays with it.
    #[inline]
    fn stays(event: &Event, known: &[u32]) -> bool {
        known.get(event.thread.index()).is_some_and(|&known| known >= event.index)
    }
}

impl Graphs {
    /// Plans the revisits of a write that comes after `base`, and is about to be added. Mostly there is nothing to revisit, and
    /// what revisits is not asked for.
    #[inline]
    pub(super) fn plan_revisits(
        &mut self,
        (by, base): (impl FnOnce() -> Revisiting, Option<Position>),
        cell: Cell,
        value: u64,
        state: &dyn State,
    ) {
        if let Some(earliest) = self.earliest_free(cell, base) {
            self.plan_revisits_from(earliest, (by(), base), cell, value, state);
        }
    }

    /// The same, of reads from a stamp on, by a write that comes after `base`.
    #[inline(never)]
    fn plan_revisits_from(
        &mut self,
        earliest: Stamp,
        (by, base): (Revisiting, Option<Position>),
        cell: Cell,
        value: u64,
        state: &dyn State,
    ) {
        let graph = &self.graph;
        let (source, known) = (self.source_of(by), graph.known_to(base));
        let floor = match by {
            Revisiting::Write { write, .. } => graph.floor(cell, write.thread, base),
            Revisiting::Step { .. } => 0,
        };
        for position in graph.latest_first() {
            let event = graph.event(position);
            if event.stamp < earliest {
                break;
            }
            if Graph::stays(event, known) {
                continue;
            }
            if !self.is_maximal(position, (base, known), state) {
                break;
            }
            let Kind::Read { touch, .. } = event.kind else { continue };
            if touch.cell != cell {
                continue;
            }
            let stays = |&&other: &&Position| {
                let other = graph.event(other);
                other.stamp < event.stamp || Graph::stays(other, known)
            };
            let found = match touch.object {
                Object::Mailbox => graph.mail(touch, source, Some(value), state),
                Object::Memory | Object::Chained => value,
            };
            let revisit = |by| Alternative {
                depth: graph.len(),
                kind: AlternativeKind::Revisit(Revisit { by, read: position, found }),
            };
            let writes = &graph.accesses(cell).writes;
            let access = graph.touches.access(touch);
            let satisfied = access.when.holds(found) || !access.may_block();
            let is_free = |write: Position| self.may_read(event, touch, Some(write), state);
            let newest = || writes.iter().rev().find(|write| stays(write) && is_free(**write)).copied();
            if satisfied && !self.may_be_revisited(event, touch, base, state) {
                continue;
            }
            match by {
                Revisiting::Step { .. } => {
                    // Its write comes right after what it has read, which no other read-modify-write may do.
                    let next = graph.writes_after(cell, graph.label(source)).iter().find(stays);
                    let is_open = next.is_none_or(|&next| !graph.event(next).modifies());
                    if is_open && (satisfied || newest() == source) {
                        self.alternatives.push(revisit(by));
                    }
                }
                Revisiting::Write { write, .. } => {
                    // A wait goes on waiting only if it sees the newest write.
                    let floor = if satisfied { floor } else { floor.max(graph.label(newest())) };
                    let at = |after| revisit(Revisiting::Write { write, after });
                    let there: smallvec::SmallVec<[Position; 8]> = writes.iter().filter(stays).copied().collect();
                    let is_open = |next: usize| there.get(next).is_none_or(|&next| !graph.event(next).modifies());
                    let places = [None].into_iter().chain(there.iter().copied().map(Some)).enumerate();
                    let open = places.filter(|&(next, after)| graph.label(after) >= floor && is_open(next));
                    self.alternatives.extend(open.map(|(_, after)| at(after)));
                }
            }
        }
    }

    /// The lowest stamp of a read of `cell` that does not come before `base`. In a thread, stamps grow.
    fn earliest_free(&self, cell: Cell, base: Option<Position>) -> Option<Stamp> {
        let mut earliest = None;
        let known = self.graph.known_to(base);
        for of in &self.graph.accesses(cell).of_threads {
            let known = known.get(of.thread.index()).copied().unwrap_or(0);
            // Mostly all are known.
            if let Some(first) = of.first_read_after(known)
                && let Some(stamp) = self.first_free_stamp(of, first)
            {
                earliest = Some(earliest.map_or(stamp, |earliest: Stamp| earliest.min(stamp)));
            }
        }
        earliest
    }

    /// The stamp of the first read of a thread, from one of them on, that may be revisited.
    #[inline(never)]
    fn first_free_stamp(&self, of: &AccessesOfThread, first: Position) -> Option<Stamp> {
        let is_fixed = |read: Position| self.graph.steps(read.index()) < self.fixed_steps;
        let first = match is_fixed(first) {
            false => first,
            true => of.reads.iter().map(|&(_, read)| read).find(|&read| read > first && !is_fixed(read))?,
        };
        Some(self.graph.event(first).stamp)
    }

    /// The last event before the write that revisits.
    pub(super) fn base_of(&self, by: Revisiting) -> Option<Position> {
        match by {
            Revisiting::Write { write, .. } => self.graph.base_of(&write),
            Revisiting::Step { thread, .. } => self.graph.last_of(thread),
        }
    }

    /// What the revisiting write of a read-modify-write has read.
    pub(super) fn source_of(&self, by: Revisiting) -> Option<Position> {
        let Revisiting::Step { thread, access } = by else { return None };
        let last = self.graph.event(self.graph.last_of(thread)?);
        let read = self
            .graph
            .at(Reached { thread, index: if last.part == Part::Operation { last.first + access } else { last.index } });
        match self.graph.event(read).kind {
            Kind::Read { source, .. } => source,
            _ => None,
        }
    }

    /// Whether an event was added maximally, with respect to a write that comes after `base`, with what that knows.
    #[inline]
    fn is_maximal(&self, position: Position, (base, known): (Option<Position>, &[u32]), state: &dyn State) -> bool {
        let graph = &self.graph;
        let event = graph.event(position);
        if event.choice != FIRST && !event.choice.is_none() {
            return false;
        }
        let is_there = |other: Position| {
            let other = graph.event(other);
            other.stamp <= event.stamp || Graph::stays(other, known)
        };
        let later = |cell| {
            let place = graph.place(position);
            let later = graph.accesses(cell).writes.iter().rev().copied();
            later.take_while(move |&write| graph.label(Some(write)) > place).filter(|&write| is_there(write))
        };
        match event.kind {
            // Mostly it reads the newest of all.
            Kind::Read { touch, source: Some(source), .. } if graph.newest(touch.cell) == Some(source) => {
                is_there(source)
            }
            Kind::Read { touch, source, .. } => {
                // What it may not read, because it was overtaken, is nothing to it.
                source.is_none_or(is_there)
                    && later(touch.cell).next().is_none_or(|newest| {
                        let free = later(touch.cell).filter(|&write| self.may_read(event, touch, Some(write), state));
                        !self.would_read_later(event, touch, free, newest, state)
                    })
            }
            Kind::Overtaken { touch, .. } => self.is_revisited_by_way_of(position, touch, base, state),
            Kind::Write { cell, modifies, .. } => {
                let overtakes =
                    |&mark: &Position| matches!(graph.event(mark).kind, Kind::Overtaken { by, .. } if by == position);
                if graph.accesses(cell).overtaken.iter().any(|mark| overtakes(mark) && is_there(*mark)) {
                    return false;
                }
                !graph.readers(position).iter().any(|&read| is_there(read))
                    // Where the write of a read-modify-write is depends on what was read.
                    && (modifies || graph.newest(cell) == Some(position) || later(cell).next().is_none())
            }
            Kind::Local | Kind::Fence | Kind::Join(_) => true,
        }
    }

    /// Whether a read would be added otherwise if writes that are later than its source were there, of which it may read `free`,
    /// the newest first; `newest` is the newest of all. It would read one of those unless it had to wait at it. A wait is added at
    /// the newest write only; and by the newest that it may read it is overtaken, if that was added after it.
    fn would_read_later(
        &self,
        event: &Event,
        touch: Touch,
        free: impl Iterator<Item = Position>,
        newest: Position,
        state: &dyn State,
    ) -> bool {
        let access = self.graph.touches.access(touch);
        let goes_on = |write| !access.may_block() || access.when.holds(self.found(touch, Some(write), state));
        let overtakes = |write| write == newest || self.graph.event(write).stamp > event.stamp;
        free.enumerate().any(|(newer, write)| goes_on(write) || newer == 0 && overtakes(write))
    }

    /// What a revisit leaves in the current graph.
    pub(super) fn staying(&self, Revisit { by, read, .. }: Revisit) -> Staying {
        let graph = &self.graph;
        let (stamp, known) = (graph.event(read).stamp, graph.known_to(self.base_of(by)));
        let leaves = |position: Position| {
            let event = graph.event(position);
            event.stamp > stamp && !Graph::stays(event, known)
        };
        let later = graph.latest_first().take_while(|&position| graph.event(position).stamp > stamp);
        let first = later.filter(|&position| leaves(position)).fold(read, Position::min);
        Staying::new(first.index(), graph.len(), |position| position != read && !leaves(position))
    }

    /// Lets a read read a new write; whether the graph that comes of it is consistent. The revisit was planned in a graph that
    /// has the first `depth` events in common with the current one, and had `others` after them.
    pub(super) fn revisit(&mut self, revisit: Revisit, staying: &Staying, (depth, others): (usize, &[Event])) -> bool {
        let Revisit { by, read, found } = revisit;
        let revisited = others[read.index() - depth];
        let by = self.keep(by, staying, (depth, others));
        let (Some(by), Kind::Read { touch, .. }) = (by, revisited.kind) else { return false };
        self.add_revisiting(by, touch).is_some_and(|source| {
            let again = self.graph.read_event(revisited, touch, Some(source), found);
            if again.waits() && again.is_alone() {
                self.graph.push(&revisited.overtaken(touch, source));
                return true;
            }
            self.add_read(&again)
        })
    }

    /// Has nothing but what stays in the graph of a revisit, each event where it moves to, and tells what revisits then. What
    /// stays depends on nothing that goes, unless the subtree was made up.
    ///
    /// Revisits that were put off, and go back to the same read, come one after the other, and what stays is mostly much the
    /// same: as far as the current graph has it already, the program need not run it again.
    fn keep(&mut self, by: Revisiting, staying: &Staying, (depth, others): (usize, &[Event])) -> Option<Revisiting> {
        let (unmoved, rest) = others.split_at(staying.first - depth);
        let mut stay = unmoved.iter().chain(staying.of(rest)).map(|event| staying.moved_event(*event));
        let mut next = stay.next();
        let mut same = depth;
        while let Some(Some(event)) = next
            && self.graph.events.get(same) == Some(&event)
        {
            same += 1;
            next = stay.next();
        }
        self.truncate(same);
        for event in next.into_iter().chain(stay) {
            self.graph.push(&event?);
        }
        Some(match by {
            Revisiting::Write { write, after: Some(after) } => {
                Revisiting::Write { write, after: Some(staying.moved(after)?) }
            }
            by => by,
        })
    }

    /// Adds the writes of a revisit; the one that is read, if the graph is consistent.
    fn add_revisiting(&mut self, by: Revisiting, touch: Touch) -> Option<Position> {
        match by {
            Revisiting::Write { write, after } => {
                self.place(&mut { write }, after).then(|| Position::new(self.graph.len() - 1))
            }
            Revisiting::Step { thread, .. } => {
                let start = self.graph.len();
                self.push_writes(thread).then_some(())?;
                let is_read = |position: &Position| self.graph.event(*position).cell() == Some(touch.cell);
                (start..self.graph.len()).map(Position::new).find(is_read)
            }
        }
    }
}
