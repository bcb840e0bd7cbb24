//! An execution as a table: a row for each step, a column for each thread.

use super::Style;
use super::fold::{self, Line};
use super::grid::{Column, Grid, Row};
use super::layout::{Form, Layout, Step, Where, choose};
use super::names::{Names, Places, line};
use super::numbers::{count, thousands};
use super::paint::Ink;
use super::wrap::{clean, cut_end, cut_start, fit};
use everyway_report::{Bug, BugKind, Event, Source};

/// How many characters of a value are shown.
const VALUE: usize = 60;

/// The lines of a cell but the first are indented, to be told from the next cell.
const HANG: usize = 2;

/// The execution that shows `bug`; empty if it has no steps.
pub(super) fn render(bug: &Bug, names: &Names, style: Style) -> String {
    let events = &bug.execution.events;
    let lines = fold::lines(bug);
    let shown = lines.iter().filter_map(|line| match line {
        Line::Step(index) => Some((*index, &events[*index])),
        Line::Folded(..) => None,
    });
    let mut steps: Vec<Step<'_>> = Vec::new();
    for (index, event) in shown {
        steps.push(Step {
            number: Some(index + 1),
            thread: event.thread,
            pieces: pieces(event),
            source: event.source.as_ref(),
            marked: false,
        });
    }
    let ending = |(thread, pieces, source)| Step { number: None, thread, pieces, source, marked: true };
    let endings: Vec<Step<'_>> = endings(bug).into_iter().map(ending).collect();
    if let Some(last) = steps.last_mut().filter(|_| endings.is_empty()) {
        last.marked = true;
    }
    steps.extend(endings);
    if steps.is_empty() && lines.is_empty() {
        return String::new();
    }

    let places = Places::new(steps.iter().filter_map(|step| step.source));
    let layout = choose(&steps, names, &places, events.len(), style.width());
    let mut grid = Grid::new(style, events.len(), columns(&layout, names));
    let mut steps = steps.iter();
    for line in &lines {
        match line {
            Line::Step(_) => steps.by_ref().take(1).for_each(|step| grid.row(&row(step, &layout, names, &places))),
            Line::Folded(folded, why) => grid.omission(&fold::remark(bug, names, folded, *why), style.width()),
        }
    }
    steps.for_each(|step| grid.row(&row(step, &layout, names, &places)));
    let length = count(events.len() as u64, "step");
    format!("{} {length}\n\n{}", style.paint(Ink::Strong, "execution:"), grid.finish())
}

/// What `event` did, in pieces that should not be broken.
pub(super) fn pieces(event: &Event) -> Vec<String> {
    let value = cut_end(&clean(&event.value), VALUE);
    let object = match (clean(&event.object), value.is_empty()) {
        (object, true) => object,
        (object, false) if object.is_empty() => value,
        (object, false) => format!("{object}: {value}"),
    };
    let mut pieces = vec![clean(&event.operation), object];
    pieces.retain(|piece| !piece.is_empty());
    if !event.reads_from.is_empty() {
        // Sorted, since a reader looks for them from above.
        let mut from = event.reads_from.clone();
        from.sort_unstable();
        let numbers: Vec<String> = from.iter().map(|&index| index.saturating_add(1).to_string()).collect();
        pieces.push(format!("<- step{} {}", if from.len() == 1 { "" } else { "s" }, numbers.join(", ")));
    }
    pieces
}

/// What is seen at the end of the execution but is not an event of it: the panic itself, or the waiting threads.
pub(crate) fn endings(bug: &Bug) -> Vec<(usize, Vec<String>, Option<&Source>)> {
    if !bug.waits.is_empty() {
        let wait = |wait: &'_ everyway_report::Wait| vec!["waits in".to_owned(), clean(&wait.operation)];
        return bug.waits.iter().map(|w| (w.thread, wait(w), w.source.as_ref())).collect();
    }
    let says_so = bug.execution.events.last().is_some_and(|event| event.operation.starts_with("panic"));
    match bug.thread {
        Some(thread) if bug.kind == BugKind::Panic && !says_so => {
            vec![(thread, vec!["panicked".to_owned()], bug.source.as_ref())]
        }
        _ => Vec::new(),
    }
}

fn columns(layout: &Layout, names: &Names) -> Vec<Column> {
    let plain = |title: String, width| Column { title, width, ink: Ink::Plain };
    let mut columns = match &layout.form {
        Form::Columns(threads) => threads.iter().map(|&(thread, width)| plain(names.name(thread), width)).collect(),
        Form::List { names, steps } => {
            vec![plain("thread".to_owned(), *names), plain("operation".to_owned(), *steps)]
        }
    };
    if let Some(width) = layout.place_width {
        columns.push(Column { title: "where".to_owned(), width, ink: Ink::Faint });
    }
    columns
}

fn row(step: &Step<'_>, layout: &Layout, names: &Names, places: &Places) -> Row {
    let done = |width: usize| {
        let mut lines = fit(&step.pieces, width, HANG);
        if layout.places == Where::Below {
            lines.extend(step.source.map(|source| below(source, places, width)));
        }
        lines
    };
    let mut cells: Vec<Vec<String>> = match &layout.form {
        Form::Columns(threads) => threads
            .iter()
            .map(|&(thread, width)| if thread == step.thread { done(width) } else { Vec::new() })
            .collect(),
        Form::List { names: width, steps } => vec![vec![cut_end(&names.name(step.thread), *width)], done(*steps)],
    };
    if layout.place_width.is_some() {
        let place = |source| if layout.places == Where::Full { line(source) } else { places.short(source) };
        cells.push(step.source.map(place).into_iter().collect());
    }
    Row { number: step.number, marked: step.marked, cells }
}

/// The place for a line of a cell: as much of it as fits.
pub(super) fn below(source: &Source, places: &Places, width: usize) -> String {
    let lead = "  at ";
    let room = width.saturating_sub(lead.len());
    let full = line(source);
    let place = if full.chars().count() <= room { full } else { cut_start(&places.short(source), room) };
    cut_end(&format!("{lead}{place}"), width)
}

/// `step 1,234`, from an index.
pub(super) fn step(index: usize) -> String {
    format!("step {}", thousands((index as u64).saturating_add(1)))
}
