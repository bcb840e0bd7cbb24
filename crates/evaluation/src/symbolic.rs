//! Table 1 and Fig. 8 of TACAS 2008. As in the paper, the solver is asked once, about all executions of up to so many
//! steps. The paper's solver is Yices of 2007 and ours is CaDiCaL: what can be compared is how the four reductions stand
//! to each other.

use crate::clock::Clock;
use crate::command::{Everyway, Measured};
use crate::papers::tacas2008::{Row, TABLE};
use crate::plot::{Chart, Curve};
use std::fmt::Write;
use std::time::Duration;

const REDUCTIONS: [&str; 4] = ["none", "static", "simple", "full"];

fn ask(
    everyway: &Everyway,
    (program, flags): (&str, &[&str]),
    reduction: &str,
    depth: usize,
    limit: Option<Duration>,
) -> Result<Measured, String> {
    let mut flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    // Without the checks that clang puts in, which the paper's programs do not have.
    flags.extend([format!("--at-depth={depth}"), format!("--reduction={reduction}"), "-fno-sanitize=all".to_owned()]);
    everyway.bmc(program, &flags, limit)
}

/// Table 1: the seconds and conflicts of each cell, with the paper's in parentheses.
pub(crate) fn table(everyway: &Everyway, clock: &Clock, mut show: impl FnMut(&str)) -> Result<String, String> {
    let mut text = String::from(
        "## TACAS 2008, Table 1\n\nDining philosophers and the indexer. Seconds, and thousands of \
         conflicts of the solver; the paper's in parentheses, where T/O is a timeout.\n\n| program | steps | violated |",
    );
    REDUCTIONS.iter().for_each(|name| text.push_str(&format!(" {name} |")));
    text.push_str("\n|---|---|---|---|---|---|---|\n");
    let mut standings = Vec::new();
    for &Row { name, program, flags, steps, is_violated, seconds, conflicts } in &TABLE {
        show(name);
        let _ = write!(text, "| {name} | {steps} | {} |", if is_violated { "yes" } else { "no" });
        let mut found_by = Vec::new();
        for (column, reduction) in REDUCTIONS.into_iter().enumerate() {
            let found = ask(everyway, (program, flags), reduction, steps, clock.limit())?;
            let conflicts_here = found.solver.and_then(|solver| solver.conflicts).unwrap_or(0);
            let paper = match (seconds[column], conflicts[column]) {
                (Some(seconds), Some(conflicts)) => format!("{seconds} s, {conflicts}k"),
                _ => "T/O".to_owned(),
            };
            let more = if found.is_finished { "" } else { "> " };
            let thousands = conflicts_here as f64 / 1000.0;
            let _ = write!(text, " {more}{:.2} s, {more}{thousands:.1}k ({paper}) |", found.seconds);
            found_by.push(Conflicts { at_least: conflicts_here, is_all: found.is_finished });
        }
        text.push('\n');
        if !is_violated {
            standings.push((name, found_by));
        }
    }
    text.push('\n');
    text.push_str(&compared(&standings));
    text.push_str(AFTER_TABLE);
    Ok(text)
}

const AFTER_TABLE: &str = " No number is the paper's, whose solver is another one; how they stand to each other is what can be compared, a few \
     hundred conflicts apart, which are a matter of luck. Where \
     the property is violated, CaDiCaL finds an execution with next to no conflicts if nothing, or little, is left out, \
     presumably because it tries simple assignments first, and what a reduction leaves out is then in its way. The Daisy \
     file system is not described in the paper and is missing.\n\n";

/// The conflicts of a cell; if it was given up, those up to then.
#[derive(Clone, Copy, Debug)]
struct Conflicts {
    at_least: u64,
    is_all: bool,
}

impl Conflicts {
    /// Whether there are at most as many as in another cell, as numbers are shown; `None` if that is not known.
    fn at_most(self, other: Self) -> Option<bool> {
        let (ours, others) = ((self.at_least + 50) / 100, (other.at_least + 50) / 100);
        match (self.is_all, other.is_all) {
            (true, true) => Some(ours <= others),
            (true, false) if ours <= others => Some(true),
            (false, true) if ours > others => Some(false),
            _ => None,
        }
    }
}

