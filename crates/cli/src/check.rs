//! `everyway check`: from the command line to a report.

use crate::arguments::{CheckArguments, First};
use crate::cancel;
use crate::error::Error;
use crate::keep::{Keeping, can_be_kept};
use crate::output::Outcome;
use crate::program;
use crate::trace::Archive;
use everyway_driver::{AfterFailure, Limits, ModelChoice, Profiling, Settings, TooLong};
use everyway_explore::{Algorithm, Order};
use everyway_report::{Bug, BugKind};
use everyway_vm::Program;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// Checks the program that the arguments name.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome, Error> {
    let mut settings = settings(arguments)?;
    let loops = arguments.loops();
    let module = program::compile(&arguments.program, loops)?;
    settings.limits.cancelled = cancel::on_signals()?;
    let keeping = Keeping::of_check(arguments, &module);
    let archive = Archive::new(&arguments.program, loops, &arguments.rules, arguments.save.as_deref());
    let mut archive = archive.keeping(keeping);
    let mut program = Program::new(module, program::settings(&arguments.program, &arguments.rules));
    let mut report = everyway_driver::check(&mut program, &settings, &mut archive);
    drop(archive);
    if arguments.jobs.is_some_and(|jobs| jobs.get() > 1) && !can_be_kept(&report.strategy) {
        report.notes.push(format!(
            "one worker has explored: `{}` cannot be shared among several, `graphs`, `naive`, `random` and `pct` can",
            report.strategy
        ));
    }
    report.bug.as_ref().map_or(Ok(()), refuse_unsupported)?;
    Ok(Outcome::Checked(Box::new(report), program.settings().rules.model))
}

/// What is not modelled is no bug of the program.
pub(crate) fn refuse_unsupported(bug: &Bug) -> Result<(), Error> {
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

/// How to check, by the arguments.
///
/// # Errors
/// If there is a seed and nothing random.
pub(crate) fn settings(arguments: &CheckArguments) -> Result<Settings, Error> {
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
    let mut limits = Limits { executions: arguments.max_executions, time: arguments.timeout, ..Limits::default() };
    limits.steps = arguments.rules.max_steps.unwrap_or(limits.steps);
    let after_failure = if arguments.keep_going { AfterFailure::GoOn } else { AfterFailure::Stop };
    let memory_model = arguments.rules.memory_model.map_or(ModelChoice::Auto, ModelChoice::Explicit);
    Ok(Settings {
        algorithm,
        memory_model,
        order,
        limits,
        after_failure,
        too_long: TooLong::IsCut,
        profiling: if arguments.profile { Profiling::On } else { Profiling::Off },
        checkpoints: arguments.checkpoint,
        jobs: arguments.jobs.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN),
        ..Settings::default()
    })
}
