//! The command `everyway`: checks C and C++ programs in every way their threads can interleave.
//!
//! - `arguments` is what a user can write, `values` the forms of numbers and times in it;
//! - `program` is the program that is meant, compiled and linked; `data_model` has programs for 32 bits;
//! - `property` has the properties of SV-COMP, `attempts` what is tried in turn to decide one; `witness` writes down what violates
//!   them;
//! - `check` has it checked, `run` executes it once, `replay` executes a saved execution again;
//! - `keep` keeps what is left of a check, goes on with it, and has it gone on with elsewhere;
//! - `bmc` has a solver look at all executions and inputs up to a number of steps (feature `symbolic`);
//! - `trace` saves and loads executions, `view` writes pages for the browser, `cancel` is about signals,
//!   `watchdog` about time and memory;
//! - `manual` has manual pages and completions;
//! - `output` prints, and says with which status the command ends; `error` is what keeps it from running at all.
//!
//! It has no logic of its own: what is explored and how is the engine's, what a check consists of is the driver's, what
//! programs mean is the virtual machine's, and what people read is the report's.

mod arguments;
mod attempts;
#[cfg(feature = "symbolic")]
mod bmc;
mod cancel;
mod check;
mod data_model;
mod error;
mod json;
mod keep;
mod manual;
mod output;
mod program;
mod property;
mod replay;
mod rules;
mod run;
mod trace;
mod values;
mod view;
mod watchdog;
mod witness;

use arguments::{Command, Everyway};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Everyway { command } = Everyway::parse_from(arguments::with_compiler_flags(std::env::args_os()));
    let (result, output) = match command {
        Command::Check(arguments) => (check::check(&arguments), arguments.output),
        #[cfg(feature = "symbolic")]
        Command::Bmc(arguments) => (bmc::bmc(&arguments).map(output::Outcome::from), arguments.output),
        Command::Run(arguments) => (run::run(&arguments), arguments::Output::TEXT),
        Command::Resume(arguments) => (keep::resume(&arguments), arguments.output),
        Command::Split(arguments) => (keep::split(&arguments), arguments::Output::TEXT),
        Command::Explore(arguments) => (keep::explore(&arguments), arguments.resume.output),
        Command::Merge(arguments) => (keep::merge(&arguments), arguments.output),
        Command::Replay(arguments) => (replay::replay(&arguments).map(output::Outcome::from), arguments.output),
        Command::View(arguments) => (view::view(&arguments), arguments::Output::TEXT),
        Command::Ir(arguments) => (program::print(&arguments), arguments::Output::TEXT),
        Command::Completions { shell } => (Ok(manual::completions(shell)), arguments::Output::TEXT),
        Command::Man { folder } => (manual::manual(folder.as_deref()), arguments::Output::TEXT),
    };
    output::finish(result, &output)
}
