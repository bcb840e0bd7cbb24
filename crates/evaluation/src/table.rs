//! A table of a paper as data: what is run, and what the paper has in each cell. It does not know how a cell is
//! measured, nor how a table is shown.

use crate::messages::Processes;
use std::fmt;

/// A number of executions, as a paper counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// All that were begun: complete, blocked and redundant ones together.
    Begun(u64),
    /// Complete and blocked ones apart, FMCAD 2022's `T + B`.
    Split(u64, u64),
}

impl Count {
    /// Complete and blocked ones together.
    pub(crate) fn sum(self) -> u64 {
        match self {
            Self::Begun(all) => all,
            Self::Split(complete, blocked) => complete + blocked,
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun(all) => write!(f, "{}", grouped(*all)),
            Self::Split(complete, 0) => write!(f, "{}", grouped(*complete)),
            Self::Split(complete, blocked) => write!(f, "{}+{}", grouped(*complete), grouped(*blocked)),
        }
    }
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a cell is measured every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Always.
    Small,
    /// Only with `--full`: it takes minutes or hours.
    Large,
}

/// A place of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// What the paper has there; `None` where it has no number.
    pub(crate) paper: Option<Count>,
    pub(crate) size: Size,
}

/// The cell of a table in which the paper counts all executions together.
pub(crate) const fn begun(paper: u64) -> Cell {
    Cell { paper: Some(Count::Begun(paper)), size: Size::Small }
}

/// A cell in which complete and blocked executions are apart.
pub(crate) const fn split(complete: u64, blocked: u64) -> Cell {
    Cell { paper: Some(Count::Split(complete, blocked)), size: Size::Small }
}

/// A cell for which the paper has no number.
pub(crate) const OPEN: Cell = Cell { paper: None, size: Size::Small };

impl Cell {
    /// The same, left to `--full`.
    pub(crate) const fn large(self) -> Self {
        Self { size: Size::Large, ..self }
    }
}

/// What is explored in a row.
#[derive(Clone, Debug)]
pub(crate) enum Program {
    /// A C program of the command's tests, with flags of its own.
    C(&'static str, Vec<String>),
    /// Processes that send messages.
    Processes(Processes),
}

/// A row of a table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// As the paper calls it.
    pub(crate) name: String,
    pub(crate) program: Program,
    /// In the order of the columns.
    pub(crate) cells: Vec<Cell>,
    /// Why our numbers are not the paper's, where they are not.
    pub(crate) why: Option<&'static str>,
}

/// What the command is told in a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) flags: &'static [&'static str],
}

/// A table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The paper and its number there: `JACM 2017, Table 3`.
    pub(crate) name: &'static str,
    /// What it shows, in our words, and how our programs differ from the paper's.
    pub(crate) about: &'static str,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// Rows of the paper's that are missing here, and why.
    pub(crate) missing: &'static str,
    /// Whether the memory of a cell is shown.
    pub(crate) shows_memory: bool,
}

impl Table {
    pub(crate) fn new(name: &'static str, about: &'static str, columns: &[Column]) -> Self {
        Self { name, about, columns: columns.to_vec(), rows: Vec::new(), missing: "", shows_memory: false }
    }

    /// With one more row: a C program with `-DN=n`.
    pub(crate) fn row(self, name: &str, file: &'static str, n: u32, cells: &[Cell]) -> Self {
        self.row_with(format!("{name}({n})"), Program::C(file, vec![format!("-DN={n}")]), cells)
    }

    /// With one more row.
    pub(crate) fn row_with(mut self, name: String, program: Program, cells: &[Cell]) -> Self {
        assert_eq!(cells.len(), self.columns.len(), "{name} has a cell for each column");
        self.rows.push(Row { name, program, cells: cells.to_vec(), why: None });
        self
    }

    /// Why the numbers of the last row are not the paper's.
    pub(crate) fn because(mut self, why: &'static str) -> Self {
        self.rows.last_mut().expect("a row that differs").why = Some(why);
        self
    }

    /// Says what is missing.
    pub(crate) fn without(mut self, missing: &'static str) -> Self {
        self.missing = missing;
        self
    }

    /// Shows memory as well.
    pub(crate) fn with_memory(mut self) -> Self {
        self.shows_memory = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_as_in_the_papers() {
        assert_eq!(Count::Begun(1234567).to_string(), "1,234,567");
        assert_eq!(Count::Split(336, 0).to_string(), "336");
        assert_eq!(Count::Split(1, 38285).to_string(), "1+38,285");
        assert_eq!(Count::Split(3, 4).sum(), 7);
    }
}
