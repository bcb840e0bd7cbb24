//! The two traits around a check: its front end ([`Subject`]) and its caller ([`Host`]).

use crate::memory_model::Rules;
use everyway_explore::{Counts, DataRace, Estimate, Trace, Unsupported};
use everyway_report::frontier::{Exploration, Remark};
use everyway_report::replay::ScheduledStep;
use everyway_report::{Bug, BugKind, Replay, SetAside, Source};
use everyway_runtime::{EventId, Execution, ThreadId};

/// What a front end says of a failure.
pub type Failure<S> = <<S as Subject>::Execution as Execution>::Failure;

/// A program that can be checked, with what is assumed about it so far.
///
/// Workers share it: each makes executions of its own, which never leave its thread. Those who assume different things of
/// it have a copy each.
pub trait Subject: Clone + Send + Sync {
    /// The program under exploration.
    type Execution: Execution;

    /// Something that an exploration takes for granted because it holds for most programs and saves executions or
    /// time: that memory is private, that nothing looks at the order of some events. An execution that shows it to be
    /// wrong ends there, and the exploration starts over without it.
    type Assumption: Send;

    /// The program in its initial state. What fails before the first step is the first
    /// [`Execution::further_failure`].
    fn begin(&self) -> Self::Execution;

    /// The assumption that `failure` shows to be wrong, if it is not a failure of the program but of an assumption that
    /// is still made.
    fn refuted(&self, execution: &Self::Execution, failure: &Failure<Self>) -> Option<Self::Assumption>;

    /// Does not make the assumption any more.
    fn retract(&mut self, assumption: Self::Assumption);

    /// The assumptions that are not made any more, by names that [`Subject::retract_named`] knows. The default is for
    /// subjects whose explorations are not gone on with later.
    fn retracted(&self) -> Vec<String> {
        Vec::new()
    }

    /// Does not make the assumption of this name any more; whether there is one.
    fn retract_named(&mut self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// By which rules executions are run from now on; called before anything else, and again when an exploration
    /// starts over. The default is for programs without weak orderings.
    fn run_under(&mut self, rules: Rules) {
        let _ = rules;
    }

    /// Whether threads have operations in common that commute: an assumption that was retracted is that they have none.
    fn has_commuting(&self) -> bool {
        false
    }

    /// Whether an ordering weaker than `seq_cst` was met: an assumption that was retracted is that there is none.
    fn has_weak_orderings(&self) -> bool {
        false
    }

    /// What the program does that cannot be done where reads are told their sources, in words: an assumption that was
    /// retracted is that it does no such thing.
    fn refused(&self) -> Option<String> {
        None
    }

    /// The assumption that makes a strategy refuse the program, if it is one that can be done without.
    fn behind_refusal(&self, what: Unsupported) -> Option<Self::Assumption> {
        let _ = what;
        None
    }

    /// Whether an event of the current execution is a step only where reads are told their sources, as fences are.
    fn is_told_only(&self, execution: &Self::Execution, event: EventId) -> bool {
        let _ = (execution, event);
        false
    }

    /// The same program, run without telling reads their sources. The default is for front ends in which that makes
    /// another program of it.
    fn interleaved(&self) -> Option<Self> {
        None
    }

    /// Whether its executions may be run for nothing but to find out how many there may be: they cost little, and have
    /// no effects outside of the check.
    fn is_probed(&self) -> bool {
        false
    }

    /// What kind of failure it is.
    fn kind(&self, failure: &Failure<Self>) -> BugKind;

    /// The places in the program that tell this failure from others of its kind.
    fn places(&self, execution: &Self::Execution, failure: &Failure<Self>) -> Vec<Source>;

    /// Whether the other threads can go on after this failure.
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

    /// The current execution, with threads by their ids. What happens before what is told as far as `trace` goes.
    fn describe(&self, execution: &Self::Execution, trace: &Trace) -> everyway_report::Execution;

    /// The failure, with the execution that shows it as [`Subject::describe`] has it.
    fn describe_failure(&self, execution: &Self::Execution, trace: &Trace, failure: &Failure<Self>) -> Bug;

    /// A data race that the strategy found between two steps of `trace`, with the execution that shows it. The default
    /// is for front ends whose own steps fail where there is a race.
    fn describe_race(&self, execution: &Self::Execution, trace: &Trace, race: DataRace) -> Option<Bug> {
        let _ = (execution, trace, race);
        None
    }

    /// What to do about an execution that is too long; its last steps come by `place` most often.
    fn tips_on_length(&self, place: Option<&Source>) -> Vec<String>;

    /// The same program, run such that the failing `execution` can be described better, at a cost that is too high for
    /// exploring. That execution is run again with it.
    fn in_detail(&self, execution: &Self::Execution) -> Option<Self> {
        let _ = execution;
        None
    }

    /// What was left out so far, in sentences: values that were only sampled, loops that were cut.
    fn cuts(&self, execution: &Self::Execution) -> Vec<String>;

    /// Failures so far that were not looked for, and were set aside; [`Subject::cuts`] tells of them, too.
    fn set_aside(&self, execution: &Self::Execution) -> Vec<SetAside> {
        let _ = execution;
        Vec::new()
    }

    /// What the verdict takes for granted because the program's environment answered in one way only, in clauses that
    /// begin with "that".
    fn assumed(&self, execution: &Self::Execution) -> Vec<String> {
        let _ = execution;
        Vec::new()
    }

    /// Whether some execution has come to the end of the program, if only with threads that wait.
    fn reaches_the_end(&self, execution: &Self::Execution) -> bool {
        let _ = execution;
        true
    }

    /// What the reader should know about a verdict, in sentences.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is to be said about some of the executions so far.
    fn remarks(&self, execution: &mut Self::Execution) -> Vec<Remark> {
        let _ = execution;
        Vec::new()
    }

    /// Ends `execution`, which fails, without running any more of it.
    fn abandon(&self, execution: &mut Self::Execution) {
        let _ = execution;
    }
}

/// How far a check has come.
pub struct SoFar<'a> {
    /// What was explored.
    pub counts: Counts,
    /// Says how many executions there may be in all.
    pub estimate: &'a dyn Fn() -> Estimate,
}

/// The caller of a check. Workers call it one at a time.
pub trait Host<S: Subject>: Send {
    /// An execution has ended; with several workers, some have.
    fn executed(&mut self, so_far: &SoFar<'_>) {
        let _ = so_far;
    }

    /// Saves what was explored, and what is left, so that the check can be gone on with: from time to time, and when it
    /// ends early. Returns how to go on, in a sentence, or nothing if it is not saved.
    ///
    /// # Errors
    /// Why it could not be saved, in words.
    fn checkpoint(&mut self, subject: &S, exploration: Exploration) -> Result<Option<String>, String> {
        let _ = (subject, exploration);
        Ok(None)
    }

    /// The check has come to its end, or to a failure with which it ends: this is what it has come to. What was saved for
    /// going on is of no use any more.
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
