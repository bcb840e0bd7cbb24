//! Explorations for which no strategy was asked for: `optimal` is tried for some steps, and what is not small by then is
//! explored as execution graphs, by all workers, unless it has operations that commute. Wherever the trial ends, the counts
//! are the same.

use everyway_driver::{ModelChoice, NoHost, Settings, Suitability, check};
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::Module;
use everyway_oracle::random::Profile;
use everyway_pipeline::compare::{Case, select};
use everyway_pipeline::emit::{PRELUDE, SAMPLES, Style};
use everyway_pipeline::program::{clang, load, load_text, papers_program};
use everyway_report::{Report, Verdict};
use everyway_vm::Program;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// How many interleavings a program may have.
const LIMIT: u64 = 600;
/// How many programs of each profile are explored.
const PROGRAMS: usize = 25;

/// What a check of `module` comes to that is tried for so many steps.
fn explore(module: &Arc<Module>, trial: u64, jobs: usize) -> Report {
    let settings = Settings {
        algorithm: Algorithm::Graphs { model: MemoryModel::Sc },
        suitability: Suitability::Assumed,
        trial,
        memory_model: ModelChoice::Explicit(MemoryModel::Sc),
        jobs: NonZeroUsize::new(jobs).expect("not 0"),
        ..Settings::default()
    };
    let samples = SAMPLES.to_vec();
    let machine = everyway_vm::Settings { allow_deadlocks: true, allow_livelocks: true, samples, ..Default::default() };
    check(&mut Program::new(Arc::clone(module), machine), &settings, &mut NoHost)
}

/// The counts are those of brute force, and the strategy that has come to them is returned.
fn compare(module: &Arc<Module>, case: &Case, trial: u64, jobs: usize) -> String {
    let report = explore(module, trial, jobs);
    let text = || format!("trial of {trial} steps, {jobs} workers, {}\n{}", report.strategy, case.text("p"));
    assert!(report.bug.is_none(), "{:?}\n{}", report.bug, text());
    let counted = (report.executions.complete, report.executions.blocked);
    assert_eq!(counted, (case.classes.complete(), case.classes.blocked()), "{}", text());
    report.strategy
}

#[test]
fn counts_do_not_depend_on_how_long_a_trial_is() {
    use Profile::{
        Await, Bytes, Choice, Condvar, Memory, Mixed, Mutex, ReadModifyWrite, ReadWriteLock, Semaphore, SpawnJoin,
    };
    let Some(clang) = clang() else { return };
    let mut by_graphs = 0;
    let all =
        [Memory, ReadModifyWrite, Mutex, ReadWriteLock, Condvar, Await, Semaphore, SpawnJoin, Choice, Bytes, Mixed];
    for profile in all {
        let cases = (1_000..).filter_map(|seed| Case::random(profile, seed, LIMIT, &Style::ALL));
        let cases: Vec<_> = cases.filter(|case| case.classes.all() > 1).take(PROGRAMS).collect();
        let texts = cases.iter().enumerate().map(|(index, case)| case.text(&format!("p{index}")));
        let text = PRELUDE.to_owned() + &texts.collect::<String>();
        let module = load_text(&clang, &text, &["-w"]).unwrap_or_else(|error| panic!("{error}"));
        for (index, case) in cases.iter().enumerate() {
            let module = Arc::new(select(&module, &format!("p{index}")));
            // It ends in the first execution, somewhere, or not at all.
            for (trial, jobs) in [(0, 2), (fastrand::Rng::with_seed(case.seed).u64(1..200), 1), (u64::MAX, 2)] {
                by_graphs += u32::from(compare(&module, case, trial, jobs) == "graphs");
            }
        }
    }
    assert!(by_graphs > 100, "{by_graphs} explorations have come to graphs");
}

/// The papers' programs, whose counts `counts.rs` has.
#[test]
fn what_is_not_small_is_shared() {
    let Some(clang) = clang() else { return };
    for (name, n, executions) in [("sigma", 5, 945), ("lastzero", 6, 144), ("fib_bench", 2, 140), ("lastwrite", 5, 120)]
    {
        let module = load(&clang, &papers_program(name), &[&format!("-DN={n}")]);
        let module = Arc::new(module.unwrap_or_else(|error| panic!("{name}: {error}")));
        for (trial, jobs, strategy) in
            [(300, 1, "graphs"), (300, 2, "graphs"), (100, 5, "graphs"), (u64::MAX, 2, "optimal")]
        {
            let report = explore(&module, trial, jobs);
            let what = format!("{name}({n}), a trial of {trial} steps, {jobs} workers");
            assert_eq!((report.verdict, &*report.strategy), (Verdict::Verified, strategy), "{what}: {:?}", report.cut);
            assert_eq!(report.executions.all(), executions, "{what}");
        }
    }
}
