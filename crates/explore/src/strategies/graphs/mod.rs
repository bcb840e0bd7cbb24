//! Execution graphs under a memory model: one execution for each consistent graph.
//!
//! This is the exploration of *Truly Stateless, Optimal DPOR* (TruSt, POPL 2022). A graph is a list of events with the
//! sources of its reads and the order of its writes. Events are added one at a time; a read is tried with every
//! source, a write at every place in modification order, and a write that is added may be read by reads that
//! came before it, which are then revisited (`revisit.rs`). What a model asks is checked for the event that is new:
//! `coherence.rs` for all, `store_order.rs` for `sc`, `tso` and `pso`, `psc.rs` for `rc11`.
//!
//! The program is told what to read ([`everyway_runtime::Execution::step_reading`]). The list of events is an order in
//! which it can run; after a revisit, what stays is taken again in the new order. Graphs that turn out to be
//! inconsistent cost the program nothing: it runs only when an event is needed that is not known.
//!
//! The stack holds alternatives that share nothing (`alternative.rs`). While a revisit is explored, what it left out is
//! saved, and put back afterwards; so memory is linear in the length of an execution, times how deeply revisits nest.
//!
//! An operation that waits and is not satisfied is an event that reads the newest write. Every later write to the
//! cell may revisit it. If no thread can go on, the execution is blocked if every such read sees the newest write;
//! otherwise it is redundant: the one in which it does is explored elsewhere.
//!
//! Deviations: a read-modify-write is two events, but one step of the program; its write is added as soon as its read
//! is there. Choices of a thread are events of their own, and the first alternative is the maximal one.

mod alternative;
mod cells;
mod clocks;
mod coherence;
mod event;
mod graph;
mod model;
mod psc;
mod race;
mod revisit;
mod shape;
mod store_order;
mod subtree;
mod unsupported;

pub use model::{MemoryModel, UnknownMemoryModel};
pub use race::DataRace;
pub use shape::GraphView;
pub use subtree::Subtree;
pub use unsupported::Unsupported;

use super::{Choice, Continue, Order, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::explorer::Ending;
use crate::trace::Trace;
use alternative::{Alternative, AlternativeKind};
use cells::Cells;
use event::{Cell, Event, Kind, Label, Outcome, Position, Reached, Touch};
use everyway_runtime::{Access, Effect, EventId, Operation, Ordering, Source, State, Status, Step, ThreadId, Visit};
use graph::Graph;
use subtree::Arriving;

/// The strategy.
pub(crate) struct Graphs {
    graph: Graph,
    cells: Cells,
    order: Order,
    alternatives: Vec<Alternative>,
    /// What revisits left out, to be put back.
    saved: Vec<Event>,
    /// How many events of the graph the program has run.
    known: usize,
    sources: [Source; 1],
    race: Option<DataRace>,
    /// Why the exploration cannot go on.
    refusal: Option<Unsupported>,
    /// How many executions have ended.
    explored: u64,
    store_order: store_order::Search,
    psc: psc::Search,
    scratch: Vec<Position>,
    moved: Vec<Option<Position>>,
    /// The subtree to begin with, as far as it is not yet in the graph.
    arriving: Option<Arriving>,
}

/// How adding an event turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Added {
    Consistent,
    Inconsistent,
}

impl From<bool> for Added {
    fn from(consistent: bool) -> Self {
        if consistent { Added::Consistent } else { Added::Inconsistent }
    }
}

/// The event `template` as a read of `source`.
fn read_event(graph: &Graph, template: Event, touch: Touch, source: Option<Position>) -> Event {
    let Touch { access, initial, .. } = touch;
    let found = graph.value(initial, source);
    let (visit, met) = Visit::carry_out(access, access.bytes.set(0, found));
    let outcome = match visit.class.changes() {
        _ if !met && access.may_block() => Outcome::Waits,
        true => Outcome::Modifies { value: access.bytes.get(visit.after) },
        false => Outcome::Reads,
    };
    let ordering = if met || outcome == Outcome::Waits { access.ordering } else { access.ordering_unmet };
    let locked = !matches!(access.effect, Effect::Read);
    let kind = Kind::Read { touch, source, outcome, locked };
    Event { kind, ordering, is_step: outcome != Outcome::Waits, ..template }
}

/// Whether a step did what its event in the graph says.
fn is_as_announced(event: &Event, visits: &[Visit]) -> bool {
    let writes = match event.kind {
        Kind::Read { outcome, .. } => matches!(outcome, Outcome::Modifies { .. }),
        Kind::Write { .. } => true,
        Kind::Fence | Kind::Join(_) | Kind::Local => return visits.is_empty(),
    };
    matches!(visits, [visit] if visit.class.changes() == writes)
}

