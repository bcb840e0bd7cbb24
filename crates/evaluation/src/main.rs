//! What the five papers report, measured again: `cargo run --release -p everyway-evaluation`.
//!
//! Every cell of a table is a run of the command `everyway` as users have it; programs of processes and messages are
//! explored in this process. The page has the paper's numbers beside ours, and a reason wherever they differ. It takes
//! about ten minutes; `--full` leaves nothing out and takes hours. Ends with status 1 if a number differs for which the
//! page has no reason.

mod command;
mod messages;
mod page;
mod papers;
mod plot;
mod symbolic;
mod table;

use clap::Parser;
use command::{Everyway, Measured};
use everyway::Algorithm;
use page::{Agreement, Found};
use plot::{Chart, Curve};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use table::{Cell, Column, Program, Row, Size, Table};

/// Measures what the five papers report, and writes a page that has it beside the papers' numbers
#[derive(Debug, Parser)]
struct Arguments {
    /// Measure everything, for as long as it takes
    #[arg(long)]
    full: bool,
    /// How long a cell may take, in seconds, if not everything is measured
    #[arg(long, value_name = "N", default_value_t = 20)]
    seconds: u64,
    /// Only tables whose names contain this, printed instead of written
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The folder to write the page and its pictures to [default: docs/src]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Arguments {
    fn limit(&self) -> Option<Duration> {
        (!self.full).then(|| Duration::from_secs(self.seconds))
    }

    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }
}

fn main() -> ExitCode {
    match evaluate(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(unexplained) => {
            eprintln!("{unexplained} numbers differ from the papers' without a reason");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Writes the page: how many numbers differ without a reason.
fn evaluate(arguments: &Arguments) -> Result<usize, String> {
    let everyway = Everyway::build()?;
    let mut text = String::from(INTRODUCTION);
    if !arguments.full {
        text.push_str(&format!("A cell was given up after {} seconds here.\n\n", arguments.seconds));
    }
    let mut unexplained = 0;
    let mut pictures = Vec::new();
    for table in papers::tables().iter().filter(|table| arguments.wants(table.name)) {
        let found = measure(&everyway, table, arguments)?;
        unexplained += differences(table, &found);
        text.push_str(&page::table(table, &found));
        if table.name == "JACM 2017, Table 2 (Fig. 12)" {
            pictures.push(("jacm2017-memory.svg", vec![memory(table, &found)]));
            text.push_str("![Memory by N](evaluation/jacm2017-memory.svg)\n\n");
        }
    }
    if arguments.wants("TACAS 2008, Table 1") {
        text.push_str(&symbolic::table(&everyway, arguments.limit(), progress("TACAS 2008, Table 1"))?);
    }
    if arguments.wants("TACAS 2008, Fig. 8") {
        let charts = symbolic::figure(&everyway, arguments.limit(), progress("TACAS 2008, Fig. 8"))?;
        pictures.push(("tacas2008-figure8.svg", charts.into()));
        text.push_str("## TACAS 2008, Fig. 8\n\n![Seconds and conflicts by depth](evaluation/tacas2008-figure8.svg)\n");
    }
    match (&arguments.only, &arguments.output) {
        (Some(_), None) => print!("{text}"),
        (_, folder) => write(folder.as_deref(), &text, &pictures)?,
    }
    Ok(unexplained)
}

const INTRODUCTION: &str = "# The papers' tables

Made by `cargo run --release -p everyway-evaluation`. A cell has our number of executions and the time of exploring them;
`=` says that the paper has the same number, otherwise the paper's is in parentheses, with the ratio of ours to it. Where
the paper has none, or a cell was left out (`--full` runs it), there is a dash. Times are of one run on a small machine
that others used at the same time: they are rough, and do not compare with the papers', which are of other machines and
years.

";

/// Measures all cells of a table.
fn measure(everyway: &Everyway, table: &Table, arguments: &Arguments) -> Result<Vec<Vec<Found>>, String> {
    let mut show = progress(table.name);
    let row = |row: &Row| {
        show(&row.name);
        let cells = row.cells.iter().zip(&table.columns);
        cells.map(|(cell, column)| measure_cell(everyway, row, cell, column, arguments)).collect()
    };
    table.rows.iter().map(row).collect()
}

fn measure_cell(
    everyway: &Everyway,
    row: &Row,
    cell: &Cell,
    column: &Column,
    arguments: &Arguments,
) -> Result<Found, String> {
    if cell.size == Size::Large && !arguments.full {
        return Ok(Found::LeftOut);
    }
    let measured: Measured = match &row.program {
        Program::C(file, flags) => {
            let mut flags = flags.clone();
            flags.extend(column.flags.iter().map(|flag| (*flag).to_owned()));
            everyway.check(file, &flags, arguments.limit())?
        }
        Program::Processes(processes) => {
            let algorithm = match column.name {
                "classic" => Algorithm::Classic,
                "source" => Algorithm::Source,
                "observers" => Algorithm::Observers,
                _ => Algorithm::Optimal,
            };
            processes.measure(algorithm, arguments.limit())
        }
    };
    Ok(Found::Measured(measured))
}

/// How many numbers differ without a reason.
fn differences(table: &Table, found: &[Vec<Found>]) -> usize {
    let rows = table.rows.iter().zip(found).filter(|(row, _)| row.why.is_none());
    let cells = rows.flat_map(|(row, found)| row.cells.iter().zip(found));
    cells.filter(|(cell, found)| matches!(page::agreement(cell, found), Agreement::Differs(_))).count()
}

/// The memory of each column, by row.
fn memory(table: &Table, found: &[Vec<Found>]) -> Chart {
    let curve = |(index, column): (usize, &Column)| {
        let points = found.iter().zip(1u32..).filter_map(|(row, n)| match &row[index] {
            Found::Measured(measured) => Some((f64::from(n), measured.mebibytes?)),
            Found::LeftOut => None,
        });
        Curve { name: column.name.to_owned(), points: points.collect() }
    };
    let curves = table.columns.iter().enumerate().map(curve).collect();
    Chart { horizontal: "N", vertical: "MiB", curves }
}

/// Says what is being measured.
fn progress(table: &str) -> impl FnMut(&str) {
    move |row| eprintln!("{table}: {row}")
}

fn write(folder: Option<&Path>, text: &str, pictures: &[(&str, Vec<Chart>)]) -> Result<(), String> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let folder = folder.unwrap_or(&default);
    let save = |path: PathBuf, text: &str| {
        std::fs::write(&path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    let beside = folder.join("evaluation");
    std::fs::create_dir_all(&beside).map_err(|error| format!("{} cannot be made: {error}", beside.display()))?;
    for (name, charts) in pictures {
        save(beside.join(name), &plot::svg(charts))?;
    }
    save(folder.join("evaluation.md"), text)
}
