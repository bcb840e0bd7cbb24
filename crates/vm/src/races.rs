//! Data races in the sense of C11: two accesses to the same memory, one of them a write, not both atomic, that
//! nothing orders.
//!
//! What orders is what synchronises - atomics, locks, starting and joining threads - and not the engine's
//! happens-before, which also orders, say, two plain writes. Every atomic access is taken to be sequentially
//! consistent, so every store releases and every load acquires. A signal orders nothing: only the mutex does.

use crate::failure::Failure;
use crate::machine::{Logged, Machine};
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::{Class, Condition, Effect, Location, Visit};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a location is to data races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Memory.
    Data,
    /// It passes on what its writers knew to those who look at it.
    Synchronisation,
    /// Neither.
    Silent,
}

/// A vector clock; missing entries are 0.
#[derive(Clone, Debug, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    fn tick(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] += 1;
    }

    fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (entry, theirs) in self.0.iter_mut().zip(&other.0) {
            *entry = (*entry).max(*theirs);
        }
    }
}

/// What a location passes on.
#[derive(Clone, Debug, Default)]
struct Release {
    /// From writes, to everybody.
    written: Clock,
    /// From adds since the last write, to all but other adds: readers of a lock do not synchronise.
    added: Clock,
}

/// What the bytes of a location pass on, by which they are: atomic accesses need not be of the same size.
type Releases = SmallVec<[(u8, Release); 1]>;

/// An access to memory.
#[derive(Clone, Copy, Debug)]
struct Noted {
    thread: u32,
    /// The thread's own entry of its clock.
    time: u32,
    bytes: u8,
    writes: bool,
    atomic: bool,
    /// The step it is part of.
    step: u32,
}

/// A change, for going back.
#[derive(Debug)]
enum Change {
    Clock(usize, Clock),
    Release(u32, Option<Releases>),
    Noted(u32),
}

/// The state of race detection.
#[derive(Debug, Default)]
pub(crate) struct Races {
    clocks: Vec<Clock>,
    releases: FxHashMap<u32, Releases>,
    noted: FxHashMap<u32, Vec<Noted>>,
    changes: Vec<Change>,
    /// How many changes there were before each step.
    marks: Vec<usize>,
}

impl Races {
    fn clock(&mut self, thread: usize) -> &mut Clock {
        if self.clocks.len() <= thread {
            self.clocks.resize_with(thread + 1, Clock::default);
        }
        &mut self.clocks[thread]
    }

    fn save_clock(&mut self, thread: usize) {
        let old = self.clock(thread).clone();
        self.changes.push(Change::Clock(thread, old));
    }

    /// `parent` starts `child`.
    pub(crate) fn spawn(&mut self, parent: usize, child: usize) {
        self.save_clock(child);
        *self.clock(child) = self.clock(parent).clone();
        self.clock(child).tick(child);
        self.save_clock(parent);
        self.clock(parent).tick(parent);
    }

    /// Goes back to the state after `depth` steps.
    pub(crate) fn rewind(&mut self, depth: usize) {
        let Some(&mark) = self.marks.get(depth) else { return };
        self.marks.truncate(depth);
        while self.changes.len() > mark {
            match self.changes.pop() {
                Some(Change::Clock(thread, old)) => self.clocks[thread] = old,
                Some(Change::Release(key, Some(old))) => {
                    self.releases.insert(key, old);
                }
                Some(Change::Release(key, None)) => {
                    self.releases.remove(&key);
                }
                Some(Change::Noted(location)) => {
                    self.noted.get_mut(&location).and_then(Vec::pop);
                }
                None => {}
            }
        }
    }

