//! Every way to get it wrong: what, where, and what to do about it.

use crate::support::{Folder, everyway, has_clang, program};

#[test]
fn a_missing_file_is_named() {
    everyway(["check", "no/such/queue.c"])
        .ended_with(2)
        .complains(&["cannot read `no/such/queue.c`", "tip: check the path"]);
}

#[test]
fn a_file_of_an_unknown_kind_is_refused() {
    let folder = Folder::new();
    folder.write("queue.rs", "fn main() {}");
    folder.run(["check", "queue.rs"]).ended_with(2).complains(&["queue.rs", ".c", ".cpp", ".ll"]);
}

#[test]
fn an_unknown_algorithm_is_refused_with_those_that_exist() {
    everyway(["check", "a.c", "--algorithm", "depth-first"]).ended_with(2).complains(&[
        "depth-first",
        "naive, bounded, classic, source, optimal, observers, reads-from, graphs, random, pct, portfolio",
    ]);
}

#[test]
fn flags_that_do_not_exist_are_refused() {
    everyway(["check", "a.c", "--sideways"]).ended_with(2).complains(&["--sideways"]);
}

#[test]
fn bad_numbers_are_refused() {
    everyway(["check", "a.c", "--max-executions", "many"]).ended_with(2).complains(&["many", "a whole number"]);
    everyway(["check", "a.c", "--max-executions", "0"]).ended_with(2).complains(&["at least 1"]);
    everyway(["check", "a.c", "--max-steps=-1"]).ended_with(2).complains(&["-1", "a whole number"]);
    everyway(["check", "a.c", "--timeout", "soon"]).ended_with(2).complains(&["soon", "60 (seconds), 500ms, 2m or 1h"]);
    everyway(["check", "a.c", "--seed", "x"]).ended_with(2).complains(&["x"]);
}

#[test]
fn a_seed_without_anything_random_is_refused() {
    everyway(["check", "a.c", "--seed", "1"]).ended_with(2).complains(&["--seed", "tip", "--algorithm random"]);
}

#[test]
fn a_bound_for_an_algorithm_that_has_none_is_refused() {
    everyway(["check", "a.c", "--preemptions", "2", "--algorithm", "source"]).ended_with(2).complains(&[
        "--preemptions",
        "`source`",
        "tip",
        "--algorithm bounded",
    ]);
}

#[test]
fn nothing_to_check_is_refused() {
    everyway(["check"]).ended_with(2).complains(&["<FILE>"]);
    everyway([""; 0]).ended_with(2).complains(&["Usage"]);
}

#[test]
fn a_clang_that_does_not_exist_is_named() {
    everyway(["check", &program("abort.c"), "--clang=/no/such/clang"]).ended_with(2).complains(&[
        "cannot run `/no/such/clang`",
        "tip",
        "EVERYWAY_CLANG",
    ]);
}

#[test]
fn what_clang_says_is_passed_on() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("broken.c", "int main(void) {\n    return nothing;\n}\n");
    folder.run(["check", "broken.c"]).ended_with(2).complains(&["broken.c:2:12", "undeclared identifier 'nothing'"]);
}

#[test]
fn a_program_without_main_is_refused() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("library.c", "int answer(void) { return 42; }\n");
    folder.run(["check", "library.c"]).ended_with(2).complains(&["no function `main`"]);
}

#[test]
fn llvm_ir_that_is_none_is_refused_with_its_line() {
    let folder = Folder::new();
    folder.write("broken.ll", "define i32 @main() {\n  %x = frobnicate i32 1\n  ret i32 0\n}\n");
    folder.run(["check", "broken.ll"]).ended_with(2).complains(&["broken.ll:2", "frobnicate"]);
}

#[test]
fn traces_that_are_none_are_refused() {
    let folder = Folder::new();
    folder.run(["replay", "no-trace.json"]).ended_with(2).complains(&["no replay file `no-trace.json`", "tip"]);
    folder.write("text.json", "this is not JSON");
    folder.run(["replay", "text.json"]).ended_with(2).complains(&["`text.json` is not a replay file", "tip"]);
    folder.write("other.json", "{\"format\": 2}");
    folder.run(["replay", "other.json"]).ended_with(2).complains(&["`other.json` is JSON, but not a replay file"]);
    let rust = r#"{"format": 2, "program": {"kind": "rust", "name": "locks::ab_ba", "source": null, "content": null},
        "schedule": "0 0.1", "outcome": {"kind": null, "message": ""}, "steps_described": []}"#;
    folder.write("rust.json", rust);
    folder.run(["replay", "rust.json"]).ended_with(2).complains(&["locks::ab_ba", "a test in Rust", "EVERYWAY_REPLAY"]);
}

#[test]
fn help_is_no_error() {
    everyway(["--help"]).ended_with(0).says(&["check", "run", "replay", "ir", "Exit status"]);
    everyway(["check", "--help"]).ended_with(0).says(&["--algorithm", "--races", "Exit status"]);
    everyway(["--version"]).ended_with(0).says(&["everyway"]);
}
