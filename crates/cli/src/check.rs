//! `everyway check`: from the command line to a report.

use crate::arguments::{CheckArguments, First};
use crate::bug::{self, Found};
use crate::collect::{Collector, ENOUGH};
use crate::error::Error;
use crate::trace::Origin;
use crate::{program, trace};
use everyway_explore::{Algorithm, Cut, End, Explorer, Limits, Order, describe_cut, summarise};
use everyway_ir::Module;
use everyway_report::{BugKind, Report, Verdict};
use everyway_vm::{Failure, Machine, Settings};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many executions a strategy that never ends by itself explores.
const SAMPLES: u64 = 10_000;
/// The steps that an execution may have if nothing else is said.
const STEPS: usize = 10_000;

/// What the user is told where private memory turned out not to be.
const DISGUISED: &str = "pointers reach other threads in disguise (byte by byte, say, or combined with others), so all \
                         memory was taken for shared, as with --all-shared";

/// What came of an exploration.
struct Explored {
    report: Report,
    found: Vec<Found>,
    /// Whether memory that was taken to be a thread's own turned out not to be.
    has_escaped: bool,
}

/// Checks the program that the arguments name.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Report, Error> {
    let plan = Plan::new(arguments)?;
    let loops = arguments.loops();
    let module = program::compile(&arguments.program, loops)?;
    let mut rules = arguments.rules.clone();
    let interrupted = interruptions()?;
    let started = Instant::now();
    let mut explored = explore(&plan, &module, program::settings(&arguments.program, &rules), &interrupted);
    if explored.has_escaped {
        // What was explored so far is not wrong, but not enough.
        rules.all_shared = true;
        explored = explore(&plan, &module, program::settings(&arguments.program, &rules), &interrupted);
        explored.report.notes.push(DISGUISED.to_owned());
    }
    let Explored { mut report, found, .. } = explored;
    report.seconds = started.elapsed().as_secs_f64();
    report.notes.extend(program::note_on_orderings(&module));
    let mut bugs = Vec::new();
    for (position, Found { mut bug, schedule }) in found.into_iter().enumerate() {
        refuse_unsupported(&bug)?;
        let origin = Origin { program: &arguments.program, loops, rules: &rules, save: arguments.save.as_deref() };
        trace::save(&mut bug, &schedule, &module, origin, position, &mut report.notes);
        bugs.push(bug);
    }
    let mut bugs = bugs.into_iter();
    report.bug = bugs.next();
    report.further_bugs = bugs.collect();
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
    keep_going: bool,
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
        let limits = Limits { executions, time: arguments.timeout, steps };
        Ok(Self { algorithm, order, limits, keep_going: arguments.keep_going })
    }
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the command at once.
pub(crate) fn interruptions() -> Result<Arc<AtomicBool>, Error> {
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

fn explore(plan: &Plan, module: &Arc<Module>, settings: Settings, interrupted: &AtomicBool) -> Explored {
    let mut strategy = plan.algorithm.strategy(plan.order.clone());
    let samples = settings.samples.clone();
    let mut machine = Machine::begin(Arc::clone(module), settings);
    let mut collector = Collector::new(plan.keep_going, interrupted);
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, plan.limits.clone());
    let end = explorer.run_watched(&mut collector);
    let counts = explorer.counts();
    let mut cuts = Vec::new();
    let found = conclude(&explorer, end, collector, plan.algorithm, &mut cuts);
    drop(explorer);
    if machine.has_sampled() {
        let samples: Vec<String> = samples.iter().map(i64::to_string).collect();
        cuts.push(format!("nondeterministic values other than booleans were only tried as {}", samples.join(", ")));
    }
    if let Some(places) = machine.cut_loops() {
        let places: Vec<String> = places.iter().map(|source| format!("{}:{}", source.file, source.line)).collect();
        let which = if places.is_empty() { String::new() } else { format!(": {}", places.join(", ")) };
        cuts.push(format!("loops were cut after the rounds that --unroll or --spin-rounds allows{which}"));
    }
    let mut report = summarise(&*strategy, counts, Duration::ZERO, cuts);
    if found.iter().any(|found| found.bug.kind != BugKind::StepLimit) {
        report.verdict = Verdict::Bug;
    }
    Explored { report, found, has_escaped: machine.has_escaped() }
}

/// What was found, by how the exploration has ended; and what was cut.
fn conclude(
    explorer: &Explorer<'_, Machine>,
    end: End<Failure>,
    collector: Collector<'_>,
    algorithm: Algorithm,
    cuts: &mut Vec<String>,
) -> Vec<Found> {
    let (machine, trace) = (explorer.program(), explorer.trace());
    let is_full = collector.is_full();
    let mut found = collector.found;
    let last = match end {
        End::Finished => return found,
        End::Stopped(Cut::Interrupted) if is_full => {
            cuts.push(format!("the exploration ended with the {ENOUGH}th bug"));
            return found;
        }
        End::Stopped(Cut::Steps(limit)) => bug::too_long(machine, trace, limit),
        End::Stopped(cut) => {
            cuts.push(describe_cut(cut, algorithm));
            return found;
        }
        End::Failed(failure) | End::Diverged(failure) => bug::describe(machine, trace, failure),
    };
    let place = last.bug.source.as_ref();
    match last.bug.kind {
        // An execution that is too long is shown, but it is no bug: it was cut.
        BugKind::StepLimit => {
            let place = place.map(|source| format!(", in the loop at {source}")).unwrap_or_default();
            cuts.push(format!("an execution was cut{place}, and the exploration ended there"));
        }
        BugKind::Unsupported if !found.is_empty() => {
            let place = place.map(|source| format!(" at {source}")).unwrap_or_default();
            cuts.push(format!("the exploration ended{place}: {}", last.bug.message));
            return found;
        }
        _ => {}
    }
    found.push(last);
    found
}
