//! Jonsson, Lång, Sagonas: Awaiting for Godot, FMCAD 2022. The rows and the paper's numbers stand at the top of the
//! programs themselves, where the command's tests read them, too.

use crate::table::{Cell, Column, Count, OPEN, Program, Size, Table};
use everyway_pipeline::columns;
use everyway_pipeline::program::papers_program;

const TABLE_1: [(&str, &str, Option<&str>); 12] = [
    ("qspinlock", "qspinlock", Some(MORE_ROUNDS)),
    ("mcslock", "mcslock", Some(MCSLOCK)),
    ("twalock", "twalock", None),
    ("mutex-musl", "mutex_musl", None),
    ("mutex", "mutex", None),
    ("ms-queue", "ms_queue", Some(MS_QUEUE)),
    ("linuxrwlocks", "linuxrwlocks", None),
    ("ttaslock", "ttas_spin_lock", None),
    ("seqlock", "seqlock", Some(MORE_ROUNDS)),
    ("mpmc-queue", "mpmc_queue", Some(BITS)),
    ("treiber-stack", "treiber_stack", None),
    ("sortnet", "sortnet", None),
];

const MORE_ROUNDS: &str =
    "More rounds are seen to do nothing here than by the paper's tool, and more of them are waited for.";
const MCSLOCK: &str = "The loop of the paper's unlock is cut after three rounds; ours waits, as an assumption in its place \
                       would. With that loop cut there are 336+426 and 336+72 here as well: the program's tests have it.";
const MS_QUEUE: &str = "The rounds of the queue's loops are seen to do nothing here, where the paper's tool does not see \
                        it. The tool that it compares with, SAVER, does, and has 75+284.";
const BITS: &str = "What is waited for is a condition over single bits here: fewer executions than the paper's are \
                    blocked.";

pub(crate) fn tables() -> Vec<Table> {
    let about = "Programs with loops that spin: complete and blocked executions of the paper's four columns of its own \
                 tool.";
    let mut table = Table::new("FMCAD 2022, Table I", about, &columns());
    for (name, file, why) in TABLE_1 {
        table = with_rows(table, name, file, why);
    }
    let about = "SafeStack, in versions too short to show its bug.";
    let second = with_rows(Table::new("FMCAD 2022, Table II", about, &columns()), "safestack", "safestack", None);
    vec![table, second]
}

fn columns() -> [Column; 4] {
    let names = ["baseline", "PLP", "PLP+Await", "…+IFAA"];
    std::array::from_fn(|index| Column { name: names[index], flags: columns::Column::ALL[index].flags() })
}

/// With the rows at the top of a program for which the paper has numbers.
fn with_rows(mut table: Table, name: &str, file: &'static str, why: Option<&'static str>) -> Table {
    let text = std::fs::read_to_string(papers_program(file)).unwrap_or_default();
    for row in columns::rows(&text).into_iter().filter(|row| row.paper.iter().any(Option::is_some)) {
        let size = |column: usize| match row.expected[column] {
            Some(_) if !row.is_large => Size::Small,
            _ => Size::Large,
        };
        let cells: Vec<Cell> = (0..4)
            .map(|column| match row.paper[column] {
                Some((complete, blocked)) => Cell { paper: Some(Count::Split(complete, blocked)), size: size(column) },
                None => Cell { size: size(column), ..OPEN },
            })
            .collect();
        let definitions: Vec<_> = row.flags.iter().filter_map(|flag| flag.strip_prefix("-D")).collect();
        table =
            table.row_with(format!("{name}, {}", definitions.join(" ")), Program::C(file, row.flags.clone()), &cells);
        if let Some(why) = why {
            table = table.because(why);
        }
    }
    table
}
