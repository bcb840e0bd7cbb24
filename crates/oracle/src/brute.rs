//! All interleavings of a program, one after the other, and their classes.

use crate::machine::Machine;
use crate::program::Program;
use crate::relation::{Class, History};
use everyway_explore::{Execution, Performed, State, Step, ready};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What all interleavings of a program come to.
#[derive(Debug, Default)]
pub struct Brute {
    /// The classes, each with what its executions leave behind.
    pub classes: FxHashMap<Class, Vec<u64>>,
    /// How many maximal interleavings there are.
    pub interleavings: usize,
}

/// Runs all interleavings of `program`; `None` if there are more than `limit`.
///
/// # Panics
/// When two executions of one class leave different things behind: then the classes are too coarse, and what
/// they are compared with proves nothing.
pub fn enumerate(program: &Program, limit: usize) -> Option<Brute> {
    let mut search =
        Search { machine: Machine::new(program), history: History::default(), found: Brute::default(), limit };
    search.explore(0).then_some(search.found)
}

struct Search {
    machine: Machine,
    history: History,
    found: Brute,
    limit: usize,
}

impl Search {
    /// Explores everything from the current state; whether that stayed within the limit.
    fn explore(&mut self, depth: usize) -> bool {
        let threads: Vec<_> = ready(&self.machine).collect();
        if threads.is_empty() {
            self.record();
        }
        for thread in threads {
            for choice in 0..self.machine.choices(thread) {
                let Ok(()) = self.machine.step(Step { thread, choice }, &mut Performed::default());
                self.history.push(self.machine.deed().clone());
                let within = self.explore(depth + 1);
                self.history.pop();
                let Ok(()) = self.machine.rewind(depth);
                if !within {
                    return false;
                }
            }
        }
        self.found.interleavings <= self.limit
    }

    fn record(&mut self) {
        self.found.interleavings += 1;
        let contents = self.machine.contents();
        match self.found.classes.entry(self.history.class(self.machine.fates())) {
            Entry::Occupied(known) => {
                assert_eq!(known.get(), &contents, "one class, two outcomes:\n{}", self.history);
            }
            Entry::Vacant(new) => {
                new.insert(contents);
            }
        }
    }
}
