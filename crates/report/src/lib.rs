//! The data of a result of everyway, and the files in which an execution is kept to be run again.
//!
//! A [`Report`] is plain data; how it is shown is another crate's. This one does not know how a result was found,
//! nor in which language the program was written.

mod accesses;
pub mod checked;
mod event;
mod file;
pub mod frontier;
mod linearise;
mod profile;
mod rearrange;
pub mod replay;
mod sound;

pub use event::{Call, Effect, Event, Mode};
pub use linearise::{Last, Linearisation, Relevance};
pub use profile::{EstimateSoFar, Lengths, Profile, RacingPlaces};

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What is known now.
    pub verdict: Verdict,
    /// The strategy, as the user writes it.
    pub strategy: String,
    /// How many executions there were.
    pub executions: Executions,
    /// How long it took.
    pub seconds: f64,
    /// What was left out, in sentences; empty if and only if everything was explored.
    pub cut: Vec<String>,
    /// Failures that were not looked for, and leave open what was. `cut` tells of them, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// What the verdict takes for granted: what the environment of the program could have answered in several ways, and
    /// answered in one. Clauses that begin with "that".
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What the reader should know about the verdict, in sentences.
    pub notes: Vec<String>,
    /// What went wrong, if anything.
    pub bug: Option<Bug>,
    /// What else went wrong, if the exploration went on after the first failure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_bugs: Vec<Bug>,
    /// What it took, if a solver looked at all executions at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<Solver>,
    /// Where the executions come from, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Profile>,
}

/// What a solver did to look at all executions at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solver {
    /// How many steps the executions have that it looked at: those of the one that fails, or of the longest.
    pub steps: u64,
    /// Whether it was asked for shorter executions that fail than the one that it found, and there are none.
    #[serde(default)]
    pub is_shortest: bool,
    /// How often it had to go back, if it tells.
    pub conflicts: Option<u64>,
    /// How often it guessed, if it tells.
    pub decisions: Option<u64>,
    /// How many clauses the formula has, if it has any.
    pub clauses: Option<u64>,
}

impl Report {
    /// All that went wrong, in the order in which it was found.
    pub fn bugs(&self) -> impl Iterator<Item = &Bug> {
        self.bug.iter().chain(&self.further_bugs)
    }
}

/// What is known after an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was explored, and nothing went wrong.
    Verified,
    /// An execution fails.
    Bug,
    /// Nothing went wrong in what was explored, but not everything was.
    Incomplete,
}

/// How many executions were explored, by how they ended. One that fails because no thread can go on is among the
/// blocked ones. One that is cut, because it is too long, has not ended and is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executions {
    /// Every thread ended.
    pub complete: u64,
    /// A thread was stuck for good.
    pub blocked: u64,
    /// Begun, then found to be equivalent to an explored one.
    pub redundant: u64,
    /// Something failed in a step.
    #[serde(default)]
    pub failed: u64,
}

impl Executions {
    /// All of them.
    pub fn all(&self) -> u64 {
        [self.blocked, self.redundant, self.failed].into_iter().fold(self.complete, u64::saturating_add)
    }
}

/// Something that went wrong, and the execution that shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bug {
    /// What kind of thing.
    pub kind: BugKind,
    /// What went wrong, in a sentence or with the program's own words.
    pub message: String,
    /// Where in the program.
    pub source: Option<Source>,
    /// The calls that lead there, the innermost first. Empty if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// The thread it happened in, as an index into the execution's threads.
    pub thread: Option<usize>,
    /// The execution up to there.
    pub execution: Execution,
    /// Who waits for what, when no thread can go on.
    pub waits: Vec<Wait>,
    /// What was sent and not received, when no thread can go on.
    #[serde(default)]
    pub unreceived: Vec<Unreceived>,
    /// The two accesses of a data race.
    pub accesses: Vec<RacingAccess>,
    /// What the user may want to do about it.
    pub tips: Vec<String>,
    /// The execution that the same program gave before, where it did not do the same again, and the first
    /// event at which the two differ.
    pub divergence: Option<Divergence>,
    /// An execution that begins as this one does, and passes. Only if one was found soon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passing: Option<Passing>,
    /// How to run this execution again.
    pub replay: Option<Replay>,
    /// In how many executions it was seen. An exploration that ends with the first failure sees it once.
    #[serde(default = "once")]
    pub executions: u64,
}

fn once() -> u64 {
    1
}

/// A failure that was not looked for, and was set aside: the executions with it go on to nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetAside {
    /// What kind of failure.
    pub kind: BugKind,
    /// Where, if that is known.
    pub source: Option<Source>,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        self.source.iter().try_for_each(|source| write!(f, " at {source}"))
    }
}

