//! `everyway check`: from the command line to a report.

use crate::arguments::{CheckArguments, First};
use crate::bug::{self, Found};
use crate::error::Error;
use crate::{program, trace};
use everyway_explore::{
    Algorithm, Counts, Cut, End, Explorer, Limits, Order, Strategy, Trace, describe_cut, summarise,
};
use everyway_ir::Module;
use everyway_report::terminal::Progress;
use everyway_report::{BugKind, Report, Verdict};
use everyway_vm::{Failure, Machine, Settings};
use std::ops::ControlFlow;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many executions a strategy that never ends by itself explores.
const SAMPLES: u64 = 10_000;
/// The steps that an execution may have if nothing else is said.
const STEPS: usize = 10_000;

/// Checks the program that the arguments name.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Report, Error> {
    let plan = Plan::new(arguments)?;
    let module = program::compile(&arguments.program)?;
    let settings = program::settings(&arguments.program, &arguments.rules);
    let interrupted = interruptions()?;
    let started = Instant::now();
    let (mut report, found) = explore(&plan, &module, settings, &interrupted);
    report.seconds = started.elapsed().as_secs_f64();
    if program::has_weak_orderings(&module) {
        report.notes.push(
            "this is under sequential consistency: atomic accesses with weaker orderings were taken for seq_cst ones"
                .to_owned(),
        );
    }
    if let Some(Found { mut bug, schedule }) = found {
        refuse_unsupported(&bug)?;
        trace::save(&mut bug, &schedule, &module, arguments, &mut report.notes);
        report.bug = Some(bug);
    }
    Ok(report)
}

/// What is not modelled is no bug of the program.
pub(crate) fn refuse_unsupported(bug: &everyway_report::Bug) -> Result<(), Error> {
    if bug.kind != BugKind::Unsupported {
        return Ok(());
    }
    let error = Error { source: bug.source.clone(), ..Error::new(&bug.message) };
    Err(match error.source {
        Some(_) => {
            error.with_tip("what comes after it was not explored; leave it out, or define the function yourself")
        }
        None => error,
    })
}

/// How to explore.
struct Plan {
    algorithm: Algorithm,
    order: Order,
    limits: Limits,
}

impl Plan {
    /// # Errors
    /// If there is a seed and nothing random.
    fn new(arguments: &CheckArguments) -> Result<Self, Error> {
        let mut algorithm = arguments.algorithm;
        let given = arguments.seed.unwrap_or(0);
        let is_random = match &mut algorithm {
            Algorithm::Random { seed } | Algorithm::Pct { seed, .. } => {
                *seed = given;
                true
            }
            _ => arguments.first == First::Random,
        };
        if arguments.seed.is_some() && !is_random {
            return Err(Error::new("--seed is given, but nothing is random")
                .with_tip("a seed goes with --algorithm random, --algorithm pct or --first random"));
        }
        let order = match arguments.first {
            First::Lowest => Order::Lowest,
            First::Highest => Order::Highest,
            First::Random => Order::Random(given),
        };
        let mut executions = arguments.max_executions;
        if matches!(algorithm, Algorithm::Random { .. } | Algorithm::Pct { .. }) && arguments.timeout.is_none() {
            executions = executions.or(Some(SAMPLES));
        }
        let steps = arguments.rules.max_steps.unwrap_or(STEPS);
        Ok(Self { algorithm, order, limits: Limits { executions, time: arguments.timeout, steps } })
    }
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the command at once.
fn interruptions() -> Result<Arc<AtomicBool>, Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            process::exit(i32::from(crate::output::STOPPED));
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Error::new(format!("Ctrl-C cannot be handled: {error}")))?;
    Ok(flag)
}

fn explore(plan: &Plan, module: &Arc<Module>, settings: Settings, interrupted: &AtomicBool) -> (Report, Option<Found>) {
    let mut strategy = plan.algorithm.strategy(plan.order.clone());
    let samples = settings.samples.clone();
    let mut machine = match Machine::new(Arc::clone(module), settings) {
        Ok(machine) => machine,
        Err((machine, failure)) => {
            let found = bug::describe(&machine, &Trace::new(), failure);
            return conclude(&*strategy, Counts::default(), Vec::new(), Some(found));
        }
    };
    let mut line = Progress::new();
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, plan.limits.clone());
    let end = explorer.run(|progress| {
        line.update(progress.counts.executions(), || progress.estimate().total);
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    drop(line);
    let counts = explorer.counts();
    let (cut, found) = outcome(&explorer, end);
    drop(explorer);
    let mut cuts: Vec<String> = cut.map(|cut| describe_cut(cut, plan.algorithm)).into_iter().collect();
    if machine.has_sampled() {
        let samples: Vec<String> = samples.iter().map(i64::to_string).collect();
        cuts.push(format!("nondeterministic values other than booleans were only tried as {}", samples.join(", ")));
    }
    if machine.has_cut_loops() {
        cuts.push("loops were cut after the rounds that --unroll allows".to_owned());
    }
    conclude(&*strategy, counts, cuts, found)
}

/// What was cut, and what was found, by how the exploration has ended.
fn outcome(explorer: &Explorer<'_, Machine>, end: End<Failure>) -> (Option<Cut>, Option<Found>) {
    let (machine, trace) = (explorer.program(), explorer.trace());
    match end {
        End::Finished => (None, None),
        End::Failed(failure) | End::Diverged(failure) => (None, Some(bug::describe(machine, trace, failure))),
        End::Stopped(Cut::Steps(limit)) => (None, Some(bug::too_long(machine, trace, limit))),
        End::Stopped(cut) => (Some(cut), None),
    }
}

/// The report, still without the bug. An execution that is too long is shown, but it is no bug: it was cut.
fn conclude(
    strategy: &dyn Strategy,
    counts: Counts,
    mut cuts: Vec<String>,
    found: Option<Found>,
) -> (Report, Option<Found>) {
    if let Some(Found { bug, .. }) = found.as_ref().filter(|found| found.bug.kind == BugKind::StepLimit) {
        let place = bug.source.as_ref().map(|source| format!(", in the loop at {source}")).unwrap_or_default();
        cuts.push(format!("an execution was cut{place}, and the exploration ended there"));
    }
    let mut report = summarise(strategy, counts, Duration::ZERO, cuts);
    if found.as_ref().is_some_and(|found| found.bug.kind != BugKind::StepLimit) {
        report.verdict = Verdict::Bug;
    }
    (report, found)
}
