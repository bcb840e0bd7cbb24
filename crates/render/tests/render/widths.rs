//! What holds of the page about any execution.

use everyway_render::text::{Style, render};
use everyway_render::{dot, github, html, json, sarif};
use everyway_report::{BugKind, Divergence, Event, Execution, Report, Source};

use crate::samples::{bug, event, execution, failed, wait};

/// Numbers that look random, and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const FILES: [&str; 4] =
    ["a.c", "src/lib.rs", "/home/me/.cargo/registry/src/index/crossbeam-0.8.2/src/queue.rs", "ünï/x.rs"];
const NAMES: [&str; 5] = ["main", "a", "worker of the second pool, retired", "θ", ""];
const OPERATIONS: [&str; 4] = ["lock", "compare_exchange_weak", "load", ""];
const OBJECTS: [&str; 4] = ["x", "AtomicUsize #123", "queue.segments[3].slots[12].sequence", ""];
const VALUES: [&str; 4] =
    ["", "1 -> 2", "Node { next: Some(0x7fff5fbff8a0), value: \"a rather long text\" }", "ok\nthen"];

fn random_event(numbers: &mut Numbers, threads: usize) -> Event {
    let reads_from: Vec<usize> = (0..numbers.below(3)).map(|_| numbers.below(1_000_000)).collect();
    let mut event = event(
        numbers.below(threads),
        numbers.pick(&OPERATIONS),
        numbers.pick(&OBJECTS),
        numbers.pick(&VALUES),
        0,
        &reads_from,
    );
    let source = Source { file: numbers.pick(&FILES).to_owned(), line: numbers.below(5_000) as u32, column: 1 };
    event.source = (numbers.below(5) > 0).then_some(source);
    event
}

fn random_execution(numbers: &mut Numbers) -> Execution {
    let threads = 1 + numbers.below(10);
    let names: Vec<&str> = (0..threads).map(|_| numbers.pick(&NAMES)).collect();
    let length = numbers.pick(&[0, 1, 5, 30, 79, 200]);
    let events = (0..length).map(|_| random_event(numbers, threads)).collect();
    execution(&names, events)
}

fn random_report(numbers: &mut Numbers) -> Report {
    let kinds = [BugKind::Panic, BugKind::Deadlock, BugKind::Nondeterminism, BugKind::StepLimit];
    let kind = numbers.pick(&kinds);
    let mut bug = bug(kind, "", random_execution(numbers));
    bug.thread = Some(numbers.below(3));
    bug.replay = None;
    match kind {
        BugKind::Deadlock => {
            bug.waits = (0..numbers.below(4)).map(|thread| wait(thread, "lock Mutex #1", 3, Some(0), "held")).collect();
        }
        BugKind::Nondeterminism => {
            let before = random_execution(numbers);
            bug.divergence = Some(Divergence { before, first_difference: numbers.below(300) });
        }
        _ => {}
    }
    failed(bug, 12_345, 678)
}

#[test]
fn no_line_is_longer_than_the_page() {
    let mut numbers = Numbers(1);
    for round in 0..2_000 {
        let report = random_report(&mut numbers);
        let width = 40 + numbers.below(120);
        let page = render(&report, Style { color: false, width });
        for line in page.lines().skip(1) {
            assert!(line.chars().count() <= width, "round {round}, width {width}: {line}\n\n{page}");
        }
        assert!(page.lines().all(|line| line == line.trim_end()), "round {round}: spaces at the end\n\n{page}");
        assert!(!page.contains("\n\n\n") && page.ends_with('\n'), "round {round}: empty lines\n\n{page}");
    }
}

#[test]
fn bars_stand_below_each_other() {
    let mut numbers = Numbers(2);
    for round in 0..500 {
        let mut report = random_report(&mut numbers);
        for event in report.bug.iter_mut().flat_map(|bug| &mut bug.execution.events) {
            event.value.clear();
        }
        let page = render(&report, Style { color: false, width: 100 });
        let bars = |line: &str| line.chars().enumerate().filter(|(_, c)| "|+".contains(*c)).map(|(at, _)| at).collect();
        let rows: Vec<Vec<usize>> =
            page.lines().filter(|line| line.contains(" |") && !line.contains("... |")).map(bars).collect();
        assert!(rows.windows(2).all(|rows| rows[0] == rows[1]), "round {round}\n\n{page}");
    }
}

#[test]
fn every_step_is_on_the_page_or_counted_there() {
    let mut numbers = Numbers(3);
    for _ in 0..500 {
        let report = random_report(&mut numbers);
        let Some(bug) = report.bug.as_ref().filter(|bug| bug.divergence.is_none()) else { continue };
        let page = render(&report, Style { color: false, width: 40 + numbers.below(120) });
        let length = bug.execution.events.len();
        let is_shown = |step: usize| {
            page.lines()
                .any(|line| line.starts_with(&format!("{step:>6} |")) || line.starts_with(&format!("> {step:>4} |")))
        };
        let remarks = page.lines().filter_map(|line| line.trim_start().strip_prefix("... | "));
        let counts =
            remarks.filter_map(|remark| remark.split_once(" steps").and_then(|(count, _)| count.parse::<usize>().ok()));
        let shown = (1..=length).filter(|&step| is_shown(step)).count();
        assert_eq!(shown + counts.sum::<usize>(), length, "{page}");
        assert!(shown == length || length > 30, "{page}");
    }
}

#[test]
fn a_report_that_makes_no_sense_is_still_printed() {
    let nowhere = usize::MAX;
    let mut bug = bug(BugKind::Panic, "", execution(&[], vec![event(nowhere, "", "", "", 0, &[nowhere])]));
    bug.thread = Some(7);
    bug.waits = vec![wait(nowhere, "", 0, Some(nowhere), ""), wait(3, "", 0, Some(nowhere), "held")];
    let mut report = failed(bug, u64::MAX, u64::MAX);
    report.seconds = f64::NAN;
    for first_difference in [0, 1, 2, nowhere] {
        for width in [0, 1, 40, usize::MAX] {
            assert!(render(&report, Style { color: true, width }).contains("error"));
        }
        if let Some(bug) = &mut report.bug {
            bug.divergence = Some(Divergence { before: Execution::default(), first_difference });
        }
    }
}

/// A report may come from a file, where an index can be anything.
#[test]
fn no_report_is_too_strange_for_any_format() {
    let mut numbers = Numbers(4);
    for _ in 0..300 {
        let mut report = random_report(&mut numbers);
        let bug = report.bug.as_mut().expect("a bug");
        for event in &mut bug.execution.events {
            event.thread = numbers.pick(&[0, 1, 2, 11, usize::MAX]);
            event.happens_after = (0..numbers.below(3)).map(|_| numbers.pick(&[0, 3, 29, 400, usize::MAX])).collect();
            event.could_read = (0..numbers.below(2)).map(|_| numbers.pick(&[0, 7, usize::MAX])).collect();
            event.overwrites = Some(numbers.pick(&[1, usize::MAX]));
        }
        bug.thread = Some(numbers.pick(&[0, usize::MAX]));
        let text = json::to_string(&report).expect("JSON");
        let report = json::from_str(&text).expect("a report");
        assert!(html::render(&report, &[]).ends_with("</html>\n"));
        assert!(serde_json::from_str::<serde_json::Value>(&sarif::render(&report)).is_ok());
        assert!(dot::render(&report).ends_with("}\n"));
        assert!(github::render(&report).starts_with("::error "));
        assert!(!render(&report, Style::default()).is_empty());
    }
}
