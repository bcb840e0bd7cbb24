//! Reads-from by the book, and the classes it divides executions into.
//!
//! Two executions are of one class if their threads take the same steps, and every step that looks at something finds
//! what the same step left there. What this means where steps wait, touch several locations, or touch a location in
//! overlapping parts, is written down here anew: such locations are *ordered*, and a step that changes one depends on
//! the last one that changed it before.

use crate::brute::{Witness, walk};
use crate::machine::Machine;
use crate::program::Program;
use crate::relation::{Class, Deed, Fate, History, Manner};
use everyway_explore::{Effect, Operation, State, Then, blocked};
use rustc_hash::FxHashMap;
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
    fn step(&mut self, operation: &Operation, choices: u32, deed: &Deed) {
        self.ordering.note(operation, choices, Some(deed));
    }

    fn end(&mut self, machine: &Machine, history: &History) {
        for thread in blocked(machine) {
            self.ordering.note(machine.operation(thread), machine.choices(thread), None);
        }
        self.ends.push((history.clone(), machine.fates().collect(), machine.seen()));
    }
}

impl Search {
    fn result(self) -> BySources {
        let mut found = BySources { ordering: self.ordering, ..BySources::default() };
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

/// Which locations are ordered, found out from all steps that a program can take.
#[derive(Clone, Debug, Default)]
pub struct Ordering {
    /// Sets of locations that do not overlap, each of them ordered as one.
    sets: Vec<BTreeSet<u32>>,
    parts: BTreeMap<u32, BTreeSet<u8>>,
}

impl Ordering {
    /// Takes note of a step that is announced, and of what it did besides, if it was taken.
    pub fn note(&mut self, operation: &Operation, choices: u32, deed: Option<&Deed>) {
        let announced = operation.accesses.iter().map(|access| (access.location.0, access.bytes.0));
        let done = deed.iter().flat_map(|deed| deed.touches.iter().map(|touch| (touch.location, touch.bytes)));
        let all: BTreeSet<(u32, u8)> = announced.chain(done).collect();
        let locations: BTreeSet<u32> = all.iter().map(|&(location, _)| location).collect();
        let waits = operation.accesses.iter().any(|access| access.fails == Then::Block);
        let is_message =
            operation.accesses.iter().any(|access| matches!(access.effect, Effect::Send(_) | Effect::Receive(_)));
        for (location, part) in all {
            let parts = self.parts.entry(location).or_default();
            if parts.iter().any(|other| *other != part && other & part != 0) {
                self.order([location].into());
            }
            self.parts.entry(location).or_default().insert(part);
        }
        if !locations.is_empty() && (waits || is_message || choices > 1 || locations.len() > 1) {
            self.order(locations);
        }
    }

    fn order(&mut self, mut locations: BTreeSet<u32>) {
        self.sets.retain(|set| {
            let meets = !set.is_disjoint(&locations);
            if meets {
                locations.extend(set);
            }
            !meets
        });
        self.sets.push(locations);
    }

    /// The first location and the bytes that stand for all that is one with these.
    fn unit(&self, location: u32, bytes: u8) -> (u32, u8) {
        let set = self.sets.iter().find(|set| set.contains(&location));
        set.map_or((location, bytes), |set| (*set.first().expect("not empty"), 0xff))
    }

    fn is_ordered(&self, location: u32) -> bool {
        self.sets.iter().any(|set| set.contains(&location))
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
                }
            }
        }
        Class::new(signature)
    }

    /// Which step left what the step `id` finds.
    fn source(&self, deeds: &[Deed], id: usize) -> Found {
        let deed = &deeds[id];
        let Some(touch) = deed.touches.first() else { return Found::Nothing };
        if touch.manner == Manner::Store && !self.is_ordered(touch.location) {
            return Found::Nothing;
        }
        let unit = self.unit(touch.location, touch.bytes);
        let changes = |deed: &Deed| {
            deed.touches.iter().any(|touch| {
                matches!(touch.manner, Manner::Store | Manner::Replace | Manner::Increase | Manner::Send(..))
                    && self.unit(touch.location, touch.bytes) == unit
            })
        };
        deeds[..id].iter().rposition(changes).map_or(Found::Initial, Found::Left)
    }
}

enum Found {
    Nothing,
    Initial,
    Left(usize),
}
