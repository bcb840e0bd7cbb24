//! Tables in the comments at the top of C programs: how many executions there are, by what is done about loops.
//!
//! ```text
//! // columns: -DN=3 --unroll 3 | 4566+1398 | 336+426 | 336+72 | 336+72
//! // paper: 336+426 | 336+426 | 336+72 | 336+72
//! ```
//!
//! Complete and blocked executions stand under [`Column::ALL`]; `-` is for what takes too long or is not known. A row
//! of `large columns` is left to the benchmark. What a paper has in the same place is for people to compare.

/// What is done about loops in which nothing happens, and about additions whose results are not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Loops that do nothing but poll are assumed to be over; others go round.
    Baseline,
    /// Rounds in which nothing happens are assumed away.
    Assume,
    /// They are waited for.
    Await,
    /// And additions commute.
    Adds,
}

impl Column {
    /// All columns, in the order of a row.
    pub const ALL: [Self; 4] = [Self::Baseline, Self::Assume, Self::Await, Self::Adds];

    /// What the command is told.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Baseline => &["--loops=baseline", "--commuting-adds=off"],
            Self::Assume => &["--loops=assume", "--commuting-adds=off"],
            Self::Await => &["--loops=await", "--commuting-adds=off"],
            Self::Adds => &["--loops=await", "--commuting-adds=on"],
        }
    }
}

/// The numbers of complete and of blocked executions.
pub type Counts = (u64, u64);

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What the command is told in all columns.
    pub flags: Vec<String>,
    /// Whether it takes too long for tests.
    pub is_large: bool,
    /// What is expected in each column.
    pub expected: [Option<Counts>; 4],
    /// What a paper has there.
    pub paper: [Option<Counts>; 4],
}

/// The rows in the comments at the top of a program.
///
/// # Panics
/// When a row cannot be understood.
pub fn rows(text: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        let Some((key, value)) = line.split_once(':') else { continue };
        match key.trim() {
            key @ ("columns" | "large columns") => {
                let (flags, counts) = value.split_once('|').unwrap_or_else(|| panic!("no columns: {value}"));
                let flags = flags.split_whitespace().map(str::to_owned).collect();
                rows.push(Row { flags, is_large: key != "columns", expected: cells(counts), paper: [None; 4] });
            }
            "paper" => rows.last_mut().expect("a row before what a paper has in it").paper = cells(value),
            _ => {}
        }
    }
    rows
}

fn cells(text: &str) -> [Option<Counts>; 4] {
    let counts = |cell: &str| {
        let (complete, blocked) = cell.split_once('+').unwrap_or((cell, "0"));
        let number = |digits: &str| digits.parse().unwrap_or_else(|_| panic!("`{cell}` is no number of executions"));
        (number(complete), number(blocked))
    };
    let cells: Vec<_> = text.split('|').map(str::trim).map(|cell| (cell != "-").then(|| counts(cell))).collect();
    cells.try_into().unwrap_or_else(|_| panic!("four columns are expected: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read() {
        let text = "// About.\n// columns: -DN=2 | 7+2 | 3 | - | 1\n// paper: - | - | 2 | 1\n\n// columns: | no";
        let row = Row {
            flags: vec!["-DN=2".to_owned()],
            is_large: false,
            expected: [Some((7, 2)), Some((3, 0)), None, Some((1, 0))],
            paper: [None, None, Some((2, 0)), Some((1, 0))],
        };
        assert_eq!(rows(text), [row]);
    }
}
