//! `cargo everyway test`: runs the tests of a package as `cargo test` does, with limits and a memory model for its checks,
//! and sums up what came of each.
//!
//! Tests tell by themselves what came of their checks, in files in a folder that an environment variable names
//! ([`everyway_report::checked`]). This command knows nothing else of them.

mod table;

use clap::{Args, Parser, Subcommand};
use everyway_report::checked::{self, Checked};
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::process::{Command, ExitCode};

/// What cargo calls: `cargo-everyway everyway ...`.
#[derive(Debug, Parser)]
#[command(name = "cargo", bin_name = "cargo")]
enum Cargo {
    /// Checks of concurrent programs, in every way that makes a difference
    #[command(subcommand, version)]
    Everyway(Everyway),
}

#[derive(Debug, Subcommand)]
enum Everyway {
    /// Run the tests of a package, and sum up its checks
    Test(TestArguments),
}

/// `cargo everyway test`
#[derive(Args, Debug)]
struct TestArguments {
    /// How to explore: optimal, observers, reads-from, graphs, source, classic, naive, bounded, random or pct
    #[arg(long, short, value_name = "NAME")]
    algorithm: Option<String>,
    /// Explore the executions in which a thread that could go on is interrupted at most so often
    #[arg(long, value_name = "K", conflicts_with = "algorithm")]
    preemptions: Option<u32>,
    /// Which executions there are: sc, tso, pso or rc11
    #[arg(long, value_name = "MODEL")]
    memory_model: Option<String>,
    /// Stop a check after this many executions
    #[arg(long, value_name = "N")]
    max_executions: Option<u64>,
    /// Stop a check after so many seconds
    #[arg(long, value_name = "SECONDS")]
    max_seconds: Option<f64>,
    /// How long one execution may be, in steps
    #[arg(long, value_name = "N")]
    max_steps: Option<usize>,
    /// How many workers explore a check, where it can be shared
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Say of each check where its executions come from
    #[arg(long)]
    profile: bool,
    /// What `cargo test` is to be told: -p PACKAGE, --test NAME, the name of a test, -- and what is for the tests
    #[arg(value_name = "CARGO ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

impl TestArguments {
    /// What tests are told by environment variables.
    fn variables(&self) -> Vec<(&'static str, String)> {
        let number = |number: Option<String>, name| number.map(|number| (name, number));
        let variables = [
            number(self.algorithm.clone(), "EVERYWAY_STRATEGY"),
            number(self.preemptions.map(|n| n.to_string()), "EVERYWAY_PREEMPTIONS"),
            number(self.memory_model.clone(), "EVERYWAY_MEMORY_MODEL"),
            number(self.max_executions.map(|n| n.to_string()), "EVERYWAY_MAX_EXECUTIONS"),
            number(self.max_seconds.map(|n| n.to_string()), "EVERYWAY_MAX_SECONDS"),
            number(self.max_steps.map(|n| n.to_string()), "EVERYWAY_MAX_STEPS"),
            number(self.jobs.map(|n| n.to_string()), "EVERYWAY_JOBS"),
            self.profile.then(|| ("EVERYWAY_PROFILE", "1".to_owned())),
        ];
        variables.into_iter().flatten().collect()
    }
}

const NO_FAIL_FAST: &str = "--no-fail-fast";

/// The status where the tests could not be run.
const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    let Cargo::Everyway(Everyway::Test(arguments)) = Cargo::parse();
    match test(&arguments) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn test(arguments: &TestArguments) -> Result<ExitCode, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("there is no folder for results: {error}"))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(&cargo);
    command.arg("test");
    // A table of some of the tests would look like one of all.
    if !arguments.rest.iter().any(|argument| argument == NO_FAIL_FAST) {
        command.arg(NO_FAIL_FAST);
    }
    command.args(&arguments.rest).envs(arguments.variables()).env(checked::FOLDER, folder.path());
    let status = command.status().map_err(|error| format!("`{}` cannot be run: {error}", cargo.display()))?;
    let checks: Vec<Checked> =
        checked::load(folder.path()).map_err(|error| format!("results cannot be read: {error}"))?;
    print!("{}", table::render(&checks, everyway_render::terminal::style(std::io::stdout().is_terminal()).color));
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(COULD_NOT_RUN)))
}
