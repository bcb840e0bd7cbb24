//! Which execution of a schedule: one that has a long beginning in common with the last execution, which need not be taken
//! again.
//!
//! Deviation from OOPSLA 2019, which executes the witness as it was found. That was when the schedule was, and other
//! schedules were explored since, so that the last execution may have the same events in another order.
//!
//! Let `K` be what the two have in common, and `R` the rest of the witness. As long as that is so, the next event `e` of
//! the last execution is moved from `R` to the end of `K`. Nothing is to be shown if it is the first of `R`. Otherwise `e`
//! is an event of the witness because it finds its source after `K`; what it depends on is in `K`, because the last
//! execution has it there. And the others of `R` still find their sources:
//!
//! - Those whose sources are in `R`, and not `e`: nothing has come in between.
//! - Those whose sources are in `K`: there was no write in between in `K`, as they found them, and `e` is none. So if `e`
//!   writes, nothing else of `R` may read what was written last in `K`.
//! - Those that read from `e`: between `e` and them, what is written by events of `R` before `e` has come in. So if there are
//!   readers of `e`, it has to be the first write to its unit in `R`.
//!
//! Events of the last execution that are not of the schedule are kept, too, as long as the others find their sources. They
//! are choices then, and what they find is as good as anything else to begin with: for Algorithm 1 it does not matter which
//! of its sources a read has in the first execution that has it. (What is to be shown is that it is given a source `s`
//! somewhere. There is an execution in which it comes right before `s`. If what it finds there was written by an event that was
//! there before the choice, that source is tried at once; if not, by an event with less that it depends on than `s`.) On
//! ordered units and sums it does matter that the source is the last write of all that came before the choice: there only
//! such events are kept as nothing of the rest has to do with.
//!
//! A use of what may end (`life.rs`) is moved or kept only where it is alive: nothing but an end notices that. An end is neither.
//!
//! What changes a member of an ordered unit is not moved, and what touches one is not kept if the rest reads that member:
//! others may have read from it than read from what the unit was changed by last (`super::unit`).
//!
//! A witness may have events that are not of the schedule, either, which have nothing to do with other threads
//! (`direct_witness.rs`). They stay where they are; they are left out if others are kept, with which they might.

use super::life::is_end;
use super::linearization::{Entry, Linearization, Name, Source};
use super::unit::{Unit, Units};
use crate::ids::EventId;
use crate::trace::{Event, Trace};
use everyway_runtime::{Step, ThreadId, Visit};

/// Where an event of the trace is in the witness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// In the beginning that is common.
    #[default]
    Common,
    /// In the rest.
    Rest,
}

/// What is known of a unit.
#[derive(Debug, Default)]
struct OfUnit {
    /// How many of the rest find nothing written.
    initial_readers: u32,
    /// How many of the rest access it.
    accesses: u32,
    /// Those who write it, in the order of the rest; the first so many are not in the rest any more.
    writes: Vec<u32>,
    gone: usize,
}

/// Looks for executions. Kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Resumption {
    /// The rest of the witness, with positions in the trace if they are events of it.
    rest: Vec<(Step, Option<u32>)>,
    /// How many at its start are not in the rest any more.
    gone: usize,
    /// Whether events that are not of the schedule have come to the beginning from the last execution. Then those of the
    /// witness are left out: they may have something to do with each other.
    is_mixed: bool,
    /// By position in the trace.
    places: Vec<Place>,
    /// By position in the trace, how many of the rest read from it.
    readers: Vec<u32>,
    units: Vec<OfUnit>,
    used: Vec<Unit>,
    /// By thread, how many of its events are in the beginning.
    done: Vec<u32>,
}

impl Resumption {
    /// Makes `witness`, which is one of `trace` and begins with `common` steps of `last`, an execution of it that has more in
    /// common with `last`; how much.
    pub(super) fn resume(
        &mut self,
        last: &Trace,
        units: &Units,
        trace: &Linearization,
        witness: &mut Vec<Step>,
        common: usize,
    ) -> usize {
        if witness.len() <= common + 1 || last.len() == common || !may_go_on(last, units, trace, common) {
            return common;
        }
        self.begin(last, trace, witness, common);
        let kept = self.keep(last, units, trace, common);
        if kept > common {
            witness.clear();
            witness.extend(last.steps().take(kept));
            let rest = self.rest[self.gone..].iter().filter(|rest| !self.is_gone(rest));
            witness.extend(rest.map(|&(step, _)| step));
        }
        self.clear();
        kept
    }

