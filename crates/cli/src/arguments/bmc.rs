//! The arguments of `everyway bmc`.

use super::{CheckArguments, Output, ProgramArguments};
use crate::values;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// `everyway bmc`
#[derive(Args, Debug)]
pub(crate) struct BmcArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    /// Search executions of up to K steps; auto goes deeper until there are no longer ones
    #[arg(long, short = 'k', value_name = "K", default_value = "auto", value_parser = values::steps, help_heading = "Exploration")]
    pub(crate) steps: Steps,
    /// Ask once, about all executions of up to K steps, instead of at every depth: faster, but the execution found may be longer than necessary
    #[arg(long, value_name = "K", value_parser = values::positive_usize, conflicts_with = "steps", help_heading = "Exploration")]
    pub(crate) at_depth: Option<usize>,
    /// A function of the program, `int NAME(void)`, that must return a value other than 0 after every step
    #[arg(long, value_name = "NAME", help_heading = "Exploration")]
    pub(crate) invariant: Option<String>,
    /// Which interleavings are left out as equivalent to others
    #[arg(long, value_name = "WHICH", default_value = "simple", help_heading = "Exploration")]
    pub(crate) reduction: ReductionName,
    /// Stop after this time: 60 (seconds), 500ms, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Exploration")]
    pub(crate) timeout: Option<Duration>,
    /// Stop when this much memory is in use: 500M, 2G [default: half of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = "Exploration")]
    pub(crate) max_memory: Option<u64>,
    /// The solver: the built-in one, or a program on PATH that supports SMT-LIB 2
    #[arg(long, value_name = "SOLVER", default_value = "cadical", help_heading = "Exploration")]
    pub(crate) solver: SolverName,
    /// Write the formula, as SMT-LIB 2, to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dump: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Where to save the failing execution [default: .everyway/PROGRAM.json]
    #[arg(long, value_name = "TRACE", help_heading = "Output")]
    pub(crate) save: Option<PathBuf>,
}

impl BmcArguments {
    /// Those that ask about the program of a check, for so long.
    pub(crate) fn about(check: &CheckArguments, timeout: Option<Duration>) -> Self {
        Self {
            program: check.program.clone(),
            steps: Steps::Auto,
            at_depth: None,
            invariant: None,
            reduction: ReductionName::Simple,
            timeout,
            max_memory: check.max_memory,
            solver: SolverName::Cadical,
            dump: None,
            output: check.output.clone(),
            save: check.save.clone(),
        }
    }
}

/// How far bmc goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Until there are no longer executions, or it is stopped.
    Auto,
    /// So many steps.
    UpTo(usize),
}

/// Which interleavings are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReductionName {
    /// None
    None,
    /// Those that differ by steps which are independent in all states
    Static,
    /// Also those that differ by accesses to different elements or through different pointers
    Simple,
    /// Also those that differ by accesses whose order makes no difference to the values
    Full,
}

/// Which solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolverName {
    /// CaDiCaL, the built-in one
    Cadical,
    Z3,
    Cvc5,
    Bitwuzla,
}
