//! What front ends have in common where they print to a terminal: the style of a page, and a line of progress.

mod width;

use std::collections::VecDeque;
use std::env;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use crate::text::{Style, cut_end, thousands};

/// The style of a page that is printed to a terminal, or to something else: coloured on a terminal unless the
/// user minds (`NO_COLOR`, `CLICOLOR=0`, `TERM=dumb`), elsewhere only if the user insists (`CLICOLOR_FORCE`), and as wide as
/// `COLUMNS` says, or else as the terminal is.
pub fn style(is_terminal: bool) -> Style {
    let color = has_color(is_terminal, &|name| env::var(name).ok());
    let columns = columns().or_else(|| width::of_terminal().filter(|_| is_terminal));
    Style { color, width: columns.map_or(100, |columns| columns.clamp(60, 200)) }
}

/// What the user says about the width of the terminal.
fn columns() -> Option<usize> {
    env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0)
}

/// Whether to use colours, by the rules that most commands follow.
fn has_color(is_terminal: bool, variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is_on = |name: &str| variable(name).is_some_and(|value| !value.is_empty() && value != "0");
    match () {
        () if is_set("NO_COLOR") => false,
        () if is_on("CLICOLOR_FORCE") => true,
        () if variable("CLICOLOR").is_some_and(|value| value == "0") => false,
        () => is_terminal && is_capable(variable),
    }
}

/// Whether the terminal understands more than text.
fn is_capable(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_none_or(|term| term != "dumb")
}

/// Nothing is shown before this time has passed.
const QUIET: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(200);
/// The clock is looked at once in so many executions at most, and about so many times a second if there are fewer.
const STRIDE: f64 = 64.0;
const LOOKS: f64 = 10.0;
/// After this time an estimate is taken seriously,
const CERTAIN: Duration = Duration::from_secs(5);
/// and what takes longer than so many seconds even by the lowest one will not end.
const HOPELESS: f64 = 3600.0;

/// How far an exploration has got, in one line of the terminal that standard error goes to; nowhere if it goes
/// elsewhere. The line disappears with this value.
#[derive(Debug)]
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    enabled: bool,
    /// How many executions there were when this was first told of any: those of earlier processes, mostly.
    before: Option<u64>,
    /// The clock is looked at after so many executions.
    next_look: u64,
    /// What to try if there is no end to it.
    instead: Option<String>,
    /// After how many executions there were to be how many in all, as they were shown.
    totals: VecDeque<(u64, f64)>,
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress {
    /// The line of an exploration that starts now.
    pub fn new() -> Self {
        let enabled = stderr().is_terminal() && is_capable(&|name| env::var(name).ok());
        Self {
            started: Instant::now(),
            shown: None,
            enabled,
            before: None,
            next_look: 0,
            instead: None,
            totals: VecDeque::new(),
        }
    }

    /// The same line, which says, if there is no end to the exploration, what to try instead: one of `values` after
    /// `setting`.
    pub fn suggesting(mut self, setting: &str, values: &[&str]) -> Self {
        let instead = values.split_last().map(|(last, others)| match others {
            [] => format!("{setting}{last}"),
            _ => format!("{setting}{} or {last}", others.join(", ")),
        });
        self.instead = instead;
        self
    }

    /// Shows how many executions there were and how many there may be in all, if it is time to.
    pub fn update(&mut self, executions: u64, total: impl FnOnce() -> Option<f64>) {
        // An exploration that starts over has had more.
        let is_due = executions >= self.next_look || self.next_look - executions > STRIDE as u64;
        if !self.enabled || !is_due {
            return;
        }
        let elapsed = self.started.elapsed();
        let before = *self.before.get_or_insert(executions);
        let since = executions.checked_sub(before).unwrap_or(executions);
        let rate = since as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        self.next_look = executions + (rate / LOOKS).clamp(1.0, STRIDE) as u64;
        if elapsed < QUIET || self.shown.is_some_and(|shown| shown.elapsed() < PERIOD) {
            return;
        }
        self.shown = Some(Instant::now());
        // What cannot be shown is not missed.
        let total = total().map(|total| self.range(executions, total));
        let instead = self.instead.as_deref().filter(|_| self.started.elapsed() >= CERTAIN);
        let shown = line(executions, total, rate, instead, columns().or_else(width::of_terminal).unwrap_or(80));
        let _ = write!(stderr(), "\r\x1b[K{shown}");
    }

    /// The estimate `total`, with the lowest and the highest since half of the executions.
    fn range(&mut self, executions: u64, total: f64) -> Expected {
        self.totals.push_back((executions, total));
        while self.totals.front().is_some_and(|(then, _)| *then < executions / 2) {
            self.totals.pop_front();
        }
        let all = self.totals.iter().map(|(_, total)| *total);
        Expected { total, lowest: all.clone().fold(total, f64::min), highest: all.fold(total, f64::max) }
    }
}