impl Graphs {
    /// The strategy under `model`.
    pub(crate) fn new(model: MemoryModel, order: Order) -> Self {
        Self {
            graph: Graph::new(model),
            cells: Cells::default(),
            order,
            alternatives: Vec::new(),
            saved: Vec::new(),
            known: 0,
            sources: [Source::Initial],
            race: None,
            refusal: None,
            explored: 0,
            store_order: store_order::Search::default(),
            psc: psc::Search::default(),
            scratch: Vec::new(),
            moved: Vec::new(),
            arriving: None,
        }
    }

    /// The strategy that explores `subtree`.
    pub(crate) fn from(subtree: Subtree, model: MemoryModel, order: Order) -> Self {
        Self { arriving: Some(subtree.into()), ..Self::new(model, order) }
    }

    fn truncate(&mut self, depth: usize) {
        self.graph.truncate(depth);
        self.known = self.known.min(depth);
    }

    /// Adds an event to the graph; whether it is consistent then.
    fn add(&mut self, event: Event) -> bool {
        let last = self.graph.push(event);
        self.graph.is_coherent(last)
            && match self.graph.model {
                MemoryModel::Rc11 => self.psc.is_acyclic(&self.graph, last),
                MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso => self.store_order.is_acyclic(&self.graph, last),
            }
    }

    /// Adds a write right after another one.
    fn place(&mut self, mut write: Event, after: Option<Position>) -> bool {
        let Kind::Write { cell, label, .. } = &mut write.kind else { return false };
        *label = self.label_after(*cell, after);
        self.add(write)
    }

    fn label_after(&mut self, cell: Cell, after: Option<Position>) -> Label {
        if let Some(label) = self.graph.label_after(cell, after) {
            return label;
        }
        // No room: all labels that are known of the cell are spread anew. Only their order matters.
        let label_of = |event: &Event| match event.kind {
            Kind::Write { cell: other, label, .. } if other == cell => Some(label),
            _ => None,
        };
        let mut labels: Vec<Label> = self.graph.events.iter().chain(&self.saved).filter_map(label_of).collect();
        labels.sort_unstable();
        labels.dedup();
        let new = |old: Label| Graph::spread(labels.partition_point(|&label| label < old));
        self.graph.relabel(cell, new);
        for event in &mut self.saved {
            if let Kind::Write { cell: other, label, .. } = &mut event.kind
                && *other == cell
            {
                *label = new(*label);
            }
        }
        self.graph.label_after(cell, after).unwrap_or(Label::MAX)
    }

    /// Adds a write at the end of modification order, or where it must be, and plans its other places and revisits.
    fn add_write(&mut self, write: Event) -> Added {
        self.plan_revisits(write);
        let Kind::Write { cell, modifies, .. } = write.kind else { return Added::Inconsistent };
        if modifies {
            let read = self.graph.last_of(write.thread).map(|read| self.graph.event(read).kind);
            let Some(Kind::Read { source, .. }) = read else { return Added::Inconsistent };
            return self.place(write, source).into();
        }
        let depth = self.graph.len();
        let newest = self.graph.newest(cell);
        let places = [None].into_iter().chain(self.graph.accesses(cell).writes.iter().copied().map(Some));
        let others = places.filter(|&after| after != newest);
        let alternative = |after| Alternative { depth, kind: AlternativeKind::Place { write, after } };
        self.alternatives.extend(others.map(alternative));
        self.place(write, newest).into()
    }

    /// A write that has to follow the read of its read-modify-write.
    fn unfinished(&self) -> Option<Event> {
        if self.graph.unfinished == 0 {
            return None;
        }
        (0..self.graph.threads.len()).find_map(|thread| self.write_after(ThreadId::new(thread)))
    }

    /// The write that has to follow the last event of a thread.
    fn write_after(&self, thread: ThreadId) -> Option<Event> {
        let event = self.graph.event(*self.graph.threads[thread.index()].events.last()?);
        match event.kind {
            Kind::Read { touch, outcome: Outcome::Modifies { value }, .. } => Some(Event {
                index: event.index + 1,
                stamp: self.graph.next_stamp(),
                kind: Kind::Write { cell: touch.cell, value, label: 0, modifies: true },
                is_step: false,
                origin: None,
                ..*event
            }),
            _ => None,
        }
    }

