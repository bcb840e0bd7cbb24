//! The current execution graph: events, sources of reads, the order of writes, and clocks.
//!
//! Everything grows and shrinks at its end, so nothing is allocated once an execution has reached its full length.

use super::accesses::Accesses;
use super::clocks::Clocks;
use super::event::{Cell, Event, Follows, Kind, Outcome, Part, Position, Reached, Stamp};
use super::interleaving::Moment;
use super::model::MemoryModel;
use super::touches::Touches;
use everyway_runtime::{EventId, Location, Source, ThreadId};
use smallvec::SmallVec;

/// What is known of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Thread {
    pub(super) events: Vec<Position>,
    /// Where it was spawned; none for the threads of the initial state.
    pub(super) origin: Option<Reached>,
    /// The events that waited for the end of a thread, each with what of this thread came before it.
    pub(super) joins: Vec<(Position, u32)>,
    /// The threads with events that it spawned, each with what of this thread came before them.
    pub(super) children: Vec<(ThreadId, u32)>,
    /// Its waits that were overtaken.
    pub(super) overtaken: Vec<Position>,
    /// Its `seq_cst` accesses and fences; kept under RC11 only.
    pub(super) seq_cst: Vec<Position>,
    /// Those of them that are fences.
    pub(super) fences: Vec<Position>,
    /// Its fences that release; kept under RC11 only.
    pub(super) release_fences: Vec<Position>,
}

/// What is counted along the list of events.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// The steps of the program up to here.
    pub(super) steps: u32,
    /// The greatest stamp up to here.
    pub(super) stamp: Stamp,
    /// The `seq_cst` fences and accesses up to here; counted under RC11 only.
    pub(super) seq_cst: u32,
    /// When the event takes place in an interleaving (`interleaving.rs`).
    pub(super) moment: Moment,
}

/// The graph.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) model: MemoryModel,
    pub(super) events: Vec<Event>,
    /// The events in the order of their stamps, without those at the end of the list, which are in that order.
    pub(super) by_stamp: Vec<Position>,
    pub(super) sums: Vec<Sums>,
    pub(super) threads: Vec<Thread>,
    pub(super) cells: Vec<Accesses>,
    /// By event, the reads that see it. What is beyond the list of events is empty, and kept for its memory.
    pub(super) readers: Vec<SmallVec<[Position; 2]>>,
    pub(super) touches: Touches,
    /// Program order, spawns, joins and reads-from.
    pub(super) porf: Clocks,
    /// RC11's happens-before; kept under that model only.
    pub(super) hb: Clocks,
    /// What an acquire of a write learns; kept under RC11 only.
    pub(super) released: Clocks,
    /// How many steps are not complete.
    pub(super) unfinished: u32,
    /// How many steps wait.
    pub(super) waiting: u32,
}

impl Graph {
    pub(super) fn new(model: MemoryModel) -> Self {
        Self {
            model,
            events: Vec::new(),
            by_stamp: Vec::new(),
            sums: Vec::new(),
            threads: Vec::new(),
            cells: Vec::new(),
            readers: Vec::new(),
            touches: Touches::default(),
            porf: Clocks::default(),
            hb: Clocks::default(),
            released: Clocks::default(),
            unfinished: 0,
            waiting: 0,
        }
    }

    /// The thread whose step is not complete, and what follows in it. If there are several, because something came
    /// with a step that others depend on, it is the one that has waited longest.
    #[inline]
    pub(super) fn unfinished(&self) -> Option<(ThreadId, Follows)> {
        if self.unfinished == 0 { None } else { self.find_unfinished() }
    }

    #[inline(never)]
    fn find_unfinished(&self) -> Option<(ThreadId, Follows)> {
        if let (1, Some(last)) = (self.unfinished, self.events.last())
            && last.follows != Follows::Nothing
            && !last.is_overtaken()
        {
            return Some((last.thread, last.follows));
        }
        let lasts = self.threads.iter().filter_map(|thread| thread.events.last());
        let unfinished = lasts.filter(|&&last| self.event(last).follows != Follows::Nothing);
        unfinished.min().map(|&last| (self.event(last).thread, self.event(last).follows))
    }

    /// Whether the last event of a thread is followed by something in the same step.
    #[inline]
    pub(super) fn is_unfinished(&self, thread: ThreadId) -> bool {
        let last = self.threads[thread.index()].events.last();
        last.is_some_and(|&last| self.event(last).follows != Follows::Nothing)
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    #[inline]
    pub(super) fn event(&self, position: Position) -> &Event {
        &self.events[position.index()]
    }

    /// The number of steps that the first `events` events take.
    pub(super) fn steps(&self, events: usize) -> usize {
        events.checked_sub(1).map_or(0, |last| self.sums[last].steps as usize)
    }

    /// The event of the current execution that an event of the graph belongs to.
    #[inline]
    pub(super) fn step_of(&self, position: Position) -> EventId {
        // Mostly it is the last of its step.
        let end = if self.event(position).ends_step() { position } else { self.end_of_taken_step(position) };
        EventId::new(self.steps(end.index() + 1).saturating_sub(1))
    }

    /// The event with which the program takes the step of an event; that itself if it is not there yet.
    #[inline(never)]
    fn end_of_taken_step(&self, position: Position) -> Position {
        let event = self.event(position);
        let events = &self.threads[event.thread.index()].events[event.first as usize - 1..];
        events.iter().copied().find(|&other| self.event(other).ends_step()).unwrap_or(position)
    }

    /// The events of the step that an event of the graph belongs to.
    pub(super) fn step(&self, event: &Event) -> impl Iterator<Item = Position> + '_ {
        let first = event.first;
        let events = &self.threads[event.thread.index()].events[first as usize - 1..];
        events.iter().copied().take_while(move |&other| self.event(other).first == first)
    }

