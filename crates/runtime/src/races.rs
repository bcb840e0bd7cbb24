//! Data races: two accesses to the same bytes, one of them a write, not both atomic, that nothing orders.
//!
//! What orders is happens-before of the language ([`synchronisation`](crate::synchronisation)), and not that of the
//! engine, which also orders, say, two plain writes. Races are told by epochs (Flanagan and Freund, *FastTrack*, PLDI
//! 2009): of each byte the last plain write is kept, and since then the last access of each kind by each thread. A plain
//! write that does not race happens after all of them, so they are forgotten. Where the paper keeps an epoch for reads
//! as long as they are ordered, we always keep one per thread: atomic writes need it too, and what is kept does not
//! depend on the order of reads.
//!
//! One front end goes back by undoing: [`Races::rewind`] costs what is undone. The other starts each execution anew:
//! [`Races::reset`] costs what the last one did.
//!
//! This module knows no program: accesses are told by [`Site`]s.

#[cfg(test)]
mod tests;

use crate::bytes::Bytes;
use crate::clock::Epoch;
use crate::execution::Source;
use crate::ids::{EventId, Location, ThreadId};
use crate::operation::Visit;
use crate::ordering::Ordering;
use crate::synchronisation::{Site, Synchronisation, Weak};
use crate::verb::Verb;
use smallvec::SmallVec;

/// How an access touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// Reads, not atomically.
    Read,
    /// Writes, not atomically.
    Write,
    /// Reads atomically.
    AtomicRead,
    /// Writes atomically.
    AtomicWrite,
    /// Wrote, not atomically, before others could access it.
    Initialise,
}

impl Touch {
    /// What an access is that was carried out.
    pub fn of(visit: &Visit) -> Self {
        match (visit.class.changes(), visit.ordering().is_atomic()) {
            (false, false) => Touch::Read,
            (true, false) => Touch::Write,
            (false, true) => Touch::AtomicRead,
            (true, true) => Touch::AtomicWrite,
        }
    }

    /// Whether it may change what is there.
    pub fn writes(self) -> bool {
        matches!(self, Touch::Write | Touch::AtomicWrite | Touch::Initialise)
    }

    /// Whether it is atomic.
    pub fn is_atomic(self) -> bool {
        matches!(self, Touch::AtomicRead | Touch::AtomicWrite)
    }

    /// Whether two accesses to the same bytes race if nothing orders them.
    pub fn conflicts(self, other: Self) -> bool {
        (self.writes() || other.writes()) && !(self.is_atomic() && other.is_atomic())
    }
}

/// An access: by whom and when, how, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// By whom, and when.
    pub epoch: Epoch,
    /// How.
    pub touch: Touch,
    /// Where.
    pub site: Site,
}

/// Two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The one that came first in this execution.
    pub earlier: Stamp,
    /// The other.
    pub later: Stamp,
    /// The access that would order them if it were stronger, where there is one.
    pub because: Option<Weak>,
}

/// The accesses to some bytes of a location that a later one may race with.
#[derive(Clone, Debug)]
struct History {
    bytes: u8,
    /// The last plain write.
    write: Option<Stamp>,
    /// Since then, the last one of each kind by each thread.
    others: SmallVec<[Stamp; 2]>,
}

type Histories = SmallVec<[History; 1]>;

/// A change, for going back.
#[derive(Debug)]
enum Change {
    /// What the histories of a location were.
    All(Location, Histories),
    /// There was no access to the location.
    First(Location),
    /// What the history at this index of a location was before a plain write.
    Written(Location, u32, Option<Stamp>, SmallVec<[Stamp; 2]>),
    /// An access was added to the history at this index.
    Added(Location, u32),
    /// One at this position replaced another.
    Replaced(Location, u32, u32, Stamp),
}

/// The state of race detection.
#[derive(Debug, Default)]
pub struct Races {
    synchronisation: Synchronisation,
    histories: Vec<Histories>,
    changes: Vec<Change>,
    /// How many changes there were before each step: of the histories, and of what synchronises.
    marks: Vec<(usize, usize)>,
}

