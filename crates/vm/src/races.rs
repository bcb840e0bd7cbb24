//! Data races: the program's accesses as they are passed to the detector, and its findings for people to read.
//!
//! An object that only one thread can reach has no history: accesses to it are no steps. When others can reach it, what
//! its owner wrote counts as written at the time of the write, which the log of changes has.

use crate::access::ends;
use crate::describe::word;
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::{Logged, MAIN, Machine, Place};
use crate::memory::{Owner, Word, parts};
use crate::undo::Undo;
use everyway_explore::{DataRace, MemoryModel};
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::{
    Access, Bytes, Epoch, EventId, Location, Ordering, Race, Site, Stamp, ThreadId, Touch, Verb, Visit, Weak,
};
use std::collections::BTreeMap;

/// What a location is to data races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Memory.
    Data,
    /// Something that the machine keeps: accesses to it synchronise, or not, and never race.
    Synchronisation,
}

/// Whether it is known which accesses nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracking {
    /// Nothing asks.
    Off,
    /// It is found out when an object ends. Where reads are told what they see, that is how an access is found that may
    /// come after the end of its object.
    OnDemand,
    /// After every step.
    On,
}

/// When the bytes of a word were written last, as far as one has gone back.
struct Written {
    /// What the word was.
    word: Word,
    /// The time of the last write of each byte that changed it.
    times: [Option<u32>; 8],
}

impl Written {
    fn new(word: Word) -> Self {
        Self { word, times: [None; 8] }
    }

    /// Goes back to what the word was before a write at this time.
    fn back_to(&mut self, old: Word, time: u32) {
        let changed = self.word.bits ^ old.bits | self.word.undef ^ old.undef;
        for (byte, last) in self.times.iter_mut().enumerate() {
            if changed >> (8 * byte) & 0xff != 0 {
                last.get_or_insert(time);
            }
        }
        self.word = old;
    }

    /// Bytes were changed at this time, and are the same again.
    fn touch(&mut self, bytes: u8, time: u32) {
        for (byte, last) in self.times.iter_mut().enumerate() {
            if bytes >> byte & 1 == 1 {
                last.get_or_insert(time);
            }
        }
    }

    /// The bytes that were written after this time, by when they were.
    fn since(&self, start: u32) -> impl Iterator<Item = (Bytes, u32)> {
        let mut parts: BTreeMap<u32, u8> = BTreeMap::new();
        for (byte, &time) in self.times.iter().enumerate() {
            if let Some(time) = time.filter(|&time| time > start) {
                *parts.entry(time).or_default() |= 1 << byte;
            }
        }
        parts.into_iter().map(|(time, bytes)| (Bytes(bytes), time))
    }
}

impl Machine {
    /// The last step, or the initial state.
    fn site(&self) -> Site {
        Site::new(self.steps.len())
    }

    fn logged_at(&self, site: Site) -> Option<&Logged> {
        self.steps.get(site.index().checked_sub(1)?)
    }

    fn log_time(&mut self, thread: ThreadId) {
        let Epoch { time, .. } = self.races.now(thread);
        self.log.push(Undo::Time { thread, time });
    }

    /// `parent` starts `child`.
    pub(crate) fn note_spawn(&mut self, parent: ThreadId, child: ThreadId) {
        match self.race_tracking() {
            Tracking::Off => {}
            Tracking::OnDemand => self.put_down_spawn(parent, child),
            Tracking::On => {
                self.log_time(parent);
                self.log_time(child);
                self.races.spawn(parent, child);
            }
        }
    }

    /// What `thread` has written here in its last step may come later than the first steps of the thread that it has just
    /// started: these are not ordered with it.
    pub(crate) fn note_late_write(&mut self, thread: ThreadId, address: u64, size: u32) {
        let Ok((object, offset)) = self.memory.locate(address, size.into()) else { return };
        let state = &self.memory.object(object).state;
        if self.race_tracking() != Tracking::On || state.owner != Owner::Shared {
            return;
        }
        let (site, initial) = (self.site(), state.initialised);
        for part in parts(offset, size.into()) {
            let at = (self.location(object, part.granule), Bytes(part.byte_mask()));
            // Who races with that has raced with the step.
            self.races.touch(thread, at, Touch::Initialise, site, initial, |_| {});
        }
    }

