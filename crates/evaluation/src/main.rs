//! What the five papers report, measured again: `cargo run --release -p everyway-evaluation`.
//!
//! Every cell of a table is a run of the command `everyway` as users have it; programs of processes and messages are
//! explored in this process. The page has the paper's numbers beside ours, and a reason wherever they differ; where other
//! tools are installed, theirs as well. It takes ten minutes, and as long as the command takes to be built; `--full` leaves
//! nothing out and takes hours. Ends with status 1 if a number differs for which the page has no reason.

mod clock;
mod command;
mod messages;
mod page;
mod papers;
mod peers;
mod plot;
mod symbolic;
mod table;

use clap::Parser;
use clock::Clock;
use command::{Everyway, Measured};
use everyway::Algorithm;
use everyway_pipeline::program::papers_program;
use page::{Agreement, Found};
use peers::{Beside, Peer};
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
    /// How long everything may take, in minutes, if not everything is measured
    #[arg(long, value_name = "N", default_value_t = 10)]
    minutes: u64,
    /// The command to measure, instead of one that is built first
    #[arg(long, value_name = "FILE")]
    command: Option<PathBuf>,
    /// Only tables whose names contain this, printed instead of written
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The folder to write the page and its pictures to [default: docs/src]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Arguments {
    fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    }
}

/// What cells are measured with.
struct Bench {
    everyway: Everyway,
    peers: Vec<Peer>,
    clock: Clock,
    is_full: bool,
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
    let everyway = arguments.command.clone().map_or_else(Everyway::build, |path| Ok(Everyway::at(path)))?;
    let total = (!arguments.full).then(|| Duration::from_secs(60 * arguments.minutes));
    let clock = Clock::new(total, Duration::from_secs(arguments.seconds));
    let peers = Peer::installed(std::env::var_os("PATH").as_deref());
    let mut bench = Bench { everyway, peers, clock, is_full: arguments.full };
    let mut text = introduction(arguments, &bench.peers);
    let mut unexplained = 0;
    let mut pictures = Vec::new();
    for table in papers::tables().iter().filter(|table| arguments.wants(table.name)) {
        let found = bench.measure(table)?;
        unexplained += differences(table, &found);
        text.push_str(&page::table(table, &found));
        if table.shows_memory {
            pictures.push(("jacm2017-memory.svg", vec![memory(table, &found)]));
            text.push_str("![Memory by N](evaluation/jacm2017-memory.svg)\n\n");
        }
    }
    if arguments.wants("TACAS 2008, Table 1") {
        text.push_str(&symbolic::table(&bench.everyway, &bench.clock, progress("TACAS 2008, Table 1"))?);
    }
    if arguments.wants("TACAS 2008, Fig. 8") {
        let charts = symbolic::figure(&bench.everyway, &bench.clock, progress("TACAS 2008, Fig. 8"))?;
        text.push_str(
            "## TACAS 2008, Fig. 8\n\n![Seconds and conflicts by depth](evaluation/tacas2008-figure8.svg)\n\n",
        );
        text.push_str(&symbolic::about_figure(&charts));
        pictures.push(("tacas2008-figure8.svg", charts.into()));
    }
    match (&arguments.only, &arguments.output) {
        (Some(_), None) => print!("{text}"),
        (_, folder) => write(folder.as_deref(), &text, &pictures)?,
    }
    Ok(unexplained)
}

/// What there is to know of the page, and of the machine.
fn introduction(arguments: &Arguments, peers: &[Peer]) -> String {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    let load = load.as_deref().and_then(|text| text.split_whitespace().next()).map_or_else(String::new, |load| {
        format!(" that had {load} other processes to run, on average, in the minute before")
    });
    let limits = match arguments.full {
        true => "No cell was given up.".to_owned(),
        false => format!(
            "A cell is given up after {} seconds, or after a tenth of what is left of {} minutes (`more than`).",
            arguments.seconds, arguments.minutes
        ),
    };
    let beside = match peers {
        [] => "Nidhugg and GenMC are run beside ours where they are installed; here they are not.".to_owned(),
        _ => {
            let names: Vec<_> = peers.iter().map(Peer::name).collect();
            format!("Beside ours are the executions and the time of {}, with clang.", names.join(" and "))
        }
    };
    format!(
        "# The papers' tables\n\n\
         Made by `cargo run --release -p everyway-evaluation`. A cell has our number of executions and the time of exploring \
         them; `=` says that the paper has the same number, otherwise the paper's is in parentheses, with the ratio of ours to \
         it. Where the paper has none there is a dash; `--full` runs what was left out. Times are of one run, on a machine \
         with {processors} processors{load}; they do not compare with the papers', which are of other machines and years. \
         {limits} {beside}\n\n"
    )
}

impl Bench {
    /// Measures all cells of a table.
    fn measure(&mut self, table: &Table) -> Result<Vec<Vec<Found>>, String> {
        let mut show = progress(table.name);
        let mut rows = Vec::new();
        for row in &table.rows {
            show(&row.name);
            let cells = row.cells.iter().zip(&table.columns);
            if let (true, Program::C(file, flags)) = (table.shows_memory, &row.program) {
                // What was compiled before is not compiled again: clang's memory does not count.
                self.everyway.compile(file, flags)?;
            }
            rows.push(cells.map(|(cell, column)| self.measure_cell(row, cell, column)).collect::<Result<_, _>>()?);
        }
        Ok(rows)
    }

    fn measure_cell(&mut self, row: &Row, cell: &Cell, column: &Column) -> Result<Found, String> {
        if cell.size == Size::Large && !self.is_full {
            return Ok(Found::LeftOut);
        }
        let measured: Measured = match &row.program {
            Program::C(file, flags) => {
                let mut with_column = flags.clone();
                with_column.extend(column.flags.iter().map(|flag| (*flag).to_owned()));
                let measured = self.everyway.check(file, &with_column, self.clock.limit())?;
                Measured { beside: self.beside(file, flags, column), ..measured }
            }
            Program::Processes(processes) => {
                let algorithm = match column.name {
                    "classic" => Algorithm::Classic,
                    "source" => Algorithm::Source,
                    "observers" => Algorithm::Observers,
                    _ => Algorithm::Optimal,
                };
                processes.measure(algorithm, self.clock.limit())
            }
        };
        Ok(Found::Measured(measured))
    }

    /// What other tools make of a program.
    fn beside(&mut self, file: &str, flags: &[String], column: &Column) -> Vec<Beside> {
        let (path, limit) = (papers_program(file), self.clock.limit());
        let run = |peer: &Peer| peer.run(&path, flags, column.name, limit);
        let found: Vec<Beside> = self.peers.iter().filter_map(run).collect();
        self.clock.spend_elsewhere(Duration::from_secs_f64(found.iter().map(|beside| beside.seconds).sum()));
        found
    }
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
