//! What has come out so far, for a run to go on from: a line for each mutant that was tried.
//!
//! A mutant that was noticed is not tried again as long as its file stays the same. One that was not noticed is: there may
//! be another test by now.

use crate::Result;
use crate::list::Mutant;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::path::Path;

/// What has become of a mutant.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// A test fails.
    Caught,
    /// A test does not come to an end.
    Timeout,
    /// It does not compile.
    Unviable,
    /// There is no switch for it; `cargo mutants` itself can try it.
    Left,
    /// All quick tests pass that come by it; others were not asked yet.
    Undecided,
    /// All tests pass that come by it.
    Missed,
    /// No test comes by it.
    Unreached,
}

/// A line of the file.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    name: String,
    file: String,
    /// Of the content of the file.
    hash: u64,
    outcome: Outcome,
    /// The test that has noticed it.
    by: Option<String>,
}

/// What has come out so far.
#[derive(Debug)]
pub(crate) struct Results {
    file: File,
    lines: HashMap<String, Line>,
    hashes: HashMap<String, u64>,
}

impl Results {
    /// Those of earlier runs.
    pub(crate) fn open(folder: &str) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let path = Path::new(folder).join("results.jsonl");
        let text = if path.exists() { fs::read_to_string(&path)? } else { String::new() };
        let mut lines = HashMap::new();
        // The last line was cut short if a run was.
        for line in text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok()) {
            lines.insert(line.name.clone(), line);
        }
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self { file, lines, hashes: HashMap::new() })
    }

    /// What is known of a mutant of a file that has not changed.
    pub(crate) fn of(&mut self, mutant: &Mutant) -> Result<Option<Outcome>> {
        let hash = self.hash(&mutant.file)?;
        Ok(self.lines.get(&mutant.name).filter(|line| line.hash == hash).map(|line| line.outcome))
    }

    /// Keeps what has come out.
    pub(crate) fn add(&mut self, mutant: &Mutant, outcome: Outcome, by: Option<String>) -> Result<()> {
        let (name, file) = (mutant.name.clone(), mutant.file.clone());
        let line = Line { name, hash: self.hash(&file)?, file, outcome, by };
        writeln!(self.file, "{}", serde_json::to_string(&line)?)?;
        self.lines.insert(mutant.name.clone(), line);
        Ok(())
    }

    fn hash(&mut self, file: &str) -> Result<u64> {
        if let Some(&hash) = self.hashes.get(file) {
            return Ok(hash);
        }
        let mut hasher = DefaultHasher::new();
        fs::read(file)?.hash(&mut hasher);
        self.hashes.insert(file.to_owned(), hasher.finish());
        Ok(hasher.finish())
    }

    /// A table of files, and those that no test notices.
    pub(crate) fn summary(&self, mutants: &[Mutant]) -> String {
        let mut text =
            String::from("| file | tried | caught | timeout | missed | unreached | undecided | unviable | left |\n");
        text.push_str("|---|---|---|---|---|---|---|---|---|\n");
        let mut of_files: BTreeMap<&str, BTreeMap<Outcome, usize>> = BTreeMap::new();
        let mut survivors = String::new();
        for mutant in mutants {
            let current = self.hashes.get(&mutant.file);
            let line = self.lines.get(&mutant.name).filter(|line| current == Some(&line.hash));
            let Some(line) = line else { continue };
            *of_files.entry(&mutant.file).or_default().entry(line.outcome).or_default() += 1;
            if let Outcome::Missed | Outcome::Unreached | Outcome::Undecided = line.outcome {
                _ = writeln!(survivors, "{:?}: {}", line.outcome, mutant.name);
            }
        }
        for (file, outcomes) in of_files {
            let of = |outcome| outcomes.get(&outcome).copied().unwrap_or(0);
            let noticed = of(Outcome::Caught) + of(Outcome::Timeout);
            let left = of(Outcome::Missed) + of(Outcome::Unreached) + of(Outcome::Undecided);
            let tried = noticed + left;
            let file = file.strip_prefix("crates/explore/src/").unwrap_or(file);
            _ = write!(text, "| `{file}` | {tried} | {} | {}", of(Outcome::Caught), of(Outcome::Timeout));
            _ = write!(text, " | {} | {} | {}", of(Outcome::Missed), of(Outcome::Unreached), of(Outcome::Undecided));
            _ = writeln!(text, " | {} | {} |", of(Outcome::Unviable), of(Outcome::Left));
        }
        format!("{text}\n{survivors}")
    }
}