    /// A fence. Before there are others, it orders nothing that their start does not.
    pub(crate) fn note_fence(&mut self, thread: ThreadId, ordering: Ordering) {
        if self.started <= 1 {
            return;
        }
        match self.race_tracking() {
            Tracking::Off => {}
            Tracking::OnDemand => self.put_down_fence(thread, ordering),
            Tracking::On => {
                let Epoch { time, .. } = self.races.now(thread);
                self.log.push(Undo::Fence { thread, time });
                self.races.fence(thread, ordering);
            }
        }
    }

    /// What is in memory that others can access from the start was written by `thread` now.
    pub(crate) fn initialised_now(&self, thread: ThreadId) -> Stamp {
        self.initialised_at(self.races.now(thread))
    }

    fn initialised_at(&self, epoch: Epoch) -> Stamp {
        Stamp { epoch, touch: Touch::Initialise, site: self.site() }
    }

    /// Others can access an object from now on: takes note of when its words were written. Those that were not are
    /// as old as the object, which is returned.
    pub(crate) fn note_publication(&mut self, object: ObjectId) -> Stamp {
        let Owner::Thread(owner) = self.memory.object(object).state.owner else {
            unreachable!("an object is published by its owner");
        };
        let mut epoch = self.races.now(owner);
        let mut written: BTreeMap<u32, Written> = BTreeMap::new();
        let newest = |granule: u32| Written::new(self.memory.object(object).words[granule as usize]);
        for undo in self.log.changes.iter().rev() {
            match *undo {
                Undo::Object { object: other } if other == object => break,
                Undo::Word { object: other, granule, old } if other == object => {
                    written.entry(granule).or_insert_with(|| newest(granule)).back_to(old, epoch.time);
                }
                Undo::Touched { object: other, granule, bytes } if other == object => {
                    written.entry(granule).or_insert_with(|| newest(granule)).touch(bytes, epoch.time);
                }
                Undo::Time { thread, time } | Undo::Fence { thread, time } if thread == owner => epoch.time = time,
                _ => {}
            }
        }
        for (granule, word) in written {
            for (bytes, time) in word.since(epoch.time) {
                let location = self.location(object, granule);
                self.races.initialise(location, bytes, self.initialised_at(Epoch { time, ..epoch }));
            }
        }
        self.initialised_at(epoch)
    }

    /// Takes note of the last step, which consists of `visits`; whether it has failed because it races with an earlier one.
    #[inline]
    pub(crate) fn has_raced(&mut self, thread: ThreadId, visits: &[Visit]) -> bool {
        match self.race_tracking() {
            Tracking::Off => false,
            Tracking::OnDemand => {
                self.put_down_step(visits);
                false
            }
            Tracking::On => {
                let races = self.find_races(thread, visits);
                let has_raced = !races.is_empty();
                races.into_iter().for_each(|race| self.fail(thread, race));
                has_raced
            }
        }
    }

    fn find_races(&mut self, thread: ThreadId, visits: &[Visit]) -> Vec<Failure> {
        let Some(Logged { verb, joins, .. }) = self.steps.last().copied() else { return Vec::new() };
        let mut found: Vec<Race> = Vec::new();
        self.log_time(thread);
        self.tell_of_step(thread, (joins, visits), self.steps.len(), |race| found.push(race));
        if verb.ends_objects() {
            // The other order is another execution: an access to what is gone.
            found.clear();
        }
        let failures: Vec<Failure> = found.iter().map(|race| self.race(race)).collect();
        self.last_race = failures.first().map(|failure| (self.steps.len(), failure.clone()));
        failures
    }

