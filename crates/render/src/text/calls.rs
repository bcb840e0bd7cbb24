//! The calls that steps are in: `in push, called from producer (main.c:12)`. Where in the innermost is told beside the
//! step.
//!
//! What a step is shown with is where in the program it is. Where it is in a function that a thread was not started
//! with, how it came there tells more; the same calls are named once for all their steps.

use super::Style;
use super::names::{Places, line};
use super::numbers::thousands;
use super::wrap::{clean, fill};
use everyway_report::{Bug, Call, Execution, Source};
use std::collections::HashMap;

/// So many different calls are named, those of the last steps.
const SHOWN: usize = 12;

/// A line for each sequence of calls that steps are in; none for those that are in the first function of a thread.
pub(super) fn render(execution: &Execution, style: Style) -> String {
    let mut known: Vec<(&[Call], Vec<usize>)> = Vec::new();
    // Calls are alike whatever the place is in the innermost function.
    let mut numbers_of: HashMap<(&str, &[Call]), usize> = HashMap::new();
    for (index, event) in execution.events.iter().enumerate() {
        let calls = shown(&event.calls, event.source.as_ref());
        let [innermost, outer @ ..] = calls else { continue };
        if outer.is_empty() {
            continue;
        }
        let number = *numbers_of.entry((innermost.function.as_str(), outer)).or_insert(known.len());
        match known.get_mut(number) {
            Some((_, steps)) => steps.push(index),
            None => known.push((calls, vec![index])),
        }
    }
    let places = Places::new(known.iter().flat_map(|(calls, _)| *calls).filter_map(|call| call.source.as_ref()));
    let omitted = known.len().saturating_sub(SHOWN);
    let left_out = match omitted {
        0 => None,
        1 => Some("  the calls of an earlier step are left out here\n".to_owned()),
        _ => Some(format!("  {omitted} others, of earlier steps, are left out here\n")),
    };
    let lines = known.iter().skip(omitted).map(|(calls, steps)| {
        sentence(&format!("{}: {}", numbers(steps), chain(calls, &|source| places.short(source))), 2, style)
    });
    left_out.into_iter().chain(lines).collect()
}

/// The calls without those that come behind the place that is shown: of functions in the headers of a library, say.
fn shown<'c>(calls: &'c [Call], source: Option<&Source>) -> &'c [Call] {
    let is_there = |call: &Call| match (&call.source, source) {
        (Some(call), Some(source)) => (&call.file, call.line) == (&source.file, source.line),
        _ => false,
    };
    &calls[calls.iter().position(is_there).unwrap_or(0)..]
}

/// The calls in a line, where there is more than one.
pub(super) fn of_bug(bug: &Bug, style: Style) -> String {
    let calls = shown(&bug.calls, bug.source.as_ref());
    if calls.len() > 1 { sentence(&chain(calls, &line), 6, style) } else { String::new() }
}

fn sentence(words: &str, indent: usize, style: Style) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    let lines = fill(&words, style.width() - indent, 4);
    lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

/// `in push, called from producer (main.c:12)`.
fn chain(calls: &[Call], line: &dyn Fn(&Source) -> String) -> String {
    let call = |(depth, call): (usize, &Call)| {
        let source = call.source.as_ref().filter(|_| depth > 0);
        let place = source.map(|source| format!(" ({})", line(source))).unwrap_or_default();
        let rest = match call.left_out {
            0 => String::new(),
            1 => ", called from another call that is left out here".to_owned(),
            left_out => format!(", called from {} others that are left out here", thousands(left_out as u64)),
        };
        brief(&clean(&call.function)) + &place + &rest
    };
    format!("in {}", calls.iter().enumerate().map(call).collect::<Vec<_>>().join(", called from "))
}

/// The name of a function without the arguments of templates, which tell little and can fill lines: `queue<..>::push`.
fn brief(function: &str) -> String {
    // Those of operators are no brackets, and what Rust has in some at the beginning is what the function is of.
    if function.contains("operator")
        || function.starts_with('<')
        || function.matches('<').count() != function.matches('>').count()
    {
        return function.to_owned();
    }
    let mut name = String::new();
    let mut depth = 0_usize;
    for c in function.chars() {
        match c {
            '<' if depth == 0 => name.push_str("<..>"),
            '>' => {}
            _ if depth == 0 => name.push(c),
            _ => {}
        }
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    name
}

/// `step 3`, `steps 3 and 7`, `steps 3, 7 and 9 more`.
fn numbers(steps: &[usize]) -> String {
    let number = |index: usize| thousands(index as u64 + 1);
    match steps {
        [one] => format!("step {}", number(*one)),
        [one, two] => format!("steps {} and {}", number(*one), number(*two)),
        [one, two, three] => format!("steps {}, {} and {}", number(*one), number(*two), number(*three)),
        [one, two, rest @ ..] => format!("steps {}, {} and {} more", number(*one), number(*two), rest.len()),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn arguments_of_templates_are_left_out() {
        assert_eq!(brief("a::queue<int, b<(unsigned long)3> >::pop<int>"), "a::queue<..>::pop<..>");
        assert_eq!(brief("x::operator<<"), "x::operator<<");
        assert_eq!(brief("<T as Shared<u8>>::load"), "<T as Shared<u8>>::load");
        assert_eq!(brief("push"), "push");
    }
}
