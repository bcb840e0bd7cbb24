//! `everyway bmc`: all executions and all inputs up to a number of steps, by a solver; what it finds is run again.

use crate::arguments::{BmcArguments, ProgramArguments, ReductionName, Rules, SolverName, Steps, Switch};
use crate::cancel;
use crate::check::{not_compiled, refuse_unsupported};
use crate::error::Error;
use crate::program::{self, Compiled};
use crate::trace::Archive;
use crate::watchdog::Watchdog;
use everyway_driver::{Followed, Found, Limits};
use everyway_explore::MemoryModel;
use everyway_ir::{AtomicOrdering, LoopTreatment, Module, Operation, has_early_ends};
use everyway_llvm::clang::Until;
use everyway_report::{BugKind, Executions, Report, Source, Verdict};
use everyway_runtime::{Step, ThreadId};
use everyway_symbolic::solver::{self, BuiltIn, Process, Solver, SolverError};
use everyway_symbolic::system::Unsupported;
use everyway_symbolic::{
    Asking, BuildError, Checked, Deadlocks, Ending, Limit, Plan, Reduction, Setup, Wanted, build, check,
};
use everyway_vm::{Failure, Program, is_up_to_environment};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is taken for granted of variables whose address goes elsewhere.
const ENDS: &str =
    "that no variable is used after its scope or its function has ended (which `everyway check` looks at)";

/// What is taken for granted of programs whose threads access memory that is not atomic.
const RACES: &str = "that there are no data races (which `everyway check` looks for)";

/// Loops go round: what they wait for is no step of the solver's executions.
const LOOPS: LoopTreatment = LoopTreatment::Plain;

/// The program without the ends of scopes, which are not looked at: neither here nor when an execution is run.
fn without_scopes(program: &ProgramArguments) -> ProgramArguments {
    let mut without = program.clone();
    without.clang_flag.extend(["-Xclang", "-disable-lifetime-markers"].map(str::to_owned));
    without
}

/// How long it may take to find out whether a program can be looked at.
const LOOK: Duration = Duration::from_secs(10);

/// What the solver knows of what a program can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Knowledge {
    Everything,
    /// Not what another answer of its environment leads to than the one that it has here.
    FailuresAlone,
}

/// What the solver knows of the program, if there is nothing in it that it cannot be asked about.
pub(crate) fn knowledge(arguments: &BmcArguments) -> Option<Knowledge> {
    let module = program::compile(&without_scopes(&arguments.program), LOOPS, program::interleaved()).ok()?;
    let settings = program::settings(&arguments.program, &Rules::default());
    let limit = Limit::until(Some(Instant::now() + LOOK));
    build(&module, &Setup { arguments: settings.arguments, invariant: None, limit }).ok()?;
    Some(if is_up_to_environment(&module) { Knowledge::FailuresAlone } else { Knowledge::Everything })
}

/// Checks the program that the arguments name.
pub(crate) fn bmc(arguments: &BmcArguments) -> Result<Report, Error> {
    bmc_of(arguments, Deadlocks::Fail)
}

