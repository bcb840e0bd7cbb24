//! Witnesses that need no search: the last execution without what a schedule leaves out, and with what it alters put in
//! a likely place.
//!
//! Deviation from OOPSLA 2019: this comes before the three phases of GetWitness, and mostly spares them. A schedule's
//! copies are events of the last execution, and the source of each is a copy as well. So if everything else is left out
//! of that execution, every copy still finds what it found: its source is there, and nothing has come in between. The
//! altered events are put behind the source of the first one, before the next copy that writes the same unit, together
//! with all that they depend on and that was executed later. Whether everybody then finds what they are to find is
//! looked up; if not, nothing is said, and the paper's procedure decides.

use super::draft::{Cut, Draft};
use super::linearization::{Entry, Linearization, Name, Source};
use super::unit::Unit;
use super::view::View;
use crate::ids::EventId;
use everyway_runtime::{Step, ThreadId};
use smallvec::SmallVec;

/// Runs through executions, to see what is found. Kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Rehearsal {
    /// By unit, who wrote it last.
    last: Vec<Source>,
    written: Vec<Unit>,
    steps: Vec<Step>,
}

impl Rehearsal {
    /// An execution of all that comes before the draft, and the draft. `trace` is the trace of the execution in `view`.
    pub(super) fn try_out(&mut self, view: &View<'_>, trace: &Linearization, draft: &Draft) -> Option<Vec<Step>> {
        let past = past(trace, draft);
        let place = match next_write(view, trace, draft) {
            Some((next, entry)) if is_worth_trying(view, draft, &past, next, entry) => next,
            Some(_) => return None,
            None => EventId::new(view.trace.len()),
        };
        self.steps.clear();
        let is_right = self.run(view, trace, draft, (&past, place.index()));
        for unit in self.written.drain(..) {
            self.last[unit.index()] = Source::Initial;
        }
        is_right.then(|| self.steps.clone())
    }

    fn run(&mut self, view: &View<'_>, trace: &Linearization, draft: &Draft, (past, place): (&Cut, usize)) -> bool {
        let copies = |start: usize, end: usize| {
            let names = (start..end).map(|id| view.name(EventId::new(id)));
            names.filter(|name| draft.cut[name.thread.index()] >= name.index)
        };
        let is_needed = |name: &Name| past[name.thread.index()] >= name.index;
        let entry = |name: Name| trace.entry(trace.position(name));
        copies(0, place).all(|name| self.finds(entry(name)))
            && copies(place, view.trace.len()).filter(is_needed).all(|name| self.finds(entry(name)))
            && draft.altered.iter().all(|altered| self.finds(altered))
            && copies(place, view.trace.len()).filter(|name| !is_needed(name)).all(|name| self.finds(entry(name)))
    }

    /// Executes an event; whether it finds what it is to find.
    fn finds(&mut self, entry: &Entry) -> bool {
        self.steps.push(Step { thread: entry.name.thread, choice: entry.choice });
        let Some(unit) = entry.unit else { return true };
        if self.last.len() <= unit.index() {
            self.last.resize(unit.index() + 1, Source::Initial);
        }
        if entry.reads() && self.last[unit.index()] != entry.source {
            return false;
        }
        if entry.writes {
            self.last[unit.index()] = Source::Event(entry.name);
            self.written.push(unit);
        }
        true
    }
}

/// What the altered events depend on, but for their sources.
fn past(trace: &Linearization, draft: &Draft) -> Cut {
    let mut past: Cut = SmallVec::from_elem(0, trace.threads());
    draft.altered.iter().for_each(|entry| trace.join_predecessors(entry, &mut past));
    past
}

/// The first copy after the source of the first altered event that writes the same unit.
fn next_write<'a>(view: &View<'_>, trace: &'a Linearization, draft: &Draft) -> Option<(EventId, &'a Entry)> {
    let first = draft.altered.first()?;
    let source = match first.source {
        Source::Nowhere => return None,
        Source::Initial => None,
        Source::Event(name) => view.event(name),
    };
    let writers = trace.writers(first.unit?).iter().map(|&position| trace.entry(position as usize));
    let copies = writers.filter(|entry| draft.cut[entry.name.thread.index()] >= entry.name.index);
    let later = copies.filter_map(|entry| Some((view.event(entry.name)?, entry))).filter(|&(id, _)| Some(id) > source);
    later.min_by_key(|&(id, _)| id)
}

/// Whether the altered events may find a place before the copy `next`. Not if they write and it looks at what was there;
/// and on ordered units, where one has to come after the other anyway, hardly if something that they depend on has to
/// be moved before it.
fn is_worth_trying(view: &View<'_>, draft: &Draft, past: &Cut, next: EventId, entry: &Entry) -> bool {
    let is_noticed = entry.reads() && draft.altered.iter().any(|altered| altered.writes);
    let is_behind = |(thread, &count): (usize, &u32)| {
        let last = (count > 0).then(|| Name { thread: ThreadId::new(thread), index: count });
        last.and_then(|last| view.event(last)) >= Some(next)
    };
    !(is_noticed || entry.is_ordered && past.iter().enumerate().any(is_behind))
}
