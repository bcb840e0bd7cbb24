//! What holds for every source file of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// A file beyond this wants splitting.
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn check(rule: &str, breaks: impl Fn(&str) -> bool) {
    let mut files = Vec::new();
    for folder in ["crates", "examples"] {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 50, "the sources are not where they used to be");
    let broken: Vec<_> =
        files.iter().filter(|path| breaks(&fs::read_to_string(path).expect("a source file"))).collect();
    assert!(broken.is_empty(), "{rule}: {broken:#?}");
}

#[test]
fn no_file_is_too_long() {
    check(&format!("at most {MOST_LINES} lines"), |text| text.lines().count() > MOST_LINES);
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    check("the first line is a `//!` comment", |text| !text.starts_with("//!"));
}

#[test]
fn no_unfinished_work_is_left_in_the_code() {
    let words = ["todo", "unimplemented"].map(|word| format!("{word}!("));
    check("no unfinished code", |text| words.iter().any(|word| text.contains(word.as_str())));
}

/// Merging leaves such lines where two changes disagree.
#[test]
fn no_document_has_two_versions_of_a_passage() {
    for entry in fs::read_dir(root()).expect("the folder of the project") {
        let path = entry.expect("an entry of the folder").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).expect("a document");
            let is_mark = |line: &str| ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark));
            assert!(!text.lines().any(is_mark), "{} was merged by halves", path.display());
        }
    }
}
