//! A table as people read it: Markdown, with the paper's numbers beside ours.

use crate::command::Measured;
use crate::peers::Beside;
use crate::table::{Cell, Count, Row, Table, grouped};
use std::fmt::Write;

/// What is in a cell.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    /// It was measured.
    Measured(Measured),
    /// It takes too long for a run that is not a full one.
    LeftOut,
}

/// How a number of ours stands to the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Agreement {
    Same,
    /// Ours over the paper's.
    Differs(f64),
    /// The paper has none, or ours is not finished.
    NotCompared,
}

/// Compares a cell with the paper's.
pub(crate) fn agreement(cell: &Cell, found: &Found) -> Agreement {
    match (cell.paper, found) {
        (Some(paper), Found::Measured(found)) if found.is_finished => {
            let ours = found.count(Some(paper));
            // Where the paper counts blocked executions apart and ours counts redundant ones, too, the sums count.
            let is_same = if matches!(ours, Count::Begun(_)) { ours.sum() == paper.sum() } else { ours == paper };
            if is_same { Agreement::Same } else { Agreement::Differs(ours.sum() as f64 / paper.sum() as f64) }
        }
        _ => Agreement::NotCompared,
    }
}

/// A table with what was found, in the order of rows and columns.
pub(crate) fn table(table: &Table, found: &[Vec<Found>]) -> String {
    let mut text = format!("## {}\n\n{}\n\n| program |", table.name, table.about);
    table.columns.iter().for_each(|column| _ = write!(text, " {} |", column.name));
    text.push_str("\n|---|");
    table.columns.iter().for_each(|_| text.push_str("---|"));
    text.push('\n');
    let mut reasons: Vec<&str> = Vec::new();
    for (row, found) in table.rows.iter().zip(found) {
        let _ = write!(text, "| {} |", row.name);
        for (place, found) in row.cells.iter().zip(found) {
            let _ = write!(text, " {} |", cell(table, row, place, found, &mut reasons));
        }
        text.push('\n');
    }
    text.push('\n');
    for (index, reason) in reasons.iter().enumerate() {
        let _ = writeln!(text, "{}. {reason}", index + 1);
    }
    if !reasons.is_empty() {
        text.push('\n');
    }
    if !table.missing.is_empty() {
        let _ = writeln!(text, "Missing: {}\n", table.missing);
    }
    text
}

fn cell(table: &Table, row: &Row, cell: &Cell, found: &Found, reasons: &mut Vec<&'static str>) -> String {
    let paper = cell.paper.map_or_else(|| "–".to_owned(), |paper| paper.to_string());
    let Found::Measured(measured) = found else { return format!("not run ({paper})") };
    let mut text = if measured.is_finished { String::new() } else { "more than ".to_owned() };
    let _ = write!(text, "{}", measured.count(cell.paper));
    match agreement(cell, found) {
        Agreement::Same => text.push_str(" ="),
        Agreement::NotCompared => _ = write!(text, " ({paper})"),
        Agreement::Differs(ratio) => {
            let _ = match row.why {
                Some(why) => write!(text, " ({paper}, ×{ratio:.2})<sup>{}</sup>", number(why, reasons)),
                None => write!(text, " (**{paper}, ×{ratio:.2}, not explained**)"),
            };
        }
    }
    let _ = write!(text, ", {:.2} s", measured.seconds);
    if let Some(mebibytes) = measured.mebibytes.filter(|_| table.shows_memory) {
        let _ = write!(text, ", {mebibytes:.0} MiB");
    }
    for Beside { name, executions, seconds } in &measured.beside {
        let _ = match executions {
            Some(executions) => write!(text, "; {name}: {}, {seconds:.2} s", grouped(*executions)),
            None => write!(text, "; {name}: more than {seconds:.0} s"),
        };
    }
    text
}

/// The number of a reason among those of a table.
fn number(why: &'static str, reasons: &mut Vec<&'static str>) -> usize {
    let index = reasons.iter().position(|reason| *reason == why).unwrap_or_else(|| {
        reasons.push(why);
        reasons.len() - 1
    });
    index + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, begun, split};

    fn measured(complete: u64, blocked: u64, redundant: u64) -> Found {
        Found::Measured(Measured {
            is_finished: true,
            complete,
            blocked,
            redundant,
            seconds: 0.25,
            mebibytes: Some(20.0),
            solver: None,
            beside: Vec::new(),
        })
    }

    #[test]
    fn numbers_are_compared_as_the_paper_counts() {
        assert_eq!(agreement(&begun(8), &measured(4, 1, 3)), Agreement::Same);
        assert_eq!(agreement(&begun(8), &measured(4, 0, 0)), Agreement::Differs(0.5));
        assert_eq!(agreement(&split(4, 1), &measured(4, 1, 0)), Agreement::Same);
        assert_eq!(agreement(&split(4, 1), &measured(1, 4, 0)), Agreement::Differs(1.0));
        assert_eq!(agreement(&begun(8), &Found::LeftOut), Agreement::NotCompared);
    }

    #[test]
    fn what_others_have_is_beside_ours() {
        let data = Table::new("A table", "About it.", &[Column { name: "optimal", flags: &[] }]);
        let data = data.row("p", "readers", 1, &[begun(1234)]);
        let Found::Measured(ours) = measured(1234, 0, 0) else { unreachable!("it was measured") };
        let beside = vec![
            Beside { name: "Nidhugg", executions: Some(1300), seconds: 2.5 },
            Beside { name: "GenMC", executions: None, seconds: 20.0 },
        ];
        let text = table(&data, &[vec![Found::Measured(Measured { beside, ..ours })]]);
        assert!(text.contains("| 1,234 =, 0.25 s; Nidhugg: 1,300, 2.50 s; GenMC: more than 20 s |"), "{text}");
    }

    #[test]
    fn a_difference_has_its_reason_or_is_marked() {
        let column = Column { name: "optimal", flags: &[] };
        let data = Table::new("A table", "About it.", &[column])
            .row("p", "readers", 1, &[begun(3)])
            .row("q", "readers", 2, &[begun(4)])
            .because("The order.")
            .row("r", "readers", 3, &[begun(5)]);
        let text = table(&data, &[vec![measured(3, 0, 0)], vec![measured(5, 0, 0)], vec![measured(9, 0, 0)]]);
        assert!(text.contains("| p(1) | 3 =, 0.25 s |"), "{text}");
        assert!(text.contains("| q(2) | 5 (4, ×1.25)<sup>1</sup>, 0.25 s |"), "{text}");
        assert!(text.contains("| r(3) | 9 (**5, ×1.80, not explained**), 0.25 s |"), "{text}");
        assert!(text.contains("1. The order."), "{text}");
    }
}
