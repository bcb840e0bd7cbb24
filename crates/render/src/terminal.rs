//! What front ends have in common where they print to a terminal: the style of a page, and a line of progress.

use std::env;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use crate::text::{Style, thousands};

/// The style of a page that is printed to a terminal, or to something else: coloured on a terminal unless the
/// user minds (`NO_COLOR`), and as wide as `COLUMNS` says.
pub fn style(is_terminal: bool) -> Style {
    let color = is_terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    Style { color, width: columns.map_or(100, |columns: usize| columns.clamp(60, 200)) }
}

/// Nothing is shown before this time has passed.
const QUIET: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(200);
/// The clock is looked at once in so many executions.
const STRIDE: u64 = 64;

/// How far an exploration has got, in one line of the terminal that standard error goes to; nowhere if it goes
/// elsewhere. The line disappears with this value.
#[derive(Debug)]
pub struct Progress {
    started: Instant,
    shown: Option<Instant>,
    enabled: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress {
    /// The line of an exploration that starts now.
    pub fn new() -> Self {
        Self { started: Instant::now(), shown: None, enabled: stderr().is_terminal() }
    }

    /// Shows how many executions there were and how many there may be in all, if it is time to.
    pub fn update(&mut self, executions: u64, total: impl FnOnce() -> Option<f64>) {
        if !self.enabled || !executions.is_multiple_of(STRIDE) || self.started.elapsed() < QUIET {
            return;
        }
        if self.shown.is_some_and(|shown| shown.elapsed() < PERIOD) {
            return;
        }
        self.shown = Some(Instant::now());
        let rate = executions as f64 / self.started.elapsed().as_secs_f64();
        // What cannot be shown is not missed.
        let _ = write!(stderr(), "\r\x1b[K{}", line(executions, total(), rate));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// A number that is only guessed: beyond what anybody counts, how many digits it has.
fn roughly(number: f64) -> String {
    match number.log10().round() {
        digits if digits < 12.0 => thousands(number as u64),
        digits => format!("10^{}", digits.min(308.0)),
    }
}

fn line(executions: u64, total: Option<f64>, rate: f64) -> String {
    let total = total.map_or(String::new(), |total| format!(" of perhaps {}", roughly(total)));
    format!("{} executions{total}, {} a second", thousands(executions), thousands(rate as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_left_out_where_there_is_none() {
        assert_eq!(line(6_400, Some(12_000.7), 3_200.2), "6,400 executions of perhaps 12,000, 3,200 a second");
        assert_eq!(line(64, None, 0.5), "64 executions, 0 a second");
        assert_eq!(line(64, Some(3e30), 64.0), "64 executions of perhaps 10^30, 64 a second");
        assert_eq!(line(64, Some(f64::INFINITY), 64.0), "64 executions of perhaps 10^308, 64 a second");
    }
}
