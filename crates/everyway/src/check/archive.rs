//! What a check in Rust does besides checking: it shows how far it is, and saves the execution that fails.

use super::identity::Identity;
use super::subject::Closure;
use everyway_driver::{Host, SoFar};
use everyway_render::terminal::Progress;
use everyway_report::replay::{ReplayFile, ScheduledStep};
use everyway_report::{Bug, Replay};

/// The host of a check.
pub(super) struct Archive<'a> {
    identity: &'a Identity,
    line: Progress,
}

impl<'a> Archive<'a> {
    pub(super) fn new(identity: &'a Identity) -> Self {
        Self { identity, line: Progress::new() }
    }
}

impl Host<Closure<'_>> for Archive<'_> {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        self.line.update(so_far.counts.executions(), || (so_far.estimate)().total);
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
        Ok(Some(replay))
    }
}