/// How many executions there may be in all.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Expected {
    total: f64,
    lowest: f64,
    highest: f64,
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// How much a line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Numbers with all their digits: `1,234,567`.
    All,
    /// Their first digits: `1,234k`.
    Rounded,
    /// No rate, and no range of the estimate; of what will not end, how long it takes.
    Least,
}

impl Detail {
    fn number(self, number: f64) -> String {
        const UNITS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
        match UNITS.into_iter().find(|(unit, _)| number >= 10.0 * unit) {
            Some((unit, name)) if self != Self::All => format!("{}{name}", thousands((number / unit) as u64)),
            _ => thousands(number as u64),
        }
    }

    /// A number that is only guessed: of a very large one, how many digits it has.
    fn guess(self, number: f64) -> String {
        match number.log10().round() {
            digits if digits < 12.0 => self.number(number),
            digits => format!("10^{}", digits.min(308.0)),
        }
    }
}

/// The line, in less than so many columns: one that goes on in the next row could not be taken back. `instead` is what to
/// try, if that is to be said at all.
fn line(executions: u64, expected: Option<Expected>, rate: f64, instead: Option<&str>, columns: usize) -> String {
    let room = columns.saturating_sub(1);
    let words = |detail| words(executions, expected, rate, instead, detail);
    let fits = |line: &String| line.chars().count() <= room;
    let whole = [Detail::All, Detail::Rounded].map(words).into_iter().find(fits);
    whole.unwrap_or_else(|| cut_end(&words(Detail::Least), room))
}

fn words(executions: u64, expected: Option<Expected>, rate: f64, instead: Option<&str>, detail: Detail) -> String {
    let takes = |total: f64| (total - executions as f64).max(0.0) / rate;
    let taken = detail.number(executions as f64);
    if let (Some(Expected { total, lowest, .. }), Some(instead)) = (expected, instead)
        && rate > 0.0
        && takes(lowest) > HOPELESS
    {
        let (total, left) = (detail.guess(total), time(takes(total)));
        if detail == Detail::Least {
            return format!("{left} left; try {instead}");
        }
        return format!("{taken} of perhaps {total} executions, {left} left; try {instead}");
    }
    let total = expected.map_or(String::new(), |Expected { total, lowest, highest }| {
        let range = format!(" ({} to {})", detail.guess(lowest), detail.guess(highest));
        let is_known = highest - lowest < 1.0 || detail == Detail::Least;
        format!(" of perhaps {}{}", detail.guess(total), if is_known { "" } else { &range })
    });
    let left = expected.filter(|_| rate > 0.0).map(|expected| takes(expected.total));
    let left = left.map_or(String::new(), |seconds| format!(", {} left", time(seconds)));
    let rate = if detail == Detail::Least { String::new() } else { format!(", {} a second", detail.number(rate)) };
    format!("{taken} executions{total}{rate}{left}")
}

