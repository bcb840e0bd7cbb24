//! Execution graphs: what each thread did, where its reads got their values, and the order of writes.

use crate::program::REGISTERS;
use everyway_runtime::Ordering;
use std::collections::BTreeMap;

/// An event: which of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    /// The thread.
    pub thread: usize,
    /// Its position among the thread's events, from 0.
    pub index: usize,
}

/// What a step did to a location.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Touch {
    pub(super) location: u32,
    /// Of a read: the write that it reads, or `None` for the initial value.
    pub(super) source: Option<Option<Name>>,
    /// Of a write: the value.
    pub(super) written: Option<u64>,
    pub(super) ordering: Ordering,
    /// Whether the instruction locks the bus on x86.
    pub(super) locked: bool,
    /// The event that sent the message that it takes.
    pub(super) sent_by: Option<Name>,
}

/// What a thread did in one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Event {
    /// What its operation did: first come all reads, then all writes.
    pub(super) touches: Vec<Touch>,
    /// What came with it, one after the other.
    pub(super) aftermath: Vec<Touch>,
    pub(super) fence: Option<Ordering>,
    pub(super) choice: u32,
    /// How many events of each other thread came before it by spawns and joins.
    pub(super) known: Vec<usize>,
}

impl Event {
    pub(super) fn all(&self) -> impl Iterator<Item = &Touch> {
        self.touches.iter().chain(&self.aftermath)
    }

    /// What it did to a location.
    pub(super) fn at(&self, location: u32) -> Option<&Touch> {
        self.all().find(|touch| touch.location == location)
    }

    /// What it left in a location, if it wrote there.
    pub(super) fn written(&self, location: u32) -> Option<u64> {
        self.at(location)?.written
    }
}

/// A graph.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) threads: Vec<Vec<Event>>,
    /// The writes to each location, in modification order.
    pub(super) order: BTreeMap<u32, Vec<Name>>,
}

impl Graph {
    pub(super) fn event(&self, name: Name) -> &Event {
        &self.threads[name.thread][name.index]
    }

    pub(super) fn events(&self) -> impl Iterator<Item = (Name, &Event)> {
        let named = |(thread, events): (usize, &'_ [Event])| {
            (0..events.len()).map(move |index| Name { thread, index }).collect::<Vec<_>>()
        };
        let names = self.threads.iter().enumerate().flat_map(move |(thread, events)| named((thread, events)));
        names.map(|name| (name, self.event(name)))
    }

    /// Where a write stands in modification order.
    pub(super) fn place(&self, write: Name, location: u32) -> usize {
        let all = self.order.get(&location);
        all.and_then(|all| all.iter().position(|&other| other == write)).expect("a write is in modification order")
    }

    pub(super) fn shape(&self) -> Shape {
        let sources = |(name, event): (Name, &Event)| {
            let source = |touch: &Touch| touch.source.map(|source| (name, touch.location, source));
            event.all().filter_map(source).collect::<Vec<_>>()
        };
        let mut reads: Vec<_> = self.events().flat_map(sources).collect();
        reads.sort();
        let order = self.order.iter().filter(|(_, writes)| !writes.is_empty());
        Shape {
            reads,
            order: order.map(|(&location, writes)| (location, writes.clone())).collect(),
            choices: self.events().filter(|(_, e)| e.choice > 0).map(|(name, event)| (name, event.choice)).collect(),
        }
    }
}

/// What makes a graph different from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// The source of each read, with its location.
    pub reads: Vec<(Name, u32, Option<Name>)>,
    /// The order of the writes to each location that is written.
    pub order: Vec<(u32, Vec<Name>)>,
    /// The choices other than the first alternative.
    pub choices: Vec<(Name, u32)>,
}

/// A graph that a model allows, with what it comes to.
#[derive(Clone, Debug)]
pub struct Found {
    /// What makes it different from others.
    pub shape: Shape,
    /// Whether every thread has ended; if not, some wait for ever.
    pub is_complete: bool,
    /// What the registers of each thread hold at the end.
    pub registers: Vec<[u64; REGISTERS]>,
    /// The last value of each location in modification order.
    pub memory: Vec<u64>,
    /// Whether two of its accesses race, by RC11's happens-before.
    pub races: bool,
}