    /// Tells the detector of the step number `step`, counted from 1, by `thread`, which had waited for the end of
    /// `joined` and consists of `visits`.
    pub(crate) fn tell_of_step(
        &mut self,
        thread: ThreadId,
        (joined, visits): (Option<ThreadId>, &[Visit]),
        step: usize,
        mut found: impl FnMut(Race),
    ) {
        let (site, event) = (Site::new(step), EventId::new(step - 1));
        let Logged { verb, uses, address, .. } = self.steps[event.index()];
        if let Some(joined) = joined {
            self.races.join(thread, joined);
        }
        for (position, visit) in visits.iter().enumerate() {
            let location = visit.access.location;
            let role = self.roles[location.index()];
            // Operations on locks look at memory only for whether it is there.
            if role == Role::Synchronisation || verb.is_memory_access() {
                match self.source_of(event, position, visit) {
                    Some(source) => {
                        let visit = self.as_synchronising(*visit);
                        self.races.synchronise_told(thread, verb, &visit, site, (source, event));
                    }
                    None => self.races.synchronise(thread, verb, visit, site),
                }
            }
            if role == Role::Data {
                let initial = match self.locations[location.index()] {
                    Place::Memory { object, .. } => self.memory.object(object).state.initialised,
                    Place::Value(_) => None,
                };
                self.races.access(thread, visit, site, initial, &mut found);
            }
        }
        // What is made ready need not be ready, but it has to be there.
        let used = uses.map(|sync| self.syncs.address(sync)).or((verb == Verb::Init).then_some(address));
        if let Some(address) = used.filter(|_| self.is_told()) {
            self.tell_of_use(thread, address, site, found);
        }
        self.races.tick(thread);
    }

    /// Tells the detector that a step used the synchronisation object at an address. The memory that holds it must not have
    /// ended by then, and where reads are told what they see, no access of the step says so ([`Machine::sync_request`]).
    fn tell_of_use(&mut self, thread: ThreadId, address: u64, site: Site, found: impl FnMut(Race)) {
        let Ok((object, offset)) = self.memory.locate(address, 1) else { return };
        let Some(part) = parts(offset, 1).next().filter(|_| ends(self.memory.object(object).state.origin)) else {
            return;
        };
        let location = self.location(object, part.granule);
        let (bytes, initial) = (Bytes(part.byte_mask()), self.memory.object(object).state.initialised);
        self.races.touch(thread, (location, bytes), Touch::AtomicRead, site, initial, found);
    }

    /// An access as far as it orders others. Among interleavings in which data races are no failures, whatever reads a
    /// write comes after it. If nothing of the kind orders an access and the end of its object, then neither depends on
    /// the other: there is an interleaving in which the end comes first. Store buffers of threads keep that order, too.
    fn as_synchronising(&self, visit: Visit) -> Visit {
        let ordering = match self.settings.rules.model {
            MemoryModel::Sc if !self.settings.races => Ordering::SeqCst,
            MemoryModel::Tso if !self.settings.races => Ordering::AcqRel,
            _ => return visit,
        };
        Visit { access: visit.access.ordered(ordering), ..visit }
    }

    /// Whether it is known which accesses nothing orders.
    #[inline]
    pub(crate) fn race_tracking(&self) -> Tracking {
        match (self.settings.races, self.is_told()) {
            (true, _) => Tracking::On,
            (false, true) => Tracking::OnDemand,
            (false, false) => Tracking::Off,
        }
    }

    /// An object ends: a write to all of it.
    pub(crate) fn note_end(&mut self, object: ObjectId) {
        let Some(thread) = self.steps.last().map(|logged| logged.step.thread) else { return };
        if self.memory.object(object).state.owner != Owner::Shared {
            return;
        }
        if self.race_tracking() == Tracking::OnDemand {
            self.tell_of_all();
        }
        let locations: Vec<Location> = self.memory.object(object).locations.iter().flatten().copied().collect();
        let (site, initial) = (self.site(), self.memory.object(object).state.initialised);
        let mut found: Vec<Race> = Vec::new();
        for location in locations {
            self.races.touch(thread, (location, Bytes::ALL), Touch::Write, site, initial, |race| found.push(race));
        }
        if !found.is_empty() && self.assumes_nothing_commutes() {
            // As an interleaving it can be shown in the order in which it is wrong.
            let failure = self.refute_commuting();
            return self.failures.push(failure);
        }
        if let Some(race) = found.first() {
            let message = format!("nothing orders the end of {} and an access to it", self.object_name(object));
            let mut failure = Failure::new(BugKind::UseAfterFree, message);
            failure.accesses = std::mem::take(&mut self.race(race).accesses);
            let failure = self.locate_failure(thread, failure);
            self.failures.push(failure);
        }
    }

