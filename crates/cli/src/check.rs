//! `everyway check`: from the command line to a report.

use crate::arguments::{AlgorithmName, CheckArguments, First, JOBS, ProgramArguments};
use crate::attempts;
use crate::cancel;
use crate::error::{Error, OTHER_LIBRARY, is_of_other_library};
use crate::keep::Keeping;
use crate::output::{Circumstances, Outcome};
use crate::program::{self, Compiled};
use crate::property::Property;
use crate::rules::Rules;
use crate::trace::Archive;
use crate::watchdog::Watchdog;
use crate::witness;
use everyway_driver::{
    AfterFailure, Contradiction, Limits, ModelChoice, Profiling, Settings, TooLong, cannot_be_shared, note_one_worker,
};
use everyway_explore::{Algorithm, MemoryModel, Order};
use everyway_ir::Module;
use everyway_llvm::clang::Until;
use everyway_report::{Bug, BugKind, Executions, Report, Verdict};
use everyway_vm::Program;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// Checks the program that the arguments name.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Outcome, Error> {
    match arguments.property {
        Some(property) => attempts::decide(arguments, property),
        None => explore(arguments, Instant::now()),
    }
}

/// Explores the program that the arguments name. Its time began to run then.
pub(crate) fn explore(arguments: &CheckArguments, started: Instant) -> Result<Outcome, Error> {
    let meant = Meant::by(arguments);
    let mut settings = settings(arguments, &meant.rules)?;
    settings.limits.cancelled = cancel::on_signals()?;
    let deadline = arguments.timeout.map(|time| started + time);
    let until = Until { deadline, cancelled: Arc::clone(&settings.limits.cancelled) };
    let watchdog = Watchdog::start(deadline, arguments.max_memory, Arc::clone(&until.cancelled));
    let loops = arguments.loops();
    let module = match program::compile_until(&meant.program, loops, meant.rules.environment(), &until)? {
        Compiled::InTime(module) => module,
        Compiled::Stopped => {
            let strategy = arguments.algorithm().0.name().to_owned();
            return Ok(Outcome::from(not_compiled(strategy, watchdog.cut_compilation(arguments.timeout))));
        }
    };
    let Meant { program, rules, machine } = meant.about(arguments, &module);
    settings.spent = started.elapsed();
    let keeping = Keeping::of_check(arguments, &module);
    let mut archive = Archive::new(&program, loops, &rules, arguments.save.as_deref())
        .suggesting(settings.algorithm.instead())
        .keeping(keeping);
    let cancelled = Arc::clone(&settings.limits.cancelled);
    let mut program = Program::new(module, everyway_vm::Settings { cancelled, ..machine });
    let mut report = everyway_driver::check(&mut program, &settings, &mut archive);
    report.cut.extend(watchdog.cut());
    drop(archive);
    if arguments.jobs.is_some_and(|jobs| jobs.get() > 1) {
        note_one_worker(&mut report);
    }
    report.bug.as_ref().map_or(Ok(()), refuse_unsupported)?;
    concluded(arguments, report, &program)
}

/// What a check is about, by its arguments and the property that they name.
pub(crate) struct Meant {
    pub(crate) program: ProgramArguments,
    pub(crate) rules: Rules,
    /// How the program is run.
    pub(crate) machine: everyway_vm::Settings,
}

impl Meant {
    pub(crate) fn by(arguments: &CheckArguments) -> Self {
        let CheckArguments { property, program, rules, .. } = arguments;
        let rules = property.map_or_else(|| rules.clone(), |property| property.rules(rules));
        let mut program = program.clone();
        program.overflow |= *property == Some(Property::NoOverflow);
        let mut machine = program::settings(&program, &rules);
        machine.ignored = property.map_or(&[][..], Property::ignored).to_vec();
        machine.set_aside = property.map_or_else(Vec::new, Property::set_aside);
        Self { program, rules, machine }
    }

    /// The same, for the program that it is about: which values its inputs have if a property is looked at and the command does not say.
    pub(crate) fn about(mut self, arguments: &CheckArguments, module: &Module) -> Self {
        if let Some(property) = arguments.property.filter(|_| self.rules.values.is_empty()) {
            let values = everyway_vm::input_values(module, &self.machine.samples, property == Property::NoOverflow);
            (self.rules.values, self.machine.samples) = (values.clone(), values);
            (self.rules.told_apart, self.machine.told_apart) = (true, true);
        }
        self
    }
}

/// What came of a check, with what it says about the property.
///
/// # Errors
/// If a witness cannot be written.
pub(crate) fn concluded(arguments: &CheckArguments, report: Report, program: &Program) -> Result<Outcome, Error> {
    with_property(arguments, report, program.settings().rules.model)
}

/// The same, of a program that was looked at under this memory model.
///
/// # Errors
/// If a witness cannot be written.
pub(crate) fn with_property(
    arguments: &CheckArguments,
    mut report: Report,
    model: MemoryModel,
) -> Result<Outcome, Error> {
    let violated = arguments.property.and_then(|property| property.conclude(&mut report));
    if let (Some(_), Some(property), Some(path)) = (violated, arguments.property, &arguments.witness) {
        witness::write(&report, arguments, property, path)?;
    }
    Ok(Outcome::Checked(Box::new(report), Circumstances { model, violated }))
}

