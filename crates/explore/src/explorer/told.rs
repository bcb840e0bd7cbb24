//! Running an execution whose reads are told their sources, one step at a time.

use super::watcher::{AfterFailure, Failing};
use super::{Cut, End, Ending, Explorer, Turn, Watcher};
use crate::strategies::{DataRace, Guidance, StepEnd, ToldChoice};
use crate::trace::Planned;
use everyway_runtime::{Execution, Halt, Step};
use std::ops::ControlFlow;

impl<X: Execution> Explorer<'_, X> {
    /// Does what a strategy that tells reads their sources has chosen.
    #[inline]
    pub(super) fn follow_told(
        &mut self,
        choice: ToldChoice,
        watcher: &mut dyn Watcher<X>,
    ) -> Result<Turn, End<X::Failure>> {
        match choice {
            ToldChoice::Take(step) => self.step_told(step, watcher).map(ControlFlow::Continue),
            ToldChoice::Impossible(step) => {
                self.performed.clear();
                self.program.step(step, &mut self.performed)?;
                Ok(ControlFlow::Break(Some(Ending::Redundant)))
            }
            ToldChoice::End(Ending::Redundant) => Ok(ControlFlow::Break(Some(Ending::Redundant))),
            ToldChoice::End(ending) => Ok(ControlFlow::Break(Some(self.ending(ending == Ending::Blocked)))),
            ToldChoice::Abandon => Ok(ControlFlow::Break(None)),
            ToldChoice::Refuse(unsupported) => Err(End::Stopped(Cut::Unsupported(unsupported))),
        }
    }

    /// Takes a step whose reads are told their sources; what is told nothing is just taken.
    fn step_told(&mut self, step: Step, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        let Guidance::TellsSources(strategy) = &mut self.strategy else { return self.step(step, watcher) };
        self.performed.clear();
        let planned = self.trace.plan(self.program.operation(step.thread), self.program.choices(step.thread));
        let result = self.program.step_reading(step, strategy.sources(), &mut self.performed);
        let Err(halt) = result else { return self.take_note(step, planned, StepEnd::Done, watcher) };
        self.halt_told((step, planned), halt, watcher)
    }

    /// Takes note of what a step did that was told its sources.
    #[inline(always)]
    fn take_note(
        &mut self,
        step: Step,
        planned: Planned,
        end: StepEnd,
        watcher: &mut dyn Watcher<X>,
    ) -> Result<(), End<X::Failure>> {
        self.trace.push_told(step, planned, &self.performed);
        self.counts.steps += 1;
        let Guidance::TellsSources(strategy) = &mut self.strategy else { return Ok(()) };
        match strategy.taken(&self.performed, self.program, end) {
            Ok(None) => Ok(()),
            Ok(Some(race)) => self.race(race, watcher),
            Err(unsupported) => Err(End::Stopped(Cut::Unsupported(unsupported))),
        }
    }

    /// What becomes of a step that was told its sources, and did not come to its end.
    #[cold]
    fn halt_told(
        &mut self,
        (step, planned): (Step, Planned),
        halt: Halt<X::Failure>,
        watcher: &mut dyn Watcher<X>,
    ) -> Result<(), End<X::Failure>> {
        match halt {
            Halt::Diverged(_) => Err(halt.into()),
            Halt::Failure(failure) => {
                self.take_note(step, planned, StepEnd::Failed, watcher)?;
                self.after_failure(failure, watcher)
            }
        }
    }

    /// What becomes of the data race that the last step makes.
    #[cold]
    fn race(&mut self, race: DataRace, watcher: &mut dyn Watcher<X>) -> Result<(), End<X::Failure>> {
        self.trace.put_in_order(self.program);
        self.settle();
        match watcher.raced(race, self.program, &self.trace) {
            AfterFailure::Stop => {
                self.count(Ending::Failed);
                Err(End::Stopped(Cut::DataRace(race)))
            }
            AfterFailure::GoOn(name) => {
                self.failures.push(Failing { depth: self.trace.len(), name });
                Ok(())
            }
        }
    }
}
