//! A frame of columns, the first of which counts steps. It knows nothing of what is in the columns.
//!
//! ```text
//!   step | a     | b     | where
//!   -----+-------+-------+---------
//!      1 | load  |       | a.rs:10
//! >    2 |       | store | a.rs:20
//! ```

use super::Style;
use super::paint::Ink;
use super::wrap::{cut_end, fill, width};

/// The narrowest column of steps: its title has to fit.
const STEP: &str = "step";

/// Between columns.
const BAR: &str = " | ";

/// A column.
pub(super) struct Column {
    /// What it is called.
    pub(super) title: String,
    /// How wide it is.
    pub(super) width: usize,
    /// How it is coloured in rows that are not marked.
    pub(super) ink: Ink,
}

/// A row: the lines of the cell of each column.
pub(super) struct Row {
    /// The number of the step, if it is one.
    pub(super) number: Option<usize>,
    /// Whether this is what the reader should look at.
    pub(super) marked: bool,
    /// The lines of each cell.
    pub(super) cells: Vec<Vec<String>>,
}

/// A table that is being printed.
pub(super) struct Grid {
    style: Style,
    step_width: usize,
    columns: Vec<Column>,
    text: String,
}

/// The characters in front of the first of the columns, if `last` is the largest number of a step.
pub(super) fn margin(last: usize) -> usize {
    2 + step_width(last)
}

/// The characters that a column takes besides its own width.
pub(super) const GAP: usize = BAR.len();

fn step_width(last: usize) -> usize {
    last.to_string().len().max(STEP.len())
}

impl Grid {
    /// A table with its titles, whose steps are numbered up to `last`.
    pub(super) fn new(style: Style, last: usize, columns: Vec<Column>) -> Self {
        let mut grid = Self { style, step_width: step_width(last), columns, text: String::new() };
        grid.titles();
        grid
    }

    fn titles(&mut self) {
        let titles: Vec<(Ink, String)> =
            self.columns.iter().map(|column| (Ink::Strong, cut_end(&column.title, column.width))).collect();
        let step = format!("{STEP:>0$}", self.step_width);
        self.line(&format!("  {}", self.style.paint(Ink::Strong, &step)), &titles);
        let mut rule = format!("  {}", "-".repeat(self.step_width));
        for column in &self.columns {
            rule.push_str("-+-");
            rule.push_str(&"-".repeat(column.width));
        }
        self.text.push_str(&self.style.paint(Ink::Faint, &rule));
        self.text.push('\n');
    }

    /// Prints a row.
    pub(super) fn row(&mut self, row: &Row) {
        let height = row.cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..height {
            let number = row.number.filter(|_| line == 0).map(|number| number.to_string()).unwrap_or_default();
            let mark = if row.marked && line == 0 { ">" } else { " " };
            let ink = if row.marked { Ink::Error } else { Ink::Plain };
            let lead = self.style.paint(ink, &format!("{mark} {number:>0$}", self.step_width));
            let cell = |(column, cell): (&Column, &Vec<String>)| {
                (if row.marked { Ink::Error } else { column.ink }, cell.get(line).cloned().unwrap_or_default())
            };
            let cells: Vec<(Ink, String)> = self.columns.iter().zip(&row.cells).map(cell).collect();
            self.line(&lead, &cells);
        }
    }

    /// Prints a remark in place of rows that are not shown, in lines of at most `limit` characters.
    pub(super) fn omission(&mut self, remark: &str, limit: usize) {
        let words: Vec<&str> = remark.split(' ').collect();
        let lead = format!("  {:>1$}", "...", self.step_width);
        for line in fill(&words, limit.saturating_sub(width(&lead) + GAP), 0) {
            let bar = self.style.paint(Ink::Faint, BAR);
            self.text.push_str(&format!("{lead}{bar}{line}\n"));
        }
    }

    /// The whole table.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Prints one line of cells after `lead`, without spaces at its end.
    fn line(&mut self, lead: &str, cells: &[(Ink, String)]) {
        self.text.push_str(lead);
        for (index, (column, (ink, cell))) in self.columns.iter().zip(cells).enumerate() {
            let is_last = index + 1 == cells.len();
            let bar = if is_last && cell.is_empty() { BAR.trim_end() } else { BAR };
            self.text.push_str(&self.style.paint(Ink::Faint, bar));
            self.text.push_str(&self.style.paint(*ink, cell));
            if !is_last {
                self.text.push_str(&" ".repeat(column.width.saturating_sub(width(cell))));
            }
        }
        self.text.push('\n');
    }
}
