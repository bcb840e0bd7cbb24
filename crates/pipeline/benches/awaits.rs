//! Programs with loops that spin, by what is done about them: `cargo bench -p everyway-pipeline
//! --bench awaits`.
//!
//! The rows are those in the comments at the top of the programs: complete and blocked executions, the seconds of the
//! processor that exploring them took, and below, where there is something to compare with, what FMCAD 2022 has in Tables I and II. Its
//! first column is not the same as ours: the tool that it was measured with turned loops that do nothing but look at
//! one variable into assumptions at all times. An argument picks the programs whose names contain it; `--small` leaves
//! out what takes more than a few seconds.

use everyway_explore::Algorithm;
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_llvm::clang::Clang;
use everyway_pipeline::clock::Clock;
use everyway_pipeline::columns::{Column, Counts, Row, rows};
use everyway_pipeline::program::{Setup, clang, explore, load_prepared, papers_program};
use std::sync::Arc;
use std::time::Duration;

const PROGRAMS: [&str; 14] = [
    "qspinlock",
    "mcslock",
    "twalock",
    "mutex",
    "mutex_musl",
    "ms_queue",
    "linuxrwlocks",
    "ttas_spin_lock",
    "seqlock",
    "mpmc_queue",
    "treiber_stack",
    "sortnet",
    "safestack",
    "livelock",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(clang) = clang() else { return };
    let small = arguments.iter().any(|argument| argument == "--small");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    println!("{:<56} {:>24} {:>24} {:>24} {:>24}", "", "plain", "assume", "await", "and adds");
    for name in PROGRAMS.iter().filter(|name| name.contains(&wanted)) {
        let text = std::fs::read_to_string(papers_program(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for row in rows(&text).iter().filter(|row| !(small && row.is_large)) {
            show(&clang, name, row);
        }
    }
    if "safestack-331".contains(&wanted) && !small {
        find_bug(&clang);
    }
}

/// The smallest client of safestack that shows its bug. The paper's tool took eight minutes, and as many executions.
fn find_bug(clang: &Clang) {
    let flags = ["-DA=3", "-DB=3", "-DC=1"].map(str::to_owned).to_vec();
    let row = Row { flags, is_large: true, expected: [None; 4], paper: [None; 4] };
    let (module, setup) = prepared(clang, "safestack", &row, Column::Adds);
    let started = Clock::now();
    let mut last = (0, 0);
    let end = explore(&Arc::new(module), &setup, |counts| last = (counts.complete, counts.blocked));
    let time = started.elapsed().as_secs_f64();
    let bug = end.expect_err("there is a bug");
    println!("safestack-331: after {} executions, in {time:.1} s: {bug}", cell(Some(last)));
    println!("{:<14} after 2+2453474 executions, in 480 s", "  FMCAD 2022");
}

fn show(clang: &Clang, name: &str, row: &Row) {
    let flags: Vec<_> = row.flags.iter().filter(|flag| !flag.starts_with("--allow")).map(String::as_str).collect();
    print!("{:<56}", format!("{name} {}", flags.join(" ")));
    for (column, expected) in Column::ALL.into_iter().zip(row.expected) {
        let Some(expected) = expected else {
            print!(" {:>24}", "-");
            continue;
        };
        let (found, time) = measure(clang, name, row, column);
        assert_eq!(found, expected, "{name} {} {column:?}", row.flags.join(" "));
        print!(" {:>15} {:>8.2}", cell(Some(found)), time.as_secs_f64());
    }
    println!();
    if row.paper.iter().any(Option::is_some) {
        print!("{:<56}", "  FMCAD 2022");
        row.paper.iter().for_each(|&paper| print!(" {:>15} {:>8}", cell(paper), ""));
        println!();
    }
}

fn cell(counts: Option<Counts>) -> String {
    counts.map_or_else(|| "-".to_owned(), |(complete, blocked)| format!("{complete}+{blocked}"))
}

fn prepared(clang: &Clang, name: &str, row: &Row, column: Column) -> (Module, Setup) {
    let is_ours = |flag: &&str| flag.starts_with("--") || flag.parse::<u64>().is_ok();
    let (own, definitions): (Vec<&str>, Vec<&str>) = row.flags.iter().map(String::as_str).partition(is_ours);
    let rounds = own.iter().position(|flag| *flag == "--unroll").and_then(|position| own[position + 1].parse().ok());
    let loops = match column {
        Column::Baseline => LoopTreatment::Baseline,
        Column::Assume => LoopTreatment::Assume,
        Column::Await | Column::Adds => LoopTreatment::Await,
    };
    let module =
        load_prepared(clang, &papers_program(name), &definitions, Preparation { loops, rounds, spin_rounds: None });
    let module = module.unwrap_or_else(|error| panic!("{name}: {error}"));
    (module, Setup { commuting_adds: column == Column::Adds, ..Setup::new(Algorithm::Optimal) })
}

fn measure(clang: &Clang, name: &str, row: &Row, column: Column) -> (Counts, Duration) {
    let (module, setup) = prepared(clang, name, row, column);
    let started = Clock::now();
    let counts = explore(&Arc::new(module), &setup, |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
    ((counts.complete, counts.blocked), started.elapsed())
}