/// The report of a program whose compilation was cut short, for this reason.
pub(crate) fn not_compiled(strategy: String, cut: String) -> Report {
    Report {
        verdict: Verdict::Incomplete,
        strategy,
        executions: Executions::default(),
        seconds: 0.0,
        cut: vec![cut],
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes: Vec::new(),
        bug: None,
        further_bugs: Vec::new(),
        solver: None,
        profile: None,
    }
}

/// What is not modelled is no bug of the program.
pub(crate) fn refuse_unsupported(bug: &Bug) -> Result<(), Error> {
    if bug.kind != BugKind::Unsupported {
        return Ok(());
    }
    let error = Error { source: bug.source.clone(), ..Error::new(&bug.message) };
    Err(match error.source {
        _ if is_of_other_library(&error.message) => error.with_tip(OTHER_LIBRARY),
        Some(_) => {
            error.with_tip("what comes after it was not explored; leave it out, or define the function yourself")
        }
        None => error,
    })
}

/// Refuses a number of workers that is none.
fn refuse_environment() -> Result<(), Error> {
    match std::env::var(JOBS) {
        Ok(text) if text.parse::<NonZeroUsize>().is_err() => {
            Err(Error::new(format!("the environment variable {JOBS} is `{text}`, which is no number of workers"))
                .with_tip("set it to 1 or more, or leave it out"))
        }
        _ => Ok(()),
    }
}

/// Refuses what does not go with the algorithm, and would otherwise come to nothing.
fn refuse_in_vain(arguments: &CheckArguments, algorithm: Algorithm) -> Result<(), Error> {
    let name = algorithm.name();
    let refused = |what: String, tip: &str| Err(Error::new(what).with_tip(tip));
    if arguments.preemptions.is_some() && !matches!(algorithm, Algorithm::Bounded { .. }) {
        return refused(
            format!("--preemptions is given, but `{name}` knows no bound on preemptions"),
            "leave --algorithm out, or say --algorithm bounded",
        );
    }
    if arguments.keep_going && matches!(algorithm, Algorithm::Portfolio { .. }) {
        return refused(
            "--keep-going is given, but a portfolio ends with the first failure".to_owned(),
            "leave --keep-going or --algorithm portfolio out",
        );
    }
    // What is explored as graphs in any case, or was not asked for, is not in vain.
    let is_asked_for = arguments.preemptions.is_some() || matches!(arguments.algorithm, Some(AlgorithmName::One(_)));
    if algorithm.can_be_shared() || !is_asked_for {
        return Ok(());
    }
    if arguments.jobs.is_some_and(|jobs| jobs.get() > 1) && !matches!(algorithm, Algorithm::Portfolio { .. }) {
        return refused(
            format!("--jobs is given, but {}", cannot_be_shared(name)),
            "leave --jobs out, or --algorithm and --preemptions",
        );
    }
    if arguments.checkpoint.is_some() || arguments.frontier.is_some() {
        let option = if arguments.checkpoint.is_some() { "--checkpoint" } else { "--frontier" };
        return refused(
            format!("{option} is given, but the remaining work of an exploration under `{name}` cannot be saved"),
            "an exploration under `graphs`, `naive`, `random` or `pct` can be resumed",
        );
    }
    Ok(())
}

/// How to check, by the arguments.
///
/// # Errors
/// If there is a seed and nothing random, or something else that does not go with the algorithm.
pub(crate) fn settings(arguments: &CheckArguments, rules: &Rules) -> Result<Settings, Error> {
    let (mut algorithm, suitability) = arguments.algorithm();
    refuse_in_vain(arguments, algorithm)?;
    refuse_environment()?;
    let given = arguments.seed.unwrap_or(0);
    let is_random = match &mut algorithm {
        Algorithm::Random { seed } | Algorithm::Pct { seed, .. } | Algorithm::Portfolio { seed } => {
            *seed = given;
            true
        }
        _ => arguments.first == First::Random,
    };
    if arguments.seed.is_some() && !is_random {
        return Err(Error::new("--seed is given, but nothing is random")
            .with_tip("a seed goes with --algorithm random, pct or portfolio, or with --first random"));
    }
    let order = match arguments.first {
        First::Lowest => Order::Lowest,
        First::Highest => Order::Highest,
        First::Random => Order::Random(given),
    };
    let mut limits = Limits { executions: arguments.max_executions, time: arguments.timeout, ..Limits::default() };
    limits.steps = rules.max_steps.unwrap_or(limits.steps);
    let after_failure = if arguments.keep_going { AfterFailure::GoOn } else { AfterFailure::Stop };
    let memory_model = rules.memory_model.map_or(ModelChoice::Auto, ModelChoice::Explicit);
    let settings = Settings {
        algorithm,
        suitability,
        memory_model,
        order,
        limits,
        after_failure,
        too_long: TooLong::IsCut,
        profiling: if arguments.profile { Profiling::On } else { Profiling::Off },
        checkpoints: arguments.checkpoint.unwrap_or(Settings::default().checkpoints),
        jobs: arguments.jobs(),
        ..Settings::default()
    };
    match settings.contradiction() {
        None => Ok(settings),
        Some(Contradiction { what, tip }) => Err(Error::new(what).with_tip(tip)),
    }
}
