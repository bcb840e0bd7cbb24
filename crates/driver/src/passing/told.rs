//! Executions whose reads are told their sources, and that begin as a failing one does: with the same steps, the same
//! sources and the same places in modification order.
//!
//! The common prefix grows shorter by one step at a time; all executions that have it are explored under the memory
//! model ([`neighbours`]) before the next. So the execution found has the longest common prefix of all that pass.

use super::{MOST_EXECUTIONS, Passed, Rerun, UntilPassed};
use crate::found::Found;
use crate::script::told_steps;
use crate::settings::{exceeded, remaining};
use crate::subject::Subject;
use everyway_explore::{Cut, Divisible, End, Explorer, Limits, MemoryModel, Subtree, ToldStep, neighbours};
use std::time::Instant;

/// The execution under `model` that passes and has the longest beginning in common with what was found, if one is found
/// soon.
pub(super) fn search<S: Subject>(subject: &S, found: &Found, model: MemoryModel, limits: &Limits) -> Option<Passed> {
    let steps = told_steps(&found.schedule);
    let mut search = Search { rerun: Rerun::new(subject), model, limits, started: Instant::now(), executions: 0 };
    (0..steps.len()).rev().find_map(|length| search.after(&steps[..length]).transpose()).and_then(Result::ok)
}

/// The search is to be given up.
struct GivenUp;

struct Search<'a, S: Subject> {
    rerun: Rerun<'a, S>,
    model: MemoryModel,
    limits: &'a Limits,
    started: Instant,
    executions: u64,
}

impl<S: Subject> Search<'_, S> {
    /// An execution that passes, of those that begin with `steps`, if there is one.
    fn after(&mut self, steps: &[ToldStep]) -> Result<Option<Passed>, GivenUp> {
        let mut left: Vec<Subtree> = Vec::new();
        let mut next = None;
        loop {
            if let Some(passed) = self.explore(steps, next, &mut left)? {
                return Ok(Some(passed));
            }
            next = match left.pop() {
                None => return Ok(None),
                subtree => subtree,
            };
        }
    }

    /// Explores the executions that begin with `steps`, or a part of them, up to the first that passes, or fails and
    /// cannot be taken back. Then the rest is left.
    fn explore(
        &mut self,
        steps: &[ToldStep],
        part: Option<Subtree>,
        left: &mut Vec<Subtree>,
    ) -> Result<Option<Passed>, GivenUp> {
        if self.executions >= MOST_EXECUTIONS || exceeded(self.limits, self.started).is_some() {
            return Err(GivenUp);
        }
        let mut strategy = neighbours(self.model, steps.to_vec());
        if let Some(part) = part {
            strategy.adopt(part).map_err(|_| GivenUp)?;
        }
        let limits =
            Limits { executions: Some(MOST_EXECUTIONS - self.executions), ..remaining(self.limits, self.started) };
        if !self.rerun.begin() {
            return Err(GivenUp);
        }
        let Rerun { subject, initial, .. } = self.rerun;
        let mut explorer = Explorer::new(&mut self.rerun.execution, &mut strategy, limits).with_order();
        let mut watching = UntilPassed::new(subject);
        let end = explorer.run_watched(&mut watching);
        self.executions += explorer.counts().executions().max(1);
        let has_failed = matches!(end, End::Failed(_) | End::Stopped(Cut::DataRace(_)));
        let result = match end {
            End::Stopped(_) if watching.has_passed => {
                Ok(Some(Passed::new(subject, explorer.program(), explorer.trace(), initial)))
            }
            End::Failed(_) | End::Stopped(Cut::DataRace(_)) => {
                // First comes what goes on from the failure.
                let rest = explorer.left().unwrap_or_default().into_iter().skip(1);
                left.extend(rest.rev());
                Ok(None)
            }
            End::Finished => Ok(None),
            End::Stopped(_) | End::Diverged(_) => Err(GivenUp),
        };
        drop(explorer);
        if has_failed {
            self.rerun.abandon();
        }
        result
    }
}
