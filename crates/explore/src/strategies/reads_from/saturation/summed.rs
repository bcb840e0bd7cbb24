//! Reads of sums, and adds, as edges: what is to be found is a matter of order alone (`super::super::sum`).

use super::super::linearization::Name;
use super::super::sum::{self, Seen};
use super::super::unit::Unit;
use super::{Cyclic, Event, From, Saturation};

/// The events that add to a sum, or read it.
#[derive(Debug, Default)]
pub(super) struct Summed {
    /// By thread, in order.
    adds: Vec<Vec<u32>>,
    readers: Vec<(u32, Seen)>,
}

impl Saturation {
    /// Enters an event into the lists of its sum.
    pub(super) fn file_in_sum(&mut self, sum: Unit, id: u32, seen: Option<&Seen>) {
        if self.sums.len() <= sum.index() {
            self.sums.resize_with(sum.index() + 1, Summed::default);
        }
        let summed = &mut self.sums[sum.index()];
        summed.adds.resize_with(self.stride.max(summed.adds.len()), Vec::new);
        match seen {
            Some(seen) => summed.readers.push((id, seen.clone())),
            None => summed.adds[self.events[id as usize].name.thread.index()].push(id),
        }
    }

    /// Lets a read come after the adds that it has seen and before the next ones, and an add after the reads that have
    /// not seen it.
    pub(super) fn order_in_sum(&mut self, sum: Unit, id: u32, seen: Option<&Seen>) -> Result<(), Cyclic> {
        if let Some(seen) = seen {
            for name in sum::names(seen) {
                let add = self.find(name);
                self.relate(add, id)?;
            }
            for thread in 0..self.stride {
                let adds = &self.sums[sum.index()].adds[thread];
                let known = seen.get(thread).copied().unwrap_or(0);
                let first = adds.partition_point(|&add| self.name(add).index <= known);
                if let Some(&next) = adds.get(first) {
                    self.relate(id, next)?;
                }
            }
            return Ok(());
        }
        let Name { thread, index } = self.name(id);
        for at in 0..self.sums[sum.index()].readers.len() {
            let (reader, seen) = &self.sums[sum.index()].readers[at];
            if seen.get(thread.index()).copied().unwrap_or(0) < index {
                let reader = *reader;
                self.relate(reader, id)?;
            }
        }
        Ok(())
    }

    /// Takes an event, the last one, out of the lists of its sum.
    pub(super) fn unfile_in_sum(&mut self, sum: Unit, event: &Event) {
        let summed = &mut self.sums[sum.index()];
        match event.source {
            From::Adds => _ = summed.readers.pop(),
            _ => _ = summed.adds[event.name.thread.index()].pop(),
        }
    }
}
