//! Tests of what is read of a report: the page and the JSON.

mod colours;
mod failures;
mod formats;
mod json;
mod reasons;
mod samples;
mod several;
mod tables;
mod verdicts;
mod widths;

use everyway_render::text::{Style, render};
use everyway_report::Report;

/// Checks that `report` is printed as `page`, which starts with an empty line to look well in the source.
#[track_caller]
fn assert_page(report: &Report, width: usize, page: &str) {
    let printed = render(report, Style { color: false, width });
    let page = page.strip_prefix('\n').unwrap_or(page);
    assert!(printed == page, "expected:\n\n{page}\n\nprinted:\n\n{printed}");
}