    /// The next step that the program has to take to be where the graph is.
    fn next_step(&mut self) -> Option<Step> {
        while self.known < self.graph.len() {
            let (position, event) = (Position::new(self.known), self.graph.events[self.known]);
            self.known += 1;
            if event.is_step {
                self.race = self.graph.race_of(position);
                self.sources = [match event.kind {
                    Kind::Read { source: Some(source), .. } => Source::Event(self.graph.step_of(source)),
                    _ => Source::Initial,
                }];
                return Some(Step { thread: event.thread, choice: event.choice });
            }
        }
        None
    }

    fn can_go_on(&self, thread: ThreadId, state: &dyn State) -> bool {
        let last = self.graph.threads[thread.index()].events.last();
        if last.is_some_and(|&last| self.graph.event(last).waits()) {
            return false;
        }
        match state.status(thread) {
            Status::Ended => false,
            Status::Ready => true,
            Status::Blocked => !state.is_stuck(thread) && state.operation(thread).joins.is_none(),
        }
    }

    /// The thread that goes on, as a function of the graph.
    fn pick(&self, state: &dyn State) -> Option<ThreadId> {
        let mut threads = (0..state.threads()).map(ThreadId::new).filter(|&thread| self.can_go_on(thread, state));
        match self.order {
            Order::Lowest => threads.next(),
            Order::Highest => threads.last(),
            Order::Random(seed) => {
                let lengths = self.graph.threads.iter().map(|thread| thread.events.len() as u64);
                let hash = lengths.fold(seed, |hash, length| (hash ^ length).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1);
                let threads: Vec<ThreadId> = threads.collect();
                let chosen = fastrand::Rng::with_seed(hash).usize(..threads.len().max(1));
                threads.get(chosen).copied()
            }
        }
    }

    /// The next event of a thread: a read of the newest write, a write without a place, or the first of its choices.
    fn plain_event(&mut self, thread: ThreadId, state: &dyn State) -> Result<Event, Unsupported> {
        let index = self.graph.threads[thread.index()].events.len() as u32 + 1;
        let origin = if index == 1 { self.graph.threads[thread.index()].origin } else { None };
        let template = Event {
            thread,
            index,
            stamp: self.graph.next_stamp(),
            kind: Kind::Local,
            ordering: Ordering::Relaxed,
            choice: 0,
            origin,
            is_step: true,
        };
        let operation = state.operation(thread);
        match (&operation.accesses[..], state.choices(thread)) {
            ([], _) => Ok(self.local_event(template, operation)),
            ([access], 1) => self.access_event(template, *access, state),
            ([_], _) => Err(Unsupported::ChoiceWithAccess),
            _ => Err(Unsupported::SeveralAccesses),
        }
    }

    fn local_event(&self, template: Event, operation: &Operation) -> Event {
        let kind = match (operation.joins, operation.fence) {
            (Some(joined), _) => Kind::Join(self.graph.reached(joined)),
            (_, Some(_)) => Kind::Fence,
            _ => Kind::Local,
        };
        Event { kind, ordering: operation.fence.unwrap_or(Ordering::Relaxed), ..template }
    }

    fn access_event(&mut self, template: Event, access: Access, state: &dyn State) -> Result<Event, Unsupported> {
        if matches!(access.effect, Effect::Send(_) | Effect::Receive(_) | Effect::Peek(_)) {
            return Err(Unsupported::Messages);
        }
        let cell = self.cells.of(&access)?;
        self.graph.make_cell(cell);
        if let (false, Effect::Write(value) | Effect::Store(value)) = (access.looks(), access.effect) {
            let value = access.bytes.get(access.bytes.set(0, value));
            let kind = Kind::Write { cell, value, label: 0, modifies: false };
            return Ok(Event { kind, ordering: access.ordering, ..template });
        }
        let initial = access.bytes.get(state.initial_value(access.location));
        Ok(read_event(&self.graph, template, Touch { cell, access, initial }, self.graph.newest(cell)))
    }

    /// Adds the next event of a thread, and plans what else it could be.
    fn add_next(&mut self, thread: ThreadId, state: &dyn State) -> Result<Added, Unsupported> {
        let event = self.plain_event(thread, state)?;
        let depth = self.graph.len();
        let alternative = |event| Alternative { depth, kind: AlternativeKind::Add(event) };
        match event.kind {
            Kind::Write { .. } => return Ok(self.add_write(event)),
            Kind::Read { touch, source: newest, .. } => {
                let graph = &self.graph;
                let sources = [None].into_iter().chain(graph.accesses(touch.cell).writes.iter().copied().map(Some));
                let others = sources.filter(|&source| source != newest);
                let events = others.map(|source| read_event(graph, event, touch, source));
                self.alternatives.extend(events.filter(|event| !event.waits()).map(alternative));
            }
            Kind::Fence | Kind::Join(_) | Kind::Local => {
                let choices = 1..state.choices(thread);
                self.alternatives.extend(choices.map(|choice| alternative(Event { choice, ..event })));
            }
        }
        Ok(self.add(event).into())
    }

