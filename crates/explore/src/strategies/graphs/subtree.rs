//! Subtrees of execution graphs: remaining work as data, and how an exploration continues from it.
//!
//! An alternative of the stack and the graph that it belongs to form a subtree ([`GraphSubtree`]). To continue from
//! one, the program is run along its list, and each event is created anew from what its thread does there: cells,
//! values and labels are those of this process. A list that does not fit the program is refused.

use super::Graphs;
use super::alternative::{Alternative, AlternativeKind, Revisit, Revisiting};
use super::deferred::{ListId, Scope};
use super::event::{Cell, Event, Follows, Kind, Label, Object, Outcome, Part, Position};
use super::unsupported::Unsupported;
use crate::frontier::{Chosen, Entry, GraphSubtree, Shape, Start, Subtree};
use crate::packed::Packed;
use crate::strategies::Divisible;
use crate::strategies::told::ToldStep;
use everyway_runtime::{State, ThreadId, ThreadPath};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What is on its way into the graph.
#[derive(Clone, Debug)]
pub(super) enum Arriving {
    Subtree(ArrivingSubtree),
    /// Steps, which are followed (`neighbours.rs`).
    Steps(Vec<ToldStep>),
}

/// A subtree on its way into the graph.
#[derive(Clone, Debug)]
pub(super) struct ArrivingSubtree {
    subtree: GraphSubtree,
    /// How many of its events are there.
    next: usize,
    /// The order in which its events were added: by position, from 0.
    stamps: Vec<u32>,
}

impl ArrivingSubtree {
    fn new(subtree: GraphSubtree) -> Self {
        let entries = subtree.entries();
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|&position| entries[position].stamp);
        let mut stamps = vec![0; order.len()];
        for (stamp, &position) in order.iter().enumerate() {
            stamps[position] = stamp as u32;
        }
        Self { subtree, next: 0, stamps }
    }
}

/// Whether to go on with what is left of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    All,
    NearestToRoot,
}

impl Divisible for Graphs {
    fn frontier(&self, state: &dyn State) -> Option<Vec<Subtree>> {
        match &self.arriving {
            Some(Arriving::Subtree(arriving)) => return Some(vec![Subtree::graph(arriving.subtree.clone())]),
            Some(Arriving::Steps(_)) => return None,
            None => {}
        }
        let current = Writer::new(state).list(&self.graph.events);
        let depth = current.len();
        let here = Subtree::graph(GraphSubtree::new(current, depth, Start::Here));
        let mut writer = Writer::new(state);
        let mut lists = HashMap::new();
        let mut subtrees = vec![here];
        for scope in self.scopes().iter().rev() {
            for (_, deferred) in scope.deferred().rev() {
                let new_list = || self.whole_list(deferred.list, scope, &mut writer);
                let list = Arc::clone(lists.entry(deferred.list).or_insert_with(new_list));
                let start = writer.revisit(deferred.revisit);
                subtrees.push(Subtree::graph(GraphSubtree::new(list, deferred.len, start)));
            }
            subtrees.extend(self.stack(scope, Which::All, state).into_iter().map(|(_, subtree)| subtree));
        }
        Some(subtrees)
    }

    fn give(&mut self, state: &dyn State) -> Option<Subtree> {
        (0..self.scopes().len()).find_map(|scope| self.give_from(scope, state))
    }

    fn adopt(&mut self, subtree: Subtree) -> Result<(), Unsupported> {
        let Subtree { shape: Shape::Graph(graph), share } = subtree else { return Err(Unsupported::Subtree) };
        self.truncate(0);
        self.alternatives.clear();
        self.deferred.clear();
        self.race = None;
        self.arriving = Some(Arriving::Subtree(ArrivingSubtree::new(graph)));
        self.shares.adopt(share);
        Ok(())
    }

    fn done(&self) -> Option<f64> {
        Some(self.shares.done())
    }
}