    /// The race between two steps, which the engine has found. The detector has found it too, as a rule, and knows more
    /// of it.
    pub(crate) fn race_between(&self, race: DataRace) -> Failure {
        if let Some((_, failure)) = self.last_race.as_ref().filter(|(depth, _)| *depth == self.steps.len()) {
            return failure.clone();
        }
        let stamp = |event: EventId| {
            let site = Site::new(event.index() + 1);
            let logged = self.logged_at(site);
            let thread = logged.map_or(MAIN, |logged| logged.step.thread);
            let touch = logged.and_then(|logged| self.ended_by(logged)).map_or(Touch::Write, |visit| Touch::of(&visit));
            Stamp { epoch: Epoch { thread, time: 0 }, touch, site }
        };
        let (earlier, later) = (stamp(race.earlier), stamp(race.later));
        let failure = self.race(&Race { earlier, later, because: None });
        self.locate_failure(later.epoch.thread, failure)
    }

    fn race(&self, race: &Race) -> Failure {
        let object = self.logged_at(race.later.site).map_or(String::new(), |logged| self.name_at(logged.address));
        let reason = race.because.and_then(|weak| self.weakness(weak)).unwrap_or_default();
        let accesses = vec![self.racing_access(&race.earlier, &object), self.racing_access(&race.later, &object)];
        let mut failure = unordered(&object, &reason, accesses);
        // It is where the later access is, however far its thread has gone on since.
        failure.location = self.logged_at(race.later.site).and_then(|logged| self.place(logged.function, logged.pc));
        failure.thread = Some(race.later.epoch.thread);
        failure
    }

    /// The race between an access and an earlier one, where the thread would go on to wait if it was carried out.
    ///
    /// The access could have come at any time since the thread got there: nothing of what others have done since depends on
    /// it. So it could have come straight before the earlier one. If it had not waited then, that is another execution, in
    /// which the two race as well.
    pub(crate) fn race_of_waiting(&self, thread: ThreadId, access: &Access) -> Option<Failure> {
        let is_data = self.roles.get(access.location.index()) == Some(&Role::Data);
        if self.race_tracking() != Tracking::On || !is_data {
            return None;
        }
        let touch = if access.ordering.is_atomic() { Touch::AtomicRead } else { Touch::Read };
        let earlier = self.races.unordered_before(thread, (access.location, access.bytes), touch)?;
        let address = self.threads[thread].core.address;
        let object = self.name_at(address);
        let (function, pc) = self.user_place(thread);
        let waiting = RacingAccess {
            thread: thread.index(),
            operation: operation(touch).to_owned(),
            object: object.clone(),
            source: self.source(self.place(function, pc)),
            steps_before: None,
        };
        Some(unordered(&object, "", vec![self.racing_access(&earlier, &object), waiting]))
    }

    /// An access of a race at `object`.
    fn racing_access(&self, stamp: &Stamp, object: &str) -> RacingAccess {
        let logged = self.logged_at(stamp.site);
        RacingAccess {
            thread: stamp.epoch.thread.index(),
            operation: operation(stamp.touch).to_owned(),
            object: match (stamp.touch, logged) {
                (Touch::Initialise, _) | (_, None) => object.to_owned(),
                (_, Some(logged)) => self.name_at(logged.address),
            },
            source: logged.and_then(|logged| self.source(self.place(logged.function, logged.pc))),
            steps_before: None,
        }
    }

    /// Why two accesses are not ordered although their threads communicated: `: the relaxed store does not synchronise
    /// (mp.c:7)`.
    fn weakness(&self, weak: Weak) -> Option<String> {
        let (Weak::Write(site) | Weak::Read(site)) = weak;
        let logged = self.logged_at(site)?;
        let (ordering, verb) = (self.ended_by(logged)?.ordering(), word(logged.verb));
        let place = self.place_text(logged.function, logged.pc).map_or(String::new(), |place| format!(" ({place})"));
        Some(format!(": the {ordering} {verb} does not synchronise{place}"))
    }
}

/// What an access does, in words.
fn operation(touch: Touch) -> &'static str {
    match touch {
        Touch::Write => "write",
        Touch::Read => "read",
        Touch::AtomicWrite => "atomic write",
        Touch::AtomicRead => "atomic read",
        Touch::Initialise => "initialisation",
    }
}

/// A race of two accesses to `object`; `reason` says why nothing orders them, where that is known.
fn unordered(object: &str, reason: &str, accesses: Vec<RacingAccess>) -> Failure {
    let message = format!("two unordered accesses to {object}, one of them a write{reason}");
    let mut failure = Failure::new(BugKind::DataRace, message);
    failure.accesses = accesses;
    failure
}
