//! The host of a check in Rust: it shows the progress, and saves the failing execution.

use super::Builder;
use super::environment::Files;
use super::identity::Identity;
use super::keep;
use super::subject::Closure;
use everyway_driver::{Host, SoFar};
use everyway_render::terminal::Progress;
use everyway_report::frontier::{Exploration, GO_ON};
use everyway_report::replay::{ReplayFile, ScheduledStep, ShortSchedule};
use everyway_report::{Bug, Replay};
use std::path::Path;

/// The host of a check.
pub(super) struct Archive<'a> {
    identity: &'a Identity,
    line: Progress,
    /// How the check explores.
    settings: String,
    files: &'a Files,
    /// Whether there is a file to go on from.
    is_kept: bool,
    /// What was saved, as short strings; `None` for one that has none, or none that is short.
    saved: Vec<Option<String>>,
}

/// A string that is longer is not shown: the file is there.
const SHORT: usize = 160;

impl<'a> Archive<'a> {
    pub(super) fn new(identity: &'a Identity, builder: &Builder, files: &'a Files) -> Self {
        let line = Progress::new().suggesting("EVERYWAY_STRATEGY=", builder.check.algorithm.instead());
        Self { identity, line, settings: keep::settings(builder), files, is_kept: false, saved: Vec::new() }
    }

    /// Writes what the exploration has come to.
    fn write(&self, path: &Path, exploration: Exploration) -> Result<(), String> {
        let file = keep::file(self.identity, &self.settings, exploration);
        file.save(path).map_err(|error| error.to_string())
    }

    /// The check goes on from a file.
    pub(super) fn goes_on(&mut self) {
        self.is_kept = true;
    }

    /// The only execution that was saved, as a short string.
    pub(super) fn short(self) -> Option<String> {
        if self.saved.len() == 1 { self.saved.into_iter().next().flatten() } else { None }
    }
}

impl Host<Closure<'_>> for Archive<'_> {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        self.line.update(so_far.counts.executions(), || (so_far.estimate)().total);
    }

    fn checkpoint(&mut self, _: &Closure<'_>, exploration: Exploration) -> Result<Option<String>, String> {
        if let Some(result) = &self.files.result {
            return self.write(result, exploration).map(|()| None);
        }
        let Replay { file, command } = self.identity.frontier();
        self.write(Path::new(&file), exploration)?;
        self.is_kept = true;
        Ok(Some(format!("{GO_ON}{command}")))
    }

    fn finished(&mut self, exploration: Exploration) {
        if let Some(result) = &self.files.result {
            if let Err(error) = self.write(result, exploration) {
                eprintln!("everyway: {error}");
            }
        } else if self.is_kept {
            // A file that is not there is not missed.
            let _ = std::fs::remove_file(self.identity.frontier().file);
        }
    }

    fn save(
        &mut self,
        _: &Closure<'_>,
        bug: &Bug,
        schedule: &[ScheduledStep],
        number: usize,
    ) -> Result<Option<Replay>, String> {
        let mut replay = self.identity.replay_of(number);
        if let Some(trace) = self.files.trace.as_ref().filter(|_| number == 0) {
            replay.file = trace.display().to_string();
        }
        let file = ReplayFile::new(self.identity.program(), schedule.to_vec(), bug);
        file.save(&replay.file).map_err(|error| error.to_string())?;
        let short = ShortSchedule { check: self.identity.mark(), steps: file.schedule }.encode();
        self.saved.resize(self.saved.len().max(number + 1), None);
        self.saved[number] = short.filter(|short| short.len() <= SHORT);
        Ok(Some(replay))
    }
}