/// Kinds of bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BugKind {
    /// A panic ended a thread; a failed assertion is one.
    Panic,
    /// Threads wait for each other.
    Deadlock,
    /// Threads spin for something that no thread will do.
    Livelock,
    /// Two unordered accesses, one of them a write.
    DataRace,
    /// An operation was used in a way that it does not allow.
    Misuse,
    /// The program is not deterministic by itself.
    Nondeterminism,
    /// An execution is longer than allowed.
    StepLimit,
    /// An assertion of the program failed.
    Assertion,
    /// The program aborted itself.
    Abort,
    /// The null pointer was followed.
    NullPointer,
    /// A pointer to nothing, or to what may not be accessed that way, was followed.
    InvalidPointer,
    /// An access beyond the bounds of its object.
    OutOfBounds,
    /// An access to an object that is gone: freed, or left with its function.
    UseAfterFree,
    /// Memory was freed twice.
    DoubleFree,
    /// Something was freed that was not allocated.
    InvalidFree,
    /// Something depends on a value that was not initialised.
    Uninitialised,
    /// Division by zero.
    DivisionByZero,
    /// Arithmetic on signed integers has a result that they cannot hold.
    SignedOverflow,
    /// Memory was not freed.
    Leak,
    /// Functions call each other too deeply.
    StackOverflow,
    /// The program does something that is not modelled.
    Unsupported,
}

impl fmt::Display for BugKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BugKind::Panic => "panic",
            BugKind::Deadlock => "deadlock",
            BugKind::Livelock => "livelock",
            BugKind::DataRace => "data race",
            BugKind::Misuse => "misuse",
            BugKind::Nondeterminism => "nondeterminism",
            BugKind::StepLimit => "step limit",
            BugKind::Assertion => "assertion failure",
            BugKind::Abort => "abort",
            BugKind::NullPointer => "null pointer",
            BugKind::InvalidPointer => "invalid pointer",
            BugKind::OutOfBounds => "out of bounds",
            BugKind::UseAfterFree => "use after free",
            BugKind::DoubleFree => "double free",
            BugKind::InvalidFree => "invalid free",
            BugKind::Uninitialised => "uninitialised value",
            BugKind::DivisionByZero => "division by zero",
            BugKind::SignedOverflow => "signed overflow",
            BugKind::Leak => "leak",
            BugKind::StackOverflow => "stack overflow",
            BugKind::Unsupported => "unsupported",
        })
    }
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The file, as the compiler spells it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// As compilers print it: `src/lib.rs:12:5`, or `src/lib.rs:12` if the column is not known.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

/// An execution, or the beginning of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// Its threads.
    pub threads: Vec<Thread>,
    /// Its events, in the order in which they happened.
    pub events: Vec<Event>,
}

/// A thread of an execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thread {
    /// A name that people recognise.
    pub name: String,
}

/// A thread that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// The thread, as an index into the execution's threads.
    pub thread: usize,
    /// What it waits in: `lock Mutex #1`.
    pub operation: String,
    /// Where.
    pub source: Option<Source>,
    /// The thread that could end the waiting, if there is just one: the holder of a lock, the thread joined.
    pub waits_for: Option<usize>,
    /// Why that does not happen, in words that follow the name of that thread: `has not ended`. In particular
    /// `held since src/lib.rs:12`, which is printed as `held by thread 'a' since src/lib.rs:12`. Words that name
    /// a thread themselves, in quotes, are printed as they are.
    pub because: String,
}

/// A message that was sent and not received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreceived {
    /// What it looks like, or `a message` if that is not known.
    pub message: String,
    /// The thread that sent it, as an index into the execution's threads.
    pub sender: usize,
    /// Whom or where it was sent to: `'server'`, `channel #1`.
    pub receiver: String,
    /// Where it was sent.
    pub source: Option<Source>,
}

/// One access of a data race.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RacingAccess {
    /// The thread, as an index into the execution's threads.
    pub thread: usize,
    /// `read` or `write`.
    pub operation: String,
    /// What was accessed.
    pub object: String,
    /// Where.
    pub source: Option<Source>,
    /// How many steps its thread had taken before, if the access is no step itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_before: Option<usize>,
}

/// Two executions of the same steps that differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Divergence {
    /// The execution as it was before.
    pub before: Execution,
    /// The index of the first event that differs.
    pub first_difference: usize,
}

/// An execution that passes, beside one that fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passing {
    /// The execution, which was run. Threads that take steps in the failing one have the same indices here.
    pub execution: Execution,
    /// The index of the first event that differs: up to there, the two are the same.
    pub first_difference: usize,
    /// What is different there, if it can be said by two steps.
    pub change: Option<Change>,
    /// Whether that is all: other steps that depend on each other come in the same order, as far as both have them.
    pub is_only: bool,
}

/// What is different in an execution that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Change {
    /// A step comes before one that it comes after in the execution that fails.
    Order {
        /// The step that came too early, as an index into the failing execution.
        overtaken: usize,
        /// The step that came too late, as an index into the failing execution: none if it did not come at all.
        moved: Option<usize>,
        /// The same step, as an index into the execution that passes.
        moved_to: usize,
    },
    /// A step finds what another one has written.
    Source {
        /// The step, as an index into the failing execution.
        step: usize,
        /// How it finds what was written.
        finds: Finds,
        /// What it finds in the failing execution, as an index there: none for the initial value.
        instead_of: Option<usize>,
        /// What it finds in the execution that passes, as an index into the failing one, if that has it.
        found: Option<usize>,
        /// The same, as an index into the execution that passes: none for the initial value.
        found_in_passing: Option<usize>,
    },
}

/// How a step finds what another one has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finds {
    /// It reads it.
    Reads,
    /// It comes right after it in the modification order of their object.
    Overwrites,
}

/// How to run an execution again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The file that holds it.
    pub file: String,
    /// The command that does it.
    pub command: String,
}
