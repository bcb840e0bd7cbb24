//! Settings from environment variables.

use super::Builder;
use everyway_driver::Profiling;
use everyway_explore::{Algorithm, MemoryModel};
use everyway_report::replay::ShortSchedule;
use std::env;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The variables that are set.
#[derive(Debug, Default)]
pub(super) struct Environment {
    algorithm: Option<Algorithm>,
    preemptions: Option<u32>,
    memory_model: Option<MemoryModel>,
    seed: Option<u64>,
    executions: Option<u64>,
    seconds: Option<f64>,
    steps: Option<usize>,
    profiling: Option<Profiling>,
    jobs: Option<NonZeroUsize>,
    keep_going: Option<bool>,
    /// Where to say in short what came of the check.
    pub(super) results: Option<PathBuf>,
    /// The exploration to go on with.
    pub(super) resume: Option<PathBuf>,
    /// Where the files of the check go.
    pub(super) files: Files,
    /// The execution to run again.
    pub(super) replay: Option<Saved>,
}

/// Where an execution is to be found.
#[derive(Debug)]
pub(super) enum Saved {
    /// In this file.
    File(PathBuf),
    /// It is this.
    Short(ShortSchedule),
}

/// Where the files of a check go, if not where they always do.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// What the exploration comes to, and what is left.
    pub(super) result: Option<PathBuf>,
    /// An execution that fails.
    pub(super) trace: Option<PathBuf>,
}

impl Environment {
    /// Reads the variables.
    ///
    /// # Errors
    /// If one of them makes no sense.
    pub(super) fn read() -> Result<Self, String> {
        let seconds: Option<f64> = variable("EVERYWAY_MAX_SECONDS", "a number of seconds, such as 60 or 0.5")?;
        if seconds.is_some_and(|seconds| Duration::try_from_secs_f64(seconds).is_err()) {
            return Err("EVERYWAY_MAX_SECONDS has to be a number of seconds, such as 60 or 0.5".to_owned());
        }
        Ok(Self {
            algorithm: variable("EVERYWAY_STRATEGY", &format!("one of {}", Algorithm::NAMES.join(", ")))?,
            preemptions: variable("EVERYWAY_PREEMPTIONS", "a whole number")?,
            memory_model: variable("EVERYWAY_MEMORY_MODEL", "one of sc, tso, pso, rc11")?,
            seed: variable("EVERYWAY_SEED", "a whole number")?,
            executions: variable("EVERYWAY_MAX_EXECUTIONS", "a whole number")?,
            seconds,
            steps: variable("EVERYWAY_MAX_STEPS", "a whole number")?,
            profiling: switch("EVERYWAY_PROFILE")?.map(|on| if on { Profiling::On } else { Profiling::Off }),
            jobs: variable("EVERYWAY_JOBS", "a number of workers, at least 1")?,
            keep_going: switch("EVERYWAY_KEEP_GOING")?,
            results: path(everyway_report::checked::FOLDER),
            resume: path("EVERYWAY_RESUME"),
            files: Files { result: path("EVERYWAY_RESULT"), trace: path("EVERYWAY_TRACE") },
            replay: replay()?,
        })
    }

    /// The settings, with those replaced that variables are set for.
    pub(super) fn apply(&self, mut builder: Builder) -> Builder {
        if let Some(algorithm) = self.algorithm {
            builder = builder.algorithm(algorithm);
        }
        if let Some(bound) = self.preemptions {
            builder = builder.preemptions(bound);
        }
        if let Some(model) = self.memory_model {
            builder = builder.memory_model(model);
        }
        if let Some(new) = self.seed
            && let Algorithm::Random { seed } | Algorithm::Pct { seed, .. } | Algorithm::Portfolio { seed } =
                &mut builder.check.algorithm
        {
            *seed = new;
        }
        builder.check.limits.executions = self.executions.or(builder.check.limits.executions);
        if let Some(seconds) = self.seconds {
            builder.check.limits.time = Some(Duration::from_secs_f64(seconds));
        }
        builder.check.profiling = self.profiling.unwrap_or(builder.check.profiling);
        builder.jobs = self.jobs.or(builder.jobs);
        if let Some(keep_going) = self.keep_going {
            builder = builder.keep_going(keep_going);
        }
        builder.check.limits.steps = self.steps.unwrap_or(builder.check.limits.steps);
        builder
    }
}

/// Whether a variable says yes or no, if it is set to anything.
fn switch(name: &str) -> Result<Option<bool>, String> {
    let number: Option<u8> = variable(name, "0 or 1")?;
    match number {
        None => Ok(None),
        Some(number @ (0 | 1)) => Ok(Some(number == 1)),
        Some(number) => Err(format!("{name} has to be 0 or 1, but is `{number}`")),
    }
}

/// The path in a variable, if it is set to any.
fn path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The execution to run again, if there is one.
fn replay() -> Result<Option<Saved>, String> {
    let Some(value) = env::var_os("EVERYWAY_REPLAY").filter(|value| !value.is_empty()) else { return Ok(None) };
    match value.to_str().filter(|text| ShortSchedule::is_meant_by(text)) {
        Some(text) => match ShortSchedule::decode(text) {
            Ok(schedule) => Ok(Some(Saved::Short(schedule))),
            Err(error) => {
                Err(format!("EVERYWAY_REPLAY has to be a replay file, or an execution as reports print it: {error}"))
            }
        },
        None => Ok(Some(Saved::File(PathBuf::from(value)))),
    }
}

/// The value of a variable, if it is set to anything.
fn variable<T: FromStr<Err: Display>>(name: &str, wanted: &str) -> Result<Option<T>, String> {
    match env::var(name) {
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name} has to be {wanted}")),
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(format!("{name} has to be {wanted}, but is `{text}` ({error})")),
        },
    }
}