impl Graphs {
    /// What is left of the current graph, which is the last, and of those that are suspended.
    fn scopes(&self) -> Vec<Scope<'_>> {
        self.deferred.scopes(&self.graph.events, self.alternatives.len())
    }

    /// A list that is kept for revisits, with the events of their graph that come before it.
    fn whole_list(&self, list: ListId, scope: &Scope<'_>, writer: &mut Writer<'_>) -> Arc<[Entry]> {
        let (start, list) = self.deferred.list(list);
        writer.list(&[&scope.events[..start], list].concat())
    }

    /// [`Divisible::give`], of what is left of one graph.
    fn give_from(&mut self, number: usize, state: &dyn State) -> Option<Subtree> {
        let scopes = self.scopes();
        let scope = &scopes[number];
        let own = &self.alternatives[scope.alternatives.clone()];
        let lowest = own.iter().find(|alternative| alternative.is_subtree());
        let deferred = scope.deferred().next().map(|(depth, deferred)| (depth, deferred.clone()));
        if let Some((_, deferred)) = deferred.filter(|(depth, _)| lowest.is_none_or(|lowest| lowest.depth >= *depth)) {
            let mut writer = Writer::new(state);
            let list = self.whole_list(deferred.list, scope, &mut writer);
            let start = writer.revisit(deferred.revisit);
            self.deferred.give_up_last(number);
            let subtree = Subtree::graph(GraphSubtree::new(list, deferred.len, start));
            return Some(Subtree { share: deferred.share, ..subtree });
        }
        let (position, subtree) = self.stack(scope, Which::NearestToRoot, state).pop()?;
        self.shares.divide(self.alternatives.len());
        self.alternatives.remove(position);
        self.deferred.removed_alternative(position);
        let share = self.shares.give(position);
        Some(Subtree { share, ..subtree })
    }

    /// The subtrees of the stack that belong to a graph, from its top down, each with its position there.
    fn stack(&self, scope: &Scope<'_>, which: Which, state: &dyn State) -> Vec<(usize, Subtree)> {
        let mut own = scope.alternatives.clone().map(|position| (position, self.alternatives[position]));
        let lowest = own.clone().find(|(_, alternative)| alternative.is_subtree()).map(|(position, _)| position);
        let mut writer = Writer::new(state);
        let mut events = scope.events.to_vec();
        let mut list: Option<Arc<[Entry]>> = None;
        let mut subtrees = Vec::new();
        while let Some((position, Alternative { depth, kind })) = own.next_back() {
            events.truncate(depth);
            let is_wanted = which == Which::All || Some(position) == lowest;
            let start = match kind {
                AlternativeKind::Replace { position, event } => {
                    events[position.index()] = event;
                    list = None;
                    continue;
                }
                AlternativeKind::Choose { position, choice } => {
                    events[position.index()].choice = Packed::some(choice);
                    list = None;
                    Start::Here
                }
                _ if !is_wanted => continue,
                AlternativeKind::Add(event) => Start::Add(writer.entry(&event, None)),
                AlternativeKind::Place { write, after } => Start::Place(writer.entry(&write, after)),
                AlternativeKind::Revisit(revisit) => writer.revisit(revisit),
            };
            if is_wanted {
                let list = list.get_or_insert_with(|| writer.list(&events));
                subtrees.push((position, Subtree::graph(GraphSubtree::new(Arc::clone(list), depth, start))));
            }
        }
        subtrees
    }

    /// The event that an entry stands for, in the state that the graph leads to; a write has no place yet.
    fn event_of(&mut self, entry: &Entry, state: &dyn State) -> Result<Event, Unsupported> {
        let thread = thread_at(&entry.thread, state)?;
        let last = self.graph.threads[thread.index()].events.last();
        let follows = last.map_or(Follows::Nothing, |&last| self.graph.event(last).follows);
        let part = if entry.is_aftermath { Part::Aftermath } else { Part::Operation };
        let event = match (follows, part) {
            (Follows::Writes, _) => self.next_write(thread).ok_or(Unsupported::Subtree)?,
            (_, Part::Aftermath) => self.aftermath_event(state).ok_or(Unsupported::Subtree)??,
            (Follows::Nothing, Part::Operation) if !self.can_go_on(thread, state) || self.has_to_choose(thread) => {
                return Err(Unsupported::Subtree);
            }
            (_, Part::Operation) => self.plain_event(thread, state)?,
        };
        if event.thread != thread || event.part != part {
            return Err(Unsupported::Subtree);
        }
        let choice = Packed::from(entry.choice);
        let is_choice = matches!(event.kind, Kind::Fence | Kind::Join(_) | Kind::Local);
        if is_choice && choice.get().is_none_or(|choice| choice >= state.choices(thread)) {
            return Err(Unsupported::Subtree);
        }
        match (event.kind, entry.chosen) {
            (Kind::Read { touch, .. }, Chosen::Read(source) | Chosen::Wait(source)) => {
                let source = self.source_at(source, touch.cell)?;
                let read = self.graph.read_event(event, touch, source, self.found(touch, source, state));
                let read = if let Chosen::Wait(_) = entry.chosen { read.waiting() } else { read };
                Ok(Event { choice, ..read })
            }
            (Kind::Read { touch, .. }, Chosen::Overtaken(by)) if event.is_alone() => {
                let by = self.source_at(Some(by), touch.cell)?.ok_or(Unsupported::Subtree)?;
                Ok(event.overtaken(touch, by))
            }
            (Kind::Write { .. }, Chosen::Write(_)) => Ok(Event { choice, ..event }),
            (Kind::Fence | Kind::Join(_) | Kind::Local, Chosen::Other) => Ok(Event { choice, ..event }),
            _ => Err(Unsupported::Subtree),
        }
    }

    /// Whether what comes next in a thread depends on a step that has yet to be taken, because its choice is open.
    fn has_to_choose(&self, thread: ThreadId) -> bool {
        self.graph.events[self.known..].iter().any(|event| event.thread == thread && event.ends_step())
    }

    /// The write to a cell at a position, or the initial value.
    fn write_at(&self, position: Option<usize>, cell: Cell) -> Result<Option<Position>, Unsupported> {
        let Some(position) = position else { return Ok(None) };
        match self.graph.events.get(position).map(|event| event.kind) {
            Some(Kind::Write { cell: other, .. }) if other == cell => Ok(Some(Position::new(position))),
            _ => Err(Unsupported::Subtree),
        }
    }

    /// [`Graphs::write_at`], for a read: a step can be read when all of its writes are there.
    fn source_at(&self, position: Option<usize>, cell: Cell) -> Result<Option<Position>, Unsupported> {
        let source = self.write_at(position, cell)?;
        let is_open = |write: Position| {
            let write = self.graph.event(write);
            let last = self.graph.last_of(write.thread).map(|last| self.graph.event(last));
            last.is_some_and(|last| last.is_of_step(write) && last.follows == Follows::Writes)
        };
        if source.is_some_and(is_open) { Err(Unsupported::Subtree) } else { Ok(source) }
    }

    /// Adds the next event of what arrives to the graph, if the program has run all that is there; at its end, plans what
    /// to do. Tells whether there is still something to add.
    pub(super) fn arrive(&mut self, state: &dyn State) -> Result<bool, Unsupported> {
        let arriving = match &mut self.arriving {
            Some(Arriving::Subtree(arriving)) => arriving,
            Some(Arriving::Steps(_)) => return self.follow(state),
            None => return Ok(false),
        };
        let Some(entry) = arriving.subtree.entries().get(arriving.next).cloned() else {
            let start = arriving.subtree.start().clone();
            self.arriving = None;
            if let Some(kind) = self.start(start, state)? {
                self.alternatives.push(Alternative { depth: self.graph.len(), kind });
            }
            return Ok(false);
        };
        let stamp = arriving.stamps[arriving.next];
        arriving.next += 1;
        let event = Event { stamp, ..self.event_of(&entry, state)? };
        let is_consistent = match (event.kind, entry.chosen) {
            (Kind::Write { cell, .. }, Chosen::Write(after)) => {
                let after = self.write_at(after, cell)?;
                self.place(&mut { event }, after)
            }
            _ => self.add(&event),
        };
        if is_consistent { Ok(true) } else { Err(Unsupported::Subtree) }
    }

    /// What to do in the graph of a subtree, unless it is to go on.
    fn start(&mut self, start: Start, state: &dyn State) -> Result<Option<AlternativeKind>, Unsupported> {
        let placed = |this: &mut Self, entry: &Entry| {
            let write = this.event_of(entry, state)?;
            match (write.kind, entry.chosen) {
                (Kind::Write { cell, .. }, Chosen::Write(after)) => Ok((write, this.write_at(after, cell)?)),
                _ => Err(Unsupported::Subtree),
            }
        };
        Ok(Some(match start {
            Start::Here => return Ok(None),
            Start::Add(entry) => match self.event_of(&entry, state)? {
                event if event.is_write() || event.is_overtaken() => return Err(Unsupported::Subtree),
                event => AlternativeKind::Add(event),
            },
            Start::Place(entry) => {
                let (write, after) = placed(self, &entry)?;
                AlternativeKind::Place { write, after }
            }
            Start::RevisitByWrite { write, read } => {
                let (write, after) = placed(self, &write)?;
                self.revisiting(Revisiting::Write { write, after }, read, state)?
            }
            Start::RevisitByStep { thread, access, read } => {
                let thread = thread_at(&thread, state)?;
                self.revisiting(Revisiting::Step { thread, access }, read, state)?
            }
        }))
    }

    /// A revisit of the read at a position.
    fn revisiting(&self, by: Revisiting, read: usize, state: &dyn State) -> Result<AlternativeKind, Unsupported> {
        let (cell, value) = self.written_by(by).ok_or(Unsupported::Subtree)?;
        let base = self.base_of(by);
        let free = self.graph.events.get(read).filter(|event| !self.graph.is_porf_before(event, base));
        match free.map(|event| event.kind) {
            Some(Kind::Read { touch, .. }) if touch.cell == cell => {
                let found = match touch.object {
                    Object::Mailbox => self.graph.mail(touch, self.source_of(by), Some(value), state),
                    Object::Memory | Object::Chained => value,
                };
                Ok(AlternativeKind::Revisit(Revisit { by, read: Position::new(read), found }))
            }
            _ => Err(Unsupported::Subtree),
        }
    }

    /// What a revisiting write writes, and where.
    fn written_by(&self, by: Revisiting) -> Option<(Cell, u64)> {
        let (thread, access) = match by {
            Revisiting::Write { write, .. } => match write.kind {
                Kind::Write { cell, value, .. } => return Some((cell, value)),
                _ => return None,
            },
            Revisiting::Step { thread, access } => (thread, access),
        };
        let last = self.graph.event(*self.graph.threads[thread.index()].events.last()?);
        if !last.is_read() || last.follows != Follows::Writes {
            return None;
        }
        let reads = self.graph.step(last).map(|position| self.graph.event(position));
        let mut reads = reads.filter(|read| read.part == last.part && read.access == access);
        reads.find_map(|read| match read.kind {
            Kind::Read { touch, outcome, .. } => Some((touch.cell, outcome.written()?)),
            _ => None,
        })
    }
}

