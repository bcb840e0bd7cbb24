//! Holds the engine's execution graphs against brute force.

use super::{Candidates, Found, Name, Shape, TooMuch, candidates};
use crate::machine::Machine;
use crate::program::Program;
use crate::reexecuting::Reexecuting;
use everyway_explore::{
    AfterFailure, Algorithm, Counts, Cut, DataRace, End, Ending, Exchange, Explorer, Left, Limits, MemoryModel, Order,
    Progress, Strategy, Subtree, Trace, Watcher,
};
use everyway_runtime::{EventId, Execution, Source};
use rustc_hash::{FxHashMap, FxHashSet};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// What the engine finds.
#[derive(Debug, Default)]
pub struct Explored {
    /// The graphs, each with how often it was explored.
    pub graphs: FxHashMap<Shape, usize>,
    /// How many executions there were.
    pub counts: Counts,
    /// Whether some execution has a data race.
    pub races: bool,
}

impl<X: Execution<Failure = Infallible>> Watcher<X> for Explored {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        if progress.ending != Ending::Redundant
            && let Some(shape) = shape(progress)
        {
            *self.graphs.entry(shape).or_default() += 1;
        }
        ControlFlow::Continue(())
    }

    fn failed(&mut self, failure: &Infallible, _: &X, _: &Trace) -> AfterFailure {
        match *failure {}
    }

    fn raced(&mut self, _: DataRace, _: &X, _: &Trace) -> AfterFailure {
        self.races = true;
        AfterFailure::GoOn(0)
    }
}

/// The graph of an execution of the engine, if it has one.
pub fn shape(progress: &Progress<'_>) -> Option<Shape> {
    let (trace, graph) = (progress.trace, progress.graph()?);
    let name = |event: EventId| {
        let event = trace.event(event);
        Name { thread: event.step.thread.index(), index: event.index as usize - 1 }
    };
    let source = |source| match source {
        Source::Initial => None,
        Source::Event(event) => Some(name(event)),
    };
    let mut reads: Vec<_> = graph.sources().map(|(read, at, from)| (name(read), at.0, source(from))).collect();
    reads.sort();
    let orders = graph.modification_orders();
    let mut order: Vec<_> = orders.map(|(at, writes)| (at.0, writes.into_iter().map(name).collect())).collect();
    order.sort();
    let chosen = trace.events_from(0).map(|event| (name(event), trace.event(event).step.choice));
    let mut choices: Vec<_> = chosen.filter(|&(_, choice)| choice > 0).collect();
    choices.sort();
    Some(Shape { reads, order, choices })
}

/// Explores `program` under a model.
///
/// # Errors
/// When the exploration does not end by itself.
pub fn explore<X: Execution<Failure = Infallible>>(
    program: &mut X,
    model: MemoryModel,
    order: Order,
    limits: Limits,
) -> Result<Explored, String> {
    explore_by(Algorithm::Graphs { model }.strategy(order), program, limits)
}

fn explore_by<X: Execution<Failure = Infallible>>(
    mut strategy: Box<dyn Strategy>,
    program: &mut X,
    limits: Limits,
) -> Result<Explored, String> {
    let mut explored = Explored::default();
    let mut explorer = Explorer::new(program, &mut *strategy, limits);
    match explorer.run_watched(&mut explored) {
        End::Finished => {
            explored.counts = explorer.counts();
            Ok(explored)
        }
        end => Err(format!("{end:?}")),
    }
}

/// Explores `program` in parts, as workers would that stop, steal and go on elsewhere at moments that `seed` decides:
/// each part is a text, and is explored in a program of its own.
///
/// # Errors
/// When some part does not end as it should.
pub fn explore_in_parts<X: Execution<Failure = Infallible>>(
    new: impl Fn() -> X,
    algorithm: Algorithm,
    order: &Order,
    seed: u64,
) -> Result<Explored, String> {
    let mut explored = Explored::default();
    let root = algorithm.root(64).ok_or("it cannot be shared")?;
    let mut hands = Hands { random: fastrand::Rng::with_seed(seed), subtrees: vec![root] };
    while !hands.subtrees.is_empty() {
        let mut program = new();
        let mut strategy = algorithm.strategy_keeping(kept(seed), order.clone());
        let mut explorer = Explorer::new(&mut program, &mut *strategy, Limits::default()).shared_with(&mut hands);
        let end = explorer.run_watched(&mut explored);
        explored.counts += explorer.counts();
        let left = explorer.left();
        match end {
            End::Finished => {}
            End::Stopped(Cut::Interrupted) => {
                let left = left.ok_or("it does not tell what is left")?;
                hands.subtrees.extend(left);
                let texts = Subtree::write_all(&hands.subtrees);
                let read = Subtree::read_all(&texts).map_err(|error| format!("{error:?}: {texts:?}"))?;
                // When what is to be added is added is plain from where it is, and not written down.
                if !read.iter().map(Subtree::to_string).eq(hands.subtrees.iter().map(Subtree::to_string)) {
                    return Err(format!("subtrees are not read as they were written: {texts:?}"));
                }
                hands.subtrees = read;
            }
            end => return Err(format!("{end:?}")),
        }
    }
    Ok(explored)
}

