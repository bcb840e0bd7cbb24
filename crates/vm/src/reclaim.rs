//! Reuse of the numbers of objects that have ended and to which nothing points any more.
//!
//! An object keeps its number when it has ended, so that later uses are detected. In a loop that allocates and frees,
//! these numbers would grow without bound. So from time to time a thread collects its objects that have ended, were
//! never reachable for other threads, and are pointed to from nowhere: neither from a register nor from memory of its
//! own. Objects that it creates later get their numbers.
//!
//! **Invariant: names do not depend on the interleaving.** When a thread collects depends on how many objects it has
//! created, and what it finds on nothing but its registers and its own memory. An address that is written to where
//! others can read it makes its object reachable for them, even if it has ended ([`Machine::publish`]).
//!
//! Rewinding restores [`Core::vacancies`](crate::thread::Core), which says which list of numbers is in use, and how
//! far. A list is replaced only in the step that made it.

use crate::fixed::Fixed;
use crate::ids::{ObjectId, SyncId};
use crate::interpret::Run;
use crate::machine::Machine;
use crate::memory::{Life, Owner};
use crate::races::Tracking;
use crate::thread::Back;
use everyway_runtime::ThreadId;
use rustc_hash::FxHashSet;

/// After how many new objects a thread looks for those that can make room.
const BIRTHS_PER_LOOK: u32 = 1 << 13;

/// Numbers of objects that can be used again, found in one look.
#[derive(Debug)]
pub(crate) struct Vacant {
    /// How many steps had been taken.
    step: usize,
    numbers: Vec<u32>,
}

/// Which list of vacant numbers is in use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vacancies {
    /// How many lists there are; the last is in use.
    lists: u32,
    /// How many of its numbers have been used.
    used: u32,
    /// How many objects were made since the thread looked.
    births: u32,
}

impl Machine {
    /// The number of the next object of a thread.
    pub(crate) fn next_number(&mut self, thread: ThreadId) -> usize {
        let this = &mut self.threads[thread];
        this.core.vacancies.births += 1;
        let Vacancies { lists, used, .. } = this.core.vacancies;
        let list = (lists as usize).checked_sub(1).and_then(|last| this.vacant.get(last));
        if let Some(&number) = list.and_then(|list| list.numbers.get(used as usize)) {
            this.core.vacancies.used += 1;
            self.fix(Fixed::Reclaimed);
            return number as usize;
        }
        this.core.allocations += 1;
        this.core.allocations as usize - 1
    }

    /// Looks for objects that can make room for others, if it is time.
    #[inline]
    pub(crate) fn look_for_vacancies(&mut self, run: &Run<'_>) {
        if self.threads[run.thread].core.vacancies.births >= BIRTHS_PER_LOOK && !run.granted {
            self.find_vacancies(run);
        }
    }

    #[cold]
    fn find_vacancies(&mut self, run: &Run<'_>) {
        let thread = run.thread;
        // What modelled functions have on record is not looked at.
        if self.threads[thread].frames.iter().any(|frame| matches!(frame.back, Back::Handler(_))) {
            return;
        }
        let held = self.held_objects(run);
        let mut taken: FxHashSet<u32> = FxHashSet::default();
        let this = &self.threads[thread];
        let numbers = || 0..this.core.allocations;
        let larger = this.large_objects.iter().map(|(key, object)| (key.0, *object));
        for (number, object) in numbers().map(|number| (number, this.objects[number as usize])).chain(larger) {
            let state = &self.memory.object(object).state;
            let is_gone = match state.life {
                Life::Freed | Life::Left | Life::OutOfScope => state.owner == Owner::Thread(thread),
                Life::Unborn => true,
                Life::Alive | Life::Part(_) => false,
            };
            if !is_gone || held.contains(&object) {
                taken.insert(number);
            }
        }
        let numbers: Vec<u32> = numbers().filter(|number| !taken.contains(number)).collect();
        self.forget_syncs(thread, &held);
        let step = self.steps.len();
        let this = &mut self.threads[thread];
        let lists = &mut this.core.vacancies.lists;
        let replaces = (*lists as usize).checked_sub(1).is_some_and(|last| this.vacant[last].step == step);
        *lists -= u32::from(replaces);
        this.vacant.truncate(*lists as usize);
        this.vacant.push(Vacant { step, numbers });
        this.core.vacancies = Vacancies { lists: *lists + 1, used: 0, births: 0 };
    }

