//! A copy of the sources with switches in it, checked until it compiles, and built.
//!
//! The copy stays where it is between runs, and only files that differ are written: what has not changed is not built
//! again.

use crate::Result;
use crate::list::Mutant;
use crate::results::{Outcome, Results};
use crate::switches::{self, Number, Switched};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where all of it is.
pub(crate) const FOLDER: &str = "target/mutants";

/// The tests are those of the engine and those that compare it with brute force; all others would only take longer.
const PACKAGES: [&str; 4] = ["-p", "everyway-explore", "-p", "everyway-oracle"];

/// Which mutant is on: the engine's part of a switch.
const SWITCH: &str = include_str!("switch.rs.in");

/// Tests that were built with an engine with switches.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// The executables, tests and others, each with the folder that it runs in.
    pub(crate) tests: Vec<(PathBuf, PathBuf)>,
    /// Those that do not compile.
    unviable: HashSet<Number>,
    /// Those for which there is no switch.
    left: HashSet<Number>,
    /// The number by which the switch of a mutant tells that it was come by.
    pub(crate) switches: HashMap<Number, Number>,
}

/// Builds the tests with switches for these mutants. What does not compile goes to the results, and is not tried again.
pub(crate) fn build(mutants: &[Mutant], results: &mut Results) -> Result<Built> {
    let tree = Path::new(FOLDER).join("tree");
    let mut of_files: BTreeMap<&str, Vec<(Number, &Mutant)>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        of_files.entry(&mutant.file).or_default().push((index + 1, mutant));
    }
    for name in ["Cargo.toml", "Cargo.lock"] {
        write(&tree.join(name), &fs::read(name)?)?;
    }
    for folder in ["crates", "examples"] {
        copy(Path::new(folder), &tree, &|path| path.to_str().is_some_and(|path| of_files.contains_key(path)))?;
    }
    let engine = "crates/explore/src";
    let root = fs::read_to_string(Path::new(engine).join("lib.rs"))?;
    write(&tree.join(engine).join("lib.rs"), format!("{root}\n#[doc(hidden)]\npub mod mutant;\n").as_bytes())?;
    let switch = SWITCH.replace("COUNT", &(mutants.len() + 1).to_string());
    write(&tree.join(engine).join("mutant.rs"), switch.as_bytes())?;
    let mut built = Built::default();
    for (index, mutant) in mutants.iter().enumerate() {
        match results.of(mutant)? {
            Some(Outcome::Unviable) => _ = built.unviable.insert(index + 1),
            Some(Outcome::Left) => _ = built.left.insert(index + 1),
            _ => {}
        }
    }
    loop {
        let switched = built.switch(&tree, &of_files)?;
        let errors = check(&tree)?;
        if errors.is_empty() {
            built.switches = switched.values().flat_map(switches_of).collect();
            break;
        }
        if !built.drop_wrong(&switched, &errors) {
            return Err(format!("the sources do not compile:\n{}", errors[0].rendered).into());
        }
        eprintln!("{} mutants do not compile", built.unviable.len() + built.left.len());
    }
    for (numbers, outcome) in [(&built.unviable, Outcome::Unviable), (&built.left, Outcome::Left)] {
        for mutant in numbers.iter().map(|number| &mutants[number - 1]) {
            if results.of(mutant)? != Some(outcome) {
                results.add(mutant, outcome, None)?;
            }
        }
    }
    built.tests = executables(&tree)?;
    Ok(built)
}

fn switches_of(switched: &Switched) -> impl Iterator<Item = (Number, Number)> + '_ {
    switched.of_sites.iter().flat_map(|(_, numbers)| numbers.iter().map(|&number| (number, numbers[0])))
}

