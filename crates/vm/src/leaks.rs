//! Memory that is still allocated when the program ends.

use crate::describe::Wording;
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::Machine;
use crate::memory::{Life, Origin};
use crate::settings::Leaks;
use crate::thread::{Phase, Thread};
use everyway_report::BugKind;
use rustc_hash::FxHashSet;

impl Machine {
    /// Takes note of a leak, if there is one and leaks are looked for.
    #[inline(always)]
    pub(crate) fn note_leak(&mut self) {
        if self.settings.leaks != Leaks::Allowed {
            let leak = self.leak();
            self.failures.extend(leak);
        }
    }

    /// Memory that was allocated and is still there when the program has ended: after all threads, or when one has ended it. Threads that
    /// others have left behind are where they would be if they had been faster, and may still free what they can reach.
    #[cold]
    fn leak(&self) -> Option<Failure> {
        let is_left_behind = |thread: &&Thread| matches!(thread.core.phase, Phase::Running | Phase::Stuck);
        let left_behind: Vec<&Thread> = self.threads.iter().filter(is_left_behind).collect();
        if !left_behind.is_empty() && !self.has_exited() {
            return None;
        }
        let is_left = |object: &ObjectId| {
            let state = &self.memory.object(*object).state;
            state.life == Life::Alive && !state.kept && matches!(state.origin, Origin::Heap(..) | Origin::New(..))
        };
        let mut left = self.memory.ids().filter(is_left).peekable();
        left.peek()?;
        let known = match (left_behind.is_empty(), self.settings.leaks) {
            (false, _) => self.known_to_threads(&left_behind),
            (true, Leaks::Lost) => self.known_to_globals(),
            (true, _) => FxHashSet::default(),
        };
        let object = left.find(|object| !known.contains(object))?;
        let wording = Wording::new(self);
        let message = format!("{}{} is never freed", wording.object(object), wording.allocated(object));
        let location = match self.memory.object(object).state.origin {
            Origin::Heap(function, pc) | Origin::New(function, pc) => self.place(function, pc),
            _ => None,
        };
        let mut failure = Failure::new(BugKind::Leak, message);
        failure.location = location;
        Some(failure)
    }

    /// What global variables point to, and what that points to.
    fn known_to_globals(&self) -> FxHashSet<ObjectId> {
        let is_global = |object: &ObjectId| matches!(self.memory.object(*object).state.origin, Origin::Global(_));
        self.reached_from(self.memory.ids().filter(is_global).collect())
    }

    /// What these threads may reach: by all variables that there are, by what they have computed so far, and by what threads return. A thread may
    /// have computed more than it will use.
    fn known_to_threads(&self, threads: &[&Thread]) -> FxHashSet<ObjectId> {
        let is_variable = |object: &ObjectId| {
            let state = &self.memory.object(*object).state;
            state.life == Life::Alive && !matches!(state.origin, Origin::Heap(..) | Origin::New(..))
        };
        let cells = threads.iter().flat_map(|thread| thread.lanes.iter().chain(&thread.script)).map(|cell| cell.bits);
        let words = threads.iter().flat_map(|thread| {
            let core = &thread.core;
            thread.keys.iter().copied().chain([core.exception, core.caught, core.after])
        });
        let results = self.threads.iter().map(|thread| thread.core.result.bits);
        let computed = cells.chain(words).chain(results).filter_map(|bits| self.alive_at(bits));
        self.reached_from(self.memory.ids().filter(is_variable).chain(computed).collect())
    }

    /// The object that an address is in, if it is there.
    fn alive_at(&self, bits: u64) -> Option<ObjectId> {
        self.memory.stretch_of(bits).filter(|&object| self.memory.object(object).state.life == Life::Alive)
    }

    /// These objects, what they point to, and what that points to. Where in an object a pointer points does not matter.
    fn reached_from(&self, mut known: FxHashSet<ObjectId>) -> FxHashSet<ObjectId> {
        let mut next: Vec<ObjectId> = known.iter().copied().collect();
        while let Some(object) = next.pop() {
            let words = self.memory.object(object).words.iter().filter(|word| word.undef == 0);
            for target in words.filter_map(|word| self.alive_at(word.bits)) {
                if known.insert(target) {
                    next.push(target);
                }
            }
        }
        known
    }
}
