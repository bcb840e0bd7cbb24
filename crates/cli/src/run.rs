//! `everyway run`: one execution, with what the program prints.

use crate::arguments::RunArguments;
use crate::bug;
use crate::check::refuse_unsupported;
use crate::error::Error;
use crate::output::{self, Outcome};
use crate::program;
use everyway_explore::Trace;
use everyway_report::{BugKind, Executions, Report, Verdict};
use everyway_vm::{Ended, Machine};
use std::sync::Arc;

/// The steps that the execution may have if nothing else is said: it is the only one, so it may be long.
const STEPS: usize = 1_000_000;

/// Runs the program once.
pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Error> {
    let module = program::compile_plainly(&arguments.program)?;
    let settings = program::settings(&arguments.program, &arguments.rules);
    let steps = arguments.rules.max_steps.unwrap_or(STEPS);
    let ran = Machine::run_once(Arc::clone(&module), settings.clone(), steps);
    output::print(&ran.output).map_err(|error| Error::new(format!("the output cannot be printed: {error}")))?;
    let failure = match ran.ended {
        // As systems do it: the lowest byte counts.
        Ended::Normally(status) => return Ok(Outcome::Ended(status as u8)),
        Ended::TooLong => {
            return Err(Error::new(format!("the execution is longer than {steps} steps"))
                .with_tip("raise the limit with --max-steps"));
        }
        Ended::Failed(failure) => failure,
    };
    let machine = Machine::new(module, settings).unwrap_or_else(|(machine, _)| *machine);
    let bug = bug::describe(&machine, &Trace::new(), failure).bug;
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
