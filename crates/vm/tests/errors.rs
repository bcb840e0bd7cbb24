//! Programs with a mistake that must be found, or without one although it looks like it.

mod common;

use common::{explore, headers, load, programs};
use everyway_explore::{Algorithm, Order};
use everyway_vm::{Leaks, Settings};

#[test]
fn mistakes_are_found_and_named() {
    let mut wrong = Vec::new();
    for file in programs("errors") {
        let has = |word: &str| headers(&file, "settings").iter().any(|line| line.contains(word));
        let settings = Settings {
            leaks: if has("leaks") { Leaks::NeverFreed } else { Leaks::Allowed },
            races: has("races"),
            spurious_wakeups: has("spurious"),
            ..Settings::default()
        };
        let module = load(&file, &["-O0"]);
        let explored = explore(&module, settings, Algorithm::Optimal, Order::Lowest);
        let expected = headers(&file, "bug").pop().expect("what is to be found");
        let found = explored.failure.as_ref().map_or("none".to_owned(), |failure| {
            let source = explored.machine.as_ref().and_then(|machine| machine.source(failure.location));
            let line = source.map_or(String::new(), |source| format!(" at line {}", source.line));
            format!("{}{line}: {}", failure.kind, failure.message)
        });
        if !found.contains(&expected) {
            wrong.push(format!("{}: found {found}, expected {expected}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
