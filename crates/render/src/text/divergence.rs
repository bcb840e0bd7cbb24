//! Two runs of the same schedule, side by side around the step where they differ.

use super::Style;
use super::execution::{below, pieces, step};
use super::grid::{Column, GAP, Grid, Row, margin};
use super::names::{Names, Places};
use super::paint::Ink;
use super::wrap::{fit, paragraph};
use everyway_report::{Divergence, Execution};

/// How many steps are shown before and after the difference.
const AROUND: (usize, usize) = (4, 2);

/// What decides about a program besides its schedule, more or less by how often it does.
const SUSPECTS: [&str; 5] = [
    "time: clocks, timeouts, sleeping",
    "random numbers, unless their seed is fixed",
    "the order of a hash table, which may change from run to run",
    "addresses that are compared, hashed or printed",
    "state kept between executions: statics, thread-locals, files",
];

/// The two runs, and what they tell.
pub(super) fn render(divergence: &Divergence, now: &Execution, style: Style) -> String {
    let before = &divergence.before;
    let first = divergence.first_difference;
    let thread = |run: &Execution| run.events.get(first).map(|event| event.thread);
    let agreement = match first {
        // They need not have had the same schedule: what they tell of the threads does not go together.
        _ if thread(before) != thread(now) && thread(now).is_some() => match first {
            0 => "Two executions, which differ from the first step on:".to_owned(),
            _ => format!("Two executions, which agree up to {} and part at {}:", step(first - 1), step(first)),
        },
        0 => "The same schedule was run twice, and the very first step differs:".to_owned(),
        _ => format!(
            "The same schedule was run twice. The runs agree up to {} and differ at {}:",
            step(first - 1),
            step(first)
        ),
    };
    let end = before.events.len().max(now.events.len()).min(first.saturating_add(AROUND.1 + 1));
    let shown = first.saturating_sub(AROUND.0).min(end)..end;
    let mut text = paragraph(&agreement, "", style.width());
    if !shown.is_empty() {
        let room = style.width().saturating_sub(margin(end) + 2 * GAP) / 2;
        let runs = [("first run", before), ("second run", now)];
        let cells = runs.map(|(_, run)| shown.clone().map(|index| cell(run, index, room)).collect::<Vec<_>>());
        let columns = runs.iter().zip(&cells).map(|((title, _), cells)| {
            let widest = cells.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
            Column { title: (*title).to_owned(), width: widest.max(title.len()), ink: Ink::Plain }
        });
        let mut grid = Grid::new(style, end, columns.collect());
        for (offset, index) in shown.enumerate() {
            let cells = cells.iter().map(|run| run[offset].clone()).collect();
            grid.row(&Row { number: Some(index + 1), marked: index == first, cells });
        }
        text.push_str(&format!("\n{}", grid.finish()));
    }
    text
}

/// Where to look for the cause.
pub(super) fn suspects(style: Style) -> String {
    let lead = "tip: ";
    let intro = "something besides the order of the threads decides what this test does; look for";
    let mut text = paragraph(intro, lead, style.width()).replacen(lead, &style.paint(Ink::Tip, lead), 1);
    for suspect in SUSPECTS {
        text.push_str(&paragraph(suspect, "     - ", style.width()));
    }
    text
}

/// What the step `index` of `run` did, in lines of at most `room` characters.
fn cell(run: &Execution, index: usize, room: usize) -> Vec<String> {
    let Some(event) = run.events.get(index) else {
        let ended = if index == run.events.len() { "(no further step)" } else { "" };
        return fit(&[ended.to_owned()], room, 0);
    };
    let mut words = vec![format!("{}:", Names::new(run).name(event.thread))];
    words.extend(pieces(event));
    let mut lines = fit(&words, room, 2);
    let places = Places::new(run.events.iter().filter_map(|event| event.source.as_ref()));
    lines.extend(event.source.as_ref().map(|source| below(source, &places, room)));
    lines
}
