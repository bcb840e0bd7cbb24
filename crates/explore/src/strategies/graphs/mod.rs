//! Execution graphs under a memory model: one execution for each consistent graph.
//!
//! This is the exploration of *Truly Stateless, Optimal DPOR* (TruSt, POPL 2022). A graph is a list of events with the
//! sources of its reads and the order of its writes. Events are added one at a time: a read is tried with every source,
//! a write at every place in modification order. Reads that were added before a write may be revisited to read from it
//! (`revisit.rs`). The rules of the model are checked for the new event: `coherence.rs` for all models,
//! `store_order.rs` for `sc`, `tso` and `pso`, `psc.rs` for `rc11`.
//!
//! The program is told what to read ([`everyway_runtime::Execution::step_reading`]). The list of events is an order in
//! which it can run; after a revisit, the remaining steps are taken again in the new order. Graphs that turn out to be
//! inconsistent cost the program nothing: it runs only when an event is needed that is not known.
//!
//! The stack holds alternatives that share nothing (`alternative.rs`). The deepest is explored first: a revisit that
//! goes back further than other remaining alternatives is deferred (`deferred.rs`), so that nothing is run again for
//! their sake.
//!
//! A wait is postponed until the newest write satisfies it, or no other thread can continue (`pick.rs`); then it is an
//! event that reads the newest write, and every later write to the cell may revisit it. One that was satisfied, and is
//! revisited by a write that does not satisfy it, leaves the graph again (`overtaken.rs`). If no thread can continue,
//! the execution is blocked if every waiting read sees the newest write; otherwise it is redundant: the execution in
//! which it does is explored elsewhere. That is rare, except for operations that read several cells before they wait.
//!
//! Deviations: a step of the program may be several events (`step.rs`), which are one for everything that depends on
//! them; its writes are added as soon as its reads are there. The first alternative of a choice is the maximal one.
//! Locks, condition variables, mailboxes and the like are accessed by read-modify-writes only. So their accesses form a
//! chain, in which the program runs, and the program's own state of them - waiting threads, sent messages - is right at
//! any time. An atomic inside another object (`Verb::may_find_older`) is memory to this module. The consequences of a step
//! are added when it has been taken (`aftermath.rs`), and its choices are determined when it is about to be taken.

mod accesses;
mod aftermath;
mod alternative;
mod append;
mod catch_up;
mod cells;
mod clocks;
mod coherence;
mod could_read;
mod deferred;
mod event;
mod graph;
mod interleaving;
mod mail;
mod model;
mod modification_order;
mod movers;
mod neighbours;
mod overtaken;
mod pick;
mod psc;
mod race;
mod revisit;
mod shape;
mod stamps;
mod step;
mod store_order;
mod subtree;
mod touches;
mod unsupported;

pub use model::{MemoryModel, UnknownMemoryModel};
pub use neighbours::neighbours;
pub use race::DataRace;
pub use shape::GraphView;
pub use unsupported::Unsupported;

use super::paths::Paths;
use super::{Continue, Divisible, Guarantee, Guidance, Order, StepEnd, Strategy, TellsSources, ToldChoice};
use crate::budget::Budget;
use crate::estimate::{Estimate, Shares};
use crate::explorer::Ending;
use crate::packed::Packed;
use crate::trace::Trace;
use aftermath::Aftermath;
use alternative::{Alternative, AlternativeKind, Revisiting};
use append::Appended;
use cells::Cells;
use deferred::DeferredRevisits;
use event::{Cell, Event, Follows, Kind, Position, Reached};
use everyway_runtime::{ModificationOrders, Performed, Source, State, Status, ThreadId};
use graph::Graph;
use movers::Movers;
use overtaken::Chains;
use std::cell::RefCell;
use subtree::Arriving;

