//! Reports as people read them, to the letter: the programs in `tests/reports`, each with the flags to check it with in
//! its second line and what is printed beside it in a file that ends in `.txt`.
//!
//! `EVERYWAY_BLESS=1 cargo test -p everyway-cli reports` writes those files anew; the difference is to be read.

use crate::support::{Folder, has_clang};
use std::fs;
use std::path::Path;

/// What is printed, without the sentence that says how long it took.
fn timeless(text: &str) -> String {
    let Some(start) = text.find(" explored: ").and_then(|at| text[..at].rfind('\n')) else { return text.to_owned() };
    let end = text[start..].find(" strategy ").and_then(|at| text[start + at..].find('\n').map(|end| start + at + end));
    end.map_or(text.to_owned(), |end| format!("{}{}", &text[..start], &text[end..]))
}

#[test]
fn reports_are_printed_to_the_letter() {
    if !has_clang() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder of reports") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(".txt") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a program");
        let flags = text.lines().nth(1).and_then(|line| line.strip_prefix("// check:")).expect("flags").trim();
        let here = Folder::new();
        here.write(&name, &text);
        let printed = here.run(["check", &name].into_iter().chain(flags.split_whitespace())).ended_with(1);
        let printed = timeless(&printed.stdout);
        let expected = folder.join(format!("{name}.txt"));
        if std::env::var_os("EVERYWAY_BLESS").is_some() {
            fs::write(&expected, printed).expect("a report");
        } else if fs::read_to_string(&expected).ok().as_ref() != Some(&printed) {
            wrong.push(format!("{name}:\n{printed}"));
        }
    }
    assert!(wrong.is_empty(), "these are printed otherwise:\n{}", wrong.join("\n"));
}
