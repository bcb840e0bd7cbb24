//! The page where nothing went wrong, and the colours of all pages.

use everyway_render::text::{Style, render};
use everyway_report::{Executions, Verdict};

use crate::assert_page;
use crate::samples::{deadlock, panic, passed};

fn complete(complete: u64) -> Executions {
    Executions { complete, ..Executions::default() }
}

#[test]
fn verified() {
    let report = passed(Verdict::Verified, complete(256));
    assert_page(&report, 100, "verified: 256 executions, none fails (0.01 s)\n");
}

#[test]
fn verified_with_more_to_say() {
    let mut report =
        passed(Verdict::Verified, Executions { complete: 131_614, blocked: 1_200, redundant: 3, failed: 0 });
    report.seconds = 75.2;
    report.notes =
        vec!["spurious wakeups are not explored".to_owned(), "atomics are sequentially consistent".to_owned()];
    assert_page(
        &report,
        100,
        r"
verified: 132,817 executions, none fails (1 min 15 s, 1,200 blocked, 3 redundant)
note: spurious wakeups are not explored
note: atomics are sequentially consistent
",
    );
}

#[test]
fn verified_at_once() {
    let report = passed(Verdict::Verified, complete(1));
    assert_page(&report, 100, "verified: 1 execution, which does not fail (0.01 s)\n");
}

#[test]
fn incomplete() {
    let mut report = passed(Verdict::Incomplete, Executions { complete: 990, blocked: 10, ..Executions::default() });
    report.cut = vec![
        "the limit of 1000 executions was reached".to_owned(),
        "loops were unrolled 4 times at most, which cut 12 executions".to_owned(),
    ];
    assert_page(
        &report,
        60,
        r"
incomplete: no failure in 1,000 executions, but not everything was explored (0.01 s, 10 blocked)
  - the limit of 1000 executions was reached
  - loops were unrolled 4 times at most, which cut 12
    executions
",
    );
}

#[test]
fn what_was_cut_is_never_verified() {
    let mut report = passed(Verdict::Verified, complete(7));
    report.cut = vec!["the time was up".to_owned()];
    assert!(render(&report, Style::default()).starts_with("incomplete: "));
}

#[test]
fn a_bug_without_anything_known_of_it() {
    assert_page(&passed(Verdict::Bug, complete(7)), 100, "error: an execution fails\n");
}

#[test]
fn what_was_cut_before_a_bug_is_said() {
    let mut report = deadlock();
    report.cut = vec!["loops were unrolled 4 times at most".to_owned()];
    report.notes = vec!["atomics are sequentially consistent".to_owned()];
    let page = render(&report, Style::default());
    let notes = "\nnote: loops were unrolled 4 times at most\nnote: atomics are sequentially consistent\n";
    assert!(page.contains(notes), "{page}");
}

#[test]
fn colors() {
    let color = Style { color: true, width: 100 };
    let verified = passed(Verdict::Verified, complete(256));
    assert_eq!(render(&verified, color), "\u{1b}[1;32mverified\u{1b}[0m: 256 executions, none fails (0.01 s)\n");
    let failed = render(&panic(), color);
    assert!(failed.starts_with("\u{1b}[1;31merror\u{1b}[0m\u{1b}[1m: thread 'main' panicked"), "{failed}");
}

#[test]
fn colors_change_nothing_else() {
    for report in [panic(), deadlock(), passed(Verdict::Incomplete, complete(2))] {
        let plain = render(&report, Style::default());
        let colored = render(&report, Style { color: true, ..Style::default() });
        assert!(!plain.contains('\u{1b}'));
        assert_ne!(plain, colored);
        let mut parts = colored.split("\u{1b}[");
        let first = parts.next().unwrap_or_default().to_owned();
        let stripped = parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest));
        assert_eq!(stripped, plain);
    }
}
