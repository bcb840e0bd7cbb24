//! The results of the checks in a test run, for the command that started it: a file for each, in a folder that an environment
//! variable names.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::{Executions, Report, Verdict};

/// The environment variable that names the folder.
pub const FOLDER: &str = "EVERYWAY_RESULTS";

/// What came of a check, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// What the check is called.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How many executions there were.
    pub executions: Executions,
    /// How long it took.
    pub seconds: f64,
    /// The page that shows the failing execution, if there is one.
    pub page: Option<String>,
}

impl Checked {
    /// What came of the check `name`.
    pub fn new(name: &str, report: &Report, page: Option<String>) -> Self {
        let Report { verdict, executions, seconds, .. } = *report;
        Self { name: name.to_owned(), verdict, executions, seconds, page }
    }

    /// Writes it to a file of its own in `folder`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        fs::write(folder.join(format!("{}-{number}.json", std::process::id())), serde_json::to_vec(self)?)
    }
}

/// What came of all checks that were saved in `folder`, by their names.
///
/// # Errors
/// If a file cannot be read, or is something else.
pub fn load(folder: &Path) -> io::Result<Vec<Checked>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        all.push(serde_json::from_slice(&fs::read(entry?.path())?)?);
    }
    all.sort_by(|one: &Checked, other: &Checked| one.name.cmp(&other.name));
    Ok(all)
}
