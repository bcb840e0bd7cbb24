//! Executions that a strategy explores of a C program, held against brute force.
//!
//! Each of them is run once more, and its steps are taken in the oracle's machine as well; what they do and find there says
//! which class it is of. These must be the classes that brute force has for the tiny program, each once, unless the strategy
//! explores interleavings.
//! What C takes steps for and the tiny program does not, handles that others need, is left out; what C does before there
//! is a second thread is no step of its, and put in.

use crate::classes::{Partition, Steps};
use crate::compare::Case;
use crate::emit::{is_handle, thread_of};
use crate::handles::MAIN;
use crate::program::Setup;
use everyway_explore::{Algorithm, Counts, Cut, End, Ending, Explorer, Limits, Trace};
use everyway_ir::Module;
use everyway_oracle::machine::Machine as Tiny;
use everyway_oracle::relation::{Class, Fate, History};
use everyway_runtime::{Execution, Performed, State, Status, Step, ThreadId, ready};
use everyway_vm::{Machine, Settings};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Explores the C program called `name` of a case by `setup`, and tells how its executions differ from the classes that
/// brute force has, if they do.
///
/// # Errors
/// When the exploration does not get to its end.
pub(crate) fn explore_classes(
    module: &Arc<Module>,
    name: &str,
    case: &Case,
    setup: &Setup,
) -> Result<Option<String>, String> {
    let settings = Settings { allow_deadlocks: true, allow_livelocks: true, ..setup.machine_settings() };
    let mut machine = Machine::begin(Arc::clone(module), settings);
    let (collected, counts) = collect(&mut machine, setup)?;
    let (expected, steps) = (case.classes.of(setup.algorithm), Steps::of(&case.program));
    let mut judge = Judge { case, name, algorithm: setup.algorithm, expected, steps, found: FxHashSet::default() };
    let judged = collected.iter().try_for_each(|(schedule, ending)| judge.judge(&mut machine, schedule, *ending));
    Ok(judged.and_then(|()| judge.conclude(counts)).err())
}

/// An execution, and how it ended.
type Collected = (Vec<Step>, Ending);

/// The executions that are not redundant, by an exploration without a driver: the machine that has run them goes on to
/// run them again.
fn collect(machine: &mut Machine, setup: &Setup) -> Result<(Vec<Collected>, Counts), String> {
    let mut collected = Vec::new();
    let mut strategy = setup.algorithm.strategy(setup.order.clone());
    let limits = Limits { executions: setup.limits.executions, ..Limits::default() };
    let mut explorer = Explorer::new(machine, &mut *strategy, limits).verified(setup.verification);
    let end = explorer.run(|progress| {
        if progress.counts.executions() == 1 {
            // The first one, or the first one after the strategy has started over.
            collected.clear();
        }
        if progress.ending != Ending::Redundant {
            collected.push((progress.trace.steps().collect(), progress.ending));
        }
        ControlFlow::Continue(())
    });
    match end {
        End::Finished | End::Stopped(Cut::Executions(_)) => Ok((collected, explorer.counts())),
        End::Stopped(cut) => Err(format!("stopped by {cut:?}")),
        End::Failed(failure) | End::Diverged(failure) => Err(format!("{:?}: {}", failure.kind, failure.message)),
    }
}

/// Compares executions of a C program with those of the tiny one.
struct Judge<'a> {
    case: &'a Case,
    name: &'a str,
    algorithm: Algorithm,
    expected: &'a Partition,
    steps: Steps,
    found: FxHashSet<Class>,
}

impl Judge<'_> {
    fn judge(&mut self, machine: &mut Machine, schedule: &[Step], ending: Ending) -> Result<(), String> {
        let steps = self.translate(machine, schedule)?;
        let mut tiny = Tiny::new(&self.case.program);
        let mut history = History::default();
        for step in steps {
            self.take_unseen(&mut tiny, &mut history);
            if !ready(&tiny).any(|thread| thread == step.thread) {
                return Err(format!("C takes a step of {} that it cannot take after\n{history}", step.thread));
            }
            let step = self.steps.meant_by(&mut tiny, history.deeds().len(), step);
            history.push(self.steps.take(&mut tiny, step));
        }
        self.take_unseen(&mut tiny, &mut history);
        if ready(&tiny).next().is_some() {
            return Err(format!("C ends too early:\n{history}"));
        }
        let fates: Vec<Fate> = tiny.fates().collect();
        let is_as_told = fates.contains(&Fate::Blocked) == (ending == Ending::Blocked);
        let Some(class) = self.expected.class(&history, &fates).filter(|_| is_as_told) else {
            return Err(format!("explored what cannot happen:\n{history}"));
        };
        match self.found.insert(class) || self.algorithm == Algorithm::Naive {
            true => Ok(()),
            false => Err(format!("explored a class twice:\n{history}")),
        }
    }

    /// Takes the steps that are none in C.
    fn take_unseen(&self, tiny: &mut Tiny, history: &mut History) {
        let main = ThreadId::new(MAIN);
        while tiny.status(main) == Status::Ready && self.steps.is_unseen(tiny, main) {
            history.push(self.steps.take(tiny, Step { thread: main, choice: 0 }));
        }
    }

    /// The steps of the tiny program that those of the C program stand for. The machine has explored the program, so
    /// that it knows threads by the same numbers.
    fn translate(&self, machine: &mut Machine, schedule: &[Step]) -> Result<Vec<Step>, String> {
        let cannot = |_| "an execution cannot be run again".to_owned();
        machine.rewind(0).map_err(cannot)?;
        for &step in schedule {
            machine.step(step, &mut Performed::default()).map_err(cannot)?;
        }
        let execution = machine.describe(&Trace::new());
        let mut steps = Vec::new();
        for (event, step) in execution.events.iter().zip(schedule) {
            if is_handle(&event.object, self.name) {
                continue;
            }
            let thread = &execution.threads[event.thread].name;
            let thread = thread_of(thread, self.name).ok_or_else(|| format!("there is no thread `{thread}`"))?;
            steps.push(Step { thread: ThreadId::new(thread), choice: step.choice });
        }
        Ok(steps)
    }

    fn conclude(&self, counts: Counts) -> Result<(), String> {
        let (found, all) = (self.found.len() as u64, self.expected.all());
        let may_be_redundant = matches!(self.algorithm, Algorithm::Source | Algorithm::Classic);
        match found == all && (counts.redundant == 0 || may_be_redundant) {
            true => Ok(()),
            false => Err(format!("found {found} of {all} classes, and {} executions were redundant", counts.redundant)),
        }
    }
}
