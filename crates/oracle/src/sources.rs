//! Reads-from by the book, and the classes it divides executions into.
//!
//! Two executions are of one class if their threads take the same steps, and every step that looks at something finds
//! what the same step left there. What this means where steps wait, touch several things at once, or touch a location in
//! overlapping parts, is written down here anew: what they touch is *ordered*, and a step that changes it depends on the
//! last one that changed it before. A receive that waits for a message, and does nothing else, depends on the sending of
//! what it takes. A step that does nothing but read what does not overlap anything, and does not end, depends on the last
//! step that changed just that, whatever it is ordered with.
//!
//! What is only ever added to without a result, and read, is a *sum*, wherever there is more than one thread: an add
//! depends on nothing, and a read on all adds that came before it.
//!
//! What ends together is not ordered by that: who touches it later depends on the end, and on nothing else. But all that is
//! ordered of it, or touched by steps that wait or have alternatives, or touch something else that ends elsewhere, is ordered
//! as one, together with the end. So is all of it if ends have only some of their locations in common, or follow each
//! other. What ends is no sum.
//!
//! A sum may also be added to by steps that do nothing else once a condition is met, if that is met by all that can come of it
//! if each thread has taken any number of its adds.
//!
//! A location is not ordered by steps that do nothing but wait at it, if none of them ever has to wait when something has
//! been left there since there is more than one thread.

mod ends;
mod refused;
mod shares;

use crate::brute::{Witness, walk};
use crate::machine::Machine;
use crate::program::Program;
use crate::relation::{Class, Deed, Fate, History, Manner, Touch};
use everyway_runtime::{Condition, Effect, Operation, State, Then, blocked};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// What all interleavings of a program come to by who reads from whom.
#[derive(Debug, Default)]
pub struct BySources {
    /// The classes, each with what threads have seen in its executions.
    pub classes: FxHashMap<Class, Vec<u64>>,
    /// What is ordered.
    pub ordering: Ordering,
}

/// Runs all interleavings of `program`; `None` if there are more than `limit`.
///
/// # Panics
/// When threads see different things in two executions of one class: then the classes are too coarse.
pub fn enumerate(program: &Program, limit: usize) -> Option<BySources> {
    let mut search = Search::default();
    walk(program, limit, &mut search).then(|| search.result())
}

/// What is ordered is known when all interleavings have been seen.
#[derive(Default)]
struct Search {
    ordering: Ordering,
    ends: Vec<(History, Vec<Fate>, Vec<u64>)>,
}

impl Witness for Search {
    fn step(&mut self, operation: &Operation, choices: u32, machine: &Machine, is_alone: bool) {
        let deed = machine.deed();
        self.ordering.note_end(operation, choices, Some(deed));
        if deed.touches.iter().any(|touch| touch.manner == Manner::End) {
            return;
        }
        self.ordering.note(operation, choices, Some(deed));
        if !is_alone {
            self.ordering.note_uses(operation, deed);
        }
    }

    fn end(&mut self, machine: &Machine, history: &History) {
        for thread in blocked(machine) {
            self.ordering.note(machine.operation(thread), machine.choices(thread), None);
            self.ordering.note_refusal(machine.operation(thread));
            self.ordering.note_end(machine.operation(thread), machine.choices(thread), None);
        }
        self.ordering.note_courses(history);
        self.ordering.note_waiting(machine, history);
        self.ordering.note_ranges(history);
        self.ordering.note_ends(history);
        self.ends.push((history.clone(), machine.fates().collect(), machine.seen()));
    }
}

impl Search {
    fn result(self) -> BySources {
        let mut found = BySources { ordering: self.ordering, ..BySources::default() };
        found.ordering.order_shares();
        found.ordering.order_waits();
        found.ordering.order_ends();
        for (history, fates, seen) in self.ends {
            match found.classes.entry(found.ordering.class(&history, fates.into_iter())) {
                Entry::Occupied(known) => {
                    assert_eq!(known.get(), &seen, "one class by sources, two outcomes:\n{history}");
                }
                Entry::Vacant(new) => _ = new.insert(seen),
            }
        }
        found
    }
}

/// A byte of a location.
type Byte = (u32, u8);

