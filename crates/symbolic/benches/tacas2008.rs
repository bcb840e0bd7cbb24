//! Table 1 and Fig. 8 of TACAS 2008, on our programs and our solver, with the numbers of the table beside ours. Those of
//! the figure are not printed in the paper.
//!
//! `cargo bench -p everyway-symbolic` prints the table, then the points of the figure, and writes the figure to
//! `target/fig8.svg`. `-- table` or `-- figure` does one of them; `-- --seconds 60` is the time for one cell, after
//! which the search is stopped; `-- --rows indexer` are the rows whose names begin so. As in the paper, the solver is
//! asked once, about all executions of up to so many steps.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "tacas2008/figure.rs"]
mod figure;
#[path = "tacas2008/paper.rs"]
mod paper;

use common::papers_program;
use everyway_ir::Module;
use everyway_symbolic::solver::{BuiltIn, Statistics};
use everyway_symbolic::{Asking, Limit, Plan, Reduction, Setup, Verdict, Wanted, build, check};
use figure::Curve;
use paper::{Row, TABLE};
use std::time::{Duration, Instant};

/// The processor time of this process so far.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a value that lives until the call returns.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the clock of the process can be read");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What a search came to.
struct Cell {
    /// Whether an execution violates the property, if that is known.
    is_violated: Option<bool>,
    seconds: f64,
    statistics: Statistics,
}

/// Checks a program at one depth.
fn measure(module: &Module, reduction: Reduction, depth: usize, time: Duration) -> Cell {
    let started = processor_time();
    let limit = Limit::until(Some(Instant::now() + time));
    let system = build(module, &Setup { limit: limit.clone(), ..Setup::default() }).expect("the program is supported");
    let plan = Plan { reduction, asking: Asking::AtDepth(depth), wanted: Wanted::Any, limit: limit.clone() };
    let checked = check(system, &plan, &mut BuiltIn::with_limit(limit), &mut |_| {}).expect("the solver answers");
    let is_violated = match checked.verdict {
        Verdict::Bug(..) => Some(true),
        Verdict::NoneWithin { .. } | Verdict::Verified { .. } | Verdict::Bounded { .. } => Some(false),
        Verdict::Stopped { .. } => None,
        Verdict::Unsupported(what) => panic!("{what}"),
    };
    Cell {
        is_violated,
        seconds: processor_time().saturating_sub(started).as_secs_f64(),
        statistics: checked.statistics,
    }
}

fn table(limit: Duration, rows: &str) {
    println!("| program | steps | reduction | violated | s | paper's | conflicts | paper's | decisions | clauses |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for row in TABLE.iter().filter(|row| row.name.starts_with(rows)) {
        let Row { name, steps, is_violated, .. } = *row;
        let Some(module) = papers_program(row.program, row.flags) else { return };
        for (column, reduction) in Reduction::ALL.into_iter().enumerate() {
            let Cell { is_violated: found, seconds, statistics } = measure(&module, reduction, steps, limit);
            assert!(found.is_none_or(|found| found == is_violated), "{name} at {steps}, {}", reduction.name());
            let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
            let papers = |number: Option<f64>, unit: &str| number.map_or("T/O".to_owned(), |n| format!("{n}{unit}"));
            println!(
                "| {name} | {steps} | {} | {} | {}{seconds:.2} | {} | {} | {} | {} | {} |",
                reduction.name(),
                if is_violated { "yes" } else { "no" },
                if found.is_none() { "> " } else { "" },
                papers(row.seconds[column], ""),
                number(statistics.conflicts),
                papers(row.conflicts[column], "k"),
                number(statistics.decisions),
                number(statistics.clauses),
            );
        }
    }
}

/// Two philosophers that eat for ever: time and conflicts over depths 15, 30, ... 120.
fn figure(limit: Duration) {
    let Some(module) = papers_program("phil", &["-DN=2", "-DFOREVER"]) else { return };
    let mut curves = Vec::new();
    for reduction in Reduction::ALL {
        let mut curve = Curve { name: reduction.name(), seconds: Vec::new(), conflicts: Vec::new() };
        for depth in (15..=120).step_by(15) {
            let Cell { is_violated, seconds, statistics } = measure(&module, reduction, depth, limit);
            let conflicts = statistics.conflicts.unwrap_or(0);
            if is_violated.is_none() {
                println!("{} depth {depth}: stopped after {seconds:.2} s, {conflicts} conflicts", reduction.name());
                break;
            }
            println!("{} depth {depth}: {seconds:.2} s, {conflicts} conflicts", reduction.name());
            curve.seconds.push((depth as f64, seconds));
            curve.conflicts.push((depth as f64, conflicts as f64));
        }
        curves.push(curve);
    }
    let folder =
        std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| format!("{}/../../target", env!("CARGO_MANIFEST_DIR")));
    let path = format!("{folder}/fig8.svg");
    match std::fs::write(&path, figure::svg(&curves)) {
        Ok(()) => println!("the figure is in {path}"),
        Err(error) => eprintln!("{path} cannot be written: {error}"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let wants = |what: &str| {
        let named = |argument: &String| argument == "table" || argument == "figure";
        !arguments.iter().any(named) || arguments.iter().any(|argument| argument == what)
    };
    let after = |flag: &str| {
        let position = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(position + 1)
    };
    let limit = Duration::from_secs(after("--seconds").and_then(|seconds| seconds.parse().ok()).unwrap_or(60));
    if wants("table") {
        table(limit, after("--rows").map_or("", String::as_str));
    }
    if wants("figure") {
        figure(limit);
    }
}