    /// Takes note of the rest of the witness, after the first `common` steps.
    fn begin(&mut self, last: &Trace, trace: &Linearization, witness: &[Step], common: usize) {
        self.places.resize(trace.len(), Place::Common);
        self.readers.resize(trace.len(), 0);
        let before = |thread| {
            let events = last.events_of(ThreadId::new(thread));
            events.partition_point(|event| event.index() < common) as u32
        };
        self.done.extend((0..trace.threads()).map(before));
        let mut next = self.done.clone();
        for &step in &witness[common..] {
            let index = &mut next[step.thread.index()];
            let position = trace.positions_of(step.thread).get(*index as usize).copied();
            *index += 1;
            self.rest.push((step, position));
            if let Some(position) = position {
                self.places[position as usize] = Place::Rest;
                self.note(trace, position as usize);
            }
        }
    }

    /// Whether something of the rest has been moved to the beginning.
    fn is_gone(&self, &(_, position): &(Step, Option<u32>)) -> bool {
        position.map_or(self.is_mixed, |position| self.places[position as usize] == Place::Common)
    }

    fn note(&mut self, trace: &Linearization, position: usize) {
        let entry = trace.entry(position);
        let Some(unit) = entry.unit.or(entry.sum) else { return };
        if self.units.len() <= unit.index() {
            self.units.resize_with(unit.index() + 1, OfUnit::default);
        }
        self.used.push(unit);
        let of_unit = &mut self.units[unit.index()];
        of_unit.accesses += 1;
        match entry.source {
            Source::Initial => of_unit.initial_readers += 1,
            Source::Event(source) => self.readers[trace.position(source)] += 1,
            Source::Nowhere | Source::Adds => {}
        }
        if entry.writes {
            of_unit.writes.push(position as u32);
        }
    }

    /// Moves events from the rest to the beginning, which has the first `common` events of the last execution; how long it
    /// is then.
    fn keep(&mut self, last: &Trace, units: &Units, trace: &Linearization, common: usize) -> usize {
        for (at, step) in last.steps().enumerate().skip(common) {
            while self.rest.get(self.gone).is_some_and(|rest| self.is_gone(rest)) {
                self.gone += 1;
            }
            let Some(&(next, position)) = self.rest.get(self.gone) else { return at };
            let Some(&done) = self.done.get(step.thread.index()) else { return at };
            match trace.positions_of(step.thread).get(done as usize) {
                Some(&moved) => {
                    let is_next = position == Some(moved) && next == step;
                    if !is_next && !self.may_move(last, units, trace, (moved as usize, EventId::new(at))) {
                        return at;
                    }
                    self.take(trace, moved as usize);
                }
                None if position.is_none() && next == step => self.gone += 1,
                None if self.may_come(last, units, trace, EventId::new(at)) => self.is_mixed = true,
                None => return at,
            }
            self.done[step.thread.index()] += 1;
        }
        last.len()
    }

    /// Whether the event `id` of the last execution, which is not of the schedule, may come before the rest.
    fn may_come(&self, last: &Trace, units: &Units, trace: &Linearization, id: EventId) -> bool {
        let may_come = |visit: &Visit| {
            if is_end(&visit.access) || is_over(units, visit, id) {
                return false;
            }
            let is_used = |unit: Unit| self.units.get(unit.index()).is_some_and(|of_unit| of_unit.accesses > 0);
            if units.member(&visit.access).is_some_and(is_used) {
                return false;
            }
            let unit = units.of(&visit.access);
            let Some(of_unit) = self.units.get(unit.index()).filter(|of_unit| of_unit.accesses > 0) else {
                return true;
            };
            if units.is_ordered(&visit.access) || units.is_sum(unit) {
                return false;
            }
            !visit.class.changes() || self.readers_of(trace, source(last, units, unit, id), of_unit) == 0
        };
        last.event(id).choices == 1 && last.visits(id).iter().all(may_come)
    }