/// A time, roughly.
fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1.5 => "1 s".to_owned(),
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 172_800.0 => format!("{:.0} h", seconds / 3600.0),
        seconds if seconds < 1e9 => format!("{} days", thousands((seconds / 86_400.0) as u64)),
        seconds => format!("{} years", Detail::All.guess(seconds / 31_556_952.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_left_out_where_there_is_none() {
        let expected = Expected { total: 12_000.7, lowest: 12_000.7, highest: 12_000.7 };
        assert_eq!(
            line(6_400, Some(expected), 3_200.2, Some("pct"), 200),
            "6,400 executions of perhaps 12,000, 3,200 a second, 2 s left"
        );
        let expected = Expected { lowest: 9_000.0, ..expected };
        let shown = "6,400 executions of perhaps 12,000 (9,000 to 12,000), 1 a second, 93 min left";
        assert_eq!(line(6_400, Some(expected), 1.0, None, 200), shown);
        assert_eq!(line(64, None, 0.5, Some("pct"), 200), "64 executions, 0 a second");
        let guess = |number| Detail::All.guess(number);
        assert_eq!((guess(3e30), guess(f64::INFINITY)), ("10^30".to_owned(), "10^308".to_owned()));
    }

    #[test]
    fn the_line_is_shorter_than_the_terminal_is_wide() {
        let expected = Expected { total: 123_456_789.0, lowest: 100_000_000.0, highest: 234_567_890.0 };
        let shown = |columns| line(1_234_567, Some(expected), 100_000.0, None, columns);
        let full =
            "1,234,567 executions of perhaps 123,456,789 (100,000,000 to 234,567,890), 100,000 a second, 20 min left";
        assert_eq!(shown(full.len() + 1), full);
        let short = "1,234k executions of perhaps 123M (100M to 234M), 100k a second, 20 min left";
        assert_eq!(shown(full.len()), short);
        assert_eq!(shown(80), short);
        assert_eq!(shown(60), "1,234k executions of perhaps 123M, 20 min left");
        assert!((2..120).all(|columns| shown(columns).chars().count() < columns));
    }

    #[test]
    fn where_there_is_no_end_it_says_what_to_try() {
        let expected = Expected { total: 4e12, lowest: 3e12, highest: 5e12 };
        // 4 * 10^11 seconds of 31,556,952 a year are 12,675.5 years.
        let shown = "6,400 of perhaps 10^13 executions, 12,675 years left; try pct";
        assert_eq!(line(6_400, Some(expected), 10.0, Some("pct"), 200), shown);
        // Where there is no room, what to try comes before how many there were.
        let instead = "--algorithm reads-from, bounded or pct";
        let shown = "12,675 years left; try --algorithm reads-from, bounded or pct";
        assert_eq!(line(6_400, Some(expected), 10.0, Some(instead), 80), shown);
        // By the lowest estimate it may well end.
        let expected = Expected { lowest: 6_500.0, ..expected };
        assert!(!line(6_400, Some(expected), 10.0, Some("pct"), 200).contains("try"));
        assert!(!line(6_400, Some(expected), 0.0, Some("pct"), 200).contains("try"));
    }

    #[test]
    fn what_to_try_is_one_of_several() {
        let instead = |values: &[&str]| Progress::new().suggesting("--algorithm ", values).instead.clone();
        assert_eq!(
            instead(&["reads-from", "bounded", "pct"]).as_deref(),
            Some("--algorithm reads-from, bounded or pct")
        );
        assert_eq!(instead(&["pct"]).as_deref(), Some("--algorithm pct"));
        assert_eq!(instead(&[]), None);
    }

    #[test]
    fn an_estimate_ranges_over_the_last_half() {
        let mut progress = Progress::new();
        progress.range(10, 50.0);
        progress.range(40, 90.0);
        let Expected { lowest, highest, .. } = progress.range(60, 70.0);
        assert_eq!((lowest, highest), (70.0, 90.0));
    }

    #[test]
    fn colours_are_for_terminals_of_those_who_do_not_mind() {
        let with = |set: &[(&'static str, &'static str)], is_terminal| {
            let set = set.to_vec();
            let variable =
                move |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            has_color(is_terminal, &variable)
        };
        assert!(with(&[("TERM", "xterm")], true));
        assert!(!with(&[("TERM", "xterm")], false));
        assert!(!with(&[("TERM", "dumb")], true));
        assert!(!with(&[("NO_COLOR", "1")], true));
        assert!(with(&[("NO_COLOR", "")], true));
        assert!(!with(&[("CLICOLOR", "0")], true));
        assert!(with(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false));
    }
}
