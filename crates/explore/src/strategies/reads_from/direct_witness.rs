//! Witnesses that need no search: the last execution without what a schedule leaves out, and with what it alters put in
//! a likely place.
//!
//! Deviation from OOPSLA 2019: this comes before the three phases of GetWitness, and mostly spares them. A schedule's
//! copies are events of the last execution, and the source of each is a copy as well. So if everything else is left out
//! of that execution, every copy still finds what it found: its source is there, and nothing has come in between. The
//! altered events are put behind the source of the first one, before the next copy that writes the same unit, together
//! with all that they depend on and that was executed later. Whether every event then finds what it is to find is
//! looked up; if not, nothing is said, and the paper's procedure decides.

use super::candidate::{Candidate, Cut};
use super::linearization::{Entry, Linearization, Name, Source};
use super::sum;
use super::unit::Unit;
use super::view::View;
use crate::happens_before::join;
use crate::ids::EventId;
use everyway_runtime::{Step, ThreadId};
use smallvec::SmallVec;

/// Runs through executions, to see what is found. Kept for its memory.
#[derive(Debug, Default)]
pub(super) struct DirectWitness {
    /// By unit, who wrote it last.
    last: Vec<Source>,
    written: Vec<Unit>,
    /// By sum and thread, the last add.
    added: Vec<Vec<u32>>,
    summed: Vec<Unit>,
    steps: Vec<Step>,
}

impl DirectWitness {
    /// An execution of all that comes before the candidate, and the candidate. `trace` is the trace of the execution in `view`.
    pub(super) fn try_out(
        &mut self,
        view: &View<'_>,
        trace: &Linearization,
        candidate: &Candidate,
    ) -> Option<Vec<Step>> {
        let past = past(trace, candidate);
        let place = match next_write(view, trace, candidate) {
            Some((next, entry)) if is_worth_trying(view, candidate, &past, next, entry) => next,
            Some(_) => return None,
            None => EventId::new(view.trace.len()),
        };
        self.steps.clear();
        let is_right = self.run(view, trace, candidate, (&past, place.index()));
        for unit in self.written.drain(..) {
            self.last[unit.index()] = Source::Initial;
        }
        for sum in self.summed.drain(..) {
            self.added[sum.index()].fill(0);
        }
        is_right.then(|| self.steps.clone())
    }

    fn run(
        &mut self,
        view: &View<'_>,
        trace: &Linearization,
        candidate: &Candidate,
        (past, place): (&Cut, usize),
    ) -> bool {
        let copies = |start: usize, end: usize| {
            let names = (start..end).map(|id| view.name(EventId::new(id)));
            names.filter(|name| candidate.cut[name.thread.index()] >= name.index)
        };
        let is_needed = |name: &Name| past[name.thread.index()] >= name.index;
        let entry = |name: Name| trace.entry(trace.position(name));
        copies(0, place).all(|name| self.finds(entry(name)))
            && copies(place, view.trace.len()).filter(is_needed).all(|name| self.finds(entry(name)))
            && candidate.altered.iter().all(|altered| self.finds(altered))
            && copies(place, view.trace.len()).filter(|name| !is_needed(name)).all(|name| self.finds(entry(name)))
    }

    /// Executes an event; whether it finds what it is to find.
    fn finds(&mut self, entry: &Entry) -> bool {
        self.steps.push(Step { thread: entry.name.thread, choice: entry.choice });
        if let Some(sum) = entry.sum {
            return self.finds_sum(sum, entry);
        }
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

impl DirectWitness {
    /// Executes an event that adds to a sum, or reads it.
    fn finds_sum(&mut self, sum: Unit, entry: &Entry) -> bool {
        if self.added.len() <= sum.index() {
            self.added.resize_with(sum.index() + 1, Vec::new);
        }
        let added = &mut self.added[sum.index()];
        if let Some(seen) = &entry.seen {
            // Either may be longer, by threads that have not added anything.
            let at = |clock: &[u32], thread: usize| clock.get(thread).copied().unwrap_or(0);
            return (0..seen.len().max(added.len())).all(|thread| at(added, thread) == at(seen, thread));
        }
        let thread = entry.name.thread.index();
        added.resize(added.len().max(thread + 1), 0);
        added[thread] = entry.name.index;
        self.summed.push(sum);
        true
    }
}

/// What the altered events depend on, but for their sources, unless these are sums.
fn past(trace: &Linearization, candidate: &Candidate) -> Cut {
    let mut past: Cut = SmallVec::from_elem(0, trace.threads());
    candidate.altered.iter().for_each(|entry| trace.join_predecessors(entry, &mut past));
    for add in candidate.altered.iter().flat_map(|entry| &entry.seen).flat_map(|seen| sum::names(seen)) {
        join(&mut past, trace.clock(trace.position(add)));
    }
    past
}

/// The first copy after the source of the first altered event that writes the same unit.
fn next_write<'a>(view: &View<'_>, trace: &'a Linearization, candidate: &Candidate) -> Option<(EventId, &'a Entry)> {
    let first = candidate.altered.first()?;
    let source = match first.source {
        Source::Nowhere => return None,
        Source::Adds => return next_add(view, trace, candidate, first),
        Source::Initial => None,
        Source::Event(name) => view.event(name),
    };
    let writers = trace.writers(first.unit?).iter().map(|&position| trace.entry(position as usize));
    let copies = writers.filter(|entry| candidate.cut[entry.name.thread.index()] >= entry.name.index);
    let later = copies.filter_map(|entry| Some((view.event(entry.name)?, entry))).filter(|&(id, _)| Some(id) > source);
    later.min_by_key(|&(id, _)| id)
}

/// The first copy that adds to what `read` reads, and that it has not seen.
fn next_add<'a>(
    view: &View<'_>,
    trace: &'a Linearization,
    candidate: &Candidate,
    read: &Entry,
) -> Option<(EventId, &'a Entry)> {
    let (sum, seen) = (read.sum?, read.seen.as_ref()?);
    let next = (0..trace.threads()).filter_map(|thread| trace.next_add(sum, thread, seen));
    let copies = next.filter(|name| candidate.cut[name.thread.index()] >= name.index);
    let first = copies.filter_map(|name| Some((view.event(name)?, name))).min_by_key(|&(id, _)| id)?;
    Some((first.0, trace.entry(trace.position(first.1))))
}

/// Whether the altered events may find a place before the copy `next`. Not if they write and it looks at what was there;
/// and on ordered units, where one has to come after the other anyway, hardly if something that they depend on has to
/// be moved before it.
fn is_worth_trying(view: &View<'_>, candidate: &Candidate, past: &Cut, next: EventId, entry: &Entry) -> bool {
    let is_noticed = entry.reads() && candidate.altered.iter().any(|altered| altered.writes);
    let is_behind = |(thread, &count): (usize, &u32)| {
        let last = (count > 0).then(|| Name { thread: ThreadId::new(thread), index: count });
        last.and_then(|last| view.event(last)) >= Some(next)
    };
    !(is_noticed || entry.is_ordered && past.iter().enumerate().any(is_behind))
}
