//! Race detection beside happens-before that is computed from scratch, event by event and pair by pair; and known
//! sequences with each ordering.

mod naive;

use super::*;
use crate::condition::Condition;
use crate::effect::Effect;
use crate::operation::Access;
use naive::{Event, Kind};

/// A detector, and what it was told.
#[derive(Default)]
struct Checked {
    races: Races,
    events: Vec<Event>,
    stamps: Vec<Epoch>,
}

impl Checked {
    /// Tells the detector of one more event, and gives the races it finds.
    fn take(&mut self, event: Event) -> Vec<Race> {
        let site = Site::new(self.events.len());
        let thread = event.thread;
        let mut found = Vec::new();
        self.races.begin_step();
        self.events.push(event);
        self.stamps.push(self.races.now(thread));
        match event.kind {
            Kind::Fence(ordering) => self.races.fence(thread, ordering),
            Kind::Spawn(child) => self.races.spawn(thread, child),
            Kind::Join(child) => {
                self.races.join(thread, child);
                // Here threads go on after they were joined.
                self.races.tick(child);
            }
            Kind::Access { verb, access, before } => {
                let visit = Visit::carry_out(&access, before).0;
                self.races.synchronise(thread, verb, &visit, site);
                if verb.is_memory_access() {
                    self.races.access(thread, &visit, site, None, |race| found.push(race));
                }
            }
        }
        self.races.tick(thread);
        found
    }

