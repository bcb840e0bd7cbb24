//! Witnesses that need no search: the last execution without what a schedule leaves out, and with what has to come after the
//! altered events put behind them.
//!
//! Deviation from OOPSLA 2019: this comes before the three phases of GetWitness, and mostly spares them. A schedule's
//! copies are events of the last execution, and the source of each is a copy as well. So if everything else is left out
//! of that execution, every copy still finds what it found: its source is there, and nothing has come in between. Then
//! the copies that have to come after the altered events are *delayed*; the altered events come when all others have been
//! executed. Let `n` be the first copy after the source of the first altered event that writes the same unit. Delayed are
//! `n`, what depends on a delayed event, and what writes a unit that a delayed event before it has accessed.
//!
//! - What is not delayed still finds what it found: its source is not delayed, because it depends on it.
//! - What is delayed does, too. If its source is delayed as well, nothing comes in between that did not. If not, there
//!   is no write between the two that was after the delayed event, for that would be delayed, and none that was before the
//!   source, for then the source would be.
//! - So does the first altered event, unless it depends on a delayed one: then nothing is said (but see `late_source.rs`), and
//!   the paper's procedure decides. All copies that write the unit after its source are delayed. A second one reads from the first.
//! - The delayed events notice that the altered ones write only if `n` looks at what was there. Then there is no such
//!   execution.
//!
//! For a sum, all that is added and is not to be seen takes the place of `n`; what is added does not come in between others,
//! but for those that read.
//!
//! An end (`super::life`) is delayed if an event that comes before it is: an altered event that is alive, or a delayed one.
//!
//! That things are delayed, and not the altered events moved ahead, is what optimal DPOR does (`notdep(e, E)`, JACM): where
//! the next executions differ is at the end. For the same reason, events of the last execution that are no copies come
//! before the altered ones if nothing else will be done with them: if they access what no other thread does, and do not depend
//! on what is altered, delayed, or left out. They could as well come after the schedule, where an execution goes on as it
//! likes; it is the same execution, but for the order of events that are independent of each other.

use super::candidate::{Candidate, Cut};
use super::life::{Life, Role};
use super::linearization::{Entry, Linearization, Name, Source};
use super::sum;
use super::unit::Unit;
use super::view::View;
use crate::happens_before::join;
use crate::ids::EventId;
use everyway_runtime::{Step, ThreadId};
use smallvec::SmallVec;

/// Makes executions. Kept for its memory.
#[derive(Debug, Default)]
pub(super) struct DirectWitness {
    /// By unit, whether a delayed event accesses it; of sums, whether one reads it.
    accessed: Vec<bool>,
    units: Vec<Unit>,
    /// What delayed events use, or altered ones.
    lives: SmallVec<[Life; 2]>,
    /// The threads of events that are not to be executed as they were, and the index of the first of each.
    first: SmallVec<[(ThreadId, u32); 8]>,
    /// The delayed events.
    delayed: Vec<EventId>,
    steps: Vec<Step>,
}

impl DirectWitness {
    /// An execution of all that comes before the candidate, and the candidate, and how many steps at its start are those of the
    /// execution in `view`, at least. `trace` is the trace of that.
    pub(super) fn try_out(
        &mut self,
        view: &View<'_>,
        trace: &Linearization,
        candidate: &Candidate,
    ) -> Option<(Vec<Step>, usize)> {
        let past = past(trace, candidate);
        let next = match next_write(view, trace, candidate) {
            Some((_, entry)) if is_noticed(candidate, entry) || is_known(&past, entry.name) => return None,
            Some((next, _)) => next.index(),
            None => view.trace.len(),
        };
        self.lives.extend(candidate.altered.iter().filter_map(Entry::lives_in));
        let ends = self.lives.iter().filter_map(|&life| view.units.lives().end(life));
        let place = ends.map(EventId::index).min().map_or(next, |end| end.min(next));
        self.delay(view, trace, candidate, (place, next));
        let is_right = !self.first.iter().any(|&(thread, index)| is_known(&past, Name { thread, index }));
        let kept = if is_right { first_left_out(view, trace, candidate).min(place) } else { 0 };
        if is_right {
            self.execute(view, trace, candidate, kept);
        }
        self.units.drain(..).for_each(|unit| self.accessed[unit.index()] = false);
        self.lives.clear();
        self.first.clear();
        self.delayed.clear();
        is_right.then(|| (self.steps.clone(), kept))
    }

