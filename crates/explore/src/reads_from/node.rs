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
    /// What is demanded of later events.
    pub(super) demand: Option<Demand>,
    /// An execution of all that comes before the node, and the events of the schedule.
    pub(super) witness: Vec<Step>,
}

/// What tells schedules of one node apart: their events, however ordered.
type Identity = Box<[(Name, u32, Source)]>;

fn identity(entries: &[Entry]) -> Identity {
    let mut identity: Identity = entries.iter().map(Entry::identity).collect();
    identity.sort_unstable_by_key(|&(name, ..)| name);
    identity
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
    /// All schedules there ever were, and the first branch.
    known: Vec<Identity>,
}

impl Node {
    /// The choice that the event `entry` made at the end of a linearization of length `depth`.
    pub(super) fn new(depth: usize, entry: &Entry) -> Self {
        let known = vec![identity(std::slice::from_ref(entry))];
        Self { depth, pivot: depth, waits: None, is_first: true, demand: None, waiting: Vec::new(), known }
    }

    /// That the operation `name` waits at the end of a linearization of length `depth`.
    pub(super) fn waiting(depth: usize, name: Name) -> Self {
        let known = vec![Identity::default()];
        let waiting = Vec::new();
        Self { depth, pivot: depth, waits: Some(name), is_first: true, demand: None, waiting, known }
    }

    /// Whether there is, or has been, a schedule with these events.
    pub(super) fn knows(&self, entries: &[Entry]) -> bool {
        let same_pivot = |known: &&Identity| known.len() == entries.len();
        let mut candidates = self.known.iter().filter(same_pivot).peekable();
        candidates.peek().is_some() && {
            let identity = identity(entries);
            candidates.any(|known| *known == identity)
        }
    }

    /// Adds a schedule that is not known.
    pub(super) fn add(&mut self, schedule: Schedule) {
        self.known.push(identity(&schedule.entries));
        self.waiting.push(schedule);
    }

    /// Takes the next schedule to explore.
    pub(super) fn take(&mut self) -> Option<Schedule> {
        if self.waiting.is_empty() {
            return None;
        }
        let schedule = self.waiting.remove(0);
        self.pivot = self.depth + schedule.entries.len() - 1;
        self.is_first = false;
        Some(schedule)
    }

    /// How many branches were begun, and how many are waiting.
    pub(super) fn branches(&self) -> (usize, usize) {
        (self.known.len() - self.waiting.len(), self.waiting.len())
    }
}
