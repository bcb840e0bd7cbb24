//! One execution, with the program's output and status.

use crate::support::{Folder, everyway, has_clang, program};

#[test]
fn output_and_status_are_the_programs() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let text = "#include <stdio.h>\nint main(int argc, char **argv) {\n    printf(\"%s\\n\", argv[argc - 1]);\n    fprintf(stderr, \"oops\\n\");\n    return 42;\n}\n";
    folder.write("hello.c", text);
    let ran = folder.run(["run", "hello.c", "--", "hello world"]).ended_with(42);
    assert_eq!(ran.stdout, "hello world\n");
    assert_eq!(ran.stderr, "oops\n");
}

#[test]
fn a_failure_is_reported() {
    if !has_clang() {
        return;
    }
    everyway(["run", &program("null_pointer.c")]).ended_with(1).says(&["null pointer", "null_pointer.c:20"]);
    // With the execution, as a check shows it.
    everyway(["run", &program("second_join.c")]).ended_with(1).says(&["misuse", "execution: ", "| join"]);
    everyway(["run", &program("stored.c")]).ended_with(1).says(&["assertion failure", "load x: 1 <- step "]);
    everyway(["run", &program("unsupported.c")]).ended_with(2).complains(&["launch_missiles", "unsupported.c:8"]);
}
