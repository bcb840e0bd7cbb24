//! Which events access a unit.

use super::super::linearization::Name;
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

impl Accesses {
    fn add_writer(&mut self, name: Name, id: u32) {
        if self.writers.len() <= name.thread.index() {
            self.writers.resize_with(name.thread.index() + 1, Vec::new);
        }
        let writers = &mut self.writers[name.thread.index()];
        if writers.is_empty() {
            self.writing.push(name.thread.0);
        }
        writers.push(id);
    }

    fn drop_writer(&mut self, name: Name) {
        let writers = &mut self.writers[name.thread.index()];
        writers.pop();
        if writers.is_empty() {
            self.writing.pop();
        }
    }
}

impl Saturation {
    /// Enters an event into the lists of its unit.
    pub(super) fn file(&mut self, unit: Unit, id: u32) {
        if self.units.len() <= unit.index() {
            self.units.resize_with(unit.index() + 1, Accesses::default);
        }
        let Event { source, writes, .. } = self.events[id as usize];
        let accesses = &mut self.units[unit.index()];
        if accesses.writing.is_empty() && accesses.initial_readers.is_empty() {
            self.used.push(unit);
        }
        if source == From::Initial {
            accesses.initial_readers.push(id);
        }
        if writes {
            accesses.add_writer(self.events[id as usize].name, id);
        }
    }

    /// Enters an event into the lists of a member that it changes.
    pub(super) fn file_write(&mut self, member: Unit, id: u32) {
        if self.units.len() <= member.index() {
            self.units.resize_with(member.index() + 1, Accesses::default);
        }
        let accesses = &mut self.units[member.index()];
        if accesses.writing.is_empty() && accesses.initial_readers.is_empty() {
            self.used.push(member);
        }
        accesses.add_writer(self.events[id as usize].name, id);
    }

    /// Takes an event, the last one, out of the lists of a member that it changes.
    pub(super) fn unfile_write(&mut self, member: Unit, event: &Event) {
        let accesses = &mut self.units[member.index()];
        accesses.drop_writer(event.name);
        if accesses.writing.is_empty() && accesses.initial_readers.is_empty() {
            let last = self.used.pop();
            debug_assert_eq!(last, Some(member));
        }
    }

    /// Takes an event, the last one, out of the lists of its unit.
    pub(super) fn unfile(&mut self, unit: Unit, event: &Event) {
        let accesses = &mut self.units[unit.index()];
        if event.source == From::Initial {
            accesses.initial_readers.pop();
        }
        if event.writes {
            accesses.drop_writer(event.name);
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
