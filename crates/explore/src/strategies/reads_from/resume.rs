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
//! A witness may have events that are not of the schedule, either, which have nothing to do with other threads
//! (`direct_witness.rs`). They stay where they are; they are left out if others are kept, with which they might.

use super::linearization::{Linearization, Name, Source};
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
    /// What was written last in the beginning, if that has been looked up.
    last: Option<Source>,
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
    /// Makes `witness`, which is one of `trace`, an execution of it that has more in common with `last`; how much.
    pub(super) fn resume(
        &mut self,
        last: &Trace,
        units: &Units,
        trace: &Linearization,
        witness: &mut Vec<Step>,
    ) -> usize {
        let common = last.steps().zip(&*witness).take_while(|(one, other)| one == *other).count();
        if witness.len() <= common + 1 || last.len() == common {
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
                    let is_same = trace.entry(moved as usize).choice == step.choice;
                    let may_move =
                        is_same && (position == Some(moved) || self.may_move(last, trace, at, moved as usize));
                    if !may_move {
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
    fn may_come(&mut self, last: &Trace, units: &Units, trace: &Linearization, id: EventId) -> bool {
        let may_come = |this: &mut Self, visit: &Visit| {
            let unit = units.of(&visit.access);
            let Some(of_unit) = this.units.get_mut(unit.index()).filter(|of_unit| of_unit.accesses > 0) else {
                return true;
            };
            if units.is_ordered(&visit.access) || units.is_sum(unit) {
                return false;
            }
            let before = *of_unit.last.get_or_insert_with(|| last_write(last, trace, unit, id.index()));
            let readers = of_unit.initial_readers;
            !visit.class.changes() || readers_of(&this.readers, trace, before, readers) == 0
        };
        if last.event(id).choices > 1 || !last.visits(id).iter().all(|visit| may_come(self, visit)) {
            return false;
        }
        for visit in last.visits(id).iter().filter(|visit| visit.class.changes()) {
            let of_unit = self.units.get_mut(units.of(&visit.access).index());
            if let Some(of_unit) = of_unit.filter(|of_unit| of_unit.accesses > 0) {
                let Event { step, index, .. } = last.event(id);
                of_unit.last = Some(Source::Event(Name { thread: step.thread, index: *index }));
            }
        }
        true
    }

    /// Whether the event at `moved`, which the last execution has at `at`, may come before the rest.
    fn may_move(&mut self, last: &Trace, trace: &Linearization, at: usize, moved: usize) -> bool {
        let entry = trace.entry(moved);
        if entry.sum.is_some() {
            return false;
        }
        let Some(unit) = entry.unit else { return true };
        let before = *self.units[unit.index()].last.get_or_insert_with(|| last_write(last, trace, unit, at));
        if entry.reads() && entry.source != before {
            return false;
        }
        if !entry.writes {
            return true;
        }
        let of_unit = &mut self.units[unit.index()];
        while of_unit.writes.get(of_unit.gone).is_some_and(|&write| self.places[write as usize] == Place::Common) {
            of_unit.gone += 1;
        }
        let readers = readers_of(&self.readers, trace, before, of_unit.initial_readers);
        let is_first = of_unit.writes.get(of_unit.gone) == Some(&(moved as u32));
        readers == u32::from(entry.reads()) && (is_first || self.readers[moved] == 0)
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
        if entry.writes {
            of_unit.last = Some(Source::Event(entry.name));
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
            let OfUnit { last, initial_readers, accesses, writes, gone } = &mut self.units[unit.index()];
            (*last, *initial_readers, *accesses, *gone) = (None, 0, 0, 0);
            writes.clear();
        }
    }
}

/// How many of the rest read from `source`, of which so many find nothing written.
fn readers_of(readers: &[u32], trace: &Linearization, source: Source, initial: u32) -> u32 {
    match source {
        Source::Event(Name { thread, index }) => {
            let position = trace.positions_of(thread).get(index as usize - 1);
            position.map_or(0, |&position| readers[position as usize])
        }
        _ => initial,
    }
}

/// Who wrote `unit` last among the first `at` events of an execution, which are all in `trace`.
fn last_write(last: &Trace, trace: &Linearization, unit: Unit, at: usize) -> Source {
    let event = |&write: &u32| {
        let Name { thread, index } = trace.entry(write as usize).name;
        last.events_of(thread).get(index as usize - 1).copied().filter(|event| event.index() < at)
    };
    let of_thread = |&thread: &ThreadId| {
        let writers = trace.writers_of(unit, thread);
        let known = writers.partition_point(|write| event(write).is_some());
        known.checked_sub(1).and_then(|last| event(&writers[last]))
    };
    let write: Option<EventId> = trace.changing(unit).iter().filter_map(of_thread).max();
    write.map_or(Source::Initial, |id| {
        let event = last.event(id);
        Source::Event(Name { thread: event.step.thread, index: event.index })
    })
}
