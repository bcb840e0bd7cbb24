//! Replay files: one execution, by its schedule, independent of the strategy that found it.
//!
//! A file is JSON that people can read too: which program, which thread takes each step, what is expected of
//! it, and what each step did when the file was written. It knows neither how the program is run nor how the
//! execution was found.

mod error;
mod schedule;
mod short;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

pub use error::ReplayError;
pub use short::ShortSchedule;

use crate::{Bug, BugKind, Event, Source};

/// The version of the format that this crate writes, and the only one that it reads.
pub const FORMAT: u32 = 2;

/// An execution that can be run again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayFile {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    /// What to run.
    pub program: ProgramId,
    /// Which thread takes each step. In the file, a string: see [`ScheduledStep`].
    #[serde(with = "schedule")]
    pub schedule: Vec<ScheduledStep>,
    /// What is to come of it.
    pub outcome: Expected,
    /// What each step did, as [`describe`] says it: a program that does something else has changed.
    pub steps_described: Vec<String>,
}

/// Which program an execution is one of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramId {
    /// What kind of program.
    pub kind: ProgramKind,
    /// The name of the test, or the file.
    pub name: String,
    /// Where the check is called from.
    pub source: Option<Source>,
    /// A hash of the program, if there is one: another hash, another program.
    pub content: Option<String>,
    /// What the command was told that made the program and runs it, if a command did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

/// Kinds of programs, by the front end that can run them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ProgramKind {
    /// A test in Rust.
    Rust,
    /// A program in C or C++.
    C,
}

/// A step: `thread`, or `thread:choice` if the choice is not 0, then `@` and the sources of its reads if they are told,
/// then `+` and the place of its write if that is not the newest. A schedule is its steps, apart by spaces: `0 0 0.0 0.1:1
/// 0.0`, or `0@- 0.0@1 0.1@-,2 0.2@-+1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScheduledStep {
    /// The thread that takes it, by its path of spawns, which is the same in every execution: `0` is the first thread,
    /// `0.2` the third that it spawns, `0.2.0` the first that this one spawns.
    pub thread: String,
    /// Which of the things that the thread can do there; 0 if there is just one.
    pub choice: u32,
    /// Where each of its accesses finds its value, if that is told: in which step of the schedule, the first of which is
    /// 1. It is 0 for what was there in the beginning. None of them if each finds what was written last.
    pub reads: Vec<u32>,
    /// The step that its write comes right after in modification order, among the steps so far, counted in the same way.
    /// None if it comes after all of them, or if it writes nothing.
    pub place: Option<u32>,
}

/// What is to come of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// The kind of the bug; none if nothing goes wrong.
    pub kind: Option<BugKind>,
    /// Its message.
    pub message: String,
}

/// What a step did, in words: `a: load x: 1`. Its place is left out, so that code can be moved.
pub fn describe(thread: &str, event: &Event) -> String {
    format!("{thread}: {event}")
}

impl ReplayFile {
    /// The replay file of the execution that shows `bug`, whose steps are `schedule`.
    pub fn new(program: ProgramId, schedule: Vec<ScheduledStep>, bug: &Bug) -> Self {
        let name = |thread: usize| bug.execution.threads.get(thread).map_or("", |thread| thread.name.as_str());
        Self {
            format: FORMAT,
            program,
            schedule,
            outcome: Expected { kind: Some(bug.kind), message: bug.message.clone() },
            steps_described: bug.execution.events.iter().map(|event| describe(name(event.thread), event)).collect(),
        }
    }

    /// Reads the replay file at `path`.
    ///
    /// # Errors
    ///
    /// If there is none, or it cannot be read, or it is not a replay file of this version.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        /// What is read first: a file of another version need not have any of the other fields.
        #[derive(Deserialize)]
        struct Version {
            format: u32,
            /// Only an object can have other fields: a list is no replay file.
            #[serde(flatten)]
            _others: HashMap<String, IgnoredAny>,
        }

        let path = path.as_ref();
        let content = fs::read(path).map_err(|error| ReplayError::reading(path, error))?;
        let parse_error = |error| ReplayError::parsing(path, &error);
        let Version { format, .. } = serde_json::from_slice(&content).map_err(parse_error)?;
        if format != FORMAT {
            return Err(ReplayError::Version { path: path.to_owned(), found: format });
        }
        serde_json::from_slice(&content).map_err(parse_error)
    }

    /// Writes the replay file to `path`, in a folder that is made if there is none. A reader of the file
    /// meanwhile sees the old one or the new one, but no part of one.
    ///
    /// # Errors
    ///
    /// If the folder or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), ReplayError> {
        let path = path.as_ref();
        let written = serde_json::to_vec_pretty(self).map_err(io::Error::from);
        let written = written.and_then(|content| crate::file::write(path, &content));
        written.map_err(|error| ReplayError::Unwritable { path: path.to_owned(), error })
    }
}
