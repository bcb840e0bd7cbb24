//! Uses of objects that may end, and ends, as edges: an alive use comes before the end (`super::super::life`).

use super::super::life::Life;
use super::{Cyclic, Event, Saturation};

/// The events that have to do with a life.
#[derive(Debug, Default)]
pub(super) struct Lived {
    /// Those that use it while it lasts, by thread, in order.
    uses: Vec<Vec<u32>>,
    end: Option<u32>,
}

impl Event {
    /// What it uses that has not ended.
    pub(super) fn lives_in(&self) -> Option<Life> {
        self.role.used().filter(|_| self.unit.is_some())
    }
}

impl Saturation {
    /// Enters an event into the lists of its life.
    pub(super) fn file_in_life(&mut self, life: Life, id: u32) {
        if self.lives.len() <= life.index() {
            self.lives.resize_with(life.index() + 1, Lived::default);
        }
        let lived = &mut self.lives[life.index()];
        let event = &self.events[id as usize];
        if event.role.ended().is_some() {
            lived.end = Some(id);
            return;
        }
        lived.uses.resize_with(self.stride.max(lived.uses.len()), Vec::new);
        lived.uses[event.name.thread.index()].push(id);
    }

    /// Lets a use come before the end, or an end after the uses.
    pub(super) fn order_in_life(&mut self, life: Life, id: u32) -> Result<(), Cyclic> {
        let Lived { uses, end } = &self.lives[life.index()];
        match *end {
            None => return Ok(()),
            Some(end) if end != id => return self.relate(id, end),
            Some(_) => {}
        }
        for thread in 0..uses.len() {
            if let Some(&last) = self.lives[life.index()].uses[thread].last() {
                self.relate(last, id)?;
            }
        }
        Ok(())
    }

    /// Takes an event, the last one, out of the lists of its life.
    pub(super) fn unfile_in_life(&mut self, life: Life, event: &Event) {
        let lived = &mut self.lives[life.index()];
        match event.role.ended() {
            Some(_) => lived.end = None,
            None => _ = lived.uses[event.name.thread.index()].pop(),
        }
    }
}