    fn rewind(&mut self, depth: usize) {
        self.races.rewind(depth);
        self.events.truncate(depth);
        self.stamps.truncate(depth);
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const ORDERINGS: [Ordering; 5] =
    [Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst];

fn on(location: u32, effect: Effect, ordering: Ordering) -> Access {
    Access::new(Location(location), effect).ordered(ordering)
}

fn event(thread: u32, verb: Verb, access: Access) -> Event {
    Event { thread: ThreadId(thread), kind: Kind::Access { verb, access, before: 0 } }
}

fn store(thread: u32, location: u32, ordering: Ordering) -> Event {
    event(thread, Verb::Store, on(location, Effect::Store(1), ordering))
}

fn load(thread: u32, location: u32, ordering: Ordering) -> Event {
    event(thread, Verb::Load, on(location, Effect::Read, ordering))
}

fn add(thread: u32, location: u32, ordering: Ordering) -> Event {
    event(thread, Verb::FetchAdd, on(location, Effect::Modify(|a, b| a + b, 1), ordering))
}

fn fence(thread: u32, ordering: Ordering) -> Event {
    Event { thread: ThreadId(thread), kind: Kind::Fence(ordering) }
}

fn spawn(thread: u32, child: u32) -> Event {
    Event { thread: ThreadId(thread), kind: Kind::Spawn(ThreadId(child)) }
}

/// An event of one of the threads 1 to 3, on atomics, data and a lock.
fn random_event(random: &mut Random) -> Event {
    let thread = 1 + random.below(3) as u32;
    let bytes = random.of(&[Bytes::ALL, Bytes::ALL, Bytes(0x0f), Bytes(0xf0), Bytes(0x3c)]);
    let ordering = random.of(&ORDERINGS);
    let atomic = random.below(2) as u32;
    let narrow = |access: Access| Access { bytes, ..access };
    match random.below(19) {
        0..4 => event(thread, Verb::Store, narrow(on(atomic, Effect::Store(1), ordering))),
        4..8 => event(thread, Verb::Load, narrow(on(atomic, Effect::Read, ordering))),
        8..10 => event(thread, Verb::FetchAdd, narrow(on(atomic, Effect::Modify(|a, b| a + b, 1), ordering))),
        10 => {
            // A compare-exchange that fails.
            let access = narrow(on(atomic, Effect::Write(1), ordering)).if_now(Condition::Equals(5));
            let access = Access { ordering_unmet: random.of(&ORDERINGS), ..access };
            event(thread, Verb::CompareExchange, access)
        }
        11 => fence(thread, ordering),
        12 => event(thread, Verb::ReadLock, on(9, Effect::Add(1), Ordering::SeqCst)),
        13 => event(thread, Verb::WriteLock, on(9, Effect::Modify(|_, b| b, 1), Ordering::SeqCst)),
        14 => event(thread, Verb::Unlock, on(9, Effect::Write(0), Ordering::SeqCst)),
        15 => Event { thread: ThreadId(0), kind: Kind::Join(ThreadId(thread)) },
        _ => {
            let effect = random.of(&[Effect::Read, Effect::Read, Effect::Store(1)]);
            let verb = if matches!(effect, Effect::Read) { Verb::Read } else { Verb::Write };
            event(thread, verb, narrow(on(2 + random.below(2) as u32, effect, Ordering::Plain)))
        }
    }
}

#[test]
fn it_agrees_with_happens_before_from_scratch() {
    let (mut racing, mut ordered) = (0, 0);
    for seed in 0..400 {
        let mut random = Random(seed * 7919 + 1);
        let mut checked = Checked::default();
        let mut raced = Vec::new();
        (1..4).for_each(|child| {
            checked.take(spawn(0, child));
            raced.push(false);
        });
        for _ in 0..24 {
            if random.below(12) == 0 {
                let depth = 3 + random.below(checked.events.len() - 2);
                checked.rewind(depth);
                raced.truncate(depth);
                continue;
            }
            let found = checked.take(random_event(&mut random));
            let before = naive::happens_before(&checked.events);
            let last = checked.events.len() - 1;
            for (earlier, &stamp) in checked.stamps[..last].iter().enumerate() {
                let known = checked.races.synchronisation.knows(checked.events[last].thread, stamp);
                assert_eq!(known, before[earlier][last], "seed {seed}, {earlier} and {last} of {:#?}", checked.events);
            }
            let expected = naive::races(&checked.events, &before, last);
            // From the first race on the program has no meaning, and what is kept is no longer all there is.
            let is_first = !raced.contains(&true);
            raced.push(!expected.is_empty());
            for race in &found {
                assert!(expected.contains(&race.earlier.site.index()), "seed {seed}: {race:?}");
            }
            if is_first {
                assert_eq!(found.is_empty(), expected.is_empty(), "seed {seed}: {:#?}", checked.events);
                if expected.is_empty() { ordered += 1 } else { racing += 1 }
            }
        }
    }
    assert!(racing > 100 && ordered > 1_000, "{racing} and {ordered}");
}

#[test]
fn going_back_to_the_start_leaves_nothing() {
    let mut random = Random(3);
    let mut checked = Checked::default();
    (0..200).for_each(|_| {
        checked.take(random_event(&mut random));
    });
    checked.races.reset();
    assert!(checked.races.histories.iter().all(|histories| histories.is_empty()));
    assert!((0..4).all(|thread| checked.races.now(ThreadId(thread)).time == 0));
}

/// The races of the last of these events, with thread 0 starting 1 and 2 first.
fn races_of(events: &[Event]) -> Vec<Race> {
    let mut checked = Checked::default();
    checked.take(spawn(0, 1));
    checked.take(spawn(0, 2));
    let mut last = Vec::new();
    for &event in events {
        last = checked.take(event);
    }
    last
}

const DATA: u32 = 3;
const FLAG: u32 = 0;

fn plain_write(thread: u32) -> Event {
    event(thread, Verb::Write, on(DATA, Effect::Store(7), Ordering::Plain))
}

fn plain_read(thread: u32) -> Event {
    event(thread, Verb::Read, on(DATA, Effect::Read, Ordering::Plain))
}

#[test]
fn message_passing_needs_a_release_and_an_acquire() {
    for written in ORDERINGS {
        for read in ORDERINGS {
            let found = races_of(&[plain_write(1), store(1, FLAG, written), load(2, FLAG, read), plain_read(2)]);
            assert_eq!(found.is_empty(), written.releases() && read.acquires(), "{written} and {read}");
            // The store is event 3, the load event 4.
            let because = found.first().and_then(|race| race.because);
            let weak = if written.releases() { Weak::Read(Site(4)) } else { Weak::Write(Site(3)) };
            assert_eq!(because, (!found.is_empty()).then_some(weak), "{written} and {read}");
        }
    }
}

#[test]
fn fences_make_up_for_relaxed_accesses() {
    let relaxed = Ordering::Relaxed;
    for release in ORDERINGS {
        for acquire in ORDERINGS {
            let found = races_of(&[
                plain_write(1),
                fence(1, release),
                store(1, FLAG, relaxed),
                load(2, FLAG, relaxed),
                fence(2, acquire),
                plain_read(2),
            ]);
            assert_eq!(found.is_empty(), release.releases() && acquire.acquires(), "{release} and {acquire}");
        }
    }
    // What comes after the fence is not released by it.
    let late = [fence(1, Ordering::Release), plain_write(1), store(1, FLAG, relaxed), load(2, FLAG, Ordering::Acquire)];
    assert_eq!(races_of(&[&late[..], &[plain_read(2)]].concat()).len(), 1);
}

#[test]
fn a_release_sequence_goes_on_with_read_modify_writes_only() {
    let (release, acquire, relaxed) = (Ordering::Release, Ordering::Acquire, Ordering::Relaxed);
    let passes = |middle: Event| {
        races_of(&[plain_write(1), store(1, FLAG, release), middle, load(2, FLAG, acquire), plain_read(2)]).is_empty()
    };
    assert!(passes(add(0, FLAG, relaxed)), "a relaxed read-modify-write of another thread");
    assert!(!passes(store(0, FLAG, relaxed)), "a store of another thread");
    assert!(!passes(store(1, FLAG, relaxed)), "a store of the same thread: no longer since C++20");
}

#[test]
fn store_buffering_on_plain_memory_is_a_race_whatever_the_order() {
    let write = |thread, location| event(thread, Verb::Write, on(location, Effect::Store(1), Ordering::Plain));
    let read = |thread, location| event(thread, Verb::Read, on(location, Effect::Read, Ordering::Plain));
    assert_eq!(races_of(&[write(1, 5), write(2, 6), read(1, 6)]).len(), 1);
    assert_eq!(races_of(&[write(1, 5), write(2, 6), read(2, 5)]).len(), 1);
}

#[test]
fn parts_of_a_word_do_not_race_with_each_other() {
    let half = |thread, bytes| {
        let access = Access { bytes: Bytes(bytes), ..on(DATA, Effect::Store(1), Ordering::Plain) };
        event(thread, Verb::Write, access)
    };
    assert!(races_of(&[half(1, 0x0f), half(2, 0xf0)]).is_empty());
    assert_eq!(races_of(&[half(1, 0x0f), half(2, 0xf0), half(2, 0x18)]).len(), 1);
}

#[test]
fn atomic_accesses_race_with_plain_ones_only() {
    let atomic = |thread| event(thread, Verb::Store, on(DATA, Effect::Store(1), Ordering::Relaxed));
    assert!(races_of(&[atomic(1), atomic(2)]).is_empty());
    assert_eq!(races_of(&[atomic(1), plain_read(2)]).len(), 1);
    assert_eq!(races_of(&[plain_read(1), atomic(2)]).len(), 1);
}

#[test]
fn messages_carry_what_their_sender_knew() {
    let message = crate::Message { sender: ThreadId(1), nth: 0 };
    let (send, receive) = (on(7, Effect::Send(message), Ordering::SeqCst), on(7, Effect::Receive(0), Ordering::SeqCst));
    let sent = Event { thread: ThreadId(1), kind: Kind::Access { verb: Verb::Send, access: send, before: 0 } };
    let before = crate::Message::encode(Some(message));
    let taken = Event { thread: ThreadId(2), kind: Kind::Access { verb: Verb::Receive, access: receive, before } };
    assert!(races_of(&[plain_write(1), sent, taken, plain_read(2)]).is_empty());
    assert_eq!(races_of(&[sent, plain_write(1), taken, plain_read(2)]).len(), 1);
}

#[test]
fn what_was_in_memory_before_counts_as_written() {
    let mut checked = Checked::default();
    checked.take(spawn(0, 1));
    checked.take(spawn(0, 2));
    let initial = Stamp { epoch: checked.races.now(ThreadId(1)), touch: Touch::Initialise, site: Site(9) };
    let visit = Visit::carry_out(&on(DATA, Effect::Read, Ordering::Plain), 0).0;
    let mut found = Vec::new();
    checked.races.access(ThreadId(2), &visit, Site(10), Some(initial), |race| found.push(race));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].earlier, found[0].because), (initial, None));
}
