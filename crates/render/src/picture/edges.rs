//! Arrows between the steps of different threads.

use std::collections::BTreeMap;

use everyway_report::{Effect, Execution};

/// An arrow from one event to a later one of another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Where it starts, as an index.
    pub(crate) from: usize,
    /// Where it leads, as an index.
    pub(crate) to: usize,
    /// Why it is there.
    pub(crate) kind: EdgeKind,
}

/// Why an event comes before another, the strongest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EdgeKind {
    /// A thread was started.
    Start,
    /// The end of a thread was waited for.
    Join,
    /// What one releases the other acquires.
    SynchronisesWith,
    /// One reads what the other has written.
    ReadsFrom,
    /// They do something that does not commute.
    Conflict,
    /// One could have read what the other has written, and did not.
    CouldRead,
}

impl EdgeKind {
    /// The kind in words that follow the later step: `reads from`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            EdgeKind::Start => "started by",
            EdgeKind::Join => "joins",
            EdgeKind::SynchronisesWith => "synchronises with",
            EdgeKind::ReadsFrom => "reads from",
            EdgeKind::Conflict => "comes after",
            EdgeKind::CouldRead => "could have read",
        }
    }
}

/// The arrows of `execution`: at most one between two events. What a read could have seen may come later than it.
pub(super) fn edges(execution: &Execution, effects: &[Vec<Effect>]) -> Vec<Edge> {
    let events = &execution.events;
    let mut strongest: BTreeMap<(usize, usize), EdgeKind> = BTreeMap::new();
    for (to, event) in events.iter().enumerate() {
        let mut add = |from: usize, kind: EdgeKind| {
            if events.get(from).is_some_and(|other| other.thread != event.thread) {
                strongest.entry((to, from)).and_modify(|known| *known = kind.min(*known)).or_insert(kind);
            }
        };
        for &from in event.happens_after.iter().filter(|&&from| from < to) {
            // Where starting a thread is no step of its own, it is part of the one before.
            let starts = effects[from].contains(&Effect::Starts { thread: event.thread });
            let joins = effects[to].contains(&Effect::Joins { thread: events[from].thread });
            add(
                from,
                match () {
                    () if starts => EdgeKind::Start,
                    () if joins => EdgeKind::Join,
                    () if hands_over(&effects[from], &effects[to]) => EdgeKind::SynchronisesWith,
                    () => EdgeKind::Conflict,
                },
            );
        }
        event.synchronises_with.iter().for_each(|&from| add(from, EdgeKind::SynchronisesWith));
        for &from in event.reads_from.iter().filter(|&&from| from < events.len()) {
            let is_lock = hands_over(&effects[from], &effects[to]);
            add(from, if is_lock { EdgeKind::SynchronisesWith } else { EdgeKind::ReadsFrom });
        }
        event.could_read.iter().for_each(|&from| add(from, EdgeKind::CouldRead));
    }
    strongest.into_iter().map(|((to, from), kind)| Edge { from, to, kind }).collect()
}

/// Whether the second takes a lock that the first gives back.
fn hands_over(from: &[Effect], to: &[Effect]) -> bool {
    to.iter().any(|effect| match effect {
        Effect::Acquires { object, .. } => from.contains(&Effect::Releases { object: object.clone() }),
        _ => false,
    })
}
