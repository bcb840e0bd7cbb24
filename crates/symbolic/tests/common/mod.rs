//! What the tests share: programs on their way, and the two engines.

#![allow(dead_code, unreachable_pub, reason = "not every test uses everything")]

use everyway_driver::{Followed, Limits, ModelChoice, NoHost, follow};
use everyway_ir::{Module, adopt_awaits, promote};
use everyway_pipeline::program::{clang, load, load_text};
use everyway_report::Bug;
use everyway_runtime::{Step, ThreadId};
use everyway_symbolic::solver::BuiltIn;
use everyway_symbolic::{Asking, Checked, Deadlocks, Limit, Plan, Reduction, Setup, Verdict, Wanted, build, check};
use everyway_vm::{Program, Settings, environment};
use std::path::Path;
use std::sync::Arc;

/// The C program in this text; `None` without a clang.
pub fn compile(text: &str, arguments: &[&str]) -> Option<Arc<Module>> {
    Some(promoted(load_text(&clang()?, text, arguments).expect("the program compiles")))
}

/// The C program of the command's tests with this name; `None` without a clang.
pub fn papers_program(name: &str, arguments: &[&str]) -> Option<Arc<Module>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../cli/tests/programs/bmc/{name}.c"));
    // The papers' programs have no checks besides their own.
    let arguments = [arguments, &["-fno-sanitize=all"]].concat();
    Some(promoted(load(&clang()?, &path, &arguments).expect("the program compiles")))
}

pub fn promoted(mut module: Module) -> Arc<Module> {
    for function in &mut module.functions {
        promote(function);
    }
    adopt_awaits(&mut module, &environment());
    Arc::new(module)
}

/// How many programs are compared: those that a test has by default, or so many that a campaign asks for.
pub fn programs(default: usize) -> usize {
    std::env::var("EVERYWAY_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(default)
}

/// The first seed, so that a campaign has programs that none had before.
pub fn first_seed() -> u64 {
    std::env::var("EVERYWAY_SEED").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// What the solver says.
pub fn symbolic(module: &Module, reduction: Reduction, steps: usize) -> Checked {
    asked(module, reduction, Asking::EveryDepth(steps))
}

/// What the solver says if it is asked in this way.
pub fn asked(module: &Module, reduction: Reduction, asking: Asking) -> Checked {
    let system = build(module, &Setup::default()).unwrap_or_else(|why| panic!("{why}"));
    let plan = Plan { reduction, asking, wanted: Wanted::Shortest, deadlocks: Deadlocks::Fail, limit: Limit::none() };
    check(system, &plan, &mut BuiltIn::new(), &mut |_| {}).expect("the solver answers")
}

/// What the engine says: the first failure, if there is one.
pub fn explicit(module: &Arc<Module>, samples: &[i64]) -> Option<Bug> {
    let settings = Settings { samples: samples.to_vec(), ..Settings::default() };
    let mut program = Program::new(Arc::clone(module), settings);
    // The solver knows interleavings only.
    let memory_model = ModelChoice::Explicit("sc".parse().expect("a memory model"));
    let check = everyway_driver::Settings { memory_model, ..everyway_driver::Settings::default() };
    everyway_driver::check(&mut program, &check, &mut NoHost).bug
}

/// Runs what the solver has found; what fails then, if anything does.
pub fn run_again(module: &Arc<Module>, verdict: &Verdict) -> Option<Bug> {
    let Verdict::Bug(_, script) = verdict else { return None };
    let settings = Settings { samples: script.values.clone(), ..Settings::default() };
    let steps: Vec<Step> =
        script.steps.iter().map(|&(thread, choice)| Step { thread: ThreadId::new(thread), choice }).collect();
    match follow(&Program::new(Arc::clone(module), settings), steps, &Limits::default(), None) {
        Followed::Failed(found) => Some(found.bug),
        Followed::NotFailed { .. } => None,
    }
}
