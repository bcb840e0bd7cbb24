//! Which events access a unit.

use super::super::unit::Unit;
use super::{Event, From, Saturation};

/// The events that access a unit.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// By thread, in order.
    pub(super) writers: Vec<Vec<u32>>,
    pub(super) initial_readers: Vec<u32>,
    /// The threads that have writers, in the order of the first ones.
    pub(super) writing: Vec<u32>,
}

impl Saturation {
    /// Enters an event into the lists of its unit.
    pub(super) fn file(&mut self, unit: Unit, id: u32) {
        if self.units.len() <= unit.index() {
            self.units.resize_with(unit.index() + 1, Accesses::default);
        }
        let Event { name, source, writes, .. } = self.events[id as usize];
        let accesses = &mut self.units[unit.index()];
        if accesses.writing.is_empty() && accesses.initial_readers.is_empty() {
            self.used.push(unit);
        }
        if source == From::Initial {
            accesses.initial_readers.push(id);
        }
        if writes {
            if accesses.writers.len() <= name.thread.index() {
                accesses.writers.resize_with(name.thread.index() + 1, Vec::new);
            }
            let writers = &mut accesses.writers[name.thread.index()];
            if writers.is_empty() {
                accesses.writing.push(name.thread.0);
            }
            writers.push(id);
        }
    }

    /// Takes an event, the last one, out of the lists of its unit.
    pub(super) fn unfile(&mut self, unit: Unit, event: &Event) {
        let accesses = &mut self.units[unit.index()];
        if event.source == From::Initial {
            accesses.initial_readers.pop();
        }
        if event.writes {
            let writers = &mut accesses.writers[event.name.thread.index()];
            writers.pop();
            if writers.is_empty() {
                accesses.writing.pop();
            }
        }
        if (event.source == From::Initial || event.writes)
            && accesses.writing.is_empty()
            && accesses.initial_readers.is_empty()
        {
            let last = self.used.pop();
            debug_assert_eq!(last, Some(unit));
        }
    }
}
