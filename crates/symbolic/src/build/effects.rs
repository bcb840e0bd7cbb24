//! The effects of the steps between places, once everything is known of those.

use super::Builder;
use super::places::{Known, Slot, VariableKey};
use super::walk::{Region, Stop};
use crate::system::{
    Action, COUNTER_BITS, ENDED, EXITED, Effect, FIRST, OFFSET_BITS, Place, STUCK, STUCK_INSIDE, Section,
    StateVariable, System, Thread, UNBORN, Unsupported,
};
use crate::term::{Instantiation, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// How wide the number of steps is that a path passes.
const PASSED_BITS: u32 = 16;

impl Builder<'_> {
    /// The effects of the start and of all steps, now that everything is known of all places.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    pub(super) fn effects(&mut self, start: Region) -> Result<(Effect, Vec<Vec<(Action, Effect)>>), Unsupported> {
        let initial = self.effect(0, start)?;
        let mut all = Vec::new();
        for thread in 0..self.threads.len() {
            let mut of_thread = Vec::new();
            for place in 0..self.threads[thread].places.len() {
                let (action, region) = self.explore(thread, place)?;
                of_thread.push((action, self.effect(thread, region)?));
            }
            all.push(of_thread);
        }
        debug_assert!(self.next_new().is_none(), "exploring again tells nothing new");
        Ok((initial, all))
    }

    /// The paths of a region as one effect.
    fn effect(&mut self, thread: usize, region: Region) -> Result<Effect, Unsupported> {
        let mut assigned: Vec<(Term, Term)> = Vec::new();
        let mut position: FxHashMap<Term, usize> = FxHashMap::default();
        let mut effect = Effect::default();
        let mut counters: FxHashMap<usize, Vec<u16>> = FxHashMap::default();
        for (walk, stop) in &region.stops {
            let arrival = self.arrive(walk, *stop)?;
            let counter = match (stop, &arrival) {
                (Stop::Ended, _) => ENDED,
                (Stop::Exited, _) => EXITED,
                (Stop::Stuck, _) if walk.sections.section() == Section::Inside => STUCK_INSIDE,
                (Stop::Stuck, _) => STUCK,
                (_, Some((place, _))) => *place as u16 + FIRST,
                (_, None) => ENDED,
            };
            counters.entry(walk.thread).or_default().push(counter);
            let mut changes =
                vec![(self.threads[walk.thread].counter, self.terms.constant(COUNTER_BITS, counter.into()))];
            if walk.thread == thread && walk.sections.section() == Section::Inside {
                effect.goes_inside = true;
            }
            if let (Stop::Ended, Some(result)) = (stop, walk.result.filter(|_| self.wants_results)) {
                changes.push((self.threads[walk.thread].result, result));
            }
            if let Some((place, values)) = arrival {
                changes.extend(self.changes(walk.thread, place, &values));
            }
            self.note_passed((walk.thread, walk.guard, walk.passed), &mut effect);
            for (variable, value) in changes {
                let index = *position.entry(variable).or_insert_with(|| {
                    // Where nothing is assigned, nothing looks: but whether another thread exists matters.
                    let is_other_counter = walk.thread != thread && variable == self.threads[walk.thread].counter;
                    assigned.push((variable, if is_other_counter { variable } else { value }));
                    assigned.len() - 1
                });
                let before = assigned[index].1;
                assigned[index].1 = self.terms.choose(walk.guard, value, before);
            }
        }
        effect.successors = counters.remove(&thread).unwrap_or_default();
        effect.successors.sort_unstable();
        effect.successors.dedup();
        effect.started = region.born;
        for started in &mut effect.started {
            started.counters = counters.remove(&started.child).unwrap_or_default();
        }
        for (variable, when, value) in region.settled {
            let after = self.terms.choose(when, value, variable);
            assigned.push((variable, after));
        }
        effect.assigned = assigned.into_iter().filter(|(variable, value)| variable != value).collect();
        for passed in region.passed {
            self.note_passed(passed, &mut effect);
        }
        effect.fails = (!region.fails.is_empty()).then(|| self.terms.any(region.fails.iter().copied()));
        effect.unsupported = region.unsupported;
        effect.published = region.published;
        Ok(effect)
    }

    /// Adds the steps that a path of a thread has passed.
    fn note_passed(&mut self, (thread, guard, passed): (usize, Term, u32), effect: &mut Effect) {
        if passed == 0 {
            return;
        }
        let (count, none) = (self.terms.constant(PASSED_BITS, passed.into()), self.terms.constant(PASSED_BITS, 0));
        let count = self.terms.choose(guard, count, none);
        match effect.passed.iter_mut().find(|(known, _)| *known == thread) {
            Some((_, known)) => *known = self.terms.or(*known, count),
            None => effect.passed.push((thread, count)),
        }
    }

    fn changes(&mut self, thread: usize, place: usize, values: &[Term]) -> Vec<(Term, Term)> {
        let draft = self.threads[thread].places[place].clone();
        let slots = draft.slots.iter().zip(&draft.known).zip(values);
        let mut changes = Vec::new();
        for ((&slot, &known), &value) in slots {
            match (known, slot) {
                (Known::Same(_), _) => {}
                (Known::Within(_), Slot::Register { call, reg, .. }) => {
                    let variable = self.variable(VariableKey::Offset { call, reg }, "offset", OFFSET_BITS);
                    let offset = self.offset_of(value);
                    changes.push((variable, offset));
                }
                _ => changes.push((self.term_at(slot, known), value)),
            }
        }
        changes
    }

    pub(super) fn threads(&mut self, effects: Vec<Vec<(Action, Effect)>>) -> Vec<Thread> {
        let mut threads = Vec::new();
        for (draft, effects) in std::mem::take(&mut self.threads).into_iter().zip(effects) {
            let mut places = Vec::new();
            for (place, (action, effect)) in draft.places.iter().zip(effects) {
                let (function, _, block, index) = place.frames[place.frames.len() - 1];
                let block = self.body(function).block(block);
                let instruction = block.instructions.get(index);
                let location = instruction.map_or(block.terminator.location, |instruction| instruction.location);
                places.push(Place { action, effect, section: place.sections.section(), is_observed: false, location });
            }
            threads.push(Thread { name: draft.name, counter: draft.counter, settled: draft.settled, places });
        }
        threads
    }

    /// All variables that some step changes or that have a value at the start.
    pub(super) fn initial_values(&mut self, initial: &Effect) -> Vec<StateVariable> {
        let mut first: FxHashMap<Term, Term> = initial.assigned.iter().copied().collect();
        let mut variables: Vec<Term> = initial.assigned.iter().map(|(variable, _)| *variable).collect();
        variables.extend(self.variables.iter().filter_map(|(key, &term)| match key {
            VariableKey::Register { .. } | VariableKey::Offset { .. } | VariableKey::Byte { .. } => Some(term),
            _ => None,
        }));
        variables.extend(self.threads.iter().flat_map(|draft| [draft.settled, draft.result]));
        variables.sort_unstable();
        variables.dedup();
        // On the ways that assign nothing, a thread does not exist, and all else is zero.
        let mut before = Instantiation::default();
        for &variable in first.keys() {
            let is_counter = self.threads.iter().any(|draft| draft.counter == variable);
            let bits = if is_counter { UNBORN.into() } else { 0 };
            let nothing = self.terms.constant(self.terms.width(variable), bits);
            before.bind(variable, nothing);
        }
        for value in first.values_mut() {
            *value = before.apply(&mut self.terms, *value);
        }
        let of = |builder: &mut Self, term: Term| {
            let zero = builder.terms.constant(builder.terms.width(term), 0);
            StateVariable { term, initial: first.get(&term).copied().unwrap_or(zero) }
        };
        variables.into_iter().map(|term| of(self, term)).collect()
    }
}

