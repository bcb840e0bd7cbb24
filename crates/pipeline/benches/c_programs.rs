//! C programs, one core: `cargo bench -p everyway-pipeline`.
//!
//! Programs are prepared as `everyway check` does it. Beside our numbers are those of Nidhugg 0.4 with the same strategy
//! and of GenMC 0.11, both under sequential consistency, measured on a machine like the one this was written on; absolute
//! times are not stable, ratios hold better. Every row has as many executions as Nidhugg.
//!
//! - *Alone* is exploring, without start-up: the time on the wall, of the fastest of as many explorations as take half a
//!   second, at least three.
//! - *Start-up* is clang, reading and preparing, measured in the same way.
//! - The others' times are of the processor, and include their start-up and clang, about [`START_SECONDS`]. *In all* is
//!   their time as it is against ours with start-up. *Without start-up* is their time less [`START_SECONDS`] against ours
//!   alone.
//!
//! What a program takes in all has a floor, which is clang: of the 0.12 s that GenMC takes for `casrot(9)`, 0.07 s are
//! that, so no tool that calls clang could do it three times as fast in all; nor could one do the nine executions of
//! `lastwrite(9)` ten times as fast in all as Nidhugg, which takes 0.08 s. What such rows are about is the rate without
//! start-up. The others' times have two digits after the point: where little of them is left, little can be said.
//!
//! An argument picks the programs whose names contain it; `--once` runs each of them once. `--instructions` has the memory
//! of each row as well, and its instructions, if Valgrind is installed: they do not depend on what else the machine does, and
//! take fifty times as long to count.

use everyway_driver::Limits;
use everyway_explore::{Algorithm, Counts};
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_llvm::clang::Clang;
use everyway_oracle::own_process::{self, Counted, resident_kib};
use everyway_pipeline::clock::{Clock, fastest};
use everyway_pipeline::program::{Setup, clang, explore, load_prepared, papers_program};
use std::sync::Arc;
use std::time::Duration;

/// A program under a strategy, and what is known of it.
struct Row {
    algorithm: Algorithm,
    loops: LoopTreatment,
    name: &'static str,
    n: u32,
    complete: u64,
    blocked: u64,
    /// The seconds that Nidhugg takes for as many executions.
    nidhugg: Option<f64>,
    /// How many executions GenMC explores, blocked ones included, and the seconds they take.
    genmc: Option<(u64, f64)>,
}

const fn optimal(name: &'static str, n: u32, complete: u64, nidhugg: Option<f64>, genmc: Option<(u64, f64)>) -> Row {
    let (algorithm, loops) = (Algorithm::Optimal, LoopTreatment::Await);
    Row { algorithm, loops, name, n, complete, blocked: 0, nidhugg, genmc }
}

/// Without awaits: where others wait, Nidhugg has executions that block under this strategy, too.
const fn observers(name: &'static str, n: u32, complete: u64, nidhugg: f64) -> Row {
    let (algorithm, loops) = (Algorithm::Observers, LoopTreatment::Assume);
    Row { algorithm, loops, name, n, complete, blocked: 0, nidhugg: Some(nidhugg), genmc: None }
}

const fn reads_from(name: &'static str, n: u32, complete: u64, nidhugg: f64) -> Row {
    Row { algorithm: Algorithm::ReadsFrom, ..observers(name, n, complete, nidhugg) }
}

const ROWS: [Row; 37] = [
    optimal("readers", 13, 8_192, Some(3.7), Some((8_192, 0.38))),
    optimal("readers", 15, 32_768, None, Some((32_768, 0.89))),
    optimal("casw", 6, 1_270_080, None, Some((1_270_080, 6.87))),
    optimal("wakeup_stress", 8, 80_640, None, None),
    optimal("lastzero", 12, 15_360, Some(4.2), Some((15_360, 1.07))),
    optimal("casrot", 9, 8_597, Some(1.37), Some((8_597, 0.12))),
    optimal("fib_bench", 4, 19_605, Some(2.1), Some((19_605, 0.43))),
    optimal("sigma", 7, 135_135, Some(27.4), Some((135_135, 3.1))),
    optimal("lastwrite", 8, 40_320, Some(7.2), None),
    optimal("lastwrite", 9, 362_880, None, Some((362_880, 9.3))),
    optimal("circular_buffer", 7, 3_432, Some(1.5), Some((3_432, 2.4))),
    optimal("filesystem", 22, 512, Some(1.7), Some((512, 1.3))),
    optimal("indexer", 14, 512, Some(1.9), Some((512, 2.0))),
    optimal("lamport", 3, 9_216, Some(3.3), Some((9_216 + 5_527, 1.2))),
    optimal("approxds_append", 5, 127_740, Some(39.9), Some((127_740, 9.3))),
    observers("readers", 13, 8_192, 3.7),
    observers("lastzero", 12, 15_360, 6.4),
    observers("casrot", 9, 8_597, 1.76),
    observers("fib_bench", 4, 19_605, 2.4),
    observers("sigma", 7, 5_040, 1.16),
    observers("lastwrite", 9, 9, 0.08),
    observers("circular_buffer", 7, 3_432, 1.5),
    observers("filesystem", 22, 512, 2.0),
    observers("indexer", 14, 512, 2.5),
    Row { blocked: 6_132, ..observers("lamport", 3, 5_466, 3.1) },
    observers("approxds_append", 5, 33_125, 15.8),
    reads_from("readers", 13, 8_192, 3.8),
    reads_from("lastzero", 12, 15_360, 4.2),
    reads_from("casrot", 9, 8_597, 1.5),
    reads_from("fib_bench", 4, 19_605, 3.0),
    reads_from("sigma", 7, 5_040, 1.05),
    reads_from("lastwrite", 9, 9, 0.08),
    reads_from("circular_buffer", 7, 3_432, 2.5),
    reads_from("filesystem", 22, 512, 1.4),
    reads_from("indexer", 14, 512, 2.5),
    Row { blocked: 4_233, ..reads_from("lamport", 3, 3_942, 2.6) },
    reads_from("approxds_append", 5, 9_945, 3.0),
];

