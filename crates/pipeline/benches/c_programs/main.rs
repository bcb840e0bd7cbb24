//! C programs, one core: `cargo bench -p everyway-pipeline`.
//!
//! Programs are prepared as `everyway check` does it. The table is that of the README: what an execution takes, and how many times as
//! many executions a second that is as Nidhugg 0.4 has with the same strategy (as execution graphs: with its optimal one), and GenMC
//! 0.11, both under sequential consistency, measured on a machine like the one this was written on; absolute times are
//! not stable, ratios hold better. Every row has as many executions as Nidhugg.
//!
//! - Times are of exploring, without start-up: the time on the wall, of the fastest of as many explorations as take half a
//!   second, at least three.
//! - The others' times are of the processor, and include their start-up and clang: about [`START_SECONDS`], which are taken off. They have
//!   two digits after the point: where little of them is left, little can be said. If this machine is F times as fast as the one they
//!   were measured on, `--faster=F` allows for it.
//!
//! An argument picks the programs whose names contain it; `--once` runs each of them once. With `--instructions` the table has what
//! Valgrind counts of each row, if it is installed, and the most memory: they do not depend on what else the machine does, and
//! take fifty times as long to count.

mod rows;

use everyway_driver::Limits;
use everyway_explore::{Algorithm, Counts};
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_llvm::clang::Clang;
use everyway_oracle::own_process::{self, Counted, resident_kib};
use everyway_pipeline::clock::{Clock, fastest};
use everyway_pipeline::peers;
use everyway_pipeline::program::{Setup, clang, explore, load_prepared, papers_program};
use everyway_render::text::thousands;
use rows::{Row, rows};
use std::sync::Arc;
use std::time::Duration;

/// What starting up and clang take of the others' times.
const START_SECONDS: f64 = 0.07;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(clang) = clang() else { return };
    if let [only, position] = &arguments[..]
        && only == ROW
    {
        let row = position.parse().ok().and_then(|position| rows().into_iter().nth(position));
        row.into_iter().for_each(|row| _ = measure(&clang, &row, Duration::ZERO));
        return own_process::tell_peak();
    }
    let once = arguments.iter().any(|argument| argument == "--once");
    let enough = if once { Duration::ZERO } else { Duration::from_millis(500) };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    let counting =
        if arguments.iter().any(|argument| argument == "--instructions") { Counting::On } else { Counting::Off };
    table(&clang, enough, (&wanted, peers::faster(&arguments)), counting);
    if "prefix".contains(&wanted) {
        prefixes(&clang);
    }
    if "memory".contains(&wanted) {
        memory(&clang);
    }
}

