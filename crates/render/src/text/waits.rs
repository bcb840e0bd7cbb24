//! Who waits for whom, when no thread can go on.

use std::collections::BTreeSet;

use super::Style;
use super::names::{Names, line};
use super::wrap::{clean, fill, width};
use everyway_report::Wait;

/// A line for each of `waits`, and one for each cycle; two where the page is narrow.
pub(super) fn render(waits: &[Wait], names: &Names, style: Style) -> String {
    let mut text = String::new();
    let mut push = |sentence: &str, indent: usize| {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        for line in fill(&words, style.width() - indent, 2) {
            text.push_str(&format!("{:indent$}{line}\n", ""));
        }
    };
    for wait in waits {
        let (what, why) = (what(wait, names), reason(wait, names));
        match why.map(|why| format!("- {why}")) {
            Some(why) if 2 + width(&what) + 1 + width(&why) <= style.width() => push(&format!("{what} {why}"), 2),
            Some(why) => {
                push(&what, 2);
                push(&why, 6);
            }
            None => push(&what, 2),
        }
    }
    for cycle in cycles(waits) {
        push(&circle(&cycle, names), 2);
    }
    text
}

/// `thread 'a' waits in lock Mutex #2 at src/x.rs:10`.
fn what(wait: &Wait, names: &Names) -> String {
    let at = wait.source.as_ref().map(|source| format!(" at {}", line(source))).unwrap_or_default();
    format!("{} waits in {}{at}", names.thread(wait.thread), clean(&wait.operation))
}

/// `held by thread 'b' since src/x.rs:22`.
fn reason(wait: &Wait, names: &Names) -> Option<String> {
    let because = clean(wait.because.trim());
    let holder = wait.waits_for.map(|thread| names.thread(thread));
    match (holder, because.as_str()) {
        (None, "") => None,
        (Some(holder), "") => Some(format!("only {holder} can end that")),
        // Words with a name in them say who it is.
        (Some(holder), words) if !words.contains('\'') => Some(match words.strip_prefix("held") {
            Some(rest) => format!("held by {holder}{rest}"),
            None => format!("{holder} {}", words.strip_prefix("which ").unwrap_or(words)),
        }),
        _ => Some(because),
    }
}

/// The cycles of threads that wait for each other, each once, starting with its first thread in `waits`.
fn cycles(waits: &[Wait]) -> Vec<Vec<usize>> {
    let next = |thread: usize| waits.iter().find(|wait| wait.thread == thread).and_then(|wait| wait.waits_for);
    let mut known = BTreeSet::new();
    let mut cycles = Vec::new();
    for wait in waits {
        let mut path = vec![wait.thread];
        let back = loop {
            match path.last().and_then(|&thread| next(thread)) {
                Some(thread) if path.contains(&thread) => break Some(thread),
                Some(thread) => path.push(thread),
                None => break None,
            }
        };
        // A thread that only waits for one in a cycle is not in it: the cycle is found from its own threads.
        if back == Some(wait.thread) && !known.contains(&wait.thread) {
            known.extend(path.iter().copied());
            cycles.push(path);
        }
    }
    cycles
}

/// `cycle: a waits for b, which waits for a`.
fn circle(cycle: &[usize], names: &Names) -> String {
    let name = |thread: &usize| names.name(*thread);
    match cycle {
        [] => String::new(),
        [alone] => format!("cycle: {} waits for itself", name(alone)),
        [first, others @ ..] => {
            let chain: Vec<String> = others.iter().chain([first]).map(name).collect();
            format!("cycle: {} waits for {}", name(first), chain.join(", which waits for "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway_report::{Execution, Thread};

    #[test]
    fn a_reason_names_the_thread_once() {
        let threads = vec![Thread { name: "a".to_owned() }, Thread { name: "b".to_owned() }];
        let names = Names::new(&Execution { threads, events: Vec::new() });
        let reason = |waits_for: Option<usize>, because: &str| {
            let wait =
                Wait { thread: 0, operation: String::new(), source: None, waits_for, because: because.to_owned() };
            reason(&wait, &names).unwrap_or_default()
        };
        assert_eq!(reason(Some(1), "held since x.rs:9"), "held by thread 'b' since x.rs:9");
        assert_eq!(reason(Some(1), "held by 'b' since x.rs:9"), "held by 'b' since x.rs:9");
        assert_eq!(reason(Some(1), "held"), "held by thread 'b'");
        assert_eq!(reason(Some(1), "has not ended"), "thread 'b' has not ended");
        assert_eq!(reason(Some(1), "which has not ended"), "thread 'b' has not ended");
        assert_eq!(reason(Some(1), ""), "only thread 'b' can end that");
        assert_eq!(reason(None, "nobody notifies"), "nobody notifies");
        assert_eq!(reason(None, ""), "");
    }

    #[test]
    fn cycles_are_found_once_each() {
        let wait = |(thread, waits_for): &(usize, Option<usize>)| Wait {
            thread: *thread,
            operation: "lock".to_owned(),
            source: None,
            waits_for: *waits_for,
            because: String::new(),
        };
        let found = |edges: &[(usize, Option<usize>)]| cycles(&edges.iter().map(wait).collect::<Vec<_>>());
        assert_eq!(found(&[(0, Some(1)), (1, None)]), Vec::<Vec<usize>>::new());
        assert_eq!(found(&[(0, Some(0))]), [[0]]);
        assert_eq!(found(&[(0, Some(1)), (1, Some(2)), (2, Some(1))]), [[1, 2]]);
        assert_eq!(found(&[(1, Some(2)), (2, Some(1)), (3, Some(4)), (4, Some(3))]), [[1, 2], [3, 4]]);
        assert_eq!(found(&[(0, Some(9))]), Vec::<Vec<usize>>::new());
    }
}
