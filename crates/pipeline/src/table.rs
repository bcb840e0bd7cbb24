//! The table of what an execution costs, in Markdown: that of the README.
//!
//! - `executions` has those that block, too. Their number is asserted.
//! - `instructions` are those of an execution, without start-up, as Valgrind counts them if it is installed: they do not depend
//!   on what else the machine does. Counting takes fifty times as long as running.
//! - `µs` is the time of an execution on the wall, without start-up, of the fastest of as many explorations as take half a second, at
//!   least three. The machine has to be idle.
//! - `÷ optimal` is that time divided by the one under `optimal`, where that has as many executions.
//! - `× Nidhugg` and `× GenMC` are executions per second divided by theirs, without start-up ([`Peers`]).
//! - `MiB` is the most memory of a process that does nothing else, with start-up.
//!
//! Benchmarks are lists of [`Row`]s; they share the arguments of [`Wanted`].

use crate::clock::fastest;
use crate::peers::{Peers, Taken};
use everyway_explore::{Algorithm, MemoryModel};
use everyway_oracle::own_process::{self, Counted};
use everyway_render::text::thousands;
use std::time::Duration;

/// A program under a strategy.
pub trait Row {
    /// What the program is called: `readers(13)`.
    fn program(&self) -> String;

    /// The strategy.
    fn algorithm(&self) -> Algorithm;

    /// How many executions it has, with those that block.
    fn executions(&self) -> u64;

    /// What others take.
    fn peers(&self) -> Peers {
        Peers::default()
    }

    /// Makes it ready: what is returned explores all of it.
    ///
    /// # Panics
    /// If it cannot be made ready, and later if there are not as many executions as there should be.
    fn prepared(&self) -> Box<dyn FnMut() + '_>;

    /// Which instructions are those of exploring it.
    fn exploring(&self) -> Exploring;
}

/// Which instructions of a process are those of exploring, and not of its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exploring {
    /// Those within the functions whose names fit this pattern.
    Within(&'static str),
    /// Those that exploring once more takes.
    Difference,
}

/// What a benchmark is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// The table.
    Table(Selection),
    /// To explore one row so many times, and to say nothing else than how much memory that took: so the costs of an execution
    /// are seen function by function with `valgrind --tool=callgrind target/release/deps/BENCHMARK --alone 'readers(13) optimal' 1`.
    Alone {
        /// The program, the strategy and, if it is not `sc`, the memory model.
        row: String,
        /// How many times.
        rounds: u32,
    },
}

/// Which rows of the table are wanted, and how they are measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// What the names of programs contain.
    pub program: String,
    /// The name of the strategy; all without it.
    pub strategy: Option<String>,
    /// How long the explorations of a row take at least.
    pub enough: Duration,
    /// Whether instructions are counted, and memory is looked at.
    pub counting: Counting,
    /// How many times as fast this machine is as the one on which the others were measured: what has the same number of instructions
    /// takes so many times as long there.
    pub faster: f64,
}

/// Whether instructions are counted, and memory is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// They are.
    On,
    /// They are not.
    Off,
}

const ALONE: &str = "--alone";

impl Wanted {
    /// What the arguments of the benchmark say: a part of a program's name, `--strategy NAME`, `--once` for exploring each
    /// row once only, `--instructions`, `--faster=F`, and `--alone ROW ROUNDS`.
    ///
    /// # Panics
    /// If they make no sense.
    pub fn from_arguments() -> Self {
        Self::of(std::env::args().skip(1))
    }

    fn of(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut selection = Selection {
            program: String::new(),
            strategy: None,
            enough: Duration::from_millis(500),
            counting: Counting::Off,
            faster: 1.0,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().unwrap_or_else(|| panic!("{argument} wants a value"));
            match argument.as_str() {
                ALONE => return Self::Alone { row: value(), rounds: number(&argument, &value()) },
                "--strategy" => selection.strategy = Some(value()),
                "--once" => selection.enough = Duration::ZERO,
                "--instructions" => selection.counting = Counting::On,
                // What cargo passes to every benchmark.
                "--bench" => {}
                _ => match argument.split_once('=') {
                    Some(("--faster", faster)) => selection.faster = number("--faster", faster),
                    _ => selection.program = argument,
                },
            }
        }
        Self::Table(selection)
    }
}

fn number<N: std::str::FromStr>(name: &str, given: &str) -> N {
    given.parse().unwrap_or_else(|_| panic!("{name} wants a number, not `{given}`"))
}

/// What a row is called among all.
fn name(row: &dyn Row) -> String {
    let (program, strategy) = (row.program(), row.algorithm().name());
    match model(row) {
        MemoryModel::Sc => format!("{program} {strategy}"),
        model => format!("{program} {strategy} {model}"),
    }
}

/// The memory model that a row is explored under.
fn model(row: &dyn Row) -> MemoryModel {
    if let Algorithm::Graphs { model } = row.algorithm() { model } else { MemoryModel::Sc }
}

