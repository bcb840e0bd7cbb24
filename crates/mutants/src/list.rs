//! The mutants, as `cargo mutants --list` has them.

use crate::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

/// A small change of a source file.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Mutant {
    /// The source file, from the root of the project.
    pub(crate) file: String,
    /// What is changed where, as people read it.
    pub(crate) name: String,
    /// What kind of change it is.
    pub(crate) genre: Genre,
    /// The function it is in.
    pub(crate) function: Option<Function>,
    /// What is replaced.
    pub(crate) span: Span,
    /// What it is replaced by.
    pub(crate) replacement: String,
}

/// What kind of change a mutant is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(crate) enum Genre {
    /// A function does nothing but return this.
    FnValue,
    /// Another operator between the same operands.
    BinaryOperator,
    /// An operand without its operator.
    UnaryOperator,
    /// An arm is missing, beside one for everything.
    MatchArm,
    /// An arm is always or never taken if it matches.
    MatchArmGuard,
    /// A field has the value it has in the base.
    StructField,
}

/// A function that has mutants.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Function {
    /// As it is written, with its arrow.
    pub(crate) return_type: String,
}

/// Where in a file, in lines and characters from 1.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Span {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// All mutants of the engine that these filters leave.
pub(crate) fn list(filters: &[String]) -> Result<Vec<Mutant>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "-p", "everyway-explore"]).args(filters);
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("cargo mutants: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// In which order to try them, as indices, at most so many of each file: one of each file, then another of each, and so on,
/// at random and the same every time. So whenever a run is stopped, it has tried a fair sample of every file.
pub(crate) fn order(mutants: &[Mutant], most: usize) -> Vec<usize> {
    let mut of_files: BTreeMap<&str, Vec<(u64, usize)>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        let mut hasher = DefaultHasher::new();
        mutant.name.hash(&mut hasher);
        of_files.entry(&mutant.file).or_default().push((hasher.finish(), index));
    }
    of_files.values_mut().for_each(|list| list.sort_unstable());
    let longest = of_files.values().map(Vec::len).max().unwrap_or(0);
    let round = |round: usize| of_files.values().filter_map(move |list| list.get(round));
    (0..longest.min(most)).flat_map(round).map(|&(_, index)| index).collect()
}
