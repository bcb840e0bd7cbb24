//! Choices made, and schedules: what else is to be explored from where they were made (OOPSLA 2019, Algorithm 1:
//! `schedules`).
//!
//! Each event that found something - or that had alternatives - is a choice, unless it came as part of a schedule: then
//! it is *marked* in the sense of the paper, a copy for which other sources are sought elsewhere. Here it is marked by
//! having no node. The last event of a schedule is the one that takes the place of the choice, its *pivot*.

use super::demand::Demand;
use super::linearization::{Entry, Name, Source};
use crate::ids::Step;

/// How else to go on from a node.
#[derive(Debug)]
pub(super) struct Schedule {
    /// The events `σ`; the pivot is the last one.
    pub(super) entries: Vec<Entry>,
    /// How many of them, at the end, are not copies of events that were executed.
    pub(super) altered: usize,
    /// What is demanded of later events.
    pub(super) demand: Option<Demand>,
    /// An execution of all that comes before the node, and the events of the schedule.
    pub(super) witness: Vec<Step>,
}

/// What tells schedules of one node apart: their events, in whatever order.
#[derive(Debug)]
struct Identity {
    /// Does not depend on the order.
    hash: u64,
    events: Box<[(Name, u32, Source)]>,
}

fn hash(entries: &[Entry]) -> u64 {
    let source = |source| match source {
        Source::Nowhere => 0,
        Source::Initial => 1,
        Source::Event(name) => u64::from(name.thread.0) << 32 | u64::from(name.index) << 2 | 2,
    };
    let one = |entry: &Entry| {
        let name = u64::from(entry.name.thread.0) << 40 | u64::from(entry.name.index) << 8 | u64::from(entry.choice);
        let mixed = (name ^ source(entry.source).rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    entries.iter().map(one).fold(0, u64::wrapping_add)
}

impl Identity {
    fn new(entries: &[Entry]) -> Self {
        Self { hash: hash(entries), events: entries.iter().map(Entry::identity).collect() }
    }

    fn is_of(&self, entries: &[Entry], hash: u64) -> bool {
        self.hash == hash && self.events.len() == entries.len() && {
            // Mostly in the same order.
            let same = |(event, entry): (&_, &Entry)| *event == entry.identity();
            self.events.iter().zip(entries).all(same)
                || entries.iter().all(|entry| self.events.contains(&entry.identity()))
        }
    }
}

/// A choice.
#[derive(Debug)]
pub(super) struct Node {
    /// The length of the linearization before it: `pre(τ, e_R)`.
    pub(super) depth: usize,
    /// Where the pivot of the branch under way is; beyond the linearization if it waits for ever.
    pub(super) pivot: usize,
    /// Whether the first branch is that the operation of this name waits for ever.
    pub(super) waits: Option<Name>,
    /// Whether the branch under way is the first one.
    pub(super) is_first: bool,
    /// What the branch under way demands of later events.
    pub(super) demand: Option<Demand>,
    /// What is still to be explored.
    waiting: Vec<Schedule>,
    /// All schedules there ever were.
    known: Vec<Identity>,
    /// The event of the first branch.
    first: Option<(Name, u32, Source)>,
}

impl Node {
    /// The choice that the event `entry` made at the end of a linearization of length `depth`.
    pub(super) fn new(depth: usize, entry: &Entry) -> Self {
        let first = Some(entry.identity());
        let (waiting, known) = (Vec::new(), Vec::new());
        Self { depth, pivot: depth, waits: None, is_first: true, demand: None, waiting, known, first }
    }

    /// That the operation `name` waits at the end of a linearization of length `depth`.
    pub(super) fn waiting(depth: usize, name: Name) -> Self {
        let (waiting, known) = (Vec::new(), Vec::new());
        Self { depth, pivot: depth, waits: Some(name), is_first: true, demand: None, waiting, known, first: None }
    }

    /// Whether there is, or has been, a branch with these events.
    pub(super) fn knows(&self, entries: &[Entry]) -> bool {
        if let [only] = entries
            && self.first == Some(only.identity())
        {
            return true;
        }
        let hash = hash(entries);
        self.known.iter().any(|known| known.is_of(entries, hash))
    }

    /// Adds a schedule that is not known.
    pub(super) fn add(&mut self, entries: &[Entry], altered: usize, demand: Option<Demand>, witness: Vec<Step>) {
        self.known.push(Identity::new(entries));
        self.waiting.push(Schedule { entries: entries.to_vec(), altered, demand, witness });
    }

    /// Takes the next schedule to explore. That is the newest one: its witness has most in common with the last
    /// execution.
    pub(super) fn take(&mut self) -> Option<Schedule> {
        let schedule = self.waiting.pop()?;
        self.pivot = self.depth + schedule.entries.len() - 1;
        self.is_first = false;
        Some(schedule)
    }

    /// How many branches were begun, and how many are waiting.
    pub(super) fn branches(&self) -> (usize, usize) {
        (self.known.len() + 1 - self.waiting.len(), self.waiting.len())
    }
}
