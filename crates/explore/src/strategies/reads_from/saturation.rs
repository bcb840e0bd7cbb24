//! Saturation: the order that every execution of a trace has to respect (OOPSLA 2019, Sect. 5.1).
//!
//! [`Saturation`] is the relation `shb` of a set of events, kept as vector clocks. It grows by events and by constraints on
//! their order, and rules R1 and R2 are applied until nothing changes, by a work queue (Sect. 7):
//!
//! - R1. A write that comes before a read comes before the read's source, or is it.
//! - R2. A write that comes after a read's source comes after the read, or is it.
//!
//! It is incremental over a cached prefix: everything is logged, and [`Saturation::truncate`] goes back to the relation of
//! the first so many events. What Sect. 7 calls the reverse pass - the writes that come after the source of a *new*
//! read - is a binary search in each thread here: the events of a thread that come after a given event are the
//! last ones, and forward clocks tell from where on.

mod accessed;
mod lived;
mod summed;

use super::life::Role;
use super::linearization::{Entry, Name, Source};
use super::unit::{Members, Unit};
use crate::packed::Packed;
use accessed::Accesses;
use lived::Lived;
use std::ops::Range;
use summed::Summed;

/// There is no execution: some event would come before itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cyclic;

/// What is known of an event; its position is its id here.
#[derive(Clone, Copy, Debug)]
struct Event {
    name: Name,
    choice: u32,
    unit: Option<Unit>,
    sum: Option<Unit>,
    role: Role,
    source: From,
    writes: bool,
    /// The first of the edges to its successors.
    edge: Packed,
    /// The next one in the list of those that read from the same event, and the first that reads from this one.
    next_reader: Packed,
    first_reader: Packed,
}

/// [`Source`] by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Nowhere,
    Initial,
    Event(u32),
    Adds,
}

/// How much has been logged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    clocks: u32,
    edges: u32,
}

/// A saturated order.
#[derive(Debug, Default)]
pub(super) struct Saturation {
    stride: usize,
    events: Vec<Event>,
    /// By event, the members of its unit that it changes.
    members: Vec<Members>,
    by_thread: Vec<Vec<u32>>,
    clocks: Vec<u32>,
    units: Vec<Accesses>,
    sums: Vec<Summed>,
    lives: Vec<Lived>,
    /// The units that are accessed.
    used: Vec<Unit>,
    /// Edges apart from program order: from, to, and the next one from the same event.
    edges: Vec<(u32, u32, Packed)>,
    /// Changes of clocks: where, and what was there.
    log: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    queue: Vec<u32>,
    queued: Vec<bool>,
}

impl Saturation {
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// Forgets everything, and makes room for this many threads.
    pub(super) fn reset(&mut self, threads: usize) {
        self.truncate(0);
        self.stride = threads;
        self.by_thread.resize_with(threads, Vec::new);
    }

    pub(super) fn threads(&self) -> usize {
        self.stride
    }

    pub(super) fn name(&self, event: u32) -> Name {
        self.events[event as usize].name
    }

    pub(super) fn choice(&self, event: u32) -> u32 {
        self.events[event as usize].choice
    }

    pub(super) fn writes(&self, event: u32) -> bool {
        self.events[event as usize].writes
    }

    pub(super) fn unit(&self, event: u32) -> Option<Unit> {
        self.events[event as usize].unit
    }

