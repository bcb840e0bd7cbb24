//! What an execution costs under `reads-from` as the program grows: `cargo bench -p everyway-pipeline --bench reads_from`.
//!
//! Programs are prepared as `everyway check` does it.

use everyway_driver::Limits;
use everyway_explore::{Algorithm, Counts};
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_llvm::clang::Clang;
use everyway_pipeline::clock::fastest;
use everyway_pipeline::program::{Setup, clang, explore, load_prepared, papers_program};
use std::sync::Arc;
use std::time::Duration;

fn main() {
    let Some(clang) = clang() else { return };
    growth(&clang, "readers", &[8, 10, 12, 14, 16].map(|n| (n, 1 << n)));
    growth(&clang, "opt_lock", &[10, 30, 100, 300, 1000].map(|n| (n, 12 * u64::from(n) - 5)));
}

fn compile(clang: &Clang, name: &str, n: u32) -> Arc<Module> {
    let preparation = Preparation { loops: LoopTreatment::Assume, rounds: None, spin_rounds: None };
    let module = load_prepared(clang, &papers_program(name), &[&format!("-DN={n}")], preparation);
    Arc::new(module.unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The nanoseconds of an execution.
fn each(name: &str, module: &Arc<Module>, executions: u64) -> f64 {
    let limits = Limits { steps: usize::MAX, ..Limits::default() };
    let setup = Setup { limits, ..Setup::new(Algorithm::ReadsFrom) };
    let (counts, time) = fastest(Duration::from_millis(700), || explore(module, &setup, |_| {}));
    let counts: Counts = counts.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((counts.complete, counts.executions()), (executions, executions), "{name}");
    time.as_nanos() as f64 / executions as f64
}

/// The time of an execution grows no faster than its length, which is proportional to `n`.
fn growth(clang: &Clang, name: &str, sizes: &[(u32, u64)]) {
    println!("{:<20} {:>10} {:>12} {:>12}", "program", "executions", "ns each", "by n");
    let mut first = None;
    for &(n, executions) in sizes {
        let ours = each(name, &compile(clang, name, n), executions);
        let by_n = ours / f64::from(n);
        println!("{:<20} {executions:>10} {ours:>12.0} {by_n:>12.1}", format!("{name}({n})"));
        assert!(
            by_n < 2.0 * *first.get_or_insert(by_n),
            "an execution of {name} costs more than its length accounts for"
        );
    }
}
