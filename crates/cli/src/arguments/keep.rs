//! The arguments of the commands that resume a check, here or elsewhere.

use super::Output;
use crate::values;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// `everyway resume`
#[derive(Args, Debug)]
pub(crate) struct ResumeArguments {
    /// What a check saved when it was stopped
    #[arg(value_name = "FRONTIER")]
    pub(crate) frontier: PathBuf,
    /// How many workers explore side by side; the verdict does not depend on it [default: $EVERYWAY_JOBS, or one for each
    /// processor]
    #[arg(long, short, value_name = "N", help_heading = "Exploration")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Stop after this many more executions
    #[arg(long, value_name = "N", value_parser = values::positive, help_heading = "Exploration")]
    pub(crate) max_executions: Option<u64>,
    /// Stop after this time: 60 (seconds), 500ms, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Exploration")]
    pub(crate) timeout: Option<Duration>,
    /// How often the remaining work is saved during the check [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = values::duration, help_heading = "Exploration")]
    pub(crate) checkpoint: Option<Duration>,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Where to save the failing execution [default: .everyway/PROGRAM.json]; further ones are numbered
    #[arg(long, value_name = "TRACE", help_heading = "Output")]
    pub(crate) save: Option<PathBuf>,
}

/// `everyway split`
#[derive(Args, Debug)]
pub(crate) struct SplitArguments {
    /// What a check saved when it was stopped
    #[arg(value_name = "FRONTIER")]
    pub(crate) frontier: PathBuf,
    /// The number of parts; they are written beside FRONTIER, with the suffixes -0.part and so on
    #[arg(long, short = 'n', value_name = "K")]
    pub(crate) parts: NonZeroUsize,
}

/// `everyway explore`
#[derive(Args, Debug)]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    pub(crate) resume: ResumeArguments,
    /// Where to write the result [default: beside the part, with the extension .result]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) result: Option<PathBuf>,
}

/// `everyway merge`
#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    /// The results of the parts of a check; a part itself stands for one that was not explored
    #[arg(value_name = "RESULT", required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// Where to save the remaining work [default: .everyway/PROGRAM.frontier]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) output_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}