impl Races {
    /// A step begins.
    pub fn begin_step(&mut self) {
        self.marks.push((self.changes.len(), self.synchronisation.mark()));
    }

    /// All steps have begun up to the one that is the last of `steps`.
    pub fn begin_steps_to(&mut self, steps: usize) {
        while self.marks.len() < steps {
            self.begin_step();
        }
    }

    /// Goes back to the state after `depth` steps.
    pub fn rewind(&mut self, depth: usize) {
        let Some(&mark) = self.marks.get(depth) else { return };
        self.marks.truncate(depth);
        self.take_back(mark);
    }

    /// Goes back to before everything.
    pub fn reset(&mut self) {
        self.marks.clear();
        self.take_back((0, 0));
    }

    fn take_back(&mut self, (changes, synchronisation): (usize, usize)) {
        self.synchronisation.rewind(synchronisation);
        while self.changes.len() > changes {
            match self.changes.pop() {
                Some(Change::All(location, old)) => self.histories[location.index()] = old,
                Some(Change::First(location)) => self.histories[location.index()].clear(),
                Some(Change::Written(location, index, write, others)) => {
                    let history = &mut self.histories[location.index()][index as usize];
                    (history.write, history.others) = (write, others);
                }
                Some(Change::Added(location, index)) => {
                    self.histories[location.index()][index as usize].others.pop();
                }
                Some(Change::Replaced(location, index, position, old)) => {
                    self.histories[location.index()][index as usize].others[position as usize] = old;
                }
                None => {}
            }
        }
    }

    /// `parent` starts `child`.
    pub fn spawn(&mut self, parent: ThreadId, child: ThreadId) {
        self.synchronisation.spawn(parent, child);
    }

    /// `thread` has waited for the end of `joined`.
    pub fn join(&mut self, thread: ThreadId, joined: ThreadId) {
        self.synchronisation.join(thread, joined);
    }

    /// A fence of `thread`.
    pub fn fence(&mut self, thread: ThreadId, ordering: Ordering) {
        let before = self.marks.last().map_or(0, |mark| mark.1);
        self.synchronisation.fence(thread, ordering, before);
    }

    /// `thread` goes on: what it does from here on is no part of what it has released. To be called after every
    /// operation.
    pub fn tick(&mut self, thread: ThreadId) {
        self.synchronisation.tick(thread);
    }

    /// The present moment of `thread`.
    pub fn now(&self, thread: ThreadId) -> Epoch {
        self.synchronisation.now(thread)
    }

    /// `thread` releases and acquires by an access of an operation with this verb, at `site`.
    pub fn synchronise(&mut self, thread: ThreadId, verb: Verb, visit: &Visit, site: Site) {
        self.synchronisation.access(thread, verb, visit, site);
    }

    /// [`Races::synchronise`] for an access of `event` that is told its source.
    pub fn synchronise_told(
        &mut self,
        thread: ThreadId,
        verb: Verb,
        visit: &Visit,
        site: Site,
        (source, event): (Source, EventId),
    ) {
        let source = match source {
            Source::Initial => None,
            Source::Event(source) => Some(source),
        };
        self.synchronisation.access_told(thread, verb, visit, site, (source, event));
    }

    /// Whether all that was released by accesses to the location happens before what `thread` does next.
    pub fn has_acquired(&self, thread: ThreadId, location: Location) -> bool {
        self.synchronisation.has_acquired(thread, location)
    }

    /// `thread` accesses memory: `found` is told of the earlier accesses that this one races with. What was in bytes
    /// that were not accessed before was written by `initial`.
    pub fn access(
        &mut self,
        thread: ThreadId,
        visit: &Visit,
        site: Site,
        initial: Option<Stamp>,
        found: impl FnMut(Race),
    ) {
        let (location, bytes) = (visit.access.location, visit.access.bytes);
        self.touch(thread, (location, bytes), Touch::of(visit), site, initial, found);
    }