    /// Forgets the locks and the like in objects of a thread that are gone and not held.
    fn forget_syncs(&mut self, thread: ThreadId, held: &FxHashSet<ObjectId>) {
        let is_gone = |sync: &SyncId| {
            let Some(object) = self.memory.stretch_of(self.syncs.address(*sync)) else { return false };
            let state = &self.memory.object(object).state;
            let has_ended = matches!(state.life, Life::Freed | Life::Left | Life::OutOfScope);
            has_ended && state.owner == Owner::Thread(thread) && !held.contains(&object)
        };
        let gone: Vec<SyncId> = self.syncs.met().filter(is_gone).collect();
        gone.into_iter().for_each(|sync| self.forget_sync(sync));
    }

    /// The objects that a thread can name, and those with locks and the like in use in them.
    fn held_objects(&self, run: &Run<'_>) -> FxHashSet<ObjectId> {
        let mut held = FxHashSet::default();
        let mut next: Vec<ObjectId> =
            self.threads[run.thread].frames.iter().filter_map(|frame| frame.objects).collect();
        while let Some(object) = next.pop() {
            held.insert(object);
            next.extend(self.memory.object(object).state.link);
        }
        let mut note = |bits: u64| held.extend(self.memory.stretch_of(bits));
        let end = run.registers.base + run.body.lanes as usize;
        run.registers.lanes[..end].iter().for_each(|cell| note(cell.bits));
        let this = &self.threads[run.thread];
        let core = &this.core;
        [core.exception, core.caught, core.cleanup, core.after, core.address].into_iter().for_each(&mut note);
        this.keys.iter().for_each(|&value| note(value));
        this.frames.iter().for_each(|frame| note(frame.variadic));
        self.exit_handlers.iter().filter_map(|handler| handler.1).for_each(&mut note);
        this.destructors.iter().for_each(|destructor| note(destructor.1));
        let in_use = self.syncs.met().filter(|&sync| !self.is_at_rest(sync));
        in_use.for_each(|sync| note(self.syncs.address(sync)));
        for object in &self.memory.objects {
            if object.state.owner == Owner::Thread(run.thread) && object.state.life == Life::Alive {
                object.words.iter().for_each(|word| note(word.bits));
                // A pointer need not lie where words begin.
                for pair in object.words.windows(2) {
                    (1..8).for_each(|byte| note(pair[0].bits >> (8 * byte) | pair[1].bits << (64 - 8 * byte)));
                }
            }
        }
        held
    }

    /// Keeps the contents that an object had in an earlier life, if going back can come to it.
    pub(crate) fn save_contents(&mut self, object: ObjectId) {
        let had_life = self.memory.object(object).state.life != Life::Unborn;
        if self.log.is_on && had_life && !self.is_of_this_step(object) {
            let words = std::mem::take(&mut self.memory.object_mut(object).words);
            self.log.save_contents(object, words);
        }
    }

    /// Whether an object was made in the current step, and nothing has happened since that others could be ordered by: going
    /// back, it is not there, whatever it is now, and to data races it does not matter when it was written to.
    #[inline]
    pub(crate) fn is_of_this_step(&self, object: ObjectId) -> bool {
        let state = &self.memory.object(object).state;
        state.born as usize == self.steps.len()
            && state.life != Life::Unborn
            && state.made == (state.made.0, self.time_of(state.made.0))
            && (state.owner == Owner::Shared || state.owner == Owner::Thread(state.made.0))
    }

    /// What time it is for a thread, as data races have it.
    #[inline]
    pub(crate) fn time_of(&self, thread: ThreadId) -> u32 {
        if self.race_tracking() == Tracking::On { self.races.now(thread).time } else { 0 }
    }
}