    /// What `event` accesses, and the members of that which it changes.
    pub(super) fn units_of(&self, event: u32) -> impl Iterator<Item = Unit> + '_ {
        let members = self.members[event as usize].iter().flat_map(|members| members.iter().copied());
        self.unit(event).into_iter().chain(members)
    }

    /// Whether the source of `event`, if it has one, is among the first `done` events of its thread.
    pub(super) fn source_is_among(&self, event: u32, done: &[u32]) -> bool {
        match self.events[event as usize].source {
            From::Nowhere | From::Initial | From::Adds => true,
            From::Event(source) => {
                let name = self.name(source);
                done[name.thread.index()] >= name.index
            }
        }
    }

    /// The events of a thread, in order.
    pub(super) fn of_thread(&self, thread: usize) -> &[u32] {
        &self.by_thread[thread]
    }

    /// How many events of each thread come before `event`, or are it.
    pub(super) fn clock(&self, event: u32) -> &[u32] {
        &self.clocks[self.slots(event)]
    }

    /// Whether `one` comes before `other`, or is it.
    pub(super) fn precedes(&self, one: u32, other: u32) -> bool {
        let name = self.name(one);
        self.clocks[other as usize * self.stride + name.thread.index()] >= name.index
    }

    /// The units that are accessed.
    pub(super) fn units(&self) -> &[Unit] {
        &self.used
    }

    /// Those who write `unit`, by thread.
    pub(super) fn writers(&self, unit: Unit) -> &[Vec<u32>] {
        &self.units[unit.index()].writers
    }

    /// Whether more than one thread writes `unit`.
    pub(super) fn is_contended(&self, unit: Unit) -> bool {
        self.units[unit.index()].writing.len() > 1
    }

    /// Those who found nothing written in `unit`.
    pub(super) fn initial_readers(&self, unit: Unit) -> &[u32] {
        &self.units[unit.index()].initial_readers
    }

    /// Those who read from `event`.
    pub(super) fn readers(&self, event: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.events[event as usize].first_reader;
        std::iter::successors(first.get(), |&reader| self.events[reader as usize].next_reader.get())
    }

    /// Adds an event, after all that it depends on, and saturates. To do so event by event draws each conclusion in the
    /// order of the events, and mostly once.
    pub(super) fn append(&mut self, entry: &Entry) -> Result<(), Cyclic> {
        self.push(entry)?;
        self.saturate()
    }

    /// Adds an event, after all that it depends on; the order is to be saturated then.
    pub(super) fn push(&mut self, entry: &Entry) -> Result<(), Cyclic> {
        let id = self.events.len() as u32;
        self.marks.push(self.mark());
        let source = match entry.source {
            Source::Nowhere => From::Nowhere,
            Source::Initial => From::Initial,
            Source::Event(name) => From::Event(self.find(name)),
            Source::Adds => From::Adds,
        };
        let event = Event {
            name: entry.name,
            choice: entry.choice,
            unit: entry.unit,
            sum: entry.sum,
            role: entry.role,
            source,
            writes: entry.writes,
            edge: Packed::NONE,
            next_reader: Packed::NONE,
            first_reader: Packed::NONE,
        };
        self.events.push(event);
        self.members.push(entry.members.clone());
        let thread = entry.name.thread.index();
        match self.by_thread[thread].last() {
            Some(&previous) => self.clocks.extend_from_within(self.slots(previous)),
            None => self.clocks.resize(self.clocks.len() + self.stride, 0),
        }
        self.clocks[id as usize * self.stride + thread] = entry.name.index;
        debug_assert_eq!(self.by_thread[thread].len() + 1, entry.name.index as usize);
        self.by_thread[thread].push(id);
        for name in entry.after.into_iter().flatten() {
            let before = self.find(name);
            self.add_edge(before, id);
        }
        if let From::Event(source) = source {
            self.add_edge(source, id);
            if entry.unit.is_some() {
                self.events[id as usize].next_reader = self.events[source as usize].first_reader;
                self.events[source as usize].first_reader = Packed::some(id);
            }
        }
        if let Some(unit) = entry.unit {
            self.file(unit, id);
        }
        for &member in entry.members.iter().flat_map(|members| members.iter()) {
            self.file_write(member, id);
        }
        self.queued.push(false);
        self.enqueue(id);
        if let Some(sum) = entry.sum {
            self.file_in_sum(sum, id, entry.seen.as_ref());
            self.order_in_sum(sum, id, entry.seen.as_ref())?;
        }
        if let Some(life) = entry.lives_in().or(entry.role.ended()) {
            self.file_in_life(life, id);
            self.order_in_life(life, id)?;
        }
        match (entry.unit, source) {
            (Some(unit), From::Initial | From::Event(_)) => self.order_overwriters(id, unit, source),
            _ => Ok(()),
        }
    }

    fn find(&self, name: Name) -> u32 {
        self.by_thread[name.thread.index()][name.index as usize - 1]
    }

    /// Goes back to the order of the first `len` events.
    pub(super) fn truncate(&mut self, len: usize) {
        if self.events.len() <= len {
            return;
        }
        self.undo(self.marks[len]);
        while self.events.len() > len {
            let event = self.events.pop().expect("longer than that");
            let members = self.members.pop().expect("as many");
            self.by_thread[event.name.thread.index()].pop();
            if let (From::Event(source), Some(_)) = (event.source, event.unit) {
                self.events[source as usize].first_reader = event.next_reader;
            }
            for &member in members.iter().flat_map(|members| members.iter().rev()) {
                self.unfile_write(member, &event);
            }
            if let Some(unit) = event.unit {
                self.unfile(unit, &event);
            }
            if let Some(life) = event.lives_in().or(event.role.ended()) {
                self.unfile_in_life(life, &event);
            }
            if let Some(sum) = event.sum {
                self.unfile_in_sum(sum, &event);
            }
        }
        self.clocks.truncate(len * self.stride);
        self.marks.truncate(len);
        self.queued.truncate(len);
    }

    /// What has been required and concluded so far.
    pub(super) fn mark(&self) -> Mark {
        Mark { clocks: self.log.len() as u32, edges: self.edges.len() as u32 }
    }

    /// Takes back what has been required and concluded since `mark`, when there were as many events.
    pub(super) fn undo(&mut self, mark: Mark) {
        for (slot, old) in self.log.drain(mark.clocks as usize..).rev() {
            self.clocks[slot as usize] = old;
        }
        for (from, _, next) in self.edges.drain(mark.edges as usize..).rev() {
            self.events[from as usize].edge = next;
        }
        for event in self.queue.drain(..) {
            self.queued[event as usize] = false;
        }
    }

    /// Constraints that `one` comes before `other`.
    pub(super) fn relate(&mut self, one: u32, other: u32) -> Result<(), Cyclic> {
        if one == other || self.precedes(other, one) {
            return Err(Cyclic);
        }
        if !self.precedes(one, other) {
            self.add_edge(one, other);
            self.enqueue(other);
        }
        Ok(())
    }

    /// Applies the rules until nothing changes.
    pub(super) fn saturate(&mut self) -> Result<(), Cyclic> {
        while let Some(event) = self.queue.pop() {
            self.queued[event as usize] = false;
            self.process(event)?;
        }
        Ok(())
    }

    /// Draws what follows from what has come to be known before `id`.
    fn process(&mut self, id: u32) -> Result<(), Cyclic> {
        self.propagate(id)?;
        let Event { unit, source, writes, .. } = self.events[id as usize];
        let Some(unit) = unit else { return Ok(()) };
        if source != From::Nowhere {
            self.order_sources(id, unit, source)?;
        }
        if writes {
            self.order_readers(id, unit)?;
        }
        if let Some(members) = self.members[id as usize].clone() {
            members.iter().try_for_each(|&member| self.order_readers(id, member))?;
        }
        Ok(())
    }

    /// Tells those that come after `id` what comes before it.
    fn propagate(&mut self, id: u32) -> Result<(), Cyclic> {
        let Name { thread, index } = self.name(id);
        if let Some(&next) = self.by_thread[thread.index()].get(index as usize) {
            self.inform(id, next)?;
        }
        let mut edge = self.events[id as usize].edge;
        while let Some(position) = edge.get() {
            let (_, to, next) = self.edges[position as usize];
            self.inform(id, to)?;
            edge = next;
        }
        Ok(())
    }

    fn inform(&mut self, from: u32, to: u32) -> Result<(), Cyclic> {
        if self.precedes(to, from) {
            return Err(Cyclic);
        }
        if self.join(to, from) {
            self.enqueue(to);
        }
        Ok(())
    }

    /// Rule R1 for the read `id`.
    fn order_sources(&mut self, id: u32, unit: Unit, source: From) -> Result<(), Cyclic> {
        for at in 0..self.units[unit.index()].writing.len() {
            let thread = self.units[unit.index()].writing[at] as usize;
            let known = self.clocks[id as usize * self.stride + thread];
            let Some(write) = self.last_write_before(unit, thread, known, id) else { continue };
            match source {
                From::Event(source) if source == write => {}
                From::Event(source) => self.relate(write, source)?,
                _ => return Err(Cyclic),
            }
        }
        Ok(())
    }

    /// Rule R2 for the new read `id`: all that overwrites its source comes after it. What comes to overwrite it later
    /// asks for its readers itself.
    fn order_overwriters(&mut self, id: u32, unit: Unit, source: From) -> Result<(), Cyclic> {
        for at in 0..self.units[unit.index()].writing.len() {
            let thread = self.units[unit.index()].writing[at] as usize;
            let writers = &self.units[unit.index()].writers[thread];
            let first = match source {
                From::Event(source) if writers.last().is_some_and(|&write| self.precedes(source, write)) => {
                    writers.partition_point(|&write| !self.precedes(source, write))
                }
                From::Event(_) => continue,
                _ => 0,
            };
            let overwrites = |write: &&u32| **write != id && From::Event(**write) != source;
            if let Some(&write) = writers[first..].iter().find(overwrites) {
                self.relate(id, write)?;
            }
        }
        Ok(())
    }

    /// Rule R2 for the write `id`: it comes after the readers of all that comes before it.
    fn order_readers(&mut self, id: u32, unit: Unit) -> Result<(), Cyclic> {
        for position in 0..self.units[unit.index()].initial_readers.len() {
            let reader = self.units[unit.index()].initial_readers[position];
            if reader != id {
                self.relate(reader, id)?;
            }
        }
        for at in 0..self.units[unit.index()].writing.len() {
            let thread = self.units[unit.index()].writing[at] as usize;
            let known = self.clocks[id as usize * self.stride + thread];
            let Some(write) = self.last_write_before(unit, thread, known, id) else { continue };
            let mut next = self.events[write as usize].first_reader;
            while let Some(reader) = next.get() {
                let Event { unit: read, next_reader, .. } = self.events[reader as usize];
                if reader != id && read == Some(unit) {
                    self.relate(reader, id)?;
                }
                next = next_reader;
            }
        }
        Ok(())
    }

    /// The last write to `unit` among the first `known` events of `thread`, other than `id` itself. Only that one
    /// need be looked at: the order of the earlier ones follows.
    fn last_write_before(&self, unit: Unit, thread: usize, known: u32, id: u32) -> Option<u32> {
        let writers = &self.units[unit.index()].writers[thread];
        // The events of a thread are numbered in their order.
        let last = self.by_thread[thread][known.checked_sub(1)? as usize];
        let count = match writers.last() {
            // Most often all of them are known.
            Some(&write) if write <= last => writers.len(),
            _ => writers.partition_point(|&write| write <= last),
        };
        writers[..count].iter().rev().find(|&&write| write != id).copied()
    }

    fn add_edge(&mut self, from: u32, to: u32) {
        self.edges.push((from, to, self.events[from as usize].edge));
        self.events[from as usize].edge = Packed::some(self.edges.len() as u32 - 1);
        self.join(to, from);
    }

    /// Lets `to` know all that `from` knows; whether that was news.
    fn join(&mut self, to: u32, from: u32) -> bool {
        let (start, other) = (to as usize * self.stride, from as usize * self.stride);
        let mut changed = false;
        for thread in 0..self.stride {
            let (old, new) = (self.clocks[start + thread], self.clocks[other + thread]);
            if new > old {
                self.log.push(((start + thread) as u32, old));
                self.clocks[start + thread] = new;
                changed = true;
            }
        }
        changed
    }

    fn enqueue(&mut self, event: u32) {
        if !std::mem::replace(&mut self.queued[event as usize], true) {
            self.queue.push(event);
        }
    }

    fn slots(&self, event: u32) -> Range<usize> {
        let start = event as usize * self.stride;
        start..start + self.stride
    }
}
