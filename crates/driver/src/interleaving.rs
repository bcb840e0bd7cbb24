//! An execution whose reads were told their sources, as an interleaving.
//!
//! Under `sc` there is one for every execution graph: an order of its steps in which each read sees the last write. It
//! is easier to read, and can be run without telling reads their sources.

use everyway_explore::Trace;
use everyway_runtime::{Access, EventId, Execution, Location, ModificationOrders, Source, ThreadId};
use std::collections::{BTreeSet, HashMap};

/// The events of `trace` in an order in which every read of `execution` sees the last write before it, if there is one: the
/// one that comes first where there are several.
pub(crate) fn interleaving<X: Execution>(execution: &X, trace: &Trace) -> Option<Vec<EventId>> {
    let mut order = Precedence::new(trace.len());
    for event in trace.events_from(0) {
        order.add_thread(trace, event);
    }
    let writes = Writes::new(trace, execution.modification_orders()?);
    for cell in &writes.cells {
        cell.writes.windows(2).for_each(|pair| order.add(pair[0], pair[1]));
    }
    for event in trace.events_from(0) {
        let visits = trace.visits(event).iter();
        for (visit, &source) in visits.zip(execution.told(event)).filter(|(visit, _)| visit.access.looks()) {
            if let Source::Event(write) = source {
                order.add(write, event);
            }
            writes.after(&visit.access, source).for_each(|write| order.add(event, write));
        }
    }
    order.sort()
}

/// Which events have to come before which: a partial order, as a graph.
struct Precedence {
    /// By event.
    later: Vec<Vec<EventId>>,
    /// By event: how many come before it.
    earlier: Vec<usize>,
}

impl Precedence {
    fn new(events: usize) -> Self {
        Self { later: vec![Vec::new(); events], earlier: vec![0; events] }
    }

    fn add(&mut self, earlier: EventId, later: EventId) {
        if earlier != later {
            self.later[earlier.index()].push(later);
            self.earlier[later.index()] += 1;
        }
    }

    /// Adds program order, and what comes of spawning and joining threads.
    fn add_thread(&mut self, trace: &Trace, event: EventId) {
        let this = trace.event(event);
        let events = trace.events_of(this.step.thread);
        let before = match this.index {
            1 => trace.origin(this.step.thread),
            index => events.get(index as usize - 2).copied(),
        };
        let ended = |thread: ThreadId| trace.events_of(thread).last().copied().or(trace.origin(thread));
        for earlier in before.into_iter().chain(this.joins.and_then(ended)) {
            self.add(earlier, event);
        }
    }

    fn sort(mut self) -> Option<Vec<EventId>> {
        let events = 0..self.later.len();
        let mut ready: BTreeSet<EventId> = events.filter(|&event| self.earlier[event] == 0).map(EventId::new).collect();
        let mut sorted = Vec::with_capacity(self.later.len());
        while let Some(event) = ready.pop_first() {
            sorted.push(event);
            for later in std::mem::take(&mut self.later[event.index()]) {
                self.earlier[later.index()] -= 1;
                if self.earlier[later.index()] == 0 {
                    ready.insert(later);
                }
            }
        }
        (sorted.len() == self.later.len()).then_some(sorted)
    }
}

/// The writes to bytes that are accessed together.
struct Cell {
    access: Access,
    /// In modification order.
    writes: Vec<EventId>,
    places: HashMap<EventId, usize>,
}

/// The writes to all locations.
struct Writes {
    cells: Vec<Cell>,
}

impl Writes {
    fn new(trace: &Trace, orders: &ModificationOrders) -> Self {
        let cell = |(location, writes): (Location, &[EventId])| {
            let visits = writes.iter().flat_map(|&write| trace.visits(write));
            let access = visits.map(|visit| visit.access).find(|access| access.location == location)?;
            let places = writes.iter().enumerate().map(|(place, &write)| (write, place)).collect();
            Some(Cell { access, writes: writes.to_vec(), places })
        };
        Self { cells: orders.iter().filter_map(cell).collect() }
    }

    /// The writes that come right after what an access reads.
    fn after(&self, access: &Access, source: Source) -> impl Iterator<Item = EventId> {
        let is_it =
            move |cell: &&Cell| cell.access.location == access.location && cell.access.bytes.overlaps(access.bytes);
        self.cells.iter().filter(is_it).filter_map(move |cell| match source {
            Source::Initial => cell.writes.first().copied(),
            Source::Event(write) => cell.writes.get(cell.places.get(&write)? + 1).copied(),
        })
    }
}