/// The thread with this path.
pub(super) fn thread_at(path: &ThreadPath, state: &dyn State) -> Result<ThreadId, Unsupported> {
    let mut threads = (0..state.threads()).map(ThreadId::new);
    threads.find(|&thread| state.path(thread) == *path).ok_or(Unsupported::Subtree)
}

/// Writes events down by lasting names.
struct Writer<'s> {
    state: &'s dyn State,
    /// By thread.
    paths: Vec<ThreadPath>,
}

impl<'s> Writer<'s> {
    fn new(state: &'s dyn State) -> Self {
        Self { state, paths: Vec::new() }
    }

    fn path(&mut self, thread: ThreadId) -> ThreadPath {
        while self.paths.len() <= thread.index() {
            self.paths.push(self.state.path(ThreadId::new(self.paths.len())));
        }
        self.paths[thread.index()].clone()
    }

    fn revisit(&mut self, Revisit { by, read, .. }: Revisit) -> Start {
        match by {
            Revisiting::Write { write, after } => {
                Start::RevisitByWrite { write: self.entry(&write, after), read: read.index() }
            }
            Revisiting::Step { thread, access } => {
                Start::RevisitByStep { thread: self.path(thread), access, read: read.index() }
            }
        }
    }

    fn list(&mut self, events: &[Event]) -> Arc<[Entry]> {
        let mut placed: BTreeMap<(Cell, Label), Position> = BTreeMap::new();
        let entry = |(position, event): (usize, &Event)| {
            let Kind::Write { cell, label, .. } = event.kind else { return self.entry(event, None) };
            let after = placed.range((cell, Label::MIN)..(cell, label)).next_back().map(|(_, &write)| write);
            placed.insert((cell, label), Position::new(position));
            self.entry(event, after)
        };
        events.iter().enumerate().map(entry).collect()
    }

    /// An event, and the write that it comes right after if it is a write.
    fn entry(&mut self, event: &Event, after: Option<Position>) -> Entry {
        let position = |position: Position| position.index();
        let chosen = match event.kind {
            Kind::Read { source, outcome: Outcome::Waits, .. } => Chosen::Wait(source.map(position)),
            Kind::Read { source, .. } => Chosen::Read(source.map(position)),
            Kind::Write { .. } => Chosen::Write(after.map(position)),
            Kind::Overtaken { by, .. } => Chosen::Overtaken(position(by)),
            Kind::Fence | Kind::Join(_) | Kind::Local => Chosen::Other,
        };
        Entry {
            thread: self.path(event.thread),
            choice: event.choice.get(),
            stamp: event.stamp,
            chosen,
            is_aftermath: event.part == Part::Aftermath,
        }
    }
}