impl Built {
    /// Writes the files with switches, without those that were found not to compile.
    fn switch<'a>(
        &mut self,
        tree: &Path,
        of_files: &BTreeMap<&'a str, Vec<(Number, &Mutant)>>,
    ) -> Result<HashMap<&'a str, Switched>> {
        let mut switched = HashMap::new();
        for (&file, mutants) in of_files {
            let compiles = |number: &Number| !self.unviable.contains(number) && !self.left.contains(number);
            let kept: Vec<_> = mutants.iter().filter(|(number, _)| compiles(number)).copied().collect();
            let done = switches::switch(&fs::read_to_string(file)?, &kept)?;
            self.left.extend(&done.left);
            self.unviable.extend(&done.unviable);
            write(&tree.join(file), done.text.as_bytes())?;
            switched.insert(file, done);
        }
        Ok(switched)
    }

    /// Drops the mutants that errors are in; whether there are any.
    fn drop_wrong(&mut self, switched: &HashMap<&str, Switched>, errors: &[Error]) -> bool {
        let before = self.unviable.len() + self.left.len();
        for (file, start) in errors.iter().flat_map(|error| &error.places) {
            let Some(switched) = switched.get(file.as_str()) else { continue };
            let own = switched.of_mutants.iter().find(|(range, _)| range.contains(start));
            let around = switched.of_sites.iter().filter(|(range, _)| range.contains(start));
            match (own, around.min_by_key(|(range, _)| range.len())) {
                (Some(&(_, number)), _) => _ = self.unviable.insert(number),
                (None, Some((_, numbers))) => self.left.extend(numbers),
                (None, None) => {}
            }
        }
        self.unviable.len() + self.left.len() > before
    }
}

/// Copies a folder into the tree, but for the files that are written with switches.
fn copy(folder: &Path, tree: &Path, is_switched: &dyn Fn(&Path) -> bool) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            copy(&path, tree, is_switched)?;
        } else if !is_switched(&path) && path != Path::new("crates/explore/src/lib.rs") {
            write(&tree.join(&path), &fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Writes a file if it is not there as it is.
fn write(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|there| there == content) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().ok_or("a file is in a folder")?)?;
    Ok(fs::write(path, content)?)
}

/// An error of the compiler.
struct Error {
    rendered: String,
    /// Files from the root of the project, and bytes in them.
    places: Vec<(String, usize)>,
}

fn cargo(tree: &Path, arguments: &[&str]) -> Result<Vec<Value>> {
    let target = std::env::current_dir()?.join(FOLDER).join("build");
    let output = Command::new("cargo")
        .args(arguments)
        .args(["--message-format=json", "--config", "profile.dev.debug=false"])
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "-A warnings")
        .stderr(Stdio::inherit())
        .output()?;
    output.stdout.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"{")).map(parse).collect()
}

fn parse(line: &[u8]) -> Result<Value> {
    Ok(serde_json::from_slice(line)?)
}

fn check(tree: &Path) -> Result<Vec<Error>> {
    let messages = cargo(tree, &["check", "-p", "everyway-explore"])?;
    let errors = messages.iter().map(|message| &message["message"]).filter(|message| message["level"] == "error");
    Ok(errors.map(Error::of).collect())
}

impl Error {
    fn of(message: &Value) -> Self {
        let spans = message["spans"].as_array().into_iter().flatten().filter(|span| span["is_primary"] == true);
        let place =
            |span: &Value| Some((span["file_name"].as_str()?.to_owned(), span["byte_start"].as_u64()? as usize));
        let rendered = message["rendered"].as_str().unwrap_or_default().to_owned();
        Self { rendered, places: spans.filter_map(place).collect() }
    }
}

fn executables(tree: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let arguments = [&["test", "--no-run", "--lib", "--test", "*"], &PACKAGES[..]].concat();
    let messages = cargo(tree, &arguments)?;
    if !messages.iter().any(|message| message["reason"] == "build-finished" && message["success"] == true) {
        return Err("the tests do not compile".into());
    }
    let executable = |message: &Value| {
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        Some((PathBuf::from(message["executable"].as_str()?), folder))
    };
    Ok(messages.iter().filter_map(executable).collect())
}
