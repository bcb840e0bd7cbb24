//! How much faster several workers are than one: `cargo bench -p everyway-pipeline --bench speedup`.
//!
//! Programs in C, and closures in Rust, that take one worker a second and more are explored as execution graphs under `sc`
//! by one worker, and by one for each processor, in turns. The counts have to be the same. What is compared is the time on the
//! clock, of the fastest of three: whatever else the machine does counts, too. So the machine has to be idle.
//!
//! Arguments: a name picks the programs whose names contain it; `--jobs N` has another number of workers; `--at-least X` ends
//! with status 1 if some program is not so many times as fast.

#[path = "rust_closures/lastwrite.rs"]
mod lastwrite;

use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::{Builder, thread};
use everyway_driver::{ModelChoice, NoHost, Settings, check};
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_pipeline::program::{clang, load_prepared, papers_program};
use everyway_report::{Report, Verdict};
use everyway_vm::Program;
use lastwrite::lastwrite;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

const GRAPHS: Algorithm = Algorithm::Graphs { model: MemoryModel::Sc };
const ROUNDS: usize = 3;

/// Programs in C, and their sizes.
const C: [(&str, u32); 5] =
    [("sigma", 8), ("lastwrite", 9), ("approxds_append", 5), ("fib_bench", 5), ("lastzero", 16)];

/// Threads that each read what the one before writes, before or after that: 2^(n - 1) executions.
fn chain(n: u32) {
    let x = Arc::new((0..=n).map(|_| AtomicU32::new(0)).collect::<Vec<_>>());
    let threads: Vec<_> = (0..n as usize)
        .map(|i| {
            let x = x.clone();
            thread::spawn(move || x[i + 1].store(x[i].load(SeqCst) + 1, SeqCst))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Closures in Rust, and their names.
const RUST: [(&str, fn()); 2] = [("chain(19)", || chain(19)), ("lastwrite(9)", || lastwrite(9))];

/// What is wanted.
struct Wanted {
    name: String,
    jobs: NonZeroUsize,
    at_least: f64,
}

fn wanted() -> Wanted {
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut wanted = Wanted { name: String::new(), jobs, at_least: 0.0 };
    let mut arguments = std::env::args().skip(1);
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).expect("a number follows");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--jobs" => wanted.jobs = NonZeroUsize::new(number(arguments.next()) as usize).expect("at least one"),
            "--at-least" => wanted.at_least = number(arguments.next()),
            "--bench" => {}
            name => wanted.name = name.to_owned(),
        }
    }
    wanted
}

/// The best time of each number of workers, in turns.
fn measure(name: &str, jobs: [NonZeroUsize; 2], explore: impl Fn(NonZeroUsize) -> Report) -> (u64, [f64; 2]) {
    let mut best = [f64::MAX; 2];
    let mut executions = None;
    for _ in 0..ROUNDS {
        for (best, jobs) in best.iter_mut().zip(jobs) {
            let started = Instant::now();
            let report = explore(jobs);
            *best = best.min(started.elapsed().as_secs_f64());
            assert_eq!(report.verdict, Verdict::Verified, "{name}: {:?}", report.cut);
            assert_eq!(*executions.get_or_insert(report.executions), report.executions, "{name} with {jobs} workers");
        }
    }
    (executions.map_or(0, |executions| executions.all()), best)
}

fn c_program(module: &std::sync::Arc<Module>, jobs: NonZeroUsize) -> Report {
    let settings = Settings {
        algorithm: GRAPHS,
        memory_model: ModelChoice::Explicit(MemoryModel::Sc),
        jobs,
        ..Settings::default()
    };
    check(&mut Program::new(std::sync::Arc::clone(module), everyway_vm::Settings::default()), &settings, &mut NoHost)
}

fn main() -> ExitCode {
    let wanted = wanted();
    let jobs = [NonZeroUsize::MIN, wanted.jobs];
    let all = format!("{} workers", wanted.jobs);
    println!("{:<24} {:>12} {:>12} {:>12} {:>8}", "", "executions", "1 worker, s", format!("{all}, s"), "times");
    let mut is_enough = true;
    let mut show = |name: &str, (executions, [one, all]): (u64, [f64; 2])| {
        is_enough &= one / all >= wanted.at_least;
        println!("{name:<24} {executions:>12} {one:>12.2} {all:>12.2} {:>8.2}", one / all);
    };
    if let Some(clang) = clang() {
        let preparation = Preparation { loops: LoopTreatment::Await, rounds: None, spin_rounds: None };
        for (program, n) in C {
            let name = format!("C {program}({n})");
            if name.contains(&wanted.name) {
                let module = load_prepared(&clang, &papers_program(program), &[&format!("-DN={n}")], preparation);
                let module = std::sync::Arc::new(module.unwrap_or_else(|error| panic!("{name}: {error}")));
                show(&name, measure(&name, jobs, |jobs| c_program(&module, jobs)));
            }
        }
    }
    for (program, body) in RUST {
        let name = format!("Rust {program}");
        if name.contains(&wanted.name) {
            let explore = |jobs: NonZeroUsize| Builder::new().algorithm(GRAPHS).jobs(jobs.get()).explore(body);
            show(&name, measure(&name, jobs, explore));
        }
    }
    if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
