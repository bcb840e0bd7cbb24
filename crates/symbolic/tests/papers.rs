//! The programs of TACAS 2008: verdicts and depths of Table 1, and that the reductions leave less and less to do.
//!
//! The larger rows, and the times, are in the benchmark.

mod common;

use common::{papers_program, run_again, symbolic};
use everyway_symbolic::{Checked, Reduction, Verdict};

fn conflicts(checked: &Checked) -> u64 {
    checked.statistics.conflicts.expect("the solver that is built in counts them")
}

/// Both properties of N philosophers: the first one cannot be violated, the second one can in 7N + 1 steps.
fn philosophers(n: usize, reduction: Reduction) -> Option<(Checked, Checked)> {
    let count = format!("-DN={n}");
    let depth = 7 * n + 1;
    let first = symbolic(&*papers_program("phil", &[&count])?, reduction, depth);
    assert_eq!(first.verdict, Verdict::Verified { steps: depth }, "pa, {}", reduction.name());
    let module = papers_program("phil", &[&count, "-DPB"])?;
    let second = symbolic(&module, reduction, depth);
    let Verdict::Bug(found, _) = &second.verdict else { panic!("pb, {}: {:?}", reduction.name(), second.verdict) };
    assert_eq!(found.steps.len(), depth, "pb, {}", reduction.name());
    assert!(run_again(&module, &second.verdict).is_some(), "it fails when it is run");
    Some((first, second))
}

#[test]
fn two_philosophers() {
    let mut before = u64::MAX;
    for reduction in [Reduction::None, Reduction::Static, Reduction::Simple] {
        let Some((first, _)) = philosophers(2, reduction) else { return };
        assert!(conflicts(&first) < before, "{} conflicts with {}", conflicts(&first), reduction.name());
        before = conflicts(&first);
    }
    philosophers(2, Reduction::Full);
}

#[test]
fn three_philosophers() {
    philosophers(3, Reduction::Full);
}

/// All threads have completed after 5N + 1 steps, and not before.
fn indexer(n: usize, reduction: Reduction) -> Option<Checked> {
    let module = papers_program("indexer", &[&format!("-DN={n}")])?;
    let depth = 5 * n;
    let below = symbolic(&module, reduction, depth);
    assert_eq!(below.verdict, Verdict::Bounded { steps: depth }, "{}", reduction.name());
    let beyond = symbolic(&module, reduction, depth + 1);
    let Verdict::Bug(found, _) = &beyond.verdict else { panic!("{}: {:?}", reduction.name(), beyond.verdict) };
    assert_eq!(found.steps.len(), depth + 1);
    assert!(run_again(&module, &beyond.verdict).is_some(), "it fails when it is run");
    Some(below)
}

#[test]
fn two_indexers() {
    for reduction in Reduction::ALL {
        indexer(2, reduction);
    }
}
