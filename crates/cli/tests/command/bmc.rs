//! `everyway bmc`: what it writes besides its verdict, and what it says when it cannot run.

use crate::support::{Folder, has_clang, program};
use serde_json::Value;
use std::time::{Duration, Instant};

fn on_path(name: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

#[test]
fn what_is_found_is_saved_and_run_again() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let needle = program("bmc/needle.c");
    folder.run(["bmc", &needle, "--steps", "12"]).ended_with(1).says(&[
        "assertion failed: !(before == 0 && key == 0xdeadbeef)",
        "store key: 3735928559",
        "found at depth 6, no failure below",
        "everyway replay .everyway/needle.json",
    ]);
    folder.run(["replay", ".everyway/needle.json"]).ended_with(1).says(&["0xdeadbeef", "store key: 3735928559"]);
}

#[test]
fn json_has_what_the_solver_did() {
    if !has_clang() {
        return;
    }
    let ran = Folder::new().run(["bmc", &program("bmc/needle.c"), "--steps", "12", "-DFIXED", "--format=json"]);
    let result: Value = serde_json::from_str(&ran.ended_with(0).stdout).expect("JSON");
    assert_eq!(result["verdict"], "verified");
    assert_eq!(result["solver"]["steps"], 7);
    for count in ["conflicts", "decisions", "clauses"] {
        assert!(result["solver"][count].is_u64(), "{count}: {result}");
    }
}

#[test]
fn the_formula_can_be_written_down() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.run(["bmc", &program("bmc/needle.c"), "--steps", "3", "--dump", "formula.smt2"]).ended_with(3);
    let text = std::fs::read_to_string(folder.path().join("formula.smt2")).expect("the formula");
    // At each depth from 0 on: does something fail, and does something move?
    assert_eq!(text.matches("(check-sat)").count(), 8, "{text}");
    assert!(text.contains("(set-logic QF_BV)") && text.contains("; sel2"), "{text}");
}

#[test]
fn solvers_that_are_programs_say_the_same() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let needle = program("bmc/needle.c");
    for solver in ["z3", "cvc5", "bitwuzla"] {
        if on_path(solver) {
            folder.run(["bmc", &needle, "--steps=12", "--solver", solver]).ended_with(1).says(&["depth 6"]);
            folder.run(["bmc", &needle, "--steps=12", "-DFIXED", "--solver", solver]).ended_with(0);
        } else {
            let ran = folder.run(["bmc", &needle, "--steps=12", "--solver", solver]).ended_with(2);
            ran.complains(&[&format!("`{solver}` cannot be run"), "on PATH", "--solver cadical"]);
        }
    }
}

/// The factors of a product of two primes: a question that takes a solver far longer than a second.
#[test]
fn a_timeout_ends_the_solver_at_work() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "factors.c",
        "unsigned long __VERIFIER_nondet_ulong(void);\nvoid reach_error(void);\nint main(void) {\n    \
         unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();\n    \
         if (a < 4294967296ul && b < 4294967296ul && a * b == 2654435761ul * 3266489917ul)\n        \
         reach_error();\n    return 0;\n}\n",
    );
    let started = Instant::now();
    folder.run(["bmc", "factors.c", "--steps=3", "--timeout=500ms"]).ended_with(3).says(&["it was stopped at depth 0"]);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn steps_are_counted_from_one_on() {
    Folder::new().run(["bmc", "a.c", "--steps", "0"]).ended_with(2).complains(&["at least 1"]);
    Folder::new().run(["bmc", "a.c", "--at-depth", "3", "--steps", "3"]).ended_with(2).complains(&["cannot be used"]);
}

#[test]
fn without_a_depth_it_goes_on_until_there_are_no_longer_executions() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let needle = program("bmc/needle.c");
    folder.run(["bmc", &needle]).ended_with(1).says(&["found at depth 6, no failure below"]);
    folder.run(["bmc", &needle, "-DFIXED", "--steps", "auto"]).ended_with(0).says(&["verified"]);
}

#[test]
fn one_formula_has_all_executions_up_to_a_depth() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let needle = program("bmc/needle.c");
    folder.run(["bmc", &needle, "--at-depth", "12"]).ended_with(1).says(&["shorter ones were not looked for"]);
    let ran = folder.run(["bmc", &needle, "-DFIXED", "--at-depth", "12", "--dump", "formula.smt2"]).ended_with(3);
    ran.says(&["more than 12 steps were not looked at"]);
    let text = std::fs::read_to_string(folder.path().join("formula.smt2")).expect("the formula");
    assert_eq!(text.matches("(check-sat)").count(), 1, "{text}");
}

/// Four philosophers that eat for ever are too much for any solver at this depth.
#[test]
fn a_timeout_ends_the_solver_while_it_searches() {
    if !has_clang() {
        return;
    }
    let started = std::time::Instant::now();
    let philosophers = program("bmc/phil.c");
    let ran = Folder::new().run(["bmc", &philosophers, "-DN=4", "-DFOREVER", "--at-depth=60", "--timeout=1s"]);
    ran.ended_with(3).says(&["it was stopped at depth 0"]);
    assert!(started.elapsed() < std::time::Duration::from_secs(30), "{:?}", started.elapsed());
}
