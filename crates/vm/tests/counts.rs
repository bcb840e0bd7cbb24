//! Programs of papers, with the numbers of executions that they must have.

mod common;

use common::{explore, headers, load, programs};
use everyway_explore::{Algorithm, Counts, Order};
use everyway_vm::Settings;
use std::path::Path;

/// Explores `file` as the header lines of `word` say, and compares `count` with what they say.
fn check(file: &Path, word: &str, algorithm: Algorithm, order: &Order, count: impl Fn(Counts) -> String) {
    for line in headers(file, word) {
        let (flags, expected) = line.rsplit_once(' ').expect("flags, then a count");
        let module = load(file, &flags.split(' ').collect::<Vec<_>>());
        let explored = explore(&module, Settings::default(), algorithm, order.clone());
        assert!(explored.failure.is_none(), "{} {flags}: {:?}", file.display(), explored.failure);
        assert_eq!(count(explored.counts), expected, "{} {flags}, {word} {order:?}", file.display());
    }
}

fn complete_and_blocked(counts: Counts) -> String {
    assert_eq!(counts.redundant, 0);
    format!("{}+{}", counts.complete, counts.blocked)
}

#[test]
fn optimal_explores_as_many_executions_as_the_papers_say() {
    for file in programs("counts") {
        check(&file, "optimal", Algorithm::Optimal, &Order::Lowest, complete_and_blocked);
        check(&file, "total", Algorithm::Optimal, &Order::Lowest, |counts| counts.executions().to_string());
    }
}

#[test]
fn the_counts_do_not_depend_on_which_thread_is_tried_first() {
    for file in programs("counts") {
        for order in [Order::Highest, Order::Random(7)] {
            check(&file, "optimal", Algorithm::Optimal, &order, complete_and_blocked);
        }
    }
}
