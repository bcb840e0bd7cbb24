//! The settings of a machine, for what a program leaves open.

use crate::cell::{Cell, mask};
use everyway_driver::Rules;
use everyway_report::BugKind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which memory is taken to be out of reach of other threads, so that accesses to it are no steps.
///
/// It is what its owner's writes to shared memory do not point to. A pointer can get to another thread in ways that
/// do not show it: byte by byte, compressed, combined with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Privacy {
    /// As said; a thread that uses a pointer it cannot have is a failure, and
    /// [`Machine::has_escaped`](crate::Machine::has_escaped) holds: the program is to be explored with
    /// [`Privacy::None`]. Up to there, every access was what it was taken for.
    Checked,
    /// As said; for running a program once, where it makes no difference.
    Trusted,
    /// None is: every access is a step once there are several threads.
    None,
}

/// What `volatile` means where an access is not atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatile {
    /// Nothing to other threads, as in C.
    Plain,
    /// The access is atomic, and relaxed: as code that predates atomics, and kernels, have it.
    Atomic,
}

/// What a barrier for the compiler alone orders: an empty `asm` that clobbers memory, or `atomic_signal_fence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompilerBarrier {
    /// Nothing between threads, as in C.
    OrdersNothing,
    /// What the machine that the program is for keeps in order by itself: a load, and what comes after it.
    Acquires,
    /// Likewise; and what comes before a store, and the store.
    AcquiresAndReleases,
}

/// Whether the order in which threads arrive at a barrier is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// It is not: arrivals are independent of each other. A program to which the order makes a difference is a failure,
    /// and [`Machine::has_ordered_arrivals`](crate::Machine::has_ordered_arrivals) holds: it is to be explored with
    /// [`Arrivals::Ordered`]. Up to there, it made none.
    AnyOrder,
    /// It is.
    Ordered,
}

/// Whether memory that a program asks for can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Always.
    NeverFails,
    /// Not always: `malloc` and its like are tried with and without success.
    MayFail,
}

/// What variables and memory hold that were not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// No value: a decision that depends on it is a failure.
    NoValue,
    /// A value whose bits are all 0.
    Zeros,
    /// A value whose bits are all 1.
    Ones,
}

impl Unset {
    /// What a register of this width holds.
    pub(crate) fn cell(self, width: u32) -> Cell {
        match self {
            Unset::NoValue => Cell::undefined(width),
            Unset::Zeros => Cell::new(0),
            Unset::Ones => Cell::new(mask(width)),
        }
    }
}

/// What the environment answers that could answer in several ways: what is typed in, what the time is, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// One thing, which a verdict takes for granted.
    OneAnswer,
    /// Anything. Random numbers are inputs of the program, as those of `__VERIFIER_nondet_int` are; what else it is asked has one answer here,
    /// and a verdict leaves open what others lead to.
    AnyAnswer,
}

/// Which memory that was not freed in the end is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaks {
    /// None.
    Allowed,
    /// What nothing points to any more: no global variable, and nothing that one leads to.
    Lost,
    /// All.
    NeverFreed,
}

/// How accesses that are not atomic are told to an engine that tells reads their sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Whole, which takes for granted that the same bytes are always accessed together.
    Accesses,
    /// Byte by byte.
    Bytes,
}

/// How a machine treats what a program leaves open.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The arguments of the program, its name first.
    pub arguments: Vec<String>,
    /// Which memory that was not freed in the end is a failure.
    pub leaks: Leaks,
    /// Whether two unordered accesses, one of them a write and not both atomic, are a failure.
    pub races: bool,
    /// By which rules the executions are run: where reads get their values, what orderings are taken for.
    pub rules: Rules,
    /// What `volatile` means to other threads.
    pub volatile: Volatile,
    /// What a barrier for the compiler alone orders.
    pub compiler_barrier: CompilerBarrier,
    /// Whether a wait on a condition variable may end spuriously.
    pub spurious_wakeups: bool,
    /// Whether a weak compare-exchange may fail spuriously.
    pub spurious_failures: bool,
    /// Which memory is taken to be out of reach of other threads.
    pub privacy: Privacy,
    /// Whether memory that the program asks for can be had.
    pub allocation: Allocation,
    /// What variables and memory hold that were not set.
    pub unset: Unset,
    /// What the environment answers.
    pub environment: Environment,
    /// Whether additions whose results are not read are independent of each other.
    pub commuting_adds: bool,
    /// Whether the order in which threads arrive at a barrier is explored.
    pub arrivals: Arrivals,
    /// How accesses that are not atomic are told where reads are told their sources.
    pub grain: Grain,
    /// Whether threads that wait for each other are no failure.
    pub allow_deadlocks: bool,
    /// Whether loops that spin for ever are no failure.
    pub allow_livelocks: bool,
    /// Whether the variables of `main` are there after it has returned, or ended its thread: threads that run on may use them.
    pub main_stays: bool,
    /// Whether output of the program is kept.
    pub output: bool,
    /// Whether the calls that each step is in are kept.
    pub calls: bool,
    /// How often a thread may jump backwards within one step.
    pub local_jumps: u32,
    /// How many threads there may be.
    pub threads: u32,
    /// How deep functions may call each other.
    pub call_depth: usize,
    /// Failures that end their thread, and are not told.
    pub ignored: Vec<BugKind>,
    /// Failures that end their thread, and are not what is looked for: that there are some is told in the end.
    pub set_aside: Vec<BugKind>,
    /// Everything ends, even in the middle of a step, once this is set.
    pub cancelled: Arc<AtomicBool>,
    /// The values that `__VERIFIER_nondet_int` and the like are tried with.
    pub samples: Vec<i64>,
    /// Whether inputs that the program only compares with constants are tried with others: with one value for each way in which
    /// they can compare.
    pub told_apart: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            arguments: vec!["program".to_owned()],
            leaks: Leaks::Allowed,
            races: false,
            rules: Rules::INTERLEAVED,
            volatile: Volatile::Plain,
            compiler_barrier: CompilerBarrier::OrdersNothing,
            spurious_wakeups: false,
            spurious_failures: false,
            privacy: Privacy::Checked,
            allocation: Allocation::NeverFails,
            unset: Unset::NoValue,
            environment: Environment::OneAnswer,
            commuting_adds: false,
            arrivals: Arrivals::Ordered,
            grain: Grain::Accesses,
            allow_deadlocks: false,
            allow_livelocks: false,
            main_stays: true,
            output: false,
            calls: false,
            local_jumps: 10_000_000,
            threads: 1_000,
            call_depth: 10_000,
            ignored: Vec::new(),
            set_aside: Vec::new(),
            cancelled: Arc::default(),
            samples: vec![0, 1, 2, -1],
            told_apart: false,
        }
    }
}