/// The strategy.
pub(crate) struct Graphs {
    graph: Graph,
    cells: Cells,
    order: Order,
    alternatives: Vec<Alternative>,
    /// How much of the exploration each of them may be.
    shares: Shares,
    deferred: DeferredRevisits,
    /// The events of the graph from where a revisit changes it.
    left: Vec<Event>,
    /// How many events of the graph the program has run.
    known: usize,
    sources: Vec<Source>,
    /// What came with steps that the program has taken.
    aftermaths: Vec<Aftermath>,
    race: Option<DataRace>,
    /// How many executions have ended.
    explored: u64,
    store_order: store_order::Search,
    psc: psc::Search,
    movers: Movers,
    chains: RefCell<Chains>,
    /// What to begin with, as far as it is not yet in the graph.
    arriving: Option<Arriving>,
    /// The reads of so many steps are not revisited.
    fixed_steps: usize,
    paths: Paths,
}

/// How adding an event turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Added {
    Consistent,
    Inconsistent,
    /// Nothing was added: all that a wait could read is read elsewhere.
    Redundant,
}

impl From<bool> for Added {
    fn from(consistent: bool) -> Self {
        if consistent { Added::Consistent } else { Added::Inconsistent }
    }
}

impl Graphs {
    /// The strategy under `model`.
    pub(crate) fn new(model: MemoryModel, order: Order) -> Self {
        Self {
            graph: Graph::new(model),
            cells: Cells::default(),
            order,
            alternatives: Vec::new(),
            shares: Shares::whole(),
            deferred: DeferredRevisits::default(),
            left: Vec::new(),
            known: 0,
            sources: Vec::new(),
            aftermaths: Vec::new(),
            race: None,
            explored: 0,
            store_order: store_order::Search::default(),
            psc: psc::Search::default(),
            movers: Movers::default(),
            chains: RefCell::default(),
            arriving: None,
            fixed_steps: 0,
            paths: Paths::default(),
        }
    }

    /// Keeps about so many events at most for revisits that are put off.
    pub(crate) fn keeping(mut self, events: usize) -> Self {
        self.deferred = DeferredRevisits::keeping(events);
        self
    }

    fn truncate(&mut self, depth: usize) {
        self.chains.get_mut().truncate(depth);
        self.graph.truncate(depth);
        self.movers.forget();
        self.deferred.changed_from(depth);
        self.known = self.known.min(depth);
        self.forget_aftermaths();
    }

    /// Takes note of new threads.
    #[inline]
    fn meet_threads(&mut self, state: &dyn State) {
        if self.graph.threads.len() < state.threads() {
            self.graph.make_room(state.threads());
            self.paths.learn(state);
        }
    }

    /// Takes note of the threads that the step just taken has spawned.
    #[inline(never)]
    fn meet_children(&mut self, spawned: &[ThreadId], state: &dyn State) {
        self.meet_threads(state);
        self.movers.forget();
        let Event { thread, index, .. } = self.graph.events[self.known - 1];
        for &child in spawned {
            self.graph.spawned(child, Some(Reached { thread, index }));
        }
    }

    /// Adds an event to the graph; whether it is consistent then.
    fn add(&mut self, event: &Event) -> bool {
        let Appended { position: last, next } = self.graph.push(event);
        // Nothing is later than the newest write, and nothing leads from there back.
        let Some(next) = next else { return true };
        if self.graph.comes_between(last, next) {
            return false;
        }
        let is_interleaving = self.graph.has_interleaving();
        debug_assert!(
            !is_interleaving || self.allows(last, next),
            "what is an interleaving is possible under all models"
        );
        is_interleaving || self.allows(last, next)
    }

    /// Whether the memory model allows the last event where it is; `next` is the write that comes after its place in
    /// modification order.
    fn allows(&mut self, last: Position, next: Position) -> bool {
        self.graph.is_coherent(last)
            && match self.graph.model {
                MemoryModel::Rc11 => self.psc.is_acyclic(&self.graph, last),
                MemoryModel::Sc | MemoryModel::Tso | MemoryModel::Pso => {
                    !self.store_order.leads_back(&self.graph, next, last)
                }
            }
    }

