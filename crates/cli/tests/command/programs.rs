//! The programs in `tests/programs`, each with what to check and what to expect in the comments at its top:
//!
//! ```text
//! // check: -DN=3 --algorithm source     the flags of one check; what follows is about it
//! // bmc: -DN=3 --steps 20              the same for `everyway bmc`, in `tests/programs/bmc`
//! // verdict: verified                   verified, bug, incomplete, or error if it cannot run
//! // complete: 56                        also blocked, redundant; ended: complete and blocked; begun: all three
//! // steps: 15                           of the execution that a solver found, or of the longest it looked at
//! // bug: deadlock                       the kind of the bug
//! // bugs: assertion deadlock            the kinds of all bugs, sorted
//! // message: x                          what its message (or the error's) contains; likewise cut, note and assumed
//! // columns: -DN=3 | 5 | 4+2 | 4 | 3  four checks, by what is done about loops: see `everyway_pipeline::columns`
//! ```
//!
//! A bug is where the line ends with `// <- bug`, if one does; several are where lines end with `// <- one bug`.
//!
//! Expected counts come from papers or are derived by hand, never from our own output: so there is no way to
//! have them written by the tests.

use crate::support::{everyway, has_clang, program};
use everyway_pipeline::columns::{self, Column, Row};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// One check of a program.
struct Case {
    command: String,
    flags: Vec<String>,
    expected: Vec<(String, String)>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().take_while(|line| line.starts_with("//")) {
        let Some((key, value)) = line[2..].trim().split_once(':') else { continue };
        let value = value.trim();
        if matches!(key, "check" | "bmc") {
            let flags = value.split_whitespace().map(str::to_owned).collect();
            cases.push(Case { command: key.to_owned(), flags, expected: Vec::new() });
        } else if let Some(case) = cases.last_mut().filter(|_| !["columns", "large columns", "paper"].contains(&key)) {
            case.expected.push((key.to_owned(), value.to_owned()));
        }
    }
    cases.extend(columns::rows(text).iter().filter(|row| !row.is_large).flat_map(columns_of));
    cases
}

/// The checks of a row of a table.
fn columns_of(row: &Row) -> impl Iterator<Item = Case> + '_ {
    Column::ALL.iter().zip(&row.expected).filter_map(|(column, expected)| {
        let (complete, blocked) = (*expected)?;
        let flags = row.flags.iter().cloned().chain(column.flags().iter().map(|&flag| flag.to_owned())).collect();
        let expected = [("complete", complete), ("blocked", blocked)];
        let expected = expected.map(|(key, value)| (key.to_owned(), value.to_string())).to_vec();
        Some(Case { command: "check".to_owned(), flags, expected })
    })
}

/// What is wrong with the result of a check, if anything is.
fn complaints(case: &Case, text: &str, result: &Value, status: i32) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut expect = |what: &str, expected: &str, found: String| {
        if found != expected {
            complaints.push(format!("{what} should be {expected}, but is {found}"));
        }
    };
    for (key, expected) in &case.expected {
        let found = match key.as_str() {
            "verdict" => plain(&result["verdict"]),
            "complete" | "blocked" | "redundant" | "failed" => plain(&result["executions"][key]),
            "steps" => plain(&result["solver"]["steps"]),
            "ended" => sum(result, &["complete", "blocked"]),
            "begun" => sum(result, &["complete", "blocked", "redundant"]),
            "bugs" => kinds(result),
            "bug" => plain(&result["bug"]["kind"]),
            "message" => containing(expected, &format!("{} {}", result["bug"]["message"], result["error"]["message"])),
            "cut" => containing(expected, &result["cut"].to_string()),
            "note" => containing(expected, &result["notes"].to_string()),
            "assumed" => containing(expected, &result["assumed"].to_string()),
            other => format!("no such expectation: {other}"),
        };
        expect(key, expected, found);
    }
    let statuses = [("verified", 0), ("bug", 1), ("error", 2), ("incomplete", 3)];
    let verdict = plain(&result["verdict"]);
    let wanted = statuses.iter().find(|(name, _)| *name == verdict).map_or(-1, |(_, status)| *status);
    expect("status", &wanted.to_string(), status.to_string());
    let line = [&result["bug"]["line"], &result["error"]["line"]].into_iter().find(|line| line.is_number());
    let marked = text.lines().position(|line| line.ends_with("// <- bug"));
    if let (Some(line), Some(marked)) = (line, marked) {
        expect("line", &(marked + 1).to_string(), plain(line));
    }
    let marked: Vec<_> = text.lines().enumerate().filter(|(_, line)| line.ends_with("// <- one bug")).collect();
    if !marked.is_empty() {
        let marked: Vec<u64> = marked.iter().map(|(index, _)| *index as u64 + 1).collect();
        let mut lines: Vec<u64> = bugs(result).filter_map(|bug| bug["line"].as_u64()).collect();
        lines.sort_unstable();
        expect("lines", &format!("{marked:?}"), format!("{lines:?}"));
    }
    complaints
}

