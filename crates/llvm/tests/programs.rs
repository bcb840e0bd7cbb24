//! C and C++ programs through every clang on this machine: compiled, read, validated, printed, parsed again,
//! promoted, and all of that once more.
//!
//! `EVERYWAY_TEST_CLANGS` may list further clangs, separated by spaces.

use everyway_ir::{Module, Operation, parse, promote, validate};
use everyway_llvm::clang::Clang;
use everyway_llvm::{Options, load};
use std::path::{Path, PathBuf};
use std::process::Command;

fn clangs() -> Vec<PathBuf> {
    let further = std::env::var("EVERYWAY_TEST_CLANGS").unwrap_or_default();
    let versions = (14..=30).map(|version| format!("clang-{version}"));
    let names =
        std::iter::once("clang".to_owned()).chain(versions).chain(further.split_whitespace().map(str::to_owned));
    let found: Vec<PathBuf> =
        names.filter(|name| Command::new(name).arg("--version").output().is_ok()).map(PathBuf::from).collect();
    if found.is_empty() { Clang::for_tests().map(|clang| clang.path().to_owned()).into_iter().collect() } else { found }
}

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut programs: Vec<PathBuf> = std::fs::read_dir(directory)
        .expect("the programs are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    programs.sort();
    assert!(programs.len() >= 20);
    programs
}

fn loaded(paths: &[PathBuf], clang: &Path, arguments: &[&str]) -> Module {
    let arguments = arguments.iter().map(Into::into).collect();
    let options = Options { clang: Some(clang.to_path_buf()), arguments, ..Options::default() };
    load(paths, &options).unwrap_or_else(|error| panic!("{paths:?} with {clang:?} {options:?}: {error}"))
}

fn check(module: &Module, what: &str) {
    if let Err(violations) = validate(module) {
        panic!("{what}: {}", violations[0]);
    }
    let printed = module.to_string();
    let parsed = parse(&printed).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(parsed == *module, "{what}: the text form is another program");
}

fn promote_all(module: &mut Module) {
    for function in &mut module.functions {
        promote(function);
    }
}

#[test]
fn programs_are_read() {
    for clang in clangs() {
        for program in programs() {
            for level in ["-O0", "-O2"] {
                let what = format!("{} with {} {level}", program.display(), clang.display());
                let mut module = loaded(std::slice::from_ref(&program), &clang, &[level]);
                check(&module, &what);
                assert!(module.entry().is_some(), "{what}: there is no main");
                promote_all(&mut module);
                check(&module, &format!("{what}, promoted"));
            }
        }
    }
}

#[test]
fn all_clangs_agree_on_what_can_be_seen() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/threads.c");
    let mut seen: Vec<(PathBuf, Vec<String>)> = Vec::new();
    for clang in clangs() {
        let mut module = loaded(std::slice::from_ref(&program), &clang, &[]);
        promote_all(&mut module);
        let instructions = module
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
            .flat_map(|body| body.blocks.iter().flat_map(|block| &block.instructions));
        let effects = instructions.filter(|instruction| instruction.operation.has_effects());
        // Columns within macros are those of the macro or of its argument, as versions like it.
        let names = effects.map(|it| {
            let line = it.location.map(|location| location.line);
            match &it.operation {
                Operation::Call { .. } => format!("call in line {line:?}"),
                Operation::Load { .. } => format!("load in line {line:?}"),
                Operation::Store { .. } => format!("store in line {line:?}"),
                _ => format!("other in line {line:?}"),
            }
        });
        seen.push((clang, names.collect()));
    }
    for pair in seen.windows(2) {
        assert_eq!(pair[0].1, pair[1].1, "{:?} and {:?} differ", pair[0].0, pair[1].0);
    }
}

#[test]
fn names_of_the_source_survive() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/structs.c");
    for clang in clangs() {
        let module = loaded(std::slice::from_ref(&program), &clang, &[]);
        let table = module.global(module.global_named("table").expect("a global"));
        let ty = table.debug_type.expect("it has a type");
        let path = |offset| module.path(ty, offset).0;
        assert_eq!(
            [path(0), path(12), path(17), path(24), path(36)],
            ["[0].from.x", "[0].to.y", "[0].name[1]", "[0].weight", "[1].from.y"]
        );
        let main = module.function(module.entry().expect("there is a main"));
        let body = main.body.as_ref().expect("it is defined");
        let names: Vec<&str> = body.slots.iter().filter_map(|slot| slot.name.as_deref()).collect();
        assert_eq!(names, ["p", "b", "f", "m", "copy"], "{clang:?}");
        assert!(main.location.is_some_and(|at| module.file(at.file).ends_with("structs.c") && at.line == 13));
    }
}

#[test]
fn several_files_are_linked() {
    let directory = std::env::temp_dir().join(format!("everyway-link-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let first = write(
        "a.c",
        "static int n = 1; int get(void); extern int shared; int main(void) { return n + get() + shared; }\n",
    );
    let second = write("b.c", "static int n = 2; int shared = 3; int get(void) { return n; }\n");
    for clang in clangs() {
        let module = loaded(&[first.clone(), second.clone()], &clang, &[]);
        check(&module, "linked");
        assert!(module.functions.iter().all(|function| function.body.is_some()));
        let names: Vec<&str> = module.globals.iter().map(|global| global.name.as_str()).collect();
        assert_eq!(names, ["n", "shared", "n.1"]);
        let error = load(&[second.clone(), second.clone()], &Options { clang: Some(clang), ..Options::default() });
        assert!(error.expect_err("defined twice").to_string().contains("`shared` is defined here and in"));
    }
    std::fs::remove_dir_all(&directory).expect("removed");
}

#[test]
fn errors_of_clang_are_passed_on() {
    let path = std::env::temp_dir().join(format!("everyway-broken-{}.c", std::process::id()));
    std::fs::write(&path, "int main(void) { return undeclared; }\n").expect("written");
    for clang in clangs() {
        let error = load(std::slice::from_ref(&path), &Options { clang: Some(clang), ..Options::default() });
        assert!(error.expect_err("broken").to_string().contains("undeclared"));
    }
    std::fs::remove_file(&path).expect("removed");
    let error = load(&["/no/such/file.c".into()], &Options::default()).expect_err("missing");
    assert!(error.to_string().contains("cannot read `/no/such/file.c`"), "{error}");
}
