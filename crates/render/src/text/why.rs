//! Why an execution fails, in a sentence.

use super::execution::step;
use super::names::Names;
use super::numbers::count;
use super::paint::Ink;
use super::wrap::{clean, paragraph};
use super::{Style, unordered};
use everyway_report::{Bug, Change, Event, Finds, Passing};

/// The sentence, as a paragraph; empty if there is nothing to say.
pub(super) fn render(bug: &Bug, style: Style) -> String {
    let Some(sentence) = sentence(bug) else { return String::new() };
    let lead = "why: ";
    paragraph(&sentence, lead, style.width()).replacen(lead, &style.paint(Ink::Strong, lead), 1)
}

/// What is missing between accesses that race, and what separates the execution from one that passes.
pub(crate) fn sentence(bug: &Bug) -> Option<String> {
    let parts: Vec<String> = unordered::sentence(bug).into_iter().chain(separates(bug)).collect();
    Some(parts.join("; ")).filter(|sentence| !sentence.is_empty())
}

/// `had load flag of 'a' (step 7) come before store flag of 'b' (step 5), it would have passed`.
fn separates(bug: &Bug) -> Option<String> {
    let passing = bug.passing.as_ref()?;
    let sides = Sides { bug, passing, names: Names::new(&bug.execution) };
    match passing.change {
        None => Some(beginning(passing) + ", and passes"),
        Some(Change::Order { overtaken, moved, moved_to }) => {
            let (earlier, later) = (sides.step(moved, moved_to)?, sides.step(Some(overtaken), overtaken)?);
            Some(match passing.is_only {
                true => format!("had {earlier} come before {later}, it would have passed"),
                false => format!("{}, and passes: in it, {earlier} comes before {later}", beginning(passing)),
            })
        }
        Some(Change::Source { step, finds, instead_of, found, found_in_passing }) => {
            let step = sides.step(Some(step), step)?;
            let initial = || Some("the initial value".to_owned());
            let before = instead_of.map_or_else(initial, |write| sides.step(Some(write), write))?;
            let now = found_in_passing.map_or_else(initial, |write| sides.step(found, write))?;
            let (had, does) = match finds {
                Finds::Reads => ("read", "reads"),
                Finds::Overwrites => ("overwritten", "overwrites"),
            };
            Some(match passing.is_only {
                true => format!("had {step} {had} {now} instead of {before}, it would have passed"),
                false => {
                    format!("{}, and passes: in it, {step} {does} {now} instead of {before}", beginning(passing))
                }
            })
        }
    }
}

/// The two executions, with what is in them in words.
struct Sides<'a> {
    bug: &'a Bug,
    passing: &'a Passing,
    names: Names,
}

impl Sides<'_> {
    /// A step by its index in the failing execution, with its number, or by that in the other if it is only there.
    fn step(&self, failing: Option<usize>, passing: usize) -> Option<String> {
        let told = |event: &Event| format!("`{}` of {}", brief(event), self.names.thread(event.thread));
        match failing {
            Some(index) => Some(format!("{} ({})", told(self.bug.execution.events.get(index)?), step(index))),
            None => self.passing.execution.events.get(passing).map(told),
        }
    }
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