fn bugs(result: &Value) -> impl Iterator<Item = &Value> {
    result["bugs"].as_array().into_iter().flatten()
}

fn kinds(result: &Value) -> String {
    let mut kinds: Vec<String> = bugs(result).map(|bug| plain(&bug["kind"])).collect();
    kinds.sort();
    kinds.join(" ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn sum(result: &Value, kinds: &[&str]) -> String {
    kinds.iter().filter_map(|kind| result["executions"][kind].as_u64()).sum::<u64>().to_string()
}

/// `expected` if `text` contains it, and `text` otherwise.
fn containing(expected: &str, text: &str) -> String {
    if text.contains(expected) { expected.to_owned() } else { text.to_owned() }
}

/// Under which memory model programs are checked whose flags do not say it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Model {
    /// As interleavings: many programs of the papers race on purpose, or have orderings that their counts know
    /// nothing of.
    Interleaved,
    /// As the command does by itself.
    Auto,
}

fn check(path: &Path, case: &Case, model: Model, more: &[String]) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a program");
    let mut arguments = vec![case.command.clone(), path.display().to_string(), "--format=json".to_owned()];
    let says_model = case.flags.iter().any(|flag| flag.starts_with("--memory-model"));
    if model == Model::Interleaved && case.command == "check" && !says_model {
        arguments.push("--memory-model=sc".to_owned());
    }
    arguments.extend(more.iter().chain(&case.flags).cloned());
    let ran = everyway(&arguments);
    let result = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {arguments:?}: {ran:#?}"));
    let about = format!("{} {}", path.file_name().unwrap_or_default().display(), case.flags.join(" "));
    complaints(case, &text, &result, ran.status).iter().map(|complaint| format!("{about}: {complaint}")).collect()
}

fn all_programs(folder: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(program(folder)).expect("the programs").map(|entry| entry.expect("a program").path()).collect();
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|extension| extension != "h"));
    paths.sort();
    paths
}

/// Checks the programs, the `first` cases of each, with `more` flags.
fn check_all(paths: &[PathBuf], first: usize, more: &[String]) {
    check_under(Model::Interleaved, paths, first, more);
}

fn check_under(model: Model, paths: &[PathBuf], first: usize, more: &[String]) {
    let mut complaints = Vec::new();
    for path in paths {
        let cases = cases(&fs::read_to_string(path).expect("a program"));
        assert!(!cases.is_empty(), "{} does not say what to check", path.display());
        complaints.extend(cases.iter().take(first).flat_map(|case| check(path, case, model, more)));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_program_gives_what_it_says() {
    if has_clang() {
        check_all(&all_programs(""), usize::MAX, &[]);
    }
}

#[test]
fn every_program_gives_what_it_says_under_each_memory_model() {
    if has_clang() {
        check_under(Model::Auto, &all_programs("memory"), usize::MAX, &[]);
    }
}

/// Programs of the kinds that SV-COMP has, with verdicts that were reasoned out.
#[test]
fn programs_as_of_a_competition_have_the_verdicts_that_they_should() {
    if has_clang() {
        check_under(Model::Auto, &all_programs("competition"), usize::MAX, &[]);
    }
}

#[test]
fn right_orderings_are_verified_and_each_weaker_one_is_found() {
    if has_clang() {
        check_under(Model::Auto, &all_programs("orderings"), usize::MAX, &[]);
    }
}

#[cfg(feature = "symbolic")]
#[test]
fn every_program_for_a_solver_gives_what_it_says() {
    if has_clang() {
        check_all(&all_programs("bmc"), usize::MAX, &[]);
    }
}

/// Programs whose shared variables are all atomic, or accessed under locks.
fn atomic_programs() -> Vec<PathBuf> {
    let names = ["readers.c", "lastzero.c", "filesystem.c", "sigma.c", "lamport.c", "fib_bench.c", "indexer.c"];
    names.iter().map(|name| program(name).into()).collect()
}

#[test]
fn counts_do_not_depend_on_the_version_of_clang() {
    if !has_clang() {
        return;
    }
    let versions = (14..=30).map(|version| format!("clang-{version}"));
    let on_path = |name: &String| {
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join(name).is_file())
    };
    let more = [program("assertion.c").into(), program("counter.cpp").into()];
    let paths: Vec<PathBuf> = atomic_programs().into_iter().chain(more).collect();
    for clang in versions.filter(on_path) {
        check_all(&paths, 1, &[format!("--clang={clang}")]);
    }
}

#[test]
fn counts_do_not_depend_on_optimisation_or_on_who_goes_first() {
    if has_clang() {
        for more in ["-O1", "--first=highest", "--first=random"] {
            check_all(&atomic_programs(), 1, &[more.to_owned()]);
        }
    }
}
