//! The cost of an execution must not depend on how long the common beginning of all executions is.

use crate::row::{compile, explore_all};
use everyway_driver::Limits;
use everyway_explore::Algorithm;
use everyway_ir::LoopTreatment;
use everyway_llvm::clang::Clang;
use everyway_pipeline::clock::Clock;

/// Explores a program with beginnings of several lengths.
pub(crate) fn compare(clang: &Clang) {
    const ORDERS_OF: u32 = 8;
    const EXECUTIONS: u64 = 40_320;
    println!("{:<20} {:>10} {:>12} {:>12}", "common prefix", "executions", "ns each", "compared");
    let mut first = None;
    for prefix in [100, 1_000, 10_000] {
        let definitions = [format!("-DN={ORDERS_OF}"), format!("-DPREFIX={prefix}")];
        let module = compile(clang, "prefix", &definitions, LoopTreatment::Await);
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