fn bytes_of(location: u32, part: u8) -> impl Iterator<Item = Byte> {
    (0..8).filter(move |byte| part >> byte & 1 == 1).map(move |byte| (location, byte))
}

/// What is ordered, found out from all steps that a program can take.
#[derive(Clone, Debug, Default)]
pub struct Ordering {
    /// Sets of bytes that do not overlap, each of them ordered as one.
    sets: Vec<BTreeSet<Byte>>,
    parts: BTreeMap<u32, BTreeSet<u8>>,
    /// Parts of locations that are added to without a result.
    added: BTreeSet<(u32, u8)>,
    /// Those that are accessed otherwise, but for being read.
    otherwise: BTreeSet<(u32, u8)>,
    /// Those that are waited at, and what for.
    waits: FxHashSet<((u32, u8), Condition)>,
    /// Those of them where a thread has to wait although several threads have left something there.
    refused: BTreeSet<(u32, u8)>,
    /// Locations that are added to: the first and the last value of an execution, all adds being up, or all down;
    /// otherwise nothing.
    courses: BTreeSet<(u32, Option<(u64, u64)>)>,
    /// Parts of locations that are added to once a condition is met.
    shares: FxHashSet<((u32, u8), Condition)>,
    /// Locations that are added to: the least and the most that can come of it in an execution.
    ranges: BTreeSet<(u32, i128, i128)>,
    /// Sets of locations that end at once.
    ends: BTreeSet<BTreeSet<u32>>,
    /// Pairs of locations of which one has ended after the other, in another step.
    ended_apart: BTreeSet<(u32, u32)>,
    /// The steps that touch something, by what they touch, and whether they wait or have alternatives.
    touched: BTreeSet<(BTreeSet<(u32, u8)>, bool)>,
    /// What ends together, and a byte of what is ordered together with that end, if something is.
    tied: Vec<(BTreeSet<u32>, Option<Byte>)>,
}

impl Ordering {
    /// Takes note of a step that is announced, and of what it did besides, if it was taken.
    pub fn note(&mut self, operation: &Operation, choices: u32, deed: Option<&Deed>) {
        let announced = operation.accesses.iter().map(|access| (access.location.0, access.bytes.0));
        let done = deed.iter().flat_map(|deed| deed.touches.iter().map(|touch| (touch.location, touch.bytes)));
        let all: BTreeSet<(u32, u8)> = announced.chain(done).collect();
        let waits = operation.accesses.iter().any(|access| access.fails == Then::Block);
        let is_message =
            operation.accesses.iter().any(|access| matches!(access.effect, Effect::Send(_) | Effect::Receive(_)));
        for &(location, part) in &all {
            let parts = self.parts.entry(location).or_default();
            parts.insert(part);
            let overlapping: Vec<u8> = parts.iter().copied().filter(|other| other & part != 0).collect();
            if overlapping.len() > 1 {
                self.order(overlapping.into_iter().flat_map(|part| bytes_of(location, part)).collect());
            }
        }
        if let ([access], true) = (&operation.accesses[..], waits && choices == 1 && all.len() == 1)
            && matches!(access.effect, Effect::Read)
        {
            self.waits.insert(((access.location.0, access.bytes.0), access.when));
            return;
        }
        if let ([access], true) = (&operation.accesses[..], choices == 1 && all.len() == 1)
            && is_share(operation)
        {
            self.shares.insert(((access.location.0, access.bytes.0), access.when));
            return;
        }
        if waits || is_message || choices > 1 || all.len() > 1 {
            self.order(all.into_iter().flat_map(|(location, part)| bytes_of(location, part)).collect());
        }
    }

    /// Takes note of the courses of what is added to in an execution.
    pub fn note_courses(&mut self, history: &History) {
        let added = history.deeds().iter().filter(|deed| !deed.is_alone).flat_map(|deed| &deed.added);
        let mut courses: BTreeMap<u32, Option<(u64, u64)>> = BTreeMap::new();
        for &(location, number, before) in added.filter(|(_, number, _)| *number != 0) {
            let course = courses.entry(location).or_insert(Some((before, before)));
            *course = course.and_then(|(first, last)| {
                let next = last.wrapping_add(number);
                let (is_up, was_up) = (number.cast_signed() > 0, last > first);
                let turns = last != first && is_up != was_up;
                (!turns && is_up == (next > last)).then_some((first, next))
            });
        }
        self.courses.extend(courses);
    }

