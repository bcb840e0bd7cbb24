//! `everyway bmc`: all executions and all inputs up to a number of steps, by a solver; what it finds is run again.

use crate::arguments::{BmcArguments, ReductionName, Rules, SolverName};
use crate::cancel;
use crate::check::refuse_unsupported;
use crate::error::Error;
use crate::program;
use crate::trace::Archive;
use everyway_driver::{Followed, Found, Limits};
use everyway_explore::MemoryModel;
use everyway_ir::{AtomicOrdering, LoopTreatment, Module, Operation};
use everyway_report::{Executions, Report, Source, Verdict};
use everyway_runtime::{Step, ThreadId};
use everyway_symbolic::solver::{self, BuiltIn, Process, Solver, SolverError, Stop};
use everyway_symbolic::system::Unsupported;
use everyway_symbolic::{Checked, Reduction, build, check};
use everyway_vm::Program;
use std::sync::Arc;
use std::time::Instant;

/// Checks the program that the arguments name.
pub(crate) fn bmc(arguments: &BmcArguments) -> Result<Report, Error> {
    // Loops go round: what they wait for is no step of the solver's executions.
    let loops = LoopTreatment::Plain;
    let module = program::compile(&arguments.program, loops)?;
    let limits = Limits { time: arguments.timeout, cancelled: cancel::on_signals()?, ..Limits::default() };
    let started = Instant::now();
    let system = build(&module).map_err(|what| not_supported(&module, &what))?;
    let uninitialised = system.uninitialised.clone();
    let checked = solve(arguments, system, started, &limits)?;
    let mut report = report(arguments, &checked);
    report.notes.extend(note_on_orderings(&module));
    match checked.verdict {
        everyway_symbolic::Verdict::Bug(_, script) => {
            let rules =
                Rules { values: script.values.clone(), memory_model: Some(MemoryModel::Sc), ..Rules::default() };
            let program = Program::new(Arc::clone(&module), program::settings(&arguments.program, &rules));
            let mut found = run_again(&program, &script, &limits)?;
            refuse_unsupported(&found.bug)?;
            let mut archive = Archive::new(&arguments.program, loops, &rules, arguments.save.as_deref());
            found.save(&program, &mut archive, 0, &mut report.notes);
            report.bug = Some(found.bug);
        }
        everyway_symbolic::Verdict::Unsupported(what) => return Err(not_supported(&module, &what)),
        everyway_symbolic::Verdict::Verified { .. } | everyway_symbolic::Verdict::Bounded { .. } => {
            if let Some(what) = uninitialised {
                let place = place(&module, &what).map(|source| format!("{source}: ")).unwrap_or_default();
                report.cut.push(format!("{place}{what}"));
                report.verdict = Verdict::Incomplete;
            }
        }
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

fn place(module: &Module, what: &Unsupported) -> Option<Source> {
    let location = what.location?;
    Some(Source { file: module.file(location.file).to_owned(), line: location.line, column: location.column })
}

fn not_supported(module: &Module, what: &Unsupported) -> Error {
    let error = Error { source: place(module, what), ..Error::new(&what.what) };
    error.with_tip("`everyway check` may support it, with a few values for each input")
}

/// Asks the solver that the user wants, and writes down what it was asked if the user wants that.
fn solve(
    arguments: &BmcArguments,
    system: everyway_symbolic::system::System,
    started: Instant,
    limits: &Limits,
) -> Result<Checked, Error> {
    let stops: Stop = {
        let limits = limits.clone();
        Arc::new(move || limits.is_cancelled() || limits.time.is_some_and(|limit| started.elapsed() >= limit))
    };
    let run = |solver: &mut dyn Solver| {
        solver.stop_when(Arc::clone(&stops));
        let reduction = reduction(arguments.reduction);
        check(system, reduction, arguments.steps, solver, &mut |_| !stops()).map_err(from_solver)
    };
    let mut solver: Box<dyn Solver> = match program_of(arguments.solver) {
        None => Box::new(BuiltIn::new()),
        Some(program) => Box::new(Process::start(program).map_err(from_solver)?),
    };
    let Some(path) = &arguments.dump else { return run(&mut *solver) };
    let mut script = solver::Script::new(solver);
    let checked = run(&mut script);
    std::fs::write(path, script.text())
        .map_err(|error| Error::new(format!("`{}` cannot be written: {error}", path.display())))?;
    checked
}

fn reduction(name: ReductionName) -> Reduction {
    match name {
        ReductionName::None => Reduction::None,
        ReductionName::Static => Reduction::Static,
        ReductionName::Simple => Reduction::Simple,
        ReductionName::Full => Reduction::Full,
    }
}

fn program_of(name: SolverName) -> Option<solver::Program> {
    match name {
        SolverName::Cadical => None,
        SolverName::Z3 => Some(solver::Program::Z3),
        SolverName::Cvc5 => Some(solver::Program::Cvc5),
        SolverName::Bitwuzla => Some(solver::Program::Bitwuzla),
    }
}

fn from_solver(error: SolverError) -> Error {
    let shown = Error::new(error.to_string());
    match error {
        SolverError::CannotRun { .. } => {
            shown.with_tip("the program has to be on PATH; --solver cadical is built in and needs nothing installed")
        }
        SolverError::NoAnswer { .. } | SolverError::Stopped => shown,
    }
}

fn report(arguments: &BmcArguments, checked: &Checked) -> Report {
    let mut cut = Vec::new();
    let (verdict, steps) = match &checked.verdict {
        everyway_symbolic::Verdict::Bug(found, _) => (Verdict::Bug, found.steps.len()),
        everyway_symbolic::Verdict::Verified { steps } => (Verdict::Verified, *steps),
        everyway_symbolic::Verdict::Bounded { steps } => {
            cut.push(match *steps < arguments.steps {
                true => format!("it was stopped at depth {steps}, and there may be longer executions"),
                false => {
                    format!("there are executions of more than {steps} steps: --steps sets how many are looked at")
                }
            });
            (Verdict::Incomplete, *steps)
        }
        everyway_symbolic::Verdict::Unsupported(_) => (Verdict::Incomplete, 0),
    };
    let statistics = checked.statistics;
    Report {
        verdict,
        strategy: format!("bmc --reduction {}", reduction(arguments.reduction).name()),
        executions: Executions::default(),
        seconds: 0.0,
        cut,
        notes: Vec::new(),
        bug: None,
        further_bugs: Vec::new(),
        solver: Some(everyway_report::Solver {
            steps: steps as u64,
            conflicts: statistics.conflicts,
            decisions: statistics.decisions,
            clauses: statistics.clauses,
        }),
    }
}

/// Runs what the solver has found in the virtual machine, which says what fails.
fn run_again(program: &Program, script: &everyway_symbolic::Script, limits: &Limits) -> Result<Found, Error> {
    let steps: Vec<Step> =
        script.steps.iter().map(|&(thread, choice)| Step { thread: ThreadId::new(thread), choice }).collect();
    let count = steps.len();
    match everyway_driver::follow(program, steps, limits) {
        Followed::Failed(found) => Ok(*found),
        Followed::NotFailed { steps } => Err(Error::new(format!(
            "everyway is wrong here: the solver found an execution of {count} steps that fails, but it does not fail when \
             it is run (it was followed for {steps} steps)",
        ))
        .with_tip("please report this, with the program; `everyway check` does not depend on the solver")),
    }
}

/// What is to be said of a program some of whose atomic accesses ask for less than sequential consistency.
fn note_on_orderings(module: &Module) -> Option<String> {
    has_weak_orderings(module).then(|| {
        "this is under sequential consistency: `everyway bmc` takes atomic accesses with weaker orderings for seq_cst \
         ones; `everyway check` does not"
            .to_owned()
    })
}

/// Whether some atomic access asks for less than sequential consistency.
fn has_weak_orderings(module: &Module) -> bool {
    let weak = |ordering: &AtomicOrdering| *ordering != AtomicOrdering::SeqCst;
    let bodies = module.functions.iter().filter_map(|function| function.body.as_ref());
    let mut operations = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instructions);
    let access = |instruction: &everyway_ir::Instruction| match &instruction.operation {
        Operation::Await { access, .. } => (**access).clone(),
        operation => operation.clone(),
    };
    operations.any(|instruction| match &access(instruction) {
        Operation::Load { ordering, .. } | Operation::Store { ordering, .. } => ordering.as_ref().is_some_and(weak),
        Operation::AtomicRmw { ordering, .. } | Operation::Fence { ordering, .. } => weak(ordering),
        Operation::CompareExchange { success, failure, .. } => weak(success) || weak(failure),
        _ => false,
    })
}
