//! The brute-force numbers of a program under the conflicts that C programs have.
//!
//! The oracle's machine runs all interleavings, as it does for the engine's own tests. In one respect C is told
//! apart more finely than the tiny language: a signal that wakes nobody only looks at its condition variable, and
//! those who come to wait do not look at all.

use everyway_explore::{Execution, Location, Performed, State, Step, ready};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Program, Statement};
use everyway_oracle::relation::{Class, Deed, Fate, History, Manner};
use rustc_hash::FxHashMap;

/// What all interleavings of a program come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    /// The classes in which every thread ends.
    pub complete: u64,
    /// The classes in which some thread is stuck for good.
    pub blocked: u64,
    /// The classes by observed happens-before in which every thread ends, and the others.
    pub observed: [u64; 2],
    /// How many maximal interleavings there are.
    pub interleavings: u64,
}

impl Classes {
    /// The number of classes.
    pub fn all(&self) -> u64 {
        self.complete + self.blocked
    }
}

/// Runs all interleavings of `program`; `None` if there are more than `limit`.
pub fn enumerate(program: &Program, limit: u64) -> Option<Classes> {
    let condvars = program.threads.iter().flat_map(|body| condvars(body)).collect();
    let mut search = Search {
        machine: Machine::new(program),
        history: History::default(),
        found: FxHashMap::default(),
        interleavings: 0,
        condvars,
        limit,
    };
    search.explore(0).then(|| search.result())
}

fn condvars(body: &[Statement]) -> Vec<u32> {
    let of = |statement: &Statement| match statement {
        Statement::Wait { condvar, .. } | Statement::NotifyOne(condvar) | Statement::NotifyAll(condvar) => {
            vec![condvar.base]
        }
        Statement::If(_, inner) | Statement::While(_, inner) => condvars(inner),
        _ => Vec::new(),
    };
    body.iter().flat_map(of).collect()
}

/// An execution that has ended.
struct End {
    history: History,
    fates: Vec<Fate>,
    waits: Vec<u32>,
}

impl End {
    fn is_blocked(&self) -> bool {
        self.fates.contains(&Fate::Blocked)
    }
}

struct Search {
    machine: Machine,
    history: History,
    /// The classes, each with one of its executions.
    found: FxHashMap<Class, End>,
    interleavings: u64,
    condvars: Vec<u32>,
    limit: u64,
}

impl Search {
    /// Explores everything from the current state; whether that stayed within the limit.
    fn explore(&mut self, depth: usize) -> bool {
        let threads: Vec<_> = ready(&self.machine).collect();
        if threads.is_empty() {
            self.interleavings += 1;
            let class = self.history.class(self.machine.fates());
            self.found.entry(class).or_insert_with(|| End {
                history: self.history.clone(),
                fates: self.machine.fates().collect(),
                waits: self.machine.waits(),
            });
        }
        for thread in threads {
            for choice in 0..self.machine.choices(thread) {
                let deed = self.step(Step { thread, choice });
                self.history.push(deed);
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

    /// Takes a step, and tells what it did as C sees it.
    fn step(&mut self, step: Step) -> Deed {
        let waiting = |machine: &Machine, condvar: u32| machine.value(Location(condvar));
        let before: Vec<_> = self.condvars.iter().map(|&condvar| waiting(&self.machine, condvar)).collect();
        let Ok(()) = self.machine.step(step, &mut Performed::default());
        let mut deed = self.machine.deed().clone();
        for touch in &mut deed.touches {
            if let Some(position) = self.condvars.iter().position(|&condvar| condvar == touch.location) {
                touch.manner = match waiting(&self.machine, touch.location) {
                    after if after > before[position] => Manner::Increase,
                    after if after == before[position] => Manner::Look,
                    _ => Manner::Replace,
                };
            }
        }
        deed
    }

    fn result(self) -> Classes {
        let ends = || self.found.values();
        let watched: Vec<u32> = ends().flat_map(|end| end.history.watched(&end.waits)).collect();
        let observed = |end: &End| (end.history.observed(&watched).class(end.fates.iter().copied()), end.is_blocked());
        let observed: FxHashMap<Class, bool> = ends().map(observed).collect();
        let blocked = ends().filter(|end| end.is_blocked()).count() as u64;
        let observed_blocked = observed.values().filter(|blocked| **blocked).count() as u64;
        Classes {
            complete: self.found.len() as u64 - blocked,
            blocked,
            observed: [observed.len() as u64 - observed_blocked, observed_blocked],
            interleavings: self.interleavings,
        }
    }
}
