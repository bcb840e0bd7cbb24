//! What a crate must not know, as the table in `ARCHITECTURE.md` has it: the crates that each may depend on, and what
//! its sources must not use. So arrows point one way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that a crate may depend on, by the names of their folders.
const MAY_KNOW: [(&str, &[&str]); 20] = [
    ("ids", &[]),
    ("macros", &[]),
    ("tidy", &[]),
    ("mutants", &[]),
    ("report", &[]),
    ("render", &["report"]),
    ("runtime", &["ids"]),
    ("explore", &["ids", "runtime"]),
    ("driver", &["explore", "ids", "report", "runtime"]),
    ("ir", &["ids"]),
    ("llvm", &["ids", "ir"]),
    ("vm", &["driver", "explore", "ids", "ir", "report", "runtime"]),
    ("symbolic", &["ids", "ir"]),
    ("everyway", &["driver", "explore", "ids", "macros", "render", "report", "runtime"]),
    ("loom", &["everyway"]),
    ("cli", &["driver", "explore", "ir", "llvm", "render", "report", "runtime", "symbolic", "vm"]),
    ("cargo", &["render", "report"]),
    ("oracle", &["explore", "ids", "runtime"]),
    ("evaluation", &["everyway", "pipeline"]),
    ("pipeline", &["driver", "explore", "ids", "ir", "llvm", "oracle", "render", "report", "runtime", "vm"]),
];

/// What the sources of a crate must not use, and why.
const MUST_NOT_USE: [(&str, &[&str], &str); 7] = [
    ("runtime", &["std::fs", "std::env", "println!("], "it knows no files and no terminals"),
    ("explore", &["std::fs", "std::env", "println!("], "it knows no files and no terminals"),
    ("driver", &["std::fs", "std::env", "println!("], "printing and files are for those who ask for a check"),
    ("vm", &["Explorer", "Strategy", "Algorithm"], "it knows no strategies"),
    ("symbolic", &["everyway_explore", "everyway_vm"], "it knows neither strategies nor how executions are run"),
    ("everyway", &["Explorer", "dyn Strategy"], "how executions are chosen is for the engine"),
    ("cli", &["Explorer", "dyn Strategy", "Watcher"], "it has no logic of its own"),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The crates of the project, each with those of them that it depends on when it is built.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let folders = fs::read_dir(crates()).expect("the folder of the crates");
    let folders = folders.map(|entry| entry.expect("an entry of the folder").path());
    let manifests = folders.filter(|folder| folder.join("Cargo.toml").is_file());
    manifests.map(|folder| (name(&folder), of_manifest(&folder.join("Cargo.toml")))).collect()
}

fn name(folder: &Path) -> String {
    folder.file_name().expect("a folder with a name").to_string_lossy().into_owned()
}

/// Those that are built with the crate. Its tests may know more.
fn of_manifest(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("a manifest");
    let mut is_built = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            is_built = line.contains("dependencies") && !line.contains("dev-dependencies");
        } else if is_built && let Some(rest) = line.strip_prefix("everyway") {
            let name = rest.trim_start_matches('-');
            let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(name.len());
            found.insert(if end == 0 { "everyway".to_owned() } else { name[..end].to_owned() });
        }
    }
    found
}

#[test]
fn no_crate_depends_on_what_it_must_not_know() {
    let dependencies = dependencies();
    assert!(dependencies["cli"].contains("driver"), "manifests are not written as they used to be: {dependencies:?}");
    for (name, known) in &dependencies {
        let row = MAY_KNOW.iter().find(|(known, _)| known == name);
        let (_, allowed) = row.unwrap_or_else(|| panic!("`{name}` is in no row: what may it know?"));
        let wrong: Vec<_> = known.iter().filter(|known| !allowed.contains(&known.as_str())).collect();
        assert!(wrong.is_empty(), "`{name}` must not know {wrong:?}");
    }
}

/// A user of the Rust front end builds nothing of C, clang or solvers.
#[test]
fn rust_needs_nothing_of_c() {
    let dependencies = dependencies();
    let mut reached = BTreeSet::from(["everyway".to_owned()]);
    let mut work = vec!["everyway".to_owned()];
    while let Some(next) = work.pop() {
        for known in dependencies.get(&next).into_iter().flatten() {
            if reached.insert(known.clone()) {
                work.push(known.clone());
            }
        }
    }
    assert!(reached.contains("runtime"), "{reached:?}");
    for c in ["ir", "llvm", "vm", "symbolic"] {
        assert!(!reached.contains(c), "everyway needs `{c}`: {reached:?}");
    }
}

#[test]
fn no_source_uses_what_its_crate_must_not_know() {
    for (name, words, why) in MUST_NOT_USE {
        let mut files = Vec::new();
        sources(&crates().join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "`{name}` has no sources");
        for path in files {
            let text = fs::read_to_string(&path).expect("a source file");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (line, word) in code.flat_map(|line| words.iter().map(move |word| (line, word))) {
                assert!(!line.contains(word), "{}: `{}`: {why}", path.display(), line.trim());
            }
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of the folder").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
