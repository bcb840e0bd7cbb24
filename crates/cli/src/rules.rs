//! The rules of a check, as options of the command: what a program may do and what counts as a failure. Saved executions
//! keep them.

use crate::values;
use clap::{Args, ValueEnum};
use everyway_driver::Reads;
use everyway_explore::MemoryModel;
use everyway_ir::{Locals, Races, Unordered};

/// What the program may do and what counts as a failure.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Which executions exist: interleavings (sc), those of store buffers (tso, pso), or what the orderings of
    /// atomic accesses allow (rc11) [default: sc if all orderings are seq_cst, and otherwise rc11]
    #[arg(long, value_name = "MODEL", value_parser = values::memory_model(), hide_possible_values = true,
        help_heading = "Rules")]
    pub(crate) memory_model: Option<MemoryModel>,
    /// Whether unordered accesses, one of them a write and not both atomic, are failures: on, off [default: on, unless
    /// --memory-model=sc is given]
    #[arg(
        long,
        value_name = "WHETHER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "on",
        help_heading = "Rules"
    )]
    pub(crate) races: Option<Switch>,
    /// How to treat volatile accesses: as relaxed atomic ones, or as plain ones
    #[arg(long, value_name = "WHAT", default_value = "plain", help_heading = "Rules")]
    pub(crate) volatile: VolatileName,
    /// Whether allocations can fail: never-fails, or may-fail, which tries every allocation with and without success
    #[arg(long, value_name = "HOW", default_value = "never-fails", help_heading = "Rules")]
    pub(crate) malloc: AllocationName,
    /// What variables and memory hold that were not set: no-value, so that a decision which depends on it is a failure; a
    /// value whose bits are all 0 (zeros) or 1 (ones); or any, of integer variables of a function, and no value of others
    #[arg(long, value_name = "WHAT", default_value = "no-value", help_heading = "Rules")]
    pub(crate) unset: UnsetName,
    /// How the environment answers where several answers are possible: one-answer, which the verdict takes for granted, or
    /// any-answer, for which random numbers are tried with the values of `--values` and anything else leaves the verdict open
    #[arg(long, value_name = "WHAT", default_value = "one-answer", help_heading = "Rules")]
    pub(crate) environment: EnvironmentName,
    /// Memory that is never freed is a failure; with =lost, only if no global variable leads to it at the end
    #[arg(
        long,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "never-freed",
        help_heading = "Rules"
    )]
    pub(crate) leaks: Option<LeaksName>,
    /// Waits on condition variables may end spuriously, once in each thread
    #[arg(long, help_heading = "Rules")]
    pub(crate) spurious_wakeups: bool,
    /// Weak compare-exchanges may fail spuriously, once in each thread
    #[arg(long, help_heading = "Rules")]
    pub(crate) spurious_failures: bool,
    /// Treat all memory as shared: every access is a step, even if no other thread seems to know the address. This
    /// happens by itself if a pointer turns out to reach another thread in disguise
    #[arg(long, help_heading = "Rules")]
    pub(crate) all_shared: bool,

    /// Under a weak memory model, tell the engine of non-atomic accesses byte by byte. This happens by itself if the
    /// same bytes are accessed in different sizes
    #[arg(long, hide = true, help_heading = "Rules")]
    pub(crate) byte_by_byte: bool,
    /// Whether atomic additions whose results are not used are independent of each other, and likewise arrivals at barriers
    #[arg(long, value_name = "WHETHER", default_value = "on", help_heading = "Exploration")]
    pub(crate) commuting_adds: Switch,
    /// Do not count as failures: deadlocks (threads wait for each other), livelocks (loops spin for ever)
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) allow: Vec<Allowed>,
    /// The values that __VERIFIER_nondet_int and the like are tried with, separated by commas [default: 0,1,2,-1]
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_hyphen_values = true, help_heading = "Rules")]
    pub(crate) values: Vec<i64>,
    /// Inputs that are only compared with constants are tried with one value for each way in which they can compare. This is so
    /// if no values are given
    #[arg(long, hide = true, help_heading = "Rules")]
    pub(crate) told_apart: bool,
    /// The variables of main are there after it has returned. This is so if a property is looked at
    #[arg(long, hide = true, help_heading = "Rules")]
    pub(crate) main_stays: bool,
    /// The maximum number of steps of an execution [default: 10000; 1000000 for a single one]
    #[arg(long, value_name = "N", value_parser = values::positive_usize, help_heading = "Rules")]
    pub(crate) max_steps: Option<usize>,
}

