//! Table 1 and Fig. 8 of TACAS 2008, on our programs and our solver.
//!
//! `cargo bench -p everyway-symbolic` prints the table, then the points of the figure, and writes the figure to
//! `target/fig8.svg`. `-- table` or `-- figure` does one of them; `-- --seconds 60` is the processor time for one cell,
//! after which the search ends with the depth it is at.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "tacas2008/figure.rs"]
mod figure;

use common::papers_program;
use everyway_ir::Module;
use everyway_symbolic::solver::{BuiltIn, Statistics};
use everyway_symbolic::{Progress, Reduction, Verdict, build, check};
use figure::Curve;
use std::time::Duration;

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
    verdict: String,
    seconds: f64,
    statistics: Statistics,
    is_complete: bool,
}

/// Checks a program; `watch` is shown every depth, and the seconds so far.
fn measure(
    module: &Module,
    reduction: Reduction,
    depth: usize,
    limit: Duration,
    watch: &mut dyn FnMut(Progress, f64),
) -> Cell {
    let started = processor_time();
    let elapsed = || processor_time().saturating_sub(started);
    let system = build(module).expect("the program is supported");
    let mut goes_on = |progress: Progress| {
        watch(progress, elapsed().as_secs_f64());
        elapsed() < limit
    };
    let checked = check(system, reduction, depth, &mut BuiltIn::new(), &mut goes_on).expect("the solver answers");
    let (verdict, is_complete) = match checked.verdict {
        Verdict::Bug(found, _) => (format!("yes at {}", found.steps.len()), true),
        Verdict::Verified { steps } => (format!("no (ends at {steps})"), true),
        Verdict::Bounded { steps } if steps == depth => ("no".to_owned(), true),
        Verdict::Bounded { steps } => (format!("stopped at {steps}"), false),
        Verdict::Unsupported(what) => (what.what, false),
    };
    Cell { verdict, seconds: elapsed().as_secs_f64(), statistics: checked.statistics, is_complete }
}

/// The rows of Table 1: name, program, flags, steps.
fn rows() -> Vec<(String, &'static str, Vec<String>, usize)> {
    let mut rows = Vec::new();
    for (property, flag) in [("pa", None), ("pb", Some("-DPB".to_owned()))] {
        for n in 2..=4 {
            let flags = std::iter::once(format!("-DN={n}")).chain(flag.clone()).collect();
            rows.push((format!("phil{n}-{property}"), "phil", flags, 7 * n + 1));
        }
    }
    for more in 0..=1 {
        for n in 2..=5 {
            rows.push((format!("indexer{n}"), "indexer", vec![format!("-DN={n}")], 5 * n + more));
        }
    }
    rows
}

fn table(limit: Duration) {
    println!("| program | steps | reduction | violated | seconds | conflicts | decisions | clauses |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, program, flags, steps) in rows() {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let Some(module) = papers_program(program, &flags) else { return };
        for reduction in Reduction::ALL {
            let cell = measure(&module, reduction, steps, limit, &mut |_, _| {});
            let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
            let Cell { verdict, seconds, statistics, is_complete } = cell;
            let more = if is_complete { "" } else { "> " };
            println!(
                "| {name} | {steps} | {} | {verdict} | {more}{seconds:.2} | {} | {} | {} |",
                reduction.name(),
                number(statistics.conflicts),
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
        measure(&module, reduction, 120, limit, &mut |progress, seconds| {
            if progress.steps > 0 && progress.steps.is_multiple_of(15) {
                let conflicts = progress.statistics.conflicts.unwrap_or(0);
                println!("{} depth {}: {seconds:.2} s, {conflicts} conflicts", reduction.name(), progress.steps);
                curve.seconds.push((progress.steps as f64, seconds));
                curve.conflicts.push((progress.steps as f64, conflicts as f64));
            }
        });
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
    let position = arguments.iter().position(|argument| argument == "--seconds");
    let seconds = position.and_then(|position| arguments.get(position + 1)?.parse().ok()).unwrap_or(60);
    let limit = Duration::from_secs(seconds);
    if wants("table") {
        table(limit);
    }
    if wants("figure") {
        figure(limit);
    }
}
