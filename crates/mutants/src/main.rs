//! Mutants of the engine: which small changes of it does no test notice?
//!
//! `cargo mutants` knows which changes there are. It builds the engine and its tests anew for each of them, which is what
//! takes the time; here all of them are compiled into one engine, each behind a switch (*mutant schemata*: Untch, Offutt,
//! Harrold: Mutation Analysis Using Mutant Schemata. ISSTA 1993), and an environment variable says which one is on. So the
//! engine is built once, a mutant costs the tests that notice it, and a run of all tests beforehand tells which of them come
//! by a switch at all: only these are asked.
//!
//! - `list.rs`: the mutants, as `cargo mutants --list` has them.
//! - `switches.rs`: a source file with switches.
//! - `tree.rs`: a copy of the sources with switches in it, checked until it compiles, and built.
//! - `process.rs`: a test in a process of its own, with limits.
//! - `campaign.rs`: which tests come by which mutants, and which mutants they notice.
//! - `results.rs`: what has come out so far, for a run to go on from.

mod campaign;
mod list;
mod process;
mod results;
mod switches;
mod tree;

use std::process::ExitCode;

const USAGE: &str = "usage: mutants [--sample N] [filters of `cargo mutants`, as -f FILE]";

/// Errors are printed for the user to read.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let sample = match arguments.iter().position(|argument| argument == "--sample") {
        None => None,
        Some(at) => match arguments.get(at + 1).and_then(|number| number.parse().ok()) {
            Some(number) => {
                arguments.drain(at..at + 2);
                Some(number)
            }
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
    };
    match run(&arguments, sample) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(filters: &[String], sample: Option<usize>) -> Result<()> {
    let mutants = list::list(filters)?;
    let mut results = results::Results::open(tree::FOLDER)?;
    let built = tree::build(&mutants, &mut results)?;
    let order = list::order(&mutants, sample.unwrap_or(usize::MAX));
    campaign::run(&mutants, &order, &built, &mut results)?;
    print!("{}", results.summary(&mutants));
    Ok(())
}
