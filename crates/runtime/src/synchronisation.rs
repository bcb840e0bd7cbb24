//! Synchronisation between the accesses of different threads: happens-before of C++20.
//!
//! A write releases what its thread knows if its ordering says so, or else what the thread knew at its last release
//! fence. A read-modify-write also passes on what the write it reads from released: that is the release sequence, `(rf;
//! rmw)*`. A read acquires what was released if its ordering says so, and otherwise keeps it for the next acquire fence
//! of its thread. `seq_cst` adds nothing to this order.
//!
//! Locks, semaphores and the like are locations that are written with acquiring and releasing accesses. Threads that
//! come and go by adding, such as readers of a lock, do not synchronise with each other: what they release is for all
//! others.
//!
//! To explain why two accesses are *not* ordered, a location also keeps what its last write would have released.
//!
//! Where reads are told their sources, what each write released is kept with its event instead of its location
//! ([`Synchronisation::access_told`]).
//!
//! Every change can be undone. This module does not know data races.

use crate::bytes::Bytes;
use crate::clock::{Clock, Epoch};
use crate::effect::Effect;
use crate::ids::{EventId, Location, ThreadId};
use crate::mailbox::Message;
use crate::operation::{Access, Class, Visit};
use crate::ordering::Ordering;
use crate::verb::Verb;
use everyway_ids::id;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

id!(
    /// A place in the execution or in the program, for reports; nothing is decided by it.
    Site,
    "site"
);

/// What a thread knows.
#[derive(Clone, Debug, Default)]
struct Knowledge {
    /// What happens before what it does next. Its own entry counts its releases.
    clock: Clock,
    /// What an acquire fence would make known.
    unfenced: Clock,
    /// What was known at the last release fence.
    fence: Clock,
    /// Writes that it has read from without acquiring what they would have passed on.
    missed: SmallVec<[Missed; 1]>,
}

/// A write that was read, and did not synchronise.
#[derive(Clone, Debug)]
struct Missed {
    location: Location,
    weak: Weak,
    /// What it would have made known.
    clock: Clock,
}

/// Which access of two that communicate is too weak to synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weak {
    /// The write, here: it does not release.
    Write(Site),
    /// The read, here: it does not acquire.
    Read(Site),
}

/// What some bytes of a location pass on.
#[derive(Clone, Debug, Default)]
struct Release {
    bytes: u8,
    /// To all threads.
    released: Clock,
    /// To all but those that add, from those that added since the last write.
    shared: Clock,
    /// What the last write would have released.
    last_write: Option<(Site, Clock)>,
}

/// By which bytes they are: accesses need not be of the same size.
type Releases = SmallVec<[Release; 1]>;

/// A change, for going back.
#[derive(Debug)]
enum Change {
    /// So often the time of the thread has passed.
    Time(ThreadId, u32),
    Clock(ThreadId, Clock),
    Unfenced(ThreadId, Clock),
    Fence(ThreadId, Clock),
    Missed(ThreadId, SmallVec<[Missed; 1]>),
    Release(Location, Releases),
    Sent(Location, Message),
    Kept,
}

/// What a write passes on to reads from it.
#[derive(Debug)]
struct Kept {
    event: EventId,
    location: Location,
    release: Release,
}

/// What is known to whom, and what locations pass on.
#[derive(Debug, Default)]
pub(crate) struct Synchronisation {
    threads: Vec<Knowledge>,
    releases: Vec<Releases>,
    sent: FxHashMap<(Location, Message), Clock>,
    /// What writes released, where reads are told their sources, in the order of events.
    kept: Vec<Kept>,
    changes: Vec<Change>,
}

