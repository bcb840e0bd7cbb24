//! The explanation of a failing execution: what its reads could have seen, and the passing execution with the longest
//! common prefix. Other executions are run for that.

use crate::could_read::add_could_read;
use crate::found::Found;
use crate::passing::passing;
use crate::replay::{Replayed, told_model};
use crate::script::Schedule;
use crate::settings::Settings;
use crate::subject::Subject;
use everyway_explore::{Algorithm, Limits, MemoryModel};
use everyway_report::replay::ReplayFile;

/// Explains what was found, and tells whether there is something to say; why it fails only if that is asked for, as it
/// takes longest. `model` is the one under which reads are told their sources, if they are.
pub(crate) fn explain<S: Subject>(
    subject: &S,
    found: &mut Found,
    model: Option<MemoryModel>,
    limits: &Limits,
    is_asked_why: bool,
) -> bool {
    let model = model.filter(|_| Schedule::is_told(&found.schedule));
    if let Some(model) = model {
        add_could_read(subject, found, model, limits);
    }
    if is_asked_why {
        found.bug.passing = passing(subject, found, model, limits);
    }
    model.is_some() || found.bug.passing.is_some()
}

/// The model of an exploration whose reads are told their sources.
pub(crate) fn model_of(algorithm: Algorithm) -> Option<MemoryModel> {
    match algorithm {
        Algorithm::Graphs { model } => Some(model),
        _ => None,
    }
}

impl Replayed {
    /// The same, with why it fails, if it does so as the file says. Other executions are run for that.
    pub fn explained<S: Subject>(mut self, subject: &S, file: &ReplayFile, settings: &Settings) -> Self {
        if self.difference.is_none()
            && let Some(bug) = self.bug.take()
        {
            let mut found = Found { bug, schedule: file.schedule.clone(), interleaving: None };
            explain(subject, &mut found, told_model(file, settings), &settings.limits, true);
            self.bug = Some(found.bug);
        }
        self
    }
}
