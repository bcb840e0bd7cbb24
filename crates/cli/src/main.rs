//! The command `everyway`: checks C and C++ programs in every way their threads can interleave.
//!
//! - `arguments` defines the command line, `values` the forms of numbers and times on it;
//! - `program` compiles, links and identifies the program; `data_model` handles programs for 32 bits;
//! - `property` has the properties of SV-COMP, `attempts` the methods that are tried in turn to decide one; `witness`
//!   writes down a violation;
//! - `check` runs a check, `run` executes the program once, `replay` executes a saved execution again;
//! - `keep` saves the remaining work of a check, resumes it, and distributes it;
//! - `bmc` has a solver search all executions and inputs up to a number of steps (feature `symbolic`);
//! - `trace` saves and loads executions, `view` writes pages for the browser, `cancel` handles signals, `watchdog`
//!   limits time and memory;
//! - `manual` has manual pages and completions;
//! - `output` prints the result and determines the exit status; `error` has the reasons why the command cannot run at
//!   all.
//!
//! It has no logic of its own: the engine decides what is explored and how, the driver what a check consists of, the
//! virtual machine what programs mean, and the report what people read.

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