    /// Finds the copies from `start` on that are delayed; `next` is, and so is what has to come after the altered events.
    fn delay(&mut self, view: &View<'_>, trace: &Linearization, candidate: &Candidate, (start, next): (usize, usize)) {
        let cut = &candidate.cut[..];
        for id in (start..view.trace.len()).map(EventId::new) {
            let name = view.name(id);
            if cut[name.thread.index()] < name.index {
                continue;
            }
            let position = trace.position(name);
            let entry = trace.entry(position);
            let ends = entry.role.ended().is_some_and(|life| self.lives.contains(&life));
            let comes_after = ends || entry.writes && entry.units().any(|unit| self.is_accessed(unit));
            if id.index() == next || comes_after || self.depends(trace, position) || is_unseen(candidate, entry) {
                self.leave_out(name);
                self.note(entry);
                self.delayed.push(id);
            }
        }
    }

    /// Whether the event at `position` depends on one that is not to be executed as it was.
    fn depends(&self, trace: &Linearization, position: usize) -> bool {
        self.first.iter().any(|&(thread, index)| trace.happens_before(Name { thread, index }, position))
    }

    fn leave_out(&mut self, name: Name) {
        if self.first.iter().all(|&(thread, _)| thread != name.thread) {
            self.first.push((name.thread, name.index));
        }
    }

    fn is_accessed(&self, unit: Unit) -> bool {
        self.accessed.get(unit.index()).is_some_and(|&accessed| accessed)
    }

    fn note(&mut self, entry: &Entry) {
        self.lives.extend(entry.lives_in());
        let Some(unit) = entry.unit.or(entry.sum.filter(|_| entry.reads())) else { return };
        if self.accessed.len() <= unit.index() {
            self.accessed.resize(unit.index() + 1, false);
        }
        self.accessed[unit.index()] = true;
        self.units.push(unit);
    }

    /// Makes the steps: the first `kept`, which are copies, and then the others.
    fn execute(&mut self, view: &View<'_>, trace: &Linearization, candidate: &Candidate, kept: usize) {
        candidate.altered.iter().for_each(|altered| self.leave_out(altered.name));
        self.steps.clear();
        self.steps.extend(view.trace.steps().take(kept));
        let (mut delayed, cut) = (0, &candidate.cut[..]);
        for id in (kept..view.trace.len()).map(EventId::new) {
            if self.delayed.get(delayed) == Some(&id) {
                delayed += 1;
                continue;
            }
            let event = view.trace.event(id);
            let name = Name { thread: event.step.thread, index: event.index };
            if cut[name.thread.index()] >= name.index || self.is_alone(trace, candidate, name, event.choices) {
                self.steps.push(event.step);
            } else {
                self.leave_out(name);
            }
        }
        self.steps.extend(candidate.altered.iter().map(Entry::step));
        self.steps.extend(self.delayed.iter().map(|&id| view.trace.event(id).step));
    }

    /// Whether the event `name`, which is no copy, has nothing to do with other threads. An altered event may be one that
    /// waited at the end, and so is not in the trace.
    fn is_alone(&self, trace: &Linearization, candidate: &Candidate, name: Name, choices: u32) -> bool {
        let position = trace.position(name);
        let entry = trace.entry(position);
        let is_altered = |unit| candidate.altered.iter().any(|altered| altered.units().any(|other| other == unit));
        let is_shared = || entry.units().any(|unit| trace.is_shared(unit) || is_altered(unit));
        choices == 1
            && entry.role == Role::None
            && entry.after[1].is_none()
            && !is_shared()
            && !self.depends(trace, position)
    }
}

/// Whether the event adds to a sum that an altered event reads, without being seen.
fn is_unseen(candidate: &Candidate, add: &Entry) -> bool {
    let Some(sum) = add.sum.filter(|_| add.writes) else { return false };
    candidate.altered.iter().any(|altered| {
        let has_seen = |seen: &sum::Seen| seen.get(add.name.thread.index()).is_some_and(|&seen| seen >= add.name.index);
        altered.sum == Some(sum) && altered.seen.as_ref().is_some_and(|seen| !has_seen(seen))
    })
}

/// The first event of the execution that is no copy of the candidate's.
pub(super) fn first_left_out(view: &View<'_>, trace: &Linearization, candidate: &Candidate) -> usize {
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

/// Whether an event is among those that a past has.
fn is_known(past: &Cut, Name { thread, index }: Name) -> bool {
    past[thread.index()] >= index
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

/// Whether the copy `next` would notice that the altered events come before it.
fn is_noticed(candidate: &Candidate, next: &Entry) -> bool {
    next.reads() && candidate.altered.iter().any(|altered| altered.writes)
}
