//! All interleavings of a program, one after the other, and their classes.

use crate::machine::Machine;
use crate::program::Program;
use crate::relation::{Class, Deed, Fate, History, Wanted};
use everyway_runtime::{Execution, Operation, Performed, State, Step, ready};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What all interleavings of a program come to.
#[derive(Debug, Default)]
pub struct Brute {
    /// The classes, each with what its executions leave behind.
    pub classes: FxHashMap<Class, Vec<u64>>,
    /// The classes by observed happens-before, each with what threads have seen in its executions.
    pub observed: FxHashMap<Class, Vec<u64>>,
    /// The locations whose stores are ordered although they are not observed.
    pub watched: Vec<u32>,
    /// How many maximal interleavings there are.
    pub interleavings: usize,
}

/// Runs all interleavings of `program`; `None` if there are more than `limit`.
///
/// # Panics
/// When two executions of one class leave different things behind, or let threads see different things: then the
/// classes are too coarse, and what they are compared with proves nothing.
pub fn enumerate(program: &Program, limit: usize) -> Option<Brute> {
    let mut search = Search::default();
    walk(program, limit, &mut search).then(|| search.result())
}

/// Visits all interleavings.
pub(crate) trait Witness {
    /// A step was taken that had been announced as `operation`, with this many alternatives, perhaps while no other
    /// thread had come into being. The machine has just done it.
    fn step(&mut self, operation: &Operation, choices: u32, machine: &Machine, is_alone: bool) {
        let _ = (operation, choices, machine, is_alone);
    }

    /// No thread can move any more.
    fn end(&mut self, machine: &Machine, history: &History);
}

/// Shows all interleavings of `program` to `witness`; whether there are no more than `limit`.
pub(crate) fn walk(program: &Program, limit: usize, witness: &mut impl Witness) -> bool {
    let machine = Machine::new(program);
    Walk { machine, history: History::default(), interleavings: 0, limit, witness }.explore(0)
}

struct Walk<'a, W> {
    machine: Machine,
    history: History,
    interleavings: usize,
    limit: usize,
    witness: &'a mut W,
}

impl<W: Witness> Walk<'_, W> {
    /// Whether no other thread has done anything, and none can: none has been spawned, or it was and had nothing to do.
    fn is_alone(&self, thread: usize) -> bool {
        let has_moved = |other: usize| self.history.deeds().iter().any(|deed| deed.thread == other);
        self.machine
            .fates()
            .enumerate()
            .all(|(other, fate)| other == thread || fate == Fate::Unborn || fate == Fate::Ended && !has_moved(other))
    }

    /// Explores everything from the current state; whether that stayed within the limit.
    fn explore(&mut self, depth: usize) -> bool {
        let threads: Vec<_> = ready(&self.machine).collect();
        if threads.is_empty() {
            self.interleavings += 1;
            self.witness.end(&self.machine, &self.history);
        }
        for thread in threads {
            let operation = self.machine.operation(thread).clone();
            let choices = self.machine.choices(thread);
            let is_alone = self.is_alone(thread.index());
            for choice in 0..choices {
                let Ok(()) = self.machine.step(Step { thread, choice }, &mut Performed::default());
                self.witness.step(&operation, choices, &self.machine, is_alone);
                self.history.push(Deed { is_alone, ..self.machine.deed().clone() });
                let within = self.explore(depth + 1);
                self.history.pop();
                let Ok(()) = self.machine.rewind(depth);
                if !within {
                    return false;
                }
            }
        }
        self.interleavings <= self.limit
    }
}

/// How one execution of a class ended.
struct Representative {
    history: History,
    fates: Vec<Fate>,
    seen: Vec<u64>,
    waits: Vec<Wanted>,
}

#[derive(Default)]
struct Search {
    found: Brute,
    /// One of each class; what is observed is the same in all of them.
    ends: Vec<Representative>,
}

impl Witness for Search {
    fn end(&mut self, machine: &Machine, history: &History) {
        self.found.interleavings += 1;
        let contents = machine.contents();
        match self.found.classes.entry(history.class(machine.fates())) {
            Entry::Occupied(known) => {
                assert_eq!(known.get(), &contents, "one class, two outcomes:\n{history}");
            }
            Entry::Vacant(new) => {
                new.insert(contents);
                self.ends.push(Representative {
                    history: history.clone(),
                    fates: machine.fates().collect(),
                    seen: machine.seen(),
                    waits: machine.waits(),
                });
            }
        }
    }
}

impl Search {
    fn result(self) -> Brute {
        let mut found = self.found;
        found.watched = self.ends.iter().flat_map(|end| end.history.watched(&end.waits)).collect();
        for Representative { history, fates, seen, .. } in self.ends {
            let class = history.observed(&found.watched).class(fates.into_iter());
            match found.observed.entry(class) {
                Entry::Occupied(known) => {
                    assert_eq!(known.get(), &seen, "one observed class, two outcomes:\n{history}")
                }
                Entry::Vacant(new) => _ = new.insert(seen),
            }
        }
        found
    }
}
