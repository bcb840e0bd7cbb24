//! C programs, one core: `cargo bench -p everyway-pipeline --no-default-features`.
//!
//! Beside our numbers are those of Nidhugg (optimal) and GenMC, both under sequential consistency, measured on a
//! machine like the one this was written on; absolute times are not stable, ratios hold better. Times are of the
//! processor, so that others who use the machine disturb less, and include starting up and clang. An argument picks the programs whose names contain it; `--once` runs each of them once.

use everyway_explore::{Algorithm, Counts, Limits};
use everyway_ir::Module;
use everyway_llvm::clang::Clang;
use everyway_pipeline::clock::Clock;
use everyway_pipeline::program::{Setup, clang, explore, load, papers_program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Another tool's executions, complete and blocked together, and the seconds they took.
type Peer = Option<(u64, f64)>;

/// A program, and what is known of it.
struct Row {
    name: &'static str,
    n: u32,
    complete: u64,
    blocked: u64,
    nidhugg: Peer,
    genmc: Peer,
}

const fn row(name: &'static str, n: u32, complete: u64, nidhugg: Peer, genmc: Peer) -> Row {
    Row { name, n, complete, blocked: 0, nidhugg, genmc }
}

const ROWS: [Row; 12] = [
    row("readers", 13, 8_192, Some((8_192, 3.7)), Some((8_192, 0.38))),
    row("lastzero", 12, 15_360, Some((15_360, 4.2)), Some((15_360, 1.07))),
    row("casrot", 9, 8_597, Some((8_597, 1.37)), Some((8_597, 0.12))),
    row("fib_bench", 4, 19_605, Some((19_605, 2.1)), Some((19_605, 0.43))),
    row("sigma", 7, 135_135, Some((135_135, 27.4)), Some((135_135, 3.1))),
    row("lastwrite", 8, 40_320, Some((40_320, 7.2)), None),
    row("lastwrite", 9, 362_880, None, Some((362_880, 9.3))),
    row("circular_buffer", 7, 3_432, Some((3_432, 1.5)), Some((3_432, 2.4))),
    row("filesystem", 22, 512, Some((512, 1.7)), Some((512, 1.3))),
    row("indexer", 14, 512, Some((512, 1.9)), Some((512, 2.0))),
    // Nidhugg waits without executions that block.
    Row { blocked: 11_525, ..row("lamport", 3, 9_216, Some((9_216, 3.3)), Some((9_216 + 5_527, 1.2))) },
    row("approxds_append", 5, 127_740, Some((127_740, 39.9)), Some((127_740, 9.3))),
];

/// What starting up and clang take of the peers' times.
const START_SECONDS: f64 = 0.07;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if cfg!(feature = "oracle") {
        println!("the engine checks itself: for measuring, `cargo bench -p everyway-pipeline --no-default-features`");
        return;
    }
    let Some(clang) = clang() else { return };
    let once = arguments.iter().any(|argument| argument == "--once");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    table(&clang, once, &wanted);
    if "prefix".contains(&wanted) {
        prefixes(&clang);
    }
    if "memory".contains(&wanted) {
        memory(&clang);
    }
}

fn compile(clang: &Clang, name: &str, definitions: &[&str]) -> Arc<Module> {
    let path = papers_program(name);
    let module = load(clang, &path, definitions).unwrap_or_else(|error| panic!("{name}: {error}"));
    Arc::new(module)
}

