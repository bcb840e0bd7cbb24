//! Memory must not depend on how many executions there have been: neither where there is little to revisit, nor where much
//! waits to be revisited (`wakeup_stress`, JACM 2017, Fig. 12, for which wakeup trees take exponential memory).

use crate::row::{compile, explore_all};
use everyway_driver::Limits;
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::LoopTreatment;
use everyway_llvm::clang::Clang;
use everyway_oracle::own_process::resident_kib;

/// Explores programs with many executions, and looks at the memory.
pub(crate) fn compare(clang: &Clang) {
    let (sc, rc11) = (Algorithm::Graphs { model: MemoryModel::Sc }, Algorithm::Graphs { model: MemoryModel::Rc11 });
    explored(clang, ("lastwrite", 10), Algorithm::Optimal, &[1_000, 100_000, 1_000_000]);
    explored(clang, ("memory/coherence", 9), rc11, &[1_000, 100_000, 1_000_000, 10_000_000]);
    explored(clang, ("wakeup_stress", 9), sc, &[10_000, 50_000, 200_000, 700_000]);
}

fn explored(clang: &Clang, (program, n): (&str, u32), algorithm: Algorithm, marks: &[u64]) {
    const LIMIT_KIB: u64 = 50 << 10;
    println!("{:<20} {:>10}   {program}({n}), {}", "after executions", "KiB", algorithm.name());
    let module = compile(clang, program, &[format!("-DN={n}")], LoopTreatment::Await);
    let limits = Limits { executions: marks.last().copied(), ..Limits::default() };
    let mut found = Vec::new();
    explore_all(program, &module, algorithm, limits, |counts| {
        if marks.contains(&counts.executions()) {
            found.extend(resident_kib());
        }
    });
    for (executions, kib) in marks.iter().zip(&found) {
        println!("{executions:<20} {kib:>10}");
    }
    if let [.., before, last] = found[..] {
        assert!(last < before + before / 10 && last < LIMIT_KIB, "memory grows: {before} KiB, then {last} KiB");
    }
}