    /// Whether what is waited for at a location that is only added to is there on some course, and not any more later.
    fn is_left(&self, location: u32, condition: Condition) -> bool {
        self.courses.iter().filter(|&&(of, _)| of == location).any(|(_, course)| {
            let Some((first, last)) = *course else { return true };
            if first.abs_diff(last) > 4096 {
                return true;
            }
            let mut values: Vec<u64> = (first.min(last)..=first.max(last)).collect();
            if last < first {
                values.reverse();
            }
            values.windows(2).any(|pair| condition.holds(pair[0]) && !condition.holds(pair[1]))
        })
    }

    /// Orders what is waited at, if something may be left there that does not let all threads go on; where that is only added
    /// to, if it does after something that does.
    pub fn order_waits(&mut self) {
        for (part, condition) in self.waits.clone() {
            let is_no_latch = match self.is_used_as_sum(part) {
                true => self.is_left(part.0, condition),
                false => self.refused.contains(&part),
            };
            if is_no_latch {
                self.order(bytes_of(part.0, part.1).collect());
            }
        }
    }

    /// Takes note of how a step that was taken by one of several threads used what it touched.
    pub fn note_uses(&mut self, operation: &Operation, deed: &Deed) {
        for access in &operation.accesses {
            let part = (access.location.0, access.bytes.0);
            match access.effect {
                Effect::Add(_) if access.when == Condition::Always || is_share(operation) => {
                    _ = self.added.insert(part)
                }
                Effect::Read if access.when == Condition::Always => {}
                Effect::Read if access.fails == Then::Block && operation.accesses.len() == 1 => {}
                _ => _ = self.otherwise.insert(part),
            }
        }
        let is_more = |touch: &&Touch| operation.accesses.iter().all(|access| access.location.0 != touch.location);
        for touch in deed.touches.iter().filter(is_more) {
            match touch.manner {
                Manner::Look => {}
                _ => _ = self.otherwise.insert((touch.location, touch.bytes)),
            }
        }
    }

    fn is_sum(&self, location: u32, bytes: u8) -> bool {
        let part = (location, bytes);
        self.set(location, bytes).is_none() && self.is_used_as_sum(part)
    }

    fn is_used_as_sum(&self, part: (u32, u8)) -> bool {
        self.added.contains(&part) && !self.otherwise.contains(&part)
    }

    fn order(&mut self, mut bytes: BTreeSet<Byte>) {
        if bytes.is_empty() {
            return;
        }
        self.sets.retain(|set| {
            let meets = !set.is_disjoint(&bytes);
            if meets {
                bytes.extend(set);
            }
            !meets
        });
        self.sets.push(bytes);
    }

    fn set(&self, location: u32, bytes: u8) -> Option<&BTreeSet<Byte>> {
        self.sets.iter().find(|set| bytes_of(location, bytes).any(|byte| set.contains(&byte)))
    }

    /// What stands for all that is one with these bytes: the first byte of it, and how many there are.
    fn unit(&self, location: u32, bytes: u8) -> (Byte, u32) {
        match self.set(location, bytes) {
            Some(set) => (*set.first().expect("not empty"), set.len() as u32),
            None => ((location, bytes.trailing_zeros() as u8), bytes.count_ones()),
        }
    }

    fn is_ordered(&self, location: u32, bytes: u8) -> bool {
        self.set(location, bytes).is_some()
    }

    /// The class of an execution that ended with these fates.
    pub fn class(&self, history: &History, fates: impl Iterator<Item = Fate>) -> Class {
        let deeds = history.deeds();
        let mut indices = Vec::new();
        let mut counts = vec![0u8; deeds.iter().map(|deed| deed.thread + 1).max().unwrap_or(0)];
        for deed in deeds {
            indices.push(counts[deed.thread]);
            counts[deed.thread] += 1;
        }
        let mut signature = Vec::new();
        for (thread, fate) in fates.enumerate() {
            signature.push(fate as u8);
            signature.push(counts.get(thread).copied().unwrap_or(0));
            for (id, deed) in deeds.iter().enumerate().filter(|(_, deed)| deed.thread == thread) {
                signature.push(deed.choice as u8);
                match self.source(deeds, id) {
                    Found::Nothing => signature.push(0xff),
                    Found::Initial => signature.push(0xfe),
                    Found::Left(by) => signature.extend([deeds[by].thread as u8, indices[by]]),
                    Found::Sum(adds) => {
                        adds.iter().for_each(|&by| signature.extend([deeds[by].thread as u8, indices[by]]))
                    }
                }
            }
        }
        Class::new(signature)
    }

