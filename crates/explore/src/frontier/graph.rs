//! Subtrees of execution graphs: a list of choices that leads to a graph, and what to do there.
//!
//! For each event of the graph its thread, the alternative that it took, its source or its place, and when it was added;
//! nothing else of an exploration has to travel. Alternatives of one stack have the beginnings of one list, so it is
//! shared among them.

use everyway_runtime::ThreadPath;
use std::sync::Arc;

/// What an event of a subtree's graph does, as far as there was a choice. Events are named by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// It reads this write, or the initial value.
    Read(Option<usize>),
    /// The same, and its step waits.
    Wait(Option<usize>),
    /// It is a wait that this write has overtaken.
    Overtaken(usize),
    /// It writes, right after this write in modification order as far as the list has come, or first.
    Write(Option<usize>),
    /// Nothing.
    Other,
}

/// An event of a subtree's graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) thread: ThreadPath,
    /// The alternative that its thread took; none if that is decided when its step is taken.
    pub(crate) choice: Option<u32>,
    /// When it was added: only the order counts.
    pub(crate) stamp: u32,
    pub(crate) chosen: Chosen,
    /// Whether it is not part of the operation that was announced, but came with it.
    pub(crate) is_aftermath: bool,
}

/// What to do in the graph of a subtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Go on.
    Here,
    /// Add this event: a read, or one of several choices.
    Add(Entry),
    /// Add this write.
    Place(Entry),
    /// Add this write, and let a read read it.
    RevisitByWrite { write: Entry, read: usize },
    /// Add the writes of the step of a thread, and let a read read that of this access.
    RevisitByStep { thread: ThreadPath, access: u32, read: usize },
}

/// A subtree of execution graphs.
#[derive(Clone, Debug)]
pub(crate) struct GraphSubtree {
    list: Arc<[Entry]>,
    /// The graph consists of so many of them.
    depth: usize,
    start: Start,
}

impl GraphSubtree {
    /// The subtree at the first `depth` events of a list.
    pub(crate) fn new(list: Arc<[Entry]>, depth: usize, start: Start) -> Self {
        let depth = depth.min(list.len());
        Self { list, depth, start }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.list[..self.depth]
    }

    pub(crate) fn start(&self) -> &Start {
        &self.start
    }

    /// How many events stay if a write of `thread` is read by the event at `read`: those before, and those that the write
    /// comes after in its thread, or in those that it has read from.
    pub(super) fn kept(&self, read: usize, thread: &ThreadPath) -> usize {
        let mut threads = vec![thread];
        let mut sources = Vec::new();
        let mut kept = read;
        for (position, entry) in self.entries().iter().enumerate().skip(read + 1).rev() {
            if sources.contains(&position) && !threads.contains(&&entry.thread) {
                threads.push(&entry.thread);
            }
            if threads.contains(&&entry.thread) {
                kept += 1;
                if let Chosen::Read(Some(source)) | Chosen::Wait(Some(source)) = entry.chosen {
                    sources.push(source);
                }
            }
        }
        kept
    }

    /// With how many events both begin.
    pub(super) fn in_common(&self, other: &Self) -> usize {
        if Arc::ptr_eq(&self.list, &other.list) {
            return self.depth.min(other.depth);
        }
        self.entries().iter().zip(other.entries()).take_while(|(one, other)| one == other).count()
    }

    /// The subtree that begins with the first events of this one, and goes on with others.
    pub(super) fn beginning_alike(&self, in_common: usize, others: Vec<Entry>, start: Start) -> Self {
        if others.is_empty() {
            return Self::new(Arc::clone(&self.list), in_common, start);
        }
        let list: Arc<[Entry]> = self.entries()[..in_common].iter().cloned().chain(others).collect();
        let depth = list.len();
        Self { list, depth, start }
    }
}

impl PartialEq for GraphSubtree {
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries() && self.start == other.start
    }
}

impl Eq for GraphSubtree {}
