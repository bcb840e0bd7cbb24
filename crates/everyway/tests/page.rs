//! A failing check leaves a page for the browser beside its replay file.
#![cfg(feature = "model")]

use everyway::report::Verdict;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::thread;

#[test]
fn a_failure_can_be_seen_in_a_browser() {
    let report = everyway::explore(|| {
        let counter = Arc::new(AtomicU32::new(0));
        let other = counter.clone();
        let thread = thread::spawn(move || other.store(other.load(SeqCst) + 1, SeqCst)); // read by the page's test
        counter.store(counter.load(SeqCst) + 1, SeqCst);
        thread.join().unwrap();
        assert_eq!(counter.load(SeqCst), 2);
    });
    assert_eq!(report.verdict, Verdict::Bug);
    let path = report.notes.iter().find_map(|note| note.strip_prefix("to see the execution in a browser, open "));
    let path = path.unwrap_or_else(|| panic!("{:?}", report.notes));
    assert!(path.ends_with("everyway/page.a_failure_can_be_seen_in_a_browser.html"), "{path}");
    let page = std::fs::read_to_string(path).expect("the page");
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("// read by the page's test"), "the source is in it");
}

#[test]
fn a_check_that_passes_leaves_none() {
    let report = everyway::explore(|| {
        thread::spawn(|| ()).join().unwrap();
    });
    assert_eq!((report.verdict, report.notes.len()), (Verdict::Verified, 0));
}
