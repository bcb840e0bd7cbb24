//! Execution graphs under memory models, by brute force.
//!
//! [`enumerate`] runs the threads of a program with every choice of a source for every read, puts the writes to each
//! location in every order, and keeps what the axioms allow. Nothing here is shared with the engine but the
//! names of models and orderings: threads run by themselves, and the axioms are matrices over all events.
//!
//! All models here forbid cycles of program order and reads-from, so a write runs before what reads from it.

mod axioms;
pub mod compare;
mod graph;
pub mod programs;
pub mod random;
mod relation;
mod run;
mod step;

pub use graph::{Found, Name, Shape};

use crate::code::Code;
use crate::program::Program;
use everyway_explore::MemoryModel;
use graph::Graph;
use run::{Next, Phase, Run, Thread};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a program is not enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// There are more ways to run its threads than the limit.
    Runs,
    /// It has a statement that this oracle does not know.
    Unknown,
}

/// All coherent graphs of a program, before any model is asked.
#[derive(Debug)]
pub struct Candidates {
    graphs: Vec<(Graph, Found)>,
}

/// All coherent graphs of `program`.
///
/// # Errors
/// When there are more than `limit`, or the program has a statement that is not known here.
pub fn candidates(program: &Program, limit: usize) -> Result<Candidates, TooMuch> {
    let mut search = Search { limit, visited: FxHashSet::default(), ends: Vec::new() };
    search.visit(Run::new(Rc::new(Code::new(program))))?;
    Ok(Candidates::new(&search.ends))
}

/// The graphs of `program` that `model` allows.
///
/// # Errors
/// As [`candidates`].
pub fn enumerate(program: &Program, model: MemoryModel, limit: usize) -> Result<Vec<Found>, TooMuch> {
    Ok(candidates(program, limit)?.allowed(model))
}

struct Search {
    limit: usize,
    visited: FxHashSet<Vec<Thread>>,
    ends: Vec<Run>,
}

impl Search {
    fn visit(&mut self, run: Run) -> Result<(), TooMuch> {
        if !self.visited.insert(run.threads.clone()) {
            return Ok(());
        }
        if self.visited.len() > self.limit {
            return Err(TooMuch::Runs);
        }
        let running: Vec<usize> =
            (0..run.threads.len()).filter(|&thread| run.threads[thread].phase == Phase::Running).collect();
        let mut is_end = true;
        let mut steps = Vec::new();
        for &thread in &running {
            match run.next(thread).ok_or(TooMuch::Unknown)? {
                // What depends on no other thread can as well come first.
                Next::Fence(ordering) => return self.visit(run.with(|run| run.fence(thread, ordering))),
                Next::Step(step) if step.is_blind() => {
                    return self.visit(run.with(|run| run.take(thread, &step, &[None], 0)));
                }
                Next::Choose(to, among) => {
                    return (0..among)
                        .try_for_each(|choice| self.visit(run.with(|run| run.choose(thread, to, choice))));
                }
                Next::Join(joined) if run.threads[joined].phase == Phase::Ended => {
                    return self.visit(run.with(|run| run.join(thread, joined)));
                }
                Next::Join(_) => {}
                Next::Step(step) => {
                    is_end &= step.may_block();
                    steps.push((thread, step));
                }
            }
        }
        for (thread, step) in steps {
            for sources in run.sources(&step) {
                for choice in 0..run.choices(&step) {
                    self.visit(run.with(|run| run.take(thread, &step, &sources, choice)))?;
                }
            }
        }
        if is_end {
            self.ends.push(run);
        }
        Ok(())
    }
}

impl Run {
    fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut run = self.clone();
        change(&mut run);
        run
    }

    /// Whether every thread that waits would wait for ever, with the writes in this order.
    fn waits_for_ever(&self, order: &BTreeMap<u32, Vec<Name>>) -> bool {
        (0..self.threads.len()).filter(|&thread| self.threads[thread].phase == Phase::Running).all(|thread| match self
            .next(thread)
        {
            Some(Next::Step(step)) => {
                let newest = |location: u32| order.get(&location).and_then(|writes| writes.last().copied());
                self.is_blocked(&step, newest)
            }
            _ => true,
        })
    }
}

impl Candidates {
    fn new(runs: &[Run]) -> Self {
        Self { graphs: runs.iter().flat_map(graphs_of).collect() }
    }

    /// The graphs that `model` allows.
    pub fn allowed(&self, model: MemoryModel) -> Vec<Found> {
        self.graphs.iter().filter(|(graph, _)| axioms::allows(model, graph)).map(|(_, found)| found.clone()).collect()
    }
}

/// The coherent graphs of a run: all models ask for that much.
fn graphs_of(run: &Run) -> Vec<(Graph, Found)> {
    let locations = 0..run.code.locations + run.threads.len() as u32;
    let writes = locations.clone().map(|location| (location, run.writes(location)));
    let mut orders = vec![BTreeMap::new()];
    for (location, writes) in writes.filter(|(_, writes)| !writes.is_empty()) {
        let with = |order: &BTreeMap<u32, Vec<Name>>, writes| {
            let mut order = order.clone();
            order.insert(location, writes);
            order
        };
        let permuted = run.chain(location, &writes).unwrap_or_else(|| permutations(&writes));
        orders = orders.iter().flat_map(|order| permuted.iter().map(|writes| with(order, writes.clone()))).collect();
    }
    let mut found = Vec::new();
    for order in orders.into_iter().filter(|order| run.waits_for_ever(order)) {
        let newest = |location| order.get(&location).and_then(|writes| writes.last().copied());
        let memory = (0..run.code.locations).map(|location| run.value_of(location, newest(location))).collect();
        let graph = Graph { threads: run.threads.iter().map(|thread| thread.events.clone()).collect(), order };
        if axioms::is_coherent(&graph) {
            let ended = |thread: &Thread| matches!(thread.phase, Phase::Ended | Phase::Unborn);
            let outcome = Found {
                shape: graph.shape(),
                is_complete: run.threads.iter().all(ended),
                registers: run.threads.iter().map(|thread| thread.registers).collect(),
                memory,
                races: axioms::has_race(&graph),
            };
            found.push((graph, outcome));
        }
    }
    found
}

/// All orders of some writes in which those of one thread come in program order: all models are coherent.
fn permutations(writes: &[Name]) -> Vec<Vec<Name>> {
    if writes.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (position, &first) in writes.iter().enumerate() {
        if writes[..position].iter().any(|earlier| earlier.thread == first.thread) {
            continue;
        }
        let rest: Vec<Name> = writes.iter().copied().filter(|&other| other != first).collect();
        all.extend(permutations(&rest).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}
