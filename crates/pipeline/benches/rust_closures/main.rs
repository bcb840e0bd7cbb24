//! What an execution of a Rust closure costs, with one worker: `cargo bench -p everyway-pipeline --bench rust_closures`.
//!
//! Closures are run again from the start for each execution. The [table](everyway_pipeline::table) goes on where that of C programs
//! ends. Where `observers` has as many executions as `optimal` it gains nothing, and should not take more than 1.3 times as
//! long; with mailboxes whose messages are all received it does, because what each receive would have found elsewhere is
//! looked up message by message.
//!
//! For the arguments see [`Wanted::from_arguments`](everyway_pipeline::table::Wanted::from_arguments).

mod lastwrite;
mod programs;

use everyway::{Algorithm, Builder};
use everyway_pipeline::table::{self, Exploring, Row, Wanted};
use programs::{PROGRAMS, Program, STRATEGIES};

/// A closure under a strategy.
struct Closure {
    program: &'static Program,
    algorithm: Algorithm,
    executions: u64,
}

impl Row for Closure {
    fn program(&self) -> String {
        format!("{}, Rust", self.program.name)
    }

    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    fn executions(&self) -> u64 {
        self.executions
    }

    fn prepared(&self) -> Box<dyn FnMut() + '_> {
        let Self { program, algorithm, executions } = *self;
        Box::new(move || {
            let report = Builder::new().algorithm(algorithm).jobs(1).explore(program.body);
            assert!(report.bug.is_none(), "{}", program.name);
            assert_eq!(report.executions.complete, executions, "{} by {}", program.name, algorithm.name());
        })
    }

    fn exploring(&self) -> Exploring {
        Exploring::Difference
    }
}

fn rows() -> Vec<Box<dyn Row>> {
    let under = |(position, algorithm): (usize, Algorithm)| {
        PROGRAMS.iter().filter_map(move |program| {
            let executions = program.executions[position]?;
            Some(Box::new(Closure { program, algorithm, executions }) as Box<dyn Row>)
        })
    };
    STRATEGIES.into_iter().enumerate().flat_map(under).collect()
}

fn main() {
    match Wanted::from_arguments() {
        Wanted::Alone { row, rounds } => table::explore_alone(&rows(), &row, rounds),
        Wanted::Table(selection) => table::print(&rows(), &selection),
    }
}
