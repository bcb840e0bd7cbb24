//! The two traits around a check: its front end ([`Subject`]) and its caller ([`Host`]).

use crate::memory_model::Rules;
use everyway_explore::{Counts, DataRace, Estimate, Trace, Unsupported};
use everyway_report::frontier::{Exploration, Remark};
use everyway_report::replay::ScheduledStep;
use everyway_report::{Bug, BugKind, Replay, SetAside, Source};
use everyway_runtime::{EventId, Execution, ThreadId};

/// A front end's description of a failure.
pub type Failure<S> = <<S as Subject>::Execution as Execution>::Failure;

/// A program that can be checked, with the assumptions about it so far.
///
/// Workers share it: each creates executions of its own, which never leave its thread. Checks with different assumptions
/// have a copy each.
pub trait Subject: Clone + Send + Sync {
    /// The program under exploration.
    type Execution: Execution;

    /// Something that an exploration takes for granted because it holds for most programs and saves executions or
    /// time: that memory is private, that nothing observes the order of some events. An execution that refutes it ends
    /// there, and the exploration starts over without it.
    type Assumption: Send;

    /// The program in its initial state. A failure before the first step is the first
    /// [`Execution::further_failure`].
    fn begin(&self) -> Self::Execution;

    /// The assumption that `failure` refutes, if it is not a failure of the program but of an assumption still made.
    fn refuted(&self, execution: &Self::Execution, failure: &Failure<Self>) -> Option<Self::Assumption>;

    /// Drops the assumption.
    fn retract(&mut self, assumption: Self::Assumption);

    /// The dropped assumptions, by names that [`Subject::retract_named`] knows. The default is for subjects whose
    /// explorations are not resumed.
    fn retracted(&self) -> Vec<String> {
        Vec::new()
    }