    /// Which step left what the step `id` finds.
    fn source(&self, deeds: &[Deed], id: usize) -> Found {
        let deed = &deeds[id];
        let Some(touch) = deed.touches.first() else { return Found::Nothing };
        if touch.manner == Manner::End {
            let knot = self.life(touch.location).and_then(|(_, knot)| *knot);
            return knot.map_or(Found::Nothing, |(location, byte)| self.last_change(deeds, id, (location, 1 << byte)));
        }
        let has_ended = |deed: &Deed| {
            let ends = |location| deed.touches.iter().any(|t| t.manner == Manner::End && t.location == location);
            ends(touch.location)
        };
        if self.life(touch.location).is_some()
            && !self.is_ordered(touch.location, touch.bytes)
            && let Some(end) = deeds[..id].iter().position(has_ended)
        {
            return Found::Left(end);
        }
        if self.is_sum(touch.location, touch.bytes) {
            let adds = |by: &usize| {
                deeds[*by].touches.iter().any(|other| {
                    (other.manner, other.location, other.bytes) == (Manner::Increase, touch.location, touch.bytes)
                })
            };
            return match touch.manner {
                Manner::Look => {
                    // In no order but that of their threads.
                    let mut before: Vec<usize> = (0..id).filter(adds).collect();
                    before.sort_by_key(|&by| deeds[by].thread);
                    Found::Sum(before)
                }
                _ => Found::Nothing,
            };
        }
        if touch.manner == Manner::Store && !self.is_ordered(touch.location, touch.bytes) {
            return Found::Nothing;
        }
        // Given the order of all that is sent, what a receive finds that waits for something is settled, whenever it looks.
        if let (Manner::Take(message, _, true), [_]) = (touch.manner, &deed.touches[..]) {
            let sends =
                |deed: &Deed| deed.touches.iter().any(|t| matches!(t.manner, Manner::Send(m, _) if m == message));
            return deeds[..id].iter().rposition(sends).map_or(Found::Initial, Found::Left);
        }
        if deed.only_reads && self.is_apart((touch.location, touch.bytes)) {
            let here = |other: &Touch| {
                (other.location, other.bytes) == (touch.location, touch.bytes) && other.manner.changes()
            };
            return deeds[..id]
                .iter()
                .rposition(|deed| deed.touches.iter().any(here))
                .map_or(Found::Initial, Found::Left);
        }
        self.last_change(deeds, id, (touch.location, touch.bytes))
    }

    /// Whether no other part of the location overlaps this one, nor ends with it.
    fn is_apart(&self, (location, bytes): (u32, u8)) -> bool {
        let overlaps = |other: &&u8| **other != bytes && **other & bytes != 0;
        !self.parts.get(&location).is_some_and(|parts| parts.iter().any(|part| overlaps(&part)))
            && self.life(location).is_none()
    }

    /// Which step before the step `id` changed what is one with these bytes.
    fn last_change(&self, deeds: &[Deed], id: usize, (location, bytes): (u32, u8)) -> Found {
        let unit = self.unit(location, bytes);
        let changes = |deed: &Deed| {
            deed.touches.iter().any(|touch| match touch.manner {
                Manner::End => self.is_ordered(touch.location, 1) && self.unit(touch.location, 1) == unit,
                _ => touch.manner.changes() && self.unit(touch.location, touch.bytes) == unit,
            })
        };
        deeds[..id].iter().rposition(changes).map_or(Found::Initial, Found::Left)
    }
}

/// Whether a step adds once a condition is met, and does nothing else.
fn is_share(operation: &Operation) -> bool {
    let [access] = &operation.accesses[..] else { return false };
    access.fails == Then::Block && matches!(access.effect, Effect::Add(_))
}

enum Found {
    Nothing,
    Initial,
    Left(usize),
    Sum(Vec<usize>),
}
