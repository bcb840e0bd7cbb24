//! The papers' C programs: the counts are the same for every clang, optimised or not, and in every order.

use everyway_explore::{Algorithm, Order};
use everyway_llvm::clang::Clang;
use everyway_pipeline::program::{Setup, clang, explore, load, papers_program};
use std::sync::Arc;

/// A program with the numbers of complete and of blocked executions that the papers or a formula give.
struct Program {
    name: &'static str,
    n: u32,
    complete: u64,
    blocked: u64,
    /// Whether all accesses to shared variables are atomic, so that optimisation leaves them alone.
    atomic: bool,
}

const fn program(name: &'static str, n: u32, complete: u64) -> Program {
    Program { name, n, complete, blocked: 0, atomic: true }
}

const PROGRAMS: [Program; 11] = [
    program("readers", 6, 64),
    program("lastzero", 5, 64),
    program("casrot", 8, 2048),
    program("fib_bench", 2, 140),
    // 1 * 3 * 5 * 7.
    program("sigma", 4, 105),
    program("lastwrite", 4, 24),
    // The orders of four critical sections of each of two threads.
    Program { atomic: false, ..program("circular_buffer", 4, 70) },
    Program { atomic: false, ..program("filesystem", 16, 8) },
    program("indexer", 12, 8),
    Program { blocked: 16, ..program("lamport", 2, 16) },
    program("approxds_append", 3, 63),
];

/// Every clang that can be found under a name with a version, or else the one that is the default.
fn clangs() -> Vec<Clang> {
    let named: Vec<_> = (14..=30).map(|version| Clang::at(format!("clang-{version}"))).collect();
    let runs = |clang: &Clang| {
        let version = std::process::Command::new(clang.path()).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    let found: Vec<_> = named.into_iter().filter(runs).collect();
    if found.is_empty() { clang().into_iter().collect() } else { found }
}

fn check(program: &Program, clang: &Clang, level: &str, algorithm: Algorithm, order: Order) {
    let Program { name, n, complete, blocked, .. } = *program;
    let path = papers_program(name);
    let what = format!("{name}({n}) by {} {level}, {algorithm:?} in order {order:?}", clang.path().display());
    let module = load(clang, &path, &[&format!("-DN={n}"), level]).unwrap_or_else(|error| panic!("{what}: {error}"));
    let setup = Setup { order, ..Setup::verified(algorithm) };
    let counts = explore(&Arc::new(module), &setup, |_| {}).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!((counts.complete, counts.blocked), (complete, blocked), "{what}");
    let is_optimal = matches!(algorithm, Algorithm::Optimal | Algorithm::Observers);
    assert!(!is_optimal || counts.redundant == 0, "{what}: {counts:?}");
}

#[test]
fn every_clang_gives_the_same_counts() {
    for clang in clangs() {
        for program in &PROGRAMS {
            check(program, &clang, "-O0", Algorithm::Optimal, Order::Lowest);
            if program.atomic {
                check(program, &clang, "-O1", Algorithm::Optimal, Order::Lowest);
            }
        }
    }
}

#[test]
fn observers_leave_stores_unordered() {
    let Some(clang) = clang() else { return };
    let programs = [
        program("readers", 6, 64),
        program("casrot", 8, 2048),
        program("fib_bench", 2, 140),
        program("sigma", 5, 120),
        program("lastwrite", 6, 6),
        program("floating_read", 5, 81),
        Program { atomic: false, ..program("circular_buffer", 4, 70) },
        Program { blocked: 12, ..program("lamport", 2, 14) },
        program("opt_lock", 11, 170),
        program("opt_lock", 13, 202),
        program("approxds_append", 3, 36),
        program("approxds_append", 4, 1048),
    ];
    for program in &programs {
        for order in [Order::Lowest, Order::Highest, Order::Random(1)] {
            check(program, &clang, "-O0", Algorithm::Observers, order);
        }
    }
}

#[test]
fn every_strategy_and_order_gives_the_same_counts() {
    let Some(clang) = clang() else { return };
    for program in &PROGRAMS {
        for algorithm in [Algorithm::Classic, Algorithm::Source, Algorithm::Optimal] {
            for order in [Order::Highest, Order::Random(1)] {
                check(program, &clang, "-O0", algorithm, order);
            }
        }
    }
}
