//! Running one execution again, from its file, with what the program prints.

use super::Builder;
use super::environment::{Environment, Saved};
use super::identity::Identity;
use super::subject::{Closure, NOT_DETERMINISTIC};
use crate::model::detail::Detail;
use crate::model::{Settings, calls};
use everyway_driver::Replayed;
use everyway_report::replay::{Expected, FORMAT, ReplayFile, ShortSchedule};
use everyway_report::{Bug, BugKind, Report};

/// Runs the execution that was saved, if it is one of this check.
///
/// # Panics
/// If the file cannot be read.
pub(super) fn run(builder: &Builder, f: &(dyn Fn() + Sync), saved: &Saved, identity: &Identity) -> Report {
    let (file, origin) = match saved {
        Saved::File(path) => {
            let file = ReplayFile::load(path).unwrap_or_else(|error| panic!("everyway: {error}"));
            (identity.is(&file.program).then_some(file), path.display().to_string())
        }
        Saved::Short(short) => (of_short(short, identity), "EVERYWAY_REPLAY".to_owned()),
    };
    let name = identity.name();
    let Some(mut file) = file else {
        eprintln!("everyway: {origin} is not an execution of `{name}`, which is explored as usual");
        return super::run(builder, f, identity, &Environment::default());
    };
    eprintln!("everyway: running {} steps of `{name}` again, from {origin}", file.schedule.len());
    crate::model::panics::install_hook();
    let details = builder.settings.details.with(Detail::Texts);
    let settings = Settings { verbose: true, calls: calls::are_asked_for(), details, ..builder.settings.clone() };
    let replayed = super::attended(builder, identity, |attendance| {
        let mut closure = Closure { body: f, settings, refused: None, attendance };
        everyway_driver::replay(&mut closure, &file, &builder.check, |_| {})
    });
    if let (Saved::Short(_), Some(bug)) = (saved, &replayed.bug) {
        // It does not say what came of it then.
        file.outcome = Expected { kind: Some(bug.kind), message: bug.message.clone() };
    }
    let mut report = with_difference(replayed).report(&file, &builder.check, "only one execution was run");
    report.notes.insert(0, "this is one execution that was run again; nothing else was explored".to_owned());
    report
}

/// The execution of a short string as a file would have it, if it is one of this check. What the steps did is not known.
fn of_short(short: &ShortSchedule, identity: &Identity) -> Option<ReplayFile> {
    (short.check == identity.mark()).then(|| ReplayFile {
        format: FORMAT,
        program: identity.program(),
        schedule: short.steps.clone(),
        outcome: Expected { kind: None, message: String::new() },
        steps_described: Vec::new(),
    })
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
        calls: Vec::new(),
        waits: Vec::new(),
        unreceived: Vec::new(),
        accesses: Vec::new(),
        tips: vec![NOT_DETERMINISTIC.to_owned()],
        divergence: None,
        passing: None,
        replay: None,
        executions: 1,
    };
    replayed.bug = Some(bug);
    replayed
}
