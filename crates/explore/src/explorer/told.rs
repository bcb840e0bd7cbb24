//! Executions whose reads are told their sources, one step at a time.

use super::outcome::{Counts, Cut, End, Ending};
use crate::strategies::{DataRace, TellsSources, ToldChoice};
use crate::trace::Trace;
use everyway_runtime::{Execution, Halt, Performed, Step};

/// The strategy, and what a step changes.
pub(super) struct Telling<'t, X: Execution> {
    pub(super) strategy: &'t mut dyn TellsSources,
    pub(super) program: &'t mut X,
    pub(super) trace: &'t mut Trace,
    pub(super) performed: &'t mut Performed,
    pub(super) counts: &'t mut Counts,
}

/// What came of doing what the strategy chose.
pub(super) enum Told<F> {
    /// A step was taken, the last of the execution now, which may race or fail.
    Taken { race: Option<DataRace>, failure: Option<Box<F>> },
    /// The execution is at its end.
    Ended(Ending),
    /// The execution does not count.
    Abandoned,
}

impl<X: Execution> Telling<'_, X> {
    /// Does what the strategy chooses.
    pub(super) fn go_on(self) -> Result<Told<X::Failure>, End<X::Failure>> {
        match self.strategy.choose(self.trace, self.program) {
            ToldChoice::Take(step) => self.take(step),
            ToldChoice::Impossible(step) => {
                self.program.step(step, self.performed)?;
                Ok(Told::Ended(Ending::Redundant))
            }
            ToldChoice::End(ending) => Ok(Told::Ended(ending)),
            ToldChoice::Abandon => Ok(Told::Abandoned),
            ToldChoice::Refuse(unsupported) => Err(End::Stopped(Cut::Unsupported(unsupported))),
        }
    }

    fn take(self, step: Step) -> Result<Told<X::Failure>, End<X::Failure>> {
        let Self { strategy, program, trace, performed, counts } = self;
        performed.clear();
        let planned = trace.plan(program.operation(step.thread), program.choices(step.thread));
        let failure = match program.step_reading(step, strategy.sources(), performed) {
            Err(halt @ Halt::Diverged(_)) => return Err(halt.into()),
            Err(Halt::Failure(failure)) => Some(Box::new(failure)),
            Ok(()) => None,
        };
        trace.push_told(step, planned, performed);
        counts.steps += 1;
        strategy.taken(trace, program);
        if failure.is_none() {
            strategy.confirm(trace).map_err(|unsupported| End::Stopped(Cut::Unsupported(unsupported)))?;
        }
        Ok(Told::Taken { race: strategy.data_race(), failure })
    }
}
