//! What the README and the book say of Rust tests, tried with a package as a newcomer has it: its first test is that of
//! the README, and what is printed is what they say. `EVERYWAY_BLESS=1 cargo test -p cargo-everyway documents` writes it
//! into them; the difference is to be read.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The second test of the package, which the book has beside the first.
const VERIFIED: &str = "
#[everyway::test]
fn one_step_each() {
    let counter = Arc::new(AtomicU32::new(0));
    let other = counter.clone();
    let thread = thread::spawn(move || other.fetch_add(1, SeqCst));
    counter.fetch_add(1, SeqCst);
    thread.join().unwrap();
    assert_eq!(counter.load(SeqCst), 2);
}
";

const MANIFEST: &str = "
[package]
name = \"counter\"
version = \"0.1.0\"
edition = \"2024\"

[workspace]
";

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// The first block of a kind in a document that contains a word: from where to where.
fn block(document: &str, kind: &str, word: &str) -> std::ops::Range<usize> {
    let open = format!("```{kind}\n");
    let mut from = 0;
    while let Some(start) = document[from..].find(&open).map(|position| from + position + open.len()) {
        let end = start + document[start..].find("\n```").expect("an end of the block") + 1;
        if document[start..end].contains(word) {
            return start..end;
        }
        from = end;
    }
    panic!("no {kind} with `{word}`");
}

/// Writes a file of a package.
fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, content).expect("a file of the package");
}

/// What is printed by `cargo everyway test` of the package.
fn printed(target: &Path) -> String {
    let folder = tempfile::tempdir().expect("a folder for the package");
    let write = |name: &str, content: &str| write(folder.path(), name, content);
    let everyway = root().join("crates/everyway");
    write("Cargo.toml", &format!("{MANIFEST}\n[dev-dependencies]\neveryway = {{ path = {everyway:?} }}\n"));
    write("Cargo.lock", &fs::read_to_string(root().join("Cargo.lock")).expect("the lock file"));
    write("src/lib.rs", "");
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let first = &readme[block(&readme, "rust", "two_increments")];
    write("tests/counter.rs", &format!("{first}{VERIFIED}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-everyway"));
    command.args(["everyway", "test", "--offline", "--test", "counter"]).current_dir(folder.path());
    command.env("CARGO_TARGET_DIR", target).env("RUST_BACKTRACE", "0");
    for name in ["COLUMNS", "RUSTFLAGS", "CARGO", "EVERYWAY_BLESS"] {
        command.env_remove(name);
    }
    let output = command.output().expect("cargo-everyway runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(101), "a test fails, as with `cargo test`: {said}");
    said.replace(&format!("{}/", target.display()), "target/")
}

/// The words of a text, with `TIME` for what took time. Where lines end depends on how long the path of a folder is.
fn without_times(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split_whitespace().filter(|word| *word != "(under").collect();
    for position in 1..words.len() {
        let is_time = words[position - 1].trim_start_matches('(').parse::<f64>().is_ok();
        if is_time && matches!(words[position], "s" | "s,") {
            words[position - 1] = "TIME";
        }
    }
    words
}

/// Compares a block of a document with what is printed, or writes it there.
fn compare(name: &str, word: &str, is: &str) {
    let path = root().join(name);
    let mut document = fs::read_to_string(&path).expect("a document");
    let place = block(&document, "text", word);
    if without_times(&document[place.clone()]) == without_times(is) {
        return;
    }
    if env::var_os("EVERYWAY_BLESS").is_some() {
        document.replace_range(place, is);
        fs::write(path, document).expect("the document is written");
    } else {
        panic!("{name} says\n\n{}\n\nbut it is\n\n{is}", &document[place]);
    }
}

#[test]
fn documents_say_what_a_first_package_prints() {
    // Beside the tests' own, so that what was built for them is not built again.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..").canonicalize().expect("the target folder");
    let printed = printed(&target);
    let from = printed.find("error: thread 'main' panicked").unwrap_or_else(|| panic!("no report: {printed}"));
    let report = &printed[from..];
    let end =
        report.find("--exact --nocapture\n").expect("the command that runs it again") + "--exact --nocapture\n".len();
    compare("README.md", "two_increments", &report[..end]);
    compare("docs/src/first-test-in-rust.md", "two_increments.json", &report[..end]);
    let table = printed.find("test            verdict").unwrap_or_else(|| panic!("no table: {printed}"));
    let links = table + printed[table..].find("\n  target/").expect("a link") + 1;
    let end = links + printed[links..].find('\n').expect("the end of the line") + 1;
    compare("docs/src/first-test-in-rust.md", "verdict", &printed[table..end]);
}

/// A test as loom's users write them, in a package that knows nothing of everyway.
const LOOM_TEST: &str = "
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::SeqCst};

#[test]
fn both_count() {
    loom::model(|| {
        let counter = Arc::new(AtomicU32::new(0));
        let other = counter.clone();
        let thread = loom::thread::spawn(move || other.fetch_add(1, SeqCst));
        counter.fetch_add(1, SeqCst);
        thread.join().unwrap();
        assert_eq!(counter.load(SeqCst), 2);
    });
}
";

/// The command that the guide for loom's users has, with a package that re-exports everyway-loom in the place of loom.
#[test]
fn the_guide_from_loom_holds() {
    let guide = fs::read_to_string(root().join("docs/src/from-loom.md")).expect("the guide");
    let command = guide[block(&guide, "sh", "patch.crates-io.loom")].trim();
    let patch = command.strip_prefix("cargo test --release --config '").and_then(|rest| rest.strip_suffix('\''));
    let patch = patch.expect("the command with its patch");
    let folder = tempfile::tempdir().expect("a folder for the packages");
    let (client, stand_in) = (folder.path().join("client"), folder.path().join("loom"));
    let everyway = root().join("crates/loom");
    let manifest = MANIFEST.replace("counter", "loom").replace("0.1.0", "0.7.2");
    let inner = format!("inner = {{ package = \"everyway-loom\", path = {everyway:?} }}");
    write(&stand_in, "Cargo.toml", &format!("{manifest}\n[dependencies]\n{inner}\n"));
    write(&stand_in, "src/lib.rs", "pub use inner::*;\n");
    write(&client, "Cargo.toml", &format!("{MANIFEST}\n[dependencies]\nloom = \"0.7\"\n"));
    write(&client, "Cargo.lock", &fs::read_to_string(root().join("Cargo.lock")).expect("the lock file"));
    write(&client, "src/lib.rs", "");
    write(&client, "tests/counter.rs", LOOM_TEST);
    let patch = patch.replace("path/to/that/package", &stand_in.display().to_string());
    let mut cargo = Command::new("cargo");
    // Without `--release`: the tests' own build has most of it.
    cargo.args(["test", "--offline", "--test", "counter", "--config", &patch]).current_dir(&client);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..").canonicalize().expect("the target folder");
    cargo.env("CARGO_TARGET_DIR", target).env_remove("RUSTFLAGS");
    let output = cargo.output().expect("cargo runs");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("test both_count ... ok"), "{said}");
}
