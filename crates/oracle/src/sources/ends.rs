//! What ends, and what is ordered for that.

use super::{Byte, Ordering, bytes_of};
use crate::relation::{Deed, History, Manner};
use everyway_runtime::{Effect, Operation, Then};
use std::collections::BTreeSet;

impl Ordering {
    /// Takes note of what a step ends, or of what it touches that may end.
    pub fn note_end(&mut self, operation: &Operation, choices: u32, deed: Option<&Deed>) {
        if operation.accesses.iter().any(|access| access.effect == Effect::End) {
            self.ends.insert(operation.accesses.iter().map(|access| access.location.0).collect());
            return;
        }
        let announced = operation.accesses.iter().map(|access| (access.location.0, access.bytes.0));
        let done = deed.iter().flat_map(|deed| deed.touches.iter().map(|touch| (touch.location, touch.bytes)));
        let waits = operation.accesses.iter().any(|access| access.fails == Then::Block);
        self.touched.insert((announced.chain(done).collect(), waits || choices > 1));
    }

    /// Takes note of the ends in an execution.
    pub fn note_ends(&mut self, history: &History) {
        let ended = |deed: &Deed| -> Vec<u32> {
            let ended = deed.touches.iter().filter(|touch| touch.manner == Manner::End);
            ended.map(|touch| touch.location).collect()
        };
        let ends: Vec<Vec<u32>> = history.deeds().iter().map(ended).filter(|ended| !ended.is_empty()).collect();
        for (position, later) in ends.iter().enumerate() {
            for earlier in ends[..position].iter().flatten() {
                self.ended_apart.extend(later.iter().map(|&later| (*earlier, later)));
            }
        }
    }

    /// What ends together, whole sets of it; and whether all of it is ordered.
    fn lives(&self) -> Vec<(BTreeSet<u32>, bool)> {
        let mut lives: Vec<(BTreeSet<u32>, bool)> = Vec::new();
        for end in &self.ends {
            let mut life = (end.clone(), false);
            lives.retain(|(other, is_strict)| {
                let meets = !other.is_disjoint(&life.0);
                if meets {
                    life.0.extend(other);
                    life.1 |= is_strict;
                }
                !meets
            });
            lives.push(life);
        }
        for (life, is_strict) in &mut lives {
            let is_of_it = |end: &&BTreeSet<u32>| !end.is_disjoint(life);
            *is_strict = self.ends.iter().filter(is_of_it).count() > 1
                || self.ended_apart.iter().any(|(one, other)| life.contains(one) && life.contains(other));
        }
        lives
    }

    /// Orders what ends as far as that has to be, together with the end.
    pub fn order_ends(&mut self) {
        let lives = self.lives();
        let of = |location: u32| lives.iter().position(|(life, _)| life.contains(&location));
        let ended: Vec<(u32, u8)> = self.added.iter().copied().filter(|part| of(part.0).is_some()).collect();
        self.otherwise.extend(ended);
        let mut knots: Vec<BTreeSet<Byte>> = vec![BTreeSet::new(); lives.len()];
        loop {
            let before = (self.sets.clone(), knots.clone());
            for (parts, waits) in self.touched.clone() {
                let met: BTreeSet<usize> = parts.iter().filter_map(|&(location, _)| of(location)).collect();
                let is_ordered = parts.iter().any(|&(location, part)| self.is_ordered(location, part));
                let is_strict = met.iter().any(|&life| lives[life].1);
                if !met.is_empty() && (waits || is_ordered || is_strict || met.len() > 1) {
                    let bytes = parts.iter().flat_map(|&(location, part)| bytes_of(location, part));
                    let ends = parts.iter().filter(|part| of(part.0).is_some()).map(|part| (part.0, 0));
                    let all: BTreeSet<Byte> = bytes.chain(ends).collect();
                    met.iter().for_each(|&life| knots[life].extend(&all));
                    self.order(all);
                }
            }
            for (life, (locations, is_strict)) in lives.iter().enumerate() {
                knots[life].extend(locations.iter().filter(|_| *is_strict).map(|&location| (location, 0)));
                self.order(knots[life].clone());
            }
            self.sets.sort();
            if before == (self.sets.clone(), knots.clone()) {
                break;
            }
        }
        self.tied = lives.into_iter().zip(knots).map(|((life, _), knot)| (life, knot.first().copied())).collect();
    }

    /// What a location ends with, and a byte of what is ordered together with that end.
    pub(super) fn life(&self, location: u32) -> Option<&(BTreeSet<u32>, Option<Byte>)> {
        self.tied.iter().find(|(life, _)| life.contains(&location))
    }
}