/// What volatile accesses are to other threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VolatileName {
    /// As relaxed atomic ones
    Atomic,
    /// As plain ones
    #[default]
    Plain,
}

/// Which memory that is left in the end is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LeaksName {
    /// All memory that is never freed
    NeverFreed,
    /// Memory that no global variable leads to
    Lost,
}

/// Whether memory can be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AllocationName {
    /// Every allocation succeeds
    #[default]
    NeverFails,
    /// Every allocation is tried with and without success
    MayFail,
}

/// What variables and memory hold that were not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnsetName {
    /// No value: a decision that depends on it is a failure
    #[default]
    NoValue,
    /// A value whose bits are all 0
    Zeros,
    /// A value whose bits are all 1
    Ones,
    /// Any value, if they are integer variables of a function whose addresses are not taken: they are inputs
    Any,
}

/// What the environment answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EnvironmentName {
    /// In one way
    #[default]
    OneAnswer,
    /// In any way
    AnyAnswer,
}

impl Rules {
    /// What the passes know that prepare the program.
    pub(crate) fn environment(&self) -> everyway_ir::Environment {
        let locals = if self.unset == UnsetName::Any { Locals::Inputs } else { Locals::NoValue };
        everyway_ir::Environment { unordered: self.unordered(), locals, ..everyway_vm::environment() }
    }

    /// The treatment of data races.
    fn unordered(&self) -> Unordered {
        let steps = if self.memory_model == Some(MemoryModel::Sc) { Races::Interleave } else { Races::Weak };
        let plain = if self.reports_races() { Races::Fail } else { steps };
        let volatile = if self.volatile == VolatileName::Atomic { steps } else { plain };
        Unordered { plain, volatile }
    }

    /// Whether data races are failures. Under an explicit `sc`, programs that race on purpose mean what they say.
    pub(crate) fn reports_races(&self) -> bool {
        self.races.map_or(self.memory_model != Some(MemoryModel::Sc), |races| races == Switch::On)
    }
}

impl Rules {
    /// The same rules for running again one execution that was found by `run`. Which executions there are makes no
    /// difference then, but whether reads are told what they see does: under all models but `sc`.
    pub(crate) fn found_by(self, run: everyway_driver::Rules) -> Self {
        let memory_model = match (run.reads, run.model) {
            (Reads::Told, MemoryModel::Sc) => Some(MemoryModel::Rc11),
            (Reads::Told, model) => Some(model),
            (Reads::Last, _) => self.memory_model.filter(|model| *model == MemoryModel::Sc),
        };
        let kept = Self { memory_model, ..self.clone() };
        let races = if kept.reports_races() == self.reports_races() {
            self.races
        } else {
            Some(if self.reports_races() { Switch::On } else { Switch::Off })
        };
        Self { races, ..kept }
    }

    /// How an execution that was saved with these rules is run.
    pub(crate) fn replayed(&self) -> everyway_driver::Rules {
        match self.memory_model {
            None | Some(MemoryModel::Sc) => everyway_driver::Rules::INTERLEAVED,
            Some(model) => everyway_driver::Rules::told(model),
        }
    }
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    #[default]
    On,
    Off,
}

/// What is a failure unless it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Allowed {
    Deadlocks,
    Livelocks,
}
