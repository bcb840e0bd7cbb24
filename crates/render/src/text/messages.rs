//! Messages that were sent and not received, when no thread can go on.

use super::Style;
use super::names::{Names, line};
use super::numbers::count;
use super::wrap::{clean, cut_end, fill};
use everyway_report::Unreceived;

/// How many of them are shown.
const SHOWN: usize = 10;

/// How many characters of a message are shown.
const MESSAGE: usize = 60;

/// A sentence for each of `unreceived`, up to a number.
pub(super) fn render(unreceived: &[Unreceived], names: &Names, style: Style) -> String {
    let mut text = String::new();
    let mut push = |sentence: &str| {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        for line in fill(&words, style.width() - 2, 2) {
            text.push_str(&format!("  {line}\n"));
        }
    };
    for Unreceived { message, sender, receiver, source } in unreceived.iter().take(SHOWN) {
        let at = source.as_ref().map(|source| format!(", sent at {}", line(source))).unwrap_or_default();
        let message = cut_end(&clean(message), MESSAGE);
        push(&format!("never received: {message} from '{}' to {}{at}", names.name(*sender), clean(receiver)));
    }
    if let Some(more) = unreceived.len().checked_sub(SHOWN + 1) {
        push(&format!("... and {}", count(more as u64 + 1, "more message")));
    }
    text
}