    /// The events of the operation whose step ends with an event.
    #[inline]
    pub(super) fn operation(&self, end: &Event) -> impl Iterator<Item = Position> + '_ {
        self.threads[end.thread.index()].events[end.first as usize - 1..end.index as usize].iter().copied()
    }

    /// The last event of the step of an event that is in the graph.
    pub(super) fn end_of_step(&self, position: Position) -> Position {
        let event = self.event(position);
        let events = &self.threads[event.thread.index()].events;
        let mut end = event.index as usize;
        while events.get(end).is_some_and(|&next| self.event(next).first == event.first) {
            end += 1;
        }
        events[end - 1]
    }

    /// The read that belongs to the write of a read-modify-write.
    #[inline]
    pub(super) fn read_of(&self, write: &Event) -> Position {
        let index = match write.part {
            Part::Operation => write.first + write.access,
            Part::Aftermath => write.index - 1,
        };
        self.at(Reached { thread: write.thread, index })
    }

    /// The source of the read that belongs to the write of a read-modify-write.
    pub(super) fn source_of(&self, write: &Event) -> Option<Position> {
        match self.event(self.read_of(write)).kind {
            Kind::Read { source, .. } => source,
            _ => None,
        }
    }

    /// Whether a thread is in a step that waits.
    #[inline]
    pub(super) fn stands_still(&self, thread: ThreadId) -> bool {
        // A step that waits is the last of its thread.
        let last = || self.threads[thread.index()].events.last();
        self.waiting > 0 && last().is_some_and(|&last| self.event(last).waits())
    }

    /// Whether the step of an event waits.
    pub(super) fn is_waiting(&self, event: &Event) -> bool {
        let last = self.threads[event.thread.index()].events.last();
        last.map(|&last| self.event(last)).is_some_and(|last| last.waits() && last.is_of_step(event))
    }

    /// Whether some read of a step that waits does not see the newest write.
    pub(super) fn is_stale(&self, waiting: &Event) -> bool {
        self.step(waiting).any(|position| match self.event(position).kind {
            Kind::Read { touch, source, .. } => source != self.newest(touch.cell),
            _ => false,
        })
    }

    /// The source of a read as the program is told it: the last access that changed something.
    #[inline]
    pub(super) fn told(&self, source: Option<Position>) -> Source {
        match source {
            // Mostly it is a step by itself.
            Some(position) if self.event(position).first == self.event(position).index => {
                Source::Event(self.step_of(position))
            }
            None => Source::Initial,
            _ => self.told_of_several(source),
        }
    }

    #[inline(never)]
    fn told_of_several(&self, mut source: Option<Position>) -> Source {
        while let Some(position) = source {
            let write = self.event(position);
            if write.modifies()
                && let Kind::Read { outcome: Outcome::Keeps { .. }, source: earlier, .. } =
                    self.event(self.read_of(write)).kind
            {
                source = earlier;
                continue;
            }
            return Source::Event(self.step_of(position));
        }
        Source::Initial
    }

    /// A stamp later than all.
    pub(super) fn next_stamp(&self) -> Stamp {
        self.sums.last().map_or(0, |sums| sums.stamp + 1)
    }

    pub(super) fn has_seq_cst(&self) -> bool {
        self.sums.last().is_some_and(|sums| sums.seq_cst > 0)
    }

    pub(super) fn make_room(&mut self, threads: usize) {
        if self.threads.len() < threads {
            self.threads.resize_with(threads, Thread::default);
            self.porf.widen(threads);
            self.hb.widen(threads);
            self.released.widen(threads);
        }
    }

    /// The reads that see a write.
    pub(super) fn readers(&self, write: Position) -> &[Position] {
        &self.readers[write.index()]
    }

    pub(super) fn accesses(&self, cell: Cell) -> &Accesses {
        &self.cells[cell.index()]
    }

    /// Takes note of a cell, which is of this location for good.
    #[inline]
    pub(super) fn make_cell(&mut self, cell: Cell, location: Location) {
        if self.cells.get(cell.index()).is_none_or(|cell| cell.location.is_none()) {
            self.cells.resize_with(self.cells.len().max(cell.index() + 1), Accesses::default);
            self.cells[cell.index()].location = Some(location);
        }
    }

    #[inline]
    pub(super) fn at(&self, reached: Reached) -> Position {
        self.threads[reached.thread.index()].events[reached.index as usize - 1]
    }

    /// How far a thread has come; if it has done nothing, how far the one that spawned it had come.
    #[inline]
    pub(super) fn reached(&self, thread: ThreadId) -> Option<Reached> {
        let state = &self.threads[thread.index()];
        match state.events.len() as u32 {
            0 => state.origin,
            index => Some(Reached { thread, index }),
        }
    }

    /// The last event of a thread, or else the one during which it was spawned.
    #[inline]
    pub(super) fn last_of(&self, thread: ThreadId) -> Option<Position> {
        let Thread { events, origin, .. } = &self.threads[thread.index()];
        events.last().copied().or_else(|| origin.map(|origin| self.at(origin)))
    }

    /// The last event before one that is not in the graph.
    pub(super) fn base_of(&self, event: &Event) -> Option<Position> {
        match event.index {
            // The graph knows where a thread without events was spawned only once the program has run so far.
            1 => event.origin.map(|origin| self.at(origin)),
            _ => self.last_of(event.thread),
        }
    }

    /// What comes right before an event in its thread, or else the event during which that was spawned.
    pub(super) fn before(&self, position: Position) -> Option<Position> {
        let event = self.event(position);
        match event.index.checked_sub(1) {
            Some(index) if index > 0 => Some(self.at(Reached { thread: event.thread, index })),
            _ => event.origin.map(|origin| self.at(origin)),
        }
    }

    /// Takes note that a thread was spawned.
    pub(super) fn spawned(&mut self, child: ThreadId, origin: Option<Reached>) {
        self.threads[child.index()].origin = origin;
    }

    /// What a source holds, as far as a read of it is concerned.
    pub(super) fn value(&self, initial: u64, source: Option<Position>) -> u64 {
        match source.map(|write| self.event(write).kind) {
            Some(Kind::Write { value, .. }) => value,
            _ => initial,
        }
    }

    /// Whether an event comes before the clock of another by program order, spawns, joins and reads-from.
    #[inline]
    pub(super) fn is_porf_before(&self, earlier: &Event, later: Option<Position>) -> bool {
        later.is_some_and(|later| self.porf.get(later, earlier.thread) >= earlier.index)
    }

    /// Puts another event, which differs in what follows only, in the place of the last one of a thread.
    pub(super) fn replace(&mut self, position: Position, event: Event) {
        self.unfinished -= u32::from(self.is_unfinished(event.thread));
        self.waiting -= u32::from(self.event(position).waits());
        self.events[position.index()] = event;
        self.unfinished += u32::from(self.is_unfinished(event.thread));
        self.waiting += u32::from(event.waits());
    }

    /// Forgets all but the first `depth` events.
    pub(super) fn truncate(&mut self, depth: usize) {
        let is_rc11 = self.model == MemoryModel::Rc11;
        for position in (depth..self.events.len()).rev().map(Position::new) {
            if position.index() < self.by_stamp.len() {
                self.pop_by_stamp(position);
            }
            // It stays where it is for now: most of it is not looked at.
            let event = &self.events[position.index()];
            if let Kind::Overtaken { touch, .. } = event.kind {
                self.threads[event.thread.index()].overtaken.pop();
                self.cells[touch.cell.index()].overtaken.pop();
                continue;
            }
            let thread = &mut self.threads[event.thread.index()];
            thread.events.pop();
            if is_rc11 {
                thread.seq_cst.pop_if(|last| *last == position);
                thread.fences.pop_if(|last| *last == position);
                thread.release_fences.pop_if(|last| *last == position);
            }
            if event.follows != Follows::Nothing {
                self.unfinished -= 1;
            }
            if event.index > event.first && self.is_unfinished(event.thread) {
                self.unfinished += 1;
            }
            match event.kind {
                Kind::Read { touch, source, outcome, .. } => {
                    self.waiting -= u32::from(outcome == Outcome::Waits);
                    self.cells[touch.cell.index()].pop_read(event);
                    if let Some(source) = source {
                        self.readers[source.index()].pop();
                    }
                }
                Kind::Write { cell, .. } => {
                    let cell = &mut self.cells[cell.index()];
                    cell.pop_write(event);
                    // Mostly it is the newest.
                    if cell.writes.pop_if(|newest| *newest == position).is_none()
                        && let Some(place) = cell.writes.iter().rposition(|&write| write == position)
                    {
                        cell.writes.remove(place);
                    }
                }
                Kind::Join(Some(Reached { thread, .. })) => _ = self.threads[thread.index()].joins.pop(),
                Kind::Join(None) | Kind::Fence | Kind::Local | Kind::Overtaken { .. } => {}
            }
            if let (1, Some(Reached { thread, .. })) = (event.index, event.origin) {
                self.threads[thread.index()].children.pop();
            }
        }
        self.events.truncate(depth);
        self.sums.truncate(depth);
        self.porf.truncate(depth);
        self.hb.truncate(depth);
        self.released.truncate(depth);
    }
}
