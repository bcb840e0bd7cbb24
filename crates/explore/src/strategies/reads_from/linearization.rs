//! Traces: events with their sources, in an order in which every event comes after all that it depends on.
//!
//! A [`Linearization`] is not an execution. It has the events of the current execution, and of each the source, but
//! an event may stand after another one although it was executed before it: what was there when a choice was made
//! stays in its place while the choice is reconsidered. Executions are [`crate::Trace`]s.
//!
//! Deviation from OOPSLA 2019: the paper lets `e_R` stand before the events `π` that its new source depends on
//! (Algorithm 1, line 9). Here it stands behind them, so that a linearization respects happens-before and clocks can
//! be computed from left to right; [`super::node`] remembers where the schedule starts.

use super::candidate::Cut;
use super::life::Role;
use super::sum::{self, Seen};
use super::unit::{Members, Unit};
use super::view::View;
use crate::happens_before::{Clocks, join};
use crate::ids::EventId;
use everyway_runtime::{Step, ThreadId};

/// An event by a name that is the same in every execution: its thread, and the how manyth of the thread it is,
/// counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name {
    pub(super) thread: ThreadId,
    pub(super) index: u32,
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.thread, self.index)
    }
}

/// Where the value that an event found comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// It did not look.
    Nowhere,
    /// The initial value.
    Initial,
    /// From this event.
    Event(Name),
    /// The sum of what was added, as the event has [seen](Entry::seen) it.
    Adds,
}

/// An event of a trace.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Name,
    /// Which of the alternatives of its operation it took.
    pub(super) choice: u32,
    /// What it accesses, unless that is a sum.
    pub(super) unit: Option<Unit>,
    /// The sum that it adds to, or reads.
    pub(super) sum: Option<Unit>,
    /// If it reads a sum, what it comes after.
    pub(super) seen: Option<Seen>,
    /// Whether what it accesses is ordered.
    pub(super) is_ordered: bool,
    /// What it has to do with what may end.
    pub(super) role: Role,
    pub(super) source: Source,
    /// Whether it changes its unit.
    pub(super) writes: bool,
    /// The members of its unit that it changes.
    pub(super) members: Members,
    /// Whether it might, if it found something else.
    pub(super) may_write: bool,
    /// The events that come before it besides its thread's previous one and its source: its thread's spawn, the end
    /// of the thread it joined.
    pub(super) after: [Option<Name>; 2],
}

impl Entry {
    pub(super) fn reads(&self) -> bool {
        self.source != Source::Nowhere
    }

    /// The step that it is.
    pub(super) fn step(&self) -> Step {
        Step { thread: self.name.thread, choice: self.choice }
    }