/// How many events revisits may keep while they wait: so few that graphs are suspended even in small programs.
fn kept(seed: u64) -> usize {
    1 << (seed % 9)
}

/// The hands that subtrees go through.
struct Hands {
    random: fastrand::Rng,
    subtrees: Vec<Subtree>,
}

impl Exchange for Hands {
    fn take(&mut self, _: Counts) -> Option<Subtree> {
        let count = self.subtrees.len();
        let subtree = (count > 0).then(|| self.subtrees.swap_remove(self.random.usize(..count)))?;
        Some(subtree.to_string().parse().expect("what was written can be read"))
    }

    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut> {
        if self.random.u8(..3) == 0 {
            self.subtrees.extend(left.give());
        }
        if self.random.u8(..8) == 0 { ControlFlow::Break(Cut::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

/// What the comparison came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// How many graphs there are.
    pub graphs: usize,
    /// How many executions were explored besides.
    pub redundant: u64,
}

/// Compares what the engine explores of `program` with brute force; none if that is too much.
///
/// # Errors
/// How they differ.
pub fn compare(program: &Program, model: MemoryModel, limit: usize, seed: u64) -> Result<Option<Agreement>, String> {
    match candidates(program, limit) {
        Ok(all) => compare_with(program, &all, model, seed).map(Some),
        Err(TooMuch::Runs | TooMuch::Unknown) => Ok(None),
    }
}

/// Compares what the engine explores of `program` with what brute force found.
///
/// # Errors
/// How they differ.
pub fn compare_with(program: &Program, all: &Candidates, model: MemoryModel, seed: u64) -> Result<Agreement, String> {
    let found = all.allowed(model);
    let expected: FxHashSet<&Shape> = found.iter().map(|found| &found.shape).collect();
    let races = model == MemoryModel::Rc11 && found.iter().any(|found| found.races);
    let mut agreement = Agreement { graphs: expected.len(), redundant: 0 };
    for (position, order) in [Order::Lowest, Order::Highest, Order::Random(seed)].into_iter().enumerate() {
        let limits = Limits { executions: Some(20 * expected.len() as u64 + 1000), ..Limits::default() };
        let blame = |what: String| format!("{model} in order {order:?}: {what}");
        let explored = explore(&mut Machine::new(program), model, order.clone(), limits.clone()).map_err(blame)?;
        if let Some(missing) = expected.iter().find(|shape| !explored.graphs.contains_key(**shape)) {
            let missed = expected.iter().filter(|shape| !explored.graphs.contains_key(**shape)).count();
            return Err(blame(format!("misses {missed} of {}, such as {missing:?}", expected.len())));
        }
        if let Some(wrong) = explored.graphs.keys().find(|shape| !expected.contains(shape)) {
            return Err(blame(format!("explored what cannot happen: {wrong:?}")));
        }
        if let Some((twice, _)) = explored.graphs.iter().find(|(_, times)| **times > 1) {
            return Err(blame(format!("explored twice: {twice:?}")));
        }
        let races_here = |found: &&Found| model == MemoryModel::Rc11 && found.races;
        let failed = found.iter().filter(races_here).count() as u64;
        let complete = found.iter().filter(|found| found.is_complete && !races_here(found)).count() as u64;
        if (explored.counts.complete, explored.counts.failed) != (complete, failed) {
            let counts = explored.counts;
            return Err(blame(format!("{counts:?}, but {complete} graphs are complete and {failed} race")));
        }
        if explored.races != races {
            return Err(blame(format!("races: {} instead of {races}", explored.races)));
        }
        agreement.redundant += explored.counts.redundant;
        if position as u64 == seed % 3 {
            let algorithm = Algorithm::Graphs { model };
            let parts = explore_in_parts(|| Machine::new(program), algorithm, &order, seed).map_err(blame)?;
            let counts = Counts { steps: explored.counts.steps, ..parts.counts };
            if parts.graphs != explored.graphs || counts != explored.counts || parts.races != explored.races {
                return Err(blame(format!("{:?}, but {:?} in parts", explored.counts, parts.counts)));
            }
        }
        if matches!(order, Order::Lowest) {
            let strategy = Algorithm::Graphs { model }.strategy_keeping(kept(seed), order.clone());
            let again = explore_by(strategy, &mut Reexecuting::new(program), limits).map_err(blame)?;
            let counts = Counts { steps: explored.counts.steps, ..again.counts };
            if again.graphs != explored.graphs || counts != explored.counts {
                return Err(blame(format!("{:?}, but {:?} by running again", explored.counts, again.counts)));
            }
        }
    }
    Ok(agreement)
}
