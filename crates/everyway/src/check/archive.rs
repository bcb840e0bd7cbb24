//! What a check in Rust does besides checking: it shows how far it is, and saves the execution that fails.

use super::identity::Identity;
use super::subject::Closure;
use everyway_driver::Host;
use everyway_render::terminal::Progress;
use everyway_report::replay::{ReplayFile, ScheduledStep, ShortSchedule};
use everyway_report::{Bug, Replay};

/// The host of a check.
pub(super) struct Archive<'a> {
    identity: &'a Identity,
    line: Progress,
    /// What was saved, as short strings; `None` for one that has none, or none that is short.
    saved: Vec<Option<String>>,
}

/// A string that is longer is not shown: the file is there.
const SHORT: usize = 160;

impl<'a> Archive<'a> {
    pub(super) fn new(identity: &'a Identity) -> Self {
        Self { identity, line: Progress::new(), saved: Vec::new() }
    }

    /// The only execution that was saved, as a short string.
    pub(super) fn short(self) -> Option<String> {
        if self.saved.len() == 1 { self.saved.into_iter().next().flatten() } else { None }
    }
}

impl Host<Closure<'_>> for Archive<'_> {
    fn executed(&mut self, progress: &everyway_explore::Progress<'_>) {
        self.line.update(progress.counts.executions(), || progress.estimate().total);
    }

    fn save(
        &mut self,
        _: &Closure<'_>,
        bug: &Bug,
        schedule: &[ScheduledStep],
        _: usize,
    ) -> Result<Option<Replay>, String> {
        let replay = self.identity.replay();
        let file = ReplayFile::new(self.identity.program(), schedule.to_vec(), bug);
        file.save(&replay.file).map_err(|error| error.to_string())?;
        let short = ShortSchedule { check: self.identity.mark(), steps: file.schedule }.encode();
        self.saved.push(short.filter(|short| short.len() <= SHORT));
        Ok(Some(replay))
    }
}
