//! `everyway replay`: one execution again, from its file, with what the program prints.

use crate::arguments::ReplayArguments;
use crate::cancel;
use crate::check::refuse_unsupported;
use crate::error::Error;
use crate::output::complain;
use crate::{output, program, trace};
use everyway_driver::{Limits, ModelChoice, Settings, Subject as _, TooLong};
use everyway_report::Report;
use everyway_vm::{Machine, Program};

/// Runs a saved execution again.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<Report, Error> {
    let (file, saved) = trace::load(&arguments.trace)?;
    let module = program::compile(&saved.program, saved.loops(), saved.rules.environment()).map_err(from_elsewhere)?;
    let has_changed = file.program.content.as_ref() != Some(&program::content(&module));
    complain(&format_args!("everyway: running {} steps of `{}` again", file.schedule.len(), file.program.name));
    if has_changed {
        complain(&"everyway: the program, or the clang that compiles it, has changed since the execution was saved");
    }
    let limits = Limits { cancelled: cancel::on_signals()?, ..Limits::default() };
    let memory_model = saved.rules.memory_model.map_or(ModelChoice::Auto, ModelChoice::Explicit);
    let settings = Settings { limits, memory_model, too_long: TooLong::IsCut, ..Settings::default() };
    let machine = everyway_vm::Settings { output: true, ..program::settings(&saved.program, &saved.rules) };
    let mut printed = Ok(());
    let mut program = Program::new(module, machine);
    program.run_under(saved.rules.replayed());
    let replayed = everyway_driver::replay(&mut program, &file, &settings, |machine| {
        printed = print(machine);
    });
    printed?;
    if let Some(difference) = replayed.difference {
        return Err(Error::new(format!("this is not the program that the execution was saved for: {difference}"))
            .with_tip("check the program again, to save the execution anew"));
    }
    replayed.bug.as_ref().map_or(Ok(()), refuse_unsupported)?;
    let replayed = replayed.explained(&program, &file, &settings);
    Ok(replayed.report(&file, &settings, "one saved execution was run again; nothing else was explored"))
}

/// Prints what the program has printed.
fn print(machine: &Machine) -> Result<(), Error> {
    output::print_output(machine.output(), machine.errors())
}

/// Paths in a file are those that the check was given.
fn from_elsewhere(error: Error) -> Error {
    match error.tip {
        None => error.with_tip("the files are looked for from the current folder: the check was run in another one?"),
        Some(_) => error,
    }
}
