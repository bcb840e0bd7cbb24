//! Running one execution again, from its file, with what the program prints.

use super::identity::Identity;
use super::run::{Found, describe_failure};
use super::{Builder, run};
use crate::model::detail::Detail;
use crate::model::program::{Program, Unstarted};
use crate::model::{Failure, Model, Settings};
use everyway_explore::{End, Explorer, Limits, Script, Trace};
use everyway_report::replay::{ReplayFile, describe};
use everyway_report::{BugKind, Executions, Report, Verdict};
use everyway_runtime::ThreadId;
use std::ops::ControlFlow;
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
        return run::run(builder, f, identity);
    }
    eprintln!(
        "everyway: running {} steps of `{}` again, from {}",
        file.schedule.len(),
        identity.name(),
        path.display()
    );
    crate::model::panics::install_hook();
    let details = builder.settings.details.with(Detail::Texts);
    let mut settings = Settings { verbose: true, details, ..builder.settings.clone() };
    let found = run::with_enough_detail(
        &mut settings,
        |settings| run_once(settings.clone(), f, |program| replay(program, &file)),
        Option::as_ref,
    );
    report(found, &file)
}

/// Runs an execution again, and returns what fails.
pub(super) fn again(settings: Settings, f: &dyn Fn(), found: &Found) -> Option<Found> {
    let Found { bug, schedule, .. } = found;
    run_once(settings, f, |program| {
        let mut script = Script::new(schedule.clone());
        let limits = Limits { steps: schedule.len() + 1, ..Limits::default() };
        let mut explorer = Explorer::new(program, &mut script, limits);
        let failure = match explorer.run(|_| ControlFlow::Continue(())) {
            End::Failed(failure) => *failure,
            // What failed is not in a step: the execution was too long, say.
            End::Finished | End::Stopped(_) => Failure {
                source: bug.source.clone(),
                thread: bug.thread.map(ThreadId::new),
                ..Failure::new(bug.kind, bug.message.clone())
            },
            End::Diverged(_) => return None,
        };
        Some(describe_failure(explorer.program(), explorer.trace(), failure))
    })
}

/// Runs one execution, as `run` says, and returns what fails.
fn run_once(settings: Settings, f: &dyn Fn(), run: impl FnOnce(&mut Program<'_>) -> Option<Found>) -> Option<Found> {
    match Program::new(Model::new(settings), f) {
        Ok(mut program) => {
            let found = run(&mut program);
            if found.is_some() {
                program.abandon();
            }
            found
        }
        Err(Unstarted { mut program, failure }) => {
            let found = describe_failure(&program, &Trace::new(), *failure);
            program.abandon();
            Some(found)
        }
    }
}

/// Takes the steps of the file, and returns what fails.
fn replay(program: &mut Program<'_>, file: &ReplayFile) -> Option<Found> {
    let mut script = Script::new(everyway_explore::steps(&file.schedule));
    let limits = Limits { steps: file.schedule.len().max(1), ..Limits::default() };
    let mut explorer = Explorer::new(program, &mut script, limits);
    let failure = match explorer.run(|_| ControlFlow::Continue(())) {
        End::Failed(failure) => Some(*failure),
        End::Diverged(_) => Some(changed(cannot_go_on(file, explorer.trace().len()))),
        End::Finished | End::Stopped(_) => None,
    };
    let (program, trace) = (explorer.program(), explorer.trace());
    let wanted = failure.as_ref().is_some_and(|failure| failure.wanted.is_some());
    let failure = first_difference(program, file).filter(|_| !wanted).map(changed).or(failure);
    failure.map(|failure| describe_failure(program, trace, failure))
}

fn cannot_go_on(file: &ReplayFile, position: usize) -> String {
    let expected = file.steps_described.get(position).map_or("", String::as_str);
    format!("step {} was `{expected}`, which cannot be taken now", position + 1)
}

/// The first step that does not do what the file says, if there is one.
fn first_difference(program: &Program<'_>, file: &ReplayFile) -> Option<String> {
    let execution = program.describe_steps(program.log());
    let now = execution.events.iter().map(|event| describe(&execution.threads[event.thread].name, event));
    let mut steps = now.zip(&file.steps_described).enumerate();
    let (position, (now, expected)) = steps.find(|(_, (now, expected))| now != *expected)?;
    Some(format!("step {} was `{expected}`, and now is `{now}`", position + 1))
}

fn changed(message: String) -> Failure {
    Failure::new(BugKind::Nondeterminism, format!("the program is not the one that the file was saved for: {message}"))
}

fn report(found: Option<Found>, file: &ReplayFile) -> Report {
    let mut notes = vec!["this is one execution that was run again; nothing else was explored".to_owned()];
    let same = found
        .as_ref()
        .is_some_and(|found| Some(found.bug.kind) == file.outcome.kind && found.bug.message == file.outcome.message);
    if !same {
        notes.push(match file.outcome.kind {
            Some(_) => format!("it used to end with: {}", file.outcome.message),
            None => "it used to end well".to_owned(),
        });
    }
    let [failed, complete] = [found.is_some(), found.is_none()].map(u64::from);
    Report {
        verdict: if found.is_some() { Verdict::Bug } else { Verdict::Incomplete },
        strategy: "replay".to_owned(),
        executions: Executions { complete, failed, ..Executions::default() },
        seconds: 0.0,
        cut: vec!["only one execution was run".to_owned()],
        notes,
        bug: found.map(|found| found.bug),
        further_bugs: Vec::new(),
        solver: None,
    }
}
