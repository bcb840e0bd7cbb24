//! The exploration engine of everyway.
//!
//! A front end gives the engine an [`Execution`](everyway_runtime::Execution): a program that can be run one visible step
//! at a time and be rewound. The engine ([`Explorer`]) runs it in every way that makes a difference, as a [`Strategy`]
//! directs. [`Algorithm`] lists the strategies:
//!
//! - all interleavings;
//! - dynamic partial order reduction: classic, source, optimal with exactly one execution per Mazurkiewicz trace, and
//!   observers with one for all traces that differ in nothing that is observed;
//! - one execution for each assignment of sources to reads;
//! - one for each execution graph under a memory model;
//! - one for each trace within a bound on preemptions;
//! - random sampling and PCT.
//!
//! The engine knows threads, visible operations, happens-before and races. It knows no language, no memory layout, no
//! file and no terminal.
//!
//! The papers that the modules cite by short names:
//!
//! - *JACM*: Abdulla, Aronis, Jonsson, Sagonas: Source Sets: A Foundation for Optimal Dynamic Partial Order Reduction.
//!   J. ACM 64(4), 2017.
//! - *FMCAD 2022*: Jonsson, Lång, Sagonas: Awaiting for Godot: Stateless Model Checking that Avoids Executions where
//!   Nothing Happens.
//! - *TACAS 2018*: Aronis, Jonsson, Lång, Sagonas: Optimal Dynamic Partial Order Reduction with Observers.
//! - *OOPSLA 2019*: Abdulla, Atig, Jonsson, Lång, Ngo, Sagonas: Optimal Stateless Model Checking for Reads-From
//!   Equivalence under Sequential Consistency.
//! - *POPL 2022*: Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial Order
//!   Reduction (TruSt). Proc. ACM Program. Lang. 6 (POPL), 2022.

mod budget;
mod estimate;
mod explain;
mod explorer;
mod frontier;
mod happens_before;
mod ids;
mod packed;
mod probe;
mod strategies;
mod trace;
mod verify;

pub use budget::Budget;
pub use estimate::Estimate;
pub use explorer::{AfterFailure, Counts, Cut, End, Ending, Explorer, Limits, Progress, Watcher, alive};
pub use frontier::{Exchange, Left, NotASubtree, Subtree};
pub use ids::EventId;
pub use probe::Prober;
pub use strategies::{
    Algorithm, Choice, Continue, DataRace, Divisible, GraphView, Guarantee, Guidance, MemoryModel, Mistake, Order,
    Schedules, Script, StepEnd, Strategy, TellsSources, ToldChoice, ToldStep, UnknownAlgorithm, UnknownMemoryModel,
    Unsupported, neighbours,
};
pub use trace::{Event, Record, Trace};
pub use verify::Verification;
