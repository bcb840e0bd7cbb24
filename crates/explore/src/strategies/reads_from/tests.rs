//! Consistency against brute force, on random traces and on the paper's Fig. 5.

use super::decide::decide;
use super::life::Role;
use super::linearization::{Entry, Name, Source};
use super::saturation::{Cyclic, Saturation};
use super::unit::Unit;
use super::witness::{Answer, Guide, witness};
use crate::budget::Budget;
use crate::happens_before::join;
use everyway_runtime::{Step, ThreadId};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const UNITS: u32 = 3;

/// An ordered unit, and its members.
const ORDERED: u32 = 3;
const MEMBERS: [u32; 2] = [4, 5];

/// An order of events to be guided by.
struct Guiding(Vec<Name>);

impl Guide for Guiding {
    fn position(&self, thread: ThreadId, index: u32) -> u32 {
        let name = Name { thread, index };
        self.0.iter().position(|&other| other == name).map_or(u32::MAX, |position| position as u32)
    }

    fn events(&self) -> impl Iterator<Item = (ThreadId, u32)> {
        self.0.iter().map(|name| (name.thread, name.index))
    }
}

fn name(thread: usize, index: usize) -> Name {
    Name { thread: ThreadId::new(thread), index: index as u32 + 1 }
}

fn event(name: Name, unit: u32, source: Source, writes: bool) -> Entry {
    Entry {
        name,
        choice: 0,
        unit: Some(Unit(unit)),
        sum: None,
        seen: None,
        is_ordered: false,
        role: Role::None,
        source,
        writes,
        members: None,
        may_write: writes,
        after: [None; 2],
    }
}

/// A change of the ordered unit, and of those members whose bits are set.
fn change(name: Name, members: usize) -> Entry {
    let members = (0..2).filter(|member| members >> member & 1 == 1).map(|member| Unit(MEMBERS[member]));
    Entry { members: Some(members.collect()), ..event(name, ORDERED, Source::Initial, true) }
}

/// A random trace, with events after their sources; `None` if there is no such order.
fn random_trace(random: &mut fastrand::Rng) -> Option<Vec<Entry>> {
    let threads = random.usize(2..=4);
    let mut entries = Vec::new();
    for thread in 0..threads {
        for index in 0..random.usize(1..=12 / threads) {
            let (reads, writes) = [(true, false), (false, true), (true, true)][random.usize(0..3)];
            let source = if reads { Source::Initial } else { Source::Nowhere };
            let name = name(thread, index);
            entries.push(match (random.u8(0..3), writes) {
                (0, true) => change(name, random.usize(1..4)),
                (0, false) => event(name, MEMBERS[random.usize(0..2)], source, false),
                _ => event(name, random.u32(0..UNITS), source, writes),
            });
        }
    }
    for reader in 0..entries.len() {
        let Entry { name, unit, .. } = entries[reader];
        let may = |other: &&Entry| other.writes && other.units().any(|of| Some(of) == unit) && other.name != name;
        let writers: Vec<Name> = entries.iter().filter(may).map(|other| other.name).collect();
        if entries[reader].reads() && !writers.is_empty() && random.u8(0..4) > 0 {
            entries[reader].source = Source::Event(writers[random.usize(0..writers.len())]);
        }
    }
    sorted(entries)
}

/// The entries, each after the previous one of its thread and its source.
fn sorted(mut entries: Vec<Entry>) -> Option<Vec<Entry>> {
    let mut result: Vec<Entry> = Vec::new();
    while !entries.is_empty() {
        let is_there = |name: Name| result.iter().any(|entry: &Entry| entry.name == name);
        let is_ready = |entry: &Entry| {
            let previous = Name { index: entry.name.index - 1, ..entry.name };
            (previous.index == 0 || is_there(previous))
                && if let Source::Event(source) = entry.source { is_there(source) } else { true }
        };
        let position = entries.iter().position(is_ready)?;
        result.push(entries.remove(position));
    }
    Some(result)
}

