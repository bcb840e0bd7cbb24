//! Witnesses that need no search: the last execution without the events that a schedule leaves out, and the events that
//! it alters put where they find what they are to find.
//!
//! Deviation from OOPSLA 2019: this comes before the three phases of GetWitness, and mostly spares them. A schedule's
//! copies are events of the last execution, and of each its source is a copy as well. So if everything else is left out
//! of that execution, every copy still finds what it found: its source is there, and nothing has come in between. It
//! remains to place the altered events, one right after the other: behind the source of the first one, before the next
//! copy that changes the same unit. There they find what they are to find, and nobody else notices them - unless they
//! write and that next copy looks at what was there, or unless something that they depend on comes only later. In
//! these cases nothing is said, and the paper's procedure decides.

use super::linearization::{Entry, Linearization, Name, Source};
use super::view::View;
use crate::ids::{EventId, Step};
use smallvec::SmallVec;

/// A set of events of the last execution: of each thread, the first so many.
pub(super) type Cut = SmallVec<[u32; 8]>;

/// An execution of the events of `trace` in `cut`, which is closed under all that they depend on, and of `altered`, the
/// events of a schedule that are not copies. `trace` is the trace of the execution in `view`.
pub(super) fn direct(view: &View<'_>, trace: &Linearization, cut: &Cut, altered: &[Entry]) -> Option<Vec<Step>> {
    let place = Placing { view, trace, cut }.place(altered)?;
    let mut steps = Vec::with_capacity(cut.iter().sum::<u32>() as usize + altered.len());
    let added = altered.iter().map(|entry| Step { thread: entry.name.thread, choice: entry.choice });
    let (before, after) = (0..place.index(), place.index()..view.trace.len());
    let copies = |range: std::ops::Range<usize>| {
        let events = range.map(|id| view.trace.event(EventId::new(id)));
        events.filter(|event| cut[event.step.thread.index()] >= event.index).map(|event| event.step)
    };
    steps.extend(copies(before));
    steps.extend(added);
    steps.extend(copies(after));
    Some(steps)
}

struct Placing<'a> {
    view: &'a View<'a>,
    trace: &'a Linearization,
    cut: &'a Cut,
}

impl Placing<'_> {
    /// The event of the last execution that `altered` can stand before.
    fn place(&self, altered: &[Entry]) -> Option<EventId> {
        let end = EventId::new(self.view.trace.len());
        let [first, ..] = altered else { return Some(end) };
        let Some((next, entry)) = self.next_write(first) else { return Some(end) };
        let is_noticed = entry.reads() && altered.iter().any(|entry| entry.writes);
        let is_early = |name: Name| altered.iter().any(|entry| entry.name == name) || self.id(name) < next;
        let has_all = altered.iter().all(|entry| self.predecessors(entry).all(is_early));
        (!is_noticed && has_all).then_some(next)
    }

    /// The first copy after the source of `entry` that changes the same unit.
    fn next_write(&self, entry: &Entry) -> Option<(EventId, &Entry)> {
        let source = match entry.source {
            Source::Nowhere => return None,
            Source::Initial => None,
            Source::Event(name) => Some(self.id(name)),
        };
        let writes = self.trace.writers(entry.unit?).iter().map(|&position| self.trace.entry(position as usize));
        let copies = writes.filter(|entry| self.cut[entry.name.thread.index()] >= entry.name.index);
        copies.map(|entry| (self.id(entry.name), entry)).filter(|&(id, _)| Some(id) > source).min_by_key(|&(id, _)| id)
    }

    /// What `entry` depends on, but for its source.
    fn predecessors(&self, entry: &Entry) -> impl Iterator<Item = Name> {
        let Name { thread, index } = entry.name;
        let previous = (index > 1).then(|| Name { thread, index: index - 1 });
        previous.into_iter().chain(entry.after.into_iter().flatten())
    }

    fn id(&self, name: Name) -> EventId {
        self.view.event(name).expect("a copy was executed")
    }
}
