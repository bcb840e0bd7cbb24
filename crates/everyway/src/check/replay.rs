//! Running one execution again, from its file, with what the program prints.

use super::Builder;
use super::identity::Identity;
use super::subject::{Closure, NOT_DETERMINISTIC};
use crate::model::Settings;
use crate::model::detail::Detail;
use everyway_driver::Replayed;
use everyway_report::replay::ReplayFile;
use everyway_report::{Bug, BugKind, Report};
use std::path::Path;

/// Runs the execution in the file at `path`, if it is one of this check.
///
/// # Panics
/// If the file cannot be read.
pub(super) fn run(builder: &Builder, f: &dyn Fn(), path: &Path, identity: &Identity) -> Report {
    let file = ReplayFile::load(path).unwrap_or_else(|error| panic!("everyway: {error}"));
    if !identity.is(&file.program) {
        eprintln!(
            "everyway: {} is not an execution of `{}`, which is explored as usual",
            path.display(),
            identity.name()
        );
        return super::run(builder, f, identity);
    }
    eprintln!(
        "everyway: running {} steps of `{}` again, from {}",
        file.schedule.len(),
        identity.name(),
        path.display()
    );
    crate::model::panics::install_hook();
    let details = builder.settings.details.with(Detail::Texts);
    let settings = Settings { verbose: true, details, ..builder.settings.clone() };
    let mut closure = Closure { body: f, settings, refused: None };
    let replayed =
        super::attended(builder, identity, || everyway_driver::replay(&mut closure, &file, &builder.check, |_| {}));
    let mut report = with_difference(replayed).report(&file, &builder.check, "only one execution was run");
    report.notes.insert(0, "this is one execution that was run again; nothing else was explored".to_owned());
    report
}

/// What was run, where a difference to what was saved is what is wrong.
fn with_difference(mut replayed: Replayed) -> Replayed {
    let Some(difference) = &replayed.difference else { return replayed };
    let bug = Bug {
        kind: BugKind::Nondeterminism,
        message: format!("the program is not the one that the file was saved for: {difference}"),
        source: None,
        thread: None,
        execution: replayed.execution.clone(),
        waits: Vec::new(),
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips: vec![NOT_DETERMINISTIC.to_owned()],
        divergence: None,
        replay: None,
        executions: 1,
    };
    replayed.bug = Some(bug);
    replayed
}
