//! Where in the source an instruction comes from.

use crate::ids::{FileId, FrameId};
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
    /// The innermost of the calls that it is in, if what they call was put in their place; in the module's table.
    pub inlined: Option<FrameId>,
}

/// A call that an instruction is in although it was put into the function that calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The symbol of the function, or its name if that is all that is known.
    pub function: String,
    /// Where in it: of the innermost frame the instruction, of any other the call of the next inner one. The calls that
    /// this place is in are the frames further out; of the function that all was put into, there are none.
    pub location: SourceLocation,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        self.inlined.map_or(Ok(()), |frame| write!(f, " in {frame}"))
    }
}

impl fmt::Debug for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
