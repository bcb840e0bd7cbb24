//! What an execution of a C program costs, on one core: `cargo bench -p everyway-pipeline --bench c_programs`.
//!
//! - The [table](everyway_pipeline::table) of the README, by strategy and memory model. Others were measured on a machine like the one
//!   this was written on; absolute times are not stable, ratios hold better.
//! - The cost of an execution does not depend on how much it has in common with the one before (`prefix`).
//! - Memory does not grow with the number of executions (`memory`).
//!
//! A part of a program's name picks rows, or one of the other two; for all arguments see
//! [`Wanted::from_arguments`](everyway_pipeline::table::Wanted::from_arguments).

mod memory;
mod papers;
mod prefix;
mod row;
mod weak;

use everyway_pipeline::program::clang;
use everyway_pipeline::table::{self, Row, Wanted};

fn main() {
    let Some(clang) = clang() else { return };
    let rows: Vec<Box<dyn Row>> = papers::rows().chain(weak::rows()).map(|row| Box::new(row) as Box<dyn Row>).collect();
    match Wanted::from_arguments() {
        Wanted::Alone { row, rounds } => table::explore_alone(&rows, &row, rounds),
        Wanted::Table(selection) => {
            let is_wanted = |name: &str| name.contains(&selection.program) && selection.strategy.is_none();
            // Before anything else has made the process large.
            if is_wanted("memory") {
                memory::compare(&clang);
            }
            if is_wanted("prefix") {
                prefix::compare(&clang);
            }
            table::print(&rows, &selection);
        }
    }
}
