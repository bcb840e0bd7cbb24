//! Which program is meant: files, flags, languages.

use crate::support::{Folder, everyway, has_clang, program};

const ANSWER: &str = "int answer(void) { return VALUE; }\n";
const MAIN: &str = "#include <assert.h>\nint answer(void);\nint main(void) { assert(answer() == 42); return 0; }\n";

#[test]
fn several_files_are_one_program() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("main.c", MAIN);
    folder.write("answer.c", ANSWER);
    folder.run(["check", "main.c", "answer.c", "-DVALUE=42"]).ended_with(0).says(&["verified"]);
    folder.run(["check", "main.c", "answer.c", "-D", "VALUE=41"]).ended_with(1).says(&["assertion failure"]);
    folder.run(["check", "main.c"]).ended_with(2).complains(&["`answer`", "main.c:3"]);
}

#[test]
fn headers_and_standards_are_passed_on() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("include")).expect("a folder");
    folder.write("include/value.h", "#define VALUE __STDC_VERSION__\n");
    folder.write("main.c", "#include <value.h>\n#include <assert.h>\nint main(void) { assert(VALUE == 201112L); }\n");
    folder.run(["check", "main.c", "-Iinclude", "-std=c11", "-pthread", "-Wall", "-g"]).ended_with(0);
    folder.run(["check", "main.c", "-I", "include", "-std=c17", "--first", "highest"]).ended_with(1);
    folder.run(["check", "main.c"]).ended_with(2).complains(&["value.h", "tip", "-I"]);
}

#[test]
fn the_intermediate_representation_is_printed() {
    if !has_clang() {
        return;
    }
    let ran = everyway(["ir", &program("two_threads.c")]).ended_with(0).says(&["store_and_load", "main"]);
    everyway_ir::parse(&ran.stdout).expect("what is printed can be parsed");
}

#[test]
fn llvm_ir_is_a_program_without_any_clang() {
    let folder = Folder::new();
    folder.write("seven.ll", "define i32 @main() {\n  ret i32 7\n}\n");
    folder.run(["check", "seven.ll", "--clang=/no/such/clang"]).ended_with(0).says(&["verified: 1 execution"]);
    folder.run(["run", "seven.ll"]).ended_with(7);
}

#[test]
fn a_pipe_gets_no_progress_and_no_colours() {
    if !has_clang() {
        return;
    }
    let ran = everyway(["check", &program("casrot.c"), "-DN=9"]).ended_with(0);
    assert_eq!(ran.stderr, "");
    assert!(!ran.stdout.contains('\x1b'), "{ran:?}");
}
