//! Checking a closure, with loom's settings.

use everyway::report::Verdict;
use std::env;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The least number of steps that an execution may have, whatever `max_branches` says: everyway counts steps that are not
/// branches of loom's.
const LEAST_STEPS: usize = 10_000;

/// How many executions are explored before a bound on preemptions counts.
const UNBOUNDED: u64 = 20_000;

/// How long that may take.
const UNBOUNDED_TIME: Duration = Duration::from_secs(5);

/// Panics outside of models.
#[track_caller]
pub(crate) fn assert_inside(what: &str) {
    assert!(everyway::is_checked(), "{what} was used outside of `loom::model`");
}

/// Runs `f` in every way that makes a difference, with the default settings and those of the environment ([`Builder::new`]).
///
/// # Panics
/// If an execution fails. The message shows it, and the command that runs it again.
#[track_caller]
pub fn model<F>(f: F)
where
    F: Fn() + Sync + Send + 'static,
{
    Builder::new().check(f);
}

/// Settings of a check. The fields are loom's.
#[derive(Debug)]
#[non_exhaustive]
pub struct Builder {
    /// Of no effect: there may be any number of threads.
    pub max_threads: usize,

    /// How many steps an execution may have, but at least 10,000. An execution that has more is a failure.
    ///
    /// `LOOM_MAX_BRANCHES`
    pub max_branches: usize,

    /// Where to stop, in executions. A check that stops there passes, and says on standard error that it is not complete.
    ///
    /// `LOOM_MAX_PERMUTATIONS`
    pub max_permutations: Option<usize>,

    /// Where to stop. A check that stops there passes, and says on standard error that it is not complete.
    ///
    /// `LOOM_MAX_DURATION`, in seconds
    pub max_duration: Option<Duration>,

    /// How often a thread that could go on may be interrupted in one execution, if there are more than 20,000 in all, or if they
    /// take more than five seconds.
    ///
    /// A check that comes to its end before is complete, whatever the bound. Otherwise it starts over with the interleavings
    /// that keep to the bound, one of all that differ only in the order of independent steps, and says on standard error what was left out: those that do not, and what orderings weaker than
    /// `SeqCst` allow besides.
    ///
    /// `LOOM_MAX_PREEMPTIONS`
    pub preemption_bound: Option<usize>,

    /// Of no effect but for a note: a failing execution is always saved, and the report says how to run it again.
    ///
    /// `LOOM_CHECKPOINT_FILE`
    pub checkpoint_file: Option<PathBuf>,

    /// Of no effect.
    ///
    /// `LOOM_CHECKPOINT_INTERVAL`
    pub checkpoint_interval: usize,

    /// Of no effect: everything is explored.
    pub expect_explicit_explore: bool,

    /// Of no effect: reports have the places of all steps.
    ///
    /// `LOOM_LOCATION`
    pub location: bool,

    /// Whether the numbers are printed of checks that find nothing, too.
    ///
    /// `LOOM_LOG`
    pub log: bool,
}

impl Builder {
    /// The default settings, and those of the environment variables that loom has.
    ///
    /// # Panics
    /// If one of them is not a number where there has to be one.
    #[track_caller]
    pub fn new() -> Self {
        Self {
            max_threads: crate::MAX_THREADS,
            max_branches: variable("LOOM_MAX_BRANCHES").unwrap_or(1_000),
            max_permutations: variable("LOOM_MAX_PERMUTATIONS"),
            max_duration: variable("LOOM_MAX_DURATION").map(Duration::from_secs),
            preemption_bound: variable("LOOM_MAX_PREEMPTIONS"),
            checkpoint_file: env::var_os("LOOM_CHECKPOINT_FILE").map(PathBuf::from),
            checkpoint_interval: variable("LOOM_CHECKPOINT_INTERVAL").unwrap_or(20_000),
            expect_explicit_explore: false,
            location: env::var_os("LOOM_LOCATION").is_some(),
            log: env::var_os("LOOM_LOG").is_some(),
        }
    }

    /// Sets the checkpoint file, which is of no effect but for a note.
    pub fn checkpoint_file(&mut self, file: &str) -> &mut Self {
        self.checkpoint_file = Some(file.into());
        self
    }

    /// Runs `f` in every way that makes a difference.
    ///
    /// # Panics
    /// If an execution fails. The message shows it, and the command that runs it again.
    #[track_caller]
    pub fn check<F>(&self, f: F)
    where
        F: Fn() + Sync + Send + 'static,
    {
        if self.checkpoint_file.is_some() {
            eprintln!(
                "everyway: there are no checkpoint files; an execution that fails is saved, and its report says how to run it again"
            );
        }
        let Some(bound) = self.preemption_bound else { return self.settings().check(f) };
        let time = self.max_duration.map_or(UNBOUNDED_TIME, |most| most.min(UNBOUNDED_TIME));
        let most = self.max_permutations.map_or(UNBOUNDED, |most| UNBOUNDED.min(most as u64));
        let everything = self.settings().max_executions(most).max_time(time).explore(&f);
        // What is incomplete for another reason would be so with a bound, too, and more of it left out.
        let is_stopped = everything.executions.all() >= most || everything.seconds >= time.as_secs_f64();
        if everything.verdict == Verdict::Incomplete && is_stopped {
            self.settings().preemptions(u32::try_from(bound).unwrap_or(u32::MAX)).check(f);
        } else {
            everyway::conclude(&everything, self.log);
        }
    }

    /// What the fields say, as everyway has it.
    fn settings(&self) -> everyway::Builder {
        let steps = self.max_branches.max(LEAST_STEPS);
        let mut settings = everyway::Builder::new().leaks_of_arcs(true).max_steps(steps).summary(self.log);
        if let Some(permutations) = self.max_permutations {
            settings = settings.max_executions(permutations as u64);
        }
        if let Some(duration) = self.max_duration {
            settings = settings.max_time(duration);
        }
        settings
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

/// The number that an environment variable is set to.
#[track_caller]
fn variable<T: FromStr>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    let Ok(number) = text.parse() else { panic!("{name} has to be a whole number, but is `{text}`") };
    Some(number)
}