    /// Whether the event at `moved`, which is `id` in the last execution, may come before the rest.
    fn may_move(&mut self, last: &Trace, units: &Units, trace: &Linearization, (moved, id): (usize, EventId)) -> bool {
        let entry = trace.entry(moved);
        let Some(before) = source_of(last, units, entry, id) else { return false };
        if !entry.writes {
            return true;
        }
        let Some(unit) = entry.unit else { return true };
        if entry.members.is_some() {
            return false;
        }
        let of_unit = &mut self.units[unit.index()];
        while of_unit.writes.get(of_unit.gone).is_some_and(|&write| self.places[write as usize] == Place::Common) {
            of_unit.gone += 1;
        }
        let of_unit = &self.units[unit.index()];
        let is_first = of_unit.writes.get(of_unit.gone) == Some(&(moved as u32));
        self.readers_of(trace, before, of_unit) == u32::from(entry.reads()) && (is_first || self.readers[moved] == 0)
    }

    /// How many of the rest read from `source`, which is about this unit.
    fn readers_of(&self, trace: &Linearization, source: Source, of_unit: &OfUnit) -> u32 {
        match source {
            Source::Event(Name { thread, index }) => {
                let position = trace.positions_of(thread).get(index as usize - 1);
                position.map_or(0, |&position| self.readers[position as usize])
            }
            _ => of_unit.initial_readers,
        }
    }

    /// Moves the event at `position` to the beginning.
    fn take(&mut self, trace: &Linearization, position: usize) {
        let entry = trace.entry(position);
        self.places[position] = Place::Common;
        let Some(unit) = entry.unit.or(entry.sum) else { return };
        let of_unit = &mut self.units[unit.index()];
        of_unit.accesses -= 1;
        match entry.source {
            Source::Initial => of_unit.initial_readers -= 1,
            Source::Event(source) => self.readers[trace.position(source)] -= 1,
            Source::Nowhere | Source::Adds => {}
        }
    }

    fn clear(&mut self) {
        self.rest.clear();
        self.gone = 0;
        self.is_mixed = false;
        self.places.clear();
        self.readers.clear();
        self.done.clear();
        for unit in self.used.drain(..) {
            let OfUnit { initial_readers, accesses, writes, gone } = &mut self.units[unit.index()];
            (*initial_readers, *accesses, *gone) = (0, 0, 0);
            writes.clear();
        }
    }
}

/// Whether the event of `last` after the first `common` ones, which are those of an execution of `trace`, may come next, as
/// far as that can be told at once.
fn may_go_on(last: &Trace, units: &Units, trace: &Linearization, common: usize) -> bool {
    let id = EventId::new(common);
    let Event { step, index, .. } = last.event(id);
    let Some(positions) = trace.positions(step.thread) else { return false };
    let is_common =
        |target: &Entry| last.nth_event_of(target.name.thread, target.name.index).is_some_and(|id| id.index() < common);
    let Some(&position) = positions.get(*index as usize - 1) else { return true };
    let entry = trace.entry(position as usize);
    let Some(before) = source_of(last, units, entry, id) else { return false };
    // Mostly what comes last in the witness reads what the event would overwrite.
    let target = trace.entries().last().filter(|target| target.name != entry.name && target.unit == entry.unit);
    !target.is_some_and(|target| entry.writes && target.reads() && target.source == before && !is_common(target))
}

/// What the unit of `entry` was written by last before `id`, if that is the source of `entry`; nothing if it is not, or the
/// order of both may matter otherwise. That is what the event `id` found, if it is the same.
fn source_of(last: &Trace, units: &Units, entry: &Entry, id: EventId) -> Option<Source> {
    if entry.sum.is_some() || entry.choice != last.event(id).step.choice {
        return None;
    }
    if entry.is_dead() || entry.role.ended().is_some() || last.visits(id).iter().any(|visit| is_over(units, visit, id))
    {
        return None;
    }
    let Some(unit) = entry.unit else { return Some(Source::Nowhere) };
    last.visits(id).iter().find(|visit| units.is_of(&visit.access, unit))?;
    let before = source(last, units, unit, id);
    (!entry.reads() || entry.source == before).then_some(before)
}

/// Whether what `visit`, of the event `id`, is to had ended before.
fn is_over(units: &Units, visit: &Visit, id: EventId) -> bool {
    let lives = units.lives();
    !lives.is_empty() && lives.of(visit.access.location).is_some_and(|life| lives.is_over(life, id))
}

/// What `unit` was written by last, before `id`.
fn source(last: &Trace, units: &Units, unit: Unit, id: EventId) -> Source {
    units.last_writer(last, unit, id.index()).map_or(Source::Initial, |write| {
        let event = last.event(write);
        Source::Event(Name { thread: event.step.thread, index: event.index })
    })
}
