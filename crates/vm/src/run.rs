//! One execution, from start to end: for running a program, and for comparing it with its compiled form.

use crate::failure::Failure;
use crate::machine::Machine;
use crate::settings::{Privacy, Settings};
use everyway_ir::Module;
use everyway_runtime::{Execution, Halt, Performed, Step, ThreadId, blocked, ready};
use std::sync::Arc;

/// How an execution ended.
#[derive(Debug)]
pub enum Ended {
    /// All threads have ended, or the program has; this is the status it returns.
    Normally(i32),
    /// Something went wrong.
    Failed(Failure),
    /// It took more steps than allowed.
    TooLong,
}

/// What came of an execution.
#[derive(Debug)]
pub struct Ran {
    /// What the program printed to its standard output.
    pub output: Vec<u8>,
    /// What the program printed to its standard error.
    pub errors: Vec<u8>,
    /// How it ended.
    pub ended: Ended,
    /// The steps it took.
    pub schedule: Vec<Step>,
}

/// How many steps a thread takes before the others have their turn.
const TURN: usize = 100;

impl Machine {
    /// Runs a program once, the first of the threads that can move always moving, for at most `limit` steps.
    pub fn run_once(module: Arc<Module>, settings: Settings, limit: usize) -> Ran {
        let mut machine = Self::begin(module, Settings { output: true, privacy: Privacy::Trusted, ..settings });
        let ended = match machine.further_failure() {
            None => machine.run_on(limit),
            Some(failure) => Ended::Failed(failure),
        };
        let schedule = machine.steps.iter().map(|logged| logged.step).collect();
        let [output, errors] = [&mut machine.output, &mut machine.errors].map(std::mem::take);
        Ran { output, errors, ended, schedule }
    }

    /// Goes on to the end of the execution.
    fn run_on(&mut self, limit: usize) -> Ended {
        let mut performed = Performed::default();
        let (mut running, mut turn) = (ThreadId(0), 0);
        for _ in 0..limit {
            if self.has_exited() {
                break;
            }
            let goes_on = turn < TURN && ready(self).any(|thread| thread == running);
            if !goes_on {
                // The next one in turn: a thread that waits in a loop must not keep those out that it waits for.
                let Some(next) = ready(self).find(|&t| t > running).or_else(|| ready(self).next()) else { break };
                (running, turn) = (next, 0);
            }
            turn += 1;
            let thread = running;
            performed.clear();
            if let Err(Halt::Failure(failure) | Halt::Diverged(failure)) = self.step(Step::of(thread), &mut performed) {
                return Ended::Failed(failure);
            }
        }
        if ready(self).next().is_some() && !self.has_exited() {
            return Ended::TooLong;
        }
        let is_blocked = blocked(self).next().is_some() && !self.has_exited();
        match is_blocked.then(|| self.blocked()).flatten() {
            Some(failure) => Ended::Failed(failure),
            None => Ended::Normally(self.exit_status.unwrap_or(0)),
        }
    }
}
