//! Where threads have to wait although something was left there.

use super::Ordering;
use crate::machine::{Machine, waits};
use crate::relation::{History, Wanted};
use everyway_runtime::{Bytes, State, blocked};

impl Ordering {
    /// Takes note of the threads that had to wait in an execution that has ended in `machine`.
    pub fn note_waiting(&mut self, machine: &Machine, history: &History) {
        let deeds = history.deeds();
        for (id, deed) in deeds.iter().enumerate() {
            deed.waits.iter().for_each(|wanted| self.note_refused(history, (deed.thread, id), wanted));
        }
        for thread in blocked(machine) {
            let wanted = waits(machine.operation(thread));
            wanted.iter().for_each(|wanted| self.note_refused(history, (thread.index(), deeds.len()), wanted));
        }
    }

    /// Takes note of `wanted` if the thread has waited for it with something else there, from its last step on and until the
    /// position `end`.
    fn note_refused(&mut self, history: &History, (thread, end): (usize, usize), wanted: &Wanted) {
        let deeds = history.deeds();
        let last = deeds[..end].iter().rposition(|deed| deed.thread == thread || deed.spawned.contains(&thread));
        let is_refused = (last.map_or(0, |last| last + 1)..=end).any(|moment| {
            let changed = deeds[..moment].iter().rev().filter(|deed| !deed.is_alone);
            let is_there =
                |&&(location, bytes, _): &&(u32, u8, u64)| location == wanted.location && bytes & wanted.bytes != 0;
            let last = changed.flat_map(|deed| &deed.left).find(is_there);
            last.is_some_and(|&(.., value)| !wanted.condition.holds(Bytes(wanted.bytes).get(value)))
        });
        if is_refused {
            self.refused.insert((wanted.location, wanted.bytes));
        }
    }
}
