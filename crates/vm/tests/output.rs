//! Programs whose output is that of the compiled program.

mod common;

use common::{headers, load, programs};
use everyway_vm::{Ended, Machine, Settings};
use std::path::Path;
use std::process::Command;

/// What the compiled program prints, and its status.
fn reference(file: &Path) -> (String, i32) {
    let clang = everyway_llvm::clang::Clang::find(None).expect("a clang");
    let binary = std::env::temp_dir().join(format!(
        "everyway-output-{}-{}",
        std::process::id(),
        file.file_stem().expect("a name").to_string_lossy()
    ));
    let mut command = Command::new(clang.path());
    command.args(["-O0", "-w", "-pthread", "-o"]).arg(&binary).arg(file);
    command.args(if file.extension().is_some_and(|e| e == "cpp") { &["-lm", "-lstdc++"][..] } else { &["-lm"] });
    assert!(command.status().expect("clang runs").success(), "{} compiles", file.display());
    let output = Command::new(&binary).arg("one").arg("two").output().expect("the program runs");
    let _ = std::fs::remove_file(&binary);
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

#[test]
fn programs_print_what_they_really_print() {
    for file in programs("output") {
        let flags = headers(&file, "flags");
        let flags: Vec<&str> = flags.iter().flat_map(|line| line.split(' ')).chain(["-w"]).collect();
        let arguments = ["program", "one", "two"].map(str::to_owned).to_vec();
        let ran = Machine::run_once(load(&file, &flags), Settings { arguments, ..Settings::default() }, 1_000_000);
        let (output, status) = reference(&file);
        assert_eq!(String::from_utf8_lossy(&ran.output), output, "{}: {:?}", file.display(), ran.ended);
        match ran.ended {
            Ended::Normally(ours) => assert_eq!(ours, status, "{}", file.display()),
            other => panic!("{}: {other:?}", file.display()),
        }
    }
}