impl Synchronisation {
    fn thread(&mut self, thread: ThreadId) -> &mut Knowledge {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Knowledge::default);
        }
        &mut self.threads[thread.index()]
    }

    /// How many changes there have been.
    pub(crate) fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Takes back all changes but the first `mark`.
    pub(crate) fn rewind(&mut self, mark: usize) {
        while self.changes.len() > mark {
            match self.changes.pop() {
                Some(Change::Time(thread, ticks)) => {
                    let clock = &mut self.threads[thread.index()].clock;
                    clock.set(thread, clock.get(thread) - ticks);
                }
                Some(Change::Clock(thread, old)) => self.threads[thread.index()].clock = old,
                Some(Change::Unfenced(thread, old)) => self.threads[thread.index()].unfenced = old,
                Some(Change::Fence(thread, old)) => self.threads[thread.index()].fence = old,
                Some(Change::Missed(thread, old)) => self.threads[thread.index()].missed = old,
                Some(Change::Release(location, old)) => self.releases[location.index()] = old,
                Some(Change::Sent(location, message)) => {
                    self.sent.remove(&(location, message));
                }
                Some(Change::Kept) => _ = self.kept.pop(),
                None => {}
            }
        }
    }

    /// The present moment of a thread.
    pub(crate) fn now(&self, thread: ThreadId) -> Epoch {
        Epoch { thread, time: self.threads.get(thread.index()).map_or(0, |known| known.clock.get(thread)) }
    }

    /// Whether the moment happens before what `thread` does next.
    #[inline]
    pub(crate) fn knows(&self, thread: ThreadId, epoch: Epoch) -> bool {
        epoch.thread == thread || self.threads.get(thread.index()).map_or(epoch.time == 0, |it| it.clock.knows(epoch))
    }

    /// What `thread` does from here on is not part of what it has released.
    pub(crate) fn tick(&mut self, thread: ThreadId) {
        self.thread(thread).clock.tick(thread);
        self.changes.push(Change::Time(thread, 1));
    }

    fn learn(&mut self, thread: ThreadId, clock: &Clock) {
        let known = &mut self.thread(thread).clock;
        if !clock.is_known_to(known) {
            let old = known.clone();
            known.join(clock);
            self.changes.push(Change::Clock(thread, old));
        }
    }

    /// `parent` starts `child`.
    pub(crate) fn spawn(&mut self, parent: ThreadId, child: ThreadId) {
        let clock = self.thread(parent).clock.clone();
        self.learn(child, &clock);
        self.tick(child);
        self.tick(parent);
    }

    /// `thread` has waited for the end of `joined`.
    pub(crate) fn join(&mut self, thread: ThreadId, joined: ThreadId) {
        let clock = self.thread(joined).clock.clone();
        self.learn(thread, &clock);
    }

    /// A fence, in a step before which there were so many changes.
    pub(crate) fn fence(&mut self, thread: ThreadId, ordering: Ordering, before: usize) {
        if ordering.acquires() {
            let unfenced = self.thread(thread).unfenced.clone();
            self.learn(thread, &unfenced);
        }
        if ordering.releases() {
            let known = self.thread(thread);
            let old = std::mem::replace(&mut known.fence, known.clock.clone());
            // A step is taken back as a whole: what there was before the first of its fences is all that is needed.
            if let [.., Change::Fence(by, _), Change::Time(_, ticks)] = &mut self.changes[before..]
                && *by == thread
            {
                *ticks += 1;
                self.threads[thread.index()].clock.tick(thread);
                return;
            }
            self.changes.push(Change::Fence(thread, old));
            self.tick(thread);
        }
    }

    /// `thread` accesses a location, at `site`, by an operation with this verb.
    pub(crate) fn access(&mut self, thread: ThreadId, verb: Verb, visit: &Visit, site: Site) {
        let Visit { access, class, .. } = visit;
        let location = access.location;
        match *class {
            Class::Send(message) => {
                let clock = self.thread(thread).clock.clone();
                self.sent.insert((location, message), clock);
                self.changes.push(Change::Sent(location, message));
            }
            Class::Receive { message, .. } => {
                if let Some(clock) = self.sent.get(&(location, message)).cloned() {
                    self.learn(thread, &clock);
                }
            }
            // One that finds nothing learns nothing.
            Class::Miss { .. } => {}
            Class::Read => self.read(thread, visit, site),
            Class::Add if !verb.is_memory_access() => self.add(thread, visit),
            Class::Write | Class::Store | Class::Add => {
                if !is_blind(access) {
                    self.read(thread, visit, site);
                }
                self.write(thread, visit, site);
            }
        }
    }

    /// [`Synchronisation::access`] of `event`, which reads what the event `source` left there, or the initial value.
    pub(crate) fn access_told(
        &mut self,
        thread: ThreadId,
        verb: Verb,
        visit: &Visit,
        site: Site,
        (source, event): (Option<EventId>, EventId),
    ) {
        let location = visit.access.location;
        let is_add = visit.class == Class::Add && !verb.is_memory_access();
        match visit.class {
            Class::Send(_) | Class::Receive { .. } | Class::Miss { .. } => {
                return self.access(thread, verb, visit, site);
            }
            Class::Read | Class::Write | Class::Store | Class::Add => {}
        }
        let source = source.filter(|_| visit.access.looks()).and_then(|source| self.kept(location, source));
        // Taken out for the moment, so that threads can learn of it.
        let mut read = source.map(|at| (at, std::mem::take(&mut self.kept[at].release)));
        if let Some((_, release)) = &read {
            if !is_add {
                self.read_release(thread, location, release, visit.ordering(), site);
            } else if visit.ordering().acquires() {
                self.learn(thread, &release.released);
            }
        }
        if visit.class.changes() {
            let before = read.as_ref().map(|(_, release)| release);
            let release =
                if is_add { self.added(thread, visit, before) } else { self.written(thread, visit, site, before) };
            self.kept.push(Kept { event, location, release });
            self.changes.push(Change::Kept);
        }
        if let Some((at, release)) = read.take() {
            self.kept[at].release = release;
        }
    }

    /// Where what an event passes on with a location is kept.
    fn kept(&self, location: Location, event: EventId) -> Option<usize> {
        let first = self.kept.partition_point(|kept| kept.event < event);
        let of_event = self.kept[first..].iter().take_while(|kept| kept.event == event);
        of_event.enumerate().filter(|(_, kept)| kept.location == location).last().map(|(at, _)| first + at)
    }

    /// Whether all that the location passes on is known to `thread`.
    pub(crate) fn has_acquired(&self, thread: ThreadId, location: Location) -> bool {
        let nothing = Clock::default();
        let known = self.threads.get(thread.index()).map_or(&nothing, |known| &known.clock);
        let releases = self.releases.get(location.index()).map_or(&[][..], |releases| &releases[..]);
        releases.iter().all(|release| release.released.is_known_to(known) && release.shared.is_known_to(known))
    }

    fn releases(&mut self, location: Location) -> &mut Releases {
        if self.releases.len() <= location.index() {
            self.releases.resize_with(location.index() + 1, Releases::default);
        }
        &mut self.releases[location.index()]
    }

    fn read(&mut self, thread: ThreadId, visit: &Visit, site: Site) {
        let (location, bytes) = (visit.access.location, visit.access.bytes);
        let ordering = visit.ordering();
        if !ordering.is_atomic() || self.releases(location).is_empty() {
            return;
        }
        let releases = std::mem::take(self.releases(location));
        for release in releases.iter().filter(|release| bytes.overlaps(Bytes(release.bytes))) {
            self.read_release(thread, location, release, ordering, site);
        }
        self.releases[location.index()] = releases;
    }

    /// `thread` reads from a write that passes on `release`.
    fn read_release(
        &mut self,
        thread: ThreadId,
        location: Location,
        release: &Release,
        ordering: Ordering,
        site: Site,
    ) {
        if !ordering.is_atomic() {
            return;
        }
        if ordering.acquires() {
            self.learn(thread, &release.released);
            self.learn(thread, &release.shared);
        } else {
            let unfenced = &mut self.thread(thread).unfenced;
            if !release.released.is_known_to(unfenced) || !release.shared.is_known_to(unfenced) {
                let old = unfenced.clone();
                unfenced.join(&release.released);
                unfenced.join(&release.shared);
                self.changes.push(Change::Unfenced(thread, old));
            }
        }
        self.note_missed(thread, location, release, site);
    }

    /// What a write passes on, which reads from one that passes on `before`, or replaces the value without looking.
    fn written(&mut self, thread: ThreadId, visit: &Visit, site: Site, before: Option<&Release>) -> Release {
        let (bytes, ordering) = (visit.access.bytes.0, visit.ordering());
        if !ordering.is_atomic() && before.is_none() {
            return Release { bytes, ..Release::default() };
        }
        let known = self.thread(thread);
        let mut released = match ordering {
            Ordering::Plain => Clock::default(),
            _ if ordering.releases() => known.clock.clone(),
            _ => known.fence.clone(),
        };
        let last_write = ordering.is_atomic().then(|| (site, known.clock.clone()));
        if let Some(before) = before.filter(|_| !is_blind(&visit.access)) {
            released.join(&before.released);
            released.join(&before.shared);
        }
        Release { bytes, released, shared: Clock::default(), last_write }
    }

    /// What a lock or the like passes on after an add that finds it passing on `before`.
    fn added(&mut self, thread: ThreadId, visit: &Visit, before: Option<&Release>) -> Release {
        let mut release = before.cloned().unwrap_or_default();
        release.bytes = visit.access.bytes.0;
        if visit.ordering().releases() {
            release.shared.join(&self.thread(thread).clock);
        }
        release
    }

    /// Takes note of a write that the thread has read from, if it would have told the thread more than it did.
    fn note_missed(&mut self, thread: ThreadId, location: Location, release: &Release, site: Site) {
        let Some((writer, clock)) = &release.last_write else { return };
        let known = self.thread(thread);
        if clock.is_known_to(&known.clock) {
            return;
        }
        let weak = if clock.is_known_to(&release.released) { Weak::Read(site) } else { Weak::Write(*writer) };
        let old = known.missed.clone();
        known.missed.retain(|missed| missed.location != location);
        known.missed.push(Missed { location, weak, clock: clock.clone() });
        self.changes.push(Change::Missed(thread, old));
    }

    /// Those who add to a lock or the like do not synchronise with each other.
    fn add(&mut self, thread: ThreadId, visit: &Visit) {
        let (location, bytes) = (visit.access.location, visit.access.bytes.0);
        let ordering = visit.ordering();
        let old = self.releases(location).clone();
        if ordering.acquires() {
            for release in &old {
                self.learn(thread, &release.released);
            }
        }
        if !ordering.releases() {
            return;
        }
        let clock = self.thread(thread).clock.clone();
        let releases = self.releases(location);
        match releases.iter_mut().find(|release| release.bytes == bytes) {
            Some(release) => release.shared.join(&clock),
            None => releases.push(Release { bytes, shared: clock, ..Release::default() }),
        }
        self.changes.push(Change::Release(location, old));
    }

    fn write(&mut self, thread: ThreadId, visit: &Visit, site: Site) {
        let (location, bytes) = (visit.access.location, visit.access.bytes);
        let ordering = visit.ordering();
        if !ordering.is_atomic() && self.releases(location).is_empty() {
            return;
        }
        let known = self.thread(thread);
        let (clock, fence) = (known.clock.clone(), known.fence.clone());
        let mut released = match ordering {
            Ordering::Plain => Clock::default(),
            _ if ordering.releases() => clock.clone(),
            _ => fence,
        };
        let releases = self.releases(location);
        let old = releases.clone();
        if !is_blind(&visit.access) {
            for release in old.iter().filter(|release| bytes.overlaps(Bytes(release.bytes))) {
                released.join(&release.released);
                released.join(&release.shared);
            }
        }
        for release in releases.iter_mut() {
            release.bytes &= !bytes.0;
        }
        releases.retain(|release| release.bytes != 0);
        let last_write = ordering.is_atomic().then_some((site, clock));
        releases.push(Release { bytes: bytes.0, released, shared: Clock::default(), last_write });
        self.changes.push(Change::Release(location, old));
    }

    /// The access whose weakness is why `thread` does not know of a moment, if there is one.
    pub(crate) fn reason(&self, thread: ThreadId, epoch: Epoch) -> Option<Weak> {
        let missed = &self.threads.get(thread.index())?.missed;
        missed.iter().rev().find(|missed| missed.clock.knows(epoch)).map(|missed| missed.weak)
    }
}

/// Whether it replaces the value without looking, so that no release sequence goes on with it.
fn is_blind(access: &Access) -> bool {
    access.when == crate::Condition::Always && matches!(access.effect, Effect::Write(_) | Effect::Store(_))
}