fn compile(clang: &Clang, name: &str, definitions: &[&str], loops: LoopTreatment) -> Arc<Module> {
    let preparation = Preparation { loops, rounds: None, spin_rounds: None };
    let module = load_prepared(clang, &papers_program(name), definitions, preparation);
    Arc::new(module.unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn explore_all(
    name: &str,
    module: &Arc<Module>,
    algorithm: Algorithm,
    limits: Limits,
    observe: impl FnMut(&Counts) + Send,
) -> Counts {
    // Adds conflict, as in the papers.
    let setup = Setup { limits, commuting_adds: false, ..Setup::new(algorithm) };
    explore(module, &setup, observe).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Explores a program; the counts, and the seconds that it took.
fn measure(clang: &Clang, row: &Row, enough: Duration) -> (Counts, f64) {
    let module = compile(clang, row.name, &[&format!("-DN={}", row.n)], row.loops);
    let (counts, time) = fastest(enough, || explore_all(row.name, &module, row.algorithm, Limits::default(), |_| {}));
    let expected = (row.complete, row.blocked, 0);
    assert_eq!((counts.complete, counts.blocked, counts.redundant), expected, "{}", row.program());
    (counts, time.as_secs_f64())
}

/// Whether instructions are counted, and memory is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    On,
    Off,
}

/// The columns of the table, with their widths; the first two are texts.
const COLUMNS: [(&str, usize); 8] = [
    ("program", 18),
    ("strategy", 12),
    ("executions", 10),
    ("instructions", 12),
    ("µs", 7),
    ("× Nidhugg", 9),
    ("× GenMC", 7),
    ("MiB", 4),
];

/// Prints a row of the table.
fn print_cells(cells: &[String; COLUMNS.len()]) {
    for (position, (cell, (_, width))) in cells.iter().zip(COLUMNS).enumerate() {
        match position {
            0 | 1 => print!("| {cell:<width$} "),
            _ => print!("| {cell:>width$} "),
        }
    }
    println!("|");
}

fn table(clang: &Clang, enough: Duration, (wanted, faster): (&str, f64), counting: Counting) {
    print_cells(&COLUMNS.map(|(name, _)| name.to_owned()));
    print_cells(&std::array::from_fn(|column| if column < 2 { "---" } else { "--:" }.to_owned()));
    for (position, row) in rows().iter().enumerate().filter(|(_, row)| row.name.contains(wanted)) {
        let (counts, seconds) = measure(clang, row, enough);
        let executions = counts.executions();
        let times = |theirs: Option<(u64, f64)>| {
            let rate = |(executions, seconds): (u64, f64)| faster * executions as f64 / (seconds - START_SECONDS);
            theirs.map(|theirs| format!("{:.1}", executions as f64 / seconds / rate(theirs)))
        };
        let (instructions, peak) = match counting {
            Counting::On => counted(position, row),
            Counting::Off => (None, None),
        };
        let cells = [
            Some(row.program()),
            Some(format!("`{}`", row.algorithm.name())),
            Some(thousands(executions)),
            instructions.map(thousands),
            Some(format!("{:.2}", seconds * 1e6 / executions as f64)),
            times(row.nidhugg.map(|seconds| (executions, seconds))),
            times(row.genmc),
            peak.map(|kib| kib.div_ceil(1024).to_string()),
        ];
        print_cells(&cells.map(|cell| cell.unwrap_or_else(|| "-".to_owned())));
    }
    println!("\nInstructions and microseconds are of an execution, without start-up; memory includes start-up.\n");
}

/// With it, the benchmark runs the row of a number once: in a process of its own.
const ROW: &str = "--row";

/// What counts of such a process.
const EXPLORING: Counted<'_> = Counted::Within("*Explorer*run_watched*");

/// What does not depend on what else the machine does: the instructions of an execution, and the most memory in KiB.
fn counted(position: usize, row: &Row) -> (Option<u64>, Option<u64>) {
    let arguments = [ROW, &position.to_string()];
    let instructions = own_process::instructions(EXPLORING, &arguments);
    (instructions.map(|all| all / row.executions()), own_process::peak_kib(&arguments))
}

/// The cost of an execution must not depend on how long the common beginning of all executions is.
fn prefixes(clang: &Clang) {
    const ORDERS_OF: u32 = 8;
    const EXECUTIONS: u64 = 40_320;
    println!("{:<20} {:>10} {:>12} {:>12}", "common prefix", "executions", "ns each", "compared");
    let mut first = None;
    for prefix in [100, 1_000, 10_000] {
        let definitions = [format!("-DN={ORDERS_OF}"), format!("-DPREFIX={prefix}")];
        let module = compile(clang, "prefix", &definitions.each_ref().map(String::as_str), LoopTreatment::Await);
        let limits = Limits { steps: usize::MAX, ..Limits::default() };
        // The first execution takes the common steps; all others go back to where they end.
        let mut started = None;
        let counts = explore_all("prefix", &module, Algorithm::Optimal, limits, |_| {
            started.get_or_insert_with(Clock::now);
        });
        let Some(started) = started else { continue };
        let each = started.elapsed().as_nanos() as f64 / (counts.executions() - 1) as f64;
        assert_eq!((counts.complete, counts.executions()), (EXECUTIONS, EXECUTIONS), "prefix of {prefix}");
        assert!(counts.steps > prefix, "the prefix is not there");
        let compared = each / *first.get_or_insert(each);
        println!("{prefix:<20} {EXECUTIONS:>10} {each:>12.0} {compared:>12.2}");
        assert!(compared < 2.0, "an execution costs more the longer the common prefix is");
    }
    println!();
}

/// Memory must not depend on how many executions there have been.
fn memory(clang: &Clang) {
    const MARKS: [u64; 3] = [1_000, 100_000, 1_000_000];
    println!("{:<20} {:>10}", "after executions", "KiB");
    let module = compile(clang, "lastwrite", &["-DN=10"], LoopTreatment::Await);
    let limits = Limits { executions: Some(MARKS[2]), ..Limits::default() };
    let mut found = Vec::new();
    explore_all("lastwrite", &module, Algorithm::Optimal, limits, |counts| {
        if MARKS.contains(&counts.executions()) {
            found.extend(resident_kib());
        }
    });
    for (executions, kib) in MARKS.iter().zip(&found) {
        println!("{executions:<20} {kib:>10}");
    }
    if let [_, before, after] = found[..] {
        assert!(after < before + before / 10, "memory grows: {before} KiB, then {after} KiB");
    }
}
