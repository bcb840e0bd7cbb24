//! Memory that was allocated and is still there when the program ends.

use crate::describe::Wording;
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::Machine;
use crate::memory::{Life, Origin};
use crate::settings::Leaks;
use crate::thread::Phase;
use everyway_report::BugKind;
use rustc_hash::FxHashSet;

impl Machine {
    /// Takes note of a leak, if there is one and leaks are looked for.
    pub(crate) fn note_leak(&mut self) {
        if self.settings.leaks != Leaks::Allowed {
            let leak = self.leak();
            self.failures.extend(leak);
        }
    }

    /// Memory that was allocated and is still there after all threads have ended.
    fn leak(&self) -> Option<Failure> {
        if self.threads.iter().any(|thread| matches!(thread.core.phase, Phase::Running | Phase::Stuck)) {
            return None;
        }
        let is_left = |object: &ObjectId| {
            let state = &self.memory.object(*object).state;
            state.life == Life::Alive && !state.kept && matches!(state.origin, Origin::Heap(..) | Origin::New(..))
        };
        let mut left = self.memory.ids().filter(is_left).peekable();
        left.peek()?;
        let known = if self.settings.leaks == Leaks::Lost { self.known_to_globals() } else { FxHashSet::default() };
        let object = left.find(|object| !known.contains(object))?;
        let wording = Wording::new(self);
        let message = format!("{}{} is never freed", wording.object(object), wording.allocated(object));
        let location = match self.memory.object(object).state.origin {
            Origin::Heap(function, pc) | Origin::New(function, pc) => self.place(function, pc),
            _ => None,
        };
        Some(Failure { location, ..Failure::new(BugKind::Leak, message) })
    }

    /// What global variables point to, and what that points to. Where in an object a pointer points does not matter.
    fn known_to_globals(&self) -> FxHashSet<ObjectId> {
        let is_global = |object: &ObjectId| matches!(self.memory.object(*object).state.origin, Origin::Global(_));
        let mut known: FxHashSet<ObjectId> = self.memory.ids().filter(is_global).collect();
        let mut next: Vec<ObjectId> = known.iter().copied().collect();
        while let Some(object) = next.pop() {
            for word in &self.memory.object(object).words {
                let target = self.memory.stretch_of(word.bits).filter(|_| word.undef == 0);
                if let Some(target) = target.filter(|&target| self.memory.object(target).state.life == Life::Alive)
                    && known.insert(target)
                {
                    next.push(target);
                }
            }
        }
        known
    }
}