    /// How an execution ends in which no thread can go on.
    fn ending(&self, state: &dyn State) -> Ending {
        let is_stale = |event: &Event| match event.kind {
            Kind::Read { touch, source, outcome: Outcome::Waits, .. } => source != self.graph.newest(touch.cell),
            _ => false,
        };
        let lasts = self.graph.threads.iter().filter_map(|thread| thread.events.last());
        let mut threads = (0..state.threads()).map(ThreadId::new);
        if lasts.map(|&last| self.graph.event(last)).any(is_stale) {
            Ending::Redundant
        } else if threads.all(|thread| state.status(thread) == Status::Ended) {
            Ending::Complete
        } else {
            Ending::Blocked
        }
    }

    /// Puts back what a revisit left out, as far as the next alternative needs it.
    fn restore(&mut self, saved: usize) {
        let needed = self.alternatives.last().map_or(0, |next| next.depth);
        let missing = needed.saturating_sub(self.graph.len());
        for position in saved..saved + missing {
            self.graph.push(self.saved[position]);
        }
        self.saved.truncate(saved);
    }
}

impl Strategy for Graphs {
    fn name(&self) -> &'static str {
        "graphs"
    }

    fn needs_order(&self) -> bool {
        false
    }

    fn tells_sources(&self) -> bool {
        true
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn data_race(&mut self) -> Option<DataRace> {
        self.race.take()
    }

    fn graph(&self) -> Option<GraphView<'_>> {
        Some(GraphView::new(&self.graph))
    }

    fn take_subtrees(&mut self) -> Vec<Subtree> {
        Graphs::take_subtrees(self)
    }

    fn choose(&mut self, _: &Trace, state: &dyn State) -> Choice {
        if let Some(unsupported) = self.refusal {
            return Choice::Refuse(unsupported);
        }
        self.graph.make_room(state.threads());
        while self.arriving.is_some() {
            if let Some(step) = self.next_step() {
                return Choice::TakeTold(step);
            }
            match self.arrive(state) {
                Err(unsupported) => return Choice::Refuse(unsupported),
                Ok(false) if !self.alternatives.is_empty() => return Choice::Abandon,
                Ok(_) => {}
            }
        }
        loop {
            let added = if let Some(write) = self.unfinished() {
                Ok(self.add_write(write))
            } else if let Some(step) = self.next_step() {
                return Choice::TakeTold(step);
            } else if let Some(thread) = self.pick(state) {
                self.add_next(thread, state)
            } else {
                return Choice::End(self.ending(state));
            };
            match added {
                Ok(Added::Consistent) => {}
                Ok(Added::Inconsistent) => return Choice::Abandon,
                Err(unsupported) => return Choice::Refuse(unsupported),
            }
        }
    }

    fn taken(&mut self, trace: &Trace, state: &dyn State) {
        self.graph.make_room(state.threads());
        let last = EventId::new(trace.len() - 1);
        let thread = trace.event(last).step.thread;
        if !is_as_announced(&self.graph.events[self.known - 1], trace.visits(last)) {
            self.refusal = Some(Unsupported::OtherThanAnnounced);
        }
        for child in (0..state.threads()).map(ThreadId::new) {
            if trace.origin(child) == Some(last) {
                let event = &self.graph.events[self.known - 1];
                let modifies = matches!(event.kind, Kind::Read { outcome: Outcome::Modifies { .. }, .. });
                let origin = Reached { thread, index: event.index + u32::from(modifies) };
                self.graph.spawned(child, Some(origin));
            }
        }
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {
        self.explored += 1;
    }

    fn backtrack(&mut self, _: &Trace) -> Continue {
        while let Some(Alternative { depth, kind }) = self.alternatives.pop() {
            self.truncate(depth);
            let consistent = match kind {
                AlternativeKind::Add(event) => self.add(event),
                AlternativeKind::Place { write, after } => self.place(write, after),
                AlternativeKind::Revisit { write, after, read } => self.revisit(write, after, read),
                AlternativeKind::Restore { saved } => {
                    self.restore(saved);
                    false
                }
            };
            if consistent {
                return Continue::From(self.graph.steps(self.known));
            }
        }
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate::unknown(self.explored)
    }
}
