//! How a table of steps is made to fit: which columns it has, and how wide they are.
//!
//! A column for each thread shows an interleaving best. Where that leaves too little room for each, there is
//! one column for all threads and their names stand in front. Places have a column of their own as long as
//! they fit there, with shortened paths if need be, and else stand below what was done.

use super::grid::{GAP, margin};
use super::names::{Names, Places, line};
use super::wrap::width;
use everyway_report::Source;

/// Something that a thread did, or could not do, as the table shows it.
pub(super) struct Step<'a> {
    /// Its number, from 1; none for what is not an event of the execution.
    pub(super) number: Option<usize>,
    /// The thread.
    pub(super) thread: usize,
    /// What it did, in pieces that should not be broken.
    pub(super) pieces: Vec<String>,
    /// Where.
    pub(super) source: Option<&'a Source>,
    /// Whether this is where it goes wrong.
    pub(super) marked: bool,
}

/// Which columns there are for threads, and how wide.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One for each of these threads.
    Columns(Vec<(usize, usize)>),
    /// One for the names of the threads, and one for what they did.
    List {
        /// The width of the names.
        names: usize,
        /// The width of what was done.
        steps: usize,
    },
}

/// Where the places go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// In a column at the right, in full.
    Full,
    /// In a column at the right, with shortened paths.
    Short,
    /// Below what was done.
    Below,
}

/// The shape of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The columns of threads.
    pub(super) form: Form,
    /// Where places go.
    pub(super) places: Where,
    /// The width of the column of places, if there is one.
    pub(super) place_width: Option<usize>,
}

/// The narrowest column of a thread that can be read.
const NARROW: usize = 18;

/// The narrowest column of a thread that is worth keeping whole paths for.
const COMFORTABLE: usize = 24;

/// The arrangements, best first: where places go, and how wide a column with long cells has to be at least.
const ARRANGEMENTS: [(Where, usize); 5] = [
    (Where::Full, usize::MAX),
    (Where::Short, usize::MAX),
    (Where::Full, COMFORTABLE),
    (Where::Short, NARROW),
    (Where::Below, NARROW),
];

/// The layout for `steps`, numbered up to `last`, in `limit` characters.
pub(super) fn choose(steps: &[Step<'_>], names: &Names, places: &Places, last: usize, limit: usize) -> Layout {
    let room = limit.saturating_sub(margin(last));
    let threads = threads(steps);
    let naturals: Vec<usize> = threads.iter().map(|&thread| natural(steps, names, thread)).collect();
    let name_width = threads.iter().map(|&thread| width(&names.name(thread))).max().unwrap_or(0).max("thread".len());
    // Names must leave room for the steps, even on the narrowest page.
    let name_width = name_width.min((limit / 4).max(8));
    let done = naturals.iter().copied().max().unwrap_or(0);

    for (arrangement, least) in ARRANGEMENTS {
        let place_width = place_width(steps, places, arrangement);
        let room = room.saturating_sub(place_width.map_or(0, |width| width + GAP));
        if let Some(widths) = share(&naturals, room.saturating_sub(GAP * threads.len()), least) {
            let form = Form::Columns(threads.iter().copied().zip(widths).collect());
            return Layout { form, places: arrangement, place_width };
        }
    }
    for (arrangement, least) in ARRANGEMENTS {
        let place_width = place_width(steps, places, arrangement);
        let room = room.saturating_sub(place_width.map_or(0, |width| width + GAP) + name_width + 2 * GAP);
        if let Some(widths) = share(&[done], room, least) {
            return Layout {
                form: Form::List { names: name_width, steps: widths[0] },
                places: arrangement,
                place_width,
            };
        }
    }
    let steps = room.saturating_sub(name_width + 2 * GAP).max(1);
    Layout { form: Form::List { names: name_width, steps }, places: Where::Below, place_width: None }
}

/// The threads that take any of `steps`, in order.
fn threads(steps: &[Step<'_>]) -> Vec<usize> {
    let mut threads: Vec<usize> = steps.iter().map(|step| step.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    threads
}

/// How wide the column of `thread` would like to be.
fn natural(steps: &[Step<'_>], names: &Names, thread: usize) -> usize {
    let cells = steps.iter().filter(|step| step.thread == thread).map(|step| width(&step.pieces.join(" ")));
    cells.max().unwrap_or(0).max(width(&names.name(thread)))
}

/// How wide the column of places is, if there is one.
fn place_width(steps: &[Step<'_>], places: &Places, arrangement: Where) -> Option<usize> {
    let sources = steps.iter().filter_map(|step| step.source);
    let widest = match arrangement {
        Where::Full => sources.map(|source| width(&line(source))).max(),
        Where::Short => sources.map(|source| width(&places.short(source))).max(),
        Where::Below => None,
    };
    widest.map(|widest| widest.max("where".len()))
}

/// Gives each column what it would like to have or, if `room` is too small for that, lets the widest ones give
/// up most. None if a column would get less than `least` and less than it would like.
fn share(naturals: &[usize], room: usize, least: usize) -> Option<Vec<usize>> {
    let total = |cap: usize| naturals.iter().map(|&natural| natural.min(cap)).sum::<usize>();
    if total(least) > room {
        return None;
    }
    let widest = naturals.iter().copied().max().unwrap_or(0);
    let cap = (least.min(widest)..=widest).rev().find(|&cap| total(cap) <= room).unwrap_or(widest);
    Some(naturals.iter().map(|&natural| natural.min(cap)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_give_up_most() {
        assert_eq!(share(&[10, 20, 30], 60, usize::MAX), Some(vec![10, 20, 30]));
        assert_eq!(share(&[10, 20, 30], 59, usize::MAX), None);
        assert_eq!(share(&[10, 40, 30], 60, 18), Some(vec![10, 25, 25]));
        assert_eq!(share(&[10, 40, 30], 46, 18), Some(vec![10, 18, 18]));
        assert_eq!(share(&[10, 40, 30], 45, 18), None);
        assert_eq!(share(&[], 0, 18), Some(vec![]));
    }
}
