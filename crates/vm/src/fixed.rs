//! Questions that a program can ask of its environment, and that get one answer although others are possible: the
//! verdict names them.

use crate::machine::Machine;
use crate::settings::Environment;
use everyway_ir::{Function, FunctionId, Value};
use everyway_runtime::ThreadId;
use std::sync::atomic::{AtomicU64, Ordering};

/// Threads, a bit for each of the first ones.
#[derive(Debug, Default)]
pub(crate) struct Users(AtomicU64);

impl Users {
    fn add(&self, thread: ThreadId) {
        // Those without a bit of their own are as good as several.
        let bits = if thread.0 < 62 { 1 << thread.0 } else { 0b11 << 62 };
        self.0.fetch_or(bits, Ordering::Relaxed);
    }

    fn are_several(&self) -> bool {
        self.0.load(Ordering::Relaxed).count_ones() > 1
    }
}

/// Something that is the same in all executions here, but need not be elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fixed {
    /// `rand` and the like.
    RandomNumbers,
    /// With which arguments the program is called, if it looks at them.
    Arguments,
    /// What time it is.
    Time,
    /// `getenv`.
    Variables,
    /// What is typed in.
    Input,
    /// Which files there are before the program starts.
    Files,
    /// Whether memory can be had.
    Allocation,
    /// Whether handlers of signals run.
    Signals,
    /// Whether a thread that waits goes on although none has woken it.
    WakeUps,
    /// Whether it does so more than once.
    FurtherWakeUps,
    /// Whether weak compare-exchanges fail spuriously.
    WeakFailures,
    /// Whether they do so more than once.
    FurtherWeakFailures,
    /// Whether memory that was freed long ago is reached by something that does not look like its address.
    Reclaimed,
    /// How many processors there are.
    Processors,
    /// Whether there is the system call `membarrier`.
    Membarrier,
    /// What threads find in the standard streams that others use as well.
    Streams,
}

impl Fixed {
    /// What a verdict takes for granted.
    fn assumption(self) -> &'static str {
        match self {
            Fixed::RandomNumbers => "that random numbers (`rand` and the like) are one fixed sequence",
            Fixed::Arguments => "that the program is called without arguments",
            Fixed::Time => "that no time passes",
            Fixed::Variables => "that no environment variable is set",
            Fixed::Input => "that standard input is empty",
            Fixed::Files => "that there are no files but those that the program makes",
            Fixed::Allocation => "that memory is never exhausted (see --malloc)",
            Fixed::Signals => "that no signal is delivered, so that their handlers never run",
            Fixed::WakeUps => "that waits on condition variables do not end spuriously (see --spurious-wakeups)",
            Fixed::FurtherWakeUps => "that the waits of a thread on condition variables end spuriously at most once",
            Fixed::WeakFailures => "that weak compare-exchanges do not fail spuriously (see --spurious-failures)",
            Fixed::FurtherWeakFailures => "that the weak compare-exchanges of a thread fail spuriously at most once",
            Fixed::Reclaimed => "that what was freed thousands of objects ago is not used by a pointer in disguise",
            Fixed::Processors => "that there is one processor",
            Fixed::Membarrier => "that the system has no `membarrier`",
            Fixed::Streams => {
                "that threads make no difference to each other by the formats and states of the standard streams, \
                 `std::cout` and the like"
            }
        }
    }
}

impl Fixed {
    /// Whether this is an answer of the environment, rather than a limit to what it does: see [`Environment::AnyAnswer`].
    fn is_answer(self) -> bool {
        match self {
            Fixed::RandomNumbers
            | Fixed::Arguments
            | Fixed::Time
            | Fixed::Variables
            | Fixed::Input
            | Fixed::Files
            | Fixed::Signals
            | Fixed::WakeUps
            | Fixed::Processors
            | Fixed::Membarrier => true,
            Fixed::Allocation
            | Fixed::FurtherWakeUps
            | Fixed::WeakFailures
            | Fixed::FurtherWeakFailures
            | Fixed::Reclaimed
            | Fixed::Streams => false,
        }
    }
}

impl Machine {
    /// The program has asked for this, in this execution or an earlier one.
    pub(crate) fn fix(&mut self, fixed: Fixed) {
        self.fixed.insert(fixed);
    }

    /// What was the same in all executions although it need not be, and is taken for granted.
    pub(crate) fn assumptions(&self) -> impl Iterator<Item = &'static str> + '_ {
        let streams = self.users_of_unobserved.are_several().then_some(Fixed::Streams);
        let granted = self.fixed.iter().copied().filter(|fixed| !self.is_open(*fixed));
        granted.chain(streams).map(Fixed::assumption)
    }

    /// What was the same in all executions although it need not be, and leaves the verdict open.
    pub(crate) fn untried_answers(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.fixed.iter().copied().filter(|fixed| self.is_open(*fixed)).map(Fixed::assumption)
    }

    fn is_open(&self, fixed: Fixed) -> bool {
        self.settings.environment == Environment::AnyAnswer && fixed.is_answer()
    }

    /// The program begins: what it is called with is an answer, too, if it looks at it and no user has chosen it.
    pub(crate) fn fix_arguments(&mut self, main: FunctionId) {
        let is_chosen = self.settings.arguments.len() > 1 || self.settings.environment == Environment::OneAnswer;
        if !is_chosen && uses_parameters(self.module.function(main)) {
            self.fix(Fixed::Arguments);
        }
    }

    /// A thread uses an object whose accesses are no steps, and others may do so at the same time.
    #[cold]
    pub(crate) fn use_unobserved(&self, thread: ThreadId) {
        if !self.is_alone(thread) {
            self.users_of_unobserved.add(thread);
        }
    }
}

/// Whether a function makes use of what it is called with.
pub(crate) fn uses_parameters(function: &Function) -> bool {
    let count = function.signature.parameters.len();
    let mut values = function.body.iter().flat_map(|body| &body.blocks).flat_map(|block| block.values());
    values.any(|value| matches!(value, Value::Reg(reg) if reg.index() < count))
}
