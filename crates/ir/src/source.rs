//! Where in the source an instruction comes from.

use crate::ids::FileId;
use std::fmt;

/// A place in a source file. Column 0 means that the column is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The file, in the module's table.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, or 0.
    pub column: u32,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Debug for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
