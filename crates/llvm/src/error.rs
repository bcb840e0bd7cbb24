//! What can be wrong with an input.

use std::fmt;

/// Why a program could not be read: what, and where in the LLVM IR and in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The name of the LLVM IR, as it was given.
    pub file: String,
    /// The line in it, from 1; 0 if it is about the whole.
    pub line: u32,
    /// `file:line` of the source that it was compiled from, where that is known.
    pub source: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Error {
    /// An error at a line. A caller that knows the file adds it.
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        Self { file: String::new(), line, source: None, message: message.into() }
    }

    /// A construct that means something to LLVM and nothing to us.
    pub(crate) fn unsupported(line: u32, construct: impl fmt::Display) -> Self {
        Self::new(line, format!("{construct} is not supported"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{source}: {} ({}:{})", self.message, self.file, self.line)
        } else if self.line > 0 {
            write!(f, "{}:{}: {}", self.file, self.line, self.message)
        } else {
            write!(f, "{}: {}", self.file, self.message)
        }
    }
}

impl std::error::Error for Error {}

/// The result of reading something.
pub(crate) type Result<T> = std::result::Result<T, Error>;