impl System {
    /// A thread that is started may be started only once.
    pub(super) fn check_births(&mut self) -> Result<(), Unsupported> {
        for thread in &self.threads {
            for (index, place) in thread.places.iter().enumerate() {
                let counter = index as u16 + FIRST;
                if !place.effect.started.is_empty() && thread.comes_back(counter) {
                    let what = "threads are started in a loop whose number of rounds is not known".to_owned();
                    return Err(Unsupported { what, location: place.location });
                }
            }
        }
        // Threads that do not exist at the start.
        let counters: Vec<Term> = self.threads.iter().map(|thread| thread.counter).collect();
        for counter in counters {
            if !self.variables.iter().any(|variable| variable.term == counter) {
                let initial = self.terms.constant(COUNTER_BITS, UNBORN.into());
                self.variables.push(StateVariable { term: counter, initial });
            }
        }
        Ok(())
    }
}

impl Thread {
    /// Whether the thread can come to a place again.
    fn comes_back(&self, counter: u16) -> bool {
        let mut seen = FxHashSet::default();
        let successors = |counter: u16| self.place(counter).map(|p| p.effect.successors.clone()).unwrap_or_default();
        let mut work = successors(counter);
        while let Some(next) = work.pop() {
            if next == counter {
                return true;
            }
            if seen.insert(next) {
                work.extend(successors(next));
            }
        }
        false
    }
}
