//! All interleavings of a program, one after the other, and their classes.

use crate::machine::Machine;
use crate::program::Program;
use crate::relation::{Class, Fate, History};
use everyway_explore::{Execution, Performed, State, Step, ready};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// What all interleavings of a program come to.
#[derive(Debug, Default)]
pub struct Brute {
    /// The classes, each with what its executions leave behind.
    pub classes: FxHashMap<Class, Vec<u64>>,
    /// The classes by observed happens-before, each with what threads have seen in its executions.
    pub observed: FxHashMap<Class, Vec<u64>>,
    /// The locations whose stores are ordered although nobody observes them.
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
    let mut search = Search {
        machine: Machine::new(program),
        history: History::default(),
        found: Brute::default(),
        ends: Vec::new(),
        limit,
    };
    search.explore(0).then(|| search.result())
}

/// How one execution of a class ended.
struct Representative {
    history: History,
    fates: Vec<Fate>,
    seen: Vec<u64>,
    waits: Vec<u32>,
}

struct Search {
    machine: Machine,
    history: History,
    found: Brute,
    /// One of each class; what is observed is the same in all of them.
    ends: Vec<Representative>,
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
                self.ends.push(Representative {
                    history: self.history.clone(),
                    fates: self.machine.fates().collect(),
                    seen: self.machine.seen(),
                    waits: self.machine.waits(),
                });
            }
        }
    }

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