/// What starting up and clang take of the others' times.
const START_SECONDS: f64 = 0.07;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(clang) = clang() else { return };
    if let [only, position] = &arguments[..]
        && only == ROW
    {
        let row = position.parse().ok().and_then(|position: usize| ROWS.get(position));
        row.into_iter().for_each(|row| _ = measure(&clang, row, Duration::ZERO));
        return own_process::tell_peak();
    }
    let once = arguments.iter().any(|argument| argument == "--once");
    let enough = if once { Duration::ZERO } else { Duration::from_millis(500) };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    table(&clang, enough, &wanted);
    if arguments.iter().any(|argument| argument == "--instructions") {
        instructions(&wanted);
    }
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

/// What a program took, in seconds.
struct Measured {
    counts: Counts,
    start_up: f64,
    alone: f64,
}

fn measure(clang: &Clang, row: &Row, enough: Duration) -> Measured {
    let definition = format!("-DN={}", row.n);
    let (module, start_up) = fastest(enough, || compile(clang, row.name, &[&definition], row.loops));
    let (counts, alone) = fastest(enough, || explore_all(row.name, &module, row.algorithm, Limits::default(), |_| {}));
    let expected = (row.complete, row.blocked, 0);
    assert_eq!((counts.complete, counts.blocked, counts.redundant), expected, "{}({})", row.name, row.n);
    Measured { counts, start_up: start_up.as_secs_f64(), alone: alone.as_secs_f64() }
}

/// Prints a row of a table, with its first columns to the left and the others to the right.
fn print_cells(cells: &[String]) {
    const WIDTHS: [usize; 13] = [10, 18, 10, 8, 9, 9, 9, 7, 6, 16, 5, 6, 16];
    for (position, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        match position {
            0 | 1 => print!("| {cell:<width$} "),
            _ => print!("| {cell:>width$} "),
        }
    }
    println!("|");
}

fn table(clang: &Clang, enough: Duration, wanted: &str) {
    const HEADINGS: [&str; 13] = [
        "strategy",
        "program",
        "executions",
        "start-up",
        "alone",
        "a second",
        "ns a step",
        "Nidhugg",
        "in all",
        "without start-up",
        "GenMC",
        "in all",
        "without start-up",
    ];
    print_cells(&HEADINGS.map(str::to_owned));
    print_cells(&std::array::from_fn::<_, 13, _>(|column| if column < 2 { "---" } else { "--:" }.to_owned()));
    for row in ROWS.iter().filter(|row| row.name.contains(wanted)) {
        let measured = measure(clang, row, enough);
        let Measured { counts, start_up, alone } = &measured;
        let executions = counts.executions();
        let mut cells = vec![
            row.algorithm.name().to_owned(),
            format!("{}({})", row.name, row.n),
            executions.to_string(),
            format!("{start_up:.3}"),
            format!("{alone:.6}"),
            format!("{:.0}", executions as f64 / alone),
            format!("{:.0}", alone * 1e9 / counts.steps as f64),
        ];
        cells.extend(compared(&measured, row.nidhugg.map(|seconds| (executions, seconds))));
        cells.extend(compared(&measured, row.genmc));
        print_cells(&cells);
    }
    println!(
        "\nTimes are in seconds: start-up is clang, reading and preparing; alone is exploring, without start-up; those of \
         Nidhugg\nand GenMC include their start-up and clang. In all: how many times as many executions a second, with \
         start-up on both\nsides; without start-up: alone, against their times less {START_SECONDS} s.\n"
    );
}

/// With it, the benchmark runs the row of a number once: in a process of its own.
const ROW: &str = "--row";

/// What counts of such a process.
const EXPLORING: Counted<'_> = Counted::Within("*Explorer*run_watched*");

/// Prints what does not depend on what else the machine does.
fn instructions(wanted: &str) {
    println!("{:<10} {:<20} {:>10} {:>12} {:>10}", "strategy", "program", "executions", "instructions", "peak KiB");
    for (position, row) in ROWS.iter().enumerate().filter(|(_, row)| row.name.contains(wanted)) {
        let arguments = [ROW, &position.to_string()];
        let executions = row.complete + row.blocked;
        let each = own_process::instructions(EXPLORING, &arguments).map(|all| (all / executions).to_string());
        let peak = own_process::peak_kib(&arguments).map(|kib| kib.to_string());
        let (each, peak) = (each.unwrap_or("-".to_owned()), peak.unwrap_or("-".to_owned()));
        let program = format!("{}({})", row.name, row.n);
        println!("{:<10} {program:<20} {executions:>10} {each:>12} {peak:>10}", row.algorithm.name());
    }
    println!("\nInstructions are of an execution, without start-up. Memory includes start-up.\n");
}

/// Another tool's seconds for so many executions, and how many times as fast we are with start-up and without.
fn compared(ours: &Measured, theirs: Option<(u64, f64)>) -> [String; 3] {
    let Some((executions, seconds)) = theirs else { return ["-", "-", "-"].map(str::to_owned) };
    let times = |ours_seconds: f64, seconds: f64| {
        (ours.counts.executions() as f64 / ours_seconds) / (executions as f64 / seconds)
    };
    let in_all = times(ours.start_up + ours.alone, seconds);
    let without = times(ours.alone, seconds - START_SECONDS);
    [format!("{seconds:.2}"), format!("{in_all:.1}"), format!("{without:.1}")]
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