/// Explores the row of this name so many times.
///
/// # Panics
/// If there is none.
pub fn explore_alone(rows: &[Box<dyn Row>], wanted: &str, rounds: u32) {
    let row = rows.iter().find(|row| name(&***row) == wanted).unwrap_or_else(|| panic!("there is no row `{wanted}`"));
    let mut explore = row.prepared();
    (0..rounds).for_each(|_| explore());
    own_process::tell_peak();
}

/// The columns, with their widths; the first three are texts.
const COLUMNS: [(&str, usize); 10] = [
    ("program", 26),
    ("strategy", 12),
    ("model", 5),
    ("executions", 10),
    ("instructions", 12),
    ("µs", 7),
    ("÷ optimal", 9),
    ("× Nidhugg", 9),
    ("× GenMC", 7),
    ("MiB", 4),
];

const TEXTS: usize = 3;

/// Prints the table.
pub fn print(rows: &[Box<dyn Row>], wanted: &Selection) {
    print_cells(&COLUMNS.map(|(name, _)| name.to_owned()));
    print_cells(&std::array::from_fn(|column| if column < TEXTS { "---" } else { "--:" }.to_owned()));
    let mut by_optimal: Vec<(String, u64, f64)> = Vec::new();
    let is_wanted = |row: &&dyn Row| {
        let strategy = wanted.strategy.as_deref();
        row.program().contains(&wanted.program) && strategy.is_none_or(|strategy| strategy == row.algorithm().name())
    };
    for row in rows.iter().map(|row| &**row).filter(is_wanted) {
        let (program, executions) = (row.program(), row.executions());
        let ((), time) = fastest(wanted.enough, row.prepared());
        let each = time.as_secs_f64() / executions as f64;
        let is_as_optimal = |(name, all, _): &&(String, u64, f64)| {
            *name == program && *all == executions && model(row) == MemoryModel::Sc
        };
        let with_optimal = by_optimal.iter().find(is_as_optimal);
        print_row(row, each, with_optimal.map(|(.., optimal)| each / optimal), wanted);
        if row.algorithm() == Algorithm::Optimal {
            by_optimal.push((program, executions, each));
        }
    }
    println!();
}

fn print_row(row: &dyn Row, each: f64, by_optimal: Option<f64>, wanted: &Selection) {
    let Peers { nidhugg, genmc } = row.peers();
    let times =
        |theirs: Option<Taken>| theirs.map(|theirs| format!("{:.1}", 1.0 / each / wanted.faster / theirs.rate()));
    let (instructions, peak) = match wanted.counting {
        Counting::On => (counted(row), own_process::peak_kib(&[ALONE, &name(row), "1"])),
        Counting::Off => (None, None),
    };
    let cells = [
        Some(row.program()),
        Some(format!("`{}`", row.algorithm().name())),
        Some(model(row).name().to_owned()),
        Some(thousands(row.executions())),
        instructions.map(thousands),
        Some(format!("{:.2}", each * 1e6)),
        by_optimal.map(|times| format!("{times:.2}")),
        times(nidhugg),
        times(genmc),
        peak.map(|kib| kib.div_ceil(1024).to_string()),
    ];
    print_cells(&cells.map(|cell| cell.unwrap_or_else(|| "-".to_owned())));
}

fn print_cells(cells: &[String; COLUMNS.len()]) {
    for (position, (cell, (_, width))) in cells.iter().zip(COLUMNS).enumerate() {
        match position < TEXTS {
            true => print!("| {cell:<width$} "),
            false => print!("| {cell:>width$} "),
        }
    }
    println!("|");
}

/// The instructions of an execution; none without Valgrind.
fn counted(row: &dyn Row) -> Option<u64> {
    let name = name(row);
    let of_rounds = |counted, rounds| own_process::instructions(counted, &[ALONE, &name, rounds]);
    let all = match row.exploring() {
        Exploring::Within(pattern) => of_rounds(Counted::Within(pattern), "1")?,
        Exploring::Difference => of_rounds(Counted::All, "2")? - of_rounds(Counted::All, "1")?,
    };
    Some(all / row.executions())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(arguments: &str) -> Wanted {
        Wanted::of(arguments.split(' ').map(|argument| argument.replace('_', " ")))
    }

    #[test]
    fn arguments_are_read() {
        let Wanted::Table(selection) = wanted("--bench sigma --strategy graphs --instructions --faster=1.5") else {
            panic!("that is no row");
        };
        assert_eq!((&*selection.program, selection.strategy.as_deref()), ("sigma", Some("graphs")));
        assert_eq!((selection.counting, selection.faster), (Counting::On, 1.5));
        let row = "readers(8) optimal".to_owned();
        assert_eq!(wanted("--alone readers(8)_optimal 2"), Wanted::Alone { row, rounds: 2 });
    }
}
