//! `everyway replay`: one execution again, from its file, with what the program prints.

use crate::arguments::ReplayArguments;
use crate::bug;
use crate::check::refuse_unsupported;
use crate::error::Error;
use crate::{output, program, trace};
use everyway_explore::{AfterFailure, Counts, Cut, End, Explorer, Limits, Progress, Script, Trace, Watcher};
use everyway_ir::Module;
use everyway_report::replay::{ReplayFile, describe};
use everyway_report::{Bug, BugKind, Execution, Executions, Report, Verdict};
use everyway_vm::{Failure, Machine, Settings};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Runs a saved execution again.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<Report, Error> {
    let (file, saved) = trace::load(&arguments.trace)?;
    let module = program::compile(&saved.program, saved.loops()).map_err(from_elsewhere)?;
    let has_changed = file.program.content.as_ref() != Some(&program::content(&module));
    eprintln!("everyway: running {} steps of `{}` again", file.schedule.len(), file.program.name);
    if has_changed {
        eprintln!("everyway: the program, or the clang that compiles it, has changed since the execution was saved");
    }
    let settings = Settings { output: true, ..program::settings(&saved.program, &saved.rules) };
    let Replayed { bug, difference, counts } = run(module, settings, &file)?;
    if let Some(difference) = difference {
        return Err(Error::new(format!("this is not the program that the execution was saved for: {difference}"))
            .with_tip("check the program again, to save the execution anew"));
    }
    bug.as_ref().map_or(Ok(()), refuse_unsupported)?;
    Ok(report(bug, counts, &file))
}

/// Paths in a file are those that the check was given.
fn from_elsewhere(error: Error) -> Error {
    match error.tip {
        None => error.with_tip("the files are looked for from the current folder: the check was run in another one?"),
        Some(_) => error,
    }
}

/// What came of the execution.
struct Replayed {
    /// What fails, if anything does.
    bug: Option<Bug>,
    /// How it differs from the saved one, if it does.
    difference: Option<String>,
    counts: Counts,
}

fn run(module: Arc<Module>, settings: Settings, file: &ReplayFile) -> Result<Replayed, Error> {
    let mut machine = Machine::begin(module, settings);
    let mut script = Script::new(everyway_explore::steps(&file.schedule));
    let limits = Limits { steps: file.schedule.len().max(1), ..Limits::default() };
    let mut explorer = Explorer::new(&mut machine, &mut script, limits);
    let mut watcher = Expecting { file, last: None };
    let end = explorer.run_watched(&mut watcher);
    let (machine, trace, counts) = (explorer.program(), explorer.trace(), explorer.counts());
    print(machine)?;
    // Steps are compared by what they do, not by what comes before them, which takes longer to tell.
    let difference = first_difference(&machine.describe(&Trace::new()), file);
    let last = watcher.last;
    Ok(match end {
        End::Failed(failure) => Replayed { bug: Some(bug::describe(machine, trace, failure).bug), difference, counts },
        End::Diverged(_) if last.is_none() => {
            let difference = difference.or_else(|| Some(cannot_go_on(file, trace.len())));
            Replayed { bug: None, difference, counts }
        }
        End::Stopped(Cut::Steps(limit)) if last.is_none() && file.outcome.kind == Some(BugKind::StepLimit) => {
            Replayed { bug: Some(bug::too_long(machine, trace, limit).bug), difference, counts }
        }
        End::Finished | End::Stopped(_) | End::Diverged(_) => Replayed { bug: last, difference, counts },
    })
}

/// Goes on after failures up to the end of the schedule: an execution that was found with --keep-going may have
/// some on its way.
struct Expecting<'a> {
    file: &'a ReplayFile,
    /// The last failure that is not the expected one.
    last: Option<Bug>,
}

impl Watcher<Machine> for Expecting<'_> {
    fn executed(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn failed(&mut self, failure: &Failure, machine: &Machine, trace: &Trace) -> AfterFailure {
        let expected = &self.file.outcome;
        let is_at_end = trace.len() >= self.file.schedule.len();
        if is_at_end && Some(failure.kind) == expected.kind && failure.message == expected.message {
            return AfterFailure::Stop;
        }
        self.last = Some(bug::describe(machine, trace, failure.clone()).bug);
        AfterFailure::GoOn(0)
    }
}

/// Prints what the program has printed.
pub(crate) fn print(machine: &Machine) -> Result<(), Error> {
    output::print_output(machine.output(), machine.errors())
}

fn cannot_go_on(file: &ReplayFile, position: usize) -> String {
    let expected = file.steps_described.get(position).map_or("", String::as_str);
    format!("step {} was `{expected}`, which cannot be taken now", position + 1)
}

/// The first step that does not do what the file says, if there is one.
fn first_difference(execution: &Execution, file: &ReplayFile) -> Option<String> {
    let now = execution.events.iter().map(|event| describe(&execution.threads[event.thread].name, event));
    let mut steps = now.zip(&file.steps_described).enumerate();
    let (position, (now, expected)) = steps.find(|(_, (now, expected))| now != *expected)?;
    Some(format!("step {} was `{expected}`, and now is `{now}`", position + 1))
}

fn report(bug: Option<Bug>, counts: Counts, file: &ReplayFile) -> Report {
    let is_same = |bug: &Bug| Some(bug.kind) == file.outcome.kind && bug.message == file.outcome.message;
    let mut notes = Vec::new();
    if !bug.as_ref().is_some_and(is_same) {
        notes.push(match file.outcome.kind {
            Some(_) => format!("it used to end with: {}", file.outcome.message),
            None => "it used to end well".to_owned(),
        });
    }
    let fails = bug.as_ref().is_some_and(|bug| bug.kind != BugKind::StepLimit);
    Report {
        verdict: if fails { Verdict::Bug } else { Verdict::Incomplete },
        strategy: "replay".to_owned(),
        executions: Executions { redundant: 0, ..counts.into() },
        seconds: 0.0,
        cut: vec!["one saved execution was run again; nothing else was explored".to_owned()],
        notes,
        bug,
        further_bugs: Vec::new(),
        solver: None,
    }
}
