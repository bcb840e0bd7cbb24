//! A line that tells how far a long exploration has come, on a terminal.

use everyway_explore::Progress;
use everyway_report::text::thousands;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Nothing is shown before this time has passed.
const QUIET: Duration = Duration::from_secs(1);
const PERIOD: Duration = Duration::from_millis(200);
/// The clock is looked at once in so many executions.
const STRIDE: u64 = 64;

/// The line.
pub(super) struct Line {
    started: Instant,
    shown: Option<Instant>,
    enabled: bool,
}

impl Line {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), shown: None, enabled: stderr().is_terminal() }
    }

    pub(super) fn update(&mut self, progress: &Progress<'_>) {
        let executions = progress.counts.executions();
        if !self.enabled || !executions.is_multiple_of(STRIDE) || self.started.elapsed() < QUIET {
            return;
        }
        if self.shown.is_some_and(|shown| shown.elapsed() < PERIOD) {
            return;
        }
        self.shown = Some(Instant::now());
        let rate = executions as f64 / self.started.elapsed().as_secs_f64();
        let total = match progress.estimate().total {
            Some(total) => format!(" of perhaps {}", thousands(total as u64)),
            None => String::new(),
        };
        // What cannot be shown is not missed.
        let _ = write!(
            stderr(),
            "\r\x1b[K{} executions{total}, {} a second",
            thousands(executions),
            thousands(rate as u64)
        );
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
