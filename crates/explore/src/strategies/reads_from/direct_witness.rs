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
    /// By unit, who wrote it last, if that is known.
    last: Vec<Option<Source>>,
    known: Vec<Unit>,
    /// By sum and thread, the last add; nothing if that is not known.
    added: Vec<Vec<u32>>,
    summed: Vec<Unit>,
    steps: Vec<Step>,
}

/// What an execution is made of.
#[derive(Clone, Copy)]
struct Ingredients<'a> {
    view: &'a View<'a>,
    trace: &'a Linearization,
    candidate: &'a Candidate,
    /// So many events come first, as they did: they find what they found.
    kept: usize,
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
            Some((next, entry)) if is_worth_trying(view, candidate, &past, next, entry) => next.index(),
            Some(_) => return None,
            None => view.trace.len(),
        };
        let kept = first_left_out(view, trace, candidate).min(place);
        self.steps.clear();
        self.steps.extend(view.trace.steps().take(kept));
        let is_right = self.run(Ingredients { view, trace, candidate, kept }, &past, place);
        for unit in self.known.drain(..) {
            self.last[unit.index()] = None;
        }
        for sum in self.summed.drain(..) {
            self.added[sum.index()].clear();
        }
        is_right.then(|| self.steps.clone())
    }

    fn run(&mut self, of: Ingredients<'_>, past: &Cut, place: usize) -> bool {
        let Ingredients { view, trace, candidate, kept } = of;
        let copies = |start: usize, end: usize| {
            let names = (start..end).map(|id| view.name(EventId::new(id)));
            names.filter(|name| candidate.cut[name.thread.index()] >= name.index)
        };
        let is_needed = |name: &Name| past[name.thread.index()] >= name.index;
        let entry = |name: Name| trace.entry(trace.position(name));
        copies(kept, place).all(|name| self.finds(of, entry(name)))
            && copies(place, view.trace.len()).filter(is_needed).all(|name| self.finds(of, entry(name)))
            && candidate.altered.iter().all(|altered| self.finds(of, altered))
            && copies(place, view.trace.len()).filter(|name| !is_needed(name)).all(|name| self.finds(of, entry(name)))
    }

    /// Executes an event; whether it finds what it is to find.
    fn finds(&mut self, of: Ingredients<'_>, entry: &Entry) -> bool {
        self.steps.push(Step { thread: entry.name.thread, choice: entry.choice });
        if let Some(sum) = entry.sum {
            return self.finds_sum(of, sum, entry);
        }
        let Some(unit) = entry.unit else { return true };
        if self.last.len() <= unit.index() {
            self.last.resize(unit.index() + 1, None);
        }
        if self.last[unit.index()].is_none() {
            self.known.push(unit);
        }
        if entry.reads() {
            let last = *self.last[unit.index()].get_or_insert_with(|| of.last_write(unit));
            if last != entry.source {
                return false;
            }
        }
        if entry.writes {
            self.last[unit.index()] = Some(Source::Event(entry.name));
        }
        true
    }

    /// Executes an event that adds to a sum, or reads it.
    fn finds_sum(&mut self, of: Ingredients<'_>, sum: Unit, entry: &Entry) -> bool {
        if self.added.len() <= sum.index() {
            self.added.resize_with(sum.index() + 1, Vec::new);
        }
        let added = &mut self.added[sum.index()];
        if added.is_empty() {
            let is_kept = |name| of.view.event(name).is_some_and(|event| event.index() < of.kept);
            added.extend_from_slice(&of.trace.seen(sum, is_kept));
            self.summed.push(sum);
        }
        if let Some(seen) = &entry.seen {
            // Either may be longer, by threads that have not added anything.
            let at = |clock: &[u32], thread: usize| clock.get(thread).copied().unwrap_or(0);
            return (0..seen.len().max(added.len())).all(|thread| at(added, thread) == at(seen, thread));
        }
        let thread = entry.name.thread.index();
        added.resize(added.len().max(thread + 1), 0);
        added[thread] = entry.name.index;
        true
    }
}

impl Ingredients<'_> {
    /// Who wrote `unit` last among the events that are kept.
    fn last_write(&self, unit: Unit) -> Source {
        let last = |thread: usize| {
            let writers = self.trace.writers_of(unit, thread);
            let event = |&write: &u32| self.view.event(self.trace.entry(write as usize).name);
            let is_kept = |write: &u32| event(write).is_some_and(|event| event.index() < self.kept);
            let last = writers.partition_point(is_kept).checked_sub(1)?;
            event(&writers[last])
        };
        let last = (0..self.trace.writing_threads(unit)).filter_map(last).max();
        last.map_or(Source::Initial, |event| Source::Event(self.view.name(event)))
    }
}

/// The first event of the execution that is no copy of the candidate's.
fn first_left_out(view: &View<'_>, trace: &Linearization, candidate: &Candidate) -> usize {
    let next = |(thread, &count): (usize, &u32)| {
        let thread = ThreadId::new(thread);
        let is_there = trace.positions_of(thread).len() as u32 > count;
        is_there.then(|| view.event(Name { thread, index: count + 1 })).flatten()
    };
    let first = candidate.cut.iter().enumerate().filter_map(next).min();
    first.map_or(view.trace.len(), EventId::index)
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