    /// [`Races::access`], to some bytes of a location.
    pub fn touch(
        &mut self,
        thread: ThreadId,
        (location, bytes): (Location, Bytes),
        touch: Touch,
        site: Site,
        initial: Option<Stamp>,
        mut found: impl FnMut(Race),
    ) {
        self.separate(location, bytes, initial);
        let later = Stamp { epoch: self.synchronisation.now(thread), touch, site };
        let Self { synchronisation, histories, changes, .. } = self;
        for (index, history) in histories[location.index()].iter_mut().enumerate() {
            if history.bytes & bytes.0 == 0 {
                continue;
            }
            for &earlier in history.write.iter().chain(&history.others) {
                if earlier.touch.conflicts(touch) && !synchronisation.knows(thread, earlier.epoch) {
                    let because = synchronisation.reason(thread, earlier.epoch);
                    found(Race { earlier, later, because });
                }
            }
            changes.push(history.note(location, index as u32, later));
        }
    }

    /// An earlier access that one by `thread` would race with now, if there is one.
    pub fn unordered_before(
        &self,
        thread: ThreadId,
        (location, bytes): (Location, Bytes),
        touch: Touch,
    ) -> Option<Stamp> {
        let histories = self.histories.get(location.index())?.iter().filter(|history| history.bytes & bytes.0 != 0);
        let mut earlier = histories.flat_map(|history| history.write.iter().chain(&history.others));
        let races = |it: &&Stamp| it.touch.conflicts(touch) && !self.synchronisation.knows(thread, it.epoch);
        earlier.find(races).copied()
    }

    /// These bytes, which were not accessed before, were written last by `initial`.
    pub fn initialise(&mut self, location: Location, bytes: Bytes, initial: Stamp) {
        let histories = self.histories(location);
        debug_assert!(
            histories.iter().all(|history| !bytes.overlaps(Bytes(history.bytes))),
            "they were not accessed before"
        );
        let old = histories.clone();
        histories.push(History { bytes: bytes.0, write: Some(initial), others: SmallVec::new() });
        self.changes.push(Change::All(location, old));
    }

    fn histories(&mut self, location: Location) -> &mut Histories {
        if self.histories.len() <= location.index() {
            self.histories.resize_with(location.index() + 1, Histories::default);
        }
        &mut self.histories[location.index()]
    }

    /// Makes each history of a location cover only bytes that are accessed, or only others, and all that are.
    fn separate(&mut self, location: Location, bytes: Bytes, initial: Option<Stamp>) {
        let histories = self.histories(location);
        if let [only] = histories.as_slice()
            && only.bytes == bytes.0
        {
            return;
        }
        let new = |bytes| History { bytes, write: initial, others: SmallVec::new() };
        if histories.is_empty() {
            histories.push(new(bytes.0));
            self.changes.push(Change::First(location));
            return;
        }
        let old = histories.clone();
        for history in &old {
            let inside = history.bytes & bytes.0;
            if inside != 0 && inside != history.bytes {
                histories.push(History { bytes: inside, ..history.clone() });
            }
        }
        for history in histories.iter_mut().take(old.len()) {
            if !Bytes(bytes.0).covers(Bytes(history.bytes)) {
                history.bytes &= !bytes.0;
            }
        }
        let known = histories.iter().fold(0, |known, history| known | history.bytes);
        if bytes.0 & !known != 0 {
            histories.push(new(bytes.0 & !known));
        }
        self.changes.push(Change::All(location, old));
    }
}

impl History {
    /// Takes note of an access.
    fn note(&mut self, location: Location, index: u32, stamp: Stamp) -> Change {
        if stamp.touch == Touch::Write {
            let old = self.write.replace(stamp);
            return Change::Written(location, index, old, std::mem::take(&mut self.others));
        }
        let is_same = |other: &Stamp| other.epoch.thread == stamp.epoch.thread && other.touch == stamp.touch;
        match self.others.iter().position(is_same) {
            Some(position) => {
                let old = std::mem::replace(&mut self.others[position], stamp);
                Change::Replaced(location, index, position as u32, old)
            }
            None => {
                self.others.push(stamp);
                Change::Added(location, index)
            }
        }
    }
}
