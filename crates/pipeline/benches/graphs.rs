//! What an execution costs as an execution graph: `cargo bench -p everyway-pipeline --bench graphs`.
//!
//! - Under `sc`, beside `optimal`, on programs that have as many executions under both.
//! - Under `tso` and `rc11`, beside GenMC 0.11, whose times were measured on a machine like the one this was written on:
//!   seconds of the processor with start-up and clang, which take about [`START_SECONDS`]. `--faster=F` says that this machine is F
//!   times as fast.
//! - Memory, as the number of executions grows.
//!
//! Programs are prepared as `everyway check` does it. Times are those on the wall, of the fastest of as many explorations
//! as take half a second, at least three. An argument picks the rows whose model and program, such as `rc11 lock`,
//! contain it; `--once` runs each of them
//! once. Rows with a number of redundant executions are about waits: what is explored besides.

use everyway_driver::Limits;
use everyway_explore::{Algorithm, Counts, MemoryModel};
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_llvm::clang::Clang;
use everyway_oracle::own_process::resident_kib;
use everyway_pipeline::clock::fastest;
use everyway_pipeline::peers;
use everyway_pipeline::program::{Setup, clang, explore, load_prepared, papers_program};
use std::sync::Arc;
use std::time::Duration;

/// What starting up and clang take of GenMC's times.
const START_SECONDS: f64 = 0.05;

/// Programs with the number of their executions under `sc`.
const INTERLEAVED: [(&str, u32, u64); 18] = [
    ("readers", 13, 8_192),
    ("readers", 15, 32_768),
    ("casw", 6, 1_270_080),
    ("wakeup_stress", 8, 80_640),
    ("lastwrite", 9, 362_880),
    ("lastzero", 12, 15_360),
    ("casrot", 9, 8_597),
    ("casw", 5, 32_880),
    ("fib_bench", 4, 19_605),
    ("sigma", 7, 135_135),
    ("lastwrite", 8, 40_320),
    ("floating_read", 6, 5_040),
    ("circular_buffer", 7, 3_432),
    ("filesystem", 22, 512),
    ("indexer", 14, 512),
    ("opt_lock", 9, 0),
    ("approxds_append", 5, 127_740),
    ("groups", 20, 81),
];

/// A program under a weak model, with its executions and GenMC's seconds.
struct Weak {
    name: &'static str,
    definitions: &'static [&'static str],
    model: MemoryModel,
    complete: u64,
    genmc: f64,
}

const fn weak(
    name: &'static str,
    definitions: &'static [&'static str],
    model: MemoryModel,
    complete: u64,
    genmc: f64,
) -> Weak {
    Weak { name, definitions, model, complete, genmc }
}

const WEAK: [Weak; 17] = [
    weak("sb", &["-DN=14"], MemoryModel::Tso, 16_384, 0.58),
    weak("sb", &["-DN=14"], MemoryModel::Rc11, 16_384, 0.59),
    weak("fib", &["-DN=5"], MemoryModel::Tso, 19_404, 0.71),
    weak("fib", &["-DN=5"], MemoryModel::Rc11, 19_404, 0.67),
    weak("coherence", &["-DN=7"], MemoryModel::Tso, 181_440, 1.95),
    weak("coherence", &["-DN=7"], MemoryModel::Rc11, 181_440, 2.02),
    weak("casrot", &["-DN=9"], MemoryModel::Tso, 8_597, 0.19),
    weak("casrot", &["-DN=9"], MemoryModel::Rc11, 8_597, 0.20),
    weak("ring", &["-DN=7"], MemoryModel::Tso, 46_311, 1.73),
    weak("ring", &["-DN=7"], MemoryModel::Rc11, 46_311, 1.70),
    weak("iriw", &["-DN=6"], MemoryModel::Tso, 2_187, 0.09),
    weak("iriw", &["-DN=6"], MemoryModel::Rc11, 4_096, 0.12),
    weak("lock", &["-DN=7"], MemoryModel::Tso, 5_040, 0.48),
    weak("lock", &["-DN=7"], MemoryModel::Rc11, 5_040, 0.50),
    weak("mp", &["-DN=14"], MemoryModel::Tso, 16_384, 0.48),
    weak("mp", &["-DN=14"], MemoryModel::Rc11, 16_384, 0.51),
    weak("mp", &["-DN=9", "-DW=memory_order_relaxed"], MemoryModel::Rc11, 19_683, 0.35),
];

fn main() {
    let Some(clang) = clang() else { return };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let once = arguments.iter().any(|argument| argument == "--once");
    let enough = if once { Duration::ZERO } else { Duration::from_millis(500) };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    interleaved(&clang, enough, &wanted);
    weakly(&clang, enough, (&wanted, peers::faster(&arguments)));
    if "memory".contains(&wanted) {
        memory(&clang);
    }
}