    /// Adds a write right after another one.
    fn place(&mut self, write: &mut Event, after: Option<Position>) -> bool {
        let Kind::Write { cell, label, .. } = &mut write.kind else { return false };
        if after == self.graph.newest(*cell) {
            *label = self.graph.label_beyond(after);
            self.graph.push_newest(write);
            return true;
        }
        *label = self.label_after(*cell, after);
        self.add(write)
    }

    /// Adds a write at the end of modification order, and plans its other places and revisits.
    fn add_write(&mut self, write: &mut Event, state: &dyn State) -> Added {
        let Kind::Write { cell, value, .. } = write.kind else { return Added::Inconsistent };
        let base = self.graph.last_of(write.thread);
        let by = || Revisiting::Write { write: *write, after: None };
        self.plan_revisits((by, base), cell, value, state);
        if !self.graph.knows_newest(cell, write.thread, base) {
            self.plan_places(*write, cell);
        }
        self.place(write, self.graph.newest(cell)).into()
    }

    /// Plans the places of a write in modification order, but for the last.
    #[inline(never)]
    fn plan_places(&mut self, write: Event, cell: Cell) {
        let depth = self.graph.len();
        let floor = self.graph.floor(cell, write.thread, self.graph.last_of(write.thread));
        let is_open = |after| {
            self.graph.first_after(cell, self.graph.label(after)).is_some_and(|next| !self.graph.event(next).modifies())
        };
        let others = self.graph.sources_from(cell, floor).filter(|&after| is_open(after));
        let alternative = |after| Alternative { depth, kind: AlternativeKind::Place { write, after } };
        self.alternatives.extend(others.map(alternative));
    }

    /// What comes next as long as what to begin with is not yet in the graph.
    #[cold]
    fn choose_arriving(&mut self, state: &dyn State) -> Option<ToldChoice> {
        while self.arriving.is_some() {
            if let Some(step) = self.next_step(state) {
                let is_possible = step.choice < state.choices(step.thread);
                return Some(if is_possible {
                    ToldChoice::Take(step)
                } else {
                    ToldChoice::Refuse(Unsupported::Subtree)
                });
            }
            match self.arrive(state) {
                Err(unsupported) => return Some(ToldChoice::Refuse(unsupported)),
                Ok(false) if !self.alternatives.is_empty() => return Some(ToldChoice::Abandon),
                Ok(_) => {}
            }
        }
        None
    }

    /// How an execution ends in which no thread can go on.
    fn ending(&self, state: &dyn State) -> Ending {
        let lasts = self.graph.threads.iter().filter_map(|thread| thread.events.last());
        let mut threads = (0..state.threads()).map(ThreadId::new);
        let is_stale = |event: &Event| event.waits() && self.graph.is_stale(event);
        if lasts.map(|&last| self.graph.event(last)).any(is_stale) {
            Ending::Redundant
        } else if threads.all(|thread| state.status(thread) == Status::Ended) {
            Ending::Complete
        } else {
            Ending::Blocked
        }
    }

    #[cold]
    fn forget_unused_touches(&mut self) {
        let planned = self.alternatives.iter_mut().filter_map(Alternative::event_mut);
        let kept = self.deferred.kept_mut();
        self.graph.touches.retain(self.graph.events.iter_mut().chain(planned).chain(kept));
    }