fn explore_all(name: &str, module: &Arc<Module>, limits: Limits, observe: impl FnMut(&Counts)) -> Counts {
    let setup = Setup { limits, ..Setup::new(Algorithm::Optimal) };
    explore(module, &setup, observe).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What exploring a program took: with clang and reading, and without.
struct Measured {
    counts: Counts,
    total: Duration,
    exploring: Duration,
}

/// Explores as often as fits into a second, at least once; the best run counts.
fn measure(clang: &Clang, row: &Row, once: bool) -> Measured {
    let started = Instant::now();
    let mut best: Option<Measured> = None;
    loop {
        let run = Clock::now();
        let module = compile(clang, row.name, &[&format!("-DN={}", row.n)]);
        let compiled = run.elapsed();
        let counts = explore_all(row.name, &module, Limits::default(), |_| {});
        let total = run.elapsed();
        if best.as_ref().is_none_or(|best| total < best.total) {
            best = Some(Measured { counts, total, exploring: total - compiled });
        }
        match best.take() {
            Some(best) if once || started.elapsed() > Duration::from_secs(1) => return best,
            other => best = other,
        }
    }
}

fn table(clang: &Clang, once: bool, wanted: &str) {
    println!(
        "{:<20} {:>10} {:>8} {:>8} {:>10} {:>10} {:>8} {:>7} {:>8} {:>7}",
        "program", "executions", "s", "s alone", "a second", "ns a step", "Nidhugg", "times", "GenMC", "times"
    );
    for row in ROWS.iter().filter(|row| row.name.contains(wanted)) {
        let Measured { counts, total, exploring } = measure(clang, row, once);
        let name = format!("{}({})", row.name, row.n);
        let expected = (row.complete, row.blocked, 0);
        assert_eq!((counts.complete, counts.blocked, counts.redundant), expected, "{name}");
        let executions = counts.executions();
        let step = exploring.as_nanos() as f64 / counts.steps as f64;
        let (total, exploring) = (total.as_secs_f64(), exploring.as_secs_f64());
        print!(
            "{name:<20} {executions:>10} {total:>8.3} {exploring:>8.3} {:>10.0} {step:>10.0}",
            executions as f64 / exploring
        );
        for peer in [row.nidhugg, row.genmc] {
            show_peer(peer, executions as f64, total, exploring);
        }
        println!();
    }
    println!("times: how many times as many executions a second, start-up and clang included (and without them)\n");
}

fn show_peer(peer: Peer, executions: f64, total: f64, exploring: f64) {
    let Some((theirs, seconds)) = peer else { return print!(" {:>8} {:>7}", "-", "-") };
    // Where they need fewer executions, ours beyond that number do not count.
    let executions = executions.min(theirs as f64);
    let ratio = (executions / total) / (theirs as f64 / seconds);
    let alone = (executions / exploring) / (theirs as f64 / (seconds - START_SECONDS));
    print!(" {seconds:>8.2} {:>7}", format!("{ratio:.0} ({alone:.0})"));
}

/// The cost of an execution must not depend on how long the common beginning of all executions is.
fn prefixes(clang: &Clang) {
    const ORDERS_OF: u32 = 8;
    const EXECUTIONS: u64 = 40_320;
    println!("{:<20} {:>10} {:>12} {:>12}", "common prefix", "executions", "ns each", "compared");
    let mut first = None;
    for prefix in [100, 1_000, 10_000] {
        let definitions = [format!("-DN={ORDERS_OF}"), format!("-DPREFIX={prefix}")];
        let module = compile(clang, "prefix", &definitions.each_ref().map(String::as_str));
        let limits = Limits { steps: usize::MAX, ..Limits::default() };
        // The first execution takes the common steps; all others go back to where they end.
        let mut started = None;
        let counts = explore_all("prefix", &module, limits, |_| {
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

/// The pages that the process has in memory, in KiB; `None` where the system does not say.
fn resident_kib() -> Option<u64> {
    const KIB_PER_PAGE: u64 = 4;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * KIB_PER_PAGE)
}

/// Memory must not depend on how many executions there have been.
fn memory(clang: &Clang) {
    const MARKS: [u64; 3] = [1_000, 100_000, 1_000_000];
    println!("{:<20} {:>10}", "after executions", "KiB");
    let module = compile(clang, "lastwrite", &["-DN=10"]);
    let limits = Limits { executions: Some(MARKS[2]), ..Limits::default() };
    let mut found = Vec::new();
    explore_all("lastwrite", &module, limits, |counts| {
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