    /// Drops the assumption of this name; whether there is one.
    fn retract_named(&mut self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Sets the rules by which executions are run from now on; called before anything else, and again when an exploration
    /// starts over. The default is for programs without weak orderings.
    fn run_under(&mut self, rules: Rules) {
        let _ = rules;
    }

    /// Whether threads share operations that commute: the assumption that they do not was retracted.
    fn has_commuting(&self) -> bool {
        false
    }

    /// Whether an ordering weaker than `seq_cst` was met: the assumption that there is none was retracted.
    fn has_weak_orderings(&self) -> bool {
        false
    }

    /// What the program does that is not supported where reads are told their sources, in words: the assumption that it
    /// does no such thing was retracted.
    fn refused(&self) -> Option<String> {
        None
    }

    /// The assumption that makes a strategy refuse the program, if it can be dropped.
    fn behind_refusal(&self, what: Unsupported) -> Option<Self::Assumption> {
        let _ = what;
        None
    }

    /// Whether an event of the current execution is a step only where reads are told their sources, as fences are.
    fn is_told_only(&self, execution: &Self::Execution, event: EventId) -> bool {
        let _ = (execution, event);
        false
    }

    /// The same program, run without telling reads their sources. The default is for front ends in which it would be
    /// another program then.
    fn interleaved(&self) -> Option<Self> {
        None
    }

    /// Whether executions may be run only to estimate their number: they are cheap, and have no effects outside the check.
    fn is_probed(&self) -> bool {
        false
    }

    /// What kind of failure it is.
    fn kind(&self, failure: &Failure<Self>) -> BugKind;

    /// The places in the program that distinguish this failure from others of its kind.
    fn places(&self, execution: &Self::Execution, failure: &Failure<Self>) -> Vec<Source>;

    /// Whether the other threads can continue after this failure.
    fn can_go_on(&self, failure: &Failure<Self>) -> bool;

    /// Where in the program an event of the current execution is, if that is known.
    fn place(&self, execution: &Self::Execution, event: EventId) -> Option<Source> {
        let _ = (execution, event);
        None
    }

    /// Where in the program a thread is, if that is known.
    fn place_of_thread(&self, execution: &Self::Execution, thread: ThreadId) -> Option<Source> {
        let _ = (execution, thread);
        None
    }

    /// The current execution, with threads by their ids, and happens-before as far as `trace` has it.
    fn describe(&self, execution: &Self::Execution, trace: &Trace) -> everyway_report::Execution;

    /// The failure, with the execution that shows it, as by [`Subject::describe`].
    fn describe_failure(&self, execution: &Self::Execution, trace: &Trace, failure: &Failure<Self>) -> Bug;

    /// A data race that the strategy found between two steps of `trace`, with the execution that shows it. The default
    /// is for front ends whose own steps fail where there is a race.
    fn describe_race(&self, execution: &Self::Execution, trace: &Trace, race: DataRace) -> Option<Bug> {
        let _ = (execution, trace, race);
        None
    }

    /// Tips for an execution that is too long; `place` is the most frequent one among its last steps.
    fn tips_on_length(&self, place: Option<&Source>) -> Vec<String>;

    /// The same program, run in a way that lets the failing `execution` be described better, at a cost too high for
    /// exploration. That execution is run again with it.
    fn in_detail(&self, execution: &Self::Execution) -> Option<Self> {
        let _ = execution;
        None
    }

    /// What was left out so far, in sentences: values that were only sampled, loops that were cut.
    fn cuts(&self, execution: &Self::Execution) -> Vec<String>;

    /// Failures so far that were not looked for, and were set aside; [`Subject::cuts`] includes them.
    fn set_aside(&self, execution: &Self::Execution) -> Vec<SetAside> {
        let _ = execution;
        Vec::new()
    }

    /// What the verdict takes for granted because the environment gave only one of several possible answers, in clauses that
    /// begin with "that".
    fn assumed(&self, execution: &Self::Execution) -> Vec<String> {
        let _ = execution;
        Vec::new()
    }

    /// Whether some execution has reached the end of the program, even if threads still wait.
    fn reaches_the_end(&self, execution: &Self::Execution) -> bool {
        let _ = execution;
        true
    }

    /// What the reader should know about a verdict, in sentences.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Remarks about some of the executions so far.
    fn remarks(&self, execution: &mut Self::Execution) -> Vec<Remark> {
        let _ = execution;
        Vec::new()
    }

    /// Ends the failing `execution` without running more of it.
    fn abandon(&self, execution: &mut Self::Execution) {
        let _ = execution;
    }
}

/// The progress of a check.
pub struct SoFar<'a> {
    /// What was explored.
    pub counts: Counts,
    /// Estimates the total number of executions.
    pub estimate: &'a dyn Fn() -> Estimate,
}

/// The caller of a check. Workers call it one at a time.
pub trait Host<S: Subject>: Send {
    /// An execution has ended; with several workers, some have.
    fn executed(&mut self, so_far: &SoFar<'_>) {
        let _ = so_far;
    }

    /// Saves what was explored and the remaining work, so that the check can be resumed: from time to time, and when it
    /// ends early. Returns how to resume it, in a sentence, or nothing if it is not saved.
    ///
    /// # Errors
    /// Why it could not be saved, in words.
    fn checkpoint(&mut self, subject: &S, exploration: Exploration) -> Result<Option<String>, String> {
        let _ = (subject, exploration);
        Ok(None)
    }

    /// The check has ended, completely or with a failure; `exploration` is its result. A saved remainder is obsolete.
    fn finished(&mut self, exploration: Exploration) {
        let _ = exploration;
    }

    /// Saves the execution that shows `bug`, the one after `number` others, as soon as it is found. Returns how to run
    /// it again, or nothing if executions are not saved.
    ///
    /// # Errors
    /// Why it could not be saved, in words.
    fn save(
        &mut self,
        subject: &S,
        bug: &Bug,
        schedule: &[ScheduledStep],
        number: usize,
    ) -> Result<Option<Replay>, String> {
        let _ = (subject, bug, schedule, number);
        Ok(None)
    }
}

/// A host that saves nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl<S: Subject> Host<S> for NoHost {}
