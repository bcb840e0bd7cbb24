//! What the five papers report.

pub(crate) mod fmcad2022;
pub(crate) mod jacm2017;
pub(crate) mod oopsla2019;
pub(crate) mod tacas2008;
pub(crate) mod tacas2018;

use crate::table::{Column, Table};

/// All tables of executions, in the order in which the papers appeared.
pub(crate) fn tables() -> Vec<Table> {
    let papers = [jacm2017::tables(), tacas2018::tables(), oopsla2019::tables(), fmcad2022::tables()];
    papers.into_iter().flatten().collect()
}

/// Increments conflict in these papers, and waits are assumptions.
const CLASSIC: Column = Column { name: "classic", flags: &["--algorithm=classic", "--commuting-adds=off"] };
const SOURCE: Column = Column { name: "source", flags: &["--algorithm=source", "--commuting-adds=off"] };
const OPTIMAL: Column =
    Column { name: "optimal", flags: &["--algorithm=optimal", "--commuting-adds=off", "--loops=assume"] };
const OBSERVERS: Column =
    Column { name: "observers", flags: &["--algorithm=observers", "--commuting-adds=off", "--loops=assume"] };
const READS_FROM: Column =
    Column { name: "reads-from", flags: &["--algorithm=reads-from", "--commuting-adds=off", "--loops=assume"] };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Program;
    use everyway_pipeline::program::papers_program;

    #[test]
    fn every_row_has_its_program() {
        for table in tables() {
            assert!(!table.rows.is_empty(), "{}", table.name);
            for row in table.rows {
                if let Program::C(file, _) = row.program {
                    assert!(papers_program(file).exists(), "{}: {file}", row.name);
                }
            }
        }
    }
}
