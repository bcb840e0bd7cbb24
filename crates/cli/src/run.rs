//! `everyway run`: one execution, with what the program prints.

use crate::arguments::RunArguments;
use crate::bug;
use crate::check::refuse_unsupported;
use crate::error::Error;
use crate::output::{self, Outcome};
use crate::program;
use everyway_explore::{End, Explorer, Limits, Script, Trace};
use everyway_ir::{LoopTreatment, Module};
use everyway_report::{Bug, BugKind, Executions, Report, Verdict};
use everyway_runtime::Step;
use everyway_vm::{Ended, Failure, Machine, Privacy, Settings};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The steps that the execution may have if nothing else is said: it is the only one, so it may be long.
const STEPS: usize = 1_000_000;

/// Runs the program once.
pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Error> {
    // Loops go round: in a single execution, nobody comes back to a loop that waits for something that was.
    let module = program::compile(&arguments.program, LoopTreatment::Plain)?;
    let settings = program::settings(&arguments.program, &arguments.rules);
    let steps = arguments.rules.max_steps.unwrap_or(STEPS);
    let ran = Machine::run_once(Arc::clone(&module), settings.clone(), steps);
    output::print_output(&ran.output, &ran.errors)?;
    let failure = match ran.ended {
        // As systems do it: the lowest byte counts.
        Ended::Normally(status) => return Ok(Outcome::Ended(status as u8)),
        Ended::TooLong => {
            return Err(Error::new(format!("the execution is longer than {steps} steps"))
                .with_tip("raise the limit with --max-steps"));
        }
        Ended::Failed(failure) => failure,
    };
    let bug = describe(module, settings, ran.schedule, failure);
    refuse_unsupported(&bug)?;
    Ok(Outcome::from(Report {
        verdict: if bug.kind == BugKind::StepLimit { Verdict::Incomplete } else { Verdict::Bug },
        strategy: "run".to_owned(),
        executions: Executions { failed: u64::from(bug.kind != BugKind::StepLimit), ..Executions::default() },
        seconds: 0.0,
        cut: vec!["only one execution was run; `everyway check` explores all of them".to_owned()],
        notes: Vec::new(),
        bug: Some(bug),
        further_bugs: Vec::new(),
        solver: None,
    }))
}

/// The failure with the execution that shows it: the same steps once more, this time with what happens before what. Of
/// an execution that nobody reads to its end, the end is not shown either.
fn describe(module: Arc<Module>, settings: Settings, schedule: Vec<Step>, failure: Failure) -> Bug {
    const LONGEST: usize = 10_000;

    let settings = Settings { privacy: Privacy::Trusted, ..settings };
    let mut machine = Machine::begin(module, settings);
    if schedule.len() > LONGEST {
        return bug::describe(&machine, &Trace::new(), failure).bug;
    }
    let limits = Limits { steps: schedule.len() + 1, ..Limits::default() };
    let mut script = Script::new(schedule);
    let mut explorer = Explorer::new(&mut machine, &mut script, limits);
    let failure = match explorer.run(|_| ControlFlow::Continue(())) {
        End::Failed(again) => again,
        _ => failure,
    };
    bug::describe(explorer.program(), explorer.trace(), failure).bug
}