/// Whether executing events in this order gives each its source.
fn is_execution(entries: &[Entry], order: &[Name]) -> bool {
    let mut last = [Source::Initial; UNITS as usize + 4];
    let mut done: Vec<Name> = Vec::new();
    order.iter().all(|&name| {
        let Some(entry) = entries.iter().find(|entry| entry.name == name) else { return false };
        let follows = name.index == 1 || done.contains(&Name { index: name.index - 1, ..name });
        let unit = entry.unit.expect("all access something").index();
        let finds = !entry.reads() || entry.source == last[unit];
        if entry.writes {
            entry.units().for_each(|unit| last[unit.index()] = Source::Event(name));
        }
        done.push(name);
        follows && finds
    }) && order.len() == entries.len()
}

/// Whether some interleaving gives every event its source.
fn has_execution(entries: &[Entry]) -> bool {
    fn extend(entries: &[Entry], done: &mut Vec<u32>, last: &mut Vec<Source>, left: usize) -> bool {
        left == 0
            || (0..done.len()).any(|thread| {
                let next = Name { thread: ThreadId::new(thread), index: done[thread] + 1 };
                let Some(entry) = entries.iter().find(|entry| entry.name == next) else { return false };
                let unit = entry.unit.expect("all access something").index();
                if entry.reads() && entry.source != last[unit] {
                    return false;
                }
                let before = last.clone();
                if entry.writes {
                    entry.units().for_each(|unit| last[unit.index()] = Source::Event(next));
                }
                done[thread] += 1;
                let found = extend(entries, done, last, left - 1);
                done[thread] -= 1;
                *last = before;
                found
            })
    }
    extend(entries, &mut vec![0; 16], &mut vec![Source::Initial; UNITS as usize + 4], entries.len())
}

fn order_of(entries: &[Entry], saturate: bool) -> Result<Saturation, Cyclic> {
    let mut order = Saturation::default();
    order.reset(16);
    for entry in entries {
        if saturate {
            order.append(entry)?;
        } else {
            _ = order.push(entry);
        }
    }
    Ok(order)
}

/// The names of the steps of a witness.
fn names(steps: &[Step]) -> Vec<Name> {
    let mut done = [0; 16];
    let name = |step: &Step| {
        done[step.thread.index()] += 1;
        Name { thread: step.thread, index: done[step.thread.index()] }
    };
    steps.iter().map(name).collect()
}

#[test]
fn consistency_is_what_brute_force_says() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut consistent = 0;
    let mut refuted = 0;
    let mut guided = 0;
    for _ in 0..if cfg!(debug_assertions) { 3_000 } else { 100_000 } {
        let Some(entries) = random_trace(&mut random) else { continue };
        let expected = has_execution(&entries);
        consistent += u32::from(expected);
        // The search by itself, not helped by saturation.
        let plain = order_of(&entries, false).expect("nothing was required");
        assert_eq!(decides(&plain, &entries), expected, "{entries:?}");
        match order_of(&entries, true) {
            Err(Cyclic) => {
                refuted += 1;
                assert!(!expected, "saturation refutes {entries:?}");
            }
            Ok(mut order) => {
                let mut guide: Vec<Name> = entries.iter().map(|entry| entry.name).collect();
                random.shuffle(&mut guide);
                guide.sort_by_key(|name| name.index);
                let answer = witness(&mut order, &Guiding(guide), &Budget::unlimited());
                guided += u32::from(matches!(answer, Answer::Guided(_)));
                let steps = answer.execution();
                assert_eq!(steps.is_some(), expected, "{entries:?}");
                let valid = steps.is_none_or(|steps| is_execution(&entries, &names(&steps)));
                assert!(valid, "not an execution of {entries:?}");
            }
        }
    }
    assert!(consistent > 100 && refuted > 100 && guided > 100, "{consistent} {refuted} {guided}");
}

fn decides(order: &Saturation, entries: &[Entry]) -> bool {
    decide(order, &Budget::unlimited()).is_some_and(|events| {
        let names: Vec<Name> = events.iter().map(|&event| order.name(event)).collect();
        assert!(is_execution(entries, &names), "not an execution of {entries:?}");
        true
    })
}