    /// `thread` accesses something that synchronises.
    fn synchronise(&mut self, thread: usize, visit: &Visit) {
        let (location, bytes) = (visit.access.location.0, visit.access.bytes.0);
        let old = self.releases.get(&location).cloned();
        let mut all = old.clone().unwrap_or_default();
        let mut release = Release::default();
        for (_, known) in all.iter().filter(|(known, _)| known & bytes != 0) {
            release.written.join(&known.written);
            release.added.join(&known.added);
        }
        let blind = matches!(visit.access.effect, Effect::Write(_) | Effect::Store(_))
            && visit.access.when == Condition::Always;
        let clock = self.clock(thread);
        match visit.class {
            Class::Add => {
                clock.join(&release.written);
                release.added.join(clock);
            }
            Class::Write | Class::Store => {
                if !blind {
                    clock.join(&release.written);
                    clock.join(&release.added);
                }
                release = Release { written: clock.clone(), added: Clock::default() };
            }
            _ => {
                clock.join(&release.written);
                clock.join(&release.added);
                return;
            }
        }
        all.retain(|(known, _)| *known & !bytes != 0);
        all.push((bytes, release));
        self.changes.push(Change::Release(location, old));
        self.releases.insert(location, all);
    }

    /// A step begins.
    pub(crate) fn begin_step(&mut self) {
        self.marks.push(self.changes.len());
    }

    /// Notes an access, and finds the earlier ones that race with it, the last one first.
    fn access(&mut self, location: Location, access: Noted) -> Vec<Noted> {
        let clock = self.clock(access.thread as usize).clone();
        let history = self.noted.entry(location.0).or_default();
        let races = |earlier: &&Noted| {
            earlier.thread != access.thread
                && earlier.bytes & access.bytes != 0
                && (earlier.writes || access.writes)
                && !(earlier.atomic && access.atomic)
                && earlier.time > clock.get(earlier.thread as usize)
        };
        let found = history.iter().rev().filter(races).copied().collect();
        history.push(access);
        self.changes.push(Change::Noted(location.0));
        found
    }
}

impl Machine {
    /// Takes note of the last step, which consists of `visits`, and finds its races with earlier ones. All of them:
    /// which of several came last depends on the order of steps that do not race.
    pub(crate) fn note_races(&mut self, thread: usize, visits: &[Visit]) -> Vec<Failure> {
        let mut found = Vec::new();
        self.races.save_clock(thread);
        let joined = self.log.operations.last().and_then(|operation| operation.joins);
        if let Some(joined) = joined {
            let theirs = self.races.clock(joined.index()).clone();
            self.races.clock(thread).join(&theirs);
        }
        for visit in visits {
            let location = visit.access.location;
            match self.roles[location.index()] {
                Role::Silent => continue,
                Role::Synchronisation => {
                    self.races.synchronise(thread, visit);
                    continue;
                }
                Role::Data => {}
            }
            let atomic = visit.access.ordering.is_atomic();
            if atomic {
                self.races.synchronise(thread, visit);
            }
            let access = Noted {
                thread: thread as u32,
                time: self.races.clock(thread).get(thread),
                bytes: visit.access.bytes.0,
                writes: visit.class.changes(),
                atomic,
                step: self.steps.len() as u32 - 1,
            };
            let races = self.races.access(location, access);
            found.extend(races.iter().map(|earlier| self.race(earlier, &access)));
        }
        self.races.clock(thread).tick(thread);
        found
    }

    fn race(&self, earlier: &Noted, later: &Noted) -> Failure {
        let described = |noted: &Noted| {
            let logged: &Logged = &self.steps[noted.step as usize];
            let operation = match (noted.writes, noted.atomic) {
                (true, false) => "write",
                (false, false) => "read",
                (true, true) => "atomic write",
                (false, true) => "atomic read",
            };
            RacingAccess {
                thread: noted.thread as usize,
                operation: operation.to_owned(),
                object: self.name_at(logged.address),
                source: self.source(self.place(logged.function, logged.pc)),
            }
        };
        let accesses = vec![described(earlier), described(later)];
        let message = format!("two unordered accesses to {}, one of them a write", accesses[1].object);
        Failure { accesses, ..Failure::new(BugKind::DataRace, message) }
    }
}
