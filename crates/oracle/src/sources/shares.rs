//! What is added to under conditions, and what is ordered for that.

use super::{Ordering, bytes_of};
use crate::relation::History;
use everyway_runtime::{Effect, Operation, Then};
use std::collections::BTreeMap;

impl Ordering {
    /// Takes note of what can come of adds in an execution: of the first so many of each thread.
    pub fn note_ranges(&mut self, history: &History) {
        let mut starts: BTreeMap<u32, i128> = BTreeMap::new();
        let mut sums: BTreeMap<(u32, usize), (i128, i128, i128)> = BTreeMap::new();
        for deed in history.deeds().iter().filter(|deed| !deed.is_alone) {
            for &(location, number, before) in &deed.added {
                starts.entry(location).or_insert(before.into());
                let (sum, least, most) = sums.entry((location, deed.thread)).or_default();
                *sum += i128::from(number.cast_signed());
                (*least, *most) = ((*least).min(*sum), (*most).max(*sum));
            }
        }
        for (location, start) in starts {
            let of_it = sums.iter().filter(|((of, _), _)| *of == location).map(|(_, sum)| sum);
            let (least, most) = of_it.fold((start, start), |all, sum| (all.0 + sum.1, all.1 + sum.2));
            self.ranges.insert((location, least, most));
        }
    }

    /// Takes note of a step that waits for ever to add something.
    pub(super) fn note_refusal(&mut self, operation: &Operation) {
        for access in &operation.accesses {
            if access.fails == Then::Block && matches!(access.effect, Effect::Add(_)) {
                self.order(bytes_of(access.location.0, access.bytes.0).collect());
            }
        }
    }

    /// Orders what is added to under conditions if that is not all, or if they might not be met.
    pub fn order_shares(&mut self) {
        for (part, condition) in self.shares.clone() {
            let is_met = |&(_, least, most): &(u32, i128, i128)| {
                least >= 0 && most - least <= 4096 && (least..=most).all(|value| condition.holds(value as u64))
            };
            let mut ranges = self.ranges.iter().filter(|range| range.0 == part.0);
            if !self.is_used_as_sum(part) || !ranges.all(is_met) {
                self.order(bytes_of(part.0, part.1).collect());
            }
        }
    }
}
