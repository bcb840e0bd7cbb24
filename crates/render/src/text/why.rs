//! What separates a failing execution from one that passes, in a sentence.

use super::Style;
use super::execution::step;
use super::names::Names;
use super::numbers::count;
use super::paint::Ink;
use super::wrap::{clean, paragraph};
use everyway_report::{Bug, Change, Event, Passing};

/// The sentence, as a paragraph; empty if no execution that passes is known.
pub(super) fn render(bug: &Bug, style: Style) -> String {
    let Some(sentence) = sentence(bug) else { return String::new() };
    let lead = "why: ";
    paragraph(&sentence, lead, style.width()).replacen(lead, &style.paint(Ink::Strong, lead), 1)
}

/// `had load flag of 'a' (step 7) come before store flag of 'b' (step 5), it would have passed`.
pub(crate) fn sentence(bug: &Bug) -> Option<String> {
    let passing = bug.passing.as_ref()?;
    let names = Names::new(&bug.execution);
    let told = |event: &Event| format!("`{}` of {}", brief(event), names.thread(event.thread));
    let (earlier, later) = match passing.change {
        Some(Change { overtaken, moved, moved_to }) => {
            let overtaken_event = bug.execution.events.get(overtaken)?;
            let moved = match moved.and_then(|moved| Some((moved, bug.execution.events.get(moved)?))) {
                Some((moved, event)) => format!("{} ({})", told(event), step(moved)),
                None => told(passing.execution.events.get(moved_to)?),
            };
            (moved, format!("{} ({})", told(overtaken_event), step(overtaken)))
        }
        None => return Some(beginning(passing) + ", and passes"),
    };
    Some(match passing.is_only {
        true => format!("had {earlier} come before {later}, it would have passed"),
        false => format!("{}, and passes: in it, {earlier} comes before {later}", beginning(passing)),
    })
}

/// `another execution begins with the same 4 steps`.
fn beginning(passing: &Passing) -> String {
    match passing.first_difference {
        0 => "another execution begins with another step".to_owned(),
        1 => "another execution begins with the same step".to_owned(),
        same => format!("another execution begins with the same {}", count(same as u64, "step")),
    }
}

/// What was done to what, without values: they may be others in another order.
fn brief(event: &Event) -> String {
    let words = [clean(&event.operation), clean(&event.object)];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
