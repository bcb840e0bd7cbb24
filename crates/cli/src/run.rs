//! `everyway run`: one execution, with what the program prints.

use crate::arguments::{RunArguments, Switch};
use crate::check::refuse_unsupported;
use crate::error::Error;
use crate::output::{self, Outcome};
use crate::program;
use everyway_driver::{Followed, Limits, Subject as _};
use everyway_explore::Trace;
use everyway_ir::LoopTreatment;
use everyway_report::{Bug, BugKind, Executions, Report, Verdict};
use everyway_runtime::Step;
use everyway_vm::{Arrivals, Ended, Failure, Machine, Privacy, Program, Settings};
use std::sync::Arc;

/// The steps that the execution may have if nothing else is said: it is the only one, so it may be long.
const STEPS: usize = 1_000_000;

/// Runs the program once.
pub(crate) fn run(arguments: &RunArguments) -> Result<Outcome, Error> {
    // Loops go round: in a single execution, a loop that waits has to be run to see what it waits for.
    let module = program::compile(&arguments.program, LoopTreatment::Plain, program::interleaved())?;
    // A single execution shows the races that it happens to have: only on request.
    let races = arguments.rules.races == Some(Switch::On);
    let arrivals = Arrivals::Ordered;
    let settings = Settings { races, arrivals, ..program::settings(&arguments.program, &arguments.rules) };
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
    let program = Program::new(module, Settings { privacy: Privacy::Trusted, ..settings });
    let bug = describe(&program, ran.schedule, &failure);
    refuse_unsupported(&bug)?;
    Ok(Outcome::from(Report {
        verdict: if bug.kind == BugKind::StepLimit { Verdict::Incomplete } else { Verdict::Bug },
        strategy: "run".to_owned(),
        executions: Executions { failed: u64::from(bug.kind != BugKind::StepLimit), ..Executions::default() },
        seconds: 0.0,
        cut: vec!["only one execution was run; `everyway check` explores all of them".to_owned()],
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes: Vec::new(),
        bug: Some(bug),
        further_bugs: Vec::new(),
        solver: None,
        profile: None,
    }))
}

/// The failure with the execution that shows it: the same steps once more, this time with what happens before what. An
/// execution of more than `LONGEST` steps is not shown.
fn describe(program: &Program, schedule: Vec<Step>, failure: &Failure) -> Bug {
    const LONGEST: usize = 10_000;

    if schedule.len() <= LONGEST
        && let Followed::Failed(found) = everyway_driver::follow(program, schedule, &Limits::default(), None)
    {
        return found.bug;
    }
    program.describe_failure(&program.begin(), &Trace::new(), failure)
}
