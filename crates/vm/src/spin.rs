//! The condition that a spinning thread waits for, for people to read.

use crate::describe::Wording;
use crate::interpret::Registers;
use crate::machine::Machine;
use crate::stalemate::Stand;
use everyway_report::{Source, Wait};
use everyway_runtime::{Footprint, State as _, ThreadId, Visit};

impl Machine {
    /// Where a thread spins, and what would have to change, if it does.
    pub(crate) fn spin_of(&self, thread: ThreadId) -> Option<Wait> {
        if !matches!(self.stand(thread), Stand::Spins | Stand::WouldGoOn) {
            return None;
        }
        let Some(spec) = self.await_of(thread) else {
            let because = "each round does the same as the one before".to_owned();
            let source = self.source(self.place_of(thread));
            return Some(Wait {
                thread: thread.index(),
                operation: "a loop".to_owned(),
                source,
                waits_for: None,
                because,
            });
        };
        let core = &self.threads[thread].core;
        let wording = Wording::new(self);
        let name = wording.address(core.address);
        let access = self.threads[thread].operation.accesses.last()?;
        let bytes = access.bytes.0.count_ones();
        let show = |bits: u64| wording.show(core.address, bits, bytes);
        let now = show(access.bytes.get(self.value(access.location)));
        let writer = self.last_writer(&Visit::carry_out(access, 0).0.footprint());
        let wanted = self.wanted_of(thread, &show).unwrap_or_else(|| "something else".to_owned());
        let because = format!("the loop goes on when it is {wanted}, but it is {now}, {writer}");
        let source = self.source(spec.place).or_else(|| self.source(self.place_of(thread)));
        Some(Wait { thread: thread.index(), operation: format!("a loop on {name}"), source, waits_for: None, because })
    }

    /// The values that a thread waits for.
    fn wanted_of(&self, thread: ThreadId, show: &dyn Fn(u64) -> String) -> Option<String> {
        let this = &self.threads[thread];
        let base = this.frames.last()?.base as usize;
        let spec = self.await_of(thread)?;
        let registers = Registers::new(this.lanes.clone(), base, &self.code.pool);
        let wanted = spec.wanted(&registers)?;
        let max = crate::cell::mask(spec.width.into());
        let bits = |text: String| match wanted.mask {
            mask if mask == max => text,
            mask => format!("{text} in the bits {mask:#x}"),
        };
        let holes = wanted.values.complement();
        Some(bits(match (wanted.values.intervals(), holes.intervals()) {
            (&[(low, high)], _) if low == high => show(low),
            (_, &[(low, high)]) if low == high => format!("not {}", show(low)),
            (&[(low, high)], _) if high == max => format!("{} or more", show(low)),
            (&[(0, high)], _) => format!("{} or less", show(high)),
            (&[(low, high)], _) => format!("from {} to {}", show(low), show(high)),
            (_, &[(low, high)]) => format!("neither {} nor {} nor between", show(low), show(high)),
            _ => return None,
        }))
    }

    /// Who has last written what the footprint reads.
    fn last_writer(&self, read: &Footprint) -> String {
        let writes = self.steps.iter().rev().find(|logged| {
            self.ended_by(logged).is_some_and(|visit| visit.class.changes() && visit.footprint().overlaps(read))
        });
        let Some(logged) = writes else { return "as from the start".to_owned() };
        let writer = self.thread_name(logged.step.thread);
        let place = self.source(self.place(logged.function, logged.pc));
        let place = place.map_or(String::new(), |Source { file, line, .. }| format!(" at {file}:{line}"));
        format!("written by '{writer}'{place}")
    }
}