    /// The units in which it has a place: what it accesses, and the members of that which it changes.
    pub(super) fn units(&self) -> impl Iterator<Item = Unit> + '_ {
        let members = self.members.as_deref().unwrap_or_default();
        self.unit.or(self.sum).into_iter().chain(members.iter().copied())
    }

    /// Whether it accesses a plain unit: then its operation has no alternatives.
    pub(super) fn is_plain(&self) -> bool {
        self.unit.is_some() && !self.is_ordered
    }

    /// What makes the event this one and no other, in a trace with the same events before it.
    pub(super) fn identity(&self) -> (Name, u32, Source, Option<&Seen>) {
        (self.name, self.choice, self.source, self.seen.as_ref())
    }

    /// Whether it is the same event, in traces with the same events before it.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.choice == other.choice
            && self.source == other.source
            && (self.source != Source::Adds || self.seen.as_deref() == other.seen.as_deref())
    }

    /// Finds out what it comes after, if it is the event `id` and reads a sum. All adds before it are in `trace`.
    pub(super) fn see(&mut self, trace: &Linearization, view: &View<'_>, id: EventId) {
        if let Some(sum) = self.sum.filter(|_| self.source == Source::Adds) {
            self.seen = Some(trace.seen(sum, |name| view.event(name).is_some_and(|add| add < id)));
        }
    }

    /// A number for its identity, of which it is unlikely that two sums are the same.
    pub(super) fn hash(&self) -> u64 {
        let number = |Name { thread, index }: Name| u64::from(thread.0) << 32 | u64::from(index);
        let source = match self.source {
            Source::Nowhere => 0,
            Source::Initial => 1,
            Source::Event(name) => number(name) << 1 | 1 << 63,
            Source::Adds => {
                let seen = self.seen.iter().flat_map(|seen| seen.iter());
                seen.fold(2, |sum: u64, &index| {
                    (sum.rotate_left(9) ^ u64::from(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                })
            }
        };
        let name = number(self.name) ^ u64::from(self.choice) << 24;
        let mixed = (name ^ source.rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// A trace.
#[derive(Debug, Default)]
pub(super) struct Linearization {
    entries: Vec<Entry>,
    /// By thread, and of its first so many events, the sum of [`Entry::hash`]: of one, of two, and so on.
    hashes: Vec<Vec<u64>>,
    /// By thread, where its events are.
    positions: Vec<Vec<u32>>,
    /// By position, in the sense of program order and reads-from.
    clocks: Clocks,
    /// By unit, where it is accessed.
    accesses: Vec<Accesses>,
}

/// Where a unit is accessed.
#[derive(Debug, Default)]
struct Accesses {
    writers: Vec<u32>,
    /// The first thread that `by_thread` has. Most units are of one thread.
    first: usize,
    /// By thread, from that on.
    by_thread: Vec<OfThread>,
    /// The threads that write it, or might, in the order of the first that do.
    changing: Vec<ThreadId>,
    /// How many threads access it.
    threads: u32,
}

/// Where a thread accesses a unit.
#[derive(Debug, Default)]
struct OfThread {
    /// How many events access it.
    count: u32,
    writers: Vec<u32>,
    /// Those that write it, or might.
    changers: Vec<u32>,
}

impl Accesses {
    /// Where a thread is, for which there is room then.
    #[inline]
    fn place(&mut self, thread: usize) -> usize {
        if thread.wrapping_sub(self.first) >= self.by_thread.len() {
            self.make_room(thread);
        }
        thread - self.first
    }

    #[cold]
    fn make_room(&mut self, thread: usize) {
        if self.by_thread.is_empty() {
            self.first = thread;
        }
        let missing = self.first.saturating_sub(thread);
        self.by_thread.splice(0..0, std::iter::repeat_with(OfThread::default).take(missing));
        self.first -= missing;
        self.by_thread.resize_with(self.by_thread.len().max(thread - self.first + 1), OfThread::default);
    }

    /// What is known of a thread.
    fn of_thread(&self, thread: ThreadId) -> Option<&OfThread> {
        self.by_thread.get(thread.index().checked_sub(self.first)?)
    }

    /// Adds the event at `position`, the last one.
    fn file(&mut self, entry: &Entry, position: u32) {
        let at = self.place(entry.name.thread.index());
        let of_thread = &mut self.by_thread[at];
        self.threads += u32::from(of_thread.count == 0);
        of_thread.count += 1;
        if entry.may_write {
            if of_thread.changers.is_empty() {
                self.changing.push(entry.name.thread);
            }
            of_thread.changers.push(position);
        }
        if entry.writes {
            of_thread.writers.push(position);
            self.writers.push(position);
        }
    }

    /// Takes the last event out again.
    fn unfile(&mut self, entry: &Entry) {
        let of_thread = &mut self.by_thread[entry.name.thread.index() - self.first];
        of_thread.count -= 1;
        self.threads -= u32::from(of_thread.count == 0);
        if entry.may_write {
            of_thread.changers.pop();
            if of_thread.changers.is_empty() {
                self.changing.pop();
            }
        }
        if entry.writes {
            of_thread.writers.pop();
            self.writers.pop();
        }
    }
}

impl Linearization {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn entry(&self, position: usize) -> &Entry {
        &self.entries[position]
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of threads that clocks know.
    pub(super) fn threads(&self) -> usize {
        self.positions.len()
    }

    /// Makes room for this many threads.
    pub(super) fn widen(&mut self, threads: usize) {
        self.positions.resize_with(threads.max(self.positions.len()), Vec::new);
        self.hashes.resize_with(self.positions.len(), Vec::new);
    }

    /// Makes room for this many events.
    pub(super) fn reserve(&mut self, events: usize) {
        let more = events.saturating_sub(self.entries.len());
        self.entries.reserve(more);
        self.clocks.reserve(self.positions.len(), more);
    }

    /// Where the events of `thread` are, in order.
    pub(super) fn positions_of(&self, thread: ThreadId) -> &[u32] {
        &self.positions[thread.index()]
    }

    /// The same, if clocks know that thread.
    pub(super) fn positions(&self, thread: ThreadId) -> Option<&[u32]> {
        self.positions.get(thread.index()).map(|positions| &positions[..])
    }

    pub(super) fn position(&self, name: Name) -> usize {
        self.positions[name.thread.index()][name.index as usize - 1] as usize
    }

    /// How many events of each thread happen before the event, or are it.
    pub(super) fn clock(&self, position: usize) -> &[u32] {
        self.clocks.get(position)
    }

    /// Whether the event `name` happens before that at `position`, or is it.
    pub(super) fn happens_before(&self, name: Name, position: usize) -> bool {
        self.clocks.entry(position, name.thread) >= name.index
    }

    /// The previous event of the thread of `name`.
    pub(super) fn previous(&self, name: Name) -> Option<usize> {
        (name.index > 1).then(|| self.position(Name { index: name.index - 1, ..name }))
    }

    /// How many events of each thread happen before `entry` but by way of its source. `room` is for that, if it is not
    /// the clock of some event.
    pub(super) fn past<'a>(&'a self, entry: &Entry, room: &'a mut Cut) -> &'a [u32] {
        match (self.previous(entry.name), entry.after) {
            // Nearly always.
            (Some(previous), [None, None]) => self.clock(previous),
            _ => {
                room.clear();
                room.resize(self.threads(), 0);
                self.join_predecessors(entry, room);
                room
            }
        }
    }

    /// Joins into `clock` all that happens before `entry` but by way of its source.
    pub(super) fn join_predecessors(&self, entry: &Entry, clock: &mut [u32]) {
        if let Some(previous) = self.previous(entry.name) {
            join(clock, self.clock(previous));
        }
        for name in entry.after.into_iter().flatten() {
            join(clock, self.clock(self.position(name)));
        }
    }

    /// Whether `name` happens before `entry`, but for its source. Both are events of the trace, or the thread of `entry` has
    /// announced it.
    pub(super) fn comes_before(&self, name: Name, entry: &Entry) -> bool {
        let after = entry.after.into_iter().flatten().map(|name| self.position(name));
        self.previous(entry.name).into_iter().chain(after).any(|position| self.happens_before(name, position))
    }

    /// Appends an event.
    pub(super) fn push(&mut self, entry: Entry) {
        self.clocks.begin(self.positions.len(), self.previous(entry.name));
        for name in entry.after {
            name.into_iter().for_each(|name| self.learn_of(name));
        }
        if let Source::Event(source) = entry.source {
            self.learn_of(source);
        }
        if let Some(seen) = &entry.seen {
            sum::names(seen).for_each(|name| self.learn_of(name));
        }
        self.clocks.end(entry.name.thread, entry.name.index);
        let positions = &mut self.positions[entry.name.thread.index()];
        debug_assert_eq!(positions.len() + 1, entry.name.index as usize, "events of a thread come in their order");
        positions.push(self.entries.len() as u32);
        let hashes = &mut self.hashes[entry.name.thread.index()];
        hashes.push(hashes.last().map_or(0, |&before| before).wrapping_add(entry.hash()));
        self.entries.push(entry);
        self.file(self.entries.len() - 1);
    }

    /// Lets the last event, which is being appended, come after the event `name`.
    fn learn_of(&mut self, name: Name) {
        if !self.clocks.last_knows(name.thread, name.index) {
            self.clocks.join(self.position(name));
        }
    }

    fn file(&mut self, position: usize) {
        let entry = &self.entries[position];
        for unit in entry.units() {
            if self.accesses.len() <= unit.index() {
                self.accesses.resize_with(unit.index() + 1, Accesses::default);
            }
            self.accesses[unit.index()].file(entry, position as u32);
        }
    }

    /// Where `unit` is written.
    pub(super) fn writers(&self, unit: Unit) -> &[u32] {
        self.accesses.get(unit.index()).map_or(&[], |accesses| &accesses.writers)
    }

    /// Whether more than one thread accesses `unit`.
    pub(super) fn is_shared(&self, unit: Unit) -> bool {
        self.accesses.get(unit.index()).is_some_and(|accesses| accesses.threads > 1)
    }

    /// The threads that write `unit`, or might.
    pub(super) fn changing(&self, unit: Unit) -> &[ThreadId] {
        self.accesses.get(unit.index()).map_or(&[], |accesses| &accesses.changing)
    }

    /// Where a thread writes `unit`.
    pub(super) fn writers_of(&self, unit: Unit, thread: ThreadId) -> &[u32] {
        self.of_thread(unit, thread).map_or(&[], |accesses| &accesses.writers)
    }

    /// Where a thread writes `unit`, or might.
    pub(super) fn changers_of(&self, unit: Unit, thread: ThreadId) -> &[u32] {
        self.of_thread(unit, thread).map_or(&[], |accesses| &accesses.changers)
    }

    fn of_thread(&self, unit: Unit, thread: ThreadId) -> Option<&OfThread> {
        self.accesses.get(unit.index())?.of_thread(thread)
    }

    /// The last one of `writers`, which are of one thread, among the events that `clock` knows of.
    pub(super) fn last_known(&self, writers: &[u32], clock: &[u32]) -> Option<usize> {
        self.count_known(writers, clock).checked_sub(1).map(|last| writers[last] as usize)
    }

    /// How many of `writers`, which are of one thread, are among the events that `clock` knows of.
    pub(super) fn count_known(&self, writers: &[u32], clock: &[u32]) -> usize {
        let (Some(&first), Some(&last)) = (writers.first(), writers.last()) else { return 0 };
        let Name { thread, index } = self.entries[first as usize].name;
        let known = clock[thread.index()];
        let is_known = |&position: &u32| self.entries[position as usize].name.index <= known;
        // Mostly all of them, or none.
        if is_known(&last) {
            writers.len()
        } else if index > known {
            0
        } else {
            writers.partition_point(is_known)
        }
    }

    /// The first event that `clock` does not know of.
    pub(super) fn first_unknown(&self, clock: &[u32]) -> usize {
        let next = |(positions, &count): (&Vec<u32>, &u32)| positions.get(count as usize).copied();
        self.positions.iter().zip(clock).filter_map(next).min().map_or(self.len(), |position| position as usize)
    }

    /// Forgets all but the first `len` events.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            let entry = self.entries.pop().expect("longer than that");
            self.positions[entry.name.thread.index()].pop();
            self.hashes[entry.name.thread.index()].pop();
            for unit in entry.units() {
                self.accesses[unit.index()].unfile(&entry);
            }
        }
        self.clocks.truncate(len);
    }

    /// Makes `entries` the events from `depth` on. Those at the start that are there already stay.
    pub(super) fn replace_from(&mut self, depth: usize, entries: &[Entry]) {
        let there = self.entries[depth..].iter().zip(entries).take_while(|(one, other)| one.is_same(other)).count();
        self.truncate(depth + there);
        entries[there..].iter().for_each(|entry| self.push(entry.clone()));
    }

    /// The events before `depth`.
    pub(super) fn cut(&self, depth: usize) -> Cut {
        let is_before = |position: &u32| (*position as usize) < depth;
        let before = |positions: &Vec<u32>| match &positions[..] {
            // Mostly all of them, or none.
            [.., last] if is_before(last) => positions.len() as u32,
            [first, ..] if !is_before(first) => 0,
            positions => positions.partition_point(is_before) as u32,
        };
        let mut cut = Cut::with_capacity(self.positions.len());
        self.positions.iter().for_each(|positions| cut.push(before(positions)));
        cut
    }

    /// A number for the events that `clock` knows of, of which it is unlikely that it is the same for others.
    pub(super) fn hash(&self, clock: &[u32]) -> u64 {
        let of_thread = |(hashes, &count): (&Vec<u64>, &u32)| Some(hashes[count.checked_sub(1)? as usize]);
        self.hashes.iter().zip(clock).filter_map(of_thread).fold(0, u64::wrapping_add)
    }

    /// The events from `start` on that `clock` knows of, in order.
    pub(super) fn known_from<'a>(&'a self, start: usize, clock: &'a [u32]) -> impl Iterator<Item = &'a Entry> {
        self.entries[start..].iter().filter(|entry| clock[entry.name.thread.index()] >= entry.name.index)
    }
}