/// What the paper's numbers show, in rows that are not violated, and where ours do not: each reduction leaves the solver
/// with no more conflicts than a lesser one. `simple` and `full` are told apart from the rest, as in its text.
fn compared(rows: &[(&str, Vec<Conflicts>)]) -> String {
    let mut text = String::from("Where the property is not violated,");
    for (index, (lesser, greater)) in [(0, 1), (1, 2), (1, 3), (2, 3)].into_iter().enumerate() {
        let answers: Vec<(&str, Option<bool>)> =
            rows.iter().map(|(name, found)| (*name, found[greater].at_most(found[lesser]))).collect();
        let named = |wanted: Option<bool>| -> Vec<&str> {
            answers.iter().filter(|(_, answer)| *answer == wanted).map(|(name, _)| *name).collect()
        };
        let (but, unknown) = (named(Some(false)), named(None));
        let _ = write!(
            text,
            "{} {} has at most the conflicts of {}",
            if index == 0 { "" } else { ";" },
            REDUCTIONS[greater],
            REDUCTIONS[lesser]
        );
        if !but.is_empty() {
            let _ = write!(text, " but for {}", but.join(", "));
        }
        if !unknown.is_empty() {
            let _ = write!(text, " (not known for {}, which took too long)", unknown.join(", "));
        }
    }
    text.push_str(". In the paper, the last of these does not hold for phil2-pa.");
    text
}

/// Fig. 8: two philosophers that eat for ever, time and conflicts over depths.
pub(crate) fn figure(everyway: &Everyway, clock: &Clock, mut show: impl FnMut(&str)) -> Result<[Chart; 2], String> {
    let mut seconds = Chart { horizontal: "depth", vertical: "seconds", curves: Vec::new() };
    let mut conflicts = Chart { horizontal: "depth", vertical: "conflicts", curves: Vec::new() };
    for reduction in REDUCTIONS {
        show(reduction);
        let (mut times, mut numbers) = (Vec::new(), Vec::new());
        for depth in (15..=120).step_by(15) {
            let found = ask(everyway, ("bmc/phil", &["-DN=2", "-DFOREVER"]), reduction, depth, clock.limit())?;
            if !found.is_finished {
                break;
            }
            times.push((depth as f64, found.seconds));
            let number = found.solver.and_then(|solver| solver.conflicts).unwrap_or(0);
            numbers.push((depth as f64, number.max(1) as f64));
        }
        seconds.curves.push(Curve { name: reduction.to_owned(), points: times });
        conflicts.curves.push(Curve { name: reduction.to_owned(), points: numbers });
    }
    Ok([seconds, conflicts])
}

/// How far each curve goes, and how the last depth that all have compares.
pub(crate) fn about_figure([seconds, _]: &[Chart; 2]) -> String {
    let mut text =
        String::from("Two philosophers that eat for ever; as in the paper, depths are 15, 30 and so on to 120.");
    let last = |curve: &Curve| curve.points.last().map_or(0.0, |point| point.0);
    for curve in seconds.curves.iter().filter(|curve| last(curve) < 120.0) {
        let _ = write!(text, " With {}, the depth after {} took too long.", curve.name, last(curve));
    }
    let common = seconds.curves.iter().map(last).fold(f64::INFINITY, f64::min);
    let at = |curve: &Curve| curve.points.iter().find(|point| point.0 == common).map(|point| point.1);
    let times: Vec<String> = seconds
        .curves
        .iter()
        .filter_map(|curve| at(curve).map(|time| format!("{time:.2} s with {}", curve.name)))
        .collect();
    if !times.is_empty() {
        let _ = write!(text, " At depth {common} there are {}.", times.join(", "));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &'static str, conflicts: [u64; 4], unfinished: &[usize]) -> (&'static str, Vec<Conflicts>) {
        let cells = conflicts.into_iter().enumerate();
        (name, cells.map(|(index, at_least)| Conflicts { at_least, is_all: !unfinished.contains(&index) }).collect())
    }

    #[test]
    fn what_does_not_stand_as_in_the_paper_is_named() {
        let text = compared(&[
            row("a", [910, 940, 700, 600], &[]),
            row("b", [900, 800, 500, 600], &[]),
            row("c", [400, 500, 300, 200], &[0]),
        ]);
        assert_eq!(
            text,
            "Where the property is not violated, static has at most the conflicts of none (not known for c, which took too \
             long); simple has at most the conflicts of static; full has at most the conflicts of static; full has at most \
             the conflicts of simple but for b. In the paper, the last of these does not hold for phil2-pa."
        );
    }

    #[test]
    fn a_figure_says_how_far_it_goes() {
        let curve = |name: &str, depths: &[f64]| Curve {
            name: name.to_owned(),
            points: depths.iter().map(|depth| (*depth, depth / 10.0)).collect(),
        };
        let chart = Chart {
            horizontal: "depth",
            vertical: "seconds",
            curves: vec![curve("none", &[15.0, 30.0]), curve("full", &[15.0, 30.0, 120.0])],
        };
        let text = about_figure(&[chart.clone(), chart]);
        assert!(text.contains("With none, the depth after 30 took too long."), "{text}");
        assert!(text.contains("At depth 30 there are 3.00 s with none, 3.00 s with full."), "{text}");
    }
}
