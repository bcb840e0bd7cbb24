//! What can be wrong with a replay file, where, and what to do about it.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::error::Category;

use super::FORMAT;

/// Why a replay file could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// There is no such file.
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The file is there, but cannot be read.
    Unreadable {
        /// Where it is.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file ends too early.
    Truncated {
        /// Where it is.
        path: PathBuf,
        /// The line it ends in.
        line: usize,
    },
    /// The file is not JSON.
    NotJson {
        /// Where it is.
        path: PathBuf,
        /// What is wrong with it, and in which line.
        detail: String,
    },
    /// The file is JSON, but not a replay file.
    NotReplay {
        /// Where it is.
        path: PathBuf,
        /// What is missing or unexpected, and in which line.
        detail: String,
    },
    /// The file was written by another version.
    Version {
        /// Where it is.
        path: PathBuf,
        /// The version of its format.
        found: u32,
    },
    /// The file cannot be written.
    Unwritable {
        /// Where it should go.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl ReplayError {
    /// The error of reading the file at `path`.
    pub(super) fn reading(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            _ => Self::Unreadable { path, error },
        }
    }

    /// The error of making sense of the file at `path`.
    pub(super) fn parsing(path: &Path, error: &serde_json::Error) -> Self {
        let (path, detail) = (path.to_owned(), error.to_string());
        match error.classify() {
            Category::Eof => Self::Truncated { path, line: error.line() },
            Category::Data => Self::NotReplay { path, detail },
            Category::Syntax | Category::Io => Self::NotJson { path, detail },
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path }
            | Self::Unreadable { path, .. }
            | Self::Truncated { path, .. }
            | Self::NotJson { path, .. }
            | Self::NotReplay { path, .. }
            | Self::Version { path, .. }
            | Self::Unwritable { path, .. } => path,
        }
    }

    /// What to do about it.
    fn advice(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "check the path; a failing check prints where it wrote the file",
            Self::Unreadable { .. } => "check that the path is the one of a file that you may read",
            Self::Truncated { .. } => "run the check again without replay, to write the file anew",
            Self::NotJson { .. } | Self::NotReplay { .. } => {
                "check that the path is right, or run the check again without replay, to write the file anew"
            }
            Self::Version { .. } => {
                "use the version of everyway that wrote it, or run the check again without replay, to write it anew"
            }
            Self::Unwritable { .. } => "check that the folder may be written to and that the disk is not full",
        }
    }
}

/// What is wrong, where, and on a second line what to do.
impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path().display();
        match self {
            Self::Missing { .. } => write!(f, "there is no replay file `{path}`"),
            Self::Unreadable { error, .. } => write!(f, "the replay file `{path}` cannot be read: {error}"),
            Self::Truncated { line, .. } => write!(f, "the replay file `{path}` is cut off in line {line}"),
            Self::NotJson { detail, .. } => write!(f, "`{path}` is not a replay file, which would be JSON: {detail}"),
            Self::NotReplay { detail, .. } => write!(f, "`{path}` is JSON, but not a replay file: {detail}"),
            Self::Version { found, .. } => {
                let age = if *found < FORMAT { "an older" } else { "a newer" };
                write!(
                    f,
                    "the replay file `{path}` was written by {age} version of everyway: it has format {found}, but \
                     only format {FORMAT} is known here"
                )
            }
            Self::Unwritable { error, .. } => write!(f, "the replay file `{path}` cannot be written: {error}"),
        }?;
        write!(f, "\ntip: {}", self.advice())
    }
}

impl Error for ReplayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } | Self::Unwritable { error, .. } => Some(error),
            _ => None,
        }
    }
}