#[test]
fn going_back_leaves_what_was_there() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..1_000 {
        let Some(entries) = random_trace(&mut random) else { continue };
        let Ok(mut order) = order_of(&entries, true) else { continue };
        let length = random.usize(0..entries.len());
        order.truncate(length);
        let fresh = order_of(&entries[..length], true).expect("part of what is not cyclic");
        let clocks =
            |order: &Saturation| (0..length as u32).map(|event| order.clock(event).to_vec()).collect::<Vec<_>>();
        assert_eq!(clocks(&order), clocks(&fresh), "{entries:?} cut back to {length}");
        for entry in &entries[length..] {
            order.append(entry).expect("as before");
        }
        let mut whole = vec![0; 16];
        (0..entries.len() as u32).for_each(|event| join(&mut whole, order.clock(event)));
        assert_eq!(whole.iter().sum::<u32>() as usize, entries.len());
    }
}

/// Fig. 5 of the paper: `after` is written by a thread that has seen `z = 1` and `y = 2`; two threads see `before` and
/// then overwrite one of these before they look at the other one, as it was. Nothing but a search tells that `before`
/// is written before `after`. The units are x, y and z; the threads are numbered from `first` on.
fn hidden_order(first: usize, [x, y, z]: [u32; 3], before: Name, after: usize) -> Vec<Entry> {
    let (write_z, write_y) = (name(first, 0), name(first + 1, 0));
    let read = |name, unit, source| event(name, unit, Source::Event(source), false);
    let write = |name, unit| event(name, unit, Source::Nowhere, true);
    vec![
        write(write_z, z),
        write(write_y, y),
        read(name(after, 0), z, write_z),
        read(name(after, 1), y, write_y),
        write(name(after, 2), x),
        read(name(first + 2, 0), x, before),
        write(name(first + 2, 1), y),
        read(name(first + 2, 2), z, write_z),
        read(name(first + 3, 0), x, before),
        write(name(first + 3, 1), z),
        read(name(first + 3, 2), y, write_y),
    ]
}

#[test]
fn an_order_that_saturation_does_not_see() {
    let before = name(5, 0);
    let mut entries = hidden_order(0, [0, 1, 2], before, 4);
    // The first one, so that the attempt starts with the order of the writes to x.
    entries.insert(0, event(before, 0, Source::Nowhere, true));
    let entries = sorted(entries).expect("sources come first");
    let mut order = order_of(&entries, true).expect("saturation finds nothing wrong");
    let position = |wanted: Name| (0..order.len() as u32).find(|&event| order.name(event) == wanted).expect("there");
    let (one, other) = (position(before), position(name(4, 2)));
    assert!(!order.precedes(one, other) && !order.precedes(other, one));
    // A guide that has it the wrong way round.
    let mut guide: Vec<Name> = entries.iter().map(|entry| entry.name).collect();
    guide.sort_by_key(|&name| (name == before, name));
    let Answer::Decided(Some(steps)) = witness(&mut order, &Guiding(guide), &Budget::unlimited()) else {
        panic!("it is consistent, and only the search finds out")
    };
    assert!(is_execution(&entries, &names(&steps)));
    let cancelled = Budget::new(None, Arc::new(AtomicBool::new(true)));
    cancelled.look();
    assert_eq!(decide(&order, &cancelled), None, "the search is cut short");
}

#[test]
fn a_contradiction_that_saturation_does_not_see() {
    // Each of the two writes to x is hidden to come before the other one.
    let one = hidden_order(0, [0, 1, 2], name(9, 2), 4);
    let other = hidden_order(5, [0, 3, 4], name(4, 2), 9);
    let entries = sorted([one, other].concat()).expect("sources come first");
    let mut order = order_of(&entries, true).expect("saturation finds nothing wrong");
    let guide = Guiding(entries.iter().map(|entry| entry.name).collect());
    assert_eq!(witness(&mut order, &guide, &Budget::unlimited()), Answer::Decided(None));
}