/// The same, with or without what threads do that wait for each other.
pub(crate) fn bmc_of(arguments: &BmcArguments, deadlocks: Deadlocks) -> Result<Report, Error> {
    let loops = LOOPS;
    let without_scopes = without_scopes(&arguments.program);
    let begun = Instant::now();
    let limits = Limits { time: arguments.timeout, cancelled: cancel::on_signals()?, ..Limits::default() };
    let deadline = arguments.timeout.map(|time| begun + time);
    let watchdog = Watchdog::start(deadline, arguments.max_memory, Arc::clone(&limits.cancelled));
    let until = Until { deadline, cancelled: Arc::clone(&limits.cancelled) };
    let module = match program::compile_until(&without_scopes, loops, program::interleaved(), &until)? {
        Compiled::InTime(module) => module,
        Compiled::Stopped => return Ok(not_compiled(strategy(arguments), watchdog.cut_compilation(arguments.timeout))),
    };
    let started = Instant::now();
    let limit = Limit::until(deadline).or_when(Arc::clone(&limits.cancelled));
    let settings = program::settings(&arguments.program, &Rules::default());
    let invariant = arguments.invariant.clone();
    let setup = Setup { arguments: settings.arguments, invariant, limit: limit.clone() };
    let (checked, uninitialised, may_race) = match build(&module, &setup) {
        Ok(mut system) => {
            let (uninitialised, may_race) = (system.uninitialised.clone(), system.may_race());
            (solve(arguments, system, deadlocks, limit)?, uninitialised, may_race)
        }
        Err(BuildError::Unsupported(what)) => return Err(not_supported(&module, &what)),
        Err(BuildError::Stopped) => (Checked::stopped(), None, false),
    };
    let mut report = report(arguments, &checked);
    // Who asks whether an assertion fails asks for neither deadlocks nor data races.
    if may_race && deadlocks == Deadlocks::Fail && report.verdict != Verdict::Bug {
        report.assumed.push(RACES.to_owned());
    }
    report.notes.extend(note_on_orderings(&module));
    note_ends(arguments, &until, &mut report)?;
    match checked.verdict {
        everyway_symbolic::Verdict::Bug(found, script) => {
            let rules = Rules {
                values: script.values.clone(),
                memory_model: Some(MemoryModel::Sc),
                // It is not looked at what is used after its end.
                main_stays: true,
                // The solver's threads arrive at barriers in an order.
                commuting_adds: Switch::Off,
                ..Rules::default()
            };
            let violated = arguments.invariant.as_deref().filter(|_| found.ending == Ending::Violates);
            let program = Program::new(Arc::clone(&module), program::settings(&arguments.program, &rules));
            let mut found = run_again(&program, &script, violated, &limits)?;
            refuse_unsupported(&found.bug)?;
            // An execution that does not fail by itself cannot be told from others when it is run again later.
            if violated.is_none() {
                let mut archive = Archive::new(&without_scopes, loops, &rules, arguments.save.as_deref());
                found.save(&program, &mut archive, 0, &mut report.notes);
            }
            report.bug = Some(found.bug);
        }
        everyway_symbolic::Verdict::Unsupported(what) => return Err(not_supported(&module, &what)),
        everyway_symbolic::Verdict::Verified { .. }
        | everyway_symbolic::Verdict::Bounded { .. }
        | everyway_symbolic::Verdict::NoneWithin { .. }
        | everyway_symbolic::Verdict::Stopped { .. } => {
            if let Some(what) = uninitialised {
                let place = place(&module, &what).map(|source| format!("{source}: ")).unwrap_or_default();
                report.cut.push(format!("{place}{what}"));
                report.verdict = Verdict::Incomplete;
            }
        }
    }
    report.cut.extend(watchdog.cut());
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
    deadlocks: Deadlocks,
    limit: Limit,
) -> Result<Checked, Error> {
    let plan = Plan {
        reduction: reduction(arguments.reduction),
        asking: asking(arguments),
        wanted: wanted(arguments),
        deadlocks,
        limit: limit.clone(),
    };
    let run = |solver: &mut dyn Solver| check(system, &plan, solver, &mut |_| {}).map_err(from_solver);
    let mut solver: Box<dyn Solver> = match program_of(arguments.solver) {
        None => Box::new(BuiltIn::with_limit(limit)),
        Some(program) => Box::new(Process::start(program, limit).map_err(from_solver)?),
    };
    let Some(path) = &arguments.dump else { return run(&mut *solver) };
    let mut script = solver::Script::new(solver);
    let checked = run(&mut script);
    std::fs::write(path, script.text())
        .map_err(|error| Error::new(format!("`{}` cannot be written: {error}", path.display())))?;
    checked
}

/// Deeper than this no search gets, unless its executions do nothing.
const DEEPEST: usize = 10_000;