    /// Goes on with an alternative; whether its graph is consistent.
    fn take(&mut self, Alternative { depth, kind }: Alternative) -> bool {
        self.truncate(depth);
        match kind {
            AlternativeKind::Add(event) => self.add_read(&event),
            AlternativeKind::Place { mut write, after } => self.place(&mut write, after),
            AlternativeKind::Revisit(revisit) => self.revisit_or_defer(revisit),
            AlternativeKind::Choose { position, choice } => {
                self.graph.events[position.index()].choice = Packed::some(choice);
                self.deferred.changed_from(position.index());
                self.known = self.known.min(position.index());
                self.forget_aftermaths();
                true
            }
            AlternativeKind::Replace { position, event } => {
                self.graph.replace(position, event);
                self.deferred.changed_from(position.index());
                false
            }
        }
    }
}

impl TellsSources for Graphs {
    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn taken(
        &mut self,
        performed: &Performed,
        state: &dyn State,
        end: StepEnd,
    ) -> Result<Option<DataRace>, Unsupported> {
        let Performed { visits, spawned } = performed;
        if !spawned.is_empty() {
            self.meet_children(spawned, state);
        }
        self.note_aftermath(visits);
        match end {
            StepEnd::Done if !self.is_as_announced(visits) => Err(Unsupported::Announcement),
            _ => Ok(self.race.take()),
        }
    }

    fn modification_orders(&self, _: &Trace) -> ModificationOrders {
        ModificationOrders::new(GraphView::new(&self.graph).modification_orders().collect())
    }

    fn graph(&self) -> Option<GraphView<'_>> {
        Some(GraphView::new(&self.graph))
    }

    fn choose(&mut self, _: &Trace, state: &dyn State) -> ToldChoice {
        // Those that are spawned later are met then.
        if self.known == 0 {
            self.meet_threads(state);
        }
        if self.arriving.is_some()
            && let Some(choice) = self.choose_arriving(state)
        {
            return choice;
        }
        loop {
            let added = match self.graph.unfinished() {
                Some((thread, Follows::Writes)) if !self.has_to_run(thread) => Ok(self.add_writes(thread, state)),
                unfinished => {
                    if !self.aftermaths.is_empty()
                        && let Some(aftermath) = self.aftermath_event(state)
                    {
                        aftermath.map(|event| self.add_aftermath(event, state))
                    } else if let Some(step) = self.next_step(state) {
                        return ToldChoice::Take(step);
                    } else if let Some((thread, follows)) = unfinished {
                        match follows {
                            Follows::Writes => Ok(self.add_writes(thread, state)),
                            Follows::Access | Follows::Nothing => self.add_next(thread, state),
                        }
                    } else if let Some(thread) = self.pick(state) {
                        self.add_next(thread, state)
                    } else {
                        return ToldChoice::End(self.ending(state));
                    }
                }
            };
            self.shares.divide(self.alternatives.len());
            match added {
                Ok(Added::Consistent) => {}
                Ok(Added::Inconsistent) => return ToldChoice::Abandon,
                Ok(Added::Redundant) => return ToldChoice::End(Ending::Redundant),
                Err(unsupported) => return ToldChoice::Refuse(unsupported),
            }
        }
    }
}

impl Strategy for Graphs {
    fn name(&self) -> &'static str {
        "graphs"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Sound
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::TellsSources(self)
    }

    fn divisible(&mut self) -> Option<&mut dyn Divisible> {
        Some(self)
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {
        self.explored += 1;
    }

    fn backtrack(&mut self, _: &Trace, state: &dyn State) -> Continue {
        if self.graph.touches.are_many() {
            self.forget_unused_touches();
        }
        loop {
            self.shares.divide(self.alternatives.len());
            let is_consistent = match self.take_deferred() {
                Some(is_consistent) => is_consistent,
                None if self.own_alternatives().is_empty() && self.resume() => continue,
                None => {
                    let alternative = self.alternatives.pop();
                    self.shares.pop();
                    match alternative {
                        Some(alternative) => self.take(alternative),
                        None => return Continue::Finished,
                    }
                }
            };
            if is_consistent && !self.comes_too_late(state) {
                return Continue::From(self.graph.steps(self.known));
            }
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate::from_part(self.explored, self.shares.done())
    }
}