fn compile(clang: &Clang, name: &str, definitions: &[&str]) -> Arc<Module> {
    let preparation = Preparation { loops: LoopTreatment::Await, rounds: None, spin_rounds: None };
    let module = load_prepared(clang, &papers_program(name), definitions, preparation);
    Arc::new(module.unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The counts of an exploration, and its seconds.
fn measure(name: &str, module: &Arc<Module>, setup: &Setup, enough: Duration) -> (Counts, f64) {
    let run = || explore(module, setup, |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (counts, best) = fastest(enough, run);
    (counts, best.as_secs_f64())
}

fn interleaved(clang: &Clang, enough: Duration, wanted: &str) {
    println!(
        "{:<20} {:>10} {:>12} {:>12} {:>8} {:>8}",
        "sc", "executions", "optimal ns", "graphs ns", "times", "steps"
    );
    for (name, n, executions) in INTERLEAVED.into_iter().filter(|(name, ..)| format!("sc {name}").contains(wanted)) {
        let module = compile(clang, name, &[&format!("-DN={n}")]);
        let setup = Setup { commuting_adds: false, ..Setup::new(Algorithm::Optimal) };
        let (optimal, theirs) = measure(name, &module, &setup, enough);
        let setup = Setup { commuting_adds: false, ..Setup::graphs(MemoryModel::Sc) };
        let (graphs, ours) = measure(name, &module, &setup, enough);
        assert_eq!((graphs.complete, graphs.redundant), (optimal.complete, 0), "{name}({n})");
        if executions > 0 {
            assert_eq!(graphs.complete, executions, "{name}({n})");
        }
        let each = |seconds: f64| seconds * 1e9 / graphs.complete as f64;
        println!(
            "{:<20} {:>10} {:>12.0} {:>12.0} {:>8.2} {:>8.2}",
            format!("{name}({n})"),
            graphs.complete,
            each(theirs),
            each(ours),
            ours / theirs,
            graphs.steps as f64 / optimal.steps as f64
        );
    }
    println!();
}

fn weakly(clang: &Clang, enough: Duration, (wanted, faster): (&str, f64)) {
    println!(
        "{:<6} {:<32} {:>10} {:>10} {:>6} {:>8} {:>10} {:>8} {:>6}",
        "model", "program", "executions", "redundant", "steps", "ns each", "a second", "GenMC s", "times"
    );
    for row in WEAK.iter().filter(|row| format!("{} {}", row.model, row.name).contains(wanted)) {
        let module = compile(clang, &format!("memory/{}", row.name), row.definitions);
        let (counts, seconds) = measure(row.name, &module, &Setup::graphs(row.model), enough);
        assert_eq!((counts.complete, counts.blocked), (row.complete, 0), "{} under {}", row.name, row.model);
        println!(
            "{:<6} {:<32} {:>10} {:>10} {:>6.1} {:>8.0} {:>10.0} {:>8.2} {:>6.1}",
            row.model.name(),
            format!("{} {}", row.name, row.definitions.join(" ")),
            counts.complete,
            counts.redundant,
            counts.steps as f64 / row.complete as f64,
            seconds * 1e9 / row.complete as f64,
            row.complete as f64 / seconds,
            row.genmc,
            (row.genmc - START_SECONDS) / faster / seconds
        );
    }
    println!();
}

/// Memory must not depend on how many executions there have been: neither where there is little to revisit, nor where much
/// waits to be revisited (`wakeup_stress`, JACM 2017, Fig. 12, for which wakeup trees take exponential memory).
fn memory(clang: &Clang) {
    let coherence = compile(clang, "memory/coherence", &["-DN=9"]);
    memory_of(&coherence, Setup::graphs(MemoryModel::Rc11), [1_000, 100_000, 1_000_000, 10_000_000]);
    let stress = compile(clang, "wakeup_stress", &["-DN=9"]);
    let setup = Setup { commuting_adds: false, ..Setup::graphs(MemoryModel::Sc) };
    memory_of(&stress, setup, [10_000, 50_000, 200_000, 700_000]);
}

fn memory_of(module: &Arc<Module>, setup: Setup, marks: [u64; 4]) {
    const LIMIT_KIB: u64 = 50 << 10;
    println!("{:<20} {:>10}", "after executions", "KiB");
    let limits = Limits { executions: Some(marks[3]), ..Limits::default() };
    let mut kib = Vec::new();
    let explored = explore(module, &Setup { limits, ..setup }, |counts| {
        if marks.contains(&counts.executions())
            && let Some(resident) = resident_kib()
        {
            println!("{:<20} {resident:>10}", counts.executions());
            kib.push(resident);
        }
    });
    explored.unwrap_or_else(|error| panic!("{error}"));
    if let [.., before, last] = kib[..] {
        assert!(last < before + before / 4 && last < LIMIT_KIB, "memory grows with the number of executions");
    }
}