fn asking(arguments: &BmcArguments) -> Asking {
    match (arguments.at_depth, arguments.steps) {
        (Some(depth), _) => Asking::AtDepth(depth),
        (None, Steps::UpTo(depth)) => Asking::EveryDepth(depth),
        (None, Steps::Auto) => Asking::GrowingDepths(DEEPEST),
    }
}

/// To find a shorter execution is to ask again, which `--at-depth` is not to do.
fn wanted(arguments: &BmcArguments) -> Wanted {
    if arguments.at_depth.is_some() { Wanted::Any } else { Wanted::Shortest }
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

fn strategy(arguments: &BmcArguments) -> String {
    format!("bmc --reduction {}", reduction(arguments.reduction).name())
}

fn report(arguments: &BmcArguments, checked: &Checked) -> Report {
    let mut cut = Vec::new();
    let (verdict, steps) = match &checked.verdict {
        everyway_symbolic::Verdict::Bug(found, _) => (Verdict::Bug, found.steps.len()),
        everyway_symbolic::Verdict::Verified { steps } => (Verdict::Verified, *steps),
        everyway_symbolic::Verdict::Bounded { steps } => {
            cut.push(format!("there are executions of more than {steps} steps: --steps sets how many are looked at"));
            (Verdict::Incomplete, *steps)
        }
        everyway_symbolic::Verdict::NoneWithin { steps } => {
            cut.push(format!("executions of more than {steps} steps were not looked at, if there are any"));
            (Verdict::Incomplete, *steps)
        }
        everyway_symbolic::Verdict::Stopped { steps } => {
            cut.push(format!("it was stopped at depth {steps}, and there may be longer executions"));
            (Verdict::Incomplete, *steps)
        }
        everyway_symbolic::Verdict::Unsupported(_) => (Verdict::Incomplete, 0),
    };
    let statistics = checked.statistics;
    Report {
        verdict,
        strategy: strategy(arguments),
        executions: Executions::default(),
        seconds: 0.0,
        cut,
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes: Vec::new(),
        bug: None,
        further_bugs: Vec::new(),
        solver: Some(everyway_report::Solver {
            steps: steps as u64,
            is_shortest: wanted(arguments) == Wanted::Shortest,
            conflicts: statistics.conflicts,
            decisions: statistics.decisions,
            clauses: statistics.clauses,
        }),
        profile: None,
    }
}

/// Runs what the solver has found in the virtual machine, which says what fails. An execution after which the invariant
/// does not hold fails in nothing else.
fn run_again(
    program: &Program,
    script: &everyway_symbolic::Script,
    violated: Option<&str>,
    limits: &Limits,
) -> Result<Found, Error> {
    let steps: Vec<Step> =
        script.steps.iter().map(|&(thread, choice)| Step { thread: ThreadId::new(thread), choice }).collect();
    let count = steps.len();
    let in_the_end = violated
        .map(|name| Failure::new(BugKind::Assertion, format!("the invariant `{name}` does not hold after this step")));
    match everyway_driver::follow(program, steps, limits, in_the_end) {
        Followed::Failed(found) => Ok(*found),
        Followed::NotFailed { steps } => Err(Error::new(format!(
            "everyway is wrong here: the solver found an execution of {count} steps that fails, but it does not fail when \
             it is run (it was followed for {steps} steps)",
        ))
        .with_tip("please report this, with the program; `everyway check` does not depend on the solver")),
    }
}

/// Says that it was not looked at whether variables are used after their end, if they could be, or if there is no time to
/// find out.
fn note_ends(arguments: &BmcArguments, until: &Until, report: &mut Report) -> Result<(), Error> {
    if report.verdict == Verdict::Bug {
        return Ok(());
    }
    let could_be =
        match program::compile_until(&arguments.program, LoopTreatment::Plain, program::interleaved(), until)? {
            Compiled::InTime(module) => has_early_ends(&module),
            Compiled::Stopped => true,
        };
    if could_be {
        report.assumed.push(ENDS.to_owned());
    }
    Ok(())
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
